"""The choices and readings that a plan rests on, in words: each is said where it can change a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.plan.circumstances import Circumstances, best, has
from mathhammer.plan.numbers import Batch, Look, Roll
from mathhammer.units import Model, Modifiers, Weapon

__all__ = [
    "batch_order_of",
    "readings_of_batch",
    "readings_of_hazards",
    "readings_of_parting",
    "readings_of_unit",
]

_OF_ALLOCATED_ATTACKS = ("damage_reduction", "halve_damage", "damage_becomes", "damage_to_zero")
"""What a model does to each attack allocated to it."""


def readings_of_unit(of: Circumstances) -> Iterator[str]:
    """How both players choose in all attacks of a unit."""
    if len(of.preference) > 1:
        names = dict.fromkeys(map(of.side.group_name, of.initial_order))
        how = "as listed" if isinstance(of.choices.allocation_order, str) else "as chosen"
        yield f"allocation order: {', '.join(names)} ({how}, made legal before each batch)"
    for rows in of.side.groups:
        if len(rows) > 1:
            these = ", ".join(of.side.names[row] for row in rows)
            yield f"{these} are one group: wounded models suffer first, then as listed"
    alike: dict[object, list[str]] = {}
    for group, rows in enumerate(of.side.groups):
        model = of.target.models[rows[0]]
        if not of.side.character[group]:
            profile = model.wounds, model.save, of.invulnerable_save(model)
            alike.setdefault(profile, []).append(of.side.group_name(group))
    for groups in alike.values():
        if len(groups) > 1:
            yield f"{' and '.join(groups)} are groups of their own: an InSv of the other phase tells them apart"


def batch_order_of(of: Circumstances, names: Sequence[str]) -> Iterator[str]:
    """The order in which its batches, of these names, are resolved."""
    if len(names) > 1 and of.choices.batch_order == "listed":
        yield f"batch order: {', '.join(names)} (as listed)"


def readings_of_parting(alike: Iterable[Sequence[str]]) -> Iterator[str]:
    """04.03: batches are gathered when the unit begins; ``alike`` are names of those that attack alike then."""
    for names in alike:
        if len(names) > 1:
            yield f"{' and '.join(names)} are batches of their own: they can come to differ as models are lost"


def readings_of_hazards(of: Circumstances, rolls: Sequence[int], large: Sequence[bool]) -> Iterator[str]:
    """06.03: said where the first wounds could leave MONSTERs and VEHICLEs alone; ``large`` is by row of models."""
    if any(rolls) and any(large) and not all(large):
        yield f"hazard rolls of {of.unit.name} are made together, by the models there are then"


def readings_of_batch(of: Circumstances, batch: Batch, roll: Roll, look: Look, five: bool) -> Iterator[str]:
    """What is chosen for a batch, and which of our readings of the rules it meets.

    Parameters
    ----------
    of : Circumstances
    batch : Batch
    roll : Roll
        Its dice against ``look``.
    look : Look
        Of the target when the attacks of the unit begin.
    five : bool
        Whether the target then has five models.
    """
    weapons, name = batch.weapons, batch.name
    mods = [modifiers for _, modifiers in of.sources(weapons[0])]
    if len(weapons) > 1:
        yield from _of_joining(of, weapons, name, look, five)
    if len(set(map(type, roll.abilities))) < len(roll.abilities):
        yield from _of_duplicates(of, weapons[0], name, look, five)
    if roll.automatic and not of.melee and of.conditions.shooting == "snap":
        yield f"TORRENT of {name} hits automatically, in snap shooting too"
    if has(roll.abilities, ab.LethalHits) and not roll.automatic:
        does = "wounds automatically" if roll.lethal else "is declined"
        yield f"LETHAL HITS of {name}: {does} ({of.choices.lethal_hits})"
    yield from _of_rerolls(roll, mods, name)
    if roll.precision:
        names = ", then ".join(map(of.side.group_name, of.selectable))
        how = "as listed" if of.choices.precision == "first" else "as chosen"
        yield f"PRECISION of {name} selects {names} ({how})"
    yield from _of_damage(of, roll, mods, name)


def _of_joining(
    of: Circumstances, weapons: Sequence[Weapon], name: str, look: Look, five: bool
) -> Iterator[str]:
    """04.03: weapons with identical attacks are one batch."""
    idle = {
        frozenset(map(type, of.abilities(weapon, look)))
        - frozenset(map(type, of.that_apply(weapon, look, five)))
        for weapon in weapons
    }
    if len(idle) > 1:
        yield f"{name} are one batch: abilities that cannot apply do not separate weapons"


def _of_duplicates(of: Circumstances, weapon: Weapon, name: str, look: Look, five: bool) -> Iterator[str]:
    """24.02: one instance is selected."""
    applying = of.that_apply(weapon, look, five)
    for kind in dict.fromkeys(map(type, applying)):
        selected = best(applying, kind)
        if len({ability.effect for ability in applying if type(ability) is kind}) > 1:
            yield f"{selected} of {name} is selected, of several"


def _of_rerolls(roll: Roll, mods: Sequence[Modifiers], name: str) -> Iterator[str]:
    """Full re-rolls are not spent on successes (our reading); said where criticals are worth more than those."""
    twin = ["any"] if has(roll.abilities, ab.TwinLinked) else []
    fished = (
        (
            "hit",
            (m.reroll_hits for m in mods),
            # Snap and indirect shooting allow no hit re-roll, whoever gives one (15.09, 10.07).
            any(roll.hit_reroll) and (roll.lethal or len(roll.sustained) > 1),
        ),
        (
            "wound",
            (*twin, *(m.reroll_wounds for m in mods)),
            roll.devastating or roll.unsaved_critical is not None,
        ),
    )
    for what, policies, worth_it in fished:
        if worth_it and rules.widest(policies) == "any":
            yield f"{what} re-rolls of {name} are used on failures alone"


def _of_damage(of: Circumstances, roll: Roll, mods: Sequence[Modifiers], name: str) -> Iterator[str]:
    """05.03.02, 05.04, 24.10."""
    if roll.unsaved_critical is not None:
        yield f"pools of {name}: the better AP first"
    if roll.save_reroll == "noncritical":
        yield "save re-rolls: of every save, as none is critical"
    if (roll.save_reroll == "failures" or roll.save_one) and len(set(roll.unsaved)) > 1:
        yield "save re-rolls: of what would fail against the first group of the order"
    if abs(sum(m.save_roll for m in mods)) > 1:
        yield "modifiers of save rolls are not limited to +1 or -1"
    if roll.devastating:
        for key in _OF_ALLOCATED_ATTACKS:
            nothing = Model.model_fields[key].default
            if any(getattr(model, key) != nothing for model in of.target.models):
                yield f"{key} of {of.target.name} does not change DEVASTATING WOUNDS"
