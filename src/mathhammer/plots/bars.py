"""Bars of a distribution: `distribution` with mean and quantiles, `outcome` with "at least" steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy
from numpy.typing import NDArray

from mathhammer.arguments import probabilities_of
from mathhammer.distribution import Distribution
from mathhammer.outcome import Outcome
from mathhammer.plots import style, texts
from mathhammer.plots.outcomes import chance_to_destroy, fighters, one_outcome, quantity_of, source

UNSEEN = 0.0005
"""Share of the distribution at either end that may be left out of a picture with many bars."""
MOST_LABELLED = 14
LINE_ABOVE, STRIP = 18.0, 48.0
"""Points from the axes up to the line of the quantiles, and to the end of their names."""


@style.names_as_typed
def distribution(
    out: Outcome,
    quantity: str | None = None,
    *,
    quantiles: Sequence[float] = (0.1, 0.5, 0.9),
    ax: Axes | None = None,
) -> Axes:
    """Draw how likely each count is, with the mean and quantiles.

    Parameters
    ----------
    out : Outcome
    quantity : str, optional
        ``wounds_lost``, ``models_destroyed``, ``attacker_wounds_lost``, ``attacker_models_destroyed`` or
        ``attackers_used``; default models destroyed, or wounds lost of a single model.
    quantiles : sequence of float
        Marked above the bars; each from 0 to 1.
    ax : Axes, optional
        Default: of a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For what is no outcome, an unknown quantity or a quantile outside 0..1.

    Examples
    --------
    >>> import mathhammer as mh
    >>> fight = mh.Scenario.from_toml('''
    ... attacker = {name = "Gunners", weapons = ["6x Gun: A2 BS3+ S5 AP-1 D1"]}
    ... target = {name = "Wall", models = ["8x Shield: T4 Sv4+ W1"]}
    ... ''')
    >>> mh.plots.distribution(mh.solve(fight)).get_ylabel()
    'chance of exactly k'
    """
    quantity = quantity_of(one_outcome(out), quantity)
    shown: Distribution = getattr(out, quantity)
    places = {q: shown.quantile(q) for q in probabilities_of(quantiles, "quantiles")}
    ax = style.new_axes(ax)
    counts, note = _window(shown)
    _bars(ax, shown, counts, style.MAIN)
    ax.set_ylabel("chance of exactly k", fontsize=style.TEXT, color=style.INK)
    ax.set_xlabel(f"k = {style.named(quantity)}", fontsize=style.TEXT, color=style.INK)
    style.finish(ax, f"{fighters(out)} against {out.target}", "", source([out], note), headroom=STRIP)
    _label(ax, out, counts, shown.pmf[counts], style.INK)
    _spread(ax, shown, places)
    return ax


def _spread(ax: Axes, shown: Distribution, places: dict[float, int]) -> None:
    """A line from the first to the last quantile above the axes, with a diamond at the mean."""
    low, high = ax.get_xlim()
    point = (high - low) / texts.laid_out(ax)[0]
    look: dict[str, Any] = {"color": style.quiet_around(ax), "clip_on": False, "zorder": 3}
    look["transform"] = offset_copy(
        ax.get_xaxis_transform(), ax.get_figure(root=True), y=LINE_ABOVE, units="points"
    )
    named: list[tuple[float, list[str], list[str]]] = []
    for q, k in sorted(places.items()):
        ax.plot([k], [1], "|", ms=9, mew=1.6, **look)
        words, counts = ["median" if q == 0.5 else f"{q * 100:g}%"], [str(k)]
        place = float(k)
        while (
            named
            and place - named[-1][0] < point * (_widest(words, counts) + _widest(*named[-1][1:]) + 8) / 2
        ):
            # Beside the one before it would cover it: both are written as one.
            before, *others = named.pop()
            words, counts = [*others[0], *words], list(dict.fromkeys([*others[1], *counts]))
            place = (before + place) / 2
        named.append((place, words, counts))
    if places:
        ends = [min(places.values()), max(places.values())]
        ax.plot(ends, [1, 1], lw=1.2, gid="spread", **look)
    ax.plot([shown.mean], [1], "D", ms=6, gid="mean", **{**look, "color": style.ACCENT, "zorder": 4})
    mean = [f"mean {style.number(shown.mean, shown.standard_error)}"]
    for place, lines, colour, above in (
        *((place, lines, look["color"], 6) for place, *lines in named),
        (shown.mean, [mean], style.ACCENT, -6),
    ):
        half = point * _widest(*lines) / 2
        ax.annotate(
            "\n".join(map(", ".join, lines)),
            (float(np.clip(place, low + half, high - half)), 1),
            (0, LINE_ABOVE + above),
            xycoords=ax.get_xaxis_transform(),
            textcoords="offset points",
            ha="center",
            va="bottom" if above > 0 else "top",
            fontsize=style.LABEL,
            color=colour,
        )


def _widest(*lines: list[str]) -> float:
    """In points."""
    return max(texts.width_of(", ".join(words), style.LABEL) for words in lines)


@style.names_as_typed
def outcome(out: Outcome, quantity: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw an attack in one picture: bars for "exactly k", steps for "at least k".

    Parameters
    ----------
    out : Outcome
    quantity : str, optional
        As for `distribution`.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For what is no outcome, or an unknown quantity.

    Examples
    --------
    >>> import mathhammer as mh
    >>> fight = mh.Scenario.from_toml('''
    ... attacker = {name = "Gunners", weapons = ["6x Gun: A2 BS3+ S5 AP-1 D1"]}
    ... target = {name = "Wall", models = ["8x Shield: T4 Sv4+ W1"]}
    ... ''')
    >>> mh.plots.outcome(mh.solve(fight)).get_title(loc="left")
    'Gunners against Wall'
    """
    quantity = quantity_of(one_outcome(out), quantity)
    shown: Distribution = getattr(out, quantity)
    ax = style.new_axes(ax)
    counts, note = _window(shown)
    _bars(ax, shown, counts, style.PALE, label="exactly k")
    steps = counts[counts > 0]
    chances = np.array([shown.at_least(int(k)) for k in steps])
    if len(steps):
        edges = np.append(steps - 0.5, steps[-1] + 0.5)
        ax.stairs(chances, edges, color=style.MAIN, lw=1.8, baseline=None, label="at least k", zorder=4)
    ax.plot([shown.mean], [0], "^", color=style.ACCENT, ms=8, clip_on=False, zorder=6, gid="mean")
    ax.plot(
        [],
        [],
        "^",
        color=style.ACCENT,
        ms=7,
        label=f"mean {style.number(shown.mean, shown.standard_error)}",
    )
    ax.set_ylim(0, 1.06)
    ax.set_yticks(np.linspace(0, 1, 6))
    ax.set_ylabel("chance", fontsize=style.TEXT, color=style.INK)
    ax.set_xlabel(f"k = {style.named(quantity)}", fontsize=style.TEXT, color=style.INK)
    headroom = style.legend_above(ax)
    low, middle, high = (shown.quantile(q) for q in (0.1, 0.5, 0.9))
    band = f"median {middle} {style.named(quantity)} (80% band: {low} to {high})"
    subtitle = texts.joined([chance_to_destroy(out), band])
    style.finish(ax, f"{fighters(out)} against {out.target}", subtitle, source([out], note), headroom)
    _label(ax, out, steps, chances, style.MAIN)
    return ax


