"""From models and what they carry to a `Unit`: weapons counted over the unit, one melee weapon a model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mathhammer.abilities import ExtraAttacks
from mathhammer.abilities import fold as keyword
from mathhammer.datasheets.names import stem
from mathhammer.rules import wound_target
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
    arms = _counted(_dealt(name, groups))
    weapons = [weapon for arm in arms for weapon in _weapons(arm)]
    disclosed = [*keys.pop("not_modelled", ()), *_idle(groups)]
    return Unit(name=name, models=_models(groups), weapons=weapons, not_modelled=disclosed, **keys)


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
    """A plain measure to order alternatives, that of wounds lost by T4, 3+ models without limit."""
    hit = 1.0 if weapon.skill is None else (7 - weapon.skill) / 6
    wound = 7 - wound_target(weapon.strength, 4)
    fails = min(6, 2 - weapon.ap)
    return float(weapon.attacks.mean * hit * wound * fails * weapon.damage.mean)


def _dealt(unit: str, groups: Iterable[Group]) -> Iterator[tuple[str, Arm]]:
    """What each group uses, behind the name of the bearer."""
    for group in groups:
        bearers = group.model.count if group.model else group.bearers
        beside = [arm for arm in group.arms if not arm.melee or arm.extra]
        rest = [arm for arm in group.arms if arm.melee and not arm.extra]
        for arm in (*beside, *_one_melee_weapon_each(rest, bearers)):
            yield group.model.name if group.model else unit, arm


def _idle(groups: Iterable[Group]) -> Iterator[str]:
    """Melee weapons beyond one for each model: nobody fights with them."""
    for group in groups:
        bearers = group.model.count if group.model else group.bearers
        for arm in group.arms:
            if arm.melee and not arm.extra and bearers is not None and arm.count > bearers:
                yield f"{arm.count - bearers} of {arm.count} {arm.name} (a model fights with one melee weapon)"


def _counted(arms: Iterable[tuple[str, Arm]]) -> list[Arm]:
    """Equal arms counted together; those that only share the name are told apart by kind or bearer."""
    counted: dict[tuple[str, tuple[tuple[str, Weapon], ...]], Arm] = {}
    melee: dict[str, bool] = {}
    for bearer, arm in arms:
        key = arm.name, arm.modes
        if key in counted:
            counted[key] = replace(counted[key], count=counted[key].count + arm.count)
            continue
        named = arm.name
        if named in melee:
            if melee[named] is not arm.melee:
                bearer = "melee" if arm.melee else "ranged"
            named, number = f"{arm.name} ({bearer})", 2
            while named in melee:
                named, number = f"{arm.name} ({bearer} {number})", number + 1
        melee[named] = arm.melee
        counted[key] = replace(arm, name=named)
    return list(counted.values())


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
