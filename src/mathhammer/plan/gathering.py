"""Gathering attack dice (04.03): weapons that make identical attacks are one batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.abilities import fold
from mathhammer.errors import UnsupportedScenario
from mathhammer.plan.attack_roll import make_rolls
from mathhammer.plan.circumstances import Circumstances, best, has
from mathhammer.plan.numbers import Attack, AttackDice, Batch, Look
from mathhammer.plan.readings import (
    batch_order_of,
    readings_of_batch,
    readings_of_hazards,
    readings_of_parting,
    readings_of_unit,
)
from mathhammer.sides import make_side
from mathhammer.units import Unit, Weapon

__all__ = ["attack_dice", "gather", "large_models"]

MOST_WOUNDS_OF_A_BATCH = 60_000
Schedule = tuple[tuple[int, ...], tuple[int, ...]]


class _Weapons:
    """The weapons of one attacker, their dice, and the batches made of them so far."""

    def __init__(self, of: Circumstances, looks: Sequence[Look], batches: list[Batch]) -> None:
        self.of, self.looks, self.batches = of, looks, batches
        self.weapons = of.weapons_used()
        self.rolls = [make_rolls(of, weapon, looks) for weapon in self.weapons]
        self.known: dict[object, int] = {}

    def schedules(self, models: int, whole: bool) -> tuple[Schedule, ...]:
        """By look: batches against a target of fewer than five models and of five or more.

        ``models`` is the most that can stand at Select Targets; ``whole`` says that all of them do.
        """
        if whole:
            only = self._batches(0, five=models >= 5)
            return ((only, only),) * len(self.looks)
        return tuple(self._schedule(start, models) for start in range(len(self.looks)))

    def _schedule(self, start: int, models: int) -> Schedule:
        if models < 5:
            few = self._batches(start, five=False)
            return few, few
        found = [self.of.abilities(weapon, self.looks[start]) for weapon in self.weapons]
        many = self._batches(start, five=True)
        adds = any(has(abilities, ab.Blast) or has(abilities, ab.Cleave) for abilities in found)
        return self._batches(start, five=False) if adds else many, many

    def _batches(self, start: int, five: bool) -> tuple[int, ...]:
        places: dict[tuple[object, object], list[int]] = {}
        for place in range(len(self.weapons)):
            identity = self._identity(place, start, five) if len(self.weapons) > 1 else (None, None)
            places.setdefault(identity, []).append(place)
        self._part(places)
        return tuple(self._batch(own, start, five) for own in places.values())

    def _part(self, places: Mapping[tuple[object, object], Sequence[int]]) -> None:
        """Say which make identical attacks now, and are kept apart for what can come."""
        alike: dict[object, list[str]] = {}
        for (now, _), own in places.items():
            names = dict.fromkeys(self.weapons[place].name for place in own)
            alike.setdefault(now, []).append(" + ".join(names))
        self.of.assumed += readings_of_parting(alike.values())

    def _identity(self, place: int, start: int, five: bool) -> tuple[object, object]:
        """Weapons with equal identities make identical attacks: against this look, and any that can follow."""
        look = self.looks[start]
        now, *later = (
            (self.rolls[place][index], self._selected(place, other, five))
            for index, other in sorted(enumerate(self.looks), key=lambda pair: pair[0] != start)
            if other.keywords <= look.keywords and other.character <= look.character
        )
        return now, tuple(later)

    def _selected(self, place: int, look: Look, five: bool) -> object:
        """What the abilities that apply do; of duplicates one is selected (24.02)."""
        applying = self.of.that_apply(self.weapons[place], look, five)
        selected = {type(ability): best(applying, type(ability)) for ability in applying}
        return frozenset((kind, one.effect) for kind, one in selected.items() if one is not None)

    def _batch(self, places: list[int], start: int, five: bool) -> int:
        key = tuple(places)
        if key not in self.known:
            self.known[key] = len(self.batches)
            rolls = self.rolls[places[0]]
            batch = Batch(
                attacker=self.of.index,
                weapons=tuple(self.weapons[place] for place in places),
                dice=tuple(
                    tuple(attack_dice(self.of, self.weapons[place], look) for place in places)
                    for look in self.looks
                ),
                rolls=rolls,
            )
            self._check_size(batch)
            self.of.assumed += readings_of_batch(self.of, batch, rolls[start], self.looks[start], five)
            self.batches.append(batch)
        return self.known[key]

    def _check_size(self, batch: Batch) -> None:
        models = max(self.of.conditions.models_at_select_targets or 0, self.of.side.total_models)
        most = max(sum(dice.most(models // 5) for dice in found) for found in batch.dice)
        hits = most * max(len(roll.sustained) for roll in batch.rolls)
        if most > rules.MOST_DICE_IN_A_BATCH or hits > MOST_WOUNDS_OF_A_BATCH:
            remedy = (
                f"at most {rules.MOST_DICE_IN_A_BATCH} attack dice and {MOST_WOUNDS_OF_A_BATCH} hits in a batch, not "
                f"{most} and {hits}: lower the count of {batch.name}"
            )
            weapon = batch.weapons[0]
            raise UnsupportedScenario.at(f"{self.of.path_of(weapon)}.count", weapon.count, remedy)


def attack_dice(of: Circumstances, weapon: Weapon, look: Look) -> AttackDice:
    """Attack dice of a weapon: RAPID FIRE, BLAST and CLEAVE add some that are not part of A."""
    found = of.that_apply(weapon, look, five=True)
    rapid, blast, cleave = best(found, ab.RapidFire), best(found, ab.Blast), best(found, ab.Cleave)
    return AttackDice(
        weapons=weapon.count,
        attacks=weapon.attacks,
        modifier=sum(source.attacks for _, source in of.sources(weapon)),
        added=rapid.extra if rapid else None,
        per_five=tuple(ability.extra for ability in (blast, cleave) if ability),
    )


def gather(of: Circumstances, looks: Sequence[Look], batches: list[Batch], whole: bool) -> Attack:
    """The plan of one attacking unit; appends its batches. ``whole``: no model of the target is gone yet.

    Notes
    -----
    04.03: weapons are one batch when their BS or WS, S, AP and D as modified, and what their applying abilities
    do, are the same against the target as it is when the unit begins and as it can become.
    """
    of.assumed += readings_of_unit(of)
    weapons = _Weapons(of, looks, batches)
    select = of.conditions.models_at_select_targets if of.index == 0 else None
    standing = of.side.total_models if select is None else select
    schedule = weapons.schedules(standing, whole)
    of.assumed += batch_order_of(of, [batches[index].name for index in schedule[0][1]])
    hazard_rolls = tuple(
        sum(weapon.count for weapon in weapons.weapons if has(of.abilities(weapon, look), ab.Hazardous))
        for look in looks
    )
    large = large_models(of.unit)
    of.assumed += readings_of_hazards(of, hazard_rolls, large)
    return Attack(
        name=of.unit.name,
        schedule=schedule,
        preference=of.preference,
        precision=of.selectable,
        models_at_select_targets=select,
        hazard_rolls=hazard_rolls,
        hazard_wounds=3 if large and all(large) else 1,
        side=make_side(of.unit, of.path) if of.unit.models else None,
        weapons=tuple(weapons.weapons),
    )


def large_models(unit: Unit) -> list[bool]:
    """Which rows are MONSTERs or VEHICLEs; a model without keywords of its own has the unit's (06.03).

    Examples
    --------
    >>> large_models(Unit(name="Walker", keywords=["VEHICLE"], models=["1x Walker: T9 Sv3+ W8"]))
    [True]
    """
    large = {"MONSTER", "VEHICLE"}
    return [bool(large & set(map(fold, model.keywords or unit.keywords))) for model in unit.models]
