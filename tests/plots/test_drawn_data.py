"""What stands in the pictures: the numbers drawn are the numbers given."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from tests.plots.drawn import binomial, changed, compared, row, swept_over

from mathhammer import plots
from mathhammer.errors import InvalidScenario
from mathhammer.plots import style
from mathhammer.plots.outcomes import labelled
from mathhammer.rules import wound_target

T, SV = "target.models[0].toughness", "target.models[0].save"
NAMES = ("Bolters", "Plasma guns", "Melta", "Lascannon", "Flamers", "Heavy bolters", "Missiles", "Knight")


def marked(ax: Axes, gid: str) -> list[plt.Artist]:
    return ax.findobj(lambda artist: artist.get_gid() == gid)


def small_print(ax: Axes) -> str:
    (text,) = marked(ax, "small print")
    return text.get_text().replace("\n", " ").replace("\u00a0", " ")


def overlapping(texts: list[plt.Text]) -> list[tuple[str, str]]:
    texts[0].figure.draw_without_rendering()
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]
    return [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.overlaps(two)]


def ticks(ax: Axes, axis: str = "x") -> list[plt.Text]:
    """The tick labels that are in view."""
    low, high = sorted(getattr(ax, f"get_{axis}lim")())
    chosen = getattr(ax, f"{axis}axis")
    return [
        label
        for place, label in zip(chosen.get_ticklocs(), chosen.get_ticklabels(), strict=True)
        if low <= place <= high
    ]


def cut(ax: Axes) -> list[str]:
    """Texts that reach out of the figure."""
    ax.figure.draw_without_rendering()
    whole = ax.figure.bbox.padded(1)
    texts = [*ax.texts, ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label, *ticks(ax), *ticks(ax, "y")]
    texts += ax.get_legend().get_texts() if ax.get_legend() else []
    for panel in ax.child_axes:
        texts += [*panel.texts, panel._left_title, *ticks(panel)]
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts if text.get_text()]
    return [
        text for text, box in boxes if not (whole.contains(box.x0, box.y0) and whole.contains(box.x1, box.y1))
    ]


def test_bars_of_a_distribution_are_its_probabilities() -> None:
    out = binomial(models=8, p=0.4)
    ax = plots.distribution(out)
    assert [bar.get_height() for bar in ax.patches] == pytest.approx(out.models_destroyed.pmf)
    assert marked(ax, "mean")[0].get_xdata()[0] == pytest.approx(3.2)
    assert marked(ax, "spread")[0].get_xdata() == pytest.approx(
        [out.models_destroyed.quantile(0.1), out.models_destroyed.quantile(0.9)]
    )
    assert ax.get_ylim()[0] == 0


@pytest.mark.parametrize("models", [1, 6, 12, 13, 20, 40, 60])
@pytest.mark.parametrize("draw", [plots.distribution, plots.outcome])
def test_bars_and_their_names_do_not_overlap(draw: object, models: int) -> None:
    ax = draw(binomial(models=models, p=0.45, trials=100_000))  # type: ignore[operator]
    bars = sorted(ax.patches[: len(ax.containers[0])], key=lambda bar: bar.get_x())
    for one, two in pairwise(bars):
        assert one.get_x() + one.get_width() <= two.get_x() + 1e-9
    assert not overlapping(ticks(ax))
    labels = [text for text in ax.texts if text.get_text().endswith("%") and "\n" not in text.get_text()]
    assert not labels or not overlapping(labels)
    assert not cut(ax)


def test_what_is_not_drawn_is_said() -> None:
    ax = plots.outcome(binomial(models=100, p=0.4))
    drawn = sum(bar.get_height() for bar in ax.containers[0])
    assert 0.999 < drawn < 1
    assert "not drawn: fewer than" in small_print(ax)
    assert "under 0.1% together" in small_print(ax)
    assert "not drawn" not in small_print(plots.outcome(binomial(models=10)))


def test_steps_of_an_outcome_are_the_chances_of_at_least_k() -> None:
    out = binomial(models=9, p=0.3)
    ax = plots.outcome(out)
    steps = next(patch for patch in ax.patches if hasattr(patch, "get_data"))
    assert steps.get_data().values == pytest.approx([out.models_destroyed.at_least(k) for k in range(1, 10)])
    assert ax.get_ylim() == (0, 1.06)
    labels = [text.get_text() for text in ax.texts if text.get_text().endswith("%")]
    assert labels[:3] == ["96%", "80%", "54%"]


def test_a_single_model_is_drawn_by_its_wounds() -> None:
    assert plots.outcome(binomial(models=1)).get_xlabel() == "k = wounds lost"
    assert plots.outcome(binomial(models=2)).get_xlabel() == "k = models destroyed"


def test_kill_curves_are_the_chances_of_at_least_k() -> None:
    outs = [binomial("Bolters", p=0.3), binomial("Melta", p=0.6, trials=400)]
    ax = plots.kill_curve(outs)
    for line, out in zip(ax.lines, outs, strict=True):
        assert line.get_xdata()[0] == 1
        assert line.get_ydata() == pytest.approx([out.models_destroyed.at_least(k) for k in range(1, 11)])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["Bolters", "Melta"]
    (band,) = ax.collections
    p = outs[1].models_destroyed.at_least(6)
    assert band.get_paths()[0].vertices[:, 1].max() <= 1.1
    assert any(np.allclose(v, (6, p + 2 * outs[1].error_of(p))) for v in band.get_paths()[0].vertices)


def test_series_differ_in_marker_and_dash_not_only_in_colour() -> None:
    looks = [style.look(index) for index in range(8)]
    assert len({look.marker for look in looks}) == 8
    assert len({look.colour for look in looks}) == 8
    greys = sorted(
        np.dot(plt.matplotlib.colors.to_rgb(look.colour), (0.299, 0.587, 0.114)) for look in looks[:3]
    )
    assert np.diff(greys).min() > 0.15


def test_labels_tell_outcomes_apart() -> None:
    one, two = binomial("A", "X"), binomial("A", "Y")
    assert list(labelled([one, two])) == ["X", "Y"]
    assert list(labelled([one, binomial("B", "X")])) == ["A", "B"]
    assert list(labelled([one, two, binomial("B", "X")])) == [
        "A against X",
        "A against Y",
        "B against X",
    ]
    assert list(labelled([one, one])) == ["A against X", "A against X (2)"]
    assert list(labelled({"shooting": one})) == ["shooting"]


def test_efficiency_stands_at_cost_and_gain() -> None:
    outs = [binomial(name, points=80 + 30 * i, p=0.1 + 0.1 * i, worth=15) for i, name in enumerate(NAMES)]
    ax = plots.efficiency(outs)
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_gid() != "iso"]
    assert np.array(dots) == pytest.approx(
        np.array([(out.attacker_points, out.points_destroyed.value) for out in outs])
    )
    for line in marked(ax, "iso"):
        assert line.get_xydata()[0].tolist() == [0, 0]
    assert not overlapping(marked(ax, "name"))
    assert ax.get_xlim()[0] == ax.get_ylim()[0] == 0


def test_efficiency_of_a_table_takes_the_costs_from_it() -> None:
    frame = compared(
        {"Gun": {"tank": 40.0}, "Lance": {"tank": 90.0}, "Gift": {"tank": 1.0}}, "points_destroyed"
    )
    frame.attrs["points"] = {"Gun": 100, "Lance": 150, "Gift": None}
    ax = plots.efficiency(frame)
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in ax.lines if line.get_gid() != "iso"]
    assert dots == [(100, 40.0), (150, 90.0)]
    with pytest.raises(InvalidScenario, match="efficiency needs points"):
        plots.efficiency(frame, points={})


def test_a_funnel_adds_up_its_weapons() -> None:
    out = binomial(by_weapon=(row("Gunners", "Rifle", 24.0), row("Gunners", "Cannon", 6.0, 3.0)))
    ax = plots.funnel(out)
    attacks = [container[0] for container in ax.containers]
    assert [bar.get_width() for bar in attacks] == [24.0, 6.0]
    assert attacks[1].get_x() == 24.0
    texts = [text.get_text() for text in ax.texts]
    assert "20.0  (67% of attacks)" in texts
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        *("attacks", "hits", "wounds", "unsaved", "damage", "wounds lost", "models destroyed"),
    ]


def test_a_funnel_shows_mortal_wounds_where_there_are_any_and_gathers_the_smallest() -> None:
    rows = tuple(row("Gunners", name, 4.0 + index, mortal_wounds=0.5) for index, name in enumerate(NAMES))
    ax = plots.funnel(binomial(by_weapon=rows))
    assert "mortal wounds" in [label.get_text() for label in ax.get_yticklabels()]
    assert len(ax.containers) == 6
    assert ax.get_legend().get_texts()[-1].get_text() == "3 others"


def test_lines_of_a_sweep_and_where_they_cross() -> None:
    one = swept_over(T, {3: 4.0, 4: 3.0, 5: 2.0})
    two = swept_over(T, {3: 3.0, 4: 2.5, 5: 2.5})
    ax = plots.sweep({"Gun": one, "Lance": two})
    assert ax.lines[0].get_ydata().tolist() == [4.0, 3.0, 2.0]
    (ring,) = marked(ax, "crossing")
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == pytest.approx((4.5, 2.5))
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["Gun", "Lance", "1  from 5: Lance over Gun"]


def test_a_crossing_within_the_error_is_none() -> None:
    one, two = {3: 2.0, 4: 2.0}, {3: 2.05, 4: 1.95}
    exact = plots.sweep({"Gun": swept_over(T, one), "Lance": swept_over(T, two)})
    assert len(marked(exact, "crossing")) == 1
    noisy = {"Gun": swept_over(T, one, error=0.05), "Lance": swept_over(T, two, error=0.05)}
    ax = plots.sweep(noisy)
    assert not marked(ax, "crossing")
    assert len(ax.collections) == 2
    assert "bands: two standard errors" in small_print(ax)


def test_a_sweep_over_two_paths_is_a_line_for_each_value_of_the_second() -> None:
    frame = pd.concat([swept_over(T, {4: 2.0 - s / 10, 5: 1.0}).assign(**{SV: s}) for s in (3, 4)])
    ax = plots.sweep(frame)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["save (Sv) 3+", "save (Sv) 4+"]


def test_a_sweep_over_words_keeps_their_order() -> None:
    ax = plots.sweep(swept_over("attacker.weapons[0].attacks", {"D6": 1.0, "2": 0.5, "D3": 0.4}))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["D6", "2", "D3"]


def test_a_tornado_is_sorted_and_pales_what_may_be_chance() -> None:
    ax = plots.tornado(changed({"cover": -0.5, "+1 to hit": 1.0, "nothing": 0.0, "hardly": 0.05}, error=0.04))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["+1 to hit", "cover", "hardly", "nothing"]
    widths = {round(bar.get_y() + 0.36): (bar.get_width(), bar.get_alpha()) for bar in ax.patches}
    assert widths[0] == (1.0, 1.0)
    assert widths[1] == (-0.5, 1.0)
    assert widths[2] == (0.05, 0.35)
    assert "none seen" in [text.get_text() for text in ax.texts]
    exact = plots.tornado(changed({"cover": -0.5, "nothing": 0.0}))
    assert "no difference" in [text.get_text() for text in exact.texts]
    assert ax.get_xlim()[0] < -0.5 < 1 < ax.get_xlim()[1]


def test_a_tornado_of_two_tables_draws_each_row_once() -> None:
    one, two = changed({"cover": -0.5, "+1 to hit": 1.0}), changed({"cover": -0.25, "+1 to hit": 2.0})
    ax = plots.tornado(pd.concat([one, two]))
    assert [bar.get_width() for bar in sorted(ax.patches, key=lambda bar: bar.get_y())] == [
        2.0,
        1.0,
        -0.5,
        -0.25,
    ]
    assert marked(ax, "subtitle")[0].get_text() == "without any change: 2.00"
    ax = plots.tornado(pd.concat([one, two.assign(value=two["value"] + 1)]))
    assert marked(ax, "subtitle")[0].get_text() == ""  # they start from different values


def test_what_is_in_per_cent_is_so_everywhere_in_a_chart() -> None:
    metric = "unit_destroyed_per_100_points"
    bars = plots.tornado(changed({"cover": -0.13, "+1 to hit": 0.5}, metric, error=0.001))
    assert bars.get_xlabel() == "difference in percentage points per 100 points"
    assert {"−13", "+50"} <= {text.get_text() for text in bars.texts}
    assert {tick.get_text() for tick in ticks(bars)} >= {"0", "20"}
    cells = plots.heat_map(compared({"A": {"tank": 0.56}}, metric, error=0.0055))
    assert cells.texts[0].get_text().endswith("%")
    assert "standard error at most 0.55 percentage points" in small_print(cells)
    line = plots.sweep(swept_over(T, {3: 1.5, 4: 0.5}, metric))
    assert {tick.get_text() for tick in ticks(line, "y")} >= {"0%", "100%", "160%"}


def test_lines_whose_values_are_written_alike_are_all_drawn() -> None:
    frame = pd.concat([swept_over(T, {4: 2.0 - s / 10, 5: 1.0}).assign(**{SV: s}) for s in (7, 8)])
    labels = [text.get_text() for text in plots.sweep(frame).get_legend().get_texts()]
    assert labels == ["save (Sv) –", "save (Sv) – (2)"]


def test_a_tornado_counts_what_it_leaves_out() -> None:
    ax = plots.tornado(changed({f"change {k}": float(k) for k in range(1, 21)}), most=5)
    assert len(ax.get_yticks()) == 5
    assert "15 smaller differences not drawn" in small_print(ax)


def test_a_tornado_of_a_chance_is_in_percentage_points() -> None:
    ax = plots.tornado(changed({"cover": -0.125, "+1 to hit": 0.5, "nothing": 0.0}, "unit_destroyed"))
    assert ax.get_xlabel() == "difference in percentage points"
    assert {"−12", "+50", "no difference"} <= {text.get_text() for text in ax.texts}
    assert {tick.get_text() for tick in ticks(ax)} >= {"0", "20"}


def test_panels_show_one_target_each_over_the_whole_unit() -> None:
    outs = [binomial(target=name, models=3 + index) for index, name in enumerate(NAMES)]
    ax = plots.small_multiples(outs)
    assert [panel.get_title(loc="left") for panel in ax.child_axes] == list(NAMES)
    for panel, out in zip(ax.child_axes, outs, strict=True):
        assert panel.get_ylim() == (0, 1.03)
        assert panel.get_xlim()[1] == pytest.approx(len(out.models_destroyed.pmf) - 0.4)
        assert panel.containers[0][1].get_height() == pytest.approx(out.models_destroyed.pmf[1])


def test_breakpoints_mark_the_steps_of_strength_against_toughness() -> None:
    frame = pd.concat(
        [
            swept_over(T, {t: (7 - wound_target(6, t)) / 6 for t in range(2, 14)}, "unit_destroyed").assign(
                **{SV: s}
            )
            for s in (3, 4)
        ]
    )
    ax = plots.breakpoint_map(frame, strength=6)
    steps = {line.get_xdata()[0] for line in marked(ax, "step")}
    # S6 wounds T2-3 on 2+, T4-5 on 3+, T6 on 4+, T7-11 on 5+, T12 and more on 6+ (05.02).
    assert steps == {1.5, 3.5, 4.5, 9.5}
    assert [text.get_text() for text in ax.texts if text.get_weight() == "bold"] == [
        "2+",
        "3+",
        "4+",
        "5+",
        "6+",
    ]
    assert not marked(plots.breakpoint_map(frame), "step")


def test_breakpoints_mark_the_attacks_that_a_model_takes() -> None:
    wounds, damage = "target.models[0].W", "attacker.weapons[0].D"
    frame = pd.concat(
        [swept_over(wounds, dict.fromkeys((1, 2, 3), 0.5)).assign(**{damage: d}) for d in (1, 2)]
    )
    ax = plots.breakpoint_map(frame)
    upright = sorted(
        (line.get_xdata()[0], round(line.get_ydata().mean()))
        for line in marked(ax, "step")
        if line.get_xdata()[0] == line.get_xdata()[1]
    )
    assert upright == [(0.5, 0), (1.5, 0), (1.5, 1)]


def test_the_name_of_the_project_leads_the_small_print_and_no_line_begins_with_a_dot() -> None:
    narrow = plt.subplots(figsize=(2.6, 2.6), layout="constrained")[1]
    charts = [
        plots.outcome(binomial(trials=10_000, not_modelled=("Oath", "Aura")), ax=narrow),
        plots.heat_map(compared({"A": {"B": 2.0}, "C": {"B": 1.0}}, error=0.05)),
        plots.tornado(changed({"A": 1.0, "B": -1.0}, error=0.1)),
    ]
    for ax in charts:
        ax.figure.draw_without_rendering()
        assert small_print(ax).startswith(("mathhammer: Monte Carlo", "mathhammer: exact"))
        for text in ("small print", "subtitle"):
            (found,) = marked(ax, text)
            assert not any(line.startswith("·") for line in found.get_text().split("\n"))


def test_small_print_names_engine_trials_error_and_what_is_left_out() -> None:
    text = small_print(plots.outcome(binomial(trials=10_000, not_modelled=("Oath", "Aura"))))
    assert "Monte Carlo, 10,000 trials, seed 7" in text
    assert "at most 0.5 percentage points" in text
    assert "not modelled: Oath; Aura" in text
    assert "exact probabilities" in small_print(plots.kill_curve(binomial()))
    assert "standard error at most 0.05" in small_print(
        plots.heat_map(compared({"A": {"B": 2.0}}, error=0.05))
    )


LONG = "The most honourable Company of Very Heavy Bolters and Assorted Plasma Weapons, second squad"


OF_ALL_KINDS = {
    "distribution": lambda name: plots.distribution(binomial(name, name, trials=1000)),
    "outcome": lambda name: plots.outcome(binomial(name, name, trials=1000, not_modelled=(name,) * 3)),
    "kill_curve": lambda name: plots.kill_curve([binomial(name), binomial("B")]),
    "heat_map": lambda name: plots.heat_map(
        compared({name: {name: 1.0, "B": 2.0}, "C": {name: 2.0, "B": 1.0}})
    ),
    "efficiency": lambda name: plots.efficiency([binomial(name), binomial("B", points=140)]),
    "funnel": lambda name: plots.funnel(binomial(name, by_weapon=(row("A", name, 9.0), row("A", "B", 3.0)))),
    "sweep": lambda name: plots.sweep(
        {name: swept_over(T, {3: 2.0, 4: 1.0}), "B": swept_over(T, {3: 1.0, 4: 2.0})}
    ),
    "tornado": lambda name: plots.tornado(changed({name: 1.0, "B": -0.5})),
    "small_multiples": lambda name: plots.small_multiples(
        [binomial(name, other) for other in (name, "B", "C", "D", "E")]
    ),
}


@pytest.mark.parametrize("draw", OF_ALL_KINDS.values(), ids=OF_ALL_KINDS)
def test_long_names_are_not_cut_off_by_the_edge(draw: Callable[[str], Axes]) -> None:
    assert not cut(draw(LONG))


@pytest.mark.parametrize("draw", OF_ALL_KINDS.values(), ids=OF_ALL_KINDS)
def test_a_dollar_sign_in_a_name_begins_no_formula(draw: Callable[[str], Axes]) -> None:
    draw(r"Guard $\frac$").figure.draw_without_rendering()


def test_given_axes_are_drawn_into() -> None:
    figure, axes = plt.subplots(2, 2, layout="constrained", figsize=(10, 8))
    assert plots.distribution(binomial(), ax=axes[0, 0]) is axes[0, 0]
    assert plots.kill_curve([binomial(), binomial("B")], ax=axes[0, 1]) is axes[0, 1]
    assert plots.small_multiples([binomial(), binomial("B")], ax=axes[1, 0]) is axes[1, 0]
    assert plots.heat_map(compared({"A": {"B": 2.0}}), ax=axes[1, 1]) is axes[1, 1]
    assert plt.get_fignums() == [figure.number]


def test_the_value_that_a_tornado_starts_from_is_as_exact_as_it_is_known() -> None:
    """The error of a difference is smaller than that of the values that it is between."""
    frame = changed({"cover": -0.5, "+1 to hit": 1.0}, error=0.001)
    assert marked(plots.tornado(frame.assign(value_error=0.2)), "subtitle")[0].get_text().endswith(": 2.0")


def test_a_tornado_needs_no_engine() -> None:
    drawn = plots.tornado(changed({"cover": -0.5, "nothing": 0.0}).drop(columns="engine"))
    assert "no difference" in [text.get_text() for text in drawn.texts]
