"""Every result that the Monte Carlo kernels can draw, with its probability: a simulation without chance.

Where numba does not compile, the functions that draw are replaced by one that takes the possible results in
turn. What then comes out has to be the exact engine's answer, to the last digits and not within an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

import numpy as np

from mathhammer.front import plan_of
from mathhammer.montecarlo import blocks, draws, engine, in_step, kernels
from mathhammer.montecarlo.arrays import Arrays
from mathhammer.outcome import Outcome
from mathhammer.scenario import Scenario

Chances = tuple[tuple[int, float], ...]
MOST_PATHS = 60_000


class _Paths:
    """Goes through all sequences of results: the last one that has another result moves on to it."""

    def __init__(self) -> None:
        self.taken: list[int] = []
        self.open: list[Chances] = []
        self.probability = 1.0
        self.known: dict[tuple[int, int], Chances] = {}

    def choose(self, chances: Chances) -> int:
        place = len(self.open)
        if place == len(self.taken):
            self.taken.append(0)
        self.open.append(chances)
        result, chance = chances[self.taken[place]]
        self.probability *= chance
        return result

    def again(self) -> None:
        """From the start, with the same results."""
        self.open, self.probability = [], 1.0

    def turn(self) -> bool:
        """Whether there is another sequence."""
        while self.taken and self.taken[-1] + 1 == len(self.open[len(self.taken) - 1]):
            self.taken.pop()
        if self.taken:
            self.taken[-1] += 1
        self.again()
        return bool(self.taken)


def _chances_of(p: Any, bits: int, slot: int) -> Chances:
    """What an alias table gives: 2 ** bits slots, each a cut, the result below it and that from it on."""
    size, found = 1 << bits, dict[int, float]()
    if not bits:
        return ((int(p[slot + 1]), 1.0),)
    for place in range(slot, slot + 3 * size, 3):
        below = int(np.uint64(p[place])) / 2**64
        for result, chance in ((p[place + 1], below), (p[place + 2], 1 - below)):
            if chance > 0:
                found[int(result)] = found.get(int(result), 0.0) + chance / size
    return tuple(found.items())


@contextmanager
def _drawing(paths: _Paths) -> Iterator[None]:
    """In here the kernels draw what ``paths`` says."""

    def draw_from(p: Any, s: Any, bits: Any, slot: Any) -> int:
        key = (int(bits), int(slot))
        if key not in paths.known:
            paths.known[key] = _chances_of(p, *key)
        return paths.choose(paths.known[key])

    def uniform(s: Any, n: int) -> int:
        return paths.choose(tuple((face, 1 / n) for face in range(n)))

    def next_bits(s: Any) -> Any:
        # Compared with sixths of 2 ** 64 only, by FEEL NO PAIN against hazard rolls.
        sixths = tuple((sixth * (2**64 // 6) + 1, 1 / 6) for sixth in range(6))
        return np.uint64(paths.choose(sixths))

    def drawn_at(p: Any, x: Any, first: Any, table: Any, bits: Any) -> int:
        return draw_from(p, None, bits, first + 3 * (int(table) << int(bits)))

    make = Arrays.make_missing

    def make_missing(arrays: Arrays, number: int) -> None:
        make(arrays, number)
        # There is another table now, and the others stand elsewhere.
        paths.known.clear()

    places: list[tuple[Any, str, Callable[..., Any]]] = [
        *((draws, "draw_from", draw_from), (kernels, "draw_from", draw_from)),
        *((kernels, "uniform", uniform), (blocks, "next_bits", next_bits)),
        *((in_step, "drawn_at", drawn_at), (Arrays, "make_missing", make_missing)),
    ]
    real = [getattr(module, name) for module, name, _ in places]
    for module, name, drawn in places:
        setattr(module, name, drawn)
    try:
        yield
    finally:
        for (module, name, _), function in zip(places, real, strict=True):
            setattr(module, name, function)


def every_draw(scenario: Scenario, by_batches: bool = False) -> Outcome:
    """The outcome of a simulation in which each sequence of results is drawn as often as it is likely.

    ``by_batches`` is the way of `in_step`, for plans that can go it.
    """
    arrays, paths = Arrays(plan_of(scenario)), _Paths()
    arrays.in_step &= by_batches
    empty = engine._empty(arrays)
    states, losses = np.zeros(arrays.states), dict[int, float]()
    sums = arrays.empty_state().astype(np.float64)
    more, count = True, 0
    way = engine._batch_by_batch if by_batches else _one_by_one
    with _drawing(paths):
        while more:
            played = way(arrays, empty, Event(), 0, 0, 1)
            if played is None:
                paths.again()
                continue
            state, codes, own = played
            states[codes[0]] += paths.probability
            for code in own.tolist():
                losses[code] = losses.get(code, 0.0) + paths.probability
            sums += paths.probability * state
            more, count = paths.turn(), count + 1
            assert count < MOST_PATHS
    tally = engine.Tally(states, losses, sums, 1)  # type: ignore[arg-type]
    return engine._outcome(arrays, tally, 0)


def _one_by_one(arrays: Arrays, *_: object) -> engine.Played | None:
    """One trial to its end; None when a table was missing, and has been made."""
    state, code, own = arrays.empty_state(), np.zeros(1, np.int64), np.zeros(1, np.int64)
    missing = blocks.run_block(arrays.p, state, np.uint64(0), 0, code, own)
    if missing:
        arrays.make_missing(-1 - missing)
        return None
    return state, code, own
