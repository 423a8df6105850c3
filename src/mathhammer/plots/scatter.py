"""Points spent against points destroyed: `efficiency`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from pandas import DataFrame

from mathhammer.errors import InvalidScenario, nearest
from mathhammer.outcome import Outcome
from mathhammer.plots import style, texts
from mathhammer.plots.frames import chosen, frame_source, one_each
from mathhammer.plots.outcomes import Outcomes, labelled, source
from mathhammer.printed import shortened


@style.names_as_typed
def efficiency(
    outcomes: DataFrame | Outcomes,
    *,
    points: Mapping[str, float | None] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the points each attacker costs against the points it destroys, with lines of equal worth.

    Parameters
    ----------
    outcomes : Outcome, sequence or mapping of Outcome, or DataFrame
        A table is one of `mathhammer.compare`, with the metric ``points_destroyed``. What has no points is
        not drawn; the small print names it.
    points : mapping of str to float, optional
        What attackers of a table cost; default the table's own ``attrs["points"]``.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        When nothing to draw has points on both sides; for points that are none, of no attacker of a table,
        or given with outcomes, which know their own; for several rows of a table about one pair, such as those
        of both phases.

    Notes
    -----
    A whisker is two standard errors. On one line stand all attackers that destroy the same share of their
    cost.

    Examples
    --------
    >>> import mathhammer as mh
    >>> fight = mh.Scenario.from_toml('''
    ... attacker = {name = "Gunners", points = 80, weapons = ["6x Gun: A2 BS3+ S5 AP-1 D1"]}
    ... target = {name = "Wall", points = 100, models = ["8x Shield: T4 Sv4+ W1"]}
    ... ''')
    >>> mh.plots.efficiency(mh.solve(fight)).get_xlabel()
    'points of the attacker'
    """
    if isinstance(outcomes, DataFrame):
        dots, small_print, target = _of_table(outcomes, points)
    else:
        series = labelled(outcomes)
        if points is not None:
            raise InvalidScenario.at(
                "points", points, "is for a table: outcomes know the points of their units"
            )
        dots, target = _of_outcomes(series), _only([out.target for out in series.values()])
        small_print = source(series.values(), _note(series, dots))
    if not dots:
        remedy = "efficiency needs points of the attackers and of the targets"
        raise InvalidScenario.at("points", None, remedy)
    own = ax is None
    ax = style.new_axes(ax, (6.4, 4.6))
    right = max(cost for _, cost, _, _ in dots) * 1.22
    top = max(gain + 2 * error for _, _, gain, error in dots) * 1.18 or 1.0
    ax.set_xlim(0, right)
    ax.set_ylim(0, top)
    _iso_lines(ax, [gain / cost for _, cost, gain, _ in dots], right, top)
    for index, (label, cost, gain, error) in enumerate(dots):
        look = style.look(index)
        ax.errorbar(
            cost,
            gain,
            label=_wrapped(label),
            ls="",
            yerr=2 * error if error else None,
            color=look.colour,
            marker=look.marker,
            ms=7 * look.size,
            mec="white",
            mew=0.6,
            clip_on=False,
            capsize=2,
            zorder=4,
        )
    ax.set_xlabel("points of the attacker", fontsize=style.TEXT, color=style.INK)
    ax.set_ylabel("expected points destroyed", fontsize=style.TEXT, color=style.INK)
    title = "Points spent and points destroyed" + (f": against {target}" if target else "")
    subtitle = "grey lines: points destroyed per 100 points spent"
    style.finish(ax, title, subtitle, small_print)
    if not _name_dots(ax, dots):
        style.legend_beside(ax, own)
    return ax


Dot = tuple[str, float, float, float]
"""Label, cost, points destroyed, its standard error."""


def _only(names: Sequence[str]) -> str:
    return names[0] if len(set(names)) == 1 else ""


def _of_outcomes(series: Mapping[str, Outcome]) -> list[Dot]:
    dots = []
    for label, out in series.items():
        gained = out.points_destroyed
        if gained is not None and out.attacker_points:
            dots.append((label, out.attacker_points, gained.value, gained.standard_error))
    return dots


def _of_table(frame: DataFrame, points: Any) -> tuple[list[Dot], str, str]:
    _, rows = chosen(frame, "points_destroyed", ["attacker", "target"])
    one_each(rows, ("attacker", "target"))
    target = _only(list(rows["target"]))
    costs = frame.attrs.get("points", {}) if points is None else _checked(points, list(rows["attacker"]))
    cells = {
        row["attacker"] if target else f"{row['attacker']} against {row['target']}": row
        for row in rows.to_dict("records")
    }
    dots = [
        (label, float(costs[row["attacker"]]), row["value"], row["standard_error"])
        for label, row in cells.items()
        if costs.get(row["attacker"]) and math.isfinite(row["value"])
    ]
    return dots, frame_source(rows, _note(cells, dots)), target


