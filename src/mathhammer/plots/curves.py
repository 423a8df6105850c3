"""Curves of the chance of "at least k": `kill_curve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from mathhammer.distribution import Distribution
from mathhammer.outcome import Outcome
from mathhammer.plots import style, texts
from mathhammer.plots.outcomes import chance_to_destroy, fighters, labelled, quantity_of, source


@style.names_as_typed
def kill_curve(
    outcomes: Outcome | Sequence[Outcome] | Mapping[str, Outcome],
    quantity: str | None = None,
    *,
    ax: Axes | None = None,
) -> Axes:
    """Draw the chance of at least k, for one outcome or several together.

    Parameters
    ----------
    outcomes : Outcome, sequence of Outcome, or mapping of str to Outcome
        The keys of a mapping are the labels; else the names of attackers or targets, whichever differ.
    quantity : str, optional
        ``models_destroyed`` (default), ``wounds_lost`` ...
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For an unknown quantity, or no outcomes.

    Notes
    -----
    Simulated curves stand on a band of two standard errors either way; with many trials it is thinner than
    the line.

    Examples
    --------
    >>> import mathhammer as mh
    >>> fight = mh.Scenario.from_toml('''
    ... attacker = {name = "Gunners", weapons = ["6x Gun: A2 BS3+ S5 AP-1 D1"]}
    ... target = {name = "Wall", models = ["8x Shield: T4 Sv4+ W1"]}
    ... ''')
    >>> ax = mh.plots.kill_curve(mh.solve(fight))
    >>> [f"{chance:.3f}" for chance in ax.lines[0].get_ydata()[:3]]
    ['0.985', '0.911', '0.738']
    """
    series = labelled(outcomes)
    outs = list(series.values())
    quantity = quantity_of(max(outs, key=lambda out: len(out.models_destroyed.pmf)), quantity)
    own = ax is None
    ax = style.new_axes(ax, (7.6 if len(series) > 1 else 6.4, 4.0))
    last = 1
    for index, (label, out) in enumerate(series.items()):
        shown: Distribution = getattr(out, quantity)
        counts = np.arange(1, len(shown.pmf))
        chances = np.array([shown.at_least(int(k)) for k in counts])
        seen = int(np.flatnonzero(np.append(True, chances > 0.0005))[-1])
        last = max(last, min(seen + 1, len(counts)))
        look = style.look(index)
        ax.plot(
            counts,
            chances,
            color=look.colour,
            ls=look.dash,
            marker=look.marker,
            ms=5 * look.size if len(counts) <= 40 else 0,
            lw=1.7,
            label=texts.wrapped(label, 26),
            zorder=3,
        )
        if out.trials:
            errors = 2 * np.array([out.error_of(p) for p in chances])
            ax.fill_between(counts, chances - errors, chances + errors, color=look.colour, alpha=0.2, lw=0)
    ax.set_xlim(0.5 if last > 1 else 0, last + 0.5)
    ax.set_ylim(0, 1.04)
    ax.set_yticks(np.linspace(0, 1, 6))
    ax.grid(color=style.FAINT, lw=0.7)
    style.percent_axis(ax)
    style.count_axis(ax)
    ax.set_ylabel("chance of at least k", fontsize=style.TEXT, color=style.INK)
    ax.set_xlabel(f"k = {style.named(quantity)}", fontsize=style.TEXT, color=style.INK)
    if len(series) > 1:
        style.legend_beside(ax, own)
    title, subtitle = _heading(series)
    return style.finish(ax, title, subtitle, source(outs))


def _heading(series: Mapping[str, Outcome]) -> tuple[str, str]:
    outs = list(series.values())
    targets = {out.target for out in outs}
    attackers = {fighters(out) for out in outs}
    if len(outs) == 1:
        return f"{attackers.pop()} against {targets.pop()}", chance_to_destroy(outs[0])
    if len(targets) == 1:
        return f"Kill curves against {targets.pop()}", ""
    return (f"{attackers.pop()} against different targets" if len(attackers) == 1 else "Kill curves"), ""
