"""Time and memory against trials, attack dice, models, groups, batches and threads."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from math import nan

import mathhammer as mh
from benchmarks.cases import CASES, by_batches, by_dice, by_groups, by_models
from benchmarks.clock import Effort, in_process
from benchmarks.page import Claim, Curve, Section, Table, in_ms, rate

__all__ = ["growth"]

TRIALS = 1_000_000
MOST_ADDED = 50.0
"""MB that the longest run may hold beyond the shortest."""

MEASURE = """
from statistics import median
from mathhammer import Scenario, UnsupportedScenario, simulate, solve

fight = Scenario.from_dict(json.loads(sys.argv[1]))
trials, threads, exactly = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "True"

def taken(work):
    "Median of three when it is short."
    times = []
    while len(times) < 3 and sum(times) < 1:
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)

simulate(fight, 1, seed=1, threads=1)
found = {"simulate": taken(lambda: simulate(fight, trials, seed=1, threads=threads, progress=False))}
found["memory"] = peak()
try:
    if exactly:
        solve(fight)
        found["solve"] = taken(lambda: solve(fight))
except UnsupportedScenario:
    pass
found["memory, exact"] = peak()
print(json.dumps(found))
"""


def growth(effort: Effort) -> Section:
    """One table for each thing that grows; each row is a process of its own."""
    threads = os.cpu_count() or 1
    trials = [10**n for n in range(4, 9) if 10**n <= effort.most_trials]
    tables, claims, curves = [], [], []
    times: dict[str, list[float]] = {}
    held: dict[str, list[float]] = {}
    for name in ("bolters", "mixed"):
        rows = []
        memory, taken = held.setdefault(name, []), times.setdefault(name, [])
        for number in trials:
            found = _measured(CASES[name], number, threads, exactly=False)
            memory.append(found["memory"])
            seconds = found["simulate"]
            taken.append(seconds)
            rows.append((f"{number:,}", in_ms(seconds), rate(number / seconds), f"{found['memory']:.0f} MB"))
        claims.append(
            Claim(
                f"memory of {trials[-1]:.0e} trials of `{name}` beyond that of {trials[0]:.0e}",
                memory[-1] - memory[0],
                MOST_ADDED,
                "MB",
            )
        )
        tables.append(Table((f"trials of `{name}`", "time", "sequences/s", "peak memory"), rows))
    curves.append(Curve("trials", "seconds", trials, times))
    curves.append(Curve("trials", "peak MB", trials, held, logarithmic_y=False))
    every = slice(None, None, 2 if effort.quick else 1)
    families: tuple[tuple[str, Callable[[int], mh.Scenario], Sequence[int]], ...] = (
        ("attack dice into 20 models", by_dice, (10, 30, 100, 300, 1000, 3000)[every]),
        ("models under 120 attack dice", by_models, (1, 3, 10, 30, 100, 300, 1000)[every]),
        ("groups of 12 models under 60 attack dice", by_groups, (1, 2, 3, 4)[every]),
        ("batches of 64 attack dice together into 10 models", by_batches, (1, 2, 4, 8, 16)[every]),
    )
    for what, family, sizes in families:
        rows = []
        lines: dict[str, list[float]] = {f"simulate, {TRIALS:,}": [], "solve": []}
        for size in sizes:
            found = _measured(family(size), TRIALS, 1, exactly=True)
            solved = in_ms(found["solve"]) if "solve" in found else "out of reach"
            for line, name in zip(lines.values(), ("simulate", "solve"), strict=True):
                line.append(found.get(name, nan))
            memory_of = (f"{found['memory']:.0f} MB", f"{found['memory, exact']:.0f} MB")
            rows.append((size, in_ms(found["simulate"]), memory_of[0], solved, memory_of[1]))
        head = (what, f"`simulate`, {TRIALS:,}, one thread", "peak memory", "`solve`", "peak memory")
        tables.append(Table(head, rows))
        curves.append(Curve(what, "seconds", list(sizes), lines))
    rows = []
    for number in (1, 2, 4, 8)[every]:
        found = _measured(CASES["mixed"], 2 * TRIALS, number, exactly=False)
        rows.append((number, in_ms(found["simulate"]), f"{found['memory']:.0f} MB"))
    head = (f"threads on {threads} cores, `mixed`, {2 * TRIALS:,} trials", "time", "peak memory")
    tables.append(Table(head, rows))
    return Section("Growth", WORDS, tables, claims, curves)


WORDS = """
Each row is a process of its own, warm; the memory is the most that the process ever held, with Python, numpy and the
compiled code in it.
"""


def _measured(fight: mh.Scenario, trials: int, threads: int, exactly: bool) -> dict[str, float]:
    found: dict[str, float] = in_process(MEASURE, json.dumps(fight.to_dict()), trials, threads, exactly)
    return found
