"""What cannot be drawn is refused in one line that names the argument."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from tests.plots.drawn import binomial, changed, compared, swept_over

from mathhammer import plots
from mathhammer.analysis import rounded
from mathhammer.errors import InvalidScenario

T, SV, W = (f"target.models[0].{field}" for field in ("toughness", "save", "wounds"))
TABLE = compared({"Gun": {"tank": 1.0}}, "points_destroyed")
OF_OUTCOMES = (
    plots.distribution,
    plots.outcome,
    plots.kill_curve,
    plots.funnel,
    plots.small_multiples,
    plots.efficiency,
)
OF_TABLES = (plots.heat_map, plots.tornado, plots.sweep, plots.breakpoint_map)


def over_two(first: str, second: str) -> pd.DataFrame:
    rows = [{first: a, second: b} for a in (3, 4) for b in (2, 3)]
    return pd.DataFrame(rows).assign(metric="unit_destroyed", value=0.5, standard_error=0.0, engine="exact")


@pytest.mark.parametrize(
    "given", [None, "fight.toml", 3, True, float("nan"), [], [None], {}, {"a": None}, np.ones(2)]
)
@pytest.mark.parametrize("draw", [*OF_OUTCOMES, *OF_TABLES], ids=lambda draw: draw.__name__)
def test_what_is_no_outcome_and_no_table_is_refused(draw: Callable[[Any], Any], given: Any) -> None:
    with pytest.raises(InvalidScenario) as caught:
        draw(given)
    assert caught.value.problems[0].path.startswith(("out", "frame"))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("draw", OF_OUTCOMES, ids=lambda draw: draw.__name__)
def test_a_table_is_no_outcome(draw: Callable[[Any], Any]) -> None:
    with pytest.raises(InvalidScenario) as caught:
        draw(compared({"Gun": {"tank": 1.0}}))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (
            lambda: plots.outcome(binomial(), "wound_lost"),
            'quantity = "wound_lost".*did you mean "wounds_lost"',
        ),
        (lambda: plots.distribution(binomial(), quantiles=[2]), r"quantiles\[0\] = 2"),
        (lambda: plots.kill_curve([]), "outcomes = .*at least one"),
        (lambda: plots.heat_map(pd.DataFrame({"attacker": ["A"]})), 'frame = "target"'),
        (lambda: plots.heat_map(compared({"A": {"B": 1.0}}), "wounds"), 'metric = "wounds"'),
        (lambda: plots.heat_map(compared({})), "frame"),
        (lambda: plots.sweep(compared({"A": {"B": 1.0}})), "no column is a path"),
        (lambda: plots.sweep({}), "at least one table"),
        (lambda: plots.breakpoint_map(swept_over(T, {3: 1.0})), "over two paths"),
        (lambda: plots.kill_curve(binomial(), 3), "quantity = 3: "),
        (lambda: plots.heat_map(TABLE, 3), "metric = 3: "),
        (lambda: plots.heat_map(rounded(TABLE)), "not rounded"),
        (lambda: plots.heat_map(TABLE.assign(value=np.nan)), "nothing to draw"),
        (lambda: plots.heat_map(TABLE, ax=plt.subplots(1, 2)[1]), "ax = .*of several, one of them"),
        (lambda: plots.tornado(changed({"A": 1.0}), most=0), "most = 0: a whole number, at least 1"),
        (
            lambda: plots.small_multiples([binomial()], columns=2.5),
            r"columns = 2\.5: a whole number, at least 1",
        ),
        (lambda: plots.distribution(binomial(), quantiles=0.5), "quantiles = 0.5: write a list"),
        (lambda: plots.efficiency(TABLE, points=[80]), r"points = \[80\]: write a mapping"),
        (lambda: plots.efficiency(TABLE, points={"Gum": 80}), 'points = "Gum": .* did you mean "Gun"'),
        (
            lambda: plots.efficiency(TABLE, points={"Gun": "80"}),
            r"points\['Gun'\] = \"80\": a number above 0",
        ),
        (lambda: plots.efficiency(binomial(), points={"Gunners": 80}), "outcomes know the points"),
        (lambda: plots.breakpoint_map(over_two(T, SV), strength=True), "strength = true: a whole number"),
        (lambda: plots.breakpoint_map(over_two(T, SV), strength=0), "strength = 0: a whole number"),
        (lambda: plots.breakpoint_map(over_two(T, SV), damage=2), "damage = 2: give it alone"),
        (lambda: plots.breakpoint_map(over_two(T, W), strength=4, damage=2), "strength = 4: give it alone"),
        (
            lambda: plots.breakpoint_map(over_two(T, "attacker.weapons[0].S"), strength=4),
            "no strength on the other",
        ),
        (
            lambda: plots.sweep({"A": swept_over(T, {3: 1.0}), "B": swept_over(SV, {3: 1.0})}),
            "sweep different fields",
        ),
    ],
)
def test_what_cannot_be_drawn_is_said(draw: object, says: str) -> None:
    with pytest.raises(InvalidScenario, match=says):
        draw()  # type: ignore[operator]


TWICE = pd.concat([TABLE.assign(phase="shooting"), TABLE.assign(phase="fight")], ignore_index=True)
TWO_GUNS = pd.concat([over_two(T, SV).assign(gun=gun) for gun in "AB"])
TWO_GUNS.attrs["axes"] = [T, SV]


@pytest.mark.parametrize(
    ("draw", "frame", "says"),
    [
        (plots.heat_map, TWICE, 'frame = "phase": .*(shooting, fight).*take the rows of one phase'),
        (plots.efficiency, TWICE, 'frame = "phase": '),
        (
            plots.heat_map,
            pd.concat([TABLE, TABLE]),
            'frame = "Gun, tank": several rows .* one table at a time',
        ),
        (plots.sweep, pd.concat([swept_over(T, {3: 1.0})] * 2), 'frame = "3": .*mapping of names to tables'),
        (plots.sweep, TWO_GUNS, 'frame = "gun": .*take the rows of one gun'),
        (plots.breakpoint_map, TWO_GUNS, 'frame = "gun": .*take the rows of one gun'),
    ],
)
def test_a_row_that_would_hide_another_is_refused(draw: Callable[[Any], Any], frame: Any, says: str) -> None:
    with pytest.raises(InvalidScenario, match=says):
        draw(frame)


def test_the_rows_of_one_phase_are_drawn() -> None:
    assert plots.heat_map(TWICE[TWICE["phase"] == "fight"]).texts[0].get_text() == "1.00"


def test_tables_of_different_metrics_are_not_drawn_as_one() -> None:
    tables = {"A": swept_over(T, {3: 1.0}), "B": swept_over(T, {3: 0.5}, "unit_destroyed")}
    with pytest.raises(InvalidScenario, match="different ones: wounds_lost, unit_destroyed"):
        plots.sweep(tables)


def test_several_metrics_need_a_name() -> None:
    both = pd.concat([compared({"A": {"B": 1.0}}), compared({"A": {"B": 0.5}}, "unit_destroyed")])
    with pytest.raises(InvalidScenario, match="name one: wounds_lost, unit_destroyed"):
        plots.heat_map(both)
    assert plots.heat_map(both, "unit_destroyed").texts[0].get_text() == "50%"
