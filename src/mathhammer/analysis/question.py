"""One question to an engine, small enough to send to another process: a scenario in, some metrics out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pandas as pd

from mathhammer.arguments import is_whole, items_of, whole_of
from mathhammer.distribution import Estimate
from mathhammer.errors import InvalidScenario, UnsupportedScenario, nearest
from mathhammer.outcome import Outcome
from mathhammer.scenario import METRICS, Scenario

__all__ = [
    "ALL_METRICS",
    "TRIALS",
    "Answer",
    "Engine",
    "Question",
    "answer",
    "answer_from",
    "checked_frame",
    "checked_metrics",
    "make_seed",
    "randomness",
    "run",
    "settled",
]

Engine = Literal["auto", "exact", "monte-carlo"]
TRIALS = 100_000
"""Trials of one Monte Carlo answer in a table; its error stands beside it."""

PER_100_POINTS = "_per_100_points"
ALL_METRICS = (*METRICS, *(metric + PER_100_POINTS for metric in METRICS))


@dataclass(frozen=True)
class Question:
    """What to ask: ``auto`` is the exact engine where it can, else Monte Carlo."""

    scenario: Scenario
    metrics: tuple[str, ...]
    engine: Engine
    trials: int
    seed: int
    threads: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.engine, str) or self.engine not in get_args(Engine):
            known = ", ".join(f'"{engine}"' for engine in get_args(Engine))
            hint = nearest(self.engine, get_args(Engine)) if isinstance(self.engine, str) else ""
            raise InvalidScenario.at("engine", self.engine, f"one of {known}{hint}")
        whole_of(self.trials, 1, "trials")


class Answer(NamedTuple):
    """Which engine answered, and its estimate of every metric (None where points are needed and unknown).

    ``assumed`` are the choices and readings used, but for those that are as listed or found for this scenario.
    """

    engine: str
    estimates: tuple[Estimate | None, ...]
    assumed: tuple[str, ...] = ()
    not_modelled: tuple[str, ...] = ()


def run(question: Question) -> Outcome:
    """The outcome, by the engine that the question asks for.

    Raises
    ------
    UnsupportedScenario
        When the engine asked for cannot compute the scenario.
    """
    from mathhammer.front import simulate, solve

    if question.engine != "monte-carlo":
        try:
            return solve(question.scenario)
        except UnsupportedScenario:
            if question.engine == "exact":
                raise
    return simulate(
        question.scenario,
        trials=question.trials,
        seed=question.seed,
        threads=question.threads,
        progress=False,
    )


def settled(scenario: Scenario) -> Scenario:
    """The scenario with its choices of "best" found."""
    from mathhammer.front import has_open_choices

    if not has_open_choices(scenario):
        return scenario
    from mathhammer.choosing import settle

    return settle(scenario)[0]


_OF_ONE_CELL = ("as listed", "(best)", "(the best fixed one")
"""What stands as listed needs no word in a table, and what was found best differs from target to target."""


def answer(question: Question) -> Answer:
    """The metrics of the outcome of a question."""
    return answer_from(run(question), question.metrics)


def answer_from(outcome: Outcome, metrics: Sequence[str]) -> Answer:
    """The metrics of an outcome."""
    assumed = tuple(words for words in outcome.assumed if not any(own in words for own in _OF_ONE_CELL))
    return Answer(outcome.engine, tuple(map(outcome.metric, metrics)), assumed, outcome.not_modelled)


def checked_metrics(metrics: str | Sequence[str]) -> tuple[str, ...]:
    """Names of metrics, one or several, each known and there once.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> checked_metrics("wounds_lost")
    ('wounds_lost',)
    """
    remedy = f"write names of metrics: {', '.join(METRICS)}"
    names = tuple(items_of(metrics, str, "metrics", remedy))
    if not names:
        raise InvalidScenario.at("metrics", [], "name at least one, such as wounds_lost")
    for index, name in enumerate(names):
        if name not in ALL_METRICS:
            known = f'; known are {", ".join(METRICS)}; each also with "{PER_100_POINTS}"'
            remedy = f"is no metric{nearest(str(name), ALL_METRICS) or known}"
            raise InvalidScenario.at(f"metrics[{index}]", name, remedy)
        if name in names[:index]:
            raise InvalidScenario.at(f"metrics[{index}]", name, "stands twice: name it once")
    return names


def checked_frame(given: Any, *columns: str, of: str = "compare") -> pd.DataFrame:
    """The argument ``frame``, if it is a table with one of these columns, such as that ``of`` a function.

    Raises
    ------
    InvalidScenario
    """
    if not isinstance(given, pd.DataFrame) or not set(columns) & set(given.columns):
        raise InvalidScenario.at("frame", type(given).__name__, f"give a table such as {of} makes")
    return given


def randomness(engines: Iterable[str], trials: int, seed: int) -> dict[str, int | None]:
    """Trials and seed for the ``attrs`` of a table: None where nothing was simulated.

    Examples
    --------
    >>> randomness(["exact"], 1000, 7)
    {'trials': None, 'seed': None}
    """
    simulated = "monte-carlo" in set(engines)
    return {"trials": int(trials) if simulated else None, "seed": seed if simulated else None}


def make_seed(seed: int | None) -> int:
    """The seed itself, or a fresh one below 2^53.

    Raises
    ------
    InvalidScenario
        For a seed that is no whole number from 0 on.
    """
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 11)
    if not is_whole(seed) or not 0 <= seed < 2**64:
        raise InvalidScenario.at("seed", seed, "a whole number from 0 to 2**64 - 1")
    return int(seed)
