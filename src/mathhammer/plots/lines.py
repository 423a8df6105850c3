"""Lines over a field of the scenario: `sweep`, with error bands and crossing points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from pandas import DataFrame

from mathhammer.errors import InvalidScenario
from mathhammer.labels import numbered
from mathhammer.plots import style, texts
from mathhammer.plots.frames import axis_name, axis_value, chosen, frame_source, one_each, swept
from mathhammer.printed import shortened

MOST_NAMED = 8
Line = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Values and standard errors, one each for every x."""


@style.names_as_typed
def sweep(
    frame: DataFrame | Mapping[str, DataFrame], metric: str | None = None, *, ax: Axes | None = None
) -> Axes:
    """Draw a metric over the values of one field of the scenario.

    Parameters
    ----------
    frame : DataFrame, or mapping of str to DataFrame
        Of `mathhammer.sweep`: a column for each path, ``metric, value, standard_error, engine``. A second
        path becomes a line for each of its values; a mapping becomes a line (or several) for each of its
        tables.
    metric : str, optional
        Needed when a table holds several.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For tables without a swept path, over different ones or of different metrics, and for one with several
        rows for one point.

    Notes
    -----
    The band is two standard errors either way. Where two lines cross, a numbered circle stands; under the
    legend it says which is ahead from there on, for up to eight of them.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"target.models[0].toughness": [3, 4, 5], "metric": "wounds_lost",
    ...                       "value": [3.0, 2.0, 1.0], "standard_error": 0.0, "engine": "exact"})
    >>> sweep(table).get_xlabel()
    'toughness (T)'
    """
    tables = dict(frame) if isinstance(frame, Mapping) else {"": frame}
    if not tables:
        raise InvalidScenario.at("frame", {}, "give at least one table to draw")
    parts = {str(label): chosen(table, metric, ()) for label, table in tables.items()}
    metrics = dict.fromkeys(metric for metric, _ in parts.values())
    if len(metrics) > 1:
        raise InvalidScenario.at("metric", metric, f"the tables hold different ones: {', '.join(metrics)}")
    (metric,) = metrics
    paths = {tuple(swept(rows)[:1]) for _, rows in parts.values()}
    if len(paths) != 1:
        raise InvalidScenario.at("frame", list(parts), "the tables sweep different fields")
    (path,) = paths.pop()
    ticks, lines = _lines({label: rows for label, (_, rows) in parts.items()}, path)
    numeric = all(isinstance(tick, int | float | np.number) and not isinstance(tick, bool) for tick in ticks)
    xs = np.array(ticks if numeric else range(len(ticks)), dtype=np.float64)
    own = ax is None
    ax = style.new_axes(ax, (7.6 if len(lines) > 1 else 6.4, 4.0))
    for index, (label, (values, errors)) in enumerate(lines.items()):
        look = style.look(index)
        ax.plot(
            xs,
            values,
            color=look.colour,
            ls=look.dash,
            marker=look.marker,
            ms=5.5 * look.size,
            lw=1.7,
            label=texts.wrapped(label, 26),
            zorder=3,
        )
        if np.nanmax(errors) > 0:
            band = (values - 2 * errors, values + 2 * errors)
            ax.fill_between(xs, *band, color=look.colour, alpha=0.22, lw=0, zorder=1)
    names = [axis_value(path, tick) for tick in ticks]
    more = _crossings(ax, xs, names, lines)
    if len(ticks) <= 25:
        ax.set_xticks(xs, names)
    if any(len(name) > 6 for name in names):
        ax.tick_params(axis="x", rotation=30)
    top = float(np.nanmax([values + 2 * errors for values, errors in lines.values()])) * 1.12 or 1.0
    ax.set_ylim(0, min(top, 1.04) if style.is_chance(metric) else top)
    if style.in_percent(metric):
        style.percent_axis(ax)
    ax.grid(color=style.FAINT, lw=0.7)
    ax.set_axisbelow(True)
    ax.set_xlabel(axis_name(path), fontsize=style.TEXT, color=style.INK)
    ax.set_ylabel(style.named(metric), fontsize=style.TEXT, color=style.INK)
    if len(lines) > 1:
        style.legend_beside(ax, own)
    banded = any(errors.any() for _, errors in lines.values())
    rows = max((rows for _, rows in parts.values()), key=lambda rows: float(rows["standard_error"].max()))
    notes = [
        "bands: two standard errors" if banded else "",
        f"{more} more crossings not named" if more else "",
    ]
    title = f"{style.headline(metric)} over {axis_name(path)}"
    return style.finish(ax, title, "", frame_source(rows, texts.joined(notes)))


