"""Save rolls, on probabilities: dice as the axes of an array, and what their faces do (05.04).

The dice of a batch are kept as the axes of an array, one axis a kind of dice (`Dice`). A die belongs to at
most one class: "normal, shows 1 or 2", "normal, shows 3", "critical", ... So the classes can be visited one
after the other: of n dice of an axis a binomial number is taken, and each makes a step along the chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.exact.counts import SAVES

__all__ = ["Dice", "Part", "Pool", "between", "save_faces", "single_save_reroll"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Dice:
    """One axis of dice: to how much of which class each belongs.

    Attributes
    ----------
    normal, critical : float
        Probability that a die rolls a save in the pool of normal wounds, and that it is a critical wound.
    rest : float
        Probability of all classes that have not been visited.
    above : int
        The die is known to show more than this.
    """

    normal: float
    critical: float
    rest: float = 1.0
    above: int = 0


class Pool(NamedTuple):
    """Attacks that roll their saves together (05.03.02)."""

    critical: bool
    unsaved: tuple[int, ...]


@dataclass(slots=True)
class Part:
    """What stands on one chain: probability by node, and by the number of dice of each axis."""

    hand: int
    mass: Floats
    axes: tuple[Dice, ...]


@lru_cache(maxsize=64)
def save_faces(policy: str | None, failing: int) -> tuple[float, ...]:
    """Probability of each unmodified save roll, after the re-rolls."""
    again = {None: 0, "ones": 1, "failures": failing, "noncritical": 6}[policy]
    return tuple((0.0 if face < again else 1 / 6) + again / 36 for face in range(6))


def between(faces: tuple[float, ...], above: int, low: int, high: int) -> float:
    """Probability that a die known to show more than `above` shows more than `low` and at most `high`."""
    chosen = sum(faces[max(low, above) : high])
    return chosen / sum(faces[above:]) if above and chosen else chosen


def single_save_reroll(part: Part, critical: bool, failing: int) -> list[Part]:
    """Spend the single save re-roll on the first die of the pool that fails.

    Of n dice the first j do not fail, the next one does and is rolled again: so j dice that are known not to
    fail, and n - j ordinary ones. Or none fails.
    """
    if not part.hand & SAVES:
        return [part]
    mass, others = _pool_explicit(part, critical)
    nodes, size, carried = mass.shape[0], mass.shape[1], mass.shape[2:]
    fails = failing / 6
    good = (1 - fails) ** np.arange(size)
    spent = np.zeros((nodes, size, size, *carried))
    for ordinary in range(1, size):
        for known in range(size - ordinary):
            spent[:, ordinary, known] = fails * good[known] * mass[:, ordinary + known]
    kept = mass * good.reshape(1, -1, *(1 for _ in carried))
    ordinary_die = Dice(0.0, 1.0) if critical else Dice(1.0, 0.0)
    known_die = replace(ordinary_die, above=failing)
    return [
        Part(part.hand & ~SAVES, spent, (ordinary_die, known_die, *others)),
        Part(part.hand, kept, (known_die, *others)),
    ]


def _pool_explicit(part: Part, critical: bool) -> tuple[Floats, tuple[Dice, ...]]:
    """The number of dice in the pool as the first axis, and the dice that are not (yet) in it."""
    nodes = len(part.mass)
    total = part.mass[:, None]
    others: list[Dice] = []
    for dice in part.axes:
        own, other = (dice.critical, dice.normal) if critical else (dice.normal, dice.critical)
        # Always the axis behind the total; what remains of it goes to the end.
        p = min(1.0, own / dice.rest)
        size = total.shape[2]
        new = np.zeros((nodes, total.shape[1] + size - 1, *total.shape[3:], size))
        for n in range(size):
            for own_dice in range(n + 1):
                weight = comb(n, own_dice) * p**own_dice * (1 - p) ** (n - own_dice)
                if weight:
                    new[:, own_dice : own_dice + total.shape[1], ..., n - own_dice] += weight * total[:, :, n]
        total = new
        remain = dice.rest - own
        if other and remain > 0:
            share = min(1.0, other / remain)
            others.append(Dice(share, 0.0) if critical else Dice(0.0, share))
        else:
            total = total.sum(axis=-1)
    return total, tuple(others)
