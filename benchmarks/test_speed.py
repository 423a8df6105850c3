"""The main cases for pytest-benchmark: ``pytest benchmarks``. No test asserts a time.

Each checks its answer; the times are for comparing one state of the project with another.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import mathhammer as mh
from benchmarks.agreement import same
from benchmarks.cases import CASES
from benchmarks.dice import play_by_hand, roll_dice
from mathhammer.exact import solve_plan
from mathhammer.front import plan_of

TRIALS = 200_000
cases = pytest.mark.parametrize("name", CASES)


@cases
def test_simulate(benchmark: Any, name: str) -> None:
    run = partial(mh.simulate, CASES[name], TRIALS, seed=1, threads=1, progress=False)
    out = benchmark.pedantic(run, rounds=5, warmup_rounds=1)
    same(name, out.models_destroyed.pmf, mh.solve(CASES[name]).models_destroyed.pmf, TRIALS)


@cases
def test_roll_as_many_dice(benchmark: Any, name: str) -> None:
    number = round(play_by_hand(CASES[name], 200).dice * TRIALS)
    die = benchmark.pedantic(roll_dice, args=(number,), rounds=5, warmup_rounds=1)
    assert 1 <= die <= 6


@cases
def test_solve(benchmark: Any, name: str) -> None:
    out = benchmark.pedantic(mh.solve, args=(CASES[name],), rounds=5, warmup_rounds=1)
    assert out.models_destroyed.pmf.sum() == pytest.approx(1, abs=1e-12)


@cases
def test_solve_a_ready_plan(benchmark: Any, name: str) -> None:
    out = benchmark.pedantic(solve_plan, args=(plan_of(CASES[name]),), rounds=5, warmup_rounds=1)
    assert out.models_destroyed.pmf.sum() == pytest.approx(1, abs=1e-12)


@cases
def test_plan(benchmark: Any, name: str) -> None:
    assert benchmark.pedantic(plan_of, args=(CASES[name],), rounds=5, warmup_rounds=1).batches
