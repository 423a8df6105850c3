"""The case `bolters` answered by others: published packages, numpy, a plain loop, and fractions by hand.

Each function returns the distribution of models destroyed (`wh40kdc`: its mean). The other packages are
imported when they are asked for: they are extras of this project.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "by_dyce",
    "by_icepool",
    "by_numpy",
    "by_plain_python",
    "by_warhammer_stats",
    "by_wh40kdc",
    "truth",
]

Floats = NDArray[np.float64]

DICE, HITS_ON, WOUNDS_ON, SAVES_ON, MODELS, WOUNDS = 20, 3, 4, 4, 10, 2
"""Sv3+ against AP-1 saves on a 4+; D is 1."""


def truth() -> Floats:
    """In fractions: binomially many attacks are not saved, every second of them destroys a model."""
    unsaved = Fraction(7 - HITS_ON, 6) * Fraction(7 - WOUNDS_ON, 6) * Fraction(SAVES_ON - 1, 6)
    models = [Fraction(0)] * (MODELS + 1)
    for k in range(DICE + 1):
        models[min(k // WOUNDS, MODELS)] += comb(DICE, k) * unsaved**k * (1 - unsaved) ** (DICE - k)
    return np.array([float(p) for p in models])


def by_warhammer_stats() -> Floats:
    """`warhammer-stats`: exact, for the rules of an older edition, which agree here; no limit to the models."""
    from warhammer_stats import PMF, Attack, PMFCollection, Target, Weapon

    weapon = Weapon(
        bs=HITS_ON,
        shots=PMFCollection([PMF.static(DICE)]),
        strength=4,
        ap=1,
        damage=PMFCollection([PMF.static(1)]),
    )
    target = Target(toughness=4, save=3, invuln=7, fnp=7, wounds=WOUNDS)
    return np.array(Attack(weapon, target).run().kills_dist.values)


def by_wh40kdc() -> Callable[[], float]:
    """`wh40kdc`: averages only. Its dataset is loaded once, before it is asked."""
    from wh40kdc.cruncher import crunch
    from wh40kdc.data.dataset import Dataset

    profile = {"range": 24, "stats": {"A": 2, "BS": 3, "S": 4, "AP": -1, "D": 1}, "keywords": []}
    unit = {"id": "target", "profiles": [{"T": 4, "Sv": 3, "W": WOUNDS}], "keywords": []}
    question: dict[str, Any] = {
        "attacker": {"weapon": {"id": "rifle", "profiles": [profile]}, "profileIndex": 0},
        "target": {"unit": unit, "profileIndex": 0, "modelCount": MODELS},
        "modelsFiring": DICE // 2,
        "buffs": [],
        "context": {},
    }
    dataset = Dataset.embedded()
    return lambda: float(crunch(question, dataset)["stages"][-1]["expected"])


def by_icepool() -> Floats:
    """`icepool`: exact, of dice put together by hand."""
    from icepool import d6

    unsaved = (d6 >= HITS_ON) & (d6 >= WOUNDS_ON) & (d6 < SAVES_ON)
    models = (DICE @ unsaved).map(lambda k: min(k // WOUNDS, MODELS))
    return np.array([float(models.probability(k)) for k in range(MODELS + 1)])


def by_dyce() -> Floats:
    """`dyce`: the same."""
    from dyce import H

    d6 = H(6)
    unsaved = d6.ge(HITS_ON) * d6.ge(WOUNDS_ON) * d6.lt(SAVES_ON)
    models = (DICE @ unsaved).apply(lambda k: min(k // WOUNDS, MODELS))
    return np.array([models.get(k, 0) / models.total for k in range(MODELS + 1)])


def by_numpy(trials: int, seed: int = 1) -> Floats:
    """As one writes it in numpy: all dice of a step in one array, then attack after attack onto the models."""
    rng = np.random.default_rng(seed)
    shape = (trials, DICE)
    hits = rng.integers(1, 7, shape, np.uint8) >= HITS_ON
    wounds = hits & (rng.integers(1, 7, shape, np.uint8) >= WOUNDS_ON)
    unsaved = (wounds & (rng.integers(1, 7, shape, np.uint8) < SAVES_ON)).sum(axis=1)
    left = np.full(trials, WOUNDS)
    destroyed = np.zeros(trials, np.int64)
    for attack in range(unsaved.max()):
        left -= (attack < unsaved) & (destroyed < MODELS)
        gone = left == 0
        destroyed += gone
        left[gone] = WOUNDS
    return np.bincount(destroyed, minlength=MODELS + 1) / trials


def by_plain_python(trials: int, seed: int = 1) -> Floats:
    """As one writes it in Python: a loop over the dice."""
    source = random.Random(seed).random

    def d6() -> int:
        return int(source() * 6) + 1

    counts = np.zeros(MODELS + 1)
    for _ in range(trials):
        wounds = 0
        for _ in range(DICE):
            if d6() >= HITS_ON and d6() >= WOUNDS_ON:
                wounds += 1
        left, destroyed = WOUNDS, 0
        for save in sorted(d6() for _ in range(wounds)):
            if save >= SAVES_ON or destroyed == MODELS:
                break
            left -= 1
            if left == 0:
                left, destroyed = WOUNDS, destroyed + 1
        counts[destroyed] += 1
    return counts / trials
