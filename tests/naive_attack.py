"""What one attack is when everything that applies to it has been counted, for the die-by-die player."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import ceil
from typing import Any

from tests.naive_words import Ability, Roll, applicable, fold, read_ability, read_roll

Policy = str | None
WIDTH = {None: 0, "one": 1, "ones": 2, "below_mean": 3, "failures": 3, "any": 4, "noncritical": 5}
BIG = frozenset({"MONSTER", "VEHICLE"})


def required(strength: int, toughness: int) -> int:
    """05.02."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def rerolled(policy: Policy, faces: dict[int, str | None]) -> list[int] | str:
    """The unmodified results that are rolled again; a single die is another matter."""
    if policy in (None, "one"):
        return "one" if policy and any(faces[die] is None for die in faces) else []
    again = {"ones": lambda die: die == 1, "noncritical": lambda die: faces[die] != "critical"}
    return list(filter(again.get(policy, lambda die: faces[die] is None), faces))


def rolled_damage(roll: Roll, policy: Policy) -> dict[int, Fraction]:
    """The distribution of D before other modifiers, with its re-rolls."""
    sides, number = roll.sides, roll.number
    die = {face: Fraction(1, sides) for face in range(1, sides + 1)}
    if policy == "ones":
        die = {face: (Fraction(face > 1) + Fraction(1, sides)) / sides for face in die}
    total = {0: Fraction(1)}
    for _ in range(number):
        longer: dict[int, Fraction] = {}
        for (so_far, p), (face, q) in product(total.items(), die.items()):
            longer[so_far + face] = longer.get(so_far + face, Fraction(0)) + p * q
        total = longer
    if policy == "below_mean" and number:
        low = sum(p for value, p in total.items() if value < roll.dice_mean)
        total = {value: p * ((value >= roll.dice_mean) + low) for value, p in total.items()}
    return {value + roll.plus: p for value, p in total.items()}


@dataclass(frozen=True)
class Attack:
    """One attack as it stands now: characteristics as modified, and what applies."""

    words: frozenset[str]  # names of the abilities that can apply now
    numbers: frozenset[tuple[str, Roll]]  # the same with the numbers behind them
    skill: int
    hit_modifier: int
    hit_floor: int  # unmodified results up to this always miss
    hit_reroll: Policy
    critical_hits: frozenset[tuple[int, bool]]  # (on, must be a hit anyway)
    sustained: Roll | None
    strength: int
    toughness_modifier: int
    wound_modifier: int
    wound_floor: int  # unmodified results up to this never wound
    wound_reroll: Policy
    critical_wounds: int
    ap: int
    critical_ap: int
    save_roll: int
    armour_save: int
    save_reroll: Policy
    damage: Roll
    damage_added: int
    damage_subtracted: int
    damage_reroll: Policy
    melee: bool
    attack_dice: tuple[Roll, ...] = ()  # added per weapon: RAPID FIRE, BLAST, CLEAVE

    def has(self, *names: str) -> bool:
        return any(name in self.words for name in names)

    @cached_property
    def hit_faces(self) -> dict[int, str | None]:
        """05.01: what an unmodified result is: None (a miss), "hit" or "critical"."""
        faces: dict[int, str | None] = {}
        for die in range(1, 7):
            success = die + self.hit_modifier >= self.skill
            critical = die == 6 or any(die >= on and (success or not must) for on, must in self.critical_hits)
            missed = die <= max(1, self.hit_floor)
            faces[die] = None if missed else "critical" if critical else "hit" if success else None
        return faces

    def wound_faces(self, toughness: int) -> dict[int, str | None]:
        """05.02: what an unmodified result is: None (a failure), "wound" or "critical"."""
        needed = required(self.strength, max(1, toughness + self.toughness_modifier))
        faces: dict[int, str | None] = {}
        for die in range(1, 7):
            critical, success = die >= self.critical_wounds, die + self.wound_modifier >= needed
            failed = die <= max(1, self.wound_floor)
            faces[die] = None if failed else "critical" if critical else "wound" if success else None
        return faces

    def distribution(self, row: Any) -> dict[int, Fraction]:
        """Of the damage that reaches a model of this row; None for mortal wounds."""
        found: dict[int, Fraction] = {}
        for rolled, p in rolled_damage(self.damage, self.damage_reroll).items():
            damage = self.damage_of(rolled, row)
            found[damage] = found.get(damage, Fraction(0)) + p
        return found

    def identity(self, target: Any) -> tuple[Any, ...]:
        """What makes attacks identical (04.03): all that the dice can tell, and the abilities that apply."""
        wounds, hits = self.wound_faces(target.toughness()), self.hit_faces if self.skill else {}
        saves = [
            [self.saved(die, ap, figure.row.save, figure.invulnerable(self.melee)) for die in range(1, 7)]
            for figure in target.figures
            for ap in (self.ap, self.critical_ap)
        ]
        damages = [self.distribution(row) for row in (None, *(figure.row for figure in target.figures))]
        return (
            self.numbers,
            (self.skill, self.strength, self.ap, self.critical_ap, self.toughness_modifier),
            (str(hits), str(rerolled(self.hit_reroll, hits)), self.sustained),
            (str(wounds), str(rerolled(self.wound_reroll, wounds))),
            (str(saves), self.save_reroll),
            (str([sorted(damage.items()) for damage in damages]), self.damage_reroll == "one"),
        )

    def saved(self, die: int, ap: int, save: int, invulnerable: int) -> bool:
        """05.04: an unmodified 1 never; AP and armour_save leave the invulnerable save alone (7: none)."""
        total = die + self.save_roll
        return die > 1 and (total >= invulnerable <= 6 or total + self.armour_save + ap >= save)

    def damage_of(self, rolled: int, row: Any = None) -> int:
        """02.02.01: replace, add, divide, subtract, round up once, at least 1; becoming 0 is final."""
        value = Fraction(rolled)
        if row is not None and row.damage_becomes is not None:
            if row.damage_becomes == 0:
                return 0
            value = Fraction(row.damage_becomes)
        value += self.damage_added
        if row is not None and row.halve_damage:
            value /= 2
        value -= self.damage_subtracted + (row.damage_reduction if row is not None else 0)
        return max(1, ceil(value))


