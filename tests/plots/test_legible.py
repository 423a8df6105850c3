"""Charts can be read whatever they show: on a dark figure, with long names, many lines, and nothing but zeros."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from tests.plots.drawn import binomial, changed, compared, row, swept_over
from tests.plots.test_drawn_data import cut, marked, overlapping, small_print

from mathhammer import plots
from mathhammer.plots import style, texts

SAVE = "target.models[0].save"
LONG = "Veteran squad of the very long names, second company, with the weapon "
CHARTS: dict[str, Callable[[], Axes]] = {
    "distribution": lambda: plots.distribution(binomial()),
    "outcome": lambda: plots.outcome(binomial()),
    "kill_curve": lambda: plots.kill_curve([binomial("A"), binomial("B")]),
    "funnel": lambda: plots.funnel(binomial(by_weapon=(row("A", "Gun", 9.0), row("A", "Bow", 4.0)))),
    "efficiency": lambda: plots.efficiency(binomial()),
    "small_multiples": lambda: plots.small_multiples([binomial(), binomial(target="Wall 2")]),
    "heat_map": lambda: plots.heat_map(compared({"A": {"B": 1.0}})),
    "tornado": lambda: plots.tornado(changed({"A": 1.0, "B": -1.0})),
    "sweep": lambda: plots.sweep(
        {"A": swept_over(SAVE, {3: 1.0, 4: 2.0}), "B": swept_over(SAVE, {3: 2.0, 4: 1.0})}
    ),
}


def light(colour: object) -> float:
    return float(np.dot(to_rgb(colour), (0.299, 0.587, 0.114)))  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("name", CHARTS)
def test_on_a_dark_figure_all_around_the_axes_is_light(
    name: str, given: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    with plt.style.context("dark_background"):
        if given:
            monkeypatch.setattr(
                style, "new_axes", lambda ax, size=None, new=style.new_axes: new(ax or plt.gca())
            )
        ax = CHARTS[name]()
        ax.figure.draw_without_rendering()
    inside = ax.get_window_extent()
    panels = [panel._left_title for panel in ax.child_axes]
    labels = [
        label for axes in (ax, *ax.child_axes) for label in (*axes.get_xticklabels(), *axes.get_yticklabels())
    ]
    around = [*ax.texts, ax._left_title, ax.xaxis.label, ax.yaxis.label, *labels, *panels]
    if legend := ax.get_legend():
        around += legend.get_texts()
        assert not legend.get_frame_on() or light(legend.get_frame().get_facecolor()) == pytest.approx(1)
    for text in filter(plt.Text.get_text, around):
        box = text.get_window_extent()
        outside = box.x1 < inside.x0 or box.x0 > inside.x1 or box.y1 < inside.y0 or box.y0 > inside.y1
        if outside or name != "heat_map":
            assert abs(light(text.get_color()) - (0 if outside else 1)) > 0.35, text.get_text()


def test_names_that_differ_at_the_end_differ_in_every_chart() -> None:
    names = [LONG + "A", LONG + "B"]
    ax = plots.heat_map(compared({name: dict.fromkeys(names, 1.0) for name in names}))
    assert len({label.get_text() for label in ax.get_yticklabels()}) == 2
    assert len({label.get_text() for label in ax.get_xticklabels()}) == 2
    bars = plots.tornado(changed(dict.fromkeys(names, 1.0)))
    assert len({label.get_text() for label in bars.get_yticklabels()}) == 2
    panels = plots.small_multiples([binomial(target=name) for name in names]).child_axes
    assert len({panel.get_title(loc="left") for panel in panels}) == 2


def test_forty_lines_all_look_different() -> None:
    looks = [style.look(index) for index in range(40)]
    assert len({(look.colour, look.marker, str(look.dash)) for look in looks}) == 40
    assert len({(look.colour, look.hatch) for look in looks}) == 40


@pytest.mark.parametrize("metric", ["unit_destroyed", "wounds_lost"])
def test_nothing_but_zeros_is_drawn_on_a_whole_axis(metric: str) -> None:
    assert plots.sweep(swept_over(SAVE, {3: 0.0, 4: 0.0}, metric)).get_ylim() == (0, 1)
    none = row("A", "Gun", 0.0)
    assert plots.funnel(binomial(by_weapon=(none,))).get_xlim() == pytest.approx((0, 1.28))
    zeros = compared({"A": {"X": 0.0}, "B": {"X": 0.0}}, metric)
    assert "framed" not in small_print(plots.heat_map(zeros))


def test_a_line_without_values_leaves_the_others_as_they_are() -> None:
    frame = pd.concat([swept_over(SAVE, {3: 1.0, 4: 2.0}), swept_over(SAVE, {3: np.nan, 4: np.nan})])
    ax = plots.sweep(frame.assign(**{"conditions.cover": [False, False, True, True]}))
    assert ax.get_ylim()[1] == pytest.approx(2 * 1.12)


@pytest.mark.parametrize("models", [1, 8, 40])
@pytest.mark.parametrize("p", [0.0, 0.01, 0.05, 0.5, 0.99, 1.0])
def test_names_of_quantiles_cover_nothing_and_stay_inside(models: int, p: float) -> None:
    levels = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
    ax = plots.distribution(binomial(models=models, p=p), quantiles=levels)
    names = [text for text in ax.texts if "\n" in text.get_text()]
    assert not overlapping(names)
    assert not cut(ax)
    assert sum(text.get_text().count("%") + text.get_text().count("median") for text in names) == 7
    whole = ax.get_window_extent().padded(1)
    for text in [*names, *(text for text in ax.texts if text.get_text().startswith("mean"))]:
        box = text.get_window_extent()
        assert whole.x0 <= box.x0
        assert box.x1 <= whole.x1


def test_what_was_never_seen_is_not_said_to_be_impossible() -> None:
    never, impossible = binomial(p=0.0, trials=100), binomial(p=0.0)
    for draw in (plots.outcome, plots.kill_curve):
        assert marked(draw(never), "subtitle")[0].get_text().startswith("the unit was never destroyed")
        assert marked(draw(impossible), "subtitle")[0].get_text().startswith("0% to destroy")


def test_a_simulated_chance_above_0_is_never_written_as_0() -> None:
    for trials in (10, 100, 300, 1000, 100_000):
        p = 1 / trials
        error = (p * (1 - p) / trials) ** 0.5
        assert style.percent(p, error) not in ("0%", "0.0%")
        assert style.percent(1 - p, error) not in ("100%", "100.0%")


def test_the_error_in_the_small_print_is_not_rounded_down() -> None:
    assert "at most 2.3 percentage points" in small_print(plots.outcome(binomial(trials=500)))
    assert "at most 0.05 percentage points" in small_print(plots.outcome(binomial(trials=1_000_000)))
    assert small_print(plots.heat_map(compared({"A": {"B": 1.0}}, error=0.1249))).endswith(
        "error at most 0.13"
    )


def test_what_has_no_points_is_named_under_the_chart() -> None:
    outs = {"Gun": binomial(), "Bow": binomial(points=None)}
    assert "without points, not drawn: Bow" in small_print(plots.efficiency(outs))
    assert "not drawn" not in small_print(plots.efficiency(binomial()))


@pytest.mark.parametrize("draw", [plots.kill_curve, plots.efficiency])
def test_forty_names_have_room_beside_the_axes(draw: Callable[[object], Axes]) -> None:
    many = [binomial(f"Squad {k} of the line", p=0.2 + k / 80, points=60 + k % 7 * 20) for k in range(40)]
    ax = draw(many)
    assert len(ax.get_legend().get_texts()) == 40
    assert not overlapping(ax.get_legend().get_texts())
    assert not cut(ax)


def test_dots_are_named_where_they_stand_if_every_name_finds_room() -> None:
    apart = [binomial(name, p=0.2 * k, points=50.0 * k) for k, name in enumerate("ABCD", start=1)]
    ax = plots.efficiency(apart)
    assert [text.get_text() for text in marked(ax, "name")] == ["A", "B", "C", "D"]
    assert ax.get_legend() is None
    crowded = plots.efficiency([binomial(f"Squad {k}", p=0.5 + k / 1000) for k in range(12)])
    assert marked(crowded, "name") == []


@pytest.mark.parametrize("letter", ["i", "n", "W"])
def test_texts_around_the_axes_fill_their_lines_and_do_not_pass_the_end(letter: str) -> None:
    ax = style.new_axes(None)
    style.finish(ax, " ".join([letter * 3] * 60), " ".join([letter * 3] * 60), " ".join([letter * 3] * 60))
    ax.figure.draw_without_rendering()
    inside = ax.get_window_extent()
    for text in (ax._left_title, *ax.texts):
        assert 0.85 < text.get_window_extent().width / inside.width < 1.02


def test_texts_around_given_axes_follow_the_width_that_these_get_at_last() -> None:
    figure, axes = plt.subplots(2, 2, figsize=(11, 8), layout="constrained")
    plots.outcome(binomial(trials=1000), ax=axes[0, 0])
    plots.kill_curve(binomial(trials=1000), ax=axes[0, 1])
    bars = plots.tornado(changed({"a change with a long name": -1.0, "B": 0.5}, error=0.1), ax=axes[1, 0])
    names = ("Heavy infantry", "Monstrous creatures", "Transports", "Battle tanks", "Terminators", "Bikers")
    cells = plots.heat_map(compared({"Gun": dict.fromkeys(names, 1.0)}), ax=axes[1, 1])
    for _ in range(2):
        figure.draw_without_rendering()
    assert axes[0, 0].get_position().width > 0.37
    for ax in axes.flat:
        inside = ax.get_window_extent()
        for text in (ax._left_title, *marked(ax, "subtitle"), *marked(ax, "small print")):
            assert text.get_window_extent().x1 <= inside.x1 + 2
        assert not cut(ax)
    columns = [label.get_rotation() for label in cells.get_xticklabels()]
    assert set(columns) == {55.0}
    sizes = [text for text in bars.texts if text.get_text().startswith("−")]
    assert not overlapping([*sizes, *bars.get_yticklabels()])


@pytest.mark.parametrize("size", [(3.4, 2.6), (6.4, 4.0)])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.95])
@pytest.mark.parametrize("draw", [plots.outcome, plots.distribution])
def test_labels_in_small_axes_cover_nothing(
    draw: Callable[..., Axes], p: float, size: tuple[float, float]
) -> None:
    _, ax = plt.subplots(figsize=size, layout="constrained")
    draw(binomial(models=12, p=p, trials=100_000), ax=ax)
    ax.figure.draw_without_rendering()
    legend = ax.get_legend().get_texts() if ax.get_legend() else []
    above = [ax._left_title, *marked(ax, "subtitle"), *marked(ax, "small print"), *legend]
    assert not overlapping([text for text in ax.texts if text not in above] + above)


def test_names_over_panels_of_a_second_row_cover_nothing_of_the_first() -> None:
    names = ["Wall", "Wall of shields", LONG, "Tank", LONG + "A", "Veteran squad of the long road", "Fort"]
    with plt.style.context("dark_background"):
        ax = plots.small_multiples({name: binomial() for name in names})
        ax.figure.draw_without_rendering()
    inside = ax.get_window_extent()
    above = [text for panel in ax.child_axes for text in (panel._left_title, *panel.texts)]
    assert max(text.get_text().count("\n") for text in above) >= 1
    assert all(text.get_window_extent().y1 <= inside.y1 for text in above)
    labels = [label for panel in ax.child_axes for label in panel.get_xticklabels()]
    assert not overlapping([*above, *labels, ax._left_title])


def test_only_words_longer_than_their_axes_are_cut() -> None:
    assert texts.fitted("Expected wounds lost", 11.0, 20.0).split("\n") == ["Expected", "wounds lost"]
    parts = texts.fitted("W" * 60, 11.0, 100.0).split("\n")
    assert len(parts) > 3
    assert "".join(parts) == "W" * 60


def test_a_title_of_your_own_stays() -> None:
    ax = plots.outcome(binomial())
    ax.set_title("Mine", loc="left")
    ax.figure.set_size_inches(4, 3)
    ax.figure.draw_without_rendering()
    assert ax.get_title(loc="left") == "Mine"


def test_every_marker_covers_about_as_much_as_a_dot() -> None:
    assert next(look.size for look in map(style.look, range(8)) if look.marker == "*") > 1.5
    (star,) = [
        line for line in plots.efficiency([binomial(n) for n in "ABCDEFGH"]).lines if line.get_marker() == "*"
    ]
    assert star.get_markersize() > 11
