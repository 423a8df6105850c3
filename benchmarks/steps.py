"""How the simulation became fast: `bolters` as a compiled loop, one change at a time.

Every loop plays ``trials`` sequences and returns how often 0, 1, ... models were destroyed. Each rolls what the
one before it rolls, but for the one thing that its docstring names.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numba import njit
from numpy.typing import NDArray

from benchmarks.peers import DICE, HITS_ON, MODELS, SAVES_ON, WOUNDS, WOUNDS_ON

__all__ = ["STEPS", "run_step"]

Integers = NDArray[np.int64]
Table = tuple[NDArray[np.uint64], Integers]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S5, S27, S30, S31, S32, S59 = (np.uint64(n) for n in (5, 27, 30, 31, 32, 59))


@njit
def bits(counter):
    """64 random bits of a count (SplitMix64)."""
    z = counter * GOLDEN
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@njit
def die(counter):
    return np.int64(((bits(counter) >> S32) * np.uint64(6)) >> S32) + 1


@njit
def allocate(unsaved):
    """Attacks of D1 one after another; the models that they destroy."""
    left, destroyed = WOUNDS, 0
    while unsaved > 0 and destroyed < MODELS:
        unsaved -= 1
        left -= 1
        if left == 0:
            left, destroyed = WOUNDS, destroyed + 1
    return destroyed


@njit
def new_arrays(trials, cut, other):
    """every die rolled; a new array of save rolls for each sequence, sorted"""
    counts, counter = np.zeros(MODELS + 1, np.int64), np.uint64(0)
    for _ in range(trials):
        wounds = 0
        for _ in range(DICE):
            counter += np.uint64(2)
            if die(counter) >= HITS_ON and die(counter + np.uint64(1)) >= WOUNDS_ON:
                wounds += 1
        saves = np.empty(wounds, np.int64)
        for i in range(wounds):
            counter += np.uint64(2)
            saves[i] = die(counter)
        unsaved = 0
        for save in np.sort(saves):
            unsaved += save < SAVES_ON
        counts[allocate(unsaved)] += 1
    return counts


@njit
def no_allocation(trials, cut, other):
    """one array of save rolls for all sequences: no memory is allocated in the loop"""
    counts, counter = np.zeros(MODELS + 1, np.int64), np.uint64(0)
    saves = np.empty(DICE, np.int64)
    for _ in range(trials):
        wounds = 0
        for _ in range(DICE):
            counter += np.uint64(2)
            if die(counter) >= HITS_ON and die(counter + np.uint64(1)) >= WOUNDS_ON:
                wounds += 1
        for i in range(wounds):
            counter += np.uint64(2)
            save, place = die(counter), i
            while place > 0 and saves[place - 1] > save:
                saves[place] = saves[place - 1]
                place -= 1
            saves[place] = save
        unsaved = 0
        for i in range(wounds):
            unsaved += saves[i] < SAVES_ON
        counts[allocate(unsaved)] += 1
    return counts


@njit
def faces_counted(trials, cut, other):
    """save rolls counted by face, not sorted"""
    counts, counter = np.zeros(MODELS + 1, np.int64), np.uint64(0)
    faces = np.empty(7, np.int64)
    for _ in range(trials):
        faces[:] = 0
        wounds = 0
        for _ in range(DICE):
            counter += np.uint64(2)
            if die(counter) >= HITS_ON and die(counter + np.uint64(1)) >= WOUNDS_ON:
                wounds += 1
        for _ in range(wounds):
            counter += np.uint64(2)
            faces[die(counter)] += 1
        unsaved = 0
        for face in range(1, SAVES_ON):
            unsaved += faces[face]
        counts[allocate(unsaved)] += 1
    return counts


@njit
def wounds_drawn(trials, cut, other):
    """hits and wounds in closed form: the number of wounds is one draw from its table, the saves are rolled"""
    counts, counter = np.zeros(MODELS + 1, np.int64), np.uint64(0)
    faces = np.empty(7, np.int64)
    for _ in range(trials):
        faces[:] = 0
        counter += np.uint64(1)
        for _ in range(drawn(bits(counter), cut, other)):
            counter += np.uint64(1)
            faces[die(counter)] += 1
        unsaved = 0
        for face in range(1, SAVES_ON):
            unsaved += faces[face]
        counts[allocate(unsaved)] += 1
    return counts


@njit
def batch_drawn(trials, cut, other):
    """one draw for the whole batch, straight to the number of unsaved attacks"""
    counts, counter = np.zeros(MODELS + 1, np.int64), np.uint64(0)
    for _ in range(trials):
        counter += np.uint64(1)
        counts[allocate(drawn(bits(counter), cut, other))] += 1
    return counts


@njit
def drawn(x, cut, other):
    """A result of an alias table with 32 slots."""
    slot = np.int64(x >> S59)
    return slot if (x << S5) < cut[slot] else other[slot]


@njit
def draws_counted(trials, cut, other):
    """what a result destroys worked out once: the loop only counts results"""
    drawn_times, counter = np.zeros(DICE + 1, np.int64), np.uint64(0)
    for _ in range(trials):
        counter += np.uint64(1)
        drawn_times[drawn(bits(counter), cut, other)] += 1
    counts = np.zeros(MODELS + 1, np.int64)
    for unsaved in range(DICE + 1):
        counts[allocate(unsaved)] += drawn_times[unsaved]
    return counts


def binomial_table(chance: float) -> Table:
    """Walker's table of the number of successes in DICE tries: slot i gives i below its cut, else the other."""
    scaled = np.zeros(32)
    scaled[: DICE + 1] = [
        32 * comb(DICE, k) * chance**k * (1 - chance) ** (DICE - k) for k in range(DICE + 1)
    ]
    share, other = np.ones(32), np.arange(32)
    small, large = [i for i in range(32) if scaled[i] < 1], [i for i in range(32) if scaled[i] >= 1]
    while small and large:
        i, j = small.pop(), large[-1]
        share[i], other[i] = scaled[i], j
        scaled[j] -= 1 - scaled[i]
        if scaled[j] < 1:
            small.append(large.pop())
    cut = np.array([min(int(part * 2**64), 2**64 - 1) for part in share.tolist()], np.uint64)
    return cut, other


WOUNDING = (7 - HITS_ON) * (7 - WOUNDS_ON) / 36
UNSAVED = WOUNDING * (SAVES_ON - 1) / 6
STEPS = {
    new_arrays: WOUNDING,
    no_allocation: WOUNDING,
    faces_counted: WOUNDING,
    wounds_drawn: WOUNDING,
    batch_drawn: UNSAVED,
    draws_counted: UNSAVED,
}
"""The loops from the slowest to the fastest, with the chance that their table is made for."""


def run_step(loop: object, trials: int) -> NDArray[np.float64]:
    """Distribution of models destroyed by one of the `STEPS`."""
    cut, other = binomial_table(STEPS[loop])
    return loop(trials, cut, other) / trials  # type: ignore[operator]
