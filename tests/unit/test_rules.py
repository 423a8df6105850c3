"""The rules as functions: what happens at their limits, and when nothing is said."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh
from mathhammer import rules
from mathhammer.plan import make_plan
from mathhammer.rules import CRITICAL, FAIL, SUCCESS


class TestLeftOut:
    """What is not said changes nothing."""

    def test_damage(self) -> None:
        assert [rules.damage_as_modified(rolled) for rolled in range(5)] == [1, 1, 2, 3, 4]

    @pytest.mark.parametrize("needed", [2, 3, 4, 5, 6])
    def test_faces(self, needed: int) -> None:
        by_hand = (FAIL, *(SUCCESS if roll >= needed else FAIL for roll in range(2, 6)), CRITICAL)
        assert rules.hit_faces(needed) == rules.wound_faces(needed) == by_hand

    def test_saves(self) -> None:
        assert [rules.unsaved_faces(save, None, 0) for save in (2, 3, 4, 5, 6, 7)] == [1, 2, 3, 4, 5, 6]

    @pytest.mark.parametrize("policy", [None, "one"])
    def test_no_face_is_rolled_again(self, policy: str | None) -> None:
        assert rules.rerolled_faces(policy, (0, 0, 1, 1, 1, 2)) == (False,) * 6


class TestFaces:
    def test_an_unmodified_1_fails_whatever_the_modifier(self) -> None:
        assert rules.hit_faces(2, modifier=1)[0] == FAIL
        assert rules.wound_faces(2, modifier=1)[0] == FAIL
        assert rules.unsaved_faces(2, None, 0, save_roll=1) == 1

    def test_an_unmodified_6_is_critical_whatever_the_modifier(self) -> None:
        assert rules.hit_faces(6, modifier=-1) == (0, 0, 0, 0, 0, 2)
        assert rules.wound_faces(6, modifier=-1) == (0, 0, 0, 0, 0, 2)

    def test_rolls_up_to_the_floor_fail_even_when_critical(self) -> None:
        assert rules.hit_faces(2, critical_on=3, fails_to=3) == (0, 0, 0, 2, 2, 2)
        assert rules.wound_faces(2, critical_on=3, fails_to=3) == (0, 0, 0, 2, 2, 2)


class TestOrder:
    def test_a_wounded_character_still_comes_after_the_others(self) -> None:
        assert rules.legal_order([0, 1], [True, False], [True, False]) == (1, 0)
        assert list(rules.legal_orders([True, False], [True, False])) == [(1, 0)]

    def test_wounded_before_unhurt_on_both_sides_of_the_line(self) -> None:
        character, wounded = [True, True, False, False], [False, True, False, True]
        assert rules.legal_order([0, 1, 2, 3], character, wounded) == (3, 2, 1, 0)
        assert list(rules.legal_orders(character, wounded)) == [(3, 2, 1, 0)]

    def test_equals_stand_in_any_order(self) -> None:
        assert len(list(rules.legal_orders([False] * 3 + [True] * 2, [False] * 5))) == 6 * 2


def planned(weapons: Any, models: Any) -> Any:
    return make_plan(
        mh.Scenario.from_dict(
            {"attacker": {"name": "A", "weapons": weapons}, "target": {"name": "T", "models": models}}
        )
    )


GUN = ["Gun: A1 BS3+ S4 AP0 D1"]
GRUNT = {"name": "Grunt", "T": 4, "Sv": 3, "W": 1}


def models(n: int) -> Any:
    return GUN, [GRUNT | {"count": 900}, GRUNT | {"name": "More", "count": n - 900}]


def wounds(n: int) -> Any:
    return GUN, [GRUNT | {"count": 49, "W": 100}, GRUNT | {"name": "Last", "W": n - 4900}]


def rows(n: int) -> Any:
    return GUN, [GRUNT | {"name": f"Row {i}"} for i in range(n)]


def batches(n: int) -> Any:
    return [f"Gun {i}: A1 BS3+ S{1 + i % 20} AP-{i // 20} D1" for i in range(n)], [GRUNT | {"W": 60}]


def dice(n: int) -> Any:
    """Of two kinds of weapons that differ in A alone: one batch."""
    return ["700x Gun: A3 BS3+ S4 AP0 D1", f"{n - 2100}x Other: A1 BS3+ S4 AP0 D1"], [GRUNT]


LIMITS = [
    (models, 1000, "at most 1000 models"),
    (wounds, 5000, "at most 5000 wounds"),
    (rows, 12, "at most 12 rows of models"),
    (batches, 200, "at most 200 batches"),
    (dice, 3000, "at most 3000 attack dice"),
]


@pytest.mark.parametrize(("made", "most", "message"), LIMITS)
def test_limits_are_reached_but_not_passed(made: Any, most: int, message: str) -> None:
    planned(*made(most))
    with pytest.raises(mh.UnsupportedScenario, match=message):
        planned(*made(most + 1))


def test_most_trials() -> None:
    scenario = mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": ["Gun: A1 BS3+ S4 AP0 D1"]},
            "target": {"name": "T", "models": [GRUNT]},
        }
    )
    with pytest.raises(mh.InvalidScenario, match=r"trials = 100000000001: .* to 10\*\*11"):
        mh.simulate(scenario, 10**11 + 1)
    # Ended at once by its tolerance.
    assert mh.simulate(scenario, 10**11, seed=1, tolerance=0.5, progress=False).trials is not None
