"""What the tests of this folder share: a statement of the rules as a scenario, a question and a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import mathhammer as mh

Question = str | Callable[[mh.Outcome], float]
WALL = "Wall: T4 Sv- W60"
"""One model that outlives everything and saves nothing: what it loses is what was dealt."""


def gun(skill: str | None = "3+", s: int = 4, ap: int = 0, d: str = "1", a: str = "1", can: str = "") -> str:
    """A ranged weapon in one line; without a skill it has TORRENT."""
    abilities = ", ".join(word for word in ("" if skill else "TORRENT", can) if word)
    return f"Gun: A{a} {f'BS{skill} ' if skill else ''}S{s} AP{ap} D{d} [{abilities}]"


def sure(s: int = 8, ap: int = 0, d: str = "1", a: str = "1", can: str = "") -> str:
    """A weapon that hits automatically, and wounds T4 on a 2+ if nothing else is said."""
    return gun(None, s, ap, d, a, can)


def model(name: str = "Wall", **profile: Any) -> dict[str, Any]:
    """A row of models that can be wounded by everything."""
    return {"name": name, "T": 4, "Sv": "-", "W": 60, **profile}


def fight(
    weapons: str | Sequence[Any],
    models: Any = WALL,
    *,
    own: dict[str, Any] | None = None,
    foe: dict[str, Any] | None = None,
    **more: Any,
) -> mh.Scenario:
    """A scenario; ``own`` and ``foe`` are further keys of the two units."""
    listed = weapons if isinstance(weapons, list) else [weapons]
    standing = models if isinstance(models, list) else [models]
    attacker = {"name": "Attacker", "weapons": listed, **(own or {})}
    target = {"name": "Target", "models": standing, **(foe or {})}
    return mh.Scenario.from_dict({"attacker": attacker, "target": target, **more})


def answer(question: Question, outcome: mh.Outcome) -> float:
    """A column of the funnel summed over the batches, or whatever is asked for."""
    if not isinstance(question, str):
        return float(question(outcome))
    return float(sum(row[question] for row in outcome.by_weapon))


def says(
    text: str,
    weapons: str | Sequence[Any],
    question: Question,
    expected: float,
    models: Any = WALL,
    **more: Any,
) -> Any:
    """One statement: weapons against models, with what else is so, have this answer to the question."""
    return pytest.param(weapons, models, more, question, expected, id=text)


def check(weapons: Any, models: Any, more: dict[str, Any], question: Question, expected: float) -> None:
    """Hold a statement against the exact engine."""
    found = answer(question, mh.solve(fight(weapons, models, **more)))
    assert found == pytest.approx(expected, abs=1e-9)
