"""One small picture a target: `small_multiples`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mathhammer.arguments import whole_of
from mathhammer.distribution import Distribution
from mathhammer.outcome import Outcome
from mathhammer.plots import style, texts
from mathhammer.plots.outcomes import fighters, how_often, labelled, quantity_of, source
from mathhammer.printed import shortened

_WIDE, _HIGH = 1.95, 1.05
"""Inches for one panel with the free space beside it, and for its height alone."""
_UNDER, _LINE = 20.0, 10.0
"""Points for the ticks under a panel, and for each line above it."""


@style.names_as_typed
def small_multiples(
    outcomes: Sequence[Outcome] | Mapping[str, Outcome],
    quantity: str | None = None,
    *,
    columns: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one small picture for each outcome, as of a unit against all standard targets.

    Parameters
    ----------
    outcomes : sequence of Outcome, or mapping of str to Outcome
        The keys of a mapping are the labels; else the targets' names.
    quantity : str, optional
        Default: models destroyed, or wounds lost where the target is a single model.
    columns : int, optional
        Panels beside each other; default up to four.
    ax : Axes, optional
        The panels are made inside it.

    Returns
    -------
    Axes
        The one that holds all; the panels are its ``child_axes``, in the order of the outcomes.

    Raises
    ------
    InvalidScenario
        For an unknown quantity, no outcomes, or columns below 1.

    Notes
    -----
    Each panel: pale bars for exactly k, a dark line for at least k. All share the height, 0 to 100%; the
    width is always the whole unit, so that a line that reaches the right side destroys it.

    Examples
    --------
    >>> import mathhammer as mh
    >>> fight = mh.Scenario.from_toml('''
    ... attacker = {name = "Gunners", weapons = ["6x Gun: A2 BS3+ S5 AP-1 D1"]}
    ... target = {name = "Wall", models = ["8x Shield: T4 Sv4+ W1"]}
    ... ''')
    >>> len(mh.plots.small_multiples([mh.solve(fight)]).child_axes)
    1
    """
    series = labelled(outcomes)
    attackers = {fighters(out) for out in series.values()}
    if not isinstance(outcomes, Mapping) and len({out.target for out in series.values()}) == len(series):
        series = {out.target: out for out in series.values()}
    across = min(4 if columns is None else whole_of(columns, 1, "columns"), len(series))
    down = math.ceil(len(series) / across)
    own = ax is None
    ax = style.new_axes(ax, (max(_WIDE * across, 4.0), down + 0.9))
    ax.spines[:].set_visible(False)
    ax.set_xticks([])
    ax.set_yticks([])
    quantities = [quantity_of(out, quantity) for out in series.values()]
    ax.set_xlabel(f"k = {', or '.join(style.named(shown) for shown in dict.fromkeys(sorted(quantities)))}")
    wide = 0.9 * texts.laid_out(ax)[0] / across
    headings = [
        (texts.fitted(shortened(label, 44), style.LABEL, wide, "bold"), texts.fitted(said, _SAID, wide))
        for label, said in zip(series, map(_said, series.values(), quantities), strict=True)
    ]
    above = 8 + _LINE * max(name.count("\n") + said.count("\n") + 2 for name, said in headings)
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        figure.set_figheight((_HIGH + (above + _UNDER) / 72) * down + 0.9)
    title = f"{attackers.pop()} against each target" if len(attackers) == 1 else "Each attack"
    style.finish(ax, title, "", source(series.values(), "bars: exactly k, line: at least k"))
    row = texts.laid_out(ax)[1] / down
    high = max(row - above - _UNDER, row / 4)
    for index, (heading, out, shown) in enumerate(zip(headings, series.values(), quantities, strict=True)):
        line, column = divmod(index, across)
        low = 1 - (line + min(above / row, 0.7)) / down - high / row / down
        panel = ax.inset_axes((column / across + 0.015, low, 0.9 / across, high / row / down))
        _panel(panel, heading, out, shown, first=column == 0)
    return ax


_SAID = style.SMALL + 0.4


def _said(out: Outcome, quantity: str) -> str:
    shown: Distribution = getattr(out, quantity)
    mean = style.number(shown.mean, shown.standard_error)
    return texts.joined(
        [f"{how_often(out)} destroyed", f"mean {mean}{' W' if quantity == 'wounds_lost' else ''}"]
    )


def _panel(panel: Axes, heading: tuple[str, str], out: Outcome, quantity: str, first: bool) -> None:
    shown: Distribution = getattr(out, quantity)
    style.new_axes(panel)
    last = len(shown.pmf) - 1
    counts = np.arange(last + 1)
    panel.bar(counts, shown.pmf, width=0.84, color=style.PALE, zorder=2)
    chances = np.array([shown.at_least(int(k)) for k in counts[1:]])
    panel.stairs(chances, counts + 0.5, color=style.MAIN, lw=1.4, baseline=None, zorder=3)
    panel.set_xlim(-0.6, last + 0.6)
    panel.set_ylim(0, 1.03)
    panel.set_yticks([0, 0.5, 1])
    style.percent_axis(panel)
    panel.set_xticks(sorted({0, last // 2 if last > 3 else last, last}))
    panel.tick_params(labelsize=style.SMALL, length=2, labelleft=first)
    panel.tick_params(axis="y", labelcolor=style.ink_around(panel))
    panel.grid(axis="y", color=style.FAINT, lw=0.6)
    panel.set_axisbelow(True)
    name, said = heading
    look: dict[str, Any] = {"fontsize": style.LABEL, "fontweight": "bold", "color": style.INK}
    panel.set_title(name, loc="left", pad=5 + _LINE * (said.count("\n") + 1), **look)
    look = {"fontsize": _SAID, "color": style.QUIET}
    panel.annotate(said, (0, 1), (0, 4), "axes fraction", "offset points", **look)
