"""The rulebook's worked examples, played with the dice that they give."""

from __future__ import annotations

from typing import Any

import pytest
from tests.naive import Result, play

from mathhammer.scenario import Scenario


class GivenDice:
    """The results that are rolled, in order."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)

    def random(self) -> float:
        return (self.left.pop(0) - 0.5) / 6


def played(scenario: dict[str, Any], *faces: int) -> Result:
    dice = GivenDice(*faces)
    result = play(Scenario.from_dict(scenario), dice)
    assert dice.left == []
    return result


def gun(**keys: Any) -> dict[str, Any]:
    return {"name": "Gun", "A": 1, "BS": 3, "S": 4, "AP": 0, "D": 1} | keys


def fight(weapons: list[dict[str, Any]], models: list[dict[str, Any]], **keys: Any) -> dict[str, Any]:
    attacker = {"name": "Attacker", "weapons": weapons}
    return {"attacker": attacker, "target": {"name": "Target", "models": models}} | keys


def models(count: int, **keys: Any) -> dict[str, Any]:
    return {"name": "Model", "count": count, "T": 4, "Sv": 3, "W": 1} | keys


SISTERS = {"name": "Sister", "count": 10, "T": 3, "Sv": 3, "InSv": 5, "W": 1}
LIGHT = gun(name="Light gun", A=5)
STRONG = gun(name="Strong gun", A=3, BS=4, S=5, AP=-1, D=2)


def test_light_guns_lowest_save_fails_the_others_meet_one_of_two_saves() -> None:
    result = played(fight([LIGHT], [SISTERS]), 1, 2, 3, 4, 6, 3, 3, 5, 4, 6, 2)
    assert (result.models_destroyed, result.wounds_lost) == (1, 1)


def test_strong_gun_lowest_save_fails_by_its_ap() -> None:
    result = played(fight([STRONG], [SISTERS]), 3, 4, 6, 4, 3, 5, 3)
    assert (result.models_destroyed, result.wounds_lost) == (1, 1)
    assert result.by_weapon[0]["damage"] == 2


def test_both_guns_one_batch_after_the_other() -> None:
    dice = (1, 2, 3, 4, 6, 3, 3, 5, 4, 6, 2, *(3, 4, 6, 4, 3, 5, 3))
    assert played(fight([LIGHT, STRONG], [SISTERS]), *dice).models_destroyed == 2


ATTACHED = [
    {"name": "Saint", "T": 3, "Sv": 2, "InSv": 4, "W": 6, "character": True, "leader": True},
    {"name": "Twin", "count": 2, "T": 3, "Sv": 2, "InSv": 4, "W": 2, "leader": True},
    {"name": "Sister", "count": 5, "T": 3, "Sv": 3, "InSv": 5, "W": 1},
]
ORDER = {"allocation_order": ["Twin", "Sister", "Saint"]}


@pytest.mark.parametrize("saves", [(1, 1, 3, 5, 6), (6, 5, 3, 1, 1), (3, 1, 6, 1, 5)])
def test_attached_unit_saves_are_resolved_from_the_lowest(saves: tuple[int, ...]) -> None:
    fire = fight([gun(A=5, AP=-1, D=2)], ATTACHED, choices=ORDER)
    result = played(fire, *[6] * 5, *[6] * 5, *saves)
    assert result.alive == {"Saint": 1, "Twin": 0, "Sister": 4}
    assert result.wounds_lost == 5


@pytest.mark.parametrize(
    ("weapon", "count", "conditions", "dice"),
    [
        (gun(A=3, abilities=["BLAST 2"]), 12, {}, 7),
        (gun(A=3, melee=True, skill=3, abilities=["CLEAVE 1"]), 16, {}, 6),
        (gun(abilities=["RAPID FIRE 1"]), 3, {"half_range": True}, 2),
    ],
)
def test_added_attack_dice(weapon: dict[str, Any], count: int, conditions: dict[str, Any], dice: int) -> None:
    weapon = {key: value for key, value in weapon.items() if key != "BS" or not weapon.get("melee")}
    result = played(fight([weapon], [models(count)], conditions=conditions), *[1] * dice)
    assert result.by_weapon[0]["attacks"] == dice


def test_sustained_hits_2_a_critical_hit_is_three_hits() -> None:
    result = played(fight([gun(abilities=["SUSTAINED HITS 2"])], [models(3)]), 6, 1, 1, 1)
    assert result.by_weapon[0]["hits"] == 3


def test_devastating_d3_into_two_wounds_loses_the_third() -> None:
    fire = fight([gun(D=3, abilities=["DEVASTATING WOUNDS"])], [models(5, W=2)])
    result = played(fire, 3, 6)
    assert (result.wounds_lost, result.models_destroyed) == (2, 1)
    assert result.by_weapon[0]["mortal_wounds"] == 3


@pytest.mark.parametrize("half_range", [True, False])
def test_melta_2_adds_to_the_rolled_damage(half_range: bool) -> None:
    fire = fight([gun(AP=-6, D="D6", abilities=["MELTA 2"])], [models(1, W=12)])
    result = played(fire | {"conditions": {"half_range": half_range}}, 3, 6, 1, 4)
    assert result.wounds_lost == 4 + 2 * half_range


def test_ap_1_turns_a_save_roll_of_3_into_2() -> None:
    assert played(fight([gun(AP=-1)], [models(1)]), 3, 4, 3).models_destroyed == 1
    assert played(fight([gun(AP=-1)], [models(1)]), 3, 4, 4).models_destroyed == 0


def test_damage_rolled_3_with_melta_halved_and_reduced_is_2() -> None:
    target = models(1, W=9, halve_damage=True, damage_reduction=1)
    fire = fight([gun(AP=-6, D="D6", abilities=["MELTA 2"])], [target], conditions={"half_range": True})
    assert played(fire, 3, 6, 1, 3).wounds_lost == 2
