"""A datasheet as it is printed, cells and sentences, whatever file it comes from; made into a `Datasheet`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mathhammer.datasheets.datasheet import Datasheet, ModelRow, Price
from mathhammer.datasheets.defences import Defence, changes_maths, defence
from mathhammer.datasheets.muster import Arm
from mathhammer.datasheets.names import containing, find, stem
from mathhammer.datasheets.statline import model, plain_text, weapon
from mathhammer.errors import InvalidScenario
from mathhammer.unit_abilities import parse_unit_abilities
from mathhammer.units import Model

_MOST = 40
"""Models of a row where the card does not say it."""
_COUNTED = re.compile(r"(?P<least>\d{1,2})(?: ?- ?(?P<most>\d{1,2}))? (?P<name>\D.*)")
_BRACKETED = re.compile(r"(?P<name>.+?) \((?P<least>\d{1,2})(?: ?- ?(?P<most>\d{1,2}))? models?\)")
_EQUIPPED = re.compile(
    r"(?P<who>[^.:;]{1,80}?) (?:is|are) (?:also )?equipped with ?:? ?(?P<what>[^.]{1,500})", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?:this|the|each|every|all|an?|one) +", re.IGNORECASE)
_EVERYBODY = ("model", "models", "models in this unit", "model in this unit")


@dataclass(frozen=True)
class Profile:
    """A row of the table of weapons: cells by their abbreviations, keywords one by one."""

    name: str
    cells: Mapping[str, str]
    words: Sequence[str]
    melee: bool


@dataclass(frozen=True)
class Card:
    """What is printed on a datasheet.

    Attributes
    ----------
    name, faction : str
    stats : sequence of (str, dict of str to str, sequence of str)
        Name of the model, cells (`T`, `Sv`, `InSv`, `W`), keywords of this model alone.
    weapons : sequence of sequence of Profile
        The profiles of each weapon.
    keywords : sequence of str
    abilities, wargear : sequence of (str, str)
        Name and text.
    disclosed : sequence of str
        What else changes attacks.
    composition : sequence of str
        `1 Sergeant`, `4-9 Troopers`.
    loadout : str
        `This model is equipped with: axe; 2 guns.`
    prices : tuple of Price
    role : str
        As of a `Datasheet`.
    """

    name: str
    faction: str
    stats: Sequence[tuple[str, Mapping[str, str], Sequence[str]]]
    weapons: Sequence[Sequence[Profile]]
    keywords: Sequence[str] = ()
    abilities: Sequence[tuple[str, str]] = ()
    wargear: Sequence[tuple[str, str]] = ()
    disclosed: Sequence[str] = ()
    composition: Sequence[str] = ()
    loadout: str = ""
    prices: tuple[Price, ...] = ()
    role: str = ""


@dataclass
class _Abilities:
    keys: dict[str, int] = field(default_factory=dict)
    known: list[str] = field(default_factory=list)
    disclosed: list[str] = field(default_factory=list)


def read_card(card: Card) -> Datasheet:
    """The datasheet of a card.

    Parameters
    ----------
    card : Card

    Raises
    ------
    InvalidScenario
        If it has no stat line, or one that cannot be.
    """
    if not card.stats:
        raise InvalidScenario.at("unit", card.name, "has no stat line")
    arms, unread = _arms(card.weapons)
    abilities = _abilities(card.abilities)
    models, unsaid = _models(card, abilities.keys)
    rows, untold = _rows(card, models)
    wargear: dict[str, Defence | None] = {}
    for name, text in card.wargear:
        given, more = defence(text)
        wargear[name] = given if given.keys and not more else None
    return Datasheet(
        name=card.name,
        faction=card.faction,
        rows=rows,
        arms=arms,
        keywords=tuple(dict.fromkeys(card.keywords)),
        abilities=tuple(dict.fromkeys(abilities.known)),
        not_modelled=tuple(dict.fromkeys([*card.disclosed, *unsaid, *abilities.disclosed, *untold, *unread])),
        prices=card.prices,
        wargear=wargear,
        harmless=frozenset(name for name, text in card.wargear if not changes_maths(text)),
        role=card.role,
    )


def conditional_save(value: str, described: str) -> str:
    """An invulnerable save with its condition, where the description is one of the two that count.

    Examples
    --------
    >>> conditional_save("5", "Against ranged attacks only"), conditional_save("4+", "Not on Tuesdays")
    ('5+ (ranged)', '4+*')
    """
    bare, text = value.rstrip("*+ "), plain_text(described).lower()
    if not bare.isdigit():
        return value
    kind = next((kind for kind in ("ranged", "melee") if f"against {kind}" in text), "")
    return f"{bare}+ ({kind})" if kind else f"{bare}+{'*' if text or value.endswith('*') else ''}"


def composition_of(lines: Iterable[str]) -> list[tuple[str, int, int]]:
    """Names of the models with the least and the most of them, as far as the lines say it.

    Examples
    --------
    >>> composition_of(["**1 Sergeant**", "4\u20119 Troopers", "Hound (1 model)", "or"])
    [('Sergeant', 1, 1), ('Troopers', 4, 9), ('Hound', 1, 1)]
    """
    rows = []
    for line in lines:
        bare = plain_text(line).strip(" *\u25a0\u25aa\u2022")
        if found := _COUNTED.fullmatch(bare) or _BRACKETED.fullmatch(bare):
            name = found["name"].partition(" - ")[0].strip(" *")
            rows.append((name, int(found["least"]), int(found["most"] or found["least"])))
    return rows


def equipment_of(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Who carries what by default; who is empty for every model.

    Examples
    --------
    >>> equipment_of("**This model is equipped with:** axe; 2 guns.")
    [('', ('axe', 'guns', 'guns'))]
    """
    found = []
    for sentence in _EQUIPPED.finditer(plain_text(text)):
        who = _ARTICLE.sub("", sentence["who"].strip(" *\u25a0\u25aa\u2022"), count=1)
        items: list[str] = []
        for item in re.split(r"[;,]", sentence["what"]):
            count, _, name = item.strip().partition(" ")
            items += [name.strip()] * min(int(count), _MOST) if count.isdecimal() else [item.strip()]
        gear = tuple(item for item in items if item and item.lower() != "nothing")
        found.append(("" if who.lower() in _EVERYBODY else who, gear))
    return found


