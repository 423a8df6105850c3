"""One attacking unit with everything that bears on its attacks: conditions, choices, modifiers, abilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.abilities import Ability, fold
from mathhammer.errors import UnsupportedScenario
from mathhammer.plan.numbers import Look
from mathhammer.scenario import Scenario
from mathhammer.sides import Side
from mathhammer.units import Model, Modifiers, Weapon

__all__ = ["Circumstances", "best", "has", "settled"]

Kind = TypeVar("Kind", bound=Ability)
Source = tuple[str, Modifiers]


def settled(choice: str, path: str) -> None:
    """Refuse a choice that is still open.

    Raises
    ------
    UnsupportedScenario
    """
    if choice == "best":
        raise UnsupportedScenario.at(path, choice, "must be settled first: simulate and solve do that")


def has(found: Sequence[Ability], kind: type[Ability]) -> bool:
    """Whether one of the abilities is of this kind."""
    return any(isinstance(ability, kind) for ability in found)


def best(found: Sequence[Ability], kind: type[Kind]) -> Kind | None:
    """Of duplicates the one that serves the attacker best, ties the first listed (24.02)."""
    own = [ability for ability in found if isinstance(ability, kind)]
    return max(own, key=lambda ability: ability.worth) if own else None


class Circumstances:
    """What is the same for all weapons of one attacking unit.

    Attributes
    ----------
    index, path : int, str
        Which of the attackers it is, and how the user's file names it.
    unit, target, side : Unit, Unit, Side
        Who attacks; who suffers, as typed and as allocation groups.
    conditions, choices : Conditions, Choices
        Its own, or those of the scenario.
    stealth : bool
        Whether the target has STEALTH.
    initial_order : tuple of int
        The preferred allocation order, made legal for the target as it is at the start.
    melee : bool
        Whether it fights.
    preference : tuple of int
        Groups of the target in the order that the defender prefers.
    selectable : tuple of int
        CHARACTER groups that PRECISION selects, the first that lives.
    assumed : list of str
        What was chosen or read into the rules, in words.
    """

    def __init__(self, scenario: Scenario, index: int, side: Side) -> None:
        self.index, self.side, self.target = index, side, scenario.target
        self.unit = scenario.attackers[index]
        self.path = scenario.path_of(index)
        self.conditions = scenario.conditions_of(self.unit)
        self.choices = scenario.choices_of(self.unit)
        self.melee = scenario.phase_of(self.unit) == "fight"
        self.assumed: list[str] = []
        self._common: list[Source] = [
            (name, source)
            for name, source in (
                (self.unit.name, self.unit.modifiers),
                (self.target.name, self.target.modifiers_against),
                ("scenario", scenario.modifiers),
            )
            if source.model_fields_set
        ]
        self.stealth = any(ability.name == "STEALTH" for ability in self.target.abilities)
        self.preference = self._preference()
        self.selectable = self._selectable()
        self.initial_order = rules.legal_order(
            self.preference,
            side.character,
            [bool(side.hurt[group, left]) for group, left in enumerate(side.wounds)],
        )

    def path_of(self, weapon: Weapon) -> str:
        """Where a weapon of the unit stands, as the user wrote it."""
        place = next(i for i, own in enumerate(self.unit.weapons) if own is weapon)
        return f"{self.path}.weapons[{place}]"

    def sources(self, weapon: Weapon) -> list[Source]:
        """All modifiers that apply to the attacks of a weapon, with the name of where they stand."""
        own = weapon.modifiers
        return [(weapon.name, own), *self._common] if own.model_fields_set else self._common

    def abilities(self, weapon: Weapon, look: Look) -> list[Ability]:
        """Abilities of a weapon, its own and given ones, that mean a target with these keywords (24.01)."""
        given = [ability for _, source in self.sources(weapon) for ability in source.abilities]
        return [ability for ability in (*weapon.abilities, *given) if ability.only.match(look.keywords)]

    def in_cover(self, found: Sequence[Ability]) -> bool:
        """Whether the target has the benefit of cover (13.08), before IGNORES COVER."""
        return not self.melee and (self.conditions.cover or self.stealth or self.indirect(found))

    def indirect(self, found: Sequence[Ability]) -> bool:
        """Whether the weapon shoots indirectly (10.07)."""
        return (
            not self.melee and self.conditions.shooting.startswith("indirect") and has(found, ab.IndirectFire)
        )

    def that_apply(self, weapon: Weapon, look: Look, five: bool) -> list[Ability]:
        """Abilities that can apply to an attack now; others do not separate weapons (04.03, our reading)."""
        found = self.abilities(weapon, look)
        if not found:
            return []
        conditions, shoots, rolls = self.conditions, not self.melee, not has(found, ab.Torrent)
        near = shoots and conditions.half_range
        can: dict[type[Ability], bool] = {
            **dict.fromkeys((ab.Torrent, ab.DevastatingWounds, ab.TwinLinked, ab.Psychic), True),
            **dict.fromkeys((ab.SustainedHits, ab.LethalHits), rolls),
            **dict.fromkeys((ab.RapidFire, ab.Melta), near),
            ab.Lance: conditions.charged,
            ab.Heavy: shoots and conditions.braced and not conditions.engaged and rolls,
            ab.Blast: five,
            ab.Cleave: five and not conditions.split_attacks,
            ab.IgnoresCover: self.in_cover(found) and rolls,
            ab.IndirectFire: self.indirect(found) and rolls,
            ab.Precision: look.character and conditions.characters_visible,
        }
        return [
            ability
            for ability in found
            if can.get(type(ability))
            or (isinstance(ability, ab.Anti) and ability.against.match(look.keywords))
        ]

    def invulnerable_save(self, model: Model) -> int | None:
        """That of a model of the target which counts in this phase, None for none."""
        conditional = model.invulnerable_save_melee if self.melee else model.invulnerable_save_ranged
        return min(
            (save for save in (model.invulnerable_save, conditional) if save is not None), default=None
        )

    # ---- how both players choose

    def _preference(self) -> tuple[int, ...]:
        order, listed = self.choices.allocation_order, range(len(self.side.groups))
        if isinstance(order, str):
            settled(order, "choices.allocation_order")
            return tuple(listed)
        named = [group for name in order for group in self.side.groups_of(name)]
        return tuple(dict.fromkeys([*named, *listed]))

    def _selectable(self) -> tuple[int, ...]:
        choice = self.choices.precision
        settled(choice, "choices.precision")
        if choice == "none" or not self.conditions.characters_visible:
            return ()
        if choice != "first":
            return self.side.groups_of(choice)
        return tuple(group for group, is_character in enumerate(self.side.character) if is_character)

    def weapons_used(self) -> list[Weapon]:
        """The weapons of the phase that attack, one mode of each, in the attacker's order."""
        listed = [(row, weapon) for row, weapon in enumerate(self.unit.weapons) if weapon.melee == self.melee]
        if not listed:
            self.assumed.append(
                f"{self.unit.name} has no {'melee' if self.melee else 'ranged'} weapon and does not attack"
            )
        modes: dict[str, list[str]] = {}
        for _, weapon in listed:
            if weapon.mode:
                modes.setdefault(fold(weapon.mode[0]), []).append(weapon.mode[1])
        wanted: dict[str, str] = {}
        why: dict[str, str] = {}
        for name, mode in self.choices.modes.items():
            if fold(name) in modes:
                settled(mode, f"choices.modes.{name}")
                # A mode of the other phase, or of another unit's weapon of this name, says nothing here.
                if fold(mode) in map(fold, modes[fold(name)]):
                    wanted[fold(name)] = fold(mode)
                else:
                    why[fold(name)] = (
                        f'the first listed here; the chosen "{mode}" is of another unit or phase'
                    )
        used = []
        for row, weapon in listed:
            if weapon.mode:
                name, first = fold(weapon.mode[0]), modes[fold(weapon.mode[0])][0]
                if wanted.get(name, fold(first)) != fold(weapon.mode[1]):
                    continue
                if name not in wanted:
                    how = why.get(name, "the first listed")
                    self.assumed.append(f'{weapon.mode[0]} is used in its mode "{first}" ({how})')
            used.append((row, weapon))
        order = self.choices.batch_order
        if isinstance(order, str):
            settled(order, "choices.batch_order")
            return [weapon for _, weapon in used]
        place, names = {fold(name): i for i, name in enumerate(order)}, self.unit.weapon_names

        def rank(of: tuple[int, Weapon]) -> int:
            row, weapon = of
            return place.get(fold(names[row]), place.get(fold(weapon.name), len(place)))

        return [weapon for _, weapon in sorted(used, key=rank)]
