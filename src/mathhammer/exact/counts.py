"""Attack dice, hit rolls, wound rolls, on probabilities: how many attacks wound (04.03, 05.01, 05.02)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.exact import kernels
from mathhammer.plan import Batch

__all__ = [
    "HITS",
    "SAVES",
    "WOUNDS",
    "Wounds",
    "attack_dice",
    "hit_rolls",
    "thinned",
    "wound_rolls",
    "wounds_of",
]

Floats = NDArray[np.float64]
HITS, WOUNDS, SAVES = 1, 2, 4
"""Bits of a *hand*: which single re-rolls of the activation are still there."""


class Wounds(NamedTuple):
    """What the attack dice of a batch come to, before the saves.

    Attributes
    ----------
    by_hand : tuple of pair of int and ndarray of float64, shape (wounds + 1, automatic wounds + 1)
        For each hand that can remain: joint distribution of the wounds that dice made and of automatic ones.
        Where it does not matter which are critical, all count in the first.
    critical : float
        Probability that a wound made by a die is critical, where that matters, else 0.
    means : tuple of 5 float
        Attacks, hits, critical hits, wounds, critical wounds.
    """

    by_hand: tuple[tuple[int, Floats], ...]
    critical: float
    means: tuple[float, ...]


class _Attack(NamedTuple):
    """What one attack die comes to: `hits` and `wounds` as `hit_rolls` and `wound_rolls` give them."""

    hit: rules.Chances
    wound: rules.Chances
    hits: Floats
    wounds: Floats
    mean_hits: float
    mean_critical: float


@lru_cache(maxsize=1024)
def _attack(
    hit_faces: tuple[int, ...],
    hit_reroll: tuple[bool, ...],
    automatic: bool,
    sustained: tuple[float, ...],
    lethal: bool,
    wound_faces: tuple[int, ...],
    wound_reroll: tuple[bool, ...],
    matters: bool,
) -> _Attack:
    hit, wound = rules.chances(hit_faces, hit_reroll), rules.chances(wound_faces, wound_reroll)
    hits, mean_hits, mean_critical = hit_rolls(automatic, hit, sustained, lethal)
    return _Attack(hit, wound, hits, wound_rolls(hits, wound, matters), mean_hits, mean_critical)


def wounds_of(batch: Batch, look: int, fives: int, hand: int, count_work: Callable[[int], None]) -> Wounds:
    """All steps up to the wound rolls, from a hand of single re-rolls.

    Parameters
    ----------
    count_work : callable
        Is told how many multiplications are to come, and may refuse.
    """
    roll = batch.rolls[look]
    dice, number = attack_dice(batch, look, fives)
    matters = roll.devastating or roll.unsaved_critical is not None
    single_hit = roll.hit_one and bool(hand & HITS)
    single_wound = roll.wound_one and bool(hand & WOUNDS)
    attack = _attack(
        roll.hit, roll.hit_reroll, roll.automatic, roll.sustained, roll.lethal,
        roll.wound, roll.wound_reroll, matters,
    )  # fmt: skip
    hit, wound = attack.hit, attack.wound
    die = attack.hits if single_wound else attack.wounds
    attacks = number
    by_hand: list[tuple[int, Floats]] = []
    for left, rolled in _added(dice[:, None], die, hit[0] if single_hit else -1.0, hand, HITS, count_work):
        if single_hit and not left & HITS:
            attacks += float(rolled.sum())
        by_hand.append((left, rolled))
    hits, critical_hits = attacks * attack.mean_hits, attacks * attack.mean_critical
    automatic = critical_hits if roll.lethal else 0.0
    wound_dice = hits - automatic
    if single_wound:
        before, by_hand = by_hand, []
        one = np.array([[wound[0]], [wound[1] + wound[2]]])
        for left, rolled in before:
            for last, wounds in _added(rolled, one, wound[0], left, WOUNDS, count_work):
                wound_dice += 0.0 if last & WOUNDS else float(wounds.sum())
                by_hand.append((last, wounds if matters else _together(wounds)))
    success = wound[1] + wound[2]
    wounds_made = wound_dice * success + automatic
    return Wounds(
        by_hand=tuple(by_hand),
        critical=wound[2] / success if matters and wound[2] else 0.0,
        means=(number, hits, critical_hits, wounds_made, wound_dice * wound[2]),
    )


def attack_dice(batch: Batch, look: int, fives: int) -> tuple[Floats, float]:
    """Distribution of the number of attack dice (04.03), and its mean."""
    key = (batch.dice[look], fives if batch.by_fives else 0)
    found = _ATTACK_DICE.get(key)  # looked up once: another thread may clear them
    if found is None:
        dice = batch.attack_dice(look, key[1])
        found = dice, float(dice @ np.arange(len(dice)))
        if len(_ATTACK_DICE) >= MOST_KEPT:
            _ATTACK_DICE.clear()
        _ATTACK_DICE[key] = found
    return found


_ATTACK_DICE: dict[object, tuple[Floats, float]] = {}
"""By their `AttackDice`: a comparison asks for the same few over and over."""
MOST_KEPT = 1024


def hit_rolls(
    automatic: bool, hit: rules.Chances, sustained: tuple[float, ...], lethal: bool
) -> tuple[Floats, float, float]:
    """What one attack die comes to (05.01, 24.23, 24.36).

    Returns
    -------
    ndarray of float64, shape (hits + 1, automatic wounds + 1)
        Joint distribution of the hits that roll to wound and of critical hits that wound automatically.
    hits, critical_hits : float
        Means, the hits of SUSTAINED HITS included.
    """
    if automatic:
        return np.array([[0.0], [1.0]]), 1.0, 0.0
    fail, success, critical = hit
    most = len(sustained) - 1
    die = np.zeros((max(1, most + (not lethal)) + 1, 2 if lethal else 1))
    die[0, 0], die[1, 0] = fail, success
    hits = success
    for extra, p in enumerate(sustained):
        if lethal:
            die[extra, 1] += critical * p
        else:
            die[extra + 1, 0] += critical * p
        hits += critical * p * (1 + extra)
    return die, hits, critical


def wound_rolls(hits: Floats, wound: rules.Chances, matters: bool) -> Floats:
    """What one attack die comes to after the wound rolls of its hits (05.02).

    Parameters
    ----------
    hits : ndarray of float64, shape (hits + 1, automatic wounds + 1)
        As `hit_rolls` has it.
    matters : bool
        Whether it matters which wounds are automatic.

    Returns
    -------
    ndarray of float64, shape (wounds + 1, automatic wounds + 1)
        As `Wounds` has it for all dice.
    """
    one = np.array([wound[0], wound[1] + wound[2]])
    size, free = hits.shape
    die = np.zeros((size, free) if matters else (size + free - 1, 1))
    rolled = np.ones(1)
    for number in range(size):
        for more in range(free):
            if matters:
                die[: number + 1, more] += hits[number, more] * rolled
            else:
                die[more : more + number + 1, 0] += hits[number, more] * rolled
        rolled = np.convolve(rolled, one)
    return die


def _added(
    number: Floats, die: Floats, failing: float, hand: int, bit: int, count_work: Callable[[int], None]
) -> list[tuple[int, Floats]]:
    """The sum of a random number of dice; with a single re-roll, for it spent and for it kept."""
    most, carried = number.shape[0] - 1, number.shape[1]
    high, wide = most * (die.shape[0] - 1) + 1, most * (die.shape[1] - 1) + carried
    count_work(most * high * wide * die.size // 2)
    spent, kept = kernels.add_dice(np.ascontiguousarray(number), die, failing)
    return [(hand & ~bit, spent), (hand, kept)] if failing >= 0 else [(hand, spent)]


def _together(wounds: Floats) -> Floats:
    """Wounds of dice and automatic ones summed."""
    size, automatic = wounds.shape
    total = np.zeros((size + automatic - 1, 1))
    for more in range(automatic):
        total[more : more + size, 0] += wounds[:, more]
    return total


def thinned(pmf: Floats, p: float) -> Floats:
    """The distribution of how many of a random number of things remain, each with probability `p`.

    Examples
    --------
    >>> thinned(np.array([0.0, 0.0, 1.0]), 0.5)
    array([0.25, 0.5 , 0.25])
    """
    kept = np.zeros(len(pmf))
    for chance in pmf[::-1]:
        kept[1:] = kept[1:] * (1 - p) + kept[:-1] * p
        kept[0] = kept[0] * (1 - p) + chance
    return kept
