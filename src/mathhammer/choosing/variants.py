"""What could be chosen otherwise: the same scenario with one choice made in each way that there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, permutations, product
from math import factorial
from typing import Any

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.abilities import fold
from mathhammer.errors import UnsupportedScenario
from mathhammer.plan import Batch, Look, make_plan
from mathhammer.scenario import Attacker, Choices, Scenario
from mathhammer.sides import make_side
from mathhammer.units import Unit, Weapon

__all__ = [
    "MOST_VARIANTS",
    "Variant",
    "Way",
    "allocation_orders",
    "batch_orders",
    "common",
    "fishing",
    "full_rerolls",
    "lethal_hits",
    "modes",
    "modes_of",
    "playable",
    "precision_targets",
    "together",
    "with_choice",
]

Variant = tuple[str, Scenario]
"""The choice in words, and the scenario in which it is made."""
Way = Callable[[Scenario], list[Variant]]
MOST_VARIANTS = 5040
"""Ways to choose that are tried."""


def with_choice(scenario: Scenario, place: int | None, **choice: Any) -> Scenario:
    """The scenario with choices changed: its own (None), or those of one attacker."""
    if place is None:
        return scenario.replaced(choices=scenario.choices.replaced(**choice))
    unit = scenario.attackers[place]
    own = unit.choices.replaced(**choice) if isinstance(unit, Attacker) else choice
    return _with_attacker(scenario, place, choices=own)


def _with_own_choice(scenario: Scenario, index: int, **choice: Any) -> Scenario:
    """The scenario with choices of one attacker changed: the scenario's, where it is alone and has none."""
    return with_choice(scenario, None if _follows_alone(scenario, index) else index, **choice)


def _follows_alone(scenario: Scenario, index: int) -> bool:
    return not isinstance(scenario.attacker, tuple) and not isinstance(scenario.attackers[index], Attacker)


def common(scenario: Scenario, key: str) -> Scenario:
    """The scenario in which no attacker makes this choice on its own."""
    for place, unit in enumerate(scenario.attackers):
        if isinstance(unit, Attacker) and key in unit.choices.model_fields_set:
            kept = {name: getattr(unit.choices, name) for name in unit.choices.model_fields_set - {key}}
            scenario = _with_attacker(scenario, place, choices=Choices(**kept))
    return scenario


def _with_attacker(scenario: Scenario, place: int, **changes: Any) -> Scenario:
    unit = scenario.attackers[place]
    kept = {key: getattr(unit, key) for key in unit.model_fields_set}
    kind = Attacker if isinstance(unit, Attacker) or "choices" in changes else Unit
    changed = kind(**{**kept, **changes})
    if not isinstance(scenario.attacker, tuple):
        return scenario.replaced(attacker=changed)
    return scenario.replaced(
        attacker=tuple(changed if i == place else other for i, other in enumerate(scenario.attackers))
    )


def together(scenario: Scenario, ways: list[Way]) -> Iterator[tuple[tuple[str, ...], Scenario]]:
    """All combinations of several choices."""
    if not ways:
        yield (), scenario
        return
    for word, changed in ways[0](scenario):
        for words, final in together(changed, ways[1:]):
            yield (word, *words), final


def allocation_orders(scenario: Scenario, place: int | None) -> list[Variant]:
    """Every preference that the defender can have for the whole attack (05.03), the listed one first."""
    side = make_side(scenario.target, "target")
    named: dict[bool, list[str]] = {False: [], True: []}
    for rows, character in zip(side.groups, side.character, strict=True):
        name = side.names[rows[0]]
        if name not in named[character]:
            named[character].append(name)
    _bounded("choices.allocation_order", factorial(len(named[False])) * factorial(len(named[True])))
    orders = product(permutations(named[False]), permutations(named[True]))
    return [
        (", ".join(first + last), with_choice(scenario, place, allocation_order=first + last))
        for first, last in orders
    ]


def batch_orders(scenario: Scenario, index: int) -> list[Variant]:
    """Every order of the batches that an attacker makes against the whole target, the listed one first."""
    plan = make_plan(playable(scenario))
    attack, names = plan.attacks[index], scenario.attackers[index].weapon_names
    batches = [
        [names[row] for row in _rows(scenario, index, plan.batches[batch])]
        for batch in attack.schedule[0][plan.target.total_models >= 5]
    ]
    if not batches:
        return [("as listed", _with_own_choice(scenario, index, batch_order="listed"))]
    _bounded("choices.batch_order", factorial(len(batches)))
    return [
        (
            ", ".join(named[0] for named in order),
            _with_own_choice(scenario, index, batch_order=tuple(chain.from_iterable(order))),
        )
        for order in permutations(batches)
    ]


def _rows(scenario: Scenario, index: int, batch: Batch) -> list[int]:
    """The weapons of an attacker that are in a batch; of two that are equal both are."""
    weapons = scenario.attackers[index].weapons
    return [row for row, weapon in enumerate(weapons) if weapon in batch.weapons]


def playable(scenario: Scenario) -> Scenario:
    """The scenario with every choice that is still "best" as listed, to see what attacks at all."""
    plain = {"allocation_order": "listed", "batch_order": "listed", "precision": "first", "rerolls": "listed"}
    for place in (None, *range(len(scenario.attackers))):
        unit = None if place is None else scenario.attackers[place]
        if unit is not None and not isinstance(unit, Attacker):
            continue
        choices = scenario.choices if unit is None else unit.choices
        changes: dict[str, Any] = {
            key: value
            for key, value in plain.items()
            if key in choices.model_fields_set and getattr(choices, key) == "best"
        }
        kept = {name: mode for name, mode in choices.modes.items() if mode != "best"}
        if len(kept) < len(choices.modes):
            changes["modes"] = kept
        if changes:
            scenario = with_choice(scenario, place, **changes)
    return scenario


