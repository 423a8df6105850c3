"""Dice and ability strings, read for the die-by-die player alone: it shares no parser with the library."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache


@dataclass(frozen=True)
class Roll:
    """Some D3 or D6, plus a constant (01.05)."""

    number: int
    sides: int
    plus: int

    @property
    def mean(self) -> Fraction:
        return Fraction(self.number * (self.sides + 1), 2) + self.plus

    @property
    def dice_mean(self) -> Fraction:
        return self.mean - self.plus


@lru_cache
def read_roll(value: str) -> Roll:
    found = re.fullmatch(r"(?:(\d*)D([36]))?([+-]?\d+)?", value.upper().replace(" ", ""))
    assert found, f"not a characteristic: {value}"
    number, sides, plus = found.groups()
    return Roll(int(number or 1) if sides else 0, int(sides or 6), int(plus or 0))


def fold(word: str) -> str:
    return re.sub(r"[\s\-]+", "", word).upper()


@dataclass(frozen=True)
class Words:
    """`INFANTRY/MONSTER` or `NON-MONSTER/VEHICLE`: any of them, or none of them."""

    any_of: frozenset[str]
    negated: bool

    def match(self, keywords: frozenset[str]) -> bool:
        return bool(self.any_of & keywords) != self.negated


def read_words(text: str) -> Words:
    negated = re.match(r"\s*NON[\s-]", text, re.IGNORECASE)
    rest = text[negated.end() :] if negated else text
    return Words(frozenset(fold(word) for word in rest.split("/")), bool(negated))


@dataclass(frozen=True)
class Ability:
    name: str
    value: Roll
    against: tuple[Words, ...]


@lru_cache
def read_ability(text: str) -> Ability:
    body, _, condition = text.strip().strip("[]").upper().partition(":")
    found = re.fullmatch(r"(.*?)\s*(\d*D[36](?:\s*[+-]\s*\d+)?|\d+)?\+?\s*", body)
    assert found
    name, value = found.groups()
    words = (read_words(condition),) if condition.strip() else ()
    if anti := re.fullmatch(r"ANTI[\s-](.*)", name):
        name, words = "ANTI", (*words, read_words(anti.group(1)))
    return Ability(fold(name), read_roll(value or "1"), words)


def applicable(abilities: Iterable[Ability], keywords: frozenset[str]) -> dict[str, Ability]:
    """One instance of each ability (24.02): the larger mean, for ANTI the lower number; ties: the first."""
    chosen: dict[str, Ability] = {}
    for ability in abilities:
        if not all(words.match(keywords) for words in ability.against):
            continue
        held = chosen.get(ability.name)
        sign = -1 if ability.name == "ANTI" else 1
        if held is None or sign * ability.value.mean > sign * held.value.mean:
            chosen[ability.name] = ability
    return chosen