def _models(card: Card, keys: Mapping[str, int]) -> tuple[dict[str, Model], list[str]]:
    models: dict[str, Model] = {}
    unsaid: list[str] = []
    for name, cells, own in card.stats:
        character = "character" in map(str.lower, own) or (
            len(card.stats) == 1 and "character" in map(str.lower, card.keywords)
        )
        more: dict[str, Any] = dict(keys) | ({"character": True} if character else {})
        more |= {"keywords": list(dict.fromkeys([*card.keywords, *own]))} if own else {}
        models[name], texts = model(name, cells, **more)
        unsaid += texts
    return models, unsaid


def _rows(card: Card, models: Mapping[str, Model]) -> tuple[tuple[ModelRow, ...], list[str]]:
    """The rows of models with what they carry, and what the card does not tell of them."""
    listed = composition_of(card.composition)
    if not listed and len(models) == 1:
        sizes = [number for price in card.prices for number in (price.least, price.most)] or [1]
        listed = [(next(iter(models)), min(sizes), max(sizes))]
    untold: list[str] = []
    names = [name for name, _, _ in listed] or list(models)
    gear: dict[str, list[str]] = {name: [] for name in names}
    for who, items in equipment_of(card.loadout):
        known = {name: name for name in names}
        carrier = find(who, known, guess=False) or containing(who, known) if who else None
        if who and carrier is None and stem(who) != stem(card.name):
            untold.append(f"{who}: {', '.join(items)} (nobody on the card is named so)")
        for name in [carrier] if carrier else names if not who or stem(who) == stem(card.name) else []:
            gear[name] += items
    rows = []
    for name, least, most in listed or [(name, 0, _MOST) for name in names]:
        profile = find(name, models, guess=False) or containing(name, models)
        if profile is None:
            profile = next(iter(models.values()))
            if len(models) > 1:
                untold.append(f"{name}: the card has no profile of it; that of {profile.name} is used")
        rows.append(ModelRow(profile.replaced(name=name), least, most, tuple(gear[name])))
    return tuple(rows), untold


def _arms(weapons: Iterable[Sequence[Profile]]) -> tuple[tuple[Arm, ...], list[str]]:
    arms: list[Arm] = []
    unread: list[str] = []
    for profiles in weapons:
        parted = [plain_text(profile.name).strip("\u27a4 ").partition(" - ") for profile in profiles]
        modes = []
        for profile, (name, _, mode) in zip(profiles, parted, strict=True):
            try:
                read, _ = weapon(name, profile.cells, profile.words, melee=profile.melee)
            except InvalidScenario as error:
                unread.append(f"{profile.name} ({error})")
                continue
            modes.append((mode if len(profiles) > 1 else "", read))
        for kind in (False, True):
            if of_kind := tuple((mode, read) for mode, read in modes if read.melee is kind):
                one = (("", of_kind[0][1]),)
                arms.append(Arm(parted[0][0], of_kind if len(of_kind) > 1 else one))
    return tuple(dict.fromkeys(arms)), unread


def _abilities(texts: Iterable[tuple[str, str]]) -> _Abilities:
    """Defences of every model, abilities of the unit, and what is disclosed."""
    read = _Abilities()
    for name, text in texts:
        try:
            known = parse_unit_abilities(name)
        except InvalidScenario:
            given, more = defence(text)
            applied = given.whose in ("unit", "model")
            if applied:
                read.keys |= given.keys
            if name and (not text or more or (given.keys and not applied)):
                read.disclosed.append(name)
            continue
        for ability in known:
            if ability.name == "FEEL NO PAIN":
                read.keys["feel_no_pain"] = int(ability.number[0])
            else:
                read.known.append(str(ability))
    return read
