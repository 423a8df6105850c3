"""Datasheets from a folder of Game-Datacards' JSON files, which the user has: nothing of them is kept.

Older files hold every text as it is, newer ones a table of languages, of which English is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from mathhammer.datasheets.card import Card, Profile, conditional_save, read_card
from mathhammer.datasheets.datasheet import Datasheet, Datasheets, Entry, Price
from mathhammer.datasheets.statline import keyword_list
from mathhammer.errors import MISSING, RosterError

_LARGEST = 64 * 2**20
_TEXTS = ("other", "special", "primarch")


def gamecards(folder: Path) -> Datasheets:
    """The datasheets of a folder with a JSON file a faction.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    RosterError
        If a file cannot be read, or none holds datasheets.
    """
    return _read(folder, tuple((path, path.stat().st_mtime_ns) for path in sorted(folder.glob("*.json"))))


@lru_cache(maxsize=2)
def _read(folder: Path, files: Sequence[tuple[Path, int]]) -> Datasheets:
    """The folder as it was at a time: written anew, it is read anew."""
    entries = tuple(entry for path, _ in files for entry in _entries(path))
    if not entries:
        raise RosterError.at(str(folder), MISSING, 'has neither "Datasheets.csv" nor JSON with "datasheets"')
    return Datasheets(f"Game-Datacards folder {folder.name}", entries)


def _entries(path: Path) -> Iterator[Entry]:
    try:
        if path.stat().st_size > _LARGEST:
            raise RosterError.at(path.name, MISSING, f"is larger than {_LARGEST:,} bytes: no such file")
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise RosterError.at(path.name, MISSING, f"cannot be read: {error}") from error
    if not isinstance(document, dict):
        return
    whole = _text(document.get("name"))
    for sheet in _tables(document, "datasheets"):
        factions = tuple(dict.fromkeys(filter(None, [*_texts(sheet, "factions"), whole])))
        if name := _text(sheet.get("name")):
            yield Entry(name, factions, partial(_datasheet, sheet, name, factions))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("en")
    return value.strip() if isinstance(value, str) else ""


def _texts(table: Mapping[str, Any], key: str) -> list[str]:
    """The texts of a list; those that stand in tables of their own by their names."""
    values = table.get(key)
    named = [
        value.get("name", value) if isinstance(value, dict) else value
        for value in (values if isinstance(values, list) else ())
    ]
    return [text for text in map(_text, named) if text]


def _tables(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    """The tables of a list that are not switched off."""
    values = table.get(key)
    rows = values if isinstance(values, list) else ()
    return [row for row in rows if isinstance(row, dict) and row.get("active") is not False]


def _table(table: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _datasheet(sheet: Mapping[str, Any], name: str, factions: Sequence[str]) -> Datasheet:
    abilities = _table(sheet, "abilities")
    save = _table(abilities, "invul")
    shown = _text(save.get("value")) if save.get("showInvulnerableSave") is not False else ""
    damaged = _table(abilities, "damaged")
    saved = {"InSv": conditional_save(shown, _text(save.get("info")))}
    plain = [(one, "") for key in ("core", "faction") for one in _texts(abilities, key)]
    told = [pair for key in _TEXTS for pair in _named(abilities, key)]
    return read_card(
        Card(
            name=name,
            faction=factions[0] if factions else "",
            stats=[
                (_text(row.get("name")) or name, _cells(row, T="t", Sv="sv", W="w") | saved, ())
                for row in _tables(sheet, "stats")
            ],
            weapons=[
                [_profile(row, melee) for row in _tables(weapon, "profiles")]
                for key, melee in (("rangedWeapons", False), ("meleeWeapons", True))
                for weapon in _tables(sheet, key)
            ],
            keywords=[*_texts(sheet, "keywords"), *factions],
            abilities=[*plain, *told],
            wargear=_named(abilities, "wargear"),
            disclosed=["Damaged"] if _text(damaged.get("description")) else [],
            composition=_texts(sheet, "composition"),
            loadout=_text(sheet.get("loadout")),
            prices=_prices(_tables(sheet, "points")),
            role="leader" if sheet.get("leader") or sheet.get("leads") else "",
        )
    )


def _cells(row: Mapping[str, Any], **keys: str) -> dict[str, str]:
    return {cell: _text(row.get(key)) for cell, key in keys.items()}


def _profile(row: Mapping[str, Any], melee: bool) -> Profile:
    cells = _cells(row, Range="range", A="attacks", BS="skill", WS="skill", S="strength", AP="ap", D="damage")
    words = [word for text in _texts(row, "keywords") for word in keyword_list(text)]
    return Profile(_text(row.get("name")), cells, words, melee)


def _named(abilities: Mapping[str, Any], key: str) -> list[tuple[str, str]]:
    """Names and texts of abilities; those that are chosen among stand one level deeper."""
    pairs = []
    for row in _tables(abilities, key):
        pairs.append((_text(row.get("name")), _text(row.get("description"))))
        pairs += [
            (_text(one.get("name")), _text(one.get("description"))) for one in _tables(row, "abilities")
        ]
    return [(name, text) for name, text in pairs if name]


def _prices(rows: Sequence[Mapping[str, Any]]) -> tuple[Price, ...]:
    """Points of a unit anywhere: those of one detachment or one keyword are left out."""
    prices = []
    for row in rows:
        models, cost = str(row.get("models")), str(row.get("cost"))
        if models.isdecimal() and cost.isdecimal() and not row.get("detachment") and not row.get("keyword"):
            prices.append(Price(int(models), int(models), int(cost)))
    return tuple(prices)
