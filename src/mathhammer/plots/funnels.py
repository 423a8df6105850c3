"""From attack dice to models destroyed: `funnel`."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from mathhammer.outcome import Outcome
from mathhammer.plots import style, texts
from mathhammer.plots.outcomes import fighters, one_outcome, source
from mathhammer.printed import shortened

STEPS = (
    ("attacks", "attacks"),
    ("hits", "hits"),
    ("wounds", "wounds"),
    ("unsaved", "unsaved"),
    ("mortal_wounds", "mortal wounds"),
    ("damage", "damage"),
    ("wounds_lost", "wounds lost"),
    ("models_destroyed", "models destroyed"),
)
_OF = {"hits": "attacks", "wounds": "hits", "unsaved": "wounds", "wounds_lost": "damage"}
"""The step that each one is a share of; the others are counted in something else."""
MOST_SHOWN = 6


@style.names_as_typed
def funnel(out: Outcome, *, ax: Axes | None = None) -> Axes:
    """Draw how an attack thins out: attacks, hits, wounds, unsaved, damage, wounds lost, models destroyed.

    Parameters
    ----------
    out : Outcome
        Its ``by_weapon`` rows become the parts of each bar.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For what is no outcome.

    Notes
    -----
    All are means. Hits count the extra ones of SUSTAINED HITS; damage counts what excess and FEEL NO PAIN
    then take away. The step of mortal wounds is left out where there are none. Beside a bar stands its share
    of the step that it came from.

    Examples
    --------
    >>> import mathhammer as mh
    >>> fight = mh.Scenario.from_toml('''
    ... attacker = {name = "Gunners", weapons = ["6x Gun: A2 BS3+ S5 AP-1 D1"]}
    ... target = {name = "Wall", models = ["8x Shield: T4 Sv4+ W1"]}
    ... ''')
    >>> [label.get_text() for label in mh.plots.funnel(mh.solve(fight)).get_yticklabels()][:3]
    ['attacks', 'hits', 'wounds']
    """
    rows = _gathered(one_outcome(out))
    totals = {step: sum(row[step] for row in rows.values()) for step, _ in STEPS}
    steps = [(step, name) for step, name in STEPS if step != "mortal_wounds" or totals[step] > 0]
    places = np.arange(len(steps)) + np.array([0.35 * (step in _WOUND_STEPS) for step, _ in steps])
    many = len(rows) > 1
    own = ax is None
    ax = style.new_axes(ax, (7.6 if many else 6.4, 3.9))
    left = np.zeros(len(steps))
    for index, (weapon, row) in enumerate(rows.items()):
        look = style.look(index)
        values = np.array([row[step] for step, _ in steps])
        ax.barh(
            places,
            values,
            left=left,
            height=0.74,
            color=look.colour,
            hatch=look.hatch if many else "",
            edgecolor="white",
            lw=0.6,
            label=texts.wrapped(shortened(weapon, 60), 26),
            zorder=2,
        )
        left += values
    for place, (step, _) in zip(places, steps, strict=True):
        whole = totals[_OF[step]] if step in _OF else 0.0
        share = f"  ({totals[step] / whole * 100:.0f}% of {dict(STEPS)[_OF[step]]})" if whole > 0 else ""
        ax.annotate(
            f"{style.number(totals[step])}{share}",
            (totals[step], place),
            (4, 0),
            textcoords="offset points",
            va="center",
            fontsize=style.LABEL,
            color=style.INK,
        )
    ax.set_yticks(places, [name for _, name in steps])
    ax.invert_yaxis()
    ax.set_xlim(0, (left.max() or 1) * 1.28)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color=style.FAINT, lw=0.7)
    ax.set_axisbelow(True)
    ax.set_xlabel("mean number", fontsize=style.TEXT, color=style.INK)
    if many:
        style.legend_beside(ax, own)
    title = f"{fighters(out)} against {out.target}"
    return style.finish(ax, title, "Where the attacks go", source([out]))


_WOUND_STEPS = {"mortal_wounds", "damage", "wounds_lost", "models_destroyed"}
"""Counted in wounds or models, no longer in dice: they stand a little apart."""


def _gathered(out: Outcome) -> dict[str, dict[str, Any]]:
    """A row for each weapon, the largest first; those beyond six as one."""
    several = len(out.attackers) > 1
    rows: dict[str, dict[str, float]] = {}
    for batch in out.by_weapon:
        label = f"{batch['attacker']}: {batch['weapon']}" if several else str(batch["weapon"])
        row = rows.setdefault(label, dict.fromkeys((step for step, _ in STEPS), 0.0))
        for step, _ in STEPS:
            row[step] += batch[step]
    if len(rows) <= MOST_SHOWN:
        return rows
    order = sorted(rows, key=lambda label: -rows[label]["damage"])
    rest = order[MOST_SHOWN - 1 :]
    summed = {step: sum(rows[label][step] for label in rest) for step, _ in STEPS}
    return {label: rows[label] for label in order[: MOST_SHOWN - 1]} | {f"{len(rest)} others": summed}
