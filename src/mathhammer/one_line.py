"""Weapons and models written in one line, as on a datasheet: ``4x Rifle: 24" A2 BS3+ S4 AP-1 D1 [HEAVY]``.

The name is all that stands before the last colon outside the brackets, so any name can be read back. What a line
cannot say is printed behind it, in parentheses, and refused when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mathhammer.dice import plain
from mathhammer.errors import InvalidScenario

__all__ = ["is_range", "model_line", "weapon_line"]

_LINE = re.compile(
    r"(?:(\d{1,9}) ?[x×] )?(.+): ?([^:\[\]]*?) ?((?:\[[^\[\]]*\][ ,;]*)*)\Z", re.IGNORECASE
)  # in linear time, as no two spaces stand side by side
_COUNT_LIKE = re.compile(r"[+\-]?\d[\d.,]*\s*[x×]", re.IGNORECASE)
"""A name that begins so, without a count before it, is a count that was not understood."""
_RANGE = re.compile(r"(N/A|\d{1,4}\s*(?:\"|''|″|”)?)(?=\s|\Z)", re.IGNORECASE)
_MELEE = re.compile(r"Melee(?=\s|\Z)", re.IGNORECASE)
_WEAPON_FIELD = re.compile(
    r"(AP|BS|WS|A|S|D)\s*(-|[+\-]?\d*D\d+\s*(?:[+\-]\s*\d+)?|[+\-]?\d+\+?)(?=\s|\Z)", re.IGNORECASE
)
_MODEL_FIELD = re.compile(r"(InSv|Sv|FNP|T|W)\s*(-|\d+\+?)(?=\s|\Z)", re.IGNORECASE)


def is_range(text: str) -> bool:
    """Whether a line can say this range.

    Examples
    --------
    >>> is_range('24"'), is_range('6-12"')
    (True, False)
    """
    return _RANGE.fullmatch(text) is not None


def _line(text: Any, kind: str, example: str) -> tuple[dict[str, Any], str, str]:
    line = " ".join(text.split()) if isinstance(text, str) else ""
    if line.endswith(")"):
        raise InvalidScenario.at(
            "", text, f"a line cannot say what stands in parentheses: write the {kind} as a table of keys"
        )
    form = _LINE.match(line)
    if form is None:
        raise InvalidScenario.at("", text, f"write the {kind} as on its datasheet, such as {example}")
    count, name, profile, brackets = form.groups()
    if count is None and _COUNT_LIKE.match(plain(name)):
        raise InvalidScenario.at(
            "", text, f"write the count in whole numbers before the name, such as {example}"
        )
    return {"name": name, **({"count": count} if count else {})}, plain(profile), brackets


def _fields(
    text: str, profile: str, field: re.Pattern[str], names: Iterable[str], example: str
) -> dict[str, str]:
    spelling = {name.upper(): name for name in names}
    found: dict[str, str] = {}
    position = 0
    while position < len(profile):
        token = field.match(profile, position)
        if token is None:
            rest = profile[position : position + 40]
            raise InvalidScenario.at("", text, f"cannot read {rest!r}: write it as {example}")
        key = spelling[token.group(1).upper()]
        if key in found:
            raise InvalidScenario.at("", text, f"{key} stands twice")
        found[key] = token.group(2)
        position = token.end() + len(profile[token.end() :]) - len(profile[token.end() :].lstrip())
    return found


def weapon_line(text: Any) -> dict[str, Any]:
    """The keys and values of a weapon that is written in one line.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> weapon_line("2x Gun: A3 BS4+ S5 AP-1 D2 [HEAVY]")["abilities"]
    '[HEAVY]'
    """
    example = """'4x Long rifle: 24" A2 BS3+ S4 AP-1 D1 [HEAVY]'"""
    data, profile, brackets = _line(text, "weapon", example)
    if melee := _MELEE.match(profile):
        profile = profile[melee.end() :].lstrip()
        data["melee"] = True
    elif reach := _RANGE.match(profile):
        profile = profile[reach.end() :].lstrip()
        data["range"] = reach.group(1)
    data |= _fields(text, profile, _WEAPON_FIELD, ("A", "BS", "WS", "S", "AP", "D"), example)
    if "WS" in data and "range" in data:
        raise InvalidScenario.at(
            "", text, f'a melee weapon has "Melee" in place of {data["range"]}, a ranged one BS'
        )
    if brackets:
        data["abilities"] = brackets
    return data


def model_line(text: Any) -> dict[str, Any]:
    """The keys and values of a row of models that is written in one line.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> model_line("5x Trooper: T4 Sv3+ W2")["count"]
    '5'
    """
    example = "'5x Trooper: T4 Sv3+ InSv5+ W2 FNP6+'"
    data, profile, brackets = _line(text, "model", example)
    data |= _fields(text, profile, _MODEL_FIELD, ("InSv", "Sv", "FNP", "T", "W"), example)
    for role in filter(None, map(str.strip, re.split(r"[\[\],;]", brackets))):
        if role.upper() not in ("CHARACTER", "LEADER"):
            raise InvalidScenario.at("", text, "in brackets stand only CHARACTER and LEADER")
        data[role.lower()] = True
    return data
