"""The compiled loops against the same source run by Python: they give the same outcome, die for die."""

from __future__ import annotations

import json
import warnings
from functools import lru_cache
from typing import Any

import pytest
from tests.oracle import parts
from tests.oracle.plain_python import printed_without_compiling
from tests.strategies import random_scenarios

import mathhammer as mh

TRIALS = 60
CROWD = [f"Row {row}: T4 Sv{2 + row}+ W{1 + row % 2}" for row in range(4)]
CHARACTERS = [f"Leader {row}: T4 Sv3+ InSv4+ W2 [CHARACTER]" for row in range(2)]
HORDE = ["9x Grunt: T4 Sv5+ W1", "3x Guard: T4 Sv3+ W2"]


def fight(weapons: list[str], models: list[Any], **more: Any) -> mh.Scenario:
    attacker = {"name": "Attacker", "weapons": weapons, **more.pop("own", {})}
    return mh.Scenario.from_dict(
        {"attacker": attacker, "target": {"name": "Target", "models": models}, **more}
    )


@lru_cache
def scenarios() -> list[mh.Scenario]:
    """Every part alone, random ones, and those that need a rare way through the loops."""
    squad = ["Sergeant: T4 Sv3+ W2 [CHARACTER]", "2x Bearer: T4 Sv3+ W2", "1x Shield: T4 Sv2+ W3"]
    return [
        *(parts.scenario(*names) for names in parts.alone()),
        *random_scenarios(40, seed=8),
        fight(["10x Rifle: A2 BS3+ S4 AP-1 D1"], ["10x Grunt: T4 Sv3+ W2"]),
        fight(["0x Rifle: A2 BS3+ S4 AP-1 D1"], ["10x Grunt: T4 Sv3+ W2"]),
        fight(["3x Gun: A1 BS3+ S5 AP-1 D1 [DEVASTATING WOUNDS, PRECISION]"], [*CROWD, *CHARACTERS]),
        fight(["9x Gun: AD3 BS3+ S5 AP-1 D1 [SUSTAINED HITS D3, DEVASTATING WOUNDS]"], HORDE),
        fight(["6x Gun: A1 BS3+ S5 AP-1 D1 [HAZARDOUS]"], CROWD, own={"models": squad}),
        fight(["3x Gun: A2 BS3+ S5 AP-1 DD6"], [f"Giant {row}: T4 Sv{2 + row}+ W30" for row in range(5)]),
    ]


def told(scenario: mh.Scenario, trials: int) -> list[Any]:
    """What both engines say, as JSON has it."""
    simulated = mh.simulate(scenario, trials, seed=6, threads=1, progress=False)
    return list(json.loads(json.dumps([simulated.to_dict(), mh.solve(scenario).to_dict()])))


@pytest.fixture(scope="module")
def uncompiled() -> list[list[Any]]:
    """The same from a process that compiles nothing."""
    return printed_without_compiling("tests.oracle.test_uncompiled")


def close(one: Any, other: Any) -> bool:
    """Equal, numbers up to the last bits."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(close(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(close, one, other))
    return one == (pytest.approx(other, abs=1e-12) if isinstance(other, float) else other)


@pytest.mark.parametrize("index", range(len(scenarios())))
def test_the_same_outcome(uncompiled: list[list[Any]], index: int) -> None:
    simulated, solved = told(scenarios()[index], TRIALS)
    plainly_simulated, plainly_solved = uncompiled[index]
    assert simulated == plainly_simulated
    assert close(solved, plainly_solved)


if __name__ == "__main__":
    # The random bits overflow, as they do in compiled code without a word.
    warnings.filterwarnings("ignore", "overflow encountered in scalar")
    print(json.dumps([told(scenario, TRIALS) for scenario in scenarios()]))