def _window(shown: Distribution) -> tuple[NDArray[np.int64], str]:
    """The counts to draw, and the note about those left out; nothing is left out of few bars."""
    last = int(np.flatnonzero(shown.pmf > 0)[-1])
    if last <= 12:
        return np.arange(len(shown.pmf[: max(last, min(len(shown.pmf) - 1, 12)) + 1])), ""
    end = int(np.argmax(shown.cdf >= 1 - UNSEEN))
    start = int(np.argmax(shown.cdf > UNSEEN)) if end > 40 else 0
    parts = [f"fewer than {start}"] if start else []
    parts += [f"more than {end}"] if end < last else []
    return np.arange(
        start, end + 1
    ), f"not drawn: {' and '.join(parts)}, under 0.1% together" if parts else ""


def _bars(ax: Axes, shown: Distribution, counts: NDArray[np.int64], colour: str, label: str = "") -> None:
    ax.bar(counts, shown.pmf[counts], width=0.82, color=colour, zorder=2, label=label or None)
    ax.set_xlim(counts[0] - 0.7, counts[-1] + 0.7)
    ax.grid(axis="y", color=style.FAINT, lw=0.7, zorder=0)
    ax.set_axisbelow(True)
    style.percent_axis(ax)
    style.count_axis(ax)


def _label(
    ax: Axes, out: Outcome, counts: NDArray[np.int64], chances: NDArray[np.float64], colour: str
) -> None:
    """Each chance in per cent above its bar or step, but for one that would cover the label before it."""
    wide, high = texts.laid_out(ax)
    low, end = ax.get_xlim()
    top = max(ax.get_ylim()[1], float(chances.max(initial=0)) / (1 - min(1.6 * style.LABEL / high, 0.5)))
    ax.set_ylim(0, top)
    if len(counts) > MOST_LABELLED:
        return
    before: tuple[float, float] | None = None  # where the last label ends, and how high it stands
    for k, chance in zip(counts.tolist(), chances.tolist(), strict=True):
        text = style.percent(chance, out.error_of(chance))
        half, middle = texts.width_of(text, style.LABEL) / 2, (k - low) / (end - low) * wide
        height = chance / top * high
        if before and middle - half < before[0] + 1 and abs(height - before[1]) < 1.4 * style.LABEL:
            continue
        before = middle + half, height
        look: dict[str, Any] = {"ha": "center", "va": "bottom", "fontsize": style.LABEL, "color": colour}
        ax.annotate(text, (k, chance), (0, 2), textcoords="offset points", zorder=5, **look)
