"""Every attacker against every target, as one tidy table."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from mathhammer.analysis.fights import Attackers, Fight, Fights, Targets, fights_of, labels
from mathhammer.analysis.parallel import Lost, ShowProgress, run_all, threads_of_one, unfinished
from mathhammer.analysis.question import (
    ALL_METRICS,
    PER_100_POINTS,
    TRIALS,
    Answer,
    Engine,
    Question,
    answer,
    checked_frame,
    checked_metrics,
    make_seed,
    randomness,
)
from mathhammer.errors import InvalidScenario, MathhammerWarning, nearest
from mathhammer.scenario import Choices, Conditions
from mathhammer.units import Modifiers

__all__ = [
    "LOST",
    "Comparison",
    "InterruptedTable",
    "compare",
    "comparisons_of",
    "pivot",
    "table_of",
    "table_of_fights",
    "whole",
    "without_points",
    "words_of",
]

LOST = "lost"
"""Stands in the column ``engine`` where a worker was killed each time, or Ctrl-C came first: the value is NaN."""


class InterruptedTable(KeyboardInterrupt):
    """A table was interrupted.

    Parameters
    ----------
    frame : DataFrame
        What there is of it, with NaN for the rest; also an attribute.
    said : str
        How far it came.

    Examples
    --------
    >>> str(InterruptedTable(pd.DataFrame(), "interrupted after 2 of 3"))
    'interrupted after 2 of 3'
    """

    def __init__(self, frame: pd.DataFrame, said: str) -> None:
        super().__init__(said)
        self.frame = frame

    def __reduce__(self) -> tuple[type[InterruptedTable], tuple[pd.DataFrame, str]]:
        return type(self), (self.frame, str(self))


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
    attackers : Unit, (Unit, weapon name), (Unit, Modifiers), or a list of these
        With a name: that weapon of the unit on its own (all its modes), against the points of the whole unit.
        With `Modifiers`: for all its attacks, beside its own. A unit with ranged and melee weapons shoots,
        unless `conditions` name the phase.
    targets : Unit, name of a standard target, or a list of these
        ``mathhammer.targets`` is all standard targets; names as in `mathhammer.targets.resolve`.
    metrics : str or sequence of str
        wounds_lost, models_destroyed, unit_destroyed (the chance to destroy the unit), points_destroyed, each
        also with ``_per_100_points`` of the attacker; default all.
    engine : {"auto", "exact", "monte-carlo"}
        auto: exact where it can, else Monte Carlo; the column ``engine`` says which.
    conditions, modifiers, choices : objects or mappings with their keys
        For every attack; not with modifiers of single attackers.
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
    InterruptedTable
        On Ctrl-C, a KeyboardInterrupt with what there is as ``frame``; its other values are NaN.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> rifles = Unit(name="Rifles", points=80, weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
    >>> frame = compare(rifles, ["chaff", "marines"], "models_destroyed")
    >>> pivot(frame).round(2).to_dict("index")
    {'Rifles': {'chaff': 8.89, 'marines': 1.42}}
    """
    fights = fights_of(attackers, targets, conditions, modifiers, choices)
    comparisons = comparisons_of(fights, metrics, engine, trials, seed, jobs)
    answers = run_all(_answer_of, comparisons, jobs=jobs, progress=progress, noun="comparisons")
    return whole(table_of_fights(fights, comparisons[0], answers), answers)


class Comparison(NamedTuple):
    """A fight, and what is asked of it beside the scenario."""

    fight: Fight
    metrics: tuple[str, ...]
    engine: Engine
    trials: int
    seed: int
    threads: int | None

    def question(self) -> Question:
        """Its scenario is made here, where it is answered."""
        return Question(self.fight.scenario(), *self[1:])


