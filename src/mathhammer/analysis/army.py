"""A whole army against targets or another army, shooting and fighting, and who should shoot at whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from mathhammer.analysis.compare import pivot, table_of, whole
from mathhammer.analysis.fights import Targets, labels, seen_from, targets_of
from mathhammer.analysis.parallel import ShowProgress, run_all, threads_of_one
from mathhammer.analysis.question import (
    Engine,
    Question,
    answer,
    checked_frame,
    checked_metrics,
    make_seed,
    randomness,
)
from mathhammer.arguments import items_of, record_of
from mathhammer.errors import InvalidScenario, nearest
from mathhammer.scenario import Attacker, Conditions, Scenario
from mathhammer.units import Unit

__all__ = ["METRICS", "army_table", "assign", "versus"]

Phase = Literal["shooting", "fight"]
Units = Unit | Iterable[Unit]

PHASES: tuple[Phase, ...] = ("shooting", "fight")
METRICS = ("unit_destroyed", "points_destroyed", "points_destroyed_per_100_points")
TRIALS = 10_000
MATRIX_TRIALS = 2_000
"""Trials of one cell: a matrix of two armies has a thousand, and each says its error."""

MINE, THEIRS = "mine", "theirs"


def army_table(
    units: Units,
    targets: Targets = "all",
    metrics: str | Sequence[str] = METRICS,
    *,
    phases: Sequence[Phase] = PHASES,
    conditions: Conditions | Mapping[str, Any] | None = None,
    engine: Engine = "auto",
    trials: int = TRIALS,
    seed: int | None = None,
    jobs: int | None = None,
    progress: ShowProgress = None,
) -> pd.DataFrame:
    """Each unit's shooting and fighting against each target.

    Parameters
    ----------
    units : Unit or iterable of Unit
        An army, such as `Roster.formations`. Names that stand several times are numbered.
    targets : Unit, str, or a list of these
        Units, or names as in `mathhammer.targets.resolve`; default all standard targets.
    metrics : str or sequence of str
        As in `compare`; default the chance to destroy, expected points destroyed, and these per 100 points.
    phases : sequence of {"shooting", "fight"}
        A unit without weapons for a phase has no rows in it.
    conditions : Conditions or mapping
        For every attack; the phase is set for each row.
    engine, trials, seed, jobs, progress
        As in `compare`.

    Returns
    -------
    DataFrame
        Columns phase, attacker, target, metric, value, standard_error, engine: sortable, and `pivot` and
        `plots.heat_map` take the rows of one phase. ``attrs`` as of `compare`; ``left_out`` also names units
        without weapons for a phase.

    Raises
    ------
    InvalidScenario
        For anything that cannot fight.

    Examples
    --------
    >>> arms = ["5x Bow: A2 BS3+ S4 AP0 D1", "5x Pike: A3 WS3+ S5 AP-1 D1"]
    >>> guards = Unit(name="Guards", points=80, weapons=arms)
    >>> table = army_table(guards, ["chaff"], "points_destroyed", engine="exact")
    >>> table[["phase", "attacker", "value"]].round(1)
          phase attacker  value
    0  shooting   Guards   18.5
    1     fight   Guards   33.3
    """
    sides = _Side("units", _units(units, "units")), _Side("targets", targets_of(targets))
    work = [({"phase": phase}, *sides) for phase in _phases(phases)]
    return _table(work, metrics, conditions, engine, trials, seed, jobs, progress)


def versus(
    mine: Units,
    theirs: Units,
    metrics: str | Sequence[str] = METRICS,
    *,
    phases: Sequence[Phase] = PHASES,
    conditions: Conditions | Mapping[str, Any] | None = None,
    engine: Engine = "monte-carlo",
    trials: int = MATRIX_TRIALS,
    seed: int | None = None,
    jobs: int | None = None,
    progress: ShowProgress = None,
) -> pd.DataFrame:
    """Each of my units against each of theirs, and what they do back.

    Parameters
    ----------
    mine, theirs : Unit or iterable of Unit
        Two armies.
    metrics, phases, conditions, engine, trials, seed, jobs, progress
        As in `army_table`; Monte Carlo by default, which is quicker for hundreds of pairs.

    Returns
    -------
    DataFrame
        As of `army_table`, with a first column ``side``: "mine" where my unit attacks, "theirs" where theirs
        does. `assign` makes the best of it.

    Raises
    ------
    InvalidScenario
        For anything that cannot fight.

    Examples
    --------
    >>> arms = ["5x Bow: A2 BS3+ S4 AP0 D1"]
    >>> bows = Unit(name="Bows", points=80, models=["5x Archer: T3 Sv5+ W1"], weapons=arms)
    >>> wall = Unit(name="Wall", points=90, models=["3x Shield: T4 Sv2+ W3"])
    >>> versus(bows, wall, "unit_destroyed", phases=["shooting"], seed=1)[["side", "attacker", "target"]]
       side attacker target
    0  mine     Bows   Wall
    """
    own, other = _Side("mine", _units(mine, "mine")), _Side("theirs", _units(theirs, "theirs"))
    work = [
        ({"side": attackers.path, "phase": phase}, attackers, targets)
        for attackers, targets in ((own, other), (other, own))
        for phase in _phases(phases)
    ]
    return _table(work, metrics, conditions, engine, trials, seed, jobs, progress)


def assign(
    frame: pd.DataFrame,
    metric: str = "points_destroyed",
    *,
    phase: Phase = "shooting",
    side: str = MINE,
    targets: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One target for each attacker, so that the sum of a metric is as large as it can be.

    Parameters
    ----------
    frame : DataFrame
        Of `army_table` or `versus`.
    metric : str
        "points_destroyed", or "unit_destroyed" for the chance to kill.
    phase : {"shooting", "fight"}
    side : {"mine", "theirs"}
        Of `versus`.
    targets : sequence of str, optional
        The units that shall die; default all.

    Returns
    -------
    DataFrame
        Columns attacker, target, metric, value; ``attrs["total"]`` is the sum. No unit is attacked twice:
        with more attackers than targets, those that would add least have none.

    Raises
    ------
    InvalidScenario
        For a metric or target that the table does not hold.

    Examples
    --------
    >>> cells = {"attacker": ["a", "a", "b", "b"], "target": ["x", "y"] * 2, "value": [9.0, 8.0, 7.0, 1.0]}
    >>> frame = pd.DataFrame({"phase": "shooting", "metric": "points_destroyed", **cells})
    >>> assign(frame)[["attacker", "target"]].values.tolist(), assign(frame).attrs["total"]
    ([['a', 'y'], ['b', 'x']], 15.0)
    """
    from scipy.optimize import linear_sum_assignment

    rows = frame[checked_frame(frame, "phase", of="army_table")["phase"] == phase]
    if "side" in rows:
        rows = rows[rows["side"] == side]
    if rows.empty:
        raise InvalidScenario.at("phase", phase, "nobody attacks in it")
    values = pivot(rows.assign(standard_error=0.0, engine=""), metric)
    if targets is not None:
        for name in targets:
            if name not in values:
                hint = nearest(name, values.columns) or f"; it has {', '.join(values.columns)}"
                raise InvalidScenario.at("targets", name, f"the table does not hold it{hint}")
        values = values[list(targets)]
    gains = np.nan_to_num(values.to_numpy(dtype=float))
    pairs = zip(*linear_sum_assignment(gains, maximize=True), strict=True)
    chosen = [(attacker, target) for attacker, target in pairs if gains[attacker, target] > 0]
    result = pd.DataFrame(
        [(values.index[a], values.columns[t], metric, gains[a, t]) for a, t in chosen],
        columns=["attacker", "target", "metric", "value"],
    )
    result.attrs["total"] = float(sum(gains[a, t] for a, t in chosen))
    return result


