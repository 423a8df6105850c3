"""A scenario written down as numbers: `make_plan` reads the rules so that the engines need not.

The engines read only the plan. What depends on who of the target still lives (Toughness, keywords) is there
once per *look*: one class of living rows that are alike in Toughness, keywords and having a CHARACTER.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.abilities import Ability, fold
from mathhammer.dice import Dice, convolve
from mathhammer.errors import InvalidScenario, UnsupportedScenario
from mathhammer.scenario import Choices, Conditions, Scenario
from mathhammer.sides import NORMAL, PSYCHIC, Side, make_side
from mathhammer.units import Modifiers, Unit, Weapon

__all__ = ["Attack", "Batch", "Look", "Plan", "Roll", "make_plan"]

Kind = TypeVar("Kind", bound=Ability)
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Named = tuple[tuple[str, int], ...]
"""Modifiers with the names of their sources, for explaining."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a batch finds when it starts: Toughness and keywords of the target's living models."""

    toughness: int
    keywords: frozenset[str]
    character: bool


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one attack of a batch against one look.

    Attributes
    ----------
    automatic : bool
        Hits automatically, no die.
    hit, wound : tuple of 6 int
        What each unmodified face does: 0 fails, 1 succeeds, 2 is critical.
    hit_reroll, wound_reroll : tuple of 6 bool
        Faces that are re-rolled.
    hit_one, wound_one, save_one, damage_one : bool
        A single die of the activation may be re-rolled: its first failure.
    sustained : tuple of float
        Distribution of the extra hits of a critical hit.
    lethal, devastating, precision : bool
        A critical hit wounds automatically; a critical wound is mortal wounds; a CHARACTER may be selected.
    unsaved, unsaved_critical : tuple of int
        By group: how many faces from 1 upwards do not save; the second after the extra AP of critical wounds.
    save_reroll : str or None
        "ones", "failures" (those that fail against the first group) or "noncritical" (all).
    damage : tuple of tuple of float
        Distributions of D as modified: by damage class; the last class is that of devastating wounds.
    damage_after_one : tuple of tuple of tuple of float
        By class, with the single re-roll at hand: distribution of D with it kept, and with it spent.
    damage_class : tuple of int
        By row of the target.
    """

    automatic: bool
    hit: rules.Faces
    hit_reroll: tuple[bool, ...]
    hit_one: bool
    sustained: tuple[float, ...]
    lethal: bool
    wound: rules.Faces
    wound_reroll: tuple[bool, ...]
    wound_one: bool
    devastating: bool
    precision: bool
    unsaved: tuple[int, ...]
    unsaved_critical: tuple[int, ...] | None
    ap_critical: int
    save_reroll: str | None
    save_one: bool
    damage: tuple[tuple[float, ...], ...]
    damage_after_one: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...]
    damage_class: tuple[int, ...]
    damage_one: bool
    skill: int | None
    strength: int
    ap: int
    toughness: int
    wound_needed: int
    skill_modifiers: Named = field(compare=False)
    hit_modifiers: Named = field(compare=False)
    wound_modifiers: Named = field(compare=False)
    abilities: tuple[Ability, ...] = field(compare=False)


@dataclass(frozen=True, eq=False)
class Batch:
    """Weapons that make identical attacks: resolved together (04.03).

    Attributes
    ----------
    attacker : int
        Index of the attacking unit.
    name : str
        Of the weapons, joined by " + ".
    count : int
        Weapons.
    kind : int
        NORMAL or PSYCHIC, for FEEL NO PAIN; that of its mortal wounds is ``kind + 2``.
    dice : tuple of tuple
        ``(weapons, A, modifier of A, added dice, added dice for every five models)``.
    rolls : tuple of Roll
        By look.
    """

    attacker: int
    name: str
    count: int
    kind: int
    dice: tuple[tuple[int, Dice, int, Dice | None, Dice | None], ...]
    rolls: tuple[Roll, ...]

    @property
    def by_fives(self) -> bool:
        """Whether the number of attack dice depends on the models in the target."""
        return any(per_five is not None for *_, per_five in self.dice)

    def attack_dice(self, fives: int = 0) -> Floats:
        """Distribution of the number of attack dice against a unit of ``fives`` full five models (04.03).

        Returns
        -------
        ndarray of float64, shape (most dice + 1,)
        """
        total = np.ones(1)
        for count, attacks, modifier, added, per_five in self.dice:
            one = _attacks_as_modified(attacks, modifier)
            if added is not None:
                one = np.convolve(one, added.pmf)
            if per_five is not None and fives:
                one = np.convolve(one, convolve(per_five.pmf, fives))
            total = np.convolve(total, convolve(one, count))
        return total


@dataclass(frozen=True, eq=False)
class Attack:
    """The attacks of one unit.

    Attributes
    ----------
    schedule : tuple of pair of tuple of int
        By look at its start, and by whether the target then has five models: indices of its batches, in order.
    preference : tuple of int
        Groups in the order that the defender prefers.
    precision : tuple of int
        Groups that the attacker selects with PRECISION: the first of them that lives.
    models_at_select_targets : int or None
        None: those that live when it starts.
    hazard_rolls : tuple of int
        By look at its start.
    hazard_wounds : int
        Mortal wounds of a failed hazard roll.
    side : Side or None
        The unit itself, to suffer them.
    """

    name: str
    schedule: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    preference: tuple[int, ...]
    precision: tuple[int, ...]
    models_at_select_targets: int | None
    hazard_rolls: tuple[int, ...]
    hazard_wounds: int
    side: Side | None


@dataclass(frozen=True, eq=False)
class Plan:
    """All that the engines need to know.

    Attributes
    ----------
    target : Side
    looks : tuple of Look
        The first is that of the whole unit.
    look_of : ndarray of int64, shape (2 ** rows,)
        Look of each set of living rows, bit i for row i.
    attacks : tuple of Attack
    batches : tuple of Batch
    assumed, not_modelled : tuple of str
    attacker_points : float or None
        Of all attackers together.
    """

    target: Side
    looks: tuple[Look, ...]
    look_of: Integers
    attacks: tuple[Attack, ...]
    batches: tuple[Batch, ...]
    assumed: tuple[str, ...]
    not_modelled: tuple[str, ...]
    attacker_points: float | None

    @cached_property
    def most_attacker_wounds(self) -> int:
        """Wounds that all attackers together can lose."""
        return sum(attack.side.total_wounds for attack in self.attacks if attack.side is not None)

    @cached_property
    def most_attacker_models(self) -> int:
        """Models that all attackers together can lose."""
        return sum(int(attack.side.start.sum()) for attack in self.attacks if attack.side is not None)

    def empty_row(self, batch: Batch) -> dict[str, object]:
        """The row of `batch` in ``by_weapon`` with all means 0."""
        means = ("attacks", "hits", "critical_hits", "wounds", "critical_wounds", "unsaved", "mortal_wounds")
        return {
            "attacker": self.attacks[batch.attacker].name,
            "weapon": batch.name,
            "count": batch.count,
            **dict.fromkeys((*means, "damage", "wounds_lost", "models_destroyed"), 0.0),
        }


def make_plan(scenario: Scenario) -> Plan:
    """Write a scenario down as numbers.

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
    target = make_side(scenario.target, "target")
    looks, look_of = _looks(scenario.target)
    attacks: list[Attack] = []
    batches: list[Batch] = []
    assumed: list[str] = []
    missing = [f"{scenario.target.name}: {word}" for word in scenario.target.not_modelled]
    for index, unit in enumerate(scenario.attackers):
        sheet = _Sheet(scenario, index, target, looks)
        attacks.append(sheet.attack(batches))
        assumed += sheet.assumed
        missing += [f"{unit.name}: {word}" for word in unit.not_modelled]
        missing += [f"{weapon.name}: {word}" for weapon in sheet.weapons for word in weapon.not_modelled]
        if attacks[-1].side is None and any(attacks[-1].hazard_rolls):
            missing.append(f"{unit.name}: losses by its HAZARDOUS weapons (the attacker has no models)")
    if len(batches) > rules.MOST_BATCHES:
        raise UnsupportedScenario.at("attacker", len(batches), f"at most {rules.MOST_BATCHES} batches in all")
    points = [unit.points for unit in scenario.attackers]
    return Plan(
        target=target,
        looks=looks,
        look_of=look_of,
        attacks=tuple(attacks),
        batches=tuple(batches),
        assumed=tuple(dict.fromkeys(assumed)),
        not_modelled=tuple(dict.fromkeys(missing)),
        attacker_points=None if any(each is None for each in points) else sum(each or 0 for each in points),
    )


