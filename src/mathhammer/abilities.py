"""The weapon abilities of rules 24.xx, one small frozen class each: what it changes, in plain numbers.

``parse_abilities("[SUSTAINED HITS D3: INFANTRY]")`` reads them as they stand on a datasheet, in any case,
with or without brackets, one by one or separated by commas.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from mathhammer.dice import Dice, plain
from mathhammer.errors import InvalidScenario, UnsupportedScenario, nearest

__all__ = [
    "WEAPON_ABILITIES",
    "Ability",
    "Anti",
    "Assault",
    "Blast",
    "Cleave",
    "CloseQuarters",
    "DevastatingWounds",
    "ExtraAttacks",
    "Hazardous",
    "Heavy",
    "Hunter",
    "IgnoresCover",
    "IndirectFire",
    "Keywords",
    "Lance",
    "LethalHits",
    "Melta",
    "OneShot",
    "Pistol",
    "Precision",
    "Psychic",
    "RapidFire",
    "SustainedHits",
    "Torrent",
    "TwinLinked",
    "fold",
    "not_written",
    "parse_abilities",
    "split_abilities",
]

_SEPARATORS = re.compile(r"[\s\-_]+")


def fold(word: str) -> str:
    """A keyword or ability name for comparison: without case, hyphens, underscores, spaces or kinds of apostrophe.

    Examples
    --------
    >>> fold("Twin-Linked") == fold("TWIN LINKED")
    True
    """
    return _SEPARATORS.sub("", plain(word)).upper().replace("’", "'")


@dataclass(frozen=True, slots=True)
class Keywords:
    """The ``KEYWORD/KEYWORD`` of an ability: it applies to a unit with one of them, or with none if ``non``.

    Examples
    --------
    >>> Keywords.parse("non-MONSTER/VEHICLE").match({"INFANTRY"})
    True
    >>> print(Keywords.parse("Monster only"))
    MONSTER
    """

    words: tuple[str, ...] = ()
    non: bool = False

    @classmethod
    def parse(cls, text: str) -> Keywords:
        """Read ``"INFANTRY"``, ``"MONSTER/VEHICLE"``, ``"non-MONSTER/VEHICLE"``, ``"MONSTER only"``."""
        body = re.sub(r"(?:\s+ONLY)+\Z", "", plain(text).upper())
        non = re.match(r"NON[\s\-]+", body)
        if non:
            body = body[non.end() :]
        return cls(tuple(" ".join(word.split()) for word in body.split("/")), non is not None)

    def match(self, keywords: Collection[str]) -> bool:
        """Whether a unit with these (folded) keywords is meant (24.01); no words mean every unit."""
        return not self.words or any(fold(word) in keywords for word in self.words) != self.non

    def __str__(self) -> str:
        return ("NON-" if self.non else "") + "/".join(self.words)


@dataclass(frozen=True)
class Ability:
    """What all weapon abilities share: against which units it applies (24.01), and what it limits."""

    NAME: ClassVar[str] = ""
    RULE: ClassVar[str] = ""
    LIMITS: ClassVar[str] = ""
    """What the player may do with such a weapon, where the ability changes no dice."""

    only: Keywords = field(default=Keywords(), kw_only=True)

    @property
    def worth(self) -> float:
        """Decides between duplicates (24.02): the larger serves the attacker better."""
        return 1.0

    @property
    def effect(self) -> object:
        """What it does, whomever it is for: two of a kind that differ in it make attacks different (04.03)."""
        return self.worth

    @property
    def value(self) -> str:
        """What stands behind the name."""
        return ""

    def __str__(self) -> str:
        only = f": {self.only}" if self.only.words else ""
        return f"{self.NAME}{' ' if self.value else ''}{self.value}{only}"


@dataclass(frozen=True)
class _Numbered(Ability):
    extra: Dice

    @property
    def worth(self) -> float:
        return self.extra.mean

    @property
    def effect(self) -> object:
        return self.extra

    @property
    def value(self) -> str:
        return str(self.extra)


class Torrent(Ability):
    """Attacks hit automatically: no hit roll, so no critical hit (24.37)."""

    NAME, RULE = "TORRENT", "24.37"


class SustainedHits(_Numbered):
    """A critical hit scores ``extra`` more hits, ordinary ones; dice are rolled per critical hit (24.36)."""

    NAME, RULE = "SUSTAINED HITS", "24.36"


class LethalHits(Ability):
    """A critical hit may wound automatically, without a wound roll (24.23)."""

    NAME, RULE = "LETHAL HITS", "24.23"


class DevastatingWounds(Ability):
    """A critical wound ends its attack and becomes D mortal wounds on one model, after the batch (24.10)."""

    NAME, RULE = "DEVASTATING WOUNDS", "24.10"


@dataclass(frozen=True)
class Anti(Ability):
    """Against a unit with the keyword an unmodified ``on``+ to wound is a critical wound (24.03)."""

    NAME, RULE = "ANTI", "24.03"

    against: Keywords
    on: int

    @property
    def worth(self) -> float:
        return -float(self.on)

    def __str__(self) -> str:
        only = f": {self.only}" if self.only.words else ""
        return f"ANTI-{self.against} {self.on}+{only}"


class TwinLinked(Ability):
    """The wound roll may be re-rolled, even a success (24.38)."""

    NAME, RULE = "TWIN-LINKED", "24.38"


class Lance(Ability):
    """+1 to the wound roll if the unit charged (24.21)."""

    NAME, RULE = "LANCE", "24.21"


class Heavy(Ability):
    """+1 to the hit roll of a braced, unengaged unit in its own Shooting phase (24.16)."""

    NAME, RULE = "HEAVY", "24.16"


class RapidFire(_Numbered):
    """``extra`` more attack dice per weapon at half range (24.30)."""

    NAME, RULE = "RAPID FIRE", "24.30"


class Blast(_Numbered):
    """``extra`` more attack dice per weapon for every full five models in the target (24.05)."""

    NAME, RULE = "BLAST", "24.05"
    LIMITS = "may not target an engaged unit"


class Cleave(_Numbered):
    """``extra`` more attack dice per weapon for every full five models, if all its attacks go to one unit."""

    NAME, RULE = "CLEAVE", "04.03"


class Melta(_Numbered):
    """``extra`` more damage at half range (24.25)."""

    NAME, RULE = "MELTA", "24.25"


class IgnoresCover(Ability):
    """The target has no benefit of cover, from STEALTH neither (13.08)."""

    NAME, RULE = "IGNORES COVER", "13.08"


class IndirectFire(Ability):
    """May shoot at a target that is not visible, by the rules of indirect shooting (10.07)."""

    NAME, RULE = "INDIRECT FIRE", "10.07"
    LIMITS = 'changes dice only with conditions.shooting = "indirect" or "indirect_spotted"'


class Psychic(Ability):
    """The attacker ignores the BS/WS and hit-roll modifiers that are bad for it (24.29)."""

    NAME, RULE = "PSYCHIC", "24.29"


class Precision(Ability):
    """The attacker may select the group of a visible CHARACTER as the first to suffer (24.28)."""

    NAME, RULE = "PRECISION", "24.28"


class Hazardous(Ability):
    """After the unit's attacks, one hazard roll per such weapon selected (24.15).

    Whether it is HAZARDOUS against a target with some keywords is seen when weapons are selected (our reading).
    """

    NAME, RULE = "HAZARDOUS", "24.15"


class ExtraAttacks(Ability):
    """Changes no dice here."""

    NAME, RULE = "EXTRA ATTACKS", "24"
    LIMITS = "is used beside the model's other melee weapon"


class Assault(Ability):
    """Changes no dice here."""

    NAME, RULE = "ASSAULT", "24"
    LIMITS = "may shoot after an Advance"


class CloseQuarters(Ability):
    """No -1 to hit against the unit that a MONSTER or VEHICLE is engaged with (10.06, 17.03)."""

    NAME, RULE = "CLOSE-QUARTERS", "10.06"
    LIMITS = "may shoot while engaged"


class Pistol(CloseQuarters):
    """The same as CLOSE-QUARTERS."""

    NAME = "PISTOL"


class OneShot(Ability):
    """Changes no dice here."""

    NAME, RULE = "ONE SHOT", "24"
    LIMITS = "may be used once in a battle"


class Hunter(Ability):
    """Changes no dice here; written ``HUNTER: MONSTER/VEHICLE``."""

    NAME, RULE = "HUNTER", "24"
    LIMITS = "limits which units may be targeted"


WEAPON_ABILITIES: dict[str, type[Ability]] = {
    fold(kind.NAME): kind
    for kind in (
        *(Torrent, SustainedHits, LethalHits, DevastatingWounds, Anti, TwinLinked, Lance, Heavy),
        *(RapidFire, Blast, Cleave, Melta, IgnoresCover, IndirectFire, Psychic, Precision),
        *(Hazardous, ExtraAttacks, Assault, CloseQuarters, Pistol, OneShot, Hunter),
    )
}
"""Folded name -> class of every weapon ability that can be written."""

_FIXED_ONLY = (Blast, Melta)
_BARE_IS_ONE = (Blast,)
_NOT_MODELLED = {
    "CONVERSION": "depends on the range: set modifiers.critical_hits_on (and critical_hits_need_success)",
}
"""Folded name -> the way out, of what is known and would change the dice."""
_NUMBERED = re.compile(
    r"(.*?[^\s\-])(?:\s+|-)?((?:\d*D\d+(?:\s*[+-]\s*\d+)?|\d+)(?:\s*\+)?)\Z", re.IGNORECASE
)
_MOST_TEXT = 200


def parse_abilities(value: Any) -> tuple[Ability, ...]:
    """Read abilities: a string (commas separate), an `Ability`, or a list of both.

    Raises
    ------
    InvalidScenario
        For an unknown name, a missing or impossible number. `UnsupportedScenario` for a known ability that
        would change the dice and is not modelled.

    Notes
    -----
    Rules 24.01 (keywords) and 24.02 (duplicates are all kept here; one is selected when the attack is made).

    Examples
    --------
    >>> [str(ability) for ability in parse_abilities("[Rapid Fire D6+3], anti-infantry 4+")]
    ['RAPID FIRE D6+3', 'ANTI-INFANTRY 4+']
    """
    return tuple(_one(item) for item in _items(value))


def split_abilities(text: str) -> list[str]:
    """The abilities in a text, one by one: commas, semicolons and brackets separate.

    Raises
    ------
    InvalidScenario
        For one that is too long to be an ability.

    Examples
    --------
    >>> split_abilities("[HEAVY, BLAST 2], -")
    ['HEAVY', 'BLAST 2']
    """
    words = [word for word in map(plain, re.split(r"[,;\[\]]", text)) if word not in ("", "-")]
    for word in words:
        if len(word) > _MOST_TEXT:
            raise InvalidScenario.at("", word, f"an ability has at most {_MOST_TEXT} characters")
    return words


def not_written(made: object) -> InvalidScenario:
    """What is wrong with an ability that was made by hand, and that its own text would not make again."""
    return InvalidScenario.at("", repr(made), "is no ability that can be written: give its text instead")


def _items(value: Any) -> Iterable[Any]:
    if isinstance(value, Ability):
        return [value]
    if isinstance(value, str):
        return split_abilities(value)
    if isinstance(value, list | tuple):
        return [part for item in value for part in _items(item)]
    raise InvalidScenario.at("", value, 'write a list of abilities, such as ["HEAVY", "RAPID FIRE 1"]')


def _one(item: Ability | str) -> Ability:
    if isinstance(item, str):
        return _read(item)
    try:
        return _held(item)
    except TypeError:  # a list in it, where a tuple should be
        raise not_written(item) from None


@lru_cache(maxsize=1024)
def _held(made: Ability) -> Ability:
    """An ability that was made by hand, if it is one that can be written and read."""
    if parse_abilities(str(made)) != (made,):
        raise not_written(made)
    return made


@lru_cache(maxsize=1024)
def _read(item: str) -> Ability:
    body, colon, qualifier = item.partition(":")
    body = " ".join(body.split())
    only = Keywords.parse(qualifier) if colon else Keywords()
    if not all(map(fold, only.words)):
        raise InvalidScenario.at(
            "", item, 'name the keywords behind the colon, such as "LETHAL HITS: INFANTRY"'
        )
    if fold(body) in WEAPON_ABILITIES:
        name, number = body, ""
    else:
        form = _NUMBERED.match(body)
        name, number = (form.group(1), form.group(2)) if form else (body, "")
    if re.match(r"ANTI[\s\-]", name, re.IGNORECASE):
        return _anti(item, name[5:], number, only)
    kind = WEAPON_ABILITIES.get(fold(name))
    if kind is None:
        if fold(name) in _NOT_MODELLED:
            raise UnsupportedScenario.at("", item, _NOT_MODELLED[fold(name)])
        names = [known.NAME for known in WEAPON_ABILITIES.values()]
        raise InvalidScenario.at("", item, f"is no weapon ability{nearest(name.upper(), names)}")
    if kind is Anti:
        raise InvalidScenario.at("", item, 'write the keyword and the roll, such as "ANTI-INFANTRY 4+"')
    if kind is Hunter and not colon:
        raise InvalidScenario.at("", item, 'name the keywords, such as "HUNTER: MONSTER/VEHICLE"')
    if not issubclass(kind, _Numbered):
        if number:
            raise InvalidScenario.at("", item, f"{kind.NAME} takes no number")
        return kind(only=only)
    if not number and kind in _BARE_IS_ONE:
        number = "1"
    if not number:
        raise InvalidScenario.at("", item, f'the number is missing: write "{kind.NAME} 1"')
    if number.rstrip().endswith("+"):
        raise InvalidScenario.at(
            "", item, f'write the number without the plus: "{kind.NAME} {number.rstrip(" +")}"'
        )
    extra = Dice.parse(number)
    if extra.lowest < 1 or extra.highest > 100 or (kind in _FIXED_ONLY and not extra.fixed):
        dice = "" if kind in _FIXED_ONLY else ", or dice such as D3"
        raise InvalidScenario.at("", item, f"the number behind {kind.NAME} is 1 to 100{dice}")
    return kind(extra, only=only)


def _anti(item: str, against: str, number: str, only: Keywords) -> Anti:
    keywords = Keywords.parse(against)
    if not all(map(fold, keywords.words)) or not number:
        raise InvalidScenario.at("", item, 'write the keyword and the roll, such as "ANTI-INFANTRY 4+"')
    roll = number.rstrip(" +")
    if not roll.isdecimal() or not 2 <= int(roll) <= 6:
        raise InvalidScenario.at("", item, "an unmodified 2+ to 6+ (a 1 never wounds)")
    return Anti(keywords, int(roll), only=only)
