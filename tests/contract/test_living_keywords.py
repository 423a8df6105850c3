"""Keywords of a target are those of its living models, looked up at the start of each batch (24.01)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import mathhammer as mh

ENGINES: dict[str, Callable[[mh.Scenario], mh.Outcome]] = {
    "exact": mh.solve,
    "monte-carlo": lambda scenario: mh.simulate(scenario, trials=200_000, seed=1, progress=False),
}


def after_the_bird(ability: str, together: bool, **walker: Any) -> mh.Scenario:
    """Six sure hits take the only FLY model, but once in 6^6; then six more of a weapon with the ability."""
    melee = ability.startswith("CLEAVE")
    first, second = (
        {
            "name": name,
            "A": 6,
            "S": strength,
            "AP": -6,
            "D": 1,
            "abilities": ["TORRENT", *own],
            "melee": melee,
        }
        for name, strength, own in (("First", 12, ()), ("Second", 11, (ability,)))
    )
    alone = [{"name": "One", "weapons": [first]}, {"name": "Two", "weapons": [second]}]
    models = [
        {"name": "Bird", "T": 3, "Sv": 6, "W": 1, "keywords": ["FLY"]},
        {"name": "Walker", "count": 12, "T": 3, "Sv": 6, "W": 3, **walker},
    ]
    return mh.Scenario.from_dict(
        {
            "attacker": {"name": "Both", "weapons": [first, second]} if together else alone,
            "target": {"name": "Flock", "models": models},
            "conditions": {"half_range": True},
        }
    )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("together", [True, False], ids=["one unit", "two units"])
@pytest.mark.parametrize(
    ("ability", "dice"),
    [
        ("RAPID FIRE 3: FLY", 6),
        ("RAPID FIRE 3: NON-FLY", 9),
        ("BLAST 2: FLY", 6),
        ("BLAST 2: NON-FLY", 10),
        ("CLEAVE 2: FLY", 6),
        ("CLEAVE 2: NON-FLY", 10),
    ],
)
def test_added_attack_dice(ability: str, dice: int, together: bool, engine: str) -> None:
    rows = ENGINES[engine](after_the_bird(ability, together)).by_weapon
    assert [row["weapon"] for row in rows] == ["First", "Second"]
    assert rows[1]["attacks"] == pytest.approx(dice, abs=0.001)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("together", [True, False], ids=["one unit", "two units"])
@pytest.mark.parametrize(("ability", "lost"), [("PSYCHIC: FLY", 5.0), ("PSYCHIC: NON-FLY", 5 / 6)])
def test_feel_no_pain_against_psychic_attacks(ability: str, lost: float, together: bool, engine: str) -> None:
    """24.12: of five wounds, a 2+ against psychic attacks ignores five in six; the deviations allowed are 6
    standard errors."""
    found = ENGINES[engine](after_the_bird(ability, together, feel_no_pain_psychic=2)).by_weapon[1]
    assert found["wounds_lost"] == pytest.approx(lost, abs=0.0002 if engine == "exact" else 0.015)


def test_explain_says_what_changes_with_the_keywords() -> None:
    said = mh.explain(after_the_bird("RAPID FIRE 3: FLY", True)).splitlines()
    assert "  attack dice: 1 x (A6 + 3 at half range (RAPID FIRE)) = 9 [04.03]" in said
    assert "    attack dice: 1 x A6 = 6 [04.03]" in said
    psychic = mh.explain(after_the_bird("PSYCHIC: FLY", True, feel_no_pain_psychic=2)).splitlines()
    assert sum("FEEL NO PAIN 2+" in line for line in psychic) == 1
    assert "    damage: 1 [05.04]" in psychic


def test_weapons_that_can_come_to_differ_are_batches_of_their_own() -> None:
    guns = ["2x Gun: A1 BS3+ S4 AP0 D1 [RAPID FIRE 1]", "2x Bow: A1 BS3+ S4 AP0 D1 [RAPID FIRE 1: FLY]"]
    scenario = after_the_bird("PSYCHIC: FLY", True).to_dict() | {"attacker": {"name": "U", "weapons": guns}}
    outcome = mh.solve(mh.Scenario.from_dict(scenario))
    assert [row["weapon"] for row in outcome.by_weapon] == ["Gun", "Bow"]
    assert (
        "Gun and Bow are batches of their own: they can come to differ as models are lost" in outcome.assumed
    )


@pytest.mark.parametrize(
    "same",
    [
        {"InSv": "4+"},
        {"InSv": "4+", "invulnerable_save_melee": "5+"},
        {"invulnerable_save_ranged": "4+", "invulnerable_save_melee": "4+"},
    ],
)
def test_models_are_one_group_by_the_invulnerable_saves_that_they_have(same: dict[str, Any]) -> None:
    """05.03: the same W, Sv and InSv, however it is written."""
    gun = mh.Unit(name="A", weapons=["Gun: A6 BS2+ S8 AP-3 D3"])
    models = [
        {"name": "Guard", "count": 2, "T": 4, "Sv": "6+", "W": 3, "InSv": "4+"},
        {"name": "Other", "count": 2, "T": 4, "Sv": "6+", "W": 3, "wounds_lost": 1, **same},
    ]
    target = mh.Unit.from_dict({"name": "T", "models": models})
    said = mh.solve(mh.Scenario(attacker=gun, target=target)).assumed
    assert said == ("Other, Guard are one group: wounded models suffer first, then as listed",)
