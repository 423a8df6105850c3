"""Random bits, and results drawn from alias tables: the small parts that the kernels are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from mathhammer.compiled import WITHIN
from mathhammer.montecarlo.memory import BINOMIAL, MOST_TRIES, RNG, TABLES, TRY_BITS

step = njit(forceinline=True, **WITHIN)
"""Becomes a part of its callers: a call that hands arrays on would count references to them, atomically."""
# SplitMix64: a counter, and a mixing function of it. Every trial owns 2**25 counts of its own, so that two
# scenarios simulated with one seed roll the same dice trial by trial, however many each trial needs.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S25, S27, S30, S31, S32, S63, S64 = (np.uint64(n) for n in (25, 27, 30, 31, 32, 63, 64))
ZERO = np.uint64(0)


@step
def get(array, place):
    """``array[place]``; a place of an unsigned type is not first looked at for being negative."""
    return array[np.uint64(place)]


def stream_start(key: Any, trial: Any) -> Any:
    """Where the stream of a trial begins, or the streams of an array of trials."""
    return np.uint64(key) + (np.uint64(trial) << S25) * GOLDEN


trial_start = step(stream_start)


@step
def mixed(z):
    """64 random bits of a count."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@step
def next_bits(s):
    """64 random bits."""
    z = np.uint64(s[RNG]) + GOLDEN
    s[RNG] = np.int64(z)
    return mixed(z)


@step
def uniform(s, n):
    """A whole number below ``n``; equals int(random() * n)."""
    return np.int64(((next_bits(s) >> S32) * np.uint64(n)) >> S32)


@step
def draw(p, s, table):
    """A result of an alias table; one with a single slot costs no random number."""
    record = p[TABLES] + 4 * table
    return draw_from(p, s, np.uint64(get(p, record)), get(p, record + 1))


@step
def half_of(p, slot, fraction):
    """The one or the other result of a slot: without a branch, as nobody can foresee which, nor a second wait."""
    below, above = get(p, slot + 1), get(p, slot + 2)
    return below ^ ((below ^ above) & -np.int64(fraction >= np.uint64(get(p, slot))))


@step
def draw_from(p, s, bits, slot):
    """A result of the alias table with ``2 ** bits`` slots from ``slot`` on."""
    if bits == ZERO:
        return get(p, slot + 1)
    x = next_bits(s)
    slot += 3 * np.int64(x >> (S64 - bits))
    return half_of(p, slot, x << bits)


@step
def binomial(p, s, n, k, m):
    """How many of ``n`` tries succeed that each have chance k/m, of a whole k below m up to 6."""
    total = 0
    fraction = (m - 1) * (m - 2) // 2 + k - 1
    while n > 0:
        now = min(n, MOST_TRIES)
        slot = p[BINOMIAL] + (fraction * MOST_TRIES + now - 1) * 3 * (1 << TRY_BITS)
        total += draw_from(p, s, np.uint64(TRY_BITS), slot)
        n -= now
    return total
