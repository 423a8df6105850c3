"""Save rolls, on probabilities: dice as the axes of an array, and what their faces do (05.04).

The dice of a batch are kept as the axes of an array, one axis a kind of dice (`Dice`). A die belongs to at
most one class: "normal, shows 1 or 2", "normal, shows 3", "critical", ... So the classes can be visited one
after the other: of n dice of an axis a binomial number is taken, and each makes a step along the chain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.exact.counts import SAVES

__all__ = ["Dice", "Part", "Pool", "between", "single_save_reroll"]

Floats = NDArray[np.float64]


class Dice(NamedTuple):
    """One axis of dice: to how much of which class each belongs.

    Attributes
    ----------
    normal, critical : float
        Probability that a die rolls a save in the pool of normal wounds, and that it is a critical wound.
    rest : float
        Probability of all classes that have not been visited.
    above, below : int
        The die is known to show more than the one, and at most the other.
    """

    normal: float
    critical: float
    rest: float = 1.0
    above: int = 0
    below: int = 6


AUTOMATIC = Dice(1.0, 0.0)
"""Wounds that no die made: none of them is critical."""


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
def between(faces: tuple[float, ...], dice: Dice, low: int, high: int) -> float:
    """Probability that a die shows more than `low` and at most `high`, knowing what is known of it."""
    chosen = sum(faces[max(low, dice.above) : min(high, dice.below)])
    known = dice.above or dice.below < 6
    return chosen / sum(faces[dice.above : dice.below]) if known and chosen else chosen


def single_save_reroll(part: Part, critical: bool, failing: int) -> list[Part]:
    """Spend the single save re-roll on the first die of the pool that fails.

    Which of the dice that fail is the first does not matter: one of them is replaced by a fresh die. So the
    dice that fail get an axis of their own; of the others it is known that they do not fail.
    """
    if not part.hand & SAVES:
        return [part]
    mass, axes = part.mass[:, None], []
    for place, dice in enumerate(part.axes):
        own = dice.critical if critical else dice.normal
        fails = own * failing / 6
        good = own - fails
        mass = _set_apart(mass, place + 2, min(1.0, fails / dice.rest))
        left = {"critical": good} if critical else {"normal": good}
        axes.append(dice._replace(**left, rest=dice.rest - fails, above=failing))  # type: ignore[arg-type]
    failed = Dice(0.0, 1.0, below=failing) if critical else Dice(1.0, 0.0, below=failing)
    fresh = failed._replace(below=6)
    spent = np.stack([np.zeros_like(mass[:, 1:]), mass[:, 1:]], axis=-1)
    return [
        Part(part.hand & ~SAVES, spent, (failed, *axes, fresh)),
        Part(part.hand, mass[:, 0], tuple(axes)),
    ]


def _set_apart(mass: Floats, axis: int, p: float) -> Floats:
    """Of the dice of an axis each is counted on axis 1 instead, with probability `p`."""
    if not p:
        return mass
    mass = np.moveaxis(mass, axis, -1)
    size, before = mass.shape[-1], mass.shape[1]
    binomial = np.zeros((size, size))
    binomial[0, 0] = 1.0
    for n in range(1, size):
        binomial[n] = (1 - p) * binomial[n - 1]
        binomial[n, 1:] += p * binomial[n - 1, :-1]
    apart = np.zeros((len(mass), before + size - 1, *mass.shape[2:]))
    for taken in range(size):
        apart[:, taken : taken + before, ..., : size - taken] += binomial[taken:, taken] * mass[..., taken:]
    return np.moveaxis(apart, -1, axis)