@dataclass(frozen=True)
class Side:
    """One attacking unit, and what holds while it attacks."""

    unit: Any
    target: Any
    conditions: Any
    choices: Any
    everywhere: Any  # the scenario's modifiers
    melee: bool
    weapons: tuple[Any, ...]

    @property
    def preference(self) -> tuple[str, ...]:
        order = self.choices.allocation_order
        return () if isinstance(order, str) else tuple(order)

    def places(self, weapon: Any) -> list[Any]:
        return [weapon.modifiers, self.unit.modifiers, self.target.modifiers_against, self.everywhere]

    def more_attacks(self, weapon: Any) -> int:
        return sum(modifiers.attacks for modifiers in self.places(weapon))

    def abilities(self, weapon: Any) -> list[Ability]:
        given = [text for modifiers in self.places(weapon) for text in modifiers.abilities]
        return [read_ability(str(text)) for text in (*weapon.abilities, *given)]


def widest(policies: Iterable[Policy]) -> Policy:
    return max(policies, key=WIDTH.__getitem__, default=None)


def hampered(side: Side, close: bool, keywords: frozenset[str], attacker: frozenset[str]) -> bool:
    """10.06, 17.03: a MONSTER or VEHICLE that shoots or is shot while engaged, but not with each other."""
    if side.melee or (side.conditions.engaged and close):
        return False
    engaged = side.conditions.engaged
    shot = (engaged or side.conditions.target_engaged) and bool(BIG & keywords)
    return shot or (engaged and bool(BIG & attacker))


