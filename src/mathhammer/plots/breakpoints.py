"""Where one point more or less matters: `breakpoint_map`."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray
from pandas import DataFrame

from mathhammer.arguments import whole_of
from mathhammer.errors import InvalidScenario
from mathhammer.plots import style
from mathhammer.plots.cells import draw_cells
from mathhammer.plots.frames import axis_name, axis_value, chosen, field_of, frame_source, one_each, swept
from mathhammer.rules import wound_target


@style.names_as_typed
def breakpoint_map(
    frame: DataFrame,
    metric: str | None = None,
    *,
    strength: int | None = None,
    damage: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a metric over two fields of the scenario, with the steps of the rules marked.

    Parameters
    ----------
    frame : DataFrame
        Of `mathhammer.sweep` over two paths: the first runs to the right, the second down.
    metric : str, optional
        Needed when the table holds several; the usual one is ``unit_destroyed``.
    strength : int, optional
        S of the attack, when toughness is an axis: lines stand where the wound roll needed changes. Not
        needed when the other axis is a strength.
    damage : int, optional
        D of the attack, when wounds are an axis: lines stand where one unsaved attack more or fewer destroys
        a model. Not needed when the other axis is a damage.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For a table that is not over two paths, or has several rows for one cell; for a strength or damage
        that is none, or that no axis needs.

    Notes
    -----
    S against T: rule 05.02.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"target.models[0].T": [3, 4, 3, 4], "target.models[0].Sv": [3, 3, 4, 4],
    ...                       "metric": "unit_destroyed", "value": [0.4, 0.3, 0.6, 0.5],
    ...                       "standard_error": 0.0, "engine": "exact"})
    >>> ax = breakpoint_map(table, strength=4)
    >>> [text.get_text() for text in ax.texts if "+" in text.get_text()]
    ['3+', '4+']
    """
    metric, rows = chosen(frame, metric, ())
    paths = swept(rows)
    if len(paths) != 2:
        raise InvalidScenario.at(
            "frame", ", ".join(paths), "a breakpoint map is drawn of a sweep over two paths"
        )
    one_each(rows, paths)
    across, down = (_in_order(rows[path].tolist()) for path in paths)
    values, errors = (np.full((len(down), len(across)), np.nan) for _ in range(2))
    for x, y, value, error in zip(
        rows[paths[0]].tolist(), rows[paths[1]].tolist(), rows["value"], rows["standard_error"], strict=True
    ):
        values[down.index(y), across.index(x)] = value
        errors[down.index(y), across.index(x)] = error
    ax = style.new_axes(ax, (max(1.8 + 0.62 * len(across), 5.0), max(1.9 + 0.42 * len(down), 2.8)))
    draw_cells(ax, values, errors, metric)
    ax.set_xticks(range(len(across)), [axis_value(paths[0], x) for x in across])
    ax.set_yticks(range(len(down)), [axis_value(paths[1], y) for y in down])
    ax.set_xlabel(axis_name(paths[0]), fontsize=style.TEXT, color=style.INK)
    ax.set_ylabel(axis_name(paths[1]), fontsize=style.TEXT, color=style.INK)
    steps, meaning = _steps((field_of(paths[0]), across), (field_of(paths[1]), down), strength, damage)
    if steps is not None:
        _mark(ax, steps)
    named = steps is not None and _name_steps(ax, steps, "+" if "roll" in meaning else "")
    if named:
        meaning = meaning.replace("dark lines", "bold numbers and dark lines")
    title = f"{style.headline(metric)} over {axis_name(paths[0])} and {axis_name(paths[1])}"
    return style.finish(ax, title, "", frame_source(rows, meaning), headroom=13 if named else 0)


def _in_order(values: list[Any]) -> list[Any]:
    unique = list(dict.fromkeys(values))
    return sorted(unique) if all(isinstance(value, int | float) for value in unique) else unique


def _steps(
    across: tuple[str, list[Any]], down: tuple[str, list[Any]], strength: int | None, damage: int | None
) -> tuple[NDArray[np.int64] | None, str]:
    """What the rules make of each cell (a wound roll, or a number of unsaved attacks), and its name."""
    axes: dict[str, NDArray[Any]] = {}
    for (field, values), shape in ((across, (1, -1)), (down, (-1, 1))):
        if field in ("toughness", "strength", "wounds", "damage") and _whole(values):
            axes[field] = np.array(values).reshape(shape)
    size = (len(down[1]), len(across[1]))
    for name, given, other in (("strength", strength, "toughness"), ("damage", damage, "wounds")):
        if given is not None:
            value = whole_of(given, 1, name)
            if name in axes or other not in axes or None not in (strength, damage):
                remedy = f"give it alone, for whole numbers of {other} on one axis and no {name} on the other"
                raise InvalidScenario.at(name, value, remedy)
            axes[name] = np.array(value)
    if "toughness" in axes and "strength" in axes:
        rolls = np.vectorize(wound_target)(axes["strength"], axes["toughness"])
        shown = f" for S{strength}" if axes["strength"].ndim == 0 else ""
        return np.broadcast_to(rolls, size), f"dark lines: steps of the wound roll needed{shown}"
    if "wounds" in axes and "damage" in axes:
        blows = -(-axes["wounds"] // axes["damage"])
        shown = f" of D{damage}" if axes["damage"].ndim == 0 else ""
        return np.broadcast_to(
            blows, size
        ), f"dark lines: steps of the unsaved attacks{shown} needed to destroy a model"
    return None, ""


def _whole(values: list[Any]) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) and value > 0 for value in values)


def _mark(ax: Axes, steps: NDArray[np.int64]) -> None:
    """A dark line between cells whose steps differ."""
    look: dict[str, Any] = {"color": style.INK, "lw": 2.0, "zorder": 4}
    for line, column in np.argwhere(steps[:, 1:] != steps[:, :-1]):
        ax.plot([column + 0.5] * 2, [line - 0.5, line + 0.5], gid="step", **look)
    for line, column in np.argwhere(steps[1:] != steps[:-1]):
        ax.plot([column - 0.5, column + 0.5], [line + 0.5] * 2, gid="step", **look)


def _name_steps(ax: Axes, steps: NDArray[np.int64], tail: str) -> bool:
    """Write each step over the columns it holds for, when it is the same all the way down."""
    if (steps != steps[:1]).any():
        return False
    row = steps[0]
    for step in dict.fromkeys(row.tolist()):
        middle = float(np.flatnonzero(row == step).mean())
        ax.annotate(
            f"{step}{tail}",
            (middle, -0.5),
            (0, 3),
            textcoords="offset points",
            ha="center",
            va="bottom",
            fontsize=style.LABEL,
            fontweight="bold",
            color=style.ink_around(ax),
        )
    return True
