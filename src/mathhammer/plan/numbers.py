"""What a plan is made of: numbers, and for `explain` what they came from; printable on a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.abilities import Ability
from mathhammer.dice import Dice, convolve
from mathhammer.sides import Side
from mathhammer.units import Weapon

__all__ = ["Attack", "AttackDice", "Batch", "Look", "Named", "Plan", "Roll"]

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
    kind : int
        NORMAL or PSYCHIC, for FEEL NO PAIN; that of its mortal wounds is ``kind + 2``.
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
        By group: how many faces from 1 upwards do not save; the second with `ap_critical`, None where
        critical wounds make no pool of their own.
    save_reroll : str or None
        "ones", "failures" (those that fail against the first group) or "noncritical" (all).
    damage : tuple of tuple of float
        Distributions of D as modified: by damage class; the last class is that of devastating wounds.
    damage_after_one : tuple of tuple of tuple of float
        By class, with the single re-roll at hand: distribution of D with it kept, and with it spent.
    damage_class : tuple of int
        By row of the target.
    skill, strength, ap, toughness : int
        As modified; no skill for an automatic hit.
    skill_modifiers, hit_modifiers, wound_modifiers : tuple of (str, int)
        Each with the name of its source, before limits.
    abilities : tuple of Ability
        That mean a target with these keywords (24.01).
    """

    kind: int
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
    skill_modifiers: Named = field(compare=False)
    hit_modifiers: Named = field(compare=False)
    wound_modifiers: Named = field(compare=False)
    abilities: tuple[Ability, ...] = field(compare=False)


@dataclass(frozen=True, slots=True)
class AttackDice:
    """Attack dice of one kind of weapon in a batch (04.03).

    Attributes
    ----------
    weapons : int
    attacks : Dice
        A, with ``modifier`` to it; at least 1.
    added : Dice or None
        By RAPID FIRE, per weapon; no part of A.
    per_five : tuple of Dice
        By BLAST and CLEAVE, per weapon and full five models.
    """

    weapons: int
    attacks: Dice
    modifier: int
    added: Dice | None
    per_five: tuple[Dice, ...]

    def most(self, fives: int) -> int:
        """The largest possible number of dice."""
        added = self.added.highest if self.added else 0
        one = (
            max(self.attacks.highest + self.modifier, 1)
            + added
            + fives * sum(d.highest for d in self.per_five)
        )
        return self.weapons * one

    def distribution(self, fives: int) -> Floats:
        """ndarray of float64: distribution of the number of dice of all these weapons."""
        rolled = self.attacks.pmf
        one = np.zeros(max(self.attacks.highest + self.modifier, 1) + 1)
        for value in np.flatnonzero(rolled):
            one[max(int(value) + self.modifier, 1)] += rolled[value]
        for extra, times in ((self.added, 1), *((each, fives) for each in self.per_five)):
            if extra is not None and times:
                one = np.convolve(one, convolve(extra.pmf, times))
        return convolve(one, self.weapons)


@dataclass(frozen=True, eq=False)
class Batch:
    """Weapons that make identical attacks: resolved together (04.03).

    Attributes
    ----------
    attacker : int
        Index of the attacking unit.
    weapons : tuple of Weapon
    dice : tuple of tuple of AttackDice
        By look and weapon.
    rolls : tuple of Roll
        By look.
    """

    attacker: int
    weapons: tuple[Weapon, ...]
    dice: tuple[tuple[AttackDice, ...], ...]
    rolls: tuple[Roll, ...]

    @cached_property
    def name(self) -> str:
        """Of the weapons, joined by " + "."""
        return " + ".join(dict.fromkeys(weapon.name for weapon in self.weapons))

    @cached_property
    def count(self) -> int:
        """How many weapons."""
        return sum(weapon.count for weapon in self.weapons)

    @cached_property
    def by_fives(self) -> bool:
        """Whether the number of attack dice depends on the models in the target."""
        return any(dice.per_five for found in self.dice for dice in found)

    @cached_property
    def single_rerolls(self) -> tuple[bool, bool, bool, bool]:
        """Whether its dice may spend the single re-roll of a hit, of a wound, of a save, of damage."""
        rolls = self.rolls
        return (
            any(roll.hit_one for roll in rolls),
            any(roll.wound_one for roll in rolls),
            any(roll.save_one for roll in rolls),
            any(roll.damage_one for roll in rolls),
        )

    def attack_dice(self, look: int = 0, fives: int = 0) -> Floats:
        """Distribution of the number of attack dice against a look, with ``fives`` full five models (04.03).

        Returns
        -------
        ndarray of float64, shape (most dice + 1,)
        """
        first, *others = self.dice[look]
        total = first.distribution(fives)
        for more in others:
            total = np.convolve(total, more.distribution(fives))
        return total


@dataclass(frozen=True, eq=False)
class Attack:
    """The attacks of one unit.

    Attributes
    ----------
    name : str
        Of the unit.
    schedule : tuple of pair of tuple of int
        By look at its start, and by whether the target then has five models: its batches, in order.
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
    weapons : tuple of Weapon
        Those that attack, in order.
    """

    name: str
    schedule: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    preference: tuple[int, ...]
    precision: tuple[int, ...]
    models_at_select_targets: int | None
    hazard_rolls: tuple[int, ...]
    hazard_wounds: int
    side: Side | None
    weapons: tuple[Weapon, ...]


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
        return sum(attack.side.total_models for attack in self.attacks if attack.side is not None)

    def empty_row(self, batch: Batch) -> dict[str, object]:
        """The row of `batch` in ``by_weapon`` with all means 0."""
        means = ("attacks", "hits", "critical_hits", "wounds", "critical_wounds", "unsaved", "mortal_wounds")
        return {
            "attacker": self.attacks[batch.attacker].name,
            "weapon": batch.name,
            "count": batch.count,
            **dict.fromkeys((*means, "damage", "wounds_lost", "models_destroyed"), 0.0),
        }

    def after_attacker(self, rows: Sequence[dict[str, Any]], gone: Sequence[float]) -> list[dict[str, Any]]:
        """What has happened after each attacking unit: the rows of ``by_weapon`` so far, summed.

        Parameters
        ----------
        rows : sequence of dict
            By batch.
        gone : sequence of float
            By attacker: probability that the target is destroyed after it.
        """
        after = []
        models = wounds = 0.0
        for index, (attack, destroyed) in enumerate(zip(self.attacks, gone, strict=True)):
            for row, batch in zip(rows, self.batches, strict=True):
                if batch.attacker == index:
                    models, wounds = models + row["models_destroyed"], wounds + row["wounds_lost"]
            after.append(
                {
                    "attacker": attack.name,
                    "unit_destroyed": destroyed,
                    "models_destroyed": models,
                    "wounds_lost": wounds,
                }
            )
        return after
