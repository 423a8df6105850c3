"""The public contract of the tables: columns, one or many, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.contract.statements import fight, gun

import mathhammer as mh

SQUAD = mh.Unit(
    name="Squad", points=100, weapons=["5x Gun: A2 BS3+ S4 AP-1 D1"], models=["5x Trooper: T4 Sv3+ W2"]
)
FIGHT = fight(gun(), ["5x Grunt: T4 Sv6+ W1"])


def test_columns() -> None:
    assert list(mh.compare([SQUAD], [SQUAD]).columns) == [
        *("attacker", "target", "metric", "value", "standard_error", "engine"),
    ]
    saves = mh.sweep(FIGHT, "target.models[0].save", ["2+", "3+"])
    assert list(saves.columns) == ["target.models[0].save", "metric", "value", "standard_error", "engine"]
    assert set(mh.summary(mh.solve(FIGHT))["quantity"]) == {
        "wounds_lost",
        "models_destroyed",
        "unit_destroyed",
    }


@pytest.mark.parametrize(
    "change",
    ["LETHAL HITS", {"conditions.cover": True}, mh.Modifiers(hit_roll=1)],
    ids=["word", "path", "modifiers"],
)
def test_one_change_needs_no_list(change: Any) -> None:
    assert mh.what_if(FIGHT, change).equals(mh.what_if(FIGHT, [change]))


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: mh.solve(3), "scenario"),  # type: ignore[arg-type]
    (lambda: mh.summary([]), "outcomes"),
    (lambda: mh.summary(3), "outcomes"),  # type: ignore[arg-type]
    (lambda: mh.compare([], [SQUAD]), "attackers"),
    (lambda: mh.compare([SQUAD], []), "targets"),
    (lambda: mh.compare([SQUAD], [SQUAD], metrics=["kills"]), "metrics[0]"),
    (lambda: mh.sweep(FIGHT, "target.models[0].sav", [2]), "path"),
    (lambda: mh.sweep(FIGHT, "target.models[0].save", [1]), "target.models[0].save"),
    (lambda: mh.what_if(FIGHT, ["nonsense"]), "changes[0]"),
    (lambda: mh.needed(FIGHT, weapon="Gun", probability=0.5, goal="dead"), "goal"),
    (lambda: mh.exchange(SQUAD, SQUAD, blows=0), "blows"),
    (lambda: mh.mortal_wounds(SQUAD, dice=6, on=7), "on"),
    (lambda: mh.best_allocation(FIGHT, "kills"), "metric"),
]


@pytest.mark.parametrize(("make", "path"), REFUSED)
def test_refused(make: Callable[[], object], path: str) -> None:
    with pytest.raises(mh.InvalidScenario) as fault:
        make()
    assert str(fault.value).startswith(f"{path} = ")


def test_mortal_wounds_from_elsewhere() -> None:
    unit = mh.Unit(name="S", models=["2x G: T4 Sv3+ W2", "B: T4 Sv3+ W3 [CHARACTER]"])
    assert mh.mortal_wounds(unit, dice=6, on="4+").wounds_lost.mean == pytest.approx(3)
    assert mh.mortal_wounds(unit, dice=1, on="6", each="D3").wounds_lost.mean == pytest.approx(1 / 3)
    five = mh.mortal_wounds(unit, dice=1, on="1-6", each=5)
    # They spill over, CHARACTERs last.
    assert five.by_model["G"].mean == pytest.approx(2)
    assert five.wounds_lost.pmf[5] == pytest.approx(1)
