"""Scenarios with known answers: the exact engine meets them, the two players of dice within noise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cases.expectation import asked_of_outcome, asked_of_play, close
from tests.naive import play_many

import mathhammer as mh

OWN = Path(__file__).parent / "engine.json"
SHARED = Path(__file__).parents[3] / "shared" / "cases" / "engine.json"
CASES: list[dict[str, Any]] = json.loads(OWN.read_text())
SHARED_CASES: list[dict[str, Any]] = json.loads(SHARED.read_text()) if SHARED.exists() else []
TRIALS = 40_000

own = pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
shared = pytest.mark.parametrize("case", SHARED_CASES, ids=lambda case: case["id"])


def check_exact(case: dict[str, Any]) -> None:
    outcome = mh.solve(mh.Scenario.from_dict(case["scenario"]))
    for key, expected in case["expected"].items():
        assert asked_of_outcome(outcome, key, expected)[0] == pytest.approx(expected, abs=1e-9), key


def check_sampled(case: dict[str, Any]) -> None:
    outcome = mh.simulate(mh.Scenario.from_dict(case["scenario"]), trials=TRIALS, seed=20, progress=False)
    for key, expected in case["expected"].items():
        value, error = asked_of_outcome(outcome, key, expected)
        # Funnel means and sds come without an error: attack dice vary by less than 5 per batch.
        assert close(value, expected, error if error is not None else 5 / TRIALS**0.5), key


@own
def test_exact_engine_meets_the_value(case: dict[str, Any]) -> None:
    check_exact(case)


@own
def test_monte_carlo_is_within_five_standard_errors(case: dict[str, Any]) -> None:
    check_sampled(case)


@own
def test_die_by_die_player_is_within_five_standard_errors(case: dict[str, Any]) -> None:
    played = play_many(mh.Scenario.from_dict(case["scenario"]), trials=300, seed=3)
    for key, expected in case["expected"].items():
        value, error = asked_of_play(played, case["scenario"], key, expected)
        assert close(value, expected, error), key


@shared
def test_exact_engine_meets_the_shared_value(case: dict[str, Any]) -> None:
    check_exact(case)


@shared
def test_monte_carlo_meets_the_shared_value(case: dict[str, Any]) -> None:
    check_sampled(case)
