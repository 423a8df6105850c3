"""What is typed is taken as it stands, or refused; what an answer holds stays as it is."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import mathhammer as mh

FIGHT = mh.Scenario.from_dict(
    {
        "attacker": {"name": "A", "weapons": ["5x Rifle: A2 BS3+ S4 AP-1 D1"]},
        "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]},
    }
)


@pytest.mark.parametrize("how", [{"WS": "3+"}, {"skill": "3+", "range": "Melee"}], ids=["WS", "range"])
@pytest.mark.parametrize("melee", ["false", "true", "no", None, 2, [], 1.0, False])
def test_a_weapon_with_ws_or_the_range_melee_is_no_excuse_for_another_melee(
    how: dict[str, Any], melee: Any
) -> None:
    with pytest.raises(mh.InvalidScenario, match="melee = "):
        mh.Weapon(name="Axe", attacks=2, strength=4, ap=0, damage=1, melee=melee, **how)


@pytest.mark.parametrize(
    "ability",
    [
        *("SUSTAINED HITS -1", "MELTA -2", "BLAST -3", "RAPID FIRE - 1", "RAPID FIRE −D3", "CLEAVE –2"),
        *("ANTI-INFANTRY -4+", "ANTI-INFANTRY - 4+"),
    ],
)
def test_a_negative_number_of_an_ability_is_refused(ability: str) -> None:
    with pytest.raises(mh.InvalidScenario, match="abilities = "):
        mh.Weapon.parse(f"Gun: A1 BS3+ S4 AP0 D1 [{ability}]")


@pytest.mark.parametrize("ability", ["FEEL NO PAIN -5+", "FEEL NO PAIN: -5+", "DEADLY DEMISE -D3"])
def test_so_is_that_of_a_unit_ability(ability: str) -> None:
    with pytest.raises(mh.InvalidScenario, match="abilities = "):
        mh.Unit(name="U", abilities=[ability])


def test_a_hyphen_without_a_space_is_no_sign() -> None:
    gun = mh.Weapon.parse("Gun: A1 BS3+ S4 AP0 D1 [sustained-hits-2, rapid-fire-d3]")
    assert list(map(str, gun.abilities)) == ["SUSTAINED HITS 2", "RAPID FIRE D3"]
    unit = mh.Unit(name="U", abilities=["feel-no-pain-5+", "Deadly Demise: D3", "SCOUTS 6"])
    assert list(map(str, unit.abilities)) == ["FEEL NO PAIN 5+", "DEADLY DEMISE D3", "SCOUTS 6"]


def test_dice_that_no_text_writes_are_refused() -> None:
    with pytest.raises(mh.InvalidScenario, match=r"attacks = .*dice that can be written"):
        mh.Weapon(name="Gun", attacks=mh.Dice(-1, 6, 10), skill=3, strength=4, ap=0, damage=1)


def test_a_list_is_no_trigger_of_mortal_wounds() -> None:
    with pytest.raises(mh.InvalidScenario, match=r"on = \[1, 2\]: write"):
        mh.mortal_wounds(FIGHT.target, dice=6, on=[1, 2])  # type: ignore[arg-type]


def test_no_count_makes_anything_certain() -> None:
    """05.02: an unmodified 1 fails, whatever else."""
    found = mh.needed(FIGHT, "Rifle", 1, "wounds_lost>=1")
    assert (found.count, len(found.curve)) == (None, 101)
    # Of 2n attacks each takes a wound with chance 1/6.
    assert mh.needed(FIGHT, "Rifle", 1 - (5 / 6) ** 120, "wounds_lost>=1").count == 60


def test_a_chosen_mode_of_the_other_phase_is_said_not_to_count() -> None:
    guns = ["Gun | shot: A2 BS3+ S4 AP0 D1", "Gun | stab: Melee A1 WS3+ S8 AP-2 D3"]
    scenario = FIGHT.to_dict() | {
        "attacker": {"name": "A", "weapons": guns},
        "conditions": {"phase": "fight"},
        "choices": {"modes": {"Gun": "shot"}},
    }
    said = 'Gun is used in its mode "stab" (the first listed here; the chosen "shot" is of another unit or phase)'
    assert said in mh.solve(mh.Scenario.from_dict(scenario)).assumed


def test_rows_of_an_outcome_cannot_be_changed() -> None:
    outcome = mh.solve(FIGHT)
    for rows in (outcome.by_weapon, outcome.after_attacker):
        with pytest.raises(TypeError, match=r"copy the row with dict\(row\)"):
            rows[0]["wounds_lost"] = 99
        assert isinstance(rows[0], dict)
        assert type(dict(rows[0])) is dict
    for other in (pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome)):
        assert other == outcome
