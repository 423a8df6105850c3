"""Seeds, threads, progress, interruption, memory: what a run of the Monte Carlo engine promises."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mathhammer as mh

VOLLEY = mh.Scenario.from_dict(
    {
        "attacker": {"name": "Attacker", "weapons": ["6x Gun: A1 BS3+ S4 AP0 DD6"]},
        "target": {"name": "Target", "models": ["10x Model: T3 Sv- W2"]},
    }
)
TRIALS = 30_000
FIRST_RUN = """
import mathhammer, sys
assert "numba" not in sys.modules
attack = {"attacker": {"name": "A", "weapons": ["Gun: A2 BS3+ S4 AP0 D1"]},
          "target": {"name": "B", "models": ["3x Model: T4 Sv4+ W1"]}}
print(mathhammer.simulate(mathhammer.Scenario.from_dict(attack), trials=1000, seed=1, progress=False).trials)
"""


def run(seed: int | None, **keys: Any) -> mh.Outcome:
    return mh.simulate(VOLLEY, seed=seed, **({"trials": TRIALS, "progress": False} | keys))


def same(one: mh.Outcome, other: mh.Outcome) -> bool:
    return one.to_dict() == other.to_dict()


def test_a_seed_is_one_answer_and_another_seed_another() -> None:
    assert same(run(1), run(1))
    assert not same(run(1), run(2))


def test_without_a_seed_the_one_used_is_told() -> None:
    one, other = run(None), run(None)
    assert one.seed != other.seed
    assert one.seed is not None
    assert not same(one, other)
    assert same(run(one.seed), one)


def test_two_callers_at_once() -> None:
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(run, (1, 2))
    assert same(one, run(1))
    assert same(other, run(2))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_number_of_threads_changes_nothing(threads: int) -> None:
    assert same(run(5, threads=threads), run(5))


def test_progress_changes_nothing() -> None:
    seen: list[tuple[int, int]] = []
    assert same(run(5, progress=lambda done, total: seen.append((done, total))), run(5))
    assert seen[-1] == (TRIALS, TRIALS)


def test_an_interruption_keeps_what_is_done() -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(mh.Interrupted) as caught:
        run(5, trials=10**9, progress=stop)
    assert caught.value.outcome is None or 0 < caught.value.outcome.trials < 10**9


def test_the_error_of_a_mean_is_stated() -> None:
    exact, sampled = mh.solve(VOLLEY).models_destroyed, run(3).models_destroyed
    assert exact.sd**2 == pytest.approx(1.3599324457981579, abs=1e-9)
    assert sampled.standard_error == pytest.approx(sampled.sd / TRIALS**0.5)
    assert 1.96 * exact.sd / 10_000**0.5 == pytest.approx(0.0229, abs=5e-5)


def peak(trials: int) -> int:
    tracemalloc.start()
    try:
        run(1, trials=trials, threads=1)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_trials() -> None:
    peak(100_000)
    assert peak(2_000_000) < 2 * peak(200_000)


def test_more_trials_begin_with_the_fewer() -> None:
    few, many = run(9), run(9, trials=2 * TRIALS)
    counts = [np.rint(out.wounds_lost.pmf * out.trials) for out in (few, many)]
    assert (counts[1] - counts[0] >= 0).all()


def test_import_compiles_nothing_and_a_run_needs_no_home(tmp_path: Path) -> None:
    """Home and cache folder cannot be made: a file stands where they should be."""
    nowhere = tmp_path / "file"
    nowhere.write_text("")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA", "XDG"))}
    environment |= {"HOME": str(nowhere), "NUMBA_CACHE_DIR": str(nowhere / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_RUN], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "1000"
