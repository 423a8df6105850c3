"""What each change is worth: which stratagem to play, which upgrade to buy."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from mathhammer.analysis.changes import Change, read_change, usual_changes
from mathhammer.analysis.compare import LOST, InterruptedTable, without_points, words_of
from mathhammer.analysis.parallel import Lost, ShowProgress, run_all, threads_of_one, unfinished
from mathhammer.analysis.question import (
    TRIALS,
    Answer,
    Engine,
    Question,
    answer,
    checked_metrics,
    make_seed,
    randomness,
    settled,
)
from mathhammer.arguments import items_of
from mathhammer.distribution import Estimate
from mathhammer.errors import InvalidScenario, MathhammerWarning, UnsupportedScenario
from mathhammer.scenario import METRICS, Scenario, checked_scenario
from mathhammer.units import Modifiers

__all__ = ["what_if"]

BATCHES = 32
"""Parts of a Monte Carlo run, each with a seed of its own: the spread of their differences is the error."""


def what_if(
    scenario: Scenario,
    changes: Iterable[Any] | None = None,
    *,
    metrics: str | Sequence[str] = METRICS,
    engine: Engine = "auto",
    trials: int = TRIALS,
    seed: int | None = None,
    jobs: int | None = None,
    progress: ShowProgress = None,
) -> pd.DataFrame:
    """The difference that each change makes, by itself, to the scenario as it stands.

    Parameters
    ----------
    scenario : Scenario
    changes : iterable, or one change, optional
        Each a name of the usual list (``"+1 to hit"``), ``"PATH=VALUE"``, a weapon ability, a mapping of path
        to value, a `Modifiers`, or a pair (name, one of these); each name once. Default: the usual list, as
        far as it concerns this scenario.
    metrics : str or sequence of str
        As in `compare`; default wounds_lost, models_destroyed, unit_destroyed, points_destroyed.
    engine : {"auto", "exact", "monte-carlo"}
        auto: exact where both sides can be, else Monte Carlo for both.
    trials : int
        On each side, for Monte Carlo; at least two for each of its 32 parts.
    seed : int, optional
    jobs, progress
        As in `compare`.

    Returns
    -------
    DataFrame
        Columns change, metric, value (with the change), difference (from the scenario as it stands),
        standard_error (of the difference), value_error (standard error of the value), engine; exact numbers
        have errors of 0. ``attrs``: ``before`` (metric -> value without a change, exact if any row is),
        ``before_error`` (metric -> its standard error), ``assumed``, ``not_modelled`` (of the scenario as it
        stands and with each change), ``left_out``, ``trials``, ``seed`` as of `compare`.

    Raises
    ------
    InvalidScenario
        For a change that is not known or cannot be made here, named as changes[2].
    InterruptedTable
        On Ctrl-C, as from `compare`.

    Notes
    -----
    Under Monte Carlo both sides run the same parts with the same seeds (common random numbers). Errors are
    estimated from how far the parts are apart: that of a difference is smaller than of two independent runs by
    as much as the two sides really went together, and never taken to be smaller than they did.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> frame = what_if(fight, ["+1 to hit", "cover for the target"], metrics="wounds_lost")
    >>> frame["difference"].round(3).tolist()
    [0.358, -0.374]
    """
    names = checked_metrics(metrics)
    drawn = make_seed(seed)
    made, left_out = _made_changes(checked_scenario(scenario), changes)
    first = Question(scenario, names, engine, trials, drawn, threads_of_one(jobs))
    pairs, interrupted = _both_sides(first, list(made.values()), jobs, progress)
    done = sum(pair is not None for pair in pairs)
    if interrupted and not done:
        raise KeyboardInterrupt
    frame = _table(list(made), names, pairs)
    frame.attrs["left_out"] += left_out
    frame.attrs |= randomness(frame["engine"], trials, drawn)
    if interrupted:
        raise InterruptedTable(frame, f"interrupted after {done} of {len(pairs)}")
    if lost := [change for change, pair in zip(made, pairs, strict=True) if pair is None]:
        warnings.warn(f"no result, a worker was killed: {', '.join(lost)}", MathhammerWarning, stacklevel=2)
    return frame


def _made_changes(scenario: Scenario, changes: Any) -> tuple[dict[str, Scenario], list[str]]:
    """The scenario with each change by its name; and which of the usual ones cannot be made here."""
    if changes is None:
        return _usual(scenario)
    remedy = 'write names such as "+1 to hit", Modifiers, mappings of path to value, or (name, one of these)'
    made: dict[str, Scenario] = {}
    for index, given in enumerate(items_of(changes, (str, Mapping, Modifiers, Change), "changes", remedy)):
        try:
            change = read_change(given, scenario)
            if change.name in made:
                raise InvalidScenario.at(
                    "", change.name, "stands twice: name one (name, change), or leave it out"
                )
            made[change.name] = change.apply(scenario)
        except InvalidScenario as fault:
            raise fault.under(f"changes[{index}]") from None
    if not made:
        raise InvalidScenario.at("changes", [], "name at least one, or leave the list out for the usual ones")
    return made, []


def _usual(scenario: Scenario) -> tuple[dict[str, Scenario], list[str]]:
    made: dict[str, Scenario] = {}
    left_out = []
    for change in usual_changes(scenario):
        try:
            made[change.name] = change.apply(scenario)
        except InvalidScenario as fault:
            left_out.append(f"{change.name}: {fault}")
    return made, left_out


@dataclass(frozen=True)
class _Side:
    """One scenario's metrics: an exact value each, or one value for each part of a Monte Carlo run.

    Attributes
    ----------
    answer : Answer
        Of the engine; by Monte Carlo that of the first part.
    parts : ndarray of float64, shape (metrics, parts)
        NaN where points are needed and unknown.
    sizes : ndarray of int64, shape (parts,)
        Trials.
    """

    answer: Answer
    parts: NDArray[np.float64]
    sizes: NDArray[np.int64]

    @property
    def engine(self) -> str:
        """Which engine answered."""
        return self.answer.engine


def side_of(question: Question) -> _Side:
    """The metrics of one scenario; by Monte Carlo in parts, the same seeds for every scenario.

    Raises
    ------
    InvalidScenario
        With fewer trials than two for each part.
    """
    if question.engine != "monte-carlo":
        try:
            return _made([answer(replace(question, engine="exact"))], np.ones(1, np.int64))
        except UnsupportedScenario:
            if question.engine == "exact":
                raise
    if question.trials < 2 * BATCHES:
        remedy = f"at least {2 * BATCHES}, for the error of a difference"
        raise InvalidScenario.at("trials", question.trials, remedy)
    # Settled once here, an open choice is not searched again in every part.
    part = replace(question, scenario=settled(question.scenario), engine="monte-carlo")
    sizes = np.array(
        [question.trials // BATCHES + (index < question.trials % BATCHES) for index in range(BATCHES)]
    )
    seeds = np.random.SeedSequence(question.seed).generate_state(BATCHES, np.uint64) >> np.uint64(11)
    runs = zip(sizes.tolist(), seeds.tolist(), strict=True)
    return _made([answer(replace(part, trials=size, seed=seed)) for size, seed in runs], sizes)


def _made(answers: Sequence[Answer], sizes: NDArray[np.int64]) -> _Side:
    parts = [
        [math.nan if estimate is None else estimate.value for estimate in found.estimates]
        for found in answers
    ]
    return _Side(answers[0], np.array(parts).T, sizes)


Pair = tuple[_Side, _Side]


def _both_sides(
    first: Question, changed: Sequence[Scenario], jobs: int | None, progress: ShowProgress
) -> tuple[list[Pair | None], bool]:
    """The scenario before and after each change, both by the same engine, and whether Ctrl-C came first.

    None where a side has no result, because a worker was killed or of Ctrl-C.
    """

    def sides(questions: list[Question]) -> list[_Side | Lost[Question]]:
        return run_all(side_of, questions, jobs=jobs, progress=progress, noun="scenarios")

    questions = [first, *(replace(first, scenario=scenario) for scenario in changed)]
    found = sides(questions)
    interrupted = unfinished(found) > 0
    exact = [index for index, side in enumerate(found) if isinstance(side, _Side) and side.engine == "exact"]
    simulated = list(found)
    if 0 < len(exact) < len(found) and not interrupted:
        # The exact engine could not do them all: what stands beside a simulated side is simulated as well.
        again = [0] if 0 in exact else exact
        try:
            runs = sides([replace(questions[index], engine="monte-carlo") for index in again])
        except KeyboardInterrupt:
            interrupted = True
        else:
            simulated = [runs.pop(0) if index in again else side for index, side in enumerate(found)]
            interrupted = unfinished(simulated) > 0
    pairs: list[Pair | None] = []
    for index in range(1, len(found)):
        options = ((found[0], found[index]), (simulated[0], simulated[index]))
        pairs.append(next((pair for pair in options if _alike(pair)), None))  # type: ignore[arg-type]
    return pairs, interrupted


def _alike(pair: tuple[Any, Any]) -> bool:
    return all(isinstance(side, _Side) for side in pair) and pair[0].engine == pair[1].engine


def _estimates(parts: NDArray[np.float64], sizes: NDArray[np.int64]) -> list[Estimate]:
    """The mean of each metric over its parts and the error of that, from how far the parts are apart.

    Examples
    --------
    >>> _estimates(np.array([[1.0, 3.0]]), np.array([50, 50]))
    [Estimate(value=2.0, standard_error=1.0)]
    """
    share = sizes / sizes.sum()
    means = parts @ share
    count = len(share)
    scale = count / (count - 1) if count > 1 else 0.0
    errors = np.sqrt(((parts - means[:, None]) ** 2) @ share**2 * scale)
    return list(map(Estimate, means.tolist(), errors.tolist()))


def _table(changes: Sequence[str], metrics: Sequence[str], pairs: Sequence[Pair | None]) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    left_out: list[str] = []
    base: dict[str, Estimate] = {}
    for change, pair in zip(changes, pairs, strict=True):
        if pair is None:
            nothing = dict.fromkeys(("value", "difference", "standard_error", "value_error"), math.nan)
            rows += [{"change": change, "metric": name, **nothing, "engine": LOST} for name in metrics]
            continue
        before, after = pair
        sides = (before.parts, after.parts, after.parts - before.parts)
        estimates = zip(*(_estimates(parts, before.sizes) for parts in sides), strict=True)
        for name, (stands, value, difference) in zip(metrics, estimates, strict=True):
            if math.isnan(difference.value):
                left_out.append(name)
                continue
            if name not in base or before.engine == "exact":
                base[name] = stands
            rows.append(
                {
                    "change": change,
                    "metric": name,
                    "value": value.value,
                    "difference": difference.value,
                    "standard_error": difference.standard_error,
                    "value_error": value.standard_error,
                    "engine": after.engine,
                }
            )
    if not rows:
        remedy = "needs points (per 100 points: not 0): give them to the attackers and the target (Unit points=...)"
        raise InvalidScenario.at("metrics", list(metrics), remedy)
    frame = pd.DataFrame(rows)
    frame.attrs |= {
        "before": {name: estimate.value for name, estimate in base.items()},
        "before_error": {name: estimate.standard_error for name, estimate in base.items()},
        **words_of(side.answer for pair in filter(None, pairs) for side in pair),
    }
    frame.attrs["left_out"] = [f"{name}: {without_points(name)}" for name in dict.fromkeys(left_out)]
    return frame
