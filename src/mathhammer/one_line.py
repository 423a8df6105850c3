"""Weapons and models written in one line, as on a datasheet: ``4x Rifle: 24" A2 BS3+ S4 AP-1 D1 [HEAVY]``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mathhammer.dice import plain
from mathhammer.errors import InvalidScenario

__all__ = ["model_line", "weapon_line"]

_LINE = re.compile(r"(?:(\d{1,9})\s*[x×]\s+)?([^:]+):\s*(.*?)\s*(?:\[([^\]]*)\])?\Z", re.IGNORECASE)
_COUNT_LIKE = re.compile(r"[+\-]?\d[\d.,]*\s*[x×]", re.IGNORECASE)
"""A name that begins so is a count that was not understood."""
_WEAPON_FIELD = re.compile(
    r"(AP|BS|WS|A|S|D)\s*(-|[+\-]?\d*D\d+\s*(?:[+\-]\s*\d+)?|[+\-]?\d+\+?)(?=\s|\Z)", re.IGNORECASE
)
_MODEL_FIELD = re.compile(r"(InSv|Sv|FNP|T|W)\s*(-|\d+\+?)(?=\s|\Z)", re.IGNORECASE)
_LONGEST_LINE = 500


def _line(text: Any, kind: str, example: str) -> tuple[dict[str, Any], str, str | None]:
    form = _LINE.match(plain(text)) if isinstance(text, str) and len(text) <= _LONGEST_LINE else None
    if form is None:
        raise InvalidScenario.at("", text, f"write the {kind} as on its datasheet, such as {example}")
    count, name, profile, brackets = form.groups()
    if _COUNT_LIKE.match(name):
        raise InvalidScenario.at(
            "", text, f"write the count in whole numbers before the name, such as {example}"
        )
    return {"name": name, **({"count": count} if count else {})}, profile, brackets


def _fields(
    text: str, profile: str, field: re.Pattern[str], names: Iterable[str], example: str
) -> dict[str, str]:
    spelling = {name.upper(): name for name in names}
    found: dict[str, str] = {}
    position = 0
    while position < len(profile):
        token = field.match(profile, position)
        if token is None:
            raise InvalidScenario.at("", text, f"cannot read {profile[position:]!r}: write it as {example}")
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
    'HEAVY'
    """
    example = """'4x Long rifle: 24" A2 BS3+ S4 AP-1 D1 [HEAVY]'"""
    data, profile, brackets = _line(text, "weapon", example)
    reach = re.match(r"(Melee|N/A|\d+\s*(?:\"|''|″|”)?)(?=\s|\Z)", profile, re.IGNORECASE)
    if reach:
        profile = profile[reach.end() :].lstrip()
        if reach.group(1).upper() == "MELEE":
            data["melee"] = True
        else:
            data["range"] = reach.group(1)
    data |= _fields(text, profile, _WEAPON_FIELD, ("A", "BS", "WS", "S", "AP", "D"), example)
    if "WS" in data and "range" in data:
        raise InvalidScenario.at(
            "", text, f'a melee weapon has "Melee" in place of {data["range"]}, a ranged one BS'
        )
    if brackets is not None:
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
    for role in (brackets or "").split(","):
        if role.strip().upper() not in ("", "CHARACTER", "LEADER"):
            raise InvalidScenario.at("", text, "in brackets stand only CHARACTER and LEADER")
        if role.strip():
            data[role.strip().lower()] = True
    return data
