"""The random numbers of the Monte Carlo engine as raw bits on stdout, for a battery of tests.

``python -m tests.trust.random_bits 3 1 | dieharder -g 200 -a`` takes the first three numbers of each trial, as a
scenario with the seed 1 does in which every sequence needs three.
"""

from __future__ import annotations

import sys
from itertools import count

import numpy as np
from numba import njit

from mathhammer.montecarlo.draws import GOLDEN, mixed, trial_start

CHUNK = 1 << 16


@njit
def fill(numbers, key, first, draws):  # type: ignore[no-untyped-def]
    """The first ``draws`` numbers of each trial from ``first`` on, one trial behind the other."""
    for trial in range(len(numbers) // draws):
        z = trial_start(key, first + trial)
        for draw in range(draws):
            z += GOLDEN
            numbers[trial * draws + draw] = mixed(z)


def main(draws: int, seed: int) -> None:
    """Write until nobody reads."""
    numbers = np.empty(CHUNK * draws, np.uint64)
    key = np.uint64(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    for first in count(0, CHUNK):
        fill(numbers, key, first, draws)
        try:
            sys.stdout.buffer.write(numbers.tobytes())
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
