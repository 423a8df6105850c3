"""A distribution of counts, and a number with how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.errors import InvalidScenario

__all__ = ["ROUNDING", "Distribution", "Estimate", "is_number"]

Floats = NDArray[np.float64]
_NUMBERS = (int, float, np.integer, np.floating)
ROUNDING = 1e-9
"""What a sum of probabilities may miss."""


class Estimate(NamedTuple):
    """A number and how sure it is.

    Examples
    --------
    >>> Estimate(2.0, 0.01).standard_error
    0.01
    """

    value: float
    standard_error: float


def is_number(value: object) -> bool:
    """Whether it is a number that can be compared: no bool, no NaN."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool) and value == value


@dataclass(frozen=True, eq=False)
class Distribution:
    """The distribution of a count 0, 1, ... (wounds, models, units).

    Parameters
    ----------
    pmf : ndarray of float64, shape (largest possible + 1,)
        Probability of each count.
    trials : int, optional
        Simulated sequences behind it; None for an exact one.

    Raises
    ------
    InvalidScenario
        For a ``pmf`` that is no list of numbers, or has none above 0.

    Examples
    --------
    >>> coin = Distribution(np.array([0.25, 0.5, 0.25]))
    >>> coin.mean, coin.at_least(1), coin.quantile(0.9), coin.standard_error
    (1.0, 0.75, 2, 0.0)
    """

    pmf: Floats
    trials: int | None = None

    def __post_init__(self) -> None:
        try:
            pmf = np.array(self.pmf, dtype=np.float64)
        except (TypeError, ValueError):
            pmf = np.empty(0)
        if pmf.ndim != 1 or not (pmf > 0).any():
            raise InvalidScenario.at("pmf", self.pmf, "write the probabilities of 0, 1, 2, ... in a list")
        pmf.setflags(write=False)
        object.__setattr__(self, "pmf", pmf)

    def __reduce__(self) -> tuple[type[Distribution], tuple[Floats, int | None]]:
        return type(self), (self.pmf, self.trials)  # copies are made as any other: read-only

    @cached_property
    def cdf(self) -> Floats:
        """ndarray of float64, shape (largest possible + 1,): probability of at most k."""
        cdf = np.minimum(np.cumsum(self.pmf), 1.0)
        cdf.flags.writeable = False
        return cdf

    @cached_property
    def mean(self) -> float:
        """Expected count."""
        return float(self.pmf @ np.arange(len(self.pmf)))

    @cached_property
    def sd(self) -> float:
        """Standard deviation of the count."""
        return float(np.sqrt(self.pmf @ (np.arange(len(self.pmf)) - self.mean) ** 2))

    @property
    def standard_error(self) -> float:
        """Standard error of `mean`: sd / sqrt(trials); 0 for an exact distribution."""
        return self.sd / self.trials**0.5 if self.trials else 0.0

    def at_least(self, k: int) -> float:
        """Probability of ``k`` or more: 1 for k <= 0, 0 beyond the largest possible.

        Parameters
        ----------
        k : int
            Wounds, models, units: whatever is counted.

        Returns
        -------
        float

        Raises
        ------
        InvalidScenario
            If k is no number.
        """
        if not is_number(k):
            raise InvalidScenario.at("k", k, "write a count, such as 5")
        if k <= 0:
            return 1.0
        return float(self.pmf[int(np.ceil(k)) :].sum()) if k < len(self.pmf) else 0.0

    def quantile(self, q: float) -> int:
        """The smallest attained k with P(X <= k) >= q - 1e-12.

        Parameters
        ----------
        q : float
            From 0 to 1.

        Returns
        -------
        int
            Always a count that has a probability above 0.

        Raises
        ------
        InvalidScenario
            For a q outside 0..1.
        """
        if not is_number(q) or not 0 <= q <= 1:
            raise InvalidScenario.at("q", q, "a quantile is asked for with a probability from 0 to 1")
        attained = np.flatnonzero(self.pmf > 0)
        reached = self.cdf[attained] >= q - 1e-12
        return int(attained[np.argmax(reached)]) if reached.any() else int(attained[-1])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return self.trials == other.trials and np.array_equal(self.pmf, other.pmf)

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """The keys of the JSON output: mean, sd, standard_error, quantiles, pmf without zero entries."""
        return {
            "mean": self.mean,
            "sd": self.sd,
            "standard_error": self.standard_error,
            "quantiles": {str(q): self.quantile(q / 100) for q in (10, 50, 90)},
            "pmf": {str(k): float(p) for k, p in enumerate(self.pmf) if p > 0},
        }

    def __str__(self) -> str:
        error = f" +- {self.standard_error:.2g}" if self.trials else ""
        low, mid, high = (self.quantile(q) for q in (0.1, 0.5, 0.9))
        return f"mean {self.mean:.4g}{error}, sd {self.sd:.3g}, 10/50/90 %: {low} / {mid} / {high}"
