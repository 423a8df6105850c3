"""Whatever is typed, pasted or downloaded: an answer or one of our errors, in bounded time.

The large profile (`pytest -m large`) runs the same for about twenty minutes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.trust.broken import (
    ABILITIES,
    DICE,
    FUZZED,
    MODEL_LINES,
    ODD,
    WEAPON_LINES,
    abilities,
    dice,
    ours,
    play,
)
from tests.trust.broken import model as read_model
from tests.trust.broken import weapon as read_weapon

import mathhammer as mh

QUICK = {"scenario": 80, "scenario text": 50, "roster text": 60, "roster tree": 60}
LONG_MINUTES = 2
SLOW = 20.0
"""Seconds that one input may take; what is legal and large takes a few."""
pytestmark = pytest.mark.usefixtures("nothing_left_to_compile")
any_rng = st.randoms(use_true_random=False)
fixed = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck), print_blob=False
)


def timed(read: Callable[[Any], None], value: Any) -> None:
    began = time.perf_counter()
    read(value)
    assert time.perf_counter() - began < SLOW


@pytest.mark.parametrize("name", FUZZED)
def test_only_our_errors(name: str) -> None:
    make, read = FUZZED[name]

    @settings(fixed, max_examples=QUICK.get(name, 120))
    @given(any_rng)
    def fuzz(rng: random.Random) -> None:
        timed(read, make(rng))

    fuzz()


@pytest.mark.large
@pytest.mark.parametrize("name", FUZZED)
def test_only_our_errors_for_long(name: str) -> None:
    make, read = FUZZED[name]
    ends = time.monotonic() + 60 * LONG_MINUTES
    seed = 0
    while time.monotonic() < ends:
        seed += 1
        try:
            timed(read, make(random.Random(seed)))
        except Exception as fault:
            raise AssertionError(f"random.Random({seed}) makes the input") from fault


@pytest.mark.parametrize(
    ("read", "lines"),
    [(read_weapon, WEAPON_LINES), (read_model, MODEL_LINES), (dice, DICE), (abilities, ABILITIES)],
)
def test_any_text_at_all(read: Callable[[Any], None], lines: tuple[str, ...]) -> None:
    letters = sorted({letter for line in lines for letter in line} | set("\n\t,;:[]()²٣½é+-–−x"))

    @settings(fixed, max_examples=200)
    @given(st.text(max_size=40) | st.text(letters, max_size=60))
    def fuzz(text: str) -> None:
        read(text)

    fuzz()


@pytest.mark.parametrize("kind", [mh.Weapon, mh.Model, mh.Unit, mh.Modifiers, mh.Conditions, mh.Choices])
def test_every_field_with_every_odd_value(kind: Any) -> None:
    base = {
        mh.Weapon: {"name": "a", "attacks": 1, "skill": 3, "strength": 4, "ap": 0, "damage": 1},
        mh.Model: {"name": "a", "toughness": 4, "save": 3, "wounds": 2},
        mh.Unit: {"name": "a"},
    }.get(kind, {})
    for name in kind.model_fields:
        for value in ODD:
            made = ours(kind.from_dict, {**base, name: value})
            assert made is None or kind.from_dict(made.to_dict()) == made


def test_a_large_legal_scenario_is_answered_or_refused() -> None:
    for attacks, count, models in ((2000, 1000, 1000), ("60D6", 50, 1000), (3, 1000, 12), (1, 3000 // 3, 1)):
        data = {
            "attacker": {
                "name": "A",
                "weapons": [
                    {"name": "G", "count": count, "A": attacks, "BS": 2, "S": 9, "AP": 0, "D": "60D6"}
                ],
            },
            "target": {"name": "B", "models": [{"name": "M", "count": models, "T": 4, "Sv": 7, "W": 5}]},
        }
        timed(lambda each: play(ours(mh.Scenario.from_dict, each)), data)
