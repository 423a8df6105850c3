"""Bars of a distribution: `distribution` with mean and quantiles, `outcome` with "at least" steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from mathhammer.arguments import probabilities_of
from mathhammer.distribution import Distribution
from mathhammer.outcome import Outcome
from mathhammer.plots import style
from mathhammer.plots.outcomes import chance_to_destroy, fighters, one_outcome, quantity_of, source

UNSEEN = 0.0005
"""Share of the distribution at either end that may be left out of a picture with many bars."""
MOST_LABELLED = 14


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
    top = float(shown.pmf[counts].max())
    if len(counts) <= MOST_LABELLED:
        for k in counts:
            _label(ax, float(k), shown.pmf[k], style.percent(shown.pmf[k], out.error_of(shown.pmf[k])))
    _spread(ax, shown, places, top * 1.27)
    ax.set_ylim(0, top * 1.5)
    ax.set_yticks([tick for tick in ax.get_yticks() if tick <= top * 1.1])
    ax.set_ylabel("chance of exactly k", fontsize=style.TEXT, color=style.INK)
    ax.set_xlabel(f"k = {style.named(quantity)}", fontsize=style.TEXT, color=style.INK)
    return style.finish(ax, f"{fighters(out)} against {out.target}", "", source([out], note))


def _spread(ax: Axes, shown: Distribution, places: dict[float, int], height: float) -> None:
    """A line from the first to the last quantile above the bars, with a diamond at the mean."""
    low, high = ax.get_xlim()
    wide = (high - low) / style.columns_of(ax, style.LABEL)  # of a character
    named: list[tuple[float, list[str], list[str]]] = []
    for q, k in sorted(places.items()):
        ax.plot([k], [height], "|", color=style.QUIET, ms=9, mew=1.6, zorder=3)
        words, counts = ["median" if q == 0.5 else f"{q * 100:g}%"], [str(k)]
        place = float(k)
        while (
            named
            and place - named[-1][0] < wide * (_longest(words, counts) + _longest(*named[-1][1:]) + 2) / 2
        ):
            # Beside the one before it would cover it: both are written as one.
            before, *texts = named.pop()
            words, counts = [*texts[0], *words], list(dict.fromkeys([*texts[1], *counts]))
            place = (before + place) / 2
        named.append((place, words, counts))
    if places:
        ends = [min(places.values()), max(places.values())]
        ax.plot(ends, [height, height], color=style.QUIET, lw=1.2, zorder=3, gid="spread")
    mean = f"mean {style.number(shown.mean, shown.standard_error)}"
    ax.plot([shown.mean], [height], "D", color=style.ACCENT, ms=6, zorder=4, gid="mean")
    for place, words, counts in named:
        half = wide * _longest(words, counts) / 2
        inside = float(np.clip(place, low + half, high - half))
        _label(ax, inside, height, f"{', '.join(words)}\n{', '.join(counts)}", style.QUIET, above=6)
    half = wide * len(mean) / 2
    _label(ax, float(np.clip(shown.mean, low + half, high - half)), height, mean, style.ACCENT, above=-6)


def _longest(*texts: list[str]) -> int:
    return max(len(", ".join(words)) for words in texts)


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
    if len(steps) <= MOST_LABELLED:
        for k, p in zip(steps, chances, strict=True):
            _label(ax, float(k), float(p), style.percent(float(p), out.error_of(float(p))), style.MAIN)
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
    ax.legend(
        fontsize=style.TEXT, labelcolor=style.INK, facecolor="white", framealpha=0.9, edgecolor="none"
    ).set_zorder(7)
    low, middle, high = (shown.quantile(q) for q in (0.1, 0.5, 0.9))
    band = f"median {middle} {style.named(quantity)} (80% band: {low} to {high})"
    subtitle = f"{chance_to_destroy(out)} to destroy the unit · {band}"
    return style.finish(ax, f"{fighters(out)} against {out.target}", subtitle, source([out], note))


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


def _label(ax: Axes, x: float, y: float, text: str, colour: str = style.INK, above: int = 2) -> None:
    ax.annotate(
        text,
        (x, y),
        (0, above),
        textcoords="offset points",
        ha="center",
        va="bottom" if above > 0 else "top",
        fontsize=style.LABEL,
        color=colour,
        zorder=5,
    )
