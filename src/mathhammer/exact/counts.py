"""Attack dice, hit rolls, wound rolls, on probabilities: how many attacks wound (04.03, 05.01, 05.02)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.exact import kernels
from mathhammer.plan import Batch, Roll

__all__ = ["HITS", "SAVES", "WOUNDS", "Wounds", "attack_dice", "hit_rolls", "wound_rolls", "wounds_of"]

Floats = NDArray[np.float64]
HITS, WOUNDS, SAVES = 1, 2, 4
"""Bits of a *hand*: which single re-rolls of the activation are still there."""


@dataclass(frozen=True, slots=True)
class Wounds:
    """What the attack dice of a batch come to, before the saves.

    Attributes
    ----------
    by_hand : tuple of pair of int and ndarray of float64, shape (wounds + 1, automatic wounds + 1)
        For each hand that can remain: joint distribution of the wounds that dice made and of automatic ones.
        Where it does not matter which are critical, all count in the first.
    critical : float
        Probability that a wound made by a die is critical, where that matters, else 0.
    means : ndarray of float64, shape (5,)
        Attacks, hits, critical hits, wounds, critical wounds.
    """

    by_hand: tuple[tuple[int, Floats], ...]
    critical: float
    means: Floats


@lru_cache(maxsize=1024)
def chances(faces: tuple[int, ...], reroll: tuple[bool, ...]) -> tuple[float, float, float]:
    """Probabilities that a die fails, succeeds and is critical, after its re-roll."""
    again = sum(reroll) / 6
    fail, success, critical = (
        sum(face == kind and not roll for face, roll in zip(faces, reroll, strict=True)) / 6
        + again * faces.count(kind) / 6
        for kind in range(3)
    )
    return fail, success, critical


def wounds_of(batch: Batch, roll: Roll, fives: int, hand: int) -> Wounds:
    """All steps up to the wound rolls, from a hand of single re-rolls."""
    dice = attack_dice(batch, fives)
    dice_mean = float(dice @ np.arange(len(dice)))
    hits, hit_means = hit_rolls(roll, dice, dice_mean, hand)
    by_hand: list[tuple[int, Floats]] = []
    _, success, critical = chances(roll.wound, roll.wound_reroll)
    matters = roll.devastating or roll.unsaved_critical is not None
    rolled = hit_means[0] - (hit_means[1] if roll.lethal else 0.0)
    for left, number in hits:
        for last, wounds, again in wound_rolls(roll, number, left):
            rolled += again
            by_hand.append((last, wounds if matters else _together(wounds)))
    automatic = hit_means[1] if roll.lethal else 0.0
    return Wounds(
        by_hand=tuple(by_hand),
        critical=critical / (success + critical) if matters and critical else 0.0,
        means=np.array([dice_mean, *hit_means, rolled * (success + critical) + automatic, rolled * critical]),
    )


def attack_dice(batch: Batch, fives: int) -> Floats:
    """Distribution of the number of attack dice (04.03)."""
    return batch.attack_dice(fives if batch.by_fives else 0)


def hit_rolls(
    roll: Roll, dice: Floats, mean: float, hand: int
) -> tuple[list[tuple[int, Floats]], tuple[float, float]]:
    """Hits that roll to wound and critical hits that wound automatically (05.01, 24.23, 24.36).

    Returns
    -------
    list of pair of int and ndarray of float64, shape (hits + 1, automatic wounds + 1)
        For each hand that can remain.
    tuple of float
        Means of hits, those of SUSTAINED HITS included, and of critical hits.
    """
    if roll.automatic:
        return [(hand, dice[:, None])], (mean, 0.0)
    fail, success, critical = chances(roll.hit, roll.hit_reroll)
    extra = len(roll.sustained)
    die = np.zeros((max(2, extra if roll.lethal else extra + 1), 2 if roll.lethal else 1))
    die[0, 0], die[1, 0] = fail, success
    for more, p in enumerate(roll.sustained):
        if roll.lethal:
            die[more, 1] += critical * p
        else:
            die[more + 1, 0] += critical * p
    single = bool(roll.hit_one and hand & HITS)
    spent, kept = kernels.add_dice(dice[:, None], die, fail if single else -1.0)
    hits = [(hand, spent)]
    if single:
        hits = [(hand & ~HITS, spent), (hand, kept)]
        mean += float(spent.sum())
    with_extra = 1 + sum(more * p for more, p in enumerate(roll.sustained))
    return hits, (mean * (success + critical * with_extra), mean * critical)


def wound_rolls(roll: Roll, hits: Floats, hand: int) -> list[tuple[int, Floats, float]]:
    """Wounds of a number of hits, the automatic ones carried along (05.02).

    Returns
    -------
    list of tuple
        For each hand that can remain: the hand, the distribution as in `Wounds`, and the expected number of
        dice that the single re-roll added.
    """
    fail, success, critical = chances(roll.wound, roll.wound_reroll)
    die = np.array([[fail], [success + critical]])
    single = bool(roll.wound_one and hand & WOUNDS)
    spent, kept = kernels.add_dice(np.ascontiguousarray(hits), die, fail if single else -1.0)
    if single:
        return [(hand & ~WOUNDS, spent, float(spent.sum())), (hand, kept, 0.0)]
    return [(hand, spent, 0.0)]


def _together(wounds: Floats) -> Floats:
    """Wounds of dice and automatic ones summed."""
    size, automatic = wounds.shape
    if automatic == 1:
        return wounds
    total = np.zeros((size + automatic - 1, 1))
    for more in range(automatic):
        total[more : more + size, 0] += wounds[:, more]
    return total
