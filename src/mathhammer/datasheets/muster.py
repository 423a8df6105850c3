"""From models and what they carry to a `Unit`: weapons counted over the unit, one melee weapon a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mathhammer.abilities import ExtraAttacks
from mathhammer.abilities import fold as keyword
from mathhammer.datasheets.names import stem
from mathhammer.units import Model, Unit, Weapon


@dataclass(frozen=True)
class Arm:
    """Weapons of one kind: how many a group of models has, and the modes, of which one is used at a time.

    Attributes
    ----------
    name : str
    modes : tuple of (str, Weapon)
        Name of the mode (empty if it is the only one) and its profile; the first is the default.
    count : int
        In the group, not per model.
    """

    name: str
    modes: tuple[tuple[str, Weapon], ...]
    count: int = 1

    @property
    def melee(self) -> bool:
        """Whether it is a melee weapon."""
        return self.modes[0][1].melee

    @property
    def extra(self) -> bool:
        """Whether it is used beside another melee weapon (EXTRA ATTACKS)."""
        return any(isinstance(ability, ExtraAttacks) for ability in self.modes[0][1].abilities)


@dataclass(frozen=True)
class Group:
    """Models with the same profile and what they carry together.

    Attributes
    ----------
    model : Model or None
        None for weapons of the unit itself, or of models that stand in other groups.
    arms : tuple of Arm
    bearers : int or None
        How many models share the weapons, if `model` does not say it.
    """

    model: Model | None
    arms: tuple[Arm, ...] = ()
    bearers: int | None = None


def muster(name: str, groups: Sequence[Group], **keys: Any) -> Unit:
    """The unit of these groups.

    Parameters
    ----------
    name : str
    groups : sequence of Group
    **keys
        Further keys of `Unit`: `points`, `keywords`, `abilities`, `not_modelled`, ...

    Returns
    -------
    Unit
        A model that has several melee weapons, EXTRA ATTACKS aside, uses one: the alternatives are modes
        of one weapon, named `A or B | A`, the strongest first.

    Raises
    ------
    InvalidScenario
        If the unit cannot be right.

    Notes
    -----
    Rule 04.01: a model fights with one melee weapon, and with those that have EXTRA ATTACKS.
    """
    arms: list[tuple[str, Arm]] = []
    for group in groups:
        bearers = group.model.count if group.model else group.bearers
        beside = [arm for arm in group.arms if not arm.melee or arm.extra]
        for arm in (*beside, *_one_melee_weapon_each([a for a in group.arms if a not in beside], bearers)):
            _add(arms, arm, group.model.name if group.model else name)
    weapons = [weapon for _, arm in arms for weapon in _weapons(arm)]
    return Unit(name=name, models=_models(groups), weapons=weapons, **keys)


def _one_melee_weapon_each(arms: Sequence[Arm], bearers: int | None) -> list[Arm]:
    """Deal melee weapons to models, one after another: those that get several choose among them."""
    if bearers is None or sum(arm.count for arm in arms) <= bearers:
        return list(arms)
    held: list[list[int]] = [[] for _ in range(bearers)]
    turn = 0
    for index in sorted(range(len(arms)), key=lambda i: -arms[i].count):
        for _ in range(min(arms[index].count, bearers)):
            held[turn % bearers].append(index)
            turn += 1
    sets = Counter(tuple(sorted(hand)) for hand in held if hand)
    return [_choice([arms[i] for i in hand], count) for hand, count in sets.items()]


def _choice(arms: Sequence[Arm], count: int) -> Arm:
    if len(arms) == 1:
        return replace(arms[0], count=count)
    best_first = sorted(arms, key=lambda arm: -max(map(_strength, (weapon for _, weapon in arm.modes))))
    modes = [
        (f"{arm.name} - {mode}" if mode else arm.name, weapon)
        for arm in best_first
        for mode, weapon in arm.modes
    ]
    return Arm(" or ".join(arm.name for arm in best_first), tuple(modes), count)


def _strength(weapon: Weapon) -> float:
    """A plain measure to order alternatives: wounds lost by T4, 3+ models without limit."""
    hit = 1.0 if weapon.skill is None else (7 - weapon.skill) / 6
    wound = {True: 5, False: 3}[weapon.strength >= 8] if weapon.strength >= 4 else 2
    fails = min(6, 2 - weapon.ap)
    return float(weapon.attacks.mean * hit * wound * fails * weapon.damage.mean)


def _add(arms: list[tuple[str, Arm]], arm: Arm, bearer: str) -> None:
    """Count an arm with an equal one; one that only shares the name is told apart by its bearer.

    Each arm stands behind the name that it had before it was told apart.
    """
    for at, (name, other) in enumerate(arms):
        if (name, other.modes) == (arm.name, arm.modes):
            arms[at] = name, replace(other, count=other.count + arm.count)
            return
    taken = {other.name: other for _, other in arms}
    named = arm.name
    if named in taken:
        if taken[named].melee is not arm.melee:
            bearer = "melee" if arm.melee else "ranged"
        named, number = f"{arm.name} ({bearer})", 2
        while named in taken:
            named, number = f"{arm.name} ({bearer} {number})", number + 1
    arms.append((arm.name, replace(arm, name=named)))


def _weapons(arm: Arm) -> Iterable[Weapon]:
    single = len(arm.modes) == 1
    for mode, weapon in arm.modes:
        title = arm.name if single else f"{arm.name} | {mode}"
        yield weapon.replaced(name=title, count=arm.count)


def _models(groups: Sequence[Group]) -> list[Model]:
    """The models: equal ones counted together, names made unique."""
    models: list[Model] = []
    for model in (group.model for group in groups if group.model is not None):
        for at, other in enumerate(models):
            alike = model.model_copy(update={"count": other.count, "name": other.name})
            if other == alike and stem(other.name) == stem(model.name):
                models[at] = other.replaced(count=other.count + model.count)
                break
        else:
            taken = {keyword(other.name) for other in models}
            number, name = 2, model.name
            while keyword(name) in taken:
                number, name = number + 1, f"{model.name} {number}"
            models.append(model if name == model.name else model.replaced(name=name))
    return models