def _looks(target: Unit) -> tuple[tuple[Look, ...], Integers]:
    rows = len(target.models)
    full = (1 << rows) - 1
    own = frozenset(map(fold, target.keywords))
    words = [frozenset(map(fold, model.keywords)) for model in target.models]
    found: dict[Look, int] = {}
    look_of = np.zeros(1 << rows, np.int64)
    for living in (full, *range(1, full)):
        alive = [row for row in range(rows) if living >> row & 1]
        models = [target.models[row] for row in alive]
        look = Look(
            toughness=rules.toughness_of_unit((model.toughness, model.leader) for model in models),
            keywords=own.union(*(words[row] for row in alive)),
            character=any(model.character for model in models),
        )
        look_of[living] = found.setdefault(look, len(found))
    return tuple(found), look_of


def _attacks_as_modified(attacks: Dice, modifier: int) -> Floats:
    """Distribution of A after its modifiers, at least 1 (02.02.01)."""
    rolled = attacks.pmf
    pmf = np.zeros(max(attacks.highest + modifier, 1) + 1)
    for value in np.flatnonzero(rolled):
        pmf[max(int(value) + modifier, 1)] += rolled[value]
    return pmf


class _Sheet:
    """One attacking unit with everything that bears on its attacks."""

    def __init__(self, scenario: Scenario, index: int, target: Side, looks: tuple[Look, ...]) -> None:
        self.scenario, self.index, self.target, self.looks = scenario, index, target, looks
        self.unit: Unit = scenario.attackers[index]
        self.path = scenario.path_of(index)
        self.conditions: Conditions = scenario.conditions_of(self.unit)
        self.choices: Choices = scenario.choices_of(self.unit)
        self.melee = scenario.phase_of(self.unit) == "fight"
        self.assumed: list[str] = []
        self.weapons = self._weapons_used()
        self.preference = self._preference()
        self.precision = self._precision()

    # ---- what attacks

    def _weapons_used(self) -> list[Weapon]:
        chosen: dict[str, str] = {}
        for weapon in self.scenario.weapons_of(self.unit):
            if weapon.mode:
                chosen.setdefault(fold(weapon.mode[0]), weapon.mode[1])
        for name, mode in self.choices.modes.items():
            if fold(name) in chosen:
                _settled(mode, f"choices.modes.{name}")
                modes = [w.mode[1] for w in self.unit.weapons if w.mode and fold(w.mode[0]) == fold(name)]
                chosen[fold(name)] = next(
                    (own for own in modes if fold(own) == fold(mode)), chosen[fold(name)]
                )
        used = []
        for weapon in self.scenario.weapons_of(self.unit):
            if weapon.mode and fold(chosen[fold(weapon.mode[0])]) != fold(weapon.mode[1]):
                continue
            if weapon.mode and weapon.mode[0] not in self.choices.modes:
                self.assumed.append(
                    f'{weapon.mode[0]} is used in its mode "{weapon.mode[1]}" (the first listed)'
                )
            used.append(weapon)
        return self._in_order(used)

    def _in_order(self, weapons: list[Weapon]) -> list[Weapon]:
        order = self.choices.batch_order
        if isinstance(order, str):
            _settled(order, "choices.batch_order")
            return weapons
        named = {fold(name): place for place, name in enumerate(order)}
        return sorted(weapons, key=lambda weapon: named.get(fold(weapon.name), len(named)))

    # ---- how both players choose

    def _preference(self) -> tuple[int, ...]:
        order = self.choices.allocation_order
        listed = range(len(self.target.groups))
        if isinstance(order, str):
            _settled(order, "choices.allocation_order")
            preference, how = tuple(listed), "as listed"
        else:
            named = [group for name in order for group in self.target.groups_of(name)]
            preference, how = tuple(dict.fromkeys([*named, *listed])), "as chosen"
        if len(listed) > 1:
            character = self.target.character
            initial = [bool(self.target.hurt[group, left]) for group, left in enumerate(self.target.wounds)]
            shown = rules.legal_order(preference, character, initial)
            names = dict.fromkeys(self.target.group_name(group) for group in shown)
            self.assumed.append(f"allocation order: {', '.join(names)} ({how}, made legal before each batch)")
        return preference

    def _precision(self) -> tuple[int, ...]:
        choice = self.choices.precision
        _settled(choice, "choices.precision")
        if choice == "none" or not self.conditions.characters_visible:
            return ()
        characters = [group for group, is_character in enumerate(self.target.character) if is_character]
        if choice != "first":
            characters = list(self.target.groups_of(choice))
        return tuple(characters)

    # ---- gathering attack dice (04.03)

    def attack(self, batches: list[Batch]) -> Attack:
        """The plan of this unit; appends its batches."""
        known: dict[object, int] = {}
        schedule = []
        rolls = [[self._roll(weapon, look) for look in self.looks] for weapon in self.weapons]
        for start in range(len(self.looks)):
            few, many = (self._gather(start, five, rolls, known, batches) for five in (False, True))
            schedule.append((few, many))
        side = make_side(self.unit, self.path) if self.unit.models else None
        select = self.conditions.models_at_select_targets if self.index == 0 else None
        return Attack(
            name=self.unit.name,
            schedule=tuple(schedule),
            preference=self.preference,
            precision=self.precision,
            models_at_select_targets=select,
            hazard_rolls=tuple(map(self._hazard_rolls, self.looks)),
            hazard_wounds=3 if _all_monsters(self.unit) else 1,
            side=side,
        )

    def _gather(
        self, start: int, five: bool, rolls: list[list[Roll]], known: dict[object, int], batches: list[Batch]
    ) -> tuple[int, ...]:
        gathered: dict[object, list[int]] = {}
        for place, weapon in enumerate(self.weapons):
            gathered.setdefault(self._identity(weapon, rolls[place], start, five), []).append(place)
        ids = []
        for places in gathered.values():
            dice = tuple(self._dice(self.weapons[place], start) for place in places)
            key = (tuple(places), dice)
            if key not in known:
                known[key] = len(batches)
                batches.append(self._batch(places, dice, rolls[places[0]]))
            ids.append(known[key])
        return tuple(ids)

    def _batch(self, places: list[int], dice: tuple[object, ...], rolls: list[Roll]) -> Batch:
        weapons = [self.weapons[place] for place in places]
        if any(roll.lethal for roll in rolls) or rolls[0].abilities:
            self._say_lethal(weapons, rolls[0])
        batch = Batch(
            attacker=self.index,
            name=" + ".join(dict.fromkeys(weapon.name for weapon in weapons)),
            count=sum(weapon.count for weapon in weapons),
            kind=PSYCHIC if _has(rolls[0].abilities, ab.Psychic) else NORMAL,
            dice=dice,  # type: ignore[arg-type]
            rolls=tuple(rolls),
        )
        fives = (self.conditions.models_at_select_targets or int(self.target.start.sum())) // 5
        most = sum(
            count
            * (max(a.highest + step, 1) + (more.highest if more else 0) + fives * (per.highest if per else 0))
            for count, a, step, more, per in batch.dice
        )
        if most > rules.MOST_DICE_IN_A_BATCH:
            remedy = f"at most {rules.MOST_DICE_IN_A_BATCH} attack dice in a batch ({batch.name})"
            raise UnsupportedScenario.at(f"{self.path}.weapons", most, remedy)
        return batch

    def _say_lethal(self, weapons: list[Weapon], roll: Roll) -> None:
        if any(isinstance(ability, ab.LethalHits) for ability in roll.abilities) and not roll.automatic:
            does = "wounds automatically" if roll.lethal else "is declined"
            self.assumed.append(f"LETHAL HITS of {weapons[0].name} {does} ({self.choices.lethal_hits})")

    def _identity(self, weapon: Weapon, rolls: list[Roll], start: int, five: bool) -> object:
        """Weapons with equal identities make identical attacks, against this look and any that can follow."""
        look = self.looks[start]
        follow = [
            roll
            for roll, other in zip(rolls, self.looks, strict=True)
            if other.keywords <= look.keywords and other.character <= look.character
        ]
        return (*follow, frozenset(map(str, self._that_apply(weapon, look, five))))

    def _dice(self, weapon: Weapon, start: int) -> tuple[int, Dice, int, Dice | None, Dice | None]:
        """Attack dice of a weapon: BLAST, CLEAVE and RAPID FIRE add some that are not part of A."""
        found = self._that_apply(weapon, self.looks[start], five=True)
        added = _best(found, ab.RapidFire)
        per_five = [ability for kind in (ab.Blast, ab.Cleave) if (ability := _best(found, kind))]
        modifier = sum(source.attacks for _, source in self._sources(weapon))
        both = sum((ability.extra.plus for ability in per_five if ability.extra.fixed), 0)
        rolled = [ability.extra for ability in per_five if not ability.extra.fixed]
        more = Dice(rolled[0].count, rolled[0].sides, rolled[0].plus + both) if rolled else Dice(0, 6, both)
        return (
            weapon.count,
            weapon.attacks,
            modifier,
            added.extra if added else None,
            more if per_five else None,
        )

    def _hazard_rolls(self, look: Look) -> int:
        """One for each HAZARDOUS weapon selected (24.15)."""
        return sum(
            weapon.count for weapon in self.weapons if _has(self._abilities(weapon, look), ab.Hazardous)
        )

    # ---- abilities (24.01, 24.02)

    def _sources(self, weapon: Weapon) -> Iterator[tuple[str, Modifiers]]:
        """All modifiers that apply to the attacks of a weapon, with the name of where they stand."""
        for name, source in (
            (weapon.name, weapon.modifiers),
            (self.unit.name, self.unit.modifiers),
            (self.scenario.target.name, self.scenario.target.modifiers_against),
            ("scenario", self.scenario.modifiers),
        ):
            if source.model_fields_set:
                yield name, source

    def _abilities(self, weapon: Weapon, look: Look) -> list[Ability]:
        """Abilities of a weapon, its own and given ones, that mean a target with these keywords."""
        given = [ability for _, source in self._sources(weapon) for ability in source.abilities]
        return [ability for ability in (*weapon.abilities, *given) if ability.only.match(look.keywords)]

    def _that_apply(self, weapon: Weapon, look: Look, five: bool) -> list[Ability]:
        """Those that can apply to an attack now; the others do not separate weapons (04.03, our reading)."""
        found = self._abilities(weapon, look)
        rolls_to_hit = not _has(found, ab.Torrent)
        conditions = self.conditions
        ranged = not self.melee
        covered = ranged and self._in_cover(found) and rolls_to_hit
        can: dict[type[Ability], bool] = {
            ab.Torrent: True,
            ab.SustainedHits: rolls_to_hit,
            ab.LethalHits: rolls_to_hit,
            ab.DevastatingWounds: True,
            ab.TwinLinked: True,
            ab.Lance: conditions.charged,
            ab.Heavy: ranged and conditions.braced and not conditions.engaged and rolls_to_hit,
            ab.RapidFire: ranged and conditions.half_range,
            ab.Blast: five,
            ab.Cleave: five and not conditions.split_attacks,
            ab.Melta: ranged and conditions.half_range,
            ab.IgnoresCover: covered,
            ab.IndirectFire: ranged and conditions.shooting.startswith("indirect"),
            ab.Psychic: True,
            ab.Precision: look.character and conditions.characters_visible,
        }
        return [
            ability
            for ability in found
            if (
                ability.against.match(look.keywords)
                if isinstance(ability, ab.Anti)
                else can.get(type(ability))
            )
        ]

    def _in_cover(self, found: Sequence[Ability]) -> bool:
        """Whether the target has the benefit of cover (13.08), before IGNORES COVER."""
        stealth = any(ability.name == "STEALTH" for ability in self.scenario.target.abilities)
        return self.conditions.cover or stealth or self._indirect(found)

    def _indirect(self, found: Sequence[Ability]) -> bool:
        return self.conditions.shooting.startswith("indirect") and _has(found, ab.IndirectFire)

    # ---- the dice of one attack

    def _roll(self, weapon: Weapon, look: Look) -> Roll:
        found = self._abilities(weapon, look)
        sources = list(self._sources(weapon))
        mods = [source for _, source in sources]
        automatic = _has(found, ab.Torrent)
        snap = self.conditions.shooting == "snap" and not self.melee
        indirect = self._indirect(found) and not self.melee
        self._check_blast(weapon, found)
        skill, skill_modifiers, hit_modifiers = self._to_hit(weapon, found, sources, look)
        hit_policy = None if automatic or snap or indirect else rules.widest(m.reroll_hits for m in mods)
        floor = {"indirect": 5, "indirect_spotted": 3}.get(self.conditions.shooting, 1) if indirect else 1
        hit = rules.hit_faces(
            skill or 2,
            rules.clamped((step for _, step in hit_modifiers)),
            critical_on=min([6, *(m.critical_hits_on for m in mods if m.critical_hits_on)]),
            need_success=all(m.critical_hits_need_success for m in mods if m.critical_hits_on),
            fails_to=floor,
            snap=snap,
        )
        strength = max(1, weapon.strength + sum(m.strength for m in mods))
        toughness = max(1, look.toughness + sum(m.toughness for m in mods))
        needed = rules.wound_target(strength, toughness)
        wound_modifiers = [(name, m.wound_roll) for name, m in sources if m.wound_roll]
        if _has(found, ab.Lance) and self.conditions.charged:
            wound_modifiers.append(("LANCE", 1))
        if any("wound_roll" in m.ignore_modifiers for m in mods):
            wound_modifiers = [(name, step) for name, step in wound_modifiers if step > 0]
        wound = rules.wound_faces(
            needed,
            rules.clamped(step for _, step in wound_modifiers),
            critical_on=self._critical_wounds_on(found, mods, look),
            fails_to=max((m.unmodified_wound_fails_to or 1 for m in mods), default=1),
        )
        twin = ["any"] if _has(found, ab.TwinLinked) else []
        wound_policy = rules.widest([*twin, *(m.reroll_wounds for m in mods)])
        sustained = _best(found, ab.SustainedHits)
        devastating = _has(found, ab.DevastatingWounds)
        extra_ap = sum(m.extra_ap_on_critical_wound for m in mods)
        ap_steps = [m.ap for m in mods]
        ap = rules.armour_penetration(weapon.ap, ap_steps)
        ap_critical = ap if devastating else rules.armour_penetration(weapon.ap, [*ap_steps, extra_ap])
        save_policy = rules.widest(m.reroll_saves for m in mods)
        damage, damage_class = self._damage(weapon, found, mods)
        damage_policy = max(
            (m.reroll_damage for m in mods if m.reroll_damage), key=DAMAGE_REROLLS.index, default=None
        )
        roll = Roll(
            automatic=automatic,
            hit=hit,
            hit_reroll=rules.rerolled_faces(self._played(hit_policy), hit),
            hit_one=hit_policy == "one",
            sustained=tuple(sustained.extra.pmf.tolist()) if sustained and not automatic else (1.0,),
            lethal=_has(found, ab.LethalHits) and not automatic,
            wound=wound,
            wound_reroll=rules.rerolled_faces(self._played(wound_policy), wound),
            wound_one=wound_policy == "one",
            devastating=devastating,
            precision=_has(found, ab.Precision) and look.character and bool(self.precision),
            unsaved=self._unsaved(ap, mods),
            unsaved_critical=self._unsaved(ap_critical, mods) if ap_critical != ap else None,
            ap_critical=ap_critical,
            save_reroll={"any": "failures", "one": None}.get(save_policy or "", save_policy),
            save_one=save_policy == "one",
            damage=tuple(kind.distribution(damage_policy) for kind in damage),
            damage_after_one=tuple(kind.after_one() for kind in damage) if damage_policy == "one" else (),
            damage_class=damage_class,
            damage_one=damage_policy == "one" and not weapon.damage.fixed,
            skill=None if automatic else skill,
            strength=strength,
            ap=ap,
            toughness=toughness,
            wound_needed=needed,
            skill_modifiers=tuple(skill_modifiers),
            hit_modifiers=tuple(hit_modifiers),
            wound_modifiers=tuple(wound_modifiers),
            abilities=tuple(found),
        )
        return self._with_lethal_decided(weapon, look, roll)

    def _played(self, policy: str | None) -> str | None:
        """A full re-roll ("any") fishes for criticals only where `mathhammer.front` settled on that."""
        if policy == "any":
            _settled(self.choices.rerolls, "choices.rerolls")
        return policy

    def _check_blast(self, weapon: Weapon, found: Sequence[Ability]) -> None:
        if not self.melee and _has(found, ab.Blast) and weapon.count:
            engaged = [name for name in ("engaged", "target_engaged") if getattr(self.conditions, name)]
            if engaged:
                place = next(i for i, own in enumerate(self.unit.weapons) if own is weapon)
                raise InvalidScenario.at(
                    f"{self.path}.weapons[{place}].abilities",
                    weapon.name,
                    f"BLAST may not target an engaged unit: set its count to 0 or conditions.{engaged[0]} to false",
                )

    def _to_hit(
        self, weapon: Weapon, found: Sequence[Ability], sources: Sequence[tuple[str, Modifiers]], look: Look
    ) -> tuple[int | None, list[tuple[str, int]], list[tuple[str, int]]]:
        """BS or WS as modified, and the modifiers of both layers (05.01)."""
        steps = [(name, m.skill) for name, m in sources if m.skill]
        rolls = [(name, m.hit_roll) for name, m in sources if m.hit_roll]
        if not self.melee:
            if self._in_cover(found) and not _has(found, ab.IgnoresCover):
                steps.append(("cover", -1))
            if self.conditions.plunging_fire:
                steps.append(("plunging fire", 1))
            if _has(found, ab.Heavy) and self.conditions.braced and not self.conditions.engaged:
                rolls.append(("HEAVY", 1))
            if self._engaged_shooting(found, look):
                rolls.append(("engaged MONSTER/VEHICLE", -1))
        ignored = {word for _, m in sources for word in m.ignore_modifiers}
        if _has(found, ab.Psychic):
            ignored |= {"skill", "hit_roll"}
        if "skill" in ignored:
            steps = [(name, step) for name, step in steps if step > 0]
        if "hit_roll" in ignored:
            rolls = [(name, step) for name, step in rolls if step > 0]
        skill = None
        if weapon.skill is not None:
            skill = rules.skill_as_modified(weapon.skill, (step for _, step in steps))
        return skill, steps, rolls

    def _engaged_shooting(self, found: Sequence[Ability], look: Look) -> bool:
        """An engaged MONSTER or VEHICLE shoots or is shot (10.06, 17.03)."""
        conditions = self.conditions
        if any(isinstance(ability, ab.CloseQuarters) for ability in found) and conditions.engaged:
            return False
        large = {"MONSTER", "VEHICLE"}
        shoots = conditions.engaged and bool(large & self.unit.all_keywords)
        is_shot = (conditions.engaged or conditions.target_engaged) and bool(large & look.keywords)
        return shoots or is_shot

    def _critical_wounds_on(self, found: Sequence[Ability], mods: Sequence[Modifiers], look: Look) -> int:
        anti = [a.on for a in found if isinstance(a, ab.Anti) and a.against.match(look.keywords)]
        return min([6, *anti, *(m.critical_wounds_on for m in mods if m.critical_wounds_on)])

    def _unsaved(self, ap: int, mods: Sequence[Modifiers]) -> tuple[int, ...]:
        save_roll, armour = sum(m.save_roll for m in mods), sum(m.armour_save for m in mods)
        faces = []
        for rows in self.target.groups:
            model = self.scenario.target.models[rows[0]]
            conditional = model.invulnerable_save_melee if self.melee else model.invulnerable_save_ranged
            known = [save for save in (model.invulnerable_save, conditional) if save is not None]
            faces.append(rules.unsaved_faces(model.save, min(known, default=None), ap, save_roll, armour))
        return tuple(faces)

    def _damage(
        self, weapon: Weapon, found: Sequence[Ability], mods: Sequence[Modifiers]
    ) -> tuple[list[_Damage], tuple[int, ...]]:
        """D against each row of the target; the last is that of devastating wounds (24.10)."""
        melta = _best(found, ab.Melta)
        add = sum(m.damage for m in mods if m.damage > 0)
        if melta and self.conditions.half_range and not self.melee:
            add += melta.extra.plus
        subtract = -sum(m.damage for m in mods if m.damage < 0)
        kinds = [
            _Damage(
                weapon.damage,
                add,
                subtract + model.damage_reduction,
                model.halve_damage,
                model.damage_becomes,
            )
            for model in self.scenario.target.models
        ]
        distinct = list(dict.fromkeys(kinds))
        classes = tuple(map(distinct.index, kinds))
        return [*distinct, _Damage(weapon.damage, add, subtract, False, None)], classes

    def _with_lethal_decided(self, weapon: Weapon, look: Look, roll: Roll) -> Roll:
        """LETHAL HITS: taken or declined, once per batch, against an unhurt model of the first group (24.23)."""
        if not roll.lethal or self.choices.lethal_hits == "always":
            return roll
        if self.choices.lethal_hits == "never":
            return replace(roll, lethal=False)
        if look is not self.looks[0]:
            return replace(roll, lethal=self._roll(weapon, self.looks[0]).lethal)
        automatic, rolled = self._worth_of_critical_hit(weapon, roll)
        return replace(roll, lethal=automatic >= rolled - 1e-12)

    def _worth_of_critical_hit(self, weapon: Weapon, roll: Roll) -> tuple[float, float]:
        """Expected wounds lost of one critical hit that wounds automatically, and of one that rolls."""
        initial = [bool(self.target.hurt[group, left]) for group, left in enumerate(self.target.wounds)]
        order = rules.legal_order(self.preference, self.target.character, initial)
        first = self.precision[0] if roll.precision and self.precision else order[0]
        row = int(self.target.next_row[first, self.target.wounds[first]])
        wounds = self.scenario.target.models[row].wounds
        kind = PSYCHIC if _has(roll.abilities, ab.Psychic) else NORMAL
        lost = _expected_loss(roll.damage[roll.damage_class[row]], wounds, int(self.target.pain[row, kind]))
        normal = _unsaved_chance(roll, roll.unsaved[first]) * lost
        if roll.devastating:
            critical = _expected_loss(roll.damage[-1], wounds, int(self.target.pain[row, kind + 2]))
        else:
            faces = (roll.unsaved_critical or roll.unsaved)[first]
            critical = _unsaved_chance(roll, faces) * lost
        chances = _face_chances(roll.wound, roll.wound_reroll)
        return normal, chances[rules.SUCCESS] * normal + chances[rules.CRITICAL] * critical


