"""One field of a scenario, or several, through all their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from mathhammer.analysis.compare import table_of, whole
from mathhammer.analysis.parallel import ShowProgress, run_all, threads_of_one
from mathhammer.analysis.paths import check_apart, replaced
from mathhammer.analysis.question import (
    ALL_METRICS,
    TRIALS,
    Engine,
    Question,
    answer,
    checked_metrics,
    make_seed,
    randomness,
)
from mathhammer.errors import InvalidScenario
from mathhammer.scenario import Scenario, checked_scenario

__all__ = ["sweep"]


def sweep(
    scenario: Scenario,
    *axes: Any,
    metrics: str | Sequence[str] = ALL_METRICS,
    engine: Engine = "auto",
    trials: int = TRIALS,
    seed: int | None = None,
    jobs: int | None = None,
    progress: ShowProgress = None,
) -> pd.DataFrame:
    """The scenario with fields changed to each of their values, in every combination.

    Parameters
    ----------
    scenario : Scenario
    *axes
        Path, values, path, values ...; or one mapping of path to values. Paths as in error messages, with
        ``[*]`` for every row: ``"target.models[0].save"``, ``"attacker.weapons[0].BS"``,
        ``"conditions.cover"``, ``"target"`` (values are Units).
    metrics, engine, trials, seed, jobs, progress
        As in `compare`. All points use the same seed.

    Returns
    -------
    DataFrame
        A column for each path (the values as given; a Unit by its name, None as "none"), then metric,
        value, standard_error, engine; the first path varies slowest. ``attrs``:
        ``axes`` (the paths); ``assumed`` (also the paths that change none of the metrics), ``not_modelled``,
        ``left_out``, ``trials``, ``seed`` as of `compare`.

    Raises
    ------
    InvalidScenario
        For a path that is not there and for a value that cannot stand there, before anything is computed.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> sweep(fight, "target.models[0].save", [2, 3, 4], metrics="wounds_lost")["value"].round(3).tolist()
    [1.195, 1.728, 2.243]
    """
    named = _axes(checked_scenario(scenario), axes)
    names = checked_metrics(metrics)
    drawn = make_seed(seed)
    threads = threads_of_one(jobs)
    questions, cells = [], []
    for values in product(*named.values()):
        changed = scenario
        for path, value in zip(named, values, strict=True):
            changed = replaced(changed, path, value)
        questions.append(Question(changed, names, engine, trials, drawn, threads))
        cells.append({path: _shown(value) for path, value in zip(named, values, strict=True)})
    answers = run_all(answer, questions, jobs=jobs, progress=progress, noun="points")
    frame = table_of(cells, names, answers)
    held = ", ".join(frame["metric"].unique())
    without_effect = [
        f"{path} changes nothing of {held} here" for path in named if _changes_nothing(frame, path)
    ]
    frame.attrs |= {
        "axes": list(named),
        "assumed": [*frame.attrs["assumed"], *without_effect],
        **randomness(frame["engine"], trials, drawn),
    }
    return whole(frame, answers)


def _changes_nothing(frame: pd.DataFrame, path: str) -> bool:
    """Whether all values of the path, of several, give the same of every metric: a weapon that does not attack."""
    if frame[path].nunique() == 1 or frame["value"].isna().any():
        return False
    others = frame.columns.drop([path, "value", "standard_error", "engine"]).tolist()
    values = frame.groupby(others)["value"]
    return bool((values.max() - values.min()).max() < 1e-12)


def _shown(value: Any) -> Any:
    """A value as it stands in its column: numbers and truth values as they are, all else as a text."""
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "none" if value is None else str(getattr(value, "name", value))


def _axes(scenario: Scenario, given: tuple[Any, ...]) -> dict[str, list[Any]]:
    """The values of each path."""
    if len(given) == 1 and isinstance(given[0], Mapping) and given[0]:
        pairs = list(given[0].items())
    elif given and len(given) % 2 == 0:
        pairs = list(zip(given[::2], given[1::2], strict=True))
    else:
        example = 'write path and values in turn: sweep(scenario, "target.models[0].save", [2, 3, 4])'
        raise InvalidScenario.at("axes", given, example)
    named: dict[str, list[Any]] = {}
    for path, values in pairs:
        if not isinstance(path, str):
            raise InvalidScenario.at("path", path, 'write a path such as "target.models[0].save"')
        if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
            raise InvalidScenario.at(path, values, "write a list of values, such as [2, 3, 4]")
        named[path] = [value.item() if isinstance(value, np.generic) else value for value in values]
        if not named[path]:
            raise InvalidScenario.at(path, [], "write at least one value")
        shown = [_shown(value) for value in named[path]]
        for index, value in enumerate(shown):
            if value in shown[:index]:
                raise InvalidScenario.at(
                    f"{path}[{index}]", value, "stands twice: the table could not tell them apart"
                )
    check_apart(scenario, [path for path, _ in pairs])
    return named
