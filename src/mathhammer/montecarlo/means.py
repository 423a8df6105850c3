"""The funnel of `by_weapon`: means before the saves in closed form, behind them from the tallies."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.montecarlo import memory as at
from mathhammer.montecarlo.arrays import Arrays
from mathhammer.montecarlo.tables import hit_roll, roll_once
from mathhammer.plan import Batch, Roll
from mathhammer.rules import CRITICAL, FAIL

__all__ = ["by_weapon_rows", "means_before_saves"]

Integers = NDArray[np.int64]


def by_weapon_rows(arrays: Arrays, sums: Integers, trials: int) -> list[dict[str, Any]]:
    """One row a batch, means over all trials.

    Parameters
    ----------
    sums : ndarray of int64
        A state of the kernels with the tallies of all trials.
    """
    plan = arrays.plan
    rolled = arrays.part(sums, at.ROLLED, int(np.prod(arrays.found))).reshape(arrays.found)
    tally = arrays.part(sums, at.TALLY, 3 * len(plan.batches)).reshape(-1, 3)
    inflicted = arrays.part(sums, at.INFLICTED, arrays.damage_tables)
    rows: list[dict[str, Any]] = []
    for b, batch in enumerate(plan.batches):
        row: dict[str, Any] = plan.empty_row(batch)
        for look, fives, flags in np.argwhere(rolled[b]).tolist():
            share = rolled[b, look, fives, flags] / trials
            for name, mean in means_before_saves(batch, look, fives, flags).items():
                row[name] += float(share * mean)
        damaging = float(tally[b, at.ZEROED])
        for table, damage in arrays.damage.items():
            if damage.batch == b and inflicted[table]:
                row["damage"] += float(inflicted[table] * damage.mean / trials)
                row["mortal_wounds"] += float(inflicted[table] * damage.mean / trials) * damage.mortal
                damaging += float(inflicted[table]) * (not damage.mortal)
        row["unsaved"] = damaging / trials
        row["wounds_lost"] = float(tally[b, at.WOUNDS] / trials)
        row["models_destroyed"] = float(tally[b, at.MODELS] / trials)
        rows.append(row)
    return rows


def means_before_saves(batch: Batch, look: int, fives: int, flags: int) -> dict[str, float]:
    """Expected attacks, hits, critical hits, wounds and critical wounds of a batch that is rolled.

    Equal to the means of dice rolled one by one; a single re-roll at hand is worth one more die with the
    chance that some die fails.
    """
    dice, roll = batch.attack_dice(look, fives), batch.rolls[look]
    number = np.arange(len(dice))
    extra = sum(x * p for x, p in enumerate(roll.sustained))
    automatic, hits = bool(roll.automatic), {FAIL: 0.0, 1: 0.0, CRITICAL: 0.0}
    for (face, _), share in roll_once(roll.hit, roll.hit_reroll, 0, 0).items():
        hits[face] += share
    tries = float(dice @ number)
    if roll.hit_one and flags & at.HIT_ONE and not automatic:
        # The first failed die is rolled again: as if one more die were rolled when there is a failure.
        tries += float(dice @ (1 - (1 - hits[FAIL]) ** number))
    critical = 0.0 if automatic else tries * hits[CRITICAL]
    normal = tries if automatic else tries * hits[1] + critical * (extra + (not roll.lethal))
    lethal = critical if roll.lethal else 0.0
    wounds = {FAIL: 0.0, 1: 0.0, CRITICAL: 0.0}
    for (face, _), share in roll_once(roll.wound, roll.wound_reroll, 0, 0).items():
        wounds[face] += share
    to_wound = normal
    if roll.wound_one and flags & at.WOUND_ONE:
        to_wound += _some_wound_fails(roll, dice, 1 - wounds[FAIL], flags)
    return {
        "attacks": float(dice @ number),
        "hits": normal + lethal,
        "critical_hits": critical,
        "wounds": to_wound * (wounds[1] + wounds[CRITICAL]) + lethal,
        "critical_wounds": to_wound * wounds[CRITICAL],
    }


def _some_wound_fails(roll: Roll, dice: NDArray[np.float64], wounding: float, flags: int) -> float:
    """Chance that at least one wound roll of a batch fails: 1 - E[wounding ** hits]."""
    none = 0.0
    state = {flags & at.HIT_ONE: 1.0}
    for n, probability in enumerate(dice):
        if n:
            after: dict[int, float] = {}
            for own, share in state.items():
                for (hits, _, left), chance in hit_roll(roll, own).items():
                    after[left] = after.get(left, 0.0) + share * chance * wounding**hits
            state = after
        none += probability * sum(state.values())
    return 1.0 - none
