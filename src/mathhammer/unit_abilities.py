"""The abilities of whole units: which names there are, and the two that change an attack here (24.12, 13.08)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from mathhammer.abilities import fold, not_written, parse_abilities, split_abilities
from mathhammer.errors import InvalidScenario, nearest

__all__ = ["UNIT_ABILITIES", "UnitAbility", "parse_unit_abilities"]


@dataclass(frozen=True, slots=True)
class UnitAbility:
    """An ability of a whole unit, such as STEALTH or FEEL NO PAIN 5+.

    Examples
    --------
    >>> print(UnitAbility("FEEL NO PAIN", "5+"))
    FEEL NO PAIN 5+
    """

    name: str
    number: str = ""

    def __str__(self) -> str:
        return f"{self.name}{' ' if self.number else ''}{self.number}"


UNIT_ABILITIES: dict[str, str] = {
    fold(name): name
    for name in (
        *("STEALTH", "FEEL NO PAIN", "DEADLY DEMISE", "DEEP STRIKE", "FIGHTS FIRST", "FIRING DECK", "HOVER"),
        *("INFILTRATORS", "LEADER", "SUPPORT", "LONE OPERATIVE", "SCOUTS", "DAMAGED"),
    )
}
"""Folded name -> name of every unit ability that can be written; only the first two change an attack here."""

_FORM = re.compile(r"([A-Z](?:[A-Z \-]*?[A-Z])?)(?:\s*:\s*|\s+|-)?((?:\d.*|D\d.*)?)\Z", re.IGNORECASE)


def parse_unit_abilities(value: Any) -> tuple[UnitAbility, ...]:
    """Read the abilities of a unit: a string (commas separate), a `UnitAbility`, or a list of both.

    Raises
    ------
    InvalidScenario
        For an unknown name or an impossible number; a weapon ability is told where it belongs.

    Examples
    --------
    >>> [str(ability) for ability in parse_unit_abilities(["Stealth", "Feel No Pain 5+"])]
    ['STEALTH', 'FEEL NO PAIN 5+']
    """
    if isinstance(value, UnitAbility):
        if parse_unit_abilities(str(value)) != (value,):
            raise not_written(value)
        return (value,)
    if isinstance(value, list | tuple):
        return tuple(ability for item in value for ability in parse_unit_abilities(item))
    if not isinstance(value, str):
        raise InvalidScenario.at("", value, 'write a list of unit abilities, such as ["STEALTH"]')
    return tuple(map(_read, split_abilities(value)))


def _read(word: str) -> UnitAbility:
    form = _FORM.match(" ".join(word.split()))
    name, number = form.groups() if form else (word, "")
    known = UNIT_ABILITIES.get(fold(name))
    if known is None:
        raise _unknown(word, name)
    if known == "STEALTH" and number:
        raise InvalidScenario.at("", word, "STEALTH takes no number")
    if known == "FEEL NO PAIN" and not re.fullmatch(r"[2-6]\s*\+?", number):
        raise InvalidScenario.at("", word, 'write the roll, "FEEL NO PAIN 5+" (2+ to 6+)')
    return UnitAbility(known, number.rstrip(" +") + "+" if known == "FEEL NO PAIN" else number)


def _unknown(word: str, name: str) -> InvalidScenario:
    try:
        parse_abilities(word)
    except InvalidScenario:
        near = nearest(name.upper(), UNIT_ABILITIES.values())
        return InvalidScenario.at("", word, f"is no unit ability known here{near}")
    return InvalidScenario.at("", word, "is a weapon ability: write it in modifiers.abilities of the unit")
