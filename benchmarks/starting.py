"""How soon there is an answer: imports, the demonstration, the first call ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.cases import CASES
from benchmarks.clock import Effort, in_process, in_turn, run, times_faster
from benchmarks.page import Claim, Section, Table, in_ms

__all__ = ["start_up"]

HEAVY = "import numba, pandas, matplotlib.pyplot"
LIGHT = "from mathhammer import Scenario, simulate, solve"
"""``import mathhammer`` alone loads nothing yet."""
FIRST_TIMES = 3
"""Each takes a quarter of a minute."""
FIRST_SOLUTIONS = """
import mathhammer as mh

fights = [mh.Scenario.from_dict(each) for each in json.loads(sys.argv[1])]
start = perf_counter()
for fight in fights:
    mh.solve(fight)
first = perf_counter() - start
start = perf_counter()
for fight in fights:
    mh.solve(fight)
print(json.dumps(first - (perf_counter() - start)))
"""


def start_up(effort: Effort) -> Section:
    """Whole processes, with the start of Python in them."""
    python = [sys.executable, "-c"]
    demo = [sys.executable, "-m", "mathhammer", "demo"]
    commands = {"heavy": [*python, HEAVY], "light": [*python, LIGHT], "demo": demo}
    times = in_turn({name: partial(run, command) for name, command in commands.items()}, effort.repeats)
    heavy, light, warm = (median(times[name]) for name in commands)
    lighter, longer = (1 / times_faster(times["heavy"], times[name]) for name in ("light", "demo"))
    fights = json.dumps([case.to_dict() for case in CASES.values()])
    colds, compilings = [], []
    for _ in range(min(effort.repeats, FIRST_TIMES)):
        with TemporaryDirectory() as empty:
            start = perf_counter()
            first = subprocess.run(
                demo, check=True, capture_output=True, text=True, env={**os.environ, "NUMBA_CACHE_DIR": empty}
            )
            colds.append(perf_counter() - start)
        with TemporaryDirectory() as empty:
            compilings.append(in_process(FIRST_SOLUTIONS, fights, NUMBA_CACHE_DIR=empty))
    cold, compiling = median(colds), median(compilings)
    said = next((line for line in first.stderr.splitlines() if "compil" in line), "nothing")
    rows = [
        (f"`{HEAVY}`", in_ms(heavy), None),
        (f"`{LIGHT}`", in_ms(light), lighter),
        ("`mathhammer demo`, everything compiled before", in_ms(warm), longer),
        ("`mathhammer demo`, for the first time ever", in_ms(cold), cold / heavy),
        ("what the exact engine compiles on its first use", in_ms(compiling), None),
    ]
    claims = [
        Claim(f"`{LIGHT}`, against numba, pandas and matplotlib", lighter, 0.35),
        Claim("`mathhammer demo`, warm, against the same", longer, 2),
        Claim("first call ever", cold, 25, "s"),
        Claim("compilation of the exact engine on its first use", compiling, 10, "s"),
    ]
    words = f"Whole processes, with the start of Python in them. The first call ever says: `{said.strip()}`"
    return Section("Start-up", words, [Table(("process", "time", "against the first"), rows)], claims)
