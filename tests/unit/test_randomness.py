"""One seed, one answer: on any number of threads, as the beginning of any longer run, watched or not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.montecarlo.engine import BLOCK

PLAIN = mh.Scenario.from_dict(
    {
        "attacker": {"name": "A", "weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"]},
        "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]},
    }
)
MIXED = mh.Scenario.from_dict(
    {
        "attacker": [
            {
                "name": "A",
                "weapons": [
                    "6x Gun: AD6 BS3+ S5 AP-1 DD3 [SUSTAINED HITS D3, DEVASTATING WOUNDS, HAZARDOUS]",
                    "2x Sniper: A1 BS3+ S5 AP-2 D3 [PRECISION]",
                ],
                "models": ["3x Bearer: T4 Sv3+ W2"],
            },
            {"name": "C", "weapons": ["4x Rifle: A2 BS3+ S4 AP-1 D1 [LETHAL HITS]"]},
        ],
        "target": {
            "name": "B",
            "models": [
                "5x Novice: T3 Sv5+ W1",
                "3x Veteran: T4 Sv3+ W2 FNP5+",
                "Captain: T4 Sv2+ InSv4+ W5 [CHARACTER, LEADER]",
            ],
        },
    }
)
BOTH = pytest.mark.parametrize("scenario", [PLAIN, MIXED], ids=["plain", "mixed"])


def counts(distribution: mh.Distribution) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The histogram, which has to be whole numbers."""
    assert distribution.trials is not None
    histogram = distribution.pmf * distribution.trials
    assert histogram == pytest.approx(histogram.round(), abs=1e-6)
    return histogram.round()


@BOTH
@pytest.mark.parametrize("trials", [1, 1000, BLOCK, 5 * BLOCK + 77])
def test_the_same_on_any_number_of_threads(scenario: mh.Scenario, trials: int) -> None:
    written = [mh.simulate(scenario, trials, seed=3, threads=n).to_dict() for n in (1, 2, 3, 7)]
    written.append(mh.simulate(scenario, trials, seed=3).to_dict())
    assert all(each == written[0] for each in written)


@pytest.mark.parametrize("index", range(12))
def test_the_same_for_random_scenarios(index: int) -> None:
    scenario = random_scenarios(12, seed=11)[index]
    one, other = (mh.simulate(scenario, 2 * BLOCK + 5, seed=1, threads=n) for n in (1, 2))
    assert one.to_dict() == other.to_dict()


