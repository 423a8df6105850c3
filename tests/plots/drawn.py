"""Outcomes and tables to draw, made without an engine: pictures show what they are given."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pandas as pd

from mathhammer.outcome import Outcome


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
    return Outcome(
        engine="monte-carlo" if trials else "exact",
        attackers=(attacker,),
        target=target,
        names=("Shield",),
        start=np.array([models]),
        start_wounds=models,
        alive=(models - destroyed)[:, None],
        wounds_left=models - destroyed,
        weights=weights,
        used=np.array([0.0, 1.0]),
        attacker_wounds=np.ones(1),
        attacker_models=np.ones(1),
        by_weapon=by_weapon or (row(attacker, "Gun", 12.0),),
        after_attacker=(),
        trials=trials,
        seed=7 if trials else None,
        not_modelled=not_modelled,
        points_each=(worth,),
        attacker_points=points,
    )


def compared(
    values: dict[str, dict[str, float]], metric: str = "wounds_lost", error: float = 0.0
) -> pd.DataFrame:
    """The table of a comparison: attacker -> target -> value."""
    engine = "monte-carlo" if error else "exact"
    return pd.DataFrame(
        [
            {
                "attacker": attacker,
                "target": target,
                "metric": metric,
                "value": value,
                "standard_error": error,
                "engine": engine,
            }
            for attacker, row in values.items()
            for target, value in row.items()
        ]
    )


def swept_over(
    path: str, values: dict[Any, float], metric: str = "wounds_lost", error: float = 0.0
) -> pd.DataFrame:
    """The table of a sweep over one path: its value -> the metric."""
    return pd.DataFrame(
        {
            path: list(values),
            "metric": metric,
            "value": list(values.values()),
            "standard_error": error,
            "engine": "monte-carlo" if error else "exact",
        }
    )


def changed(differences: dict[str, float], metric: str = "wounds_lost", error: float = 0.0) -> pd.DataFrame:
    """The table of what-ifs: change -> difference, from 2."""
    return pd.DataFrame(
        {
            "change": list(differences),
            "metric": metric,
            "value": [2 + difference for difference in differences.values()],
            "difference": list(differences.values()),
            "standard_error": error,
            "engine": "monte-carlo" if error else "exact",
        }
    )