def precision_targets(scenario: Scenario, place: int | None) -> list[Variant]:
    """The first listed CHARACTER that lives, each by name, or none (24.28)."""
    names = [model.name for model in scenario.target.models if model.character]
    return [(word, with_choice(scenario, place, precision=word)) for word in ("first", "none", *names)]


def lethal_hits(scenario: Scenario, place: int | None) -> list[Variant]:
    """Decided batch by batch as rules.md says, always taken, or always declined (24.23)."""
    return [(word, with_choice(scenario, place, lethal_hits=word)) for word in ("best", "always", "never")]


def modes(scenario: Scenario, index: int, name: str) -> list[Variant]:
    """Every mode that an attacker has of a weapon named ``NAME | MODE``."""
    unit = scenario.attackers[index]
    known = [
        weapon.mode[1]
        for weapon in scenario.weapons_of(unit)
        if weapon.mode and fold(weapon.mode[0]) == fold(name)
    ]
    # Of weapons for which the attacker gives no mode of its own, the common one stays where it stands.
    own = unit.choices if isinstance(unit, Attacker) else Choices()
    given = scenario.choices if _follows_alone(scenario, index) else own
    others = {key: mode for key, mode in given.modes.items() if fold(key) != fold(name)}
    return [
        (f"{name} | {mode}", _with_own_choice(scenario, index, modes={**others, name: mode}))
        for mode in dict.fromkeys(known)
    ]


def modes_of(scenario: Scenario) -> list[tuple[int, str]]:
    """Attacker and name of every weapon of the phase that has modes."""
    return [
        (index, name)
        for index, unit in enumerate(scenario.attackers)
        for name in dict.fromkeys(weapon.mode[0] for weapon in scenario.weapons_of(unit) if weapon.mode)
    ]


def fishing(scenario: Scenario, place: int) -> list[Variant]:
    """For each full re-roll of an attacker: failures alone, or everything that is not critical (our reading)."""
    unit = scenario.attackers[place]
    own = isinstance(unit, Attacker) and "rerolls" in unit.choices.model_fields_set
    base = with_choice(scenario, place, rerolls="listed") if own else scenario
    full = full_rerolls(scenario, place)
    _bounded("choices.rerolls", 2 ** len(full))
    variants = []
    for chosen in product((False, True), repeat=len(full)):
        fished = [which for which, taken in zip(full, chosen, strict=True) if taken]
        weapons = list(unit.weapons)
        for index, roll in ((row, roll) for rows, roll in fished for row in rows):
            better = weapons[index].modifiers.replaced(**{roll: "noncritical"})
            weapons[index] = weapons[index].replaced(modifiers=better)
        said = [
            f"{' + '.join(unit.weapon_names[row] for row in rows)} ({roll.removeprefix('reroll_')})"
            for rows, roll in fished
        ]
        word = f"fish with {', '.join(said)}" if said else "re-roll failures"
        variants.append((word, _with_attacker(base, place, weapons=tuple(weapons)) if said else base))
    return variants


def full_rerolls(scenario: Scenario, place: int) -> list[tuple[tuple[int, ...], str]]:
    """The full re-rolls of an attacker that can fish for something: indices of weapons, and which roll.

    Weapons that make identical attacks are one batch, however their re-rolls are used (04.03).
    """
    unit = scenario.attackers[place]
    plan = make_plan(playable(scenario))
    joined: list[set[int]] = []
    for batch in plan.batches:
        if batch.attacker == place:
            rows = set(_rows(scenario, place, batch))
            met = [other for other in joined if other & rows]
            joined = [other for other in joined if not other & rows] + [rows.union(*met)]
    return [
        (tuple(sorted(rows)), roll)
        for rows in sorted(joined, key=min)
        for roll in ("reroll_hits", "reroll_wounds")
        if any(_fishes(scenario, unit, unit.weapons[row], roll, plan.looks) for row in rows)
    ]


def _fishes(scenario: Scenario, unit: Unit, weapon: Weapon, roll: str, looks: Sequence[Look]) -> bool:
    """Whether a weapon has a full re-roll of this kind, and something to fish for."""
    sources = (weapon.modifiers, unit.modifiers, scenario.target.modifiers_against, scenario.modifiers)
    abilities = [*weapon.abilities, *(given for source in sources for given in source.abilities)]
    kinds = set(map(type, abilities))
    # One that may cease to apply when models die: fishing could not be told apart from it.
    twin = any(
        isinstance(ability, ab.TwinLinked) and all(ability.only.match(look.keywords) for look in looks)
        for ability in abilities
    )
    always = ["any"] if roll == "reroll_wounds" and twin else []
    if rules.widest([*always, *(getattr(source, roll) for source in sources)]) != "any":
        return False
    if roll == "reroll_hits":
        return ab.SustainedHits in kinds or ab.LethalHits in kinds
    return ab.DevastatingWounds in kinds or any(source.extra_ap_on_critical_wound > 0 for source in sources)


def _bounded(path: str, size: int) -> None:
    if size > MOST_VARIANTS:
        remedy = f'at most {MOST_VARIANTS} ways to choose are tried for "best": make the choice yourself'
        raise UnsupportedScenario.at(path, f"{size} ways", remedy)
