"""Outcomes to draw, made without an engine: a picture shows what it is given, whoever computed it."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

from mathhammer.outcome import Outcome, assemble

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    yield
    plt.close("all")


def row(attacker: str, weapon: str, attacks: float, damage: float = 1.0, **changes: float) -> dict[str, Any]:
    """A funnel row: hits on 3+, wounds on 4+, half of them saved."""
    hits, wounds = attacks * 2 / 3, attacks / 3
    return {
        "attacker": attacker,
        "weapon": weapon,
        "count": int(attacks / 2),
        "attacks": attacks,
        "hits": hits,
        "critical_hits": attacks / 6,
        "wounds": wounds,
        "critical_wounds": hits / 6,
        "unsaved": wounds / 2,
        "mortal_wounds": 0.0,
        "damage": wounds / 2 * damage,
        "wounds_lost": wounds / 2 * damage * 0.9,
        "models_destroyed": wounds / 2 * 0.8,
        **changes,
    }


def binomial(
    attacker: str = "Gunners",
    target: str = "Wall",
    *,
    models: int = 10,
    p: float = 0.5,
    trials: int | None = None,
    points: float | None = 100.0,
    worth: float | None = 10.0,
    by_weapon: tuple[dict[str, Any], ...] | None = None,
    not_modelled: tuple[str, ...] = (),
) -> Outcome:
    """An outcome in which each of some one-wound models is destroyed with probability p."""
    destroyed = np.arange(models + 1)
    weights = np.array([comb(models, k) * p**k * (1 - p) ** (models - k) for k in destroyed])
    return assemble(
        engine="monte-carlo" if trials else "exact",
        attackers=[attacker],
        target=target,
        names=["Shield"],
        start=np.array([models]),
        start_wounds=models,
        alive=(models - destroyed)[:, None],
        wounds_left=models - destroyed,
        weights=weights,
        used=np.array([0.0, 1.0]),
        attacker_wounds=np.ones(1),
        attacker_models=np.ones(1),
        by_weapon=by_weapon or (row(attacker, "Gun", 12.0),),
        after_attacker=[],
        trials=trials,
        seed=7 if trials else None,
        not_modelled=not_modelled,
        points_each=[worth],
        attacker_points=points,
    )
