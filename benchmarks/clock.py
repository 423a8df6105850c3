"""Stopwatches: several works in turn, whole processes, and the memory of a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

__all__ = [
    "FULL",
    "QUICK",
    "Effort",
    "in_process",
    "in_turn",
    "run",
    "seconds",
    "side_by_side",
    "times_faster",
]


@dataclass(frozen=True)
class Effort:
    """How long to measure.

    Attributes
    ----------
    repeats : int
        Measurements that a median is taken of.
    plays : int
        Of a case by hand, to count its dice.
    most_trials : int
        Of the longest simulation.
    quick : bool
        Fewer points on each curve.
    """

    repeats: int
    plays: int
    most_trials: int
    quick: bool


FULL = Effort(repeats=9, plays=5_000, most_trials=10**8, quick=False)
QUICK = Effort(repeats=3, plays=1_000, most_trials=10**6, quick=True)


SHORTEST = 0.02
"""A single measurement lasts at least so many seconds: short works are called several times in it."""


def seconds(work: Callable[[], object], calls: int = 1) -> float:
    """Of one call, averaged over so many."""
    start = perf_counter()
    for _ in range(calls):
        work()
    return (perf_counter() - start) / calls


def in_turn(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Seconds of a call of each work, in each round.

    They are called in turn, so that a busy moment of the machine hits all of them; the first call of each, which
    may compile or import, does not count.
    """
    calls = {}
    for name, work in works.items():
        work()
        calls[name] = max(1, round(SHORTEST / max(seconds(work), 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(seconds(work, calls[name]))
    return times


def side_by_side(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Median seconds of a call of each work, called in turn."""
    return {name: median(taken) for name, taken in in_turn(works, repeats).items()}


def times_faster(slow: list[float], fast: list[float]) -> float:
    """The median, over the rounds, of one work's time by another's in the same round.

    Where the machine is at times faster and at times slower, medians of their own may be of different times.
    """
    return median(one / other for one, other in zip(slow, fast, strict=True))


def run(command: list[str]) -> None:
    """A whole process, from its start to its end."""
    subprocess.run(command, check=True, capture_output=True)


def in_process(code: str, *arguments: object, **environment: str) -> Any:
    """What the Python code, run in a fresh process, prints as JSON."""
    command = [sys.executable, "-c", PEAK + code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


# On Linux a child's ru_maxrss begins at its parent's, so that the kernel's own record is read there.
PEAK = """
import json, sys
from time import perf_counter

def peak():
    "The most memory this process has held, in MB."
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 ** 2)

"""
