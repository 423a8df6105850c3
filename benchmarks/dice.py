"""The dice on the table: how many a case rolls, and how long numpy needs merely to roll as many."""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import sqrt

import numpy as np
from tests.naive import Game

import mathhammer as mh

__all__ = ["Rolled", "play_by_hand", "roll_dice"]

CHUNK = 1 << 20
"""Dice rolled at a time: numpy is as fast with so many as with any other number."""


class _CountedDice:
    """Dice for the die-by-die player of the tests; each call is one die rolled."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random
        self.rolled = 0

    def random(self) -> float:
        self.rolled += 1
        return self._random()


@dataclass(frozen=True)
class Rolled:
    """Of a case played by hand: dice and wounds lost per attack sequence, and the standard error of these."""

    dice: float
    wounds_lost: float
    error: float


def play_by_hand(scenario: mh.Scenario, plays: int, seed: int = 1) -> Rolled:
    """Play a case die by die, as on the table: dice of A, hits, re-rolls, wounds, saves, D and FEEL NO PAIN.

    Dice that nobody rolls are not counted: a batch whose target is gone, FEEL NO PAIN of a destroyed model.
    """
    game, dice = Game(scenario), _CountedDice(seed)
    lost = [game.play(dice).wounds_lost for _ in range(plays)]
    return Rolled(dice.rolled / plays, sum(lost) / plays, float(np.std(lost)) / sqrt(plays))


def roll_dice(number: int) -> int:
    """Roll so many dice with numpy's fastest generator and throw them away; returns one of them."""
    generator = np.random.Generator(np.random.SFC64(1))
    dice = generator.integers(1, 7, number % CHUNK, np.uint8)
    for _ in range(number // CHUNK):
        dice = generator.integers(1, 7, CHUNK, np.uint8)
    return int(dice[-1]) if len(dice) else 0
