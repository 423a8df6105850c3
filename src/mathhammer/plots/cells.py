"""Values in coloured cells: `heat_map` of a comparison, and the drawing that `breakpoint_map` shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray
from pandas import DataFrame

from mathhammer.plots import style, texts
from mathhammer.plots.frames import chosen, frame_source, one_each
from mathhammer.printed import shortened


@style.names_as_typed
def heat_map(
    frame: DataFrame, metric: str | None = None, *, mark_best: bool = True, ax: Axes | None = None
) -> Axes:
    """Draw attackers against targets, the value of one metric in each cell.

    Parameters
    ----------
    frame : DataFrame
        Of `mathhammer.compare`: columns ``attacker, target, metric, value, standard_error, engine``.
    metric : str, optional
        Needed when the frame holds several. A metric of your own whose name begins with "chance" is drawn as
        a probability.
    mark_best : bool, default True
        Frame the best attacker against each target (none below 0.001) and those as good as it: within two
        standard errors of the difference, or 1e-9 of the value. Where all are, none is framed.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For a missing column, a metric that the frame does not hold, or several rows for one cell, such as those
        of both phases.

    Notes
    -----
    The colours run from 0 to the largest value (a chance: to 100%), so that equal colours mean equal values.
    A cell without a value (no points are known) shows a dash.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"attacker": ["Gun", "Bow"], "target": "Wall", "metric": "wounds_lost",
    ...                       "value": [2.0, 1.0], "standard_error": 0.0, "engine": "exact"})
    >>> [text.get_text() for text in heat_map(frame).texts][:2]
    ['2.00', '1.00']
    """
    metric, rows = chosen(frame, metric, ("attacker", "target"))
    one_each(rows, ("attacker", "target"))
    attackers = list(dict.fromkeys(rows["attacker"]))
    targets = list(dict.fromkeys(rows["target"]))
    values, errors = (np.full((len(attackers), len(targets)), np.nan) for _ in range(2))
    for attacker, target, value, error in zip(
        rows["attacker"], rows["target"], rows["value"], rows["standard_error"], strict=True
    ):
        place = attackers.index(attacker), targets.index(target)
        values[place], errors[place] = value, error
    size = (2.6 + (0.85 if len(targets) < 10 else 0.58) * len(targets), 1.7 + 0.42 * len(attackers))
    ax = style.new_axes(ax, (max(size[0], 5.0), max(size[1], 2.6)))
    draw_cells(ax, values, errors, metric)
    marked = np.argwhere(_best(values, np.nan_to_num(errors)) & mark_best)
    for line, column in marked:
        ax.add_patch(_frame(int(column), int(line)))
    name_cells(ax, attackers, targets)
    note = "framed: the best against each target" if len(marked) else ""
    note += ", within two standard errors" if note and np.nan_to_num(errors).any() else ""
    return style.finish(ax, style.headline(metric), "", frame_source(rows, note))


def draw_cells(ax: Axes, values: NDArray[np.float64], errors: NDArray[np.float64], metric: str) -> None:
    """Fill a grid of cells with colour and text; row 0 is at the top."""
    finite = values[np.isfinite(values)]
    top = 1.0 if style.is_chance(metric) else float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    scale = Normalize(0, top)
    ax.imshow(np.ma.masked_invalid(values), cmap=style.SEQUENTIAL, norm=scale, aspect="auto")
    ax.set_facecolor("#eeeeee")
    for (line, column), value in np.ndenumerate(values):
        colour = style.SEQUENTIAL(scale(value)) if np.isfinite(value) else (1, 1, 1)
        ax.text(
            column,
            line,
            style.written(metric, float(value), float(np.nan_to_num(errors[line, column]))),
            ha="center",
            va="center",
            fontsize=style.TEXT,
            color=style.ink_on(colour),
        )
    ax.spines[:].set_visible(False)
    ax.set_xticks(np.arange(values.shape[1] + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(values.shape[0] + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="white", lw=1.5)
    ax.tick_params(which="both", length=0)


def name_cells(ax: Axes, lines: Sequence[str], columns: Sequence[str]) -> None:
    """Names beside the rows and under the columns, wrapped, or turned where they have no room for their words."""
    ax.set_yticks(range(len(lines)), [texts.wrapped(shortened(str(name), 46), 28) for name in lines])
    names = [shortened(str(name), 40) for name in columns]
    room = texts.laid_out(ax)[0] / len(names) - 0.4 * style.TEXT
    turned = any(texts.width_of(word, style.TEXT) > room for name in names for word in name.split())
    ax.set_xticks(
        range(len(names)),
        [texts.wrapped(name, 22) if turned else texts.fitted(name, style.TEXT, room) for name in names],
        rotation=55 if turned else 0,
        ha="right" if turned else "center",
        rotation_mode="anchor" if turned else "default",
    )


def _best(values: NDArray[np.float64], errors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the largest value of each column stands, and what is as good; nowhere in a column without differences."""
    known = np.where(np.isfinite(values), values, -1.0)
    first = known.argmax(axis=0)[np.newaxis]
    top = np.take_along_axis(known, first, axis=0)
    noise = 2 * np.hypot(errors, np.take_along_axis(errors, first, axis=0))
    best = (top - known <= np.maximum(noise, 1e-9 * top)) & (known >= 0.001)
    return np.asarray(best & (~best & np.isfinite(values)).any(axis=0))


def _frame(column: int, line: int) -> Rectangle:
    """A dark line between two white ones, one of which stands out on any colour and any grey."""
    return Rectangle(
        (column - 0.46, line - 0.44),
        *(0.92, 0.88),
        fill=False,
        ec=style.INK,
        lw=1.6,
        gid="best",
        path_effects=[withStroke(linewidth=4.4, foreground="white")],
    )
