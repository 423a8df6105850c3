"""`make_plan`: a scenario written down as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.abilities import fold
from mathhammer.errors import UnsupportedScenario
from mathhammer.plan.circumstances import Circumstances
from mathhammer.plan.gathering import gather
from mathhammer.plan.numbers import Attack, Batch, Look, Plan
from mathhammer.scenario import Scenario
from mathhammer.sides import make_side
from mathhammer.units import Model, Unit

__all__ = ["make_plan"]


def make_plan(scenario: Scenario, whole: bool = True) -> Plan:
    """Write a scenario down as numbers.

    Parameters
    ----------
    scenario : Scenario
    whole : bool, default True
        The first unit attacks a target that has all its models, so that only batches that can come about are
        gathered. False for a plan that is to be entered with models gone.

    Returns
    -------
    Plan

    Raises
    ------
    InvalidScenario
        For what only shows when weapon and target meet (BLAST at an engaged unit).
    UnsupportedScenario
        Beyond the limits of `mathhammer.rules`, or when a choice is still "best": `mathhammer.front` settles
        those first.

    Examples
    --------
    >>> plan = make_plan(Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"]},
    ...     "target": {"name": "B", "models": ["5x Grunt: T4 Sv3+ W2"]}}))
    >>> plan.batches[0].rolls[0].hit, plan.batches[0].rolls[0].unsaved
    ((0, 0, 1, 1, 1, 2), (3,))
    """
    side = make_side(scenario.target, "target")
    looks, look_of = _looks(scenario.target.models, scenario.target.keywords)
    attacks: list[Attack] = []
    batches: list[Batch] = []
    said: list[tuple[str, list[str]]] = []
    missing = [f"{scenario.target.name}: {word}" for word in scenario.target.not_modelled]
    for index, unit in enumerate(scenario.attackers):
        of = Circumstances(scenario, index, side)
        attack = gather(of, looks, batches, whole and index == 0)
        attacks.append(attack)
        said.append((unit.name, of.assumed))
        missing += [f"{unit.name}: {word}" for word in (*_damaged(unit), *unit.not_modelled)]
        missing += [f"{weapon.name}: {word}" for weapon in attack.weapons for word in weapon.not_modelled]
        if attack.side is None and any(attack.hazard_rolls):
            missing.append(f"{unit.name}: losses by its HAZARDOUS weapons (the attacker has no models)")
    if len(batches) > rules.MOST_BATCHES:
        raise UnsupportedScenario.at("attacker", len(batches), f"at most {rules.MOST_BATCHES} batches in all")
    points = [unit.points for unit in scenario.attackers if unit.points is not None]
    return Plan(
        target=side,
        looks=looks,
        look_of=look_of,
        attacks=tuple(attacks),
        batches=tuple(batches),
        assumed=_by_attacker(said),
        not_modelled=tuple(dict.fromkeys(missing)),
        attacker_points=sum(points) if len(points) == len(attacks) else None,
    )


def _by_attacker(said: Sequence[tuple[str, list[str]]]) -> tuple[str, ...]:
    """What all attackers say, or what names its attacker, as it is; all else behind the attacker's name."""
    common = set.intersection(*(set(lines) for _, lines in said))
    return tuple(
        dict.fromkeys(
            line if line in common or name in line else f"{name}: {line}"
            for name, lines in said
            for line in lines
        )
    )


def _damaged(unit: Unit) -> list[str]:
    """How many wounds a model that attacks has left is not known."""
    return [
        f"{ability} (set modifiers.hit_roll to -1 while it applies)"
        for ability in unit.abilities
        if ability.name == "DAMAGED"
    ]


@lru_cache(maxsize=512)
def _looks(
    models: tuple[Model, ...], keywords: tuple[str, ...]
) -> tuple[tuple[Look, ...], NDArray[np.int64]]:
    """The looks of the target, that of the whole unit first; and the look of each set of living rows."""
    rows = len(models)
    full = (1 << rows) - 1
    own = frozenset(map(fold, keywords))
    # A model marked as a CHARACTER is one, whether or not the word is repeated among its keywords.
    words = [
        frozenset(map(fold, (*model.keywords, *(("CHARACTER",) if model.character else ()))))
        for model in models
    ]
    found: dict[Look, int] = {}
    look_of = np.zeros(1 << rows, np.int64)
    for living in (full, *range(1, full)):
        alive = [row for row in range(rows) if living >> row & 1]
        left = [models[row] for row in alive]
        look = Look(
            toughness=rules.toughness_of_unit((model.toughness, model.leader) for model in left),
            keywords=own.union(*(words[row] for row in alive)),
            character=any(model.character for model in left),
        )
        look_of[living] = found.setdefault(look, len(found))
    look_of.setflags(write=False)
    return tuple(found), look_of