def _lines(tables: Mapping[str, DataFrame], path: str) -> tuple[list[Any], dict[str, Line]]:
    """The swept values in order, and the lines over them by their labels."""
    ticks: list[Any] = list(dict.fromkeys(tick for rows in tables.values() for tick in rows[path].tolist()))
    if all(isinstance(tick, int | float) for tick in ticks):
        ticks.sort()
    labels, lines = [], []
    for label, rows in tables.items():
        _, *others = swept(rows)
        one_each(rows, [path, *others])
        keys = rows[others].apply(tuple, axis=1) if others else [()] * len(rows)
        for key in dict.fromkeys(keys):
            own = rows[[each == key for each in keys]] if others else rows
            words = [f"{axis_name(o)} {axis_value(o, k)}" for o, k in zip(others, key, strict=True)]
            values, errors = (np.full(len(ticks), np.nan) for _ in range(2))
            for tick, value, error in zip(
                own[path].tolist(), own["value"], own["standard_error"], strict=True
            ):
                values[ticks.index(tick)], errors[ticks.index(tick)] = value, error
            labels.append(", ".join(filter(None, [label, *words])))
            lines.append((values, np.nan_to_num(errors)))
    return ticks, dict(zip(numbered(labels), lines, strict=True))


def _crossings(ax: Axes, xs: NDArray[np.float64], names: Sequence[str], lines: Mapping[str, Line]) -> int:
    """Number the crossings and say under the legend who leads from there; how many were too many."""
    found = sorted(
        (x, y, f"from {names[index]}: {shortened(ahead, 24)} over {shortened(behind, 24)}")
        for (one, a), (two, b) in combinations(lines.items(), 2)
        for index, x, y, ahead, behind in crossing_points(xs, (one, a), (two, b))
    )
    near = np.array([0.03 * np.ptp(xs), 0.04 * np.nanmax([values for values, _ in lines.values()])])
    places: list[tuple[float, float, list[str]]] = []
    for x, y, words in found[:MOST_NAMED]:
        if places and (np.abs(np.subtract(places[-1][:2], (x, y))) < near).all():
            places[-1][2].append(words)  # one circle: two would cover each other
        else:
            places.append((x, y, [words]))
    ring: dict[str, Any] = {"mfc": "white", "mec": style.INK, "mew": 0.9}
    for number, (x, y, several) in enumerate(places, start=1):
        ax.plot([x], [y], "o", ms=11, zorder=5, gid="crossing", **ring)
        ax.text(x, y, str(number), fontsize=7, ha="center", va="center_baseline", color=style.INK, zorder=6)
        label = "\n".join(texts.wrapped(words, 30) for words in several)
        ax.plot([], [], "o", ms=0, label=f"{number}  " + label.replace("\n", "\n    "))
    return max(len(found) - MOST_NAMED, 0)


def crossing_points(
    xs: NDArray[np.float64], first: tuple[str, Line], second: tuple[str, Line]
) -> list[tuple[int, float, float, str, str]]:
    """Where two lines cross: index of the first x in the new order, place, height, who leads, who follows.

    Parameters
    ----------
    xs : ndarray of float64, shape (values,)
    first, second : tuple of str and Line
        Name, values and standard errors. Values nearer to each other than two standard errors of their
        difference count as equal.

    Examples
    --------
    >>> none = np.zeros(2)
    >>> up, down = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    >>> crossing_points(np.arange(2.0), ("A", (up, none)), ("B", (down, none)))
    [(1, 0.5, 1.5, 'A', 'B')]
    """
    (one, (a, a_errors)), (two, (b, b_errors)) = first, second
    gaps = a - b
    noise = np.maximum(2 * np.hypot(a_errors, b_errors), 1e-9)
    apart = np.flatnonzero(np.isfinite(gaps) & (np.abs(np.nan_to_num(gaps)) > noise)).tolist()
    points = []
    for left, right in pairwise(apart):
        if gaps[left] * gaps[right] < 0:
            share = gaps[left] / (gaps[left] - gaps[right])
            x = float(xs[left] + share * (xs[right] - xs[left]))
            y = float(np.interp(x, xs[left : right + 1], a[left : right + 1]))
            leads = (one, two) if gaps[right] > 0 else (two, one)
            points.append((right, x, y, *leads))
    return points
