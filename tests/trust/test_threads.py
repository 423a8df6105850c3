"""Several threads and processes at once get each their own right answer; memory does not grow with the trials."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.montecarlo.engine import BLOCK

SCENARIOS = random_scenarios(8, seed=31)


def answer(index: int) -> dict[str, Any]:
    return mh.simulate(SCENARIOS[index], BLOCK + 500, seed=index, threads=1 + index % 3).to_dict()


def test_simulate_in_several_threads() -> None:
    alone = [answer(index) for index in range(len(SCENARIOS))]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(answer, [*range(len(SCENARIOS))] * 2))
    assert together == alone * 2


def test_solve_in_several_threads() -> None:
    alone = [mh.solve(scenario).to_dict() for scenario in SCENARIOS]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda scenario: mh.solve(scenario).to_dict(), [*SCENARIOS] * 2))
    assert together == alone * 2


def test_one_scenario_in_all_threads_from_the_first_moment() -> None:
    ready = threading.Barrier(4)
    found: list[dict[str, Any]] = []

    def work() -> None:
        ready.wait()
        found.append(mh.simulate(SCENARIOS[0], 3000, seed=1).to_dict())

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 4
    assert all(each == found[0] for each in found)


def test_in_another_process() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(answer, 2).result(timeout=120) == answer(2)


GROWTH = """
import resource, sys
import mathhammer as mh
fight = mh.Scenario.from_dict({
    "attacker": {"name": "A", "weapons": ["10x Gun: AD3 BS3+ S4 AP-1 DD3 [SUSTAINED HITS 1, DEVASTATING WOUNDS]"]},
    "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2 FNP6+", "Boss: T4 Sv2+ W5 [CHARACTER]"]},
})
mh.simulate(fight, 10_000, seed=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
mh.simulate(fight, int(sys.argv[1]), seed=1)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize("trials", [3_000_000, pytest.param(100_000_000, marks=pytest.mark.large)])
def test_memory_does_not_grow_with_the_trials(trials: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, str(trials)], capture_output=True, text=True, timeout=900, check=True
    )
    assert int(done.stdout) < 50_000  # kB: 50 MB