DAMAGE_REROLLS = ("one", "ones", "below_mean")


@dataclass(frozen=True, slots=True)
class _Damage:
    """D of an attack against one kind of model: the dice, and what is done to their sum (02.02.01)."""

    dice: Dice
    add: int
    subtract: int
    halve: bool
    becomes: int | None

    def _modified(self, rolled: Floats) -> tuple[float, ...]:
        values = [
            rules.damage_as_modified(value, self.add, self.subtract, self.halve, self.becomes)
            for value in range(len(rolled))
        ]
        pmf = np.bincount(values, rolled, minlength=1)
        return tuple(pmf[: int(np.flatnonzero(pmf)[-1]) + 1].tolist())

    def distribution(self, policy: str | None) -> tuple[float, ...]:
        """Distribution of D with a re-roll of every attack's damage; a single one is kept apart."""
        rolled = self.dice.pmf
        if policy == "ones" and not self.dice.fixed:
            die = np.full(self.dice.sides + 1, (1 + 1 / self.dice.sides) / self.dice.sides)
            die[0], die[1] = 0.0, 1 / self.dice.sides**2
            summed = convolve(die, self.dice.count)
            rolled = np.zeros(max(self.dice.highest, 0) + 1)
            for value in np.flatnonzero(summed):
                rolled[max(int(value) + self.dice.plus, 0)] += summed[value]
        elif policy == "below_mean":
            kept = np.where(np.arange(len(rolled)) < self.dice.mean - 1e-9, 0.0, rolled)
            rolled = kept + (1 - kept.sum()) * rolled
        return self._modified(rolled)

    def after_one(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """D with the single re-roll kept (a roll not below the mean), and with it spent."""
        rolled = self.dice.pmf
        kept = np.where(np.arange(len(rolled)) < self.dice.mean - 1e-9, 0.0, rolled)
        return self._modified(kept), self._modified((1 - kept.sum()) * rolled) if kept.sum() < 1 else (0.0,)


def _settled(choice: str, path: str) -> None:
    if choice == "best":
        raise UnsupportedScenario.at(path, choice, "must be settled first: use simulate, solve or best_play")


def _has(found: Sequence[Ability], kind: type[Ability]) -> bool:
    return any(isinstance(ability, kind) for ability in found)


def _best(found: Sequence[Ability], kind: type[Kind]) -> Kind | None:
    """Of duplicates the one that serves the attacker best, ties the first listed (24.02)."""
    return max(
        (ability for ability in found if isinstance(ability, kind)), key=lambda a: a.worth, default=None
    )


def _all_monsters(unit: Unit) -> bool:
    """Whether every model is a MONSTER or VEHICLE; a model without keywords has the unit's (06.03)."""
    large = {"MONSTER", "VEHICLE"}
    return bool(unit.models) and all(
        large & set(map(fold, model.keywords or unit.keywords)) for model in unit.models
    )


def _face_chances(faces: Sequence[int], reroll: Sequence[bool]) -> list[float]:
    """Probabilities of failing, succeeding and being critical, with the re-rolls."""
    chances = [faces.count(kind) / 6 for kind in range(3)]
    again = sum(reroll) / 6
    return [
        sum(face == kind and not reroll[i] for i, face in enumerate(faces)) / 6 + again * chances[kind]
        for kind in range(3)
    ]


def _unsaved_chance(roll: Roll, failing: int) -> float:
    """Probability that one save roll fails, with the re-rolls."""
    again = {"ones": 1, "failures": failing, "noncritical": 6}.get(roll.save_reroll or "", 0)
    failing_and_kept = failing - min(again, failing)
    return failing_and_kept / 6 + again / 6 * failing / 6


def _expected_loss(damage: Sequence[float], wounds: int, pain: int) -> float:
    """Expected wounds that one unhurt model loses to a D, after FEEL NO PAIN."""
    felt = (pain - 1) / 6
    total, lost = 0.0, np.ones(1)
    for value, probability in enumerate(damage):
        if value:
            lost = np.convolve(lost, [1 - felt, felt])
        total += probability * float(np.minimum(np.arange(len(lost)), wounds) @ lost)
    return total
