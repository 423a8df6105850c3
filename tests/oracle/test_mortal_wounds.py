"""Mortal wounds from elsewhere against the die-by-die player, five standard errors allowed."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.naive import mortal_wounds
from tests.naive_table import Body, Hand

import mathhammer as mh

PLAYS = 4000
UNITS = {
    "plain": mh.Unit(name="Plain", models=["5x Soldier: T4 Sv3+ W2"]),
    "ignoring some": mh.Unit(name="Tough", models=["4x Soldier: T4 Sv3+ W2 FNP5+"]),
    "wounded, with a CHARACTER": mh.Unit.from_dict(
        {
            "name": "Led",
            "models": [
                {"name": "Captain", "T": 4, "Sv": 3, "W": 4, "character": True, "feel_no_pain_mortal": 4},
                {"name": "Guard", "count": 2, "T": 4, "Sv": 3, "W": 2},
                {"name": "Shield", "count": 2, "T": 4, "Sv": 2, "W": 3, "wounds_lost": 1},
            ],
        }
    ),
}


@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize(("dice", "on", "maximum"), [(6, 4, None), (10, 4, 6), (9, 5, 6)])
def test_dice_that_cause_mortal_wounds(name: str, dice: int, on: int, maximum: int | None) -> None:
    unit, hand = UNITS[name], Hand(random.Random(dice))
    lost: Counter[int] = Counter()
    left: Counter[str] = Counter()
    for _ in range(PLAYS):
        body = Body(unit)
        caused = sum(hand.d6() >= on for _ in range(dice))
        mortal_wounds(body, min(caused, maximum or caused), hand)
        lost[body.wounds_lost] += 1
        left.update(figure.name for figure in body.living())
    outcome = mh.mortal_wounds(unit, dice=dice, on=on, maximum=maximum)
    for wounds, p in enumerate(outcome.wounds_lost.pmf):
        likely = (p * PLAYS + 2) / (PLAYS + 4)
        assert abs(lost[wounds] / PLAYS - p) <= 5 * (likely * (1 - likely) / PLAYS) ** 0.5
    for row in unit.models:
        destroyed = outcome.by_model[row.name]
        error = 5 * ((destroyed.sd**2 + 4 / PLAYS) / PLAYS) ** 0.5
        assert abs(row.count - left[row.name] / PLAYS - destroyed.mean) <= error