def read_attack(side: Side, weapon: Any, target: Any, attacker: frozenset[str], models: int) -> Attack:
    """The attack of this weapon against `target` as it stands now; `models` is what BLAST counts."""
    places, now = side.places(weapon), side.conditions
    keywords = target.living_keywords()
    own = applicable(side.abilities(weapon), keywords)

    def each(name: str) -> list[int]:
        return [getattr(modifiers, name) or 0 for modifiers in places]

    def policy(name: str, *more: Policy) -> Policy:
        return widest([*(getattr(modifiers, name) for modifiers in places), *more])

    ignored = {name for modifiers in places for name in modifiers.ignore_modifiers}
    ignored |= {"skill", "hit_roll"} if "PSYCHIC" in own else set()

    def combined(name: str, *more: int) -> int:
        return sum(value for value in (*each(name), *more) if value > 0 or name not in ignored)

    rolled = "TORRENT" not in own
    shooting = "normal" if side.melee else now.shooting
    indirect = shooting.startswith("indirect") and "INDIRECTFIRE" in own
    cover = not side.melee and (
        now.cover or indirect or "STEALTH" in map(fold, map(str, side.target.abilities))
    )
    braced = "HEAVY" in own and now.braced and not now.engaged and not side.melee
    charged = "LANCE" in own and now.charged
    close = "PISTOL" in own or "CLOSEQUARTERS" in own
    engaged = hampered(side, close, keywords, attacker)
    plunging = now.plunging_fire and not side.melee
    half_range = now.half_range and not side.melee
    skill = combined("skill", -int(cover and "IGNORESCOVER" not in own), int(plunging))
    hit_modifier = combined("hit_roll", int(braced), -int(engaged))
    wound_modifier = combined("wound_roll", int(charged))
    floor = 5 if shooting == "snap" else {"indirect": 5, "indirect_spotted": 3}[shooting] if indirect else 0
    damage = [*each("damage"), own["MELTA"].value.plus if "MELTA" in own and half_range else 0]
    extra_ap = sum(each("extra_ap_on_critical_wound"))
    anti = own["ANTI"].value.plus if "ANTI" in own else 6
    fives = models // 5

    dice = [own["RAPIDFIRE"].value] if "RAPIDFIRE" in own and half_range else []
    dice += [own["BLAST"].value] * fives if "BLAST" in own else []
    dice += [own["CLEAVE"].value] * fives if "CLEAVE" in own and not now.split_attacks else []
    applies = {
        "TORRENT": True,
        "RAPIDFIRE": half_range,
        "BLAST": fives > 0,
        "CLEAVE": fives > 0 and not now.split_attacks,
        "TWINLINKED": True,
        "LETHALHITS": rolled,
        "SUSTAINEDHITS": rolled,
        "DEVASTATINGWOUNDS": True,
        "PRECISION": now.characters_visible and any(figure.character for figure in target.living()),
        "IGNORESCOVER": cover and rolled,
        "HEAVY": braced and rolled,
        "LANCE": charged,
        "PSYCHIC": True,
        "MELTA": half_range,
        "ANTI": True,
        "INDIRECTFIRE": indirect,
    }
    return Attack(
        words=frozenset(name for name in own if applies.get(name)),
        numbers=frozenset((name, own[name].value) for name in own if applies.get(name)),
        skill=min(6, max(2, weapon.skill - skill)) if rolled else 0,
        hit_modifier=max(-1, min(1, hit_modifier)) if rolled else 0,
        hit_floor=floor if rolled else 0,
        hit_reroll=policy("reroll_hits") if rolled and not floor else None,
        critical_hits=frozenset(
            (modifiers.critical_hits_on, bool(modifiers.critical_hits_need_success))
            for modifiers in places
            if rolled and modifiers.critical_hits_on
        ),
        sustained=own["SUSTAINEDHITS"].value if rolled and "SUSTAINEDHITS" in own else None,
        strength=max(1, weapon.strength + sum(each("strength"))),
        toughness_modifier=sum(each("toughness")),
        wound_modifier=max(-1, min(1, wound_modifier)),
        wound_floor=max(each("unmodified_wound_fails_to")),
        wound_reroll=policy("reroll_wounds", "any" if "TWINLINKED" in own else None),
        critical_wounds=min(6, anti, *(modifiers.critical_wounds_on or 6 for modifiers in places)),
        ap=min(0, weapon.ap - sum(each("ap"))),
        critical_ap=min(0, weapon.ap - sum(each("ap")) - extra_ap),
        save_roll=sum(each("save_roll")),
        armour_save=sum(each("armour_save")),
        save_reroll=policy("reroll_saves"),
        damage=read_roll(str(weapon.damage)),
        damage_added=sum(value for value in damage if value > 0),
        damage_subtracted=-sum(value for value in damage if value < 0),
        damage_reroll=policy("reroll_damage"),
        melee=side.melee,
        attack_dice=tuple(dice),
    )
