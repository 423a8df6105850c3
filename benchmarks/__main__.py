"""``python -m benchmarks [--quick] [--to FILE] [SECTION ...]``: prints the tables; all of them go to README.md."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from benchmarks.against_dice import simulation, steps, switches
from benchmarks.against_peers import others
from benchmarks.chart import draw
from benchmarks.clock import FULL, QUICK, Effort
from benchmarks.exactly import exact_engine
from benchmarks.growing import growth
from benchmarks.many import many_scenarios
from benchmarks.page import Section, page, summary
from benchmarks.starting import start_up

SECTIONS: dict[str, Callable[[Effort], Section]] = {
    "dice": simulation,
    "steps": steps,
    "switches": switches,
    "peers": others,
    "exact": exact_engine,
    "growth": growth,
    "start": start_up,
    "many": many_scenarios,
}
README = Path(__file__).with_name("README.md")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"default: {', '.join(SECTIONS)}")
    parser.add_argument(
        "--quick", action="store_true", help="rough numbers in a minute or two; writes no file"
    )
    parser.add_argument("--to", type=Path, help="write the page here; a full run of all writes README.md")
    given = parser.parse_args()
    if unknown := [name for name in given.sections if name not in SECTIONS]:
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    effort = QUICK if given.quick else FULL
    found = []
    for name in given.sections or SECTIONS:
        found.append(SECTIONS[name](effort))
        print(found[-1].text(), end="\n\n", flush=True)
    if any(section.claims for section in found):
        print(summary(found).text())
    to = given.to or (None if given.quick or given.sections else README)
    if to is not None:
        words = _words(effort)
        if curves := [curve for section in found for curve in section.curves]:
            picture = to.with_name("growth.png")
            draw(curves, picture)
            words += f"\n![How time and memory grow]({picture.name})\n"
        to.write_text(page("Benchmarks", words, found), encoding="utf-8")


def _words(effort: Effort) -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pandas", "matplotlib"))
    rough = " This was a quick run: its numbers are rough." if effort.quick else ""
    return f"""
Measured by `python -m benchmarks` (after `pip install -e '.[dev,bench]'`), which wrote this page. Everything is
measured side by side in one run, as the median of {effort.repeats} measurements taken in turn, so that the ratios
mean something on any machine; and only after the answers were found to be the same.{rough}

{_processor()}, {os.cpu_count()} cores; Python {platform.python_version()}, {packages}.

The cases: `bolters`, 20 dice BS3+ S4 AP-1 D1 into ten T4 Sv3+ W2; `horde`, 120 dice into twenty models;
`mixed`, three batches with SUSTAINED HITS, LETHAL HITS, DEVASTATING WOUNDS, PRECISION, re-rolls, random A and D,
into an attached unit of three groups with FEEL NO PAIN; `knight`, 12 dice D6+2 into one W26 model
([cases.py](cases.py)).
"""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    main()
