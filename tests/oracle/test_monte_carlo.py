"""The Monte Carlo engine against the die-by-die player; `agreement` states the false-alarm rate."""

from __future__ import annotations

import pytest
from tests.naive import play_many
from tests.oracle import parts
from tests.oracle.agreement import ALLOWED, worst
from tests.strategies import random_scenarios

import mathhammer as mh

TRIALS = 20_000


def check(scenario: mh.Scenario, plays: int, seed: int) -> None:
    outcome = mh.simulate(scenario, trials=TRIALS, seed=seed, progress=False)
    deviation, where = worst(outcome, play_many(scenario, plays, seed))
    assert deviation <= ALLOWED, where


def label(names: tuple[str, ...]) -> str:
    return " with ".join(names)


@pytest.mark.parametrize("names", parts.alone(), ids=label)
def test_each_part_alone(names: tuple[str, ...]) -> None:
    check(parts.scenario(*names), plays=1000, seed=1)


@pytest.mark.parametrize("names", parts.pairs(), ids=label)
def test_each_pair_that_touches_the_same_step(names: tuple[str, ...]) -> None:
    check(parts.scenario(*names), plays=200, seed=2)


@pytest.mark.parametrize("index", range(60))
def test_random_scenarios(index: int) -> None:
    check(random_scenarios(60, seed=2024)[index], plays=400, seed=index)


@pytest.mark.large
@pytest.mark.parametrize("names", parts.pairs(), ids=label)
def test_each_pair_at_length(names: tuple[str, ...]) -> None:
    check(parts.scenario(*names), plays=10_000, seed=3)


@pytest.mark.large
@pytest.mark.parametrize("index", range(1000))
def test_more_random_scenarios(index: int) -> None:
    check(random_scenarios(1000, seed=7)[index], plays=4000, seed=index)
