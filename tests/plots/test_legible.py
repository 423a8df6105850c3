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
from mathhammer.plots import style

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
    texts = [*ax.texts, ax._left_title, ax.xaxis.label, ax.yaxis.label, *labels, *panels]
    if legend := ax.get_legend():
        texts += legend.get_texts()
        assert not legend.get_frame_on() or light(legend.get_frame().get_facecolor()) == pytest.approx(1)
    for text in filter(plt.Text.get_text, texts):
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
        assert "never seen to destroy" in marked(draw(never), "subtitle")[0].get_text()
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
    assert "error at most 0.13 " in small_print(plots.heat_map(compared({"A": {"B": 1.0}}, error=0.1249)))


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
