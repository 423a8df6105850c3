"""Chains: tables of what several attacks, one after another, do to an allocation group.

One damaging attack takes a group from ``r`` wounds to fewer; so many of them are the powers of that step. A
simulation draws the result of up to `MOST_AT_A_TIME` attacks at once, and goes on from there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mathhammer.compiled import compiled
from mathhammer.montecarlo.tables import alias

__all__ = ["MOST_AT_A_TIME", "chain_record"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_AT_A_TIME = 8
LARGEST = 1 << 16
"""Slots of a chain; with larger groups fewer attacks are taken at a time."""


def chain_record(
    next_left: Integers, next_row: Integers, lost: Sequence[Floats], row: int
) -> Integers | None:
    """The chain of a group as the kernels read it; None when even single attacks would be too many slots.

    Parameters
    ----------
    next_left, next_row : ndarray of int64, shape (wounds + 1,)
        The next model, by wounds left of the group.
    lost : sequence of ndarray of float64
        By row: distribution of the wounds of one attack, after FEEL NO PAIN.
    row : int
        Of the group, to find the damage table by.

    Returns
    -------
    ndarray of int64
        bits, most attacks at a time, row; then three numbers a slot, tables by wounds left and attacks. A result
        is the wounds left after, and above the sixteenth bit the attacks it took.
    """
    wounds = len(next_left) - 1
    step = np.zeros((wounds + 1, wounds + 1))
    step[0, 0] = 1.0
    for left in range(1, wounds + 1):
        for taken, chance in enumerate(lost[next_row[left]]):
            step[left, left - min(taken, int(next_left[left]))] += chance
    most = MOST_AT_A_TIME
    bits = _bits(wounds, most)
    while (wounds + 1) * (most + 1) << bits > LARGEST:
        if most == 1:
            return None
        most //= 2
        bits = _bits(wounds, most)
    slots = _slots(step, most, bits)
    return np.concatenate([np.array([bits, most, row], np.int64), slots.ravel()])


def _bits(wounds: int, most: int) -> int:
    """Of a table with a result for each number of wounds left, and one for each attack that can be the last."""
    return int(wounds + most - 1).bit_length()


@compiled()
def _slots(step: Floats, most: int, bits: int) -> Integers:
    """The alias tables: int64, shape (wounds + 1, most + 1, slots, 3)."""
    size = len(step)
    slots = np.zeros((size, most + 1, 1 << bits, 3), np.int64)
    weights, results = np.zeros(1 << bits), np.zeros(1 << bits, np.int64)
    for start in range(size):
        now = np.zeros(size)
        now[start] = 1.0
        died = np.zeros(most + 1)
        for attacks in range(most + 1):
            if attacks > 0:
                after = np.zeros(size)
                for left in range(1, size):
                    if now[left] > 0:
                        for rest in range(left + 1):
                            after[rest] += now[left] * step[left, rest]
                died[attacks] = after[0]
                after[0] = 0.0
                now = after
            weights[:] = 0.0
            results[:] = 0
            n, total = 0, 0.0
            for left in range(1, size):
                if now[left] > 0:
                    weights[n], results[n] = now[left], left | attacks << 16
                    total += weights[n]
                    n += 1
            for last in range(1, attacks + 1):
                if died[last] > 0:
                    weights[n], results[n] = died[last], last << 16
                    total += weights[n]
                    n += 1
            if n == 0:
                weights[0] = total = 1.0
            # Added up one by one: `sum` rounds differently in compiled code.
            cut, other = alias(weights / total)
            for slot in range(1 << bits):
                slots[start, attacks, slot, 0] = np.int64(cut[slot])
                slots[start, attacks, slot, 1] = results[slot]
                slots[start, attacks, slot, 2] = results[other[slot]]
    return slots