class _Side:
    """Units of one argument, with names that stand once."""

    def __init__(self, path: str, units: Sequence[Unit]) -> None:
        self.path = path
        self.units = list(zip(labels(units), units, strict=True))


def _table(
    work: Sequence[tuple[dict[str, str], _Side, _Side]],
    metrics: str | Sequence[str],
    conditions: Conditions | Mapping[str, Any] | None,
    engine: Engine,
    trials: int,
    seed: int | None,
    jobs: int | None,
    progress: ShowProgress,
) -> pd.DataFrame:
    given = record_of(Conditions, conditions, "conditions")
    names, drawn, threads = checked_metrics(metrics), make_seed(seed), threads_of_one(jobs)
    cells: list[dict[str, str]] = []
    asked: dict[tuple[str, Unit, Unit], int] = {}
    questions: list[Question] = []
    answer_of: list[int] = []
    left_out: dict[str, None] = {}
    for keys, attackers, targets in work:
        around = given.replaced(phase=keys["phase"])
        for row, (name, attacker) in enumerate(attackers.units):
            if not any(weapon.melee == (keys["phase"] == "fight") for weapon in attacker.weapons):
                left_out[f"{keys['phase']}: {name} has no weapons for it"] = None
                continue
            if isinstance(attacker, Attacker) and attacker.conditions.phase not in (None, keys["phase"]):
                left_out[f"{keys['phase']}: {name} names another phase"] = None
                continue
            for column, (against, target) in enumerate(targets.units):
                # Armies repeat units: the same fight is computed once.
                fight = (keys["phase"], attacker, target)
                if fight not in asked:
                    asked[fight] = len(questions)
                    try:
                        scenario = Scenario(attacker=attacker, target=target, conditions=around)
                    except InvalidScenario as fault:
                        raise seen_from(
                            fault, f"{attackers.path}[{row}]", f"{targets.path}[{column}]"
                        ) from None
                    questions.append(Question(scenario, names, engine, trials, drawn, threads))
                answer_of.append(asked[fight])
                cells.append({**keys, "attacker": name, "target": against})
    if not questions:
        raise InvalidScenario.at("units", [], "nobody has a weapon for these phases")
    answers = run_all(answer, questions, jobs=jobs, progress=progress, noun="attacks")
    frame = table_of(cells, names, [answers[at] for at in answer_of])
    frame.attrs["left_out"] += left_out
    frame.attrs["points"] = _points(attackers for _, attackers, _ in work)
    frame.attrs |= randomness(frame["engine"], trials, drawn)
    return whole(frame, answers)


