"""The errors that are reported are the errors that are made: Monte Carlo against exact, over scenarios and seeds.

All seeds are fixed; "false alarm" is the share of other seeds that would fail with a faultless engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray
from scipy import stats
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.montecarlo import memory
from mathhammer.montecarlo.draws import next_bits, trial_start
from mathhammer.montecarlo.engine import BLOCK

Floats = NDArray[np.float64]
METRICS = ("wounds_lost", "models_destroyed", "unit_destroyed")


@lru_cache
def solvable(n: int) -> tuple[tuple[mh.Scenario, mh.Outcome], ...]:
    """The first random scenarios with a chance of something: not certain, not next to it."""
    found = []
    for scenario in random_scenarios(2 * n, seed=2026):
        exact = mh.solve(scenario)
        if exact.wounds_lost.pmf.max() < 0.98:
            found.append((scenario, exact))
        if len(found) == n:
            break
    return tuple(found)


def z_score(exact: mh.Outcome, simulated: mh.Outcome, metric: str) -> float:
    """Standard errors, by the exact spread, between simulated and exact."""
    assert simulated.trials is not None
    value, truth = simulated.metric(metric), exact.metric(metric)
    assert value is not None
    assert truth is not None
    p = truth.value
    sd = (p * (1 - p)) ** 0.5 if metric == "unit_destroyed" else getattr(exact, metric).sd
    return (value.value - p) / sd * simulated.trials**0.5


def standing(n: int, trials: int) -> Floats:
    """One z-score a scenario, of a metric that varies there: the metrics of one run depend on each other."""
    scores = []
    for index, (scenario, exact) in enumerate(solvable(n)):
        metric = METRICS[index % 3]
        if metric != "wounds_lost" and not 0.02 < exact.models_destroyed.at_least(1) < 0.98:
            metric = "wounds_lost"
        if metric == "unit_destroyed" and not 0.02 < exact.unit_destroyed < 0.98:
            metric = "wounds_lost"
        simulated = mh.simulate(scenario, trials, seed=1000 + index)
        scores.append(z_score(exact, simulated, metric))
    return np.array(scores)


def assert_standard_normal(scores: Floats) -> None:
    """False alarm 0.001 each: Kolmogorov-Smirnov, mean, spread, the largest."""
    n = len(scores)
    assert stats.kstest(scores, "norm").pvalue > 0.001
    assert abs(scores.mean()) < 3.29 / n**0.5
    low, high = stats.chi2.ppf([0.0005, 0.9995], n)
    assert low < (scores**2).sum() < high
    assert abs(scores).max() < stats.norm.isf(0.0005 / n)


def test_deviations_are_standard_normal() -> None:
    assert_standard_normal(standing(50, 40_000))


@pytest.mark.large
def test_deviations_of_200_scenarios_are_standard_normal() -> None:
    scores = standing(200, 400_000)
    assert len(scores) == 200
    assert_standard_normal(scores)


FIGHTS: dict[str, dict[str, Any]] = {
    "plain": {
        "attacker": {"name": "A", "weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"]},
        "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]},
    },
    "mixed": {
        "attacker": {
            "name": "A",
            "weapons": [
                "4x Gun: AD3 BS3+ S5 AP-1 DD3 [SUSTAINED HITS 1, DEVASTATING WOUNDS]",
                "2x Sniper: A1 BS3+ S5 AP-2 D3 [PRECISION]",
            ],
        },
        "target": {"name": "B", "models": ["5x Grunt: T4 Sv4+ W2 FNP6+", "Boss: T4 Sv2+ W4 [CHARACTER]"]},
    },
}


def runs(fight: dict[str, Any], n: int, trials: int) -> Iterator[mh.Outcome]:
    scenario = mh.Scenario.from_dict(fight)
    for seed in range(n):
        yield mh.simulate(scenario, trials, seed=seed, threads=1)


def coverage(fight: dict[str, Any], n: int, trials: int) -> Floats:
    """Share of the runs whose mean +- 1.96 standard errors holds the exact mean, by metric."""
    truth = {metric: mh.solve(mh.Scenario.from_dict(fight)).metric(metric) for metric in METRICS[:2]}
    held = np.zeros(2)
    for outcome in runs(fight, n, trials):
        for i, metric in enumerate(METRICS[:2]):
            estimate, exact = outcome.metric(metric), truth[metric]
            assert estimate is not None
            assert exact is not None
            held[i] += abs(estimate.value - exact.value) <= 1.96 * estimate.standard_error
    return held / n


@pytest.mark.parametrize(("name", "n"), [("plain", 400), ("mixed", 150)])
def test_two_standard_errors_hold_the_truth(name: str, n: int) -> None:
    # Four standard errors of the share; false alarm 0.0001.
    assert coverage(FIGHTS[name], n, 500) == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / n) ** 0.5)


@pytest.mark.large
@pytest.mark.parametrize("name", FIGHTS)
def test_two_standard_errors_hold_the_truth_in_5000_runs(name: str) -> None:
    # Standard error 0.2 % with 12,000 runs; false alarm below 1e-5.
    shares = coverage(FIGHTS[name], 12_000, 2000)
    assert ((shares >= 0.94) & (shares <= 0.96)).all(), shares


def blocks(seed: int, n: int) -> list[Floats]:
    """The histograms of the first n blocks of a run, each by itself."""
    scenario = mh.Scenario.from_dict(FIGHTS["plain"])
    sums = [np.zeros(1)]
    for k in range(1, n + 1):
        outcome = mh.simulate(scenario, k * BLOCK, seed=seed)
        sums.append(outcome.wounds_lost.pmf * k * BLOCK)
    return [after - before for before, after in pairwise(sums)]


def test_blocks_of_a_run_are_independent_draws() -> None:
    """Homogeneity of 24 blocks; the same trials twice would fit too well. False alarm 0.002."""
    table = np.array([np.append(h[:8], h[8:].sum()) for h in blocks(5, 24)])
    p = float(stats.chi2_contingency(table).pvalue)
    assert 0.001 < p < 0.999
    assert len({tuple(row) for row in table.tolist()}) == 24


@pytest.mark.parametrize("step", [1, 2**32])
def test_neighbouring_seeds_are_unrelated(step: int) -> None:
    """Mean wounds of seeds s and s + step over 150 pairs: no correlation. False alarm 0.001."""
    scenario = mh.Scenario.from_dict(FIGHTS["plain"])
    means = np.array(
        [
            [
                mh.simulate(scenario, 400, seed=seed, threads=1).wounds_lost.mean
                for seed in (base, base + step)
            ]
            for base in range(0, 450, 3)
        ]
    )
    assert stats.pearsonr(means[:, 0], means[:, 1]).pvalue > 0.001
    assert (means[:, 0] != means[:, 1]).mean() > 0.9


@njit
def bits(key: Any, trials: Any, draws: Any) -> Any:
    """The first random numbers of each of the first trials: uint64, shape (trials * draws,)."""
    found = np.empty(trials * draws, np.uint64)
    state = np.zeros(memory.FIXED_STATE, np.int64)
    for trial in range(trials):
        state[memory.RNG] = np.int64(trial_start(key, trial))
        for draw in range(draws):
            found[trial * draws + draw] = next_bits(state)
    return found


def uniformity(values: NDArray[np.int64], kinds: int) -> float:
    """The p-value of a chi-square test."""
    return float(stats.chisquare(np.bincount(values, minlength=kinds)).pvalue)


@pytest.mark.parametrize("draws", [1, 3])
@pytest.mark.parametrize("key", [0, 1, 2**63 + 5])
def test_the_random_numbers_of_trials_are_unrelated(key: int, draws: int) -> None:
    """Uniformity of bits, of neighbours, of five dice, and of spacings. False alarm 1e-5 each."""
    found = bits(np.uint64(key), 300_000, draws)
    p = [
        uniformity((found >> np.uint64(shift) & np.uint64(0xFFF)).astype(np.int64), 4096)
        for shift in (0, 26, 52)
    ]
    high = (found >> np.uint64(58)).astype(np.int64)
    p += [uniformity(high[:-lag] * 64 + high[lag:], 4096) for lag in (1, 2, 3, 64, 1024)]
    dice = ((found >> np.uint64(32)) * np.uint64(6) >> np.uint64(32)).astype(np.int64)[: len(found) // 5 * 5]
    p.append(uniformity(dice.reshape(-1, 5) @ 6 ** np.arange(5), 6**5))
    # Birthday spacings: of 4096 birthdays in 2**32 days, four pairs of spacings are equal on average.
    years = (found[: len(found) // 4096 * 4096] >> np.uint64(32)).astype(np.int64).reshape(-1, 4096)
    spacings = np.sort(np.diff(np.sort(years)))
    equal, expected = int((np.diff(spacings) == 0).sum()), 4.0 * len(years)
    p += [float(stats.poisson.cdf(equal, expected)), float(stats.poisson.sf(equal - 1, expected))]
    assert min(p) > 1e-5
    assert len(np.unique(found)) == len(found)
