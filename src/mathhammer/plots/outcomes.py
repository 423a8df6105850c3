"""Reading the outcomes that charts draw: which quantity, under which names, what the small print says."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mathhammer.arguments import named_items
from mathhammer.errors import InvalidScenario, nearest
from mathhammer.labels import numbered
from mathhammer.outcome import Outcome
from mathhammer.plots.style import at_most, percent
from mathhammer.plots.texts import credited
from mathhammer.printed import shortened

Outcomes = Outcome | Sequence[Outcome] | Mapping[str, Outcome]
QUANTITIES = (
    "wounds_lost",
    "models_destroyed",
    "attacker_wounds_lost",
    "attacker_models_destroyed",
    "attackers_used",
)
_OUTCOME = "give an outcome of simulate or solve"


def one_outcome(given: Any) -> Outcome:
    """The argument ``out``, if it is an outcome.

    Raises
    ------
    InvalidScenario
    """
    if not isinstance(given, Outcome):
        raise InvalidScenario.at("out", given, _OUTCOME)
    return given


def quantity_of(out: Outcome, quantity: str | None) -> str:
    """The quantity asked for; by default models destroyed, or wounds lost where there is a single model.

    Raises
    ------
    InvalidScenario
        For a name that is no distribution of an outcome.
    """
    if quantity is None:
        return "models_destroyed" if len(out.models_destroyed.pmf) > 2 else "wounds_lost"
    if quantity not in QUANTITIES:
        hint = nearest(str(quantity), QUANTITIES) or f"; known are {', '.join(QUANTITIES)}"
        raise InvalidScenario.at("quantity", quantity, f"is no distribution of an outcome{hint}")
    return quantity


def fighters(out: Outcome) -> str:
    """The attackers' names, joined; from the fourth on they are counted."""
    names = list(out.attackers)
    return " + ".join(names if len(names) <= 3 else [*names[:2], f"{len(names) - 2} more"])


def how_often(out: Outcome) -> str:
    """How often the unit is destroyed; simulated chances of 0 and 1 are only what was seen.

    Examples
    --------
    >>> import mathhammer as mh
    >>> guns = mh.Unit(name="Guns", weapons=["1x Gun: A1 BS3+ S4 AP0 D1"])
    >>> wall = mh.Unit(name="Wall", models=["9x Shield: T4 Sv4+ W1"])
    >>> fight = mh.Scenario(attacker=guns, target=wall)
    >>> how_often(mh.solve(fight)), how_often(mh.simulate(fight, 100, seed=1))
    ('0%', 'never')
    """
    p = out.unit_destroyed
    seen = {0.0: "never", 1.0: "always"} if out.trials else {}
    return seen.get(p) or percent(p, out.error_of(p))


def chance_to_destroy(out: Outcome) -> str:
    """`how_often` as a phrase of its own."""
    often = how_often(out)
    return f"{often} to destroy the unit" if often.endswith("%") else f"the unit was {often} destroyed"


def labelled(given: Outcomes) -> dict[str, Outcome]:
    """Outcomes with the names that tell them apart: given ones, else attackers, targets, or both.

    Raises
    ------
    InvalidScenario
        When there is none, or something else among them.
    """
    named = named_items(given, Outcome, "outcomes", _OUTCOME)
    if isinstance(given, Mapping):
        return dict(zip(numbered([str(label) for label, _ in named]), (out for _, out in named), strict=True))
    outcomes = [out for _, out in named]
    attackers = [fighters(out) for out in outcomes]
    targets = [out.target for out in outcomes]
    labels = attackers
    if len(set(attackers)) < len(attackers):
        labels = targets
        if len(set(attackers)) > 1 or len(set(targets)) < len(targets):
            labels = [f"{a} against {t}" for a, t in zip(attackers, targets, strict=True)]
    return dict(zip(numbered(labels), outcomes, strict=True))


def source(outcomes: Iterable[Outcome], note: str = "") -> str:
    """The small print: engine, trials, seed, error, and what the numbers leave out."""
    many = list(outcomes)
    parts = []
    simulated = [out for out in many if out.trials]
    if simulated:
        counts = sorted({out.trials or 0 for out in simulated})
        trials = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        seeds = {out.seed for out in simulated}
        seed = f", seed {seeds.pop()}" if len(seeds) == 1 else ""
        error = at_most(50 / math.sqrt(counts[0]))
        parts.append(
            f"Monte Carlo, {trials} trials{seed}; standard error of a chance at most {error} percentage points"
        )
    if len(simulated) < len(many):
        parts.append("exact probabilities" if not simulated else "the others exact")
    left_out = list(dict.fromkeys(word for out in many for word in out.not_modelled))
    if left_out:
        more = f" and {len(left_out) - 4} more" if len(left_out) > 4 else ""
        parts.append(f"not modelled: {'; '.join(shortened(word, 40) for word in left_out[:4])}{more}")
    return credited([*parts, note])
