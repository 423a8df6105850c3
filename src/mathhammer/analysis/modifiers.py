"""More modifiers for a scenario that has some: where they can stand without changing what those do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from mathhammer.errors import InvalidScenario
from mathhammer.plan import DAMAGE_REROLLS
from mathhammer.rules import widest
from mathhammer.scenario import Scenario
from mathhammer.units import Modifiers, Unit, Weapon
from mathhammer.values import Record

__all__ = ["combined", "parted", "with_modifiers"]

_SIGNED = {"skill", "hit_roll", "wound_roll", "damage"}
_THRESHOLD = {"critical_hits_on", "critical_hits_need_success"}
Holder = TypeVar("Holder", bound=Record)


def with_modifiers(scenario: Scenario, added: Modifiers) -> Scenario:
    """The scenario with modifiers for every attack, beside those that there are.

    They stand where they can be combined with what is there: with the scenario's, else the target's, else each
    attacker's, else each weapon's.

    Raises
    ------
    InvalidScenario
        When they cannot be combined with those of any place.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]), modifiers={"damage": -1})
    >>> changed = with_modifiers(fight, Modifiers(damage=1, ap=1))
    >>> changed.modifiers.to_dict(), changed.target.modifiers_against.to_dict()
    ({'ap': 1, 'damage': -1}, {'damage': 1})
    """
    scenario, rest = _combined_in(scenario, "modifiers", added)
    if not rest.model_fields_set:
        return scenario
    target, rest = _combined_in(scenario.target, "modifiers_against", rest)
    if not rest.model_fields_set:
        return scenario.replaced(target=target)
    units = tuple(
        _with_rest(unit, rest, scenario.weapons_of(unit), scenario.path_of(index))
        for index, unit in enumerate(scenario.attackers)
    )
    return scenario.replaced(
        target=target, attacker=units if isinstance(scenario.attacker, tuple) else units[0]
    )


def _combined_in(holder: Holder, place: str, added: Modifiers) -> tuple[Holder, Modifiers]:
    """The holder with what agrees with its own modifiers, and the rest."""
    there: Modifiers = getattr(holder, place)
    agreeing, rest = parted(added, there)
    if agreeing.model_fields_set:
        holder = holder.replaced(**{place: combined(there, agreeing)})
    return holder, rest


def _with_rest(unit: Unit, rest: Modifiers, attacking: Sequence[Weapon], path: str) -> Unit:
    unit, rest = _combined_in(unit, "modifiers", rest)
    weapons = []
    for index, weapon in enumerate(unit.weapons):
        changed, left = _combined_in(weapon, "modifiers", rest)
        if left.model_fields_set and weapon in attacking:
            remedy = (
                "cannot be combined with the modifiers of any place: those of the scenario, the target, "
                f"{unit.name} and {weapon.name} are all opposed to it"
            )
            raise InvalidScenario.at(f"{path}.weapons[{index}].modifiers", left.to_dict(), remedy)
        weapons.append(changed)
    return unit.replaced(weapons=weapons)


def parted(added: Modifiers, there: Modifiers) -> tuple[Modifiers, Modifiers]:
    """What can be combined with the modifiers ``there``, and what has to stand in another place.

    Notes
    -----
    An attacker that ignores modifiers ignores the bad ones and keeps the good: +1 and -1 are not 0 for it. D is
    added to, divided, subtracted from, in that order (02.02.01). Two thresholds of critical hits, of which one
    needs a success, are two rules.

    Examples
    --------
    >>> agreeing, opposing = parted(Modifiers(hit_roll=1, ap=1), Modifiers(hit_roll=-1, ap=-1))
    >>> agreeing.to_dict(), opposing.to_dict()
    ({'ap': 1}, {'hit_roll': 1})
    """
    given = {name: getattr(added, name) for name in added.model_fields_set}
    apart = {name for name in _SIGNED & given.keys() if given[name] * getattr(there, name) < 0}
    thresholds = added.critical_hits_on, there.critical_hits_on
    if None not in thresholds and added.critical_hits_need_success != there.critical_hits_need_success:
        apart |= _THRESHOLD & given.keys()
    return (
        Modifiers(**{name: value for name, value in given.items() if name not in apart}),
        Modifiers(**{name: given[name] for name in apart}),
    )


def combined(one: Modifiers, two: Modifiers) -> Modifiers:
    """Both modifiers at once, as the engines combine those of two places, where none of them is `parted`.

    Examples
    --------
    >>> both = combined(Modifiers(hit_roll=1, reroll_hits="ones"), Modifiers(reroll_hits="failures"))
    >>> both.hit_roll, both.reroll_hits
    (1, 'failures')
    """
    changes: dict[str, Any] = {}
    for name in sorted(one.model_fields_set | two.model_fields_set):
        pair = (getattr(one, name), getattr(two, name))
        given = [value for value in pair if value is not None]
        if name == "critical_hits_need_success":
            changes[name] = any(pair)
        elif name == "reroll_damage":
            changes[name] = max(given, key=DAMAGE_REROLLS.index, default=None)
        elif name.startswith("reroll_"):
            changes[name] = widest(given)
        elif name in ("critical_hits_on", "critical_wounds_on"):
            changes[name] = min(given, default=None)
        elif name == "unmodified_wound_fails_to":
            changes[name] = max(given, default=None)
        elif name == "ignore_modifiers":
            changes[name] = tuple(dict.fromkeys((*pair[0], *pair[1])))
        else:
            changes[name] = pair[0] + pair[1]
    return Modifiers(**changes)
