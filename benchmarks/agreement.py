"""Before anything is timed: are the answers the same?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Disagreement", "largest_error", "same"]

Floats = NDArray[np.float64]


class Disagreement(AssertionError):
    """Two answers that should be the same are not: their times mean nothing."""


def largest_error(found: Floats, truth: Floats) -> float:
    """The largest difference of two distributions, in one probability."""
    size = max(len(found), len(truth))
    return float(np.abs(_padded(found, size) - _padded(truth, size)).max())


def same(what: str, found: Floats, truth: Floats, trials: int | None = None, exactly: float = 1e-9) -> None:
    """Compare a distribution with the exact one.

    Parameters
    ----------
    trials : int, optional
        Sampled sequences behind it: then each probability is to be within five standard errors.

    Raises
    ------
    Disagreement
    """
    size = max(len(found), len(truth))
    p, q = _padded(found, size), _padded(truth, size)
    # One sequence more or less is never too much: the normal law does not hold for events as rare as that.
    allowed = exactly if trials is None else 5 * np.sqrt((q * (1 - q) + 1 / trials) / trials)
    if np.any(np.abs(p - q) > allowed):
        raise Disagreement(f"{what}: {np.round(p, 6)} should be {np.round(q, 6)}")


def _padded(distribution: Floats, size: int) -> Floats:
    return np.pad(np.asarray(distribution, np.float64), (0, size - len(distribution)))