def _checked(points: Any, attackers: Sequence[str]) -> Mapping[str, Any]:
    """Points for attackers of the table, None for unknown ones."""
    if not isinstance(points, Mapping):
        raise InvalidScenario.at("points", points, "write a mapping of attackers to their points")
    for name, cost in points.items():
        if name not in attackers:
            hint = nearest(str(name), attackers) or f"; it has {', '.join(dict.fromkeys(attackers))}"
            raise InvalidScenario.at("points", name, f"is no attacker of the table{hint}")
        known = isinstance(cost, int | float | np.number) and not isinstance(cost, bool)
        if cost is not None and not (known and 0 < cost < math.inf):
            raise InvalidScenario.at(f"points[{name!r}]", cost, "a number above 0")
    return points


def _note(labels: Iterable[str], dots: Sequence[Dot]) -> str:
    """What the whiskers are, and what could not be drawn."""
    left_out = [shortened(label, 40) for label in labels if label not in {dot[0] for dot in dots}]
    more = f" and {len(left_out) - 4} more" if len(left_out) > 4 else ""
    missing = f"without points, not drawn: {'; '.join(left_out[:4])}{more}" if left_out else ""
    whiskers = "whiskers: two standard errors" if any(error > 0 for *_, error in dots) else ""
    return texts.joined([whiskers, missing])


def _iso_lines(ax: Axes, worths: Sequence[float], right: float, top: float) -> None:
    for worth in style.iso_values(min(worths), max(worths)):
        end = min(right, top / worth)
        ax.plot([0, end], [0, end * worth], color="#bbbbbb", lw=0.9, zorder=1, gid="iso")
        ax.text(
            end * 0.95,
            end * 0.95 * worth,
            f"{worth * 100:g}",
            ha="center",
            va="center",
            fontsize=style.LABEL,
            color=style.QUIET,
            bbox={"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none"},
            zorder=2,
            gid="worth",
        )


def _name_dots(ax: Axes, dots: Sequence[Dot]) -> bool:
    """Write each name where it covers no other text and no dot: the first free place around its dot.

    False, and no names, where there is no such place for one of them.
    """
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.draw_without_rendering()
    marks = ax.transData.transform([(cost, gain) for _, cost, gain, _ in dots])
    taken: list[np.ndarray] = [np.array([[x - 5, y - 5], [x + 5, y + 5]]) for x, y in marks]
    taken += [
        text.get_window_extent().padded(6).get_points() for text in ax.texts if text.get_gid() == "worth"
    ]
    frame = ax.get_window_extent().get_points()
    names: list[Annotation] = []
    for index, (label, cost, gain, _) in enumerate(dots):
        others = taken[:index] + taken[index + 1 :]
        for offset, ha, va in _PLACES:
            name = _name(ax, label, (cost, gain), offset, ha, va)
            box = name.get_window_extent().get_points()
            if not any(_overlap(box, other) for other in others) and _outside(box, frame) <= 0:
                names.append(name)
                taken.append(box)
                break
            name.remove()
        else:
            for name in names:
                name.remove()
            return False
    return True


_PLACES = (
    ((8, 0), "left", "center"),
    ((-8, 0), "right", "center"),
    ((0, 8), "center", "bottom"),
    ((0, -8), "center", "top"),
    ((7, 9), "left", "bottom"),
    ((7, -9), "left", "top"),
    ((-7, 9), "right", "bottom"),
    ((-7, -9), "right", "top"),
    ((8, 20), "left", "bottom"),
    ((8, -20), "left", "top"),
    ((-8, 20), "right", "bottom"),
    ((-8, -20), "right", "top"),
)


def _name(
    ax: Axes, label: str, at: tuple[float, float], offset: tuple[int, int], ha: str, va: str
) -> Annotation:
    return ax.annotate(
        _wrapped(label),
        at,
        offset,
        textcoords="offset points",
        ha=ha,
        va=va,
        fontsize=style.LABEL,
        color=style.INK,
        zorder=5,
        gid="name",
    )


def _wrapped(label: str) -> str:
    return texts.wrapped(shortened(label, 46), 24)


def _overlap(a: np.ndarray, b: np.ndarray) -> float:
    sides = np.minimum(a[1], b[1]) - np.maximum(a[0], b[0])
    return float(max(sides[0], 0) * max(sides[1], 0))


def _outside(box: np.ndarray, frame: np.ndarray) -> float:
    size = box[1] - box[0]
    return float(size[0] * size[1]) - _overlap(box, frame)
