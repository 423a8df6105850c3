"""The exact engine against all sequences of dice, and against Monte Carlo on random scenarios.

Chi-square tests reject at a probability of 1e-6 each: 300 scenarios with two tests raise a false alarm for 6
of 10,000 choices of the seeds, which are fixed; the means at five standard errors raise about as many.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2
from tests.enumerate_dice import enumerated
from tests.naive import COUNTS, Result
from tests.oracle import parts
from tests.oracle.agreement import ALLOWED, means
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.distribution import Distribution

TRIALS = 50_000
REJECT_AT = 1e-6


def small(*weapons: dict[str, Any], target: dict[str, Any], **keys: Any) -> dict[str, Any]:
    attacker = {"name": "Attacker", "weapons": list(weapons)} | keys.pop("attacker", {})
    return {"attacker": attacker, "target": {"name": "Target"} | target} | keys


def gun(*abilities: str, **keys: Any) -> dict[str, Any]:
    """Wounds T4 on 6+, so that few sequences reach the saves."""
    return {"name": "Gun", "A": 1, "S": 2, "AP": 0, "D": 1, "abilities": list(abilities)} | keys


def torrent(*abilities: str, **keys: Any) -> dict[str, Any]:
    return gun("TORRENT", *abilities, **keys)


SOLDIERS = {"models": ["2x Soldier: T4 Sv4+ W2"]}
MIXED = {"models": ["1x Shield: T4 Sv2+ InSv4+ W1", "2x Rank: T4 Sv6+ W1"]}
LED = {"models": ["1x Guard: T4 Sv4+ W2", "1x Captain: T4 Sv4+ InSv5+ W3 [CHARACTER, LEADER]"]}
TOUGH = {"models": ["2x Tough: T4 Sv5+ W2 FNP5+"]}
HALVED = {"models": [{"name": "Hull", "T": 4, "Sv": 5, "W": 4, "halve_damage": True, "damage_reduction": 1}]}
HURT = {
    "models": [
        {"name": "First", "T": 4, "Sv": 6, "W": 1},
        {"name": "Second", "count": 2, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
    ]
}

SMALL = {
    "hit, wound, save": small(gun(A=2, BS=4, S=3), target=SOLDIERS),
    "random attacks": small(torrent(A="D3"), target=SOLDIERS),
    "random damage": small(torrent(A=2, D="D3"), target=SOLDIERS),
    "damage of two dice": small(torrent(D="2D6"), target={"models": ["2x Soldier: T4 Sv4+ W9"]}),
    "sorted saves in a mixed unit": small(torrent(A=3, AP=-1), target=MIXED),
    "two batches": small(torrent(A=2, AP=-1), torrent(name="Second", S=3, AP=-2, D=2), target=MIXED),
    "FEEL NO PAIN": small(torrent(D=3), target=TOUGH),
    "SUSTAINED HITS and LETHAL HITS": small(
        gun("SUSTAINED HITS 1", "LETHAL HITS", BS=4, A=1), target=SOLDIERS
    ),
    "SUSTAINED HITS 2": small(gun("SUSTAINED HITS 2", BS=4), target={"models": ["4x Soldier: T4 Sv- W1"]}),
    "DEVASTATING WOUNDS": small(torrent("DEVASTATING WOUNDS", A=2, D=3), target=SOLDIERS),
    "DEVASTATING WOUNDS against FEEL NO PAIN": small(torrent("DEVASTATING WOUNDS", A=2, D=2), target=TOUGH),
    "PRECISION": small(torrent("PRECISION", A=3, AP=-1, D=2), target=LED),
    "PRECISION and DEVASTATING WOUNDS": small(
        torrent("PRECISION", "DEVASTATING WOUNDS", A=2, D="D3"), target=LED
    ),
    "re-rolls": small(
        gun(BS=4, modifiers={"reroll_hits": "failures", "reroll_wounds": "ones"}), target=SOLDIERS
    ),
    "a single re-roll of each kind": small(
        torrent(A=2, modifiers={"reroll_wounds": "one", "reroll_saves": "one"}), target=SOLDIERS
    ),
    "a single damage re-roll": small(
        torrent(A=2, D="D3", AP=-6, modifiers={"reroll_damage": "one"}), target=SOLDIERS
    ),
    "save re-rolls": small(torrent(A=2, modifiers={"reroll_saves": "failures"}), target=MIXED),
    "pools": small(torrent(A=3, S=3, modifiers={"extra_ap_on_critical_wound": 2}), target=MIXED),
    "modified damage": small(torrent(A=2, D="D6", modifiers={"damage": 1}), target=HALVED),
    "a wounded group": small(torrent(A=3, D=1), target=HURT),
    "hazards": small(
        torrent("HAZARDOUS", count=2, modifiers={"unmodified_wound_fails_to": 6}),
        target={"models": ["1x Soldier: T4 Sv4+ W1"]},
        attacker={"models": ["2x Bearer: T4 Sv3+ W1 FNP5+"]},
    ),
    "two attackers": {
        "attacker": [
            {"name": "One", "weapons": [torrent("DEVASTATING WOUNDS", A=1, D=2)]},
            {"name": "Two", "weapons": [torrent("BLAST", A=1, S=3)]},
        ],
        "target": {"name": "Target", "models": ["5x Soldier: T4 Sv4+ W1"]},
    },
}


def everything(result: Result) -> tuple[Any, ...]:
    alive = tuple(result.alive.values())
    rows = tuple(row[name] for row in result.by_weapon for name in COUNTS)
    own = (result.attacker_wounds_lost, result.attacker_models_destroyed, result.attackers_used)
    return (result.wounds_lost, result.models_destroyed, *own, alive, rows)


@pytest.mark.parametrize("name", SMALL)
def test_all_sequences_of_dice(name: str) -> None:
    scenario = mh.Scenario.from_dict(SMALL[name])
    outcome = mh.solve(scenario)
    seen = enumerated(scenario, everything)
    distributions = (
        *(outcome.wounds_lost, outcome.models_destroyed, outcome.attacker_wounds_lost),
        *(outcome.attacker_models_destroyed, outcome.attackers_used),
    )
    for place, distribution in enumerate(distributions):
        expected = np.zeros(len(distribution.pmf))
        for key, p in seen.items():
            expected[key[place]] += float(p)
        np.testing.assert_allclose(distribution.pmf, expected, atol=1e-12)
    for row, model in enumerate(outcome.names):
        left = sum((p * key[5][row] for key, p in seen.items()), Fraction(0))
        assert outcome.start[row] - outcome.by_model[model].mean == pytest.approx(float(left), abs=1e-12)
    for place, (row, step) in enumerate((row, step) for row in outcome.by_weapon for step in COUNTS):
        # A unit that is kept back has no rows in its plays.
        mean = sum((p * key[6][place] for key, p in seen.items() if place < len(key[6])), Fraction(0))
        assert row[step] == pytest.approx(float(mean), abs=1e-12), (row["weapon"], step)


def assert_quantiles_between(sampled: Distribution, exact: Distribution) -> None:
    for q in (0.1, 0.25, 0.5, 0.75, 0.9):
        slack = 5 * sqrt(q * (1 - q) / TRIALS)
        assert exact.quantile(q - slack) <= sampled.quantile(q) <= exact.quantile(q + slack)


def assert_same_distribution(sampled: Distribution, exact: Distribution) -> None:
    """Chi-square; counts that are expected less than 5 times are taken together."""
    observed, expected = sampled.pmf * TRIALS, exact.pmf * TRIALS
    assert not observed[exact.pmf <= 0].any()
    often = expected >= 5
    cells = [(observed[often], expected[often])]
    rest = float(expected[~often].sum())
    if rest > 0:
        cells.append((np.array([observed[~often].sum()]), np.array([rest])))
    seen, likely = (np.concatenate(part) for part in zip(*cells, strict=True))
    statistic = float(((seen - likely) ** 2 / np.maximum(likely, 0.5)).sum())
    assert chi2.sf(statistic, max(len(seen) - 1, 1)) > REJECT_AT


def check(scenario: mh.Scenario, seed: int) -> None:
    exact = mh.solve(scenario)
    sampled = mh.simulate(scenario, trials=TRIALS, seed=seed, progress=False)
    for name in ("wounds_lost", "models_destroyed"):
        one, other = getattr(sampled, name), getattr(exact, name)
        assert other.pmf.sum() == pytest.approx(1, abs=1e-12)
        assert abs(one.mean - other.mean) <= ALLOWED * other.sd / sqrt(TRIALS) + 1e-9
        assert_quantiles_between(one, other)
        assert_same_distribution(one, other)
    for name in ("attacker_wounds_lost", "attacker_models_destroyed", "attackers_used"):
        one, other = getattr(sampled, name), getattr(exact, name)
        assert abs(one.mean - other.mean) <= ALLOWED * sqrt(other.sd**2 + 4 / TRIALS) / sqrt(TRIALS) + 1e-9
    for name in exact.by_model:
        one, other = sampled.by_model[name], exact.by_model[name]
        assert abs(one.mean - other.mean) <= ALLOWED * sqrt(other.sd**2 + 4 / TRIALS) / sqrt(TRIALS) + 1e-9
    left, right = means(sampled), means(exact)
    assert left.keys() == right.keys()
    for name, value in right.items():
        if name.startswith("by_weapon"):
            # A step of a batch varies at most like a Poisson count of attacks that do 12 damage each.
            spread = sqrt((12 * abs(value) + 48 / TRIALS) / TRIALS)
            assert abs(left[name] - value) <= ALLOWED * spread + 1e-9, name


@pytest.mark.parametrize("index", range(300))
def test_random_scenarios_agree(index: int) -> None:
    check(random_scenarios(300, seed=99)[index], seed=index)


@pytest.mark.parametrize("names", parts.alone(), ids=" ".join)
def test_each_part_agrees(names: tuple[str, ...]) -> None:
    check(parts.scenario(*names), seed=4)