def _points(sides: Iterable[_Side]) -> dict[str, float | None]:
    """Points of the attackers by name; None where two armies have the same name for different points."""
    points: dict[str, float | None] = {}
    for name, unit in (pair for side in sides for pair in side.units):
        points[name] = unit.points if points.get(name, unit.points) == unit.points else None
    return points


def _phases(phases: Sequence[Phase]) -> tuple[str, ...]:
    remedy = 'write a list of "shooting" and "fight"'
    chosen: list[str] = items_of(phases, str, "phases", remedy)
    for index, phase in enumerate(chosen):
        if phase not in PHASES:
            raise InvalidScenario.at(
                f"phases[{index}]", phase, 'is no phase of attacks: "shooting" or "fight"'
            )
    if not chosen:
        raise InvalidScenario.at("phases", [], "name at least one")
    return tuple(dict.fromkeys(chosen))


def _units(given: Any, path: str) -> list[Unit]:
    remedy = "write a Unit, such as those of Roster.units"
    units = items_of(given, Unit, path, remedy)
    for index, unit in enumerate(units):
        if not isinstance(unit, Unit):
            raise InvalidScenario.at(f"{path}[{index}]", unit, remedy)
    if not units:
        raise InvalidScenario.at(path, [], "needs at least one unit")
    return units
