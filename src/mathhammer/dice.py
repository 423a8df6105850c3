"""Dice characteristics as they are printed: ``3``, ``D6``, ``2D6+3`` (rule 01.05).

A D3 is a D6 halved and rounded up, so its three results are equally likely; a printed ``+N`` belongs to the
characteristic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.errors import InvalidScenario

__all__ = ["Dice", "convolve", "plain"]

_FORM = re.compile(r"(?:(\d{0,3})D(\d{1,3})(?:([+-])(\d{1,4}))?|(\d{1,4}))\Z")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−﹣－"), "-")
MOST_DICE = 60
MOST = 2000


def plain(text: str) -> str:
    """Any dash or minus sign as ``-``, no-break spaces as spaces, outer spaces gone.

    Examples
    --------
    >>> plain(" D6−1 ")
    'D6-1'
    """
    return text.translate(_DASHES).replace("\xa0", " ").strip()


@dataclass(frozen=True, slots=True)
class Dice:
    """The sum of ``count`` dice with ``sides`` sides, plus ``plus``; a fixed number has ``count`` 0.

    Examples
    --------
    >>> Dice.parse("2D6+3")
    Dice(count=2, sides=6, plus=3)
    >>> print(Dice.parse(" d6 + 2 "), Dice.parse("D3").mean, Dice.parse(4).lowest)
    D6+2 2.0 4
    """

    count: int
    sides: int
    plus: int

    @classmethod
    def parse(cls, value: Any) -> Dice:
        """Read a whole number, ``"D3"``, ``"2D6+3"``; spaces, case and the kind of dash do not matter.

        Raises
        ------
        InvalidScenario
            For anything else; there is no die but D3 and D6 in the game (a "D7" is usually a D6+1).
        """
        if isinstance(value, Dice):
            return value
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InvalidScenario.at("", value, 'write a whole number or dice, such as 2, "D6" or "2D3+1"')
        text = plain(str(value)).upper().replace(" ", "")
        form = _FORM.match(text)
        if form is None:
            raise InvalidScenario.at("", value, 'write a whole number or dice, such as 2, "D6" or "2D3+1"')
        times, sides, sign, tail, fixed = form.groups()
        if fixed is not None:
            number = int(fixed)
            if number > MOST:
                raise InvalidScenario.at("", value, f"at most {MOST}")
            return cls(0, 6, number)
        count = int(times) if times else 1
        if int(sides) not in (3, 6):
            hint = f'; for one more than a D6 write "D6+{int(sides) - 6}"' if 6 < int(sides) < 12 else ""
            raise InvalidScenario.at("", value, f"the game has only D3 and D6{hint}")
        if not 1 <= count <= MOST_DICE:
            raise InvalidScenario.at("", value, f"1 to {MOST_DICE} dice")
        plus = int(tail or 0) * (-1 if sign == "-" else 1)
        return cls(count, int(sides), plus)

    @property
    def mean(self) -> float:
        """Expected value."""
        return self.count * (self.sides + 1) / 2 + self.plus

    @property
    def lowest(self) -> int:
        """The smallest possible result."""
        return self.count + self.plus

    @property
    def highest(self) -> int:
        """The largest possible result."""
        return self.count * self.sides + self.plus

    @property
    def fixed(self) -> bool:
        """Whether no die is rolled."""
        return self.count == 0

    @property
    def pmf(self) -> NDArray[np.float64]:
        """Probabilities of 0, 1, ... `highest`; results below 0 (``D3-4``) count as 0.

        Returns
        -------
        ndarray of float64, shape (highest + 1,)

        Examples
        --------
        >>> Dice.parse("D3").pmf.round(3).tolist()
        [0.0, 0.333, 0.333, 0.333]
        """
        return _pmf(self)

    def __str__(self) -> str:
        if self.fixed:
            return str(self.plus)
        tail = f"{self.plus:+d}" if self.plus else ""
        return f"{self.count if self.count > 1 else ''}D{self.sides}{tail}"


@lru_cache(maxsize=256)
def _pmf(dice: Dice) -> NDArray[np.float64]:
    pmf = np.zeros(max(dice.highest, 0) + 1)
    rolled = np.ones(1)
    for _ in range(dice.count):
        rolled = np.convolve(rolled, np.full(dice.sides, 1 / dice.sides))
    for above, probability in enumerate(rolled):
        pmf[max(dice.lowest + above, 0)] += probability
    pmf.flags.writeable = False
    return pmf


def convolve(pmf: NDArray[np.float64], times: int) -> NDArray[np.float64]:
    """The distribution of the sum of ``times`` independent draws from ``pmf``.

    Parameters
    ----------
    pmf : ndarray of float64, shape (largest + 1,)
    times : int

    Returns
    -------
    ndarray of float64, shape (times * largest + 1,)

    Examples
    --------
    >>> convolve(np.array([0.5, 0.5]), 2).tolist()
    [0.25, 0.5, 0.25]
    """
    if np.count_nonzero(pmf) == 1:
        total = np.zeros(times * (len(pmf) - 1) + 1)
        total[times * int(np.argmax(pmf))] = 1.0
        return total
    total, power = np.ones(1), pmf
    while times:
        if times & 1:
            total = np.convolve(total, power)
        times >>= 1
        if times:
            power = np.convolve(power, power)
    return total
