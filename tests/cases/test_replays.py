"""Fixed dice on fixed units, played by the die-by-die player: what is destroyed and what is lost."""

from __future__ import annotations

from typing import Any

import pytest
from tests.cases.test_worked_examples import fight, gun, models, played

NO_SAVE = {"Sv": 7}


def hits(*damages: int) -> list[dict[str, Any]]:
    """One weapon per damaging attack."""
    return [gun(name=f"Gun {i}", D=damage, S=8 + i) for i, damage in enumerate(damages)]


def certain(attacks: int, *saves: int) -> list[int]:
    return [*[6] * attacks, *[5] * attacks, *saves]


def test_damage_of_ten_into_eleven_wounds() -> None:
    fire = fight([gun(A=3, S=8, D=10)], [models(3, W=11, **NO_SAVE)])
    result = played(fire, *certain(3, 1, 1, 1))
    assert (result.models_destroyed, result.wounds_lost) == (1, 21)


@pytest.mark.parametrize(("attacks", "kills", "lost"), [(6, 3, 9), (5, 2, 8)])
def test_damage_of_two_into_three_wounds(attacks: int, kills: int, lost: int) -> None:
    fire = fight([gun(A=attacks, S=8, D=2)], [models(6, W=3, **NO_SAVE)])
    result = played(fire, *certain(attacks, *[1] * attacks))
    assert (result.models_destroyed, result.wounds_lost) == (kills, lost)


def test_a_wounded_model_carries_over_to_the_next_weapon() -> None:
    fire = fight(hits(1, 2), [models(3, W=3, **NO_SAVE)])
    result = played(fire, 6, 5, 1, 6, 5, 1)
    assert (result.models_destroyed, result.wounds_lost) == (1, 3)


@pytest.mark.parametrize(("criticals", "kills", "lost"), [(1, 1, 2), (2, 2, 4)])
def test_devastating_wounds_do_not_spill(criticals: int, kills: int, lost: int) -> None:
    fire = fight([gun(A=criticals, D=3, abilities=["DEVASTATING WOUNDS"])], [models(5, W=2)])
    result = played(fire, *[6] * criticals, *[6] * criticals)
    assert (result.models_destroyed, result.wounds_lost) == (kills, lost)


NORMAL_THEN_MORTAL = [
    # One normal and one devastating wound of D2: the mortal wounds find nobody.
    ([models(1, W=2, **NO_SAVE)], 2, 1, 1, 2),
    # Two models of W3: normal damage leaves 1, the mortal wounds finish it and are lost beyond.
    ([models(2, W=3, **NO_SAVE)], 2, 1, 1, 3),
]


@pytest.mark.parametrize(("target", "damage", "save", "kills", "lost"), NORMAL_THEN_MORTAL)
def test_normal_damage_comes_before_mortal_wounds(
    target: list[dict[str, Any]], damage: int, save: int, kills: int, lost: int
) -> None:
    fire = fight([gun(A=2, D=damage, abilities=["DEVASTATING WOUNDS"])], target)
    result = played(fire, 6, 6, 5, 6, save)
    assert (result.models_destroyed, result.wounds_lost) == (kills, lost)


def test_the_shield_saves_before_mortal_wounds_remove_it() -> None:
    rows = [models(1, name="Shield", Sv=2), models(4, name="Rank", Sv=6)]
    fire = fight([gun(A=2, abilities=["DEVASTATING WOUNDS"])], rows)
    result = played(fire, 6, 6, 5, 6, 4)
    assert result.alive == {"Shield": 0, "Rank": 4}
    assert result.wounds_lost == 1


@pytest.mark.parametrize(
    ("target", "kills", "lost"),
    [(models(5, Sv=2, InSv=4), 2, 2), (models(1, Sv=2, InSv=4, W=6), 0, 4)],
)
def test_ap_3_leaves_the_invulnerable_save_alone(target: dict[str, Any], kills: int, lost: int) -> None:
    result = played(fight([gun(A=4, AP=-3, D=2)], [target]), *certain(4, 4, 4, 1, 1))
    assert (result.models_destroyed, result.wounds_lost) == (kills, lost)


def test_precision_leader_first_then_the_order_from_its_beginning() -> None:
    rows = [
        models(5, name="Guard", W=2),
        models(1, name="Leader", W=4, InSv=4, character=True, leader=True),
    ]
    fire = fight([gun(A=5, AP=-2, D=2, abilities=["PRECISION"])], rows)
    result = played(fire, *certain(5, *[1] * 5))
    assert result.alive == {"Guard": 2, "Leader": 0}
    assert (result.models_destroyed, result.wounds_lost) == (4, 10)


SISTERS = {"name": "Sister", "count": 10, "T": 3, "Sv": 3, "InSv": 5, "W": 1}


def test_saves_of_two_batches_each_sorted_by_itself() -> None:
    light, strong = gun(name="Light", A=3), gun(name="Strong", A=2, S=5, AP=-1, D=2)
    first = played(fight([light], [SISTERS]), *certain(3, 4, 6, 2))
    assert (first.models_destroyed, first.wounds_lost) == (1, 1)
    both = played(fight([light, strong], [SISTERS]), *certain(3, 4, 6, 2), *certain(2, 5, 3))
    assert (both.models_destroyed, both.wounds_lost) == (2, 2)
