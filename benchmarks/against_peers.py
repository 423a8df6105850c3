"""`bolters` answered by other packages and by hand."""

from __future__ import annotations

import os
from functools import partial

import numpy as np

import mathhammer as mh
from benchmarks import peers
from benchmarks.agreement import largest_error, same
from benchmarks.cases import CASES
from benchmarks.clock import Effort, side_by_side
from benchmarks.page import Section, Table, in_ms, rate

__all__ = ["others"]

SIMULATED, BY_NUMPY, BY_PYTHON = 1_000_000, 100_000, 10_000
"""Sequences of one call."""
TRIMMED = 1e-4
"""`warhammer-stats` cuts off unlikely results."""
EXACT = "distributions, exact"
SAMPLED = "distributions, sampled"


def others(effort: Effort) -> Section:
    """Time, what is answered, and the largest error of one probability (or of the mean)."""
    truth = peers.truth()
    average = peers.by_wh40kdc()
    threads = os.cpu_count() or 1
    bolters = CASES["bolters"]
    simulate = partial(mh.simulate, bolters, SIMULATED, seed=1, progress=False)
    works = {
        f"`mathhammer` simulate, {threads} threads": partial(simulate, threads=threads),
        "`mathhammer` simulate, one thread": partial(simulate, threads=1),
        "numpy, written for it": partial(peers.by_numpy, BY_NUMPY),
        "plain Python loop, written for it": partial(peers.by_plain_python, BY_PYTHON),
        "`mathhammer` solve": partial(mh.solve, bolters),
        "`dyce`, written for it": peers.by_dyce,
        "`icepool`, written for it": peers.by_icepool,
        "`warhammer-stats` (older rules)": peers.by_warhammer_stats,
        "`wh40kdc`": average,
    }
    sequences = dict(zip(works, (SIMULATED, SIMULATED, BY_NUMPY, BY_PYTHON), strict=False))
    rows = []
    found = {name: work() for name, work in works.items()}
    taken = side_by_side(works, effort.repeats)
    for name, answer in found.items():
        trials = sequences.get(name)
        if name == "`wh40kdc`":
            mean = truth @ np.arange(len(truth))
            rows.append((name, in_ms(taken[name]), None, "averages only", f"{abs(answer - mean):.1g} (mean)"))
            continue
        pmf = answer.models_destroyed.pmf if isinstance(answer, mh.Outcome) else answer
        same(name, pmf, truth, trials, TRIMMED if "warhammer-stats" in name else 1e-9)
        speed = rate(trials / taken[name]) if trials else None
        what = SAMPLED if trials else EXACT
        rows.append((name, in_ms(taken[name]), speed, what, f"{largest_error(pmf, truth):.1g}"))
    head = ("who", "one call", "sequences/s", "answers", "largest error")
    return Section("Against others", WORDS, [Table(head, rows)])


WORDS = f"""
`bolters`, on which older rules agree with these: models destroyed. A call simulates {SIMULATED:,} sequences
({BY_NUMPY:,} in numpy, {BY_PYTHON:,} in the plain loop), or solves the case once. `mathhammer` answers at the
same time the wounds lost, every model row, and the funnel of each weapon, for any scenario; `dyce`, `icepool`, numpy
and the loop answer what was written for this one ([peers.py](peers.py)). Errors are of one probability, against
fractions; those of simulations are chance, and fall with the root of the number of sequences.
"""
