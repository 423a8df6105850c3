"""D as it is rolled and modified (02.02.01), and what it takes from an unhurt model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.dice import Dice, convolve

__all__ = ["DAMAGE_REROLLS", "Damage", "expected_loss", "lost_wounds"]

Floats = NDArray[np.float64]
DAMAGE_REROLLS = ("one", "ones", "below_mean")
"""Re-roll policies of damage from the narrowest to the widest."""


@dataclass(frozen=True, slots=True)
class Damage:
    """D of an attack against one kind of model: the dice, and what is done to their sum (02.02.01).

    Examples
    --------
    >>> Damage(Dice.parse("D3"), add=1, subtract=0, halve=True, becomes=None).distribution(None)
    (0.0, 0.3333333333333333, 0.6666666666666666)
    """

    dice: Dice
    add: int = 0
    subtract: int = 0
    halve: bool = False
    becomes: int | None = None

    def distribution(self, policy: str | None) -> tuple[float, ...]:
        """Distribution of D with the re-rolls that every attack has; a single re-roll is no part of it."""
        return _distribution(self, policy)

    def after_one(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """D with the single re-roll kept (the roll was not below its mean, or is replaced), and with it spent."""
        rolled = self.dice.pmf
        if self.becomes is not None:
            return _modified(self, rolled), _modified(self, 0 * rolled)
        kept = np.where(np.arange(len(rolled)) < self.dice.mean - 1e-9, 0.0, rolled)
        return _modified(self, kept), _modified(self, (1 - kept.sum()) * rolled)


@lru_cache(maxsize=4096)
def _distribution(damage: Damage, policy: str | None) -> tuple[float, ...]:
    dice = damage.dice
    rolled = dice.pmf
    if policy == "ones" and not dice.fixed:
        # Each die that shows 1 is rolled again.
        die = np.full(dice.sides + 1, (1 + 1 / dice.sides) / dice.sides)
        die[0], die[1] = 0.0, 1 / dice.sides**2
        summed = convolve(die, dice.count)
        rolled = np.zeros(max(dice.highest, 0) + 1)
        for value in np.flatnonzero(summed):
            rolled[max(int(value) + dice.plus, 0)] += summed[value]
    elif policy == "below_mean":
        kept = np.where(np.arange(len(rolled)) < dice.mean - 1e-9, 0.0, rolled)
        rolled = kept + (1 - kept.sum()) * rolled
    return _modified(damage, rolled)


def _modified(damage: Damage, rolled: Floats) -> tuple[float, ...]:
    values = [
        rules.damage_as_modified(value, damage.add, damage.subtract, damage.halve, damage.becomes)
        for value in range(len(rolled))
    ]
    return tuple(np.bincount(values, rolled).tolist())


def expected_loss(damage: Sequence[float], wounds: int, pain: int) -> float:
    """Expected wounds that one unhurt model of ``wounds`` loses to a D, after FEEL NO PAIN ``pain``+.

    Examples
    --------
    >>> expected_loss((0.0, 0.5, 0.5), wounds=1, pain=7)
    1.0
    """
    lost = lost_wounds(tuple(damage), pain)
    return float(np.minimum(np.arange(len(lost)), wounds) @ lost)


@lru_cache(maxsize=1024)
def lost_wounds(damage: tuple[float, ...], pain: int) -> Floats:
    """Distribution of the wounds of D that FEEL NO PAIN does not ignore (24.12)."""
    felt = (pain - 1) / 6
    total, lost = np.zeros(len(damage)), np.ones(1)
    for value, probability in enumerate(damage):
        if value:
            lost = np.convolve(lost, [1 - felt, felt])
        total[: len(lost)] += probability * lost
    return total