@BOTH
@pytest.mark.parametrize("n", [1, 100, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_a_run_is_the_beginning_of_a_longer_one(scenario: mh.Scenario, n: int) -> None:
    short, long = (mh.simulate(scenario, trials, seed=8) for trials in (n, 2 * n))
    for name in ("wounds_lost", "models_destroyed", "attacker_wounds_lost", "attackers_used"):
        rest = counts(getattr(long, name)) - counts(getattr(short, name))
        assert rest.min() >= 0
        assert rest.sum() == n


def test_the_states_of_a_run_are_part_of_those_of_a_longer_one() -> None:
    short, long = (mh.simulate(MIXED, trials, seed=8) for trials in (BLOCK + 9, 2 * BLOCK))
    seen: dict[tuple[int, ...], float] = {}
    for sign, outcome in ((1, long), (-1, short)):
        assert outcome.trials is not None
        states = np.column_stack([outcome.alive, outcome.wounds_left]).tolist()
        for state, weight in zip(states, outcome.weights.tolist(), strict=True):
            seen[tuple(state)] = seen.get(tuple(state), 0) + sign * weight * outcome.trials
    assert min(seen.values()) > -1e-6


def test_zero_is_a_seed_and_seeds_differ() -> None:
    zero, again, one = (mh.simulate(MIXED, 5000, seed=seed) for seed in (0, 0, 1))
    assert zero.seed == 0
    assert zero.to_dict() == again.to_dict()
    assert zero.wounds_lost != one.wounds_lost


@pytest.mark.parametrize("seed", [2**53 - 1, 2**64 - 1, np.int64(5)])
def test_large_seeds(seed: int) -> None:
    outcome = mh.simulate(PLAIN, 2000, seed=seed)
    assert outcome.seed == seed
    assert type(outcome.seed) is int
    assert outcome.to_dict() == mh.simulate(PLAIN, 2000, seed=int(seed)).to_dict()


def test_a_drawn_seed_is_reported_and_repeats_the_run() -> None:
    first, second = mh.simulate(PLAIN, 2000), mh.simulate(PLAIN, 2000)
    assert first.seed is not None
    assert second.seed is not None
    assert first.seed != second.seed
    assert 0 <= first.seed < 2**53
    assert mh.simulate(PLAIN, 2000, seed=first.seed).to_dict() == first.to_dict()


@pytest.mark.parametrize("threads", [1, 2])
def test_watching_changes_nothing(threads: int) -> None:
    calls: list[tuple[int, int]] = []
    trials = 4 * BLOCK
    watched = mh.simulate(
        MIXED, trials, seed=2, threads=threads, progress=lambda done, total: calls.append((done, total))
    )
    assert watched.to_dict() == mh.simulate(MIXED, trials, seed=2, threads=threads, progress=False).to_dict()
    assert calls
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1] == (trials, trials)


def test_the_bar_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with_bar = mh.simulate(PLAIN, 2 * BLOCK, seed=2, progress=True)
    assert with_bar.to_dict() == mh.simulate(PLAIN, 2 * BLOCK, seed=2).to_dict()
    assert capsys.readouterr().out == ""


def test_what_the_progress_raises_comes_out() -> None:
    def refuse(done: int, total: int) -> None:
        raise LookupError

    for threads in (1, 2):
        with pytest.raises(LookupError):
            mh.simulate(PLAIN, 2 * BLOCK, seed=2, threads=threads, progress=refuse)


@BOTH
def test_tolerance_gives_one_answer(scenario: mh.Scenario) -> None:
    written = [mh.simulate(scenario, seed=5, threads=n, tolerance=0.003).to_dict() for n in (1, 2, 5)]
    assert written[0] == written[1] == written[2]
    blocks = written[0]["trials"] / BLOCK
    assert blocks in (1, 2, 4, 8, 16)


def test_tolerance_is_reached() -> None:
    outcome = mh.simulate(MIXED, seed=5, tolerance=0.002)
    assert outcome.trials is not None
    assert outcome.trials > BLOCK
    assert outcome.models_destroyed.standard_error < 0.002
    for distribution in (outcome.wounds_lost, outcome.models_destroyed, *outcome.by_model.values()):
        for k in range(1, len(distribution.pmf)):
            assert outcome.error_of(distribution.at_least(k)) < 0.002
            assert outcome.error_of(float(distribution.pmf[k])) < 0.002
    assert mh.simulate(MIXED, outcome.trials, seed=5).to_dict() == outcome.to_dict()


def test_what_never_happens_does_not_stop_a_run_too_early() -> None:
    # Nothing can be seen to happen here; (x + 2) / (n + 4) is still as unsure as its error.
    hopeless = mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": ["0x Rifle: A2 BS3+ S4 AP-1 D1"]},
            "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]},
        }
    )
    n = mh.simulate(hopeless, seed=1, tolerance=1e-5).trials
    assert n is not None
    p = 2 / (n + 4)
    assert (p * (1 - p) / n) ** 0.5 < 1e-5
    half = 2 / (n / 2 + 4)
    assert (half * (1 - half) / (n / 2)) ** 0.5 >= 1e-5


def test_trials_are_the_most_that_tolerance_takes() -> None:
    outcome = mh.simulate(PLAIN, BLOCK + 10, seed=5, tolerance=1e-9)
    assert outcome.trials == BLOCK + 10
    assert outcome.to_dict() == mh.simulate(PLAIN, BLOCK + 10, seed=5).to_dict()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"trials": 0}, "trials = 0: a number of trials from 1 to 10**11"),
        ({"trials": -5}, "trials = -5: a number of trials from 1 to 10**11"),
        ({"trials": 1e6}, "trials = 1000000.0: a number of trials from 1 to 10**11"),
        ({"trials": True}, "trials = true: a number of trials from 1 to 10**11"),
        ({"trials": 10**12}, "trials = 1000000000000: a number of trials from 1 to 10**11"),
        ({"seed": -1}, "seed = -1: a whole number from 0 to 2**64 - 1, or None to draw one"),
        ({"seed": 2**64}, "seed = 18446744073709551616: a whole number"),
        ({"seed": "7"}, 'seed = "7": a whole number'),
        ({"threads": 0}, "threads = 0: a number of threads from 1 to 1024, or None for all cores"),
        ({"tolerance": 0}, "tolerance = 0: a standard error above 0, such as 0.001"),
        ({"tolerance": float("nan")}, "tolerance = nan: a standard error above 0, such as 0.001"),
        ({"tolerance": "fine"}, 'tolerance = "fine": a standard error above 0, such as 0.001'),
        ({"scenario": {"attacker": 1}}, "make one with Scenario(...), from_dict or from_toml"),
    ],
)
def test_impossible_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(mh.InvalidScenario) as caught:
        mh.simulate(**{"scenario": PLAIN, **arguments})
    assert message in str(caught.value)