def comparisons_of(
    fights: Fights,
    metrics: str | Sequence[str],
    engine: Engine,
    trials: int,
    seed: int | None,
    jobs: int | None,
) -> list[Comparison]:
    """What to ask of each fight, with a fresh seed where none is given.

    Raises
    ------
    InvalidScenario
    """
    asked = (checked_metrics(metrics), engine, trials, make_seed(seed), threads_of_one(jobs))
    fights.check()
    comparisons = [Comparison(fight, *asked) for fight in fights.cells]
    comparisons[0].question()  # looks at the arguments that no scenario checks, before the work goes out
    return comparisons


def table_of_fights(fights: Fights, asked: Comparison, answers: Sequence[Answer | Lost[Any]]) -> pd.DataFrame:
    """The table of `compare`, from the answers about these fights."""
    frame = table_of(fights.labels, asked.metrics, answers)
    points = [unit.points for unit in fights.attackers]
    frame.attrs |= {
        "points": dict(zip(labels(fights.attackers), points, strict=True)),
        "assumed": list(dict.fromkeys([*fights.assumed, *frame.attrs["assumed"]])),
        **randomness(frame["engine"], asked.trials, asked.seed),
    }
    return frame


def _answer_of(comparison: Comparison) -> Answer:
    return answer(comparison.question())


def whole(frame: pd.DataFrame, answers: Sequence[Answer | Lost[Any]]) -> pd.DataFrame:
    """The table of all these answers.

    Raises
    ------
    InterruptedTable
        When Ctrl-C came before the last of them.
    """
    if missing := unfinished(answers):
        raise InterruptedTable(frame, f"interrupted after {len(answers) - missing} of {len(answers)}")
    return frame


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
            if not found.interrupted:
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
        remedy = (
            "needs points (per 100 points: not 0): give them to the attackers and targets (Unit points=...)"
        )
        raise InvalidScenario.at("metrics", list(metrics), remedy)
    if lost:
        warnings.warn(f"no result, a worker was killed: {', '.join(lost)}", MathhammerWarning, stacklevel=3)
    frame = pd.DataFrame(rows)
    frame.attrs["left_out"] = [
        f"{name}: {count} of {len(cells)} {without_points(name)}" for name, count in left_out.items()
    ]
    frame.attrs |= words_of(found for found in answers if isinstance(found, Answer))
    return frame


def without_points(metric: str) -> str:
    """Why a metric has no value: nothing can be said per 100 points of an attacker that costs 0 either."""
    return "without points (or with 0)" if metric.endswith(PER_100_POINTS) else "without points"


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
        Of `compare`, or the rows of one phase of `army_table`.
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
        For a metric or column that the table does not hold, or when an attacker and a target have several
        rows; names the column that tells those apart.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> rifles = Unit(name="Rifles", weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
    >>> frame = compare(rifles, ["chaff", "marines"], ["wounds_lost", "models_destroyed"])
    >>> pivot(frame, "models_destroyed", column="engine").loc["Rifles"].tolist()
    ['exact', 'exact']
    """
    for needed in ("attacker", "target", "metric"):
        checked_frame(frame, needed)
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
    _check_one_row_each(rows)
    across = rows.pivot(index="attacker", columns="target", values=column)
    return across.reindex(index=rows["attacker"].unique(), columns=rows["target"].unique())


def _check_one_row_each(rows: pd.DataFrame) -> None:
    """A cell of a table holds one number."""
    cell = ["attacker", "target"]
    twice = rows[rows.duplicated(cell, keep=False)]
    if twice.empty:
        return
    attacker, target = twice[cell].iloc[0]
    for name in twice.columns.drop([*cell, "metric", "value", "standard_error", "engine"], errors="ignore"):
        if (twice.groupby(cell)[name].nunique() > 1).any():
            one = f'frame[frame["{name}"] == {twice[name].tolist()[0]!r}]'
            remedy = f"{attacker} against {target} stands once for each: take the rows of one, {one}"
            raise InvalidScenario.at("frame", name, remedy)
    remedy = "stands twice: keep one row of each attacker and target"
    raise InvalidScenario.at("frame", f"{attacker} > {target}", remedy)
