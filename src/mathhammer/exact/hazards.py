"""Hazard rolls, on probabilities (06.03, 24.15)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mathhammer.exact import kernels
from mathhammer.exact.chains import Chain, Declared, State, target_of
from mathhammer.exact.counts import thinned
from mathhammer.sides import NORMAL_MORTAL, Side

__all__ = ["failed_rolls", "hazard_rolls", "losses", "suffer"]

Floats = NDArray[np.float64]


def suffer(side: Side, number: Floats, start: State | None = None) -> tuple[Chain, Floats]:
    """Mortal wounds on a unit, one after another, in the order of 06.02.

    Parameters
    ----------
    number : ndarray of float64, shape (most mortal wounds + 1,)
        Distribution of their number.
    start : State, optional
        Default the unit as it is in the scenario.

    Returns
    -------
    Chain
        The states from the start on.
    ndarray of float64, shape (nodes,)
        Probability of each.
    """
    target = target_of(side)
    chain = target.chain(start or target.start, Declared(tuple(range(target.groups)), -1), True, False)
    felt = (side.pain[:, NORMAL_MORTAL] - 1) / 6
    lost = np.zeros((3, len(felt), 2))
    lost[0] = np.stack([1 - felt, felt], axis=1)
    mass = np.zeros((len(chain.states), len(number), 1))
    mass[0, :, 0] = number
    mean = np.ones((2, len(felt)))
    reached, _, _ = kernels.take_all(mass, 1.0, chain.row, chain.left, lost, mean, False)
    return chain, reached[:, 0]


def failed_rolls(rolls: int, wounds: int) -> Floats:
    """Distribution of the mortal wounds of some hazard rolls: a 1 or 2 fails and costs so many.

    Examples
    --------
    >>> failed_rolls(1, 3).round(3).tolist()
    [0.667, 0.0, 0.0, 0.333]
    """
    certain = np.zeros(rolls + 1)
    certain[rolls] = 1.0
    number = np.zeros(rolls * wounds + 1)
    number[::wounds] = thinned(certain, 1 / 3)
    return number


def hazard_rolls(side: Side, rolls: int, wounds: int) -> tuple[Floats, Floats]:
    """What a unit loses to its own hazard rolls.

    Parameters
    ----------
    rolls : int
        Hazard rolls; a 1 or 2 fails.
    wounds : int
        Mortal wounds of each that fails.

    Returns
    -------
    wounds_lost, models_destroyed : ndarray of float64
        Distributions.
    """
    chain, reached = suffer(side, failed_rolls(rolls, wounds))
    return losses(side, np.array(chain.states)[:, : len(side.groups)], reached)


def losses(side: Side, left: NDArray[np.int64], weights: Floats) -> tuple[Floats, Floats]:
    """Distributions of wounds lost and models destroyed, from the wounds left of each group in some states."""
    models = side.total_models - side.rows_left(left).sum(axis=1)
    return (
        np.bincount(side.total_wounds - left.sum(axis=1), weights, side.total_wounds + 1).astype(np.float64),
        np.bincount(models, weights, side.total_models + 1).astype(np.float64),
    )
