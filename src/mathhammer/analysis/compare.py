"""Every attacker against every target, as one tidy table."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from mathhammer import targets as standard
from mathhammer.abilities import fold
from mathhammer.analysis.parallel import Lost, ShowProgress, run_all, threads_of_one
from mathhammer.analysis.question import (
    ALL_METRICS,
    TRIALS,
    Answer,
    Engine,
    Question,
    answer,
    checked_metrics,
    make_seed,
    randomness,
)
from mathhammer.errors import InvalidScenario, MathhammerWarning, Problem, nearest
from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
from mathhammer.units import Modifiers, Unit

__all__ = ["LOST", "compare", "one_weapon", "pivot", "table_of", "words_of"]

LOST = "lost"
"""Stands in the column ``engine`` where a worker was killed each time: the value is NaN."""

Attackers = Unit | tuple[Unit, str] | Sequence[Unit | tuple[Unit, str]]
Targets = Unit | str | Iterable[Unit | str]


def compare(
    attackers: Attackers,
    targets: Targets,
    metrics: str | Sequence[str] = ALL_METRICS,
    *,
    engine: Engine = "auto",
    conditions: Conditions | Mapping[str, Any] | None = None,
    modifiers: Modifiers | Mapping[str, Any] | None = None,
    choices: Choices | Mapping[str, Any] | None = None,
    trials: int = TRIALS,
    seed: int | None = None,
    jobs: int | None = None,
    progress: ShowProgress = None,
) -> pd.DataFrame:
    """Every attacker against every target.

    Parameters
    ----------
    attackers : Unit, (Unit, weapon name), or a list of these
        A pair is one weapon of the unit on its own (all its modes), against the points of the whole unit. A
        unit with ranged and melee weapons shoots, unless `conditions` name the phase.
    targets : Unit, name of a standard target, or a list of these
        ``mathhammer.targets`` is all standard targets; names as in `mathhammer.targets.resolve`.
    metrics : str or sequence of str
        wounds_lost, models_destroyed, unit_destroyed (the chance to destroy the unit), points_destroyed, each
        also with ``_per_100_points`` of the attacker; default all.
    engine : {"auto", "exact", "monte-carlo"}
        auto: exact where it can, else Monte Carlo; the column ``engine`` says which.
    conditions, modifiers, choices : objects or mappings with their keys
        For every attack.
    trials, seed : int
        For Monte Carlo. All cells use the same seed, so that each is what ``simulate`` gives with it.
    jobs : int, optional
        Processes, as joblib's n_jobs; default joblib's current configuration, one process unless set. With
        ``joblib.parallel_config(backend="dask")`` the work goes to a Dask cluster.
    progress : bool or callable, optional
        Default: a bar on stderr after 2 s, on a terminal or in Jupyter. A callable gets (done, total).

    Returns
    -------
    DataFrame
        Columns attacker, target, metric, value, standard_error, engine; a row for every attacker, target and
        metric, in the order given. Metrics that need points are left out where points are not known. A name
        that stands twice is numbered. ``attrs``: ``points`` (attacker -> points), ``assumed`` (which phase
        and which choices were taken), ``not_modelled``, ``left_out``, ``trials`` and ``seed`` (None when all
        is exact). Where a worker was killed each time, the value is NaN and the engine "lost", and a
        `MathhammerWarning` names the cells.

    Raises
    ------
    InvalidScenario
        For anything that cannot fight, named as attackers[0] or targets[1]; UnsupportedScenario when the
        exact engine is asked for and cannot.

    Examples
    --------
    >>> rifles = Unit(name="Rifles", points=80, weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
    >>> frame = compare(rifles, ["chaff", "marines"], "models_destroyed")
    >>> pivot(frame).round(2).to_dict("index")
    {'Rifles': {'chaff': 8.89, 'marines': 1.42}}
    """
    names = checked_metrics(metrics)
    fighters, fought = _attackers(attackers), _targets(targets)
    around = {
        key: value
        for key, value in (("conditions", conditions), ("modifiers", modifiers), ("choices", choices))
        if value is not None
    }
    drawn = make_seed(seed)
    threads = threads_of_one(jobs)
    assumed: list[str] = []
    comparisons: list[_Comparison] = []
    asked = (names, engine, trials, drawn, threads)
    for row, fighter in enumerate(fighters):
        around_it = _with_phase(fighter, around, assumed)
        for column, target in enumerate(fought):
            comparison = _Comparison(fighter, target, around_it, asked)
            if _can_be_first_to_fail(fighter, row, column):
                try:
                    comparison.question()
                except InvalidScenario as fault:
                    problems = [_seen(problem, row, column) for problem in fault.problems]
                    raise InvalidScenario(problems) from None
            comparisons.append(comparison)
    answers = run_all(_answer_of, comparisons, jobs=jobs, progress=progress, noun="comparisons")
    cells = [
        {"attacker": fighter, "target": target} for fighter in _labels(fighters) for target in _labels(fought)
    ]
    frame = table_of(cells, names, answers)
    frame.attrs |= {
        "points": {label: unit.points for label, unit in zip(_labels(fighters), fighters, strict=True)},
        "assumed": list(dict.fromkeys([*assumed, *frame.attrs["assumed"]])),
        **randomness(frame["engine"], trials, drawn),
    }
    return frame


class _Comparison(NamedTuple):
    """One cell: its scenario is made where it is answered, as that is a tenth of the work."""

    attacker: Unit
    target: Unit
    around: Mapping[str, Any]
    asked: tuple[tuple[str, ...], Engine, int, int, int | None]

    def question(self) -> Question:
        return Question(Scenario(attacker=self.attacker, target=self.target, **self.around), *self.asked)


def _answer_of(comparison: _Comparison) -> Answer:
    return answer(comparison.question())


def _can_be_first_to_fail(fighter: Unit, row: int, column: int) -> bool:
    """Whether a cell can show a fault that no cell above it, or left of it, has shown.

    What is wrong with an attacker shows at any target, and what is wrong with a target at any attacker, unless the
    attacker has choices of its own that name models of the target.
    """
    return row == 0 or column == 0 or isinstance(fighter, Attacker)


def table_of(
    cells: Sequence[Mapping[str, Any]],
    metrics: Sequence[str],
    answers: Sequence[Answer | Lost[Any]],
) -> pd.DataFrame:
    """The tidy table: the columns of each cell, then metric, value, standard_error, engine.

    Raises
    ------
    InvalidScenario
        When not one of the metrics has a value anywhere, for want of points.
    """
    rows: list[dict[str, Any]] = []
    left_out: dict[str, int] = {}
    lost: list[str] = []
    for cell, found in zip(cells, answers, strict=True):
        if isinstance(found, Lost):
            lost.append(" / ".join(map(str, cell.values())))
            rows += [
                {**cell, "metric": name, "value": math.nan, "standard_error": math.nan, "engine": LOST}
                for name in metrics
            ]
            continue
        for name, estimate in zip(metrics, found.estimates, strict=True):
            if estimate is None:
                left_out[name] = left_out.get(name, 0) + 1
            else:
                value = {"value": estimate.value, "standard_error": estimate.standard_error}
                rows.append({**cell, "metric": name, **value, "engine": found.engine})
    if not rows:
        remedy = "needs points: give them to the attackers and targets (Unit points=...)"
        raise InvalidScenario.at("metrics", list(metrics), remedy)
    if lost:
        warnings.warn(f"no result, a worker was killed: {', '.join(lost)}", MathhammerWarning, stacklevel=3)
    frame = pd.DataFrame(rows)
    frame.attrs["left_out"] = [
        f"{name}: {count} of {len(cells)} without points" for name, count in left_out.items()
    ]
    frame.attrs |= words_of(found for found in answers if isinstance(found, Answer))
    return frame


def words_of(answers: Iterable[Answer]) -> dict[str, list[str]]:
    """What was assumed and what is not modelled, each said once, for the ``attrs`` of a table."""
    assumed: dict[str, None] = {}
    not_modelled: dict[str, None] = {}
    for found in answers:
        assumed |= dict.fromkeys(found.assumed)
        not_modelled |= dict.fromkeys(found.not_modelled)
    return {"assumed": list(assumed), "not_modelled": list(not_modelled)}


def pivot(frame: pd.DataFrame, metric: str | None = None, *, column: str = "value") -> pd.DataFrame:
    """Attackers down, targets across, in the order of the table.

    Parameters
    ----------
    frame : DataFrame
        Of `compare`.
    metric : str, optional
        Needed when the table holds several.
    column : str
        ``value``, ``standard_error`` or ``engine``.

    Returns
    -------
    DataFrame

    Raises
    ------
    InvalidScenario
        For a metric or column that the table does not hold.
    """
    held = list(dict.fromkeys(frame["metric"]))
    if metric is None and len(held) > 1:
        raise InvalidScenario.at("metric", None, f"the table holds several, name one: {', '.join(held)}")
    metric = held[0] if metric is None else metric
    if metric not in held:
        left_out = [line for line in frame.attrs.get("left_out", []) if line.startswith(f"{metric}:")]
        hint = f" ({left_out[0]})" if left_out else nearest(metric, held) or f"; it has {', '.join(held)}"
        raise InvalidScenario.at("metric", metric, f"the table does not hold it{hint}")
    if column not in ("value", "standard_error", "engine"):
        raise InvalidScenario.at("column", column, "one of value, standard_error, engine")
    rows = frame[frame["metric"] == metric]
    across = rows.pivot(index="attacker", columns="target", values=column)
    return across.reindex(index=rows["attacker"].unique(), columns=rows["target"].unique())


def one_weapon(unit: Unit, name: str) -> Unit:
    """The unit with one of its weapons only (all modes of it), named ``UNIT: WEAPON``.

    Raises
    ------
    InvalidScenario
        When the unit has no such weapon.

    Examples
    --------
    >>> squad = Unit(name="Squad", weapons=["4x Rifle: A2 BS3+ S4 AP-1 D1", "1x Gun: A3 BS4+ S5 AP-1 D2"])
    >>> print(one_weapon(squad, "gun"))
    Squad: Gun
      1x Gun: A3 BS4+ S5 AP-1 D2
    """
    chosen = [
        weapon
        for weapon in unit.weapons
        if fold(name) in (fold(weapon.name), fold(weapon.mode[0]) if weapon.mode else None)
    ]
    if not chosen:
        known = [weapon.name for weapon in unit.weapons]
        hint = nearest(name, known) or f"; it has {', '.join(known) or 'none'}"
        raise InvalidScenario.at("weapon", name, f"{unit.name} has no such weapon{hint}")
    same = {fold(weapon.name) for weapon in chosen}
    label = chosen[0].mode[0] if chosen[0].mode and len(same) > 1 else chosen[0].name
    return unit.replaced(name=f"{unit.name}: {label}", weapons=chosen)


def _attackers(given: Attackers) -> list[Unit]:
    items: Sequence[Any] = [given] if isinstance(given, Unit) or _is_pair(given) else list(given)
    units = []
    for index, item in enumerate(items):
        try:
            if _is_pair(item):
                units.append(one_weapon(*item))
            elif isinstance(item, Unit):
                units.append(item)
            else:
                raise InvalidScenario.at("", item, "write a Unit, or (Unit, weapon name)")
        except InvalidScenario as fault:
            raise fault.under(f"attackers[{index}]") from None
    if not units:
        raise InvalidScenario.at("attackers", [], "needs at least one attacking unit")
    return units


def _is_pair(item: Any) -> bool:
    return (
        isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], Unit) and isinstance(item[1], str)
    )


def _targets(given: Targets) -> list[Unit]:
    units: list[Unit] = []
    for index, item in enumerate([given] if isinstance(given, Unit | str) else given):
        try:
            if not isinstance(item, Unit | str):
                raise InvalidScenario.at("", item, "write a Unit, or the name of a standard target")
            units += [item] if isinstance(item, Unit) else standard.resolve(item)
        except InvalidScenario as fault:
            raise fault.under(f"targets[{index}]") from None
    if not units:
        raise InvalidScenario.at("targets", [], "needs at least one target")
    return units


def _with_phase(attacker: Unit, around: Mapping[str, Any], assumed: list[str]) -> Mapping[str, Any]:
    """Where nothing says the phase of a unit with weapons of both kinds, it shoots."""
    given = around.get("conditions", Conditions())
    conditions = given if isinstance(given, Conditions) else Conditions.from_dict(given)
    own = attacker.conditions.phase if isinstance(attacker, Attacker) else None
    if (own or conditions.phase) is None and len({weapon.melee for weapon in attacker.weapons}) == 2:
        assumed.append(
            f'{attacker.name} attacks with its ranged weapons; phase "fight" takes the melee weapons'
        )
        return {**around, "conditions": conditions.replaced(phase="shooting")}
    return around


def _seen(problem: Problem, row: int, column: int) -> Problem:
    """A problem of one cell, with the path of the argument that it came from."""
    for side, argument in (("attacker", f"attackers[{row}]"), ("target", f"targets[{column}]")):
        if problem.path.startswith((f"{side}.", f"{side}[")) or problem.path == side:
            return Problem(argument + problem.path[len(side) :], problem.value, problem.remedy)
    return Problem(problem.path, problem.value, f"{problem.remedy} (attackers[{row}], targets[{column}])")


def _labels(units: Sequence[Unit]) -> list[str]:
    """Names, numbered where one stands several times."""
    seen: dict[str, int] = {}
    labels = []
    for unit in units:
        seen[unit.name] = seen.get(unit.name, 0) + 1
        labels.append(unit.name if seen[unit.name] == 1 else f"{unit.name} ({seen[unit.name]})")
    return labels
