"""Datasheets from a folder of Wahapedia's CSV files, which the user has: nothing of them is kept.

The files are separated by `|`, with a byte order mark and a `|` at the end of every line; texts are HTML.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from mathhammer.datasheets.card import Card, Profile, conditional_save, read_card
from mathhammer.datasheets.datasheet import Datasheet, Datasheets, Entry, Price
from mathhammer.datasheets.statline import keyword_list, plain_text
from mathhammer.errors import MISSING, RosterError

_LARGEST = 64 * 2**20
_TABLES = (
    "Datasheets",
    "Datasheets_models",
    "Datasheets_wargear",
    "Datasheets_keywords",
    "Datasheets_abilities",
    "Datasheets_models_cost",
)
_OPTIONAL = {"Factions": "id", "Abilities": "id", "Datasheets_unit_composition": "datasheet_id"}

Row = Mapping[str, str]
Tables = Mapping[str, Mapping[str, Sequence[Row]]]


def wahapedia(folder: Path) -> Datasheets:
    """The datasheets of a folder with `Datasheets.csv`, `Datasheets_models.csv`, ...

    Parameters
    ----------
    folder : Path

    Raises
    ------
    RosterError
        If a file is missing or is no such table.
    """
    return _read(folder, tuple((path, path.stat().st_mtime_ns) for path in sorted(folder.glob("*.csv"))))


@lru_cache(maxsize=2)
def _read(folder: Path, files: Sequence[tuple[Path, int]]) -> Datasheets:
    """The folder as it was at a time: written anew, it is read anew."""
    tables = {name: _table(folder / f"{name}.csv", "datasheet_id") for name in _TABLES[1:]}
    optional = {name: _table(folder / f"{name}.csv", key, needed=False) for name, key in _OPTIONAL.items()}
    entries = []
    for rows in _table(folder / "Datasheets.csv", "id").values():
        name = rows[0].get("name", "")
        if name and rows[0].get("virtual", "").lower() != "true":
            faction = optional["Factions"].get(rows[0].get("faction_id", ""), ({},))[0].get("name", "")
            named = tuple(filter(None, (faction, rows[0].get("faction_id", ""))))
            read = partial(_datasheet, rows[0], faction, tables, optional)
            entries.append(Entry(name, named, read))
    return Datasheets(f"CSV folder {folder.name}", tuple(entries))


def _table(path: Path, key: str, needed: bool = True) -> dict[str, list[Row]]:
    """The rows of a file, by the datasheet that they belong to."""
    if not path.exists() and not needed:
        return {}
    rows: dict[str, list[Row]] = defaultdict(list)
    try:
        if path.stat().st_size > _LARGEST:
            raise RosterError.at(path.name, MISSING, f"is larger than {_LARGEST:,} bytes: no such table")
        with path.open(encoding="utf-8-sig", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="|", quoting=csv.QUOTE_NONE):
                cells = {name: text.strip() for name, text in row.items() if name and isinstance(text, str)}
                if cells.get(key):
                    rows[cells[key]].append(cells)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise RosterError.at(path.name, MISSING, f"cannot be read: {error}") from error
    return dict(rows)


def _datasheet(row: Row, faction: str, tables: Tables, optional: Tables) -> Datasheet:
    number = row["id"]
    words = tables["Datasheets_keywords"].get(number, ())
    told = tables["Datasheets_abilities"].get(number, ())
    weapons: dict[str, list[Profile]] = defaultdict(list)
    for cells in tables["Datasheets_wargear"].get(number, ()):
        if cells.get("name"):
            weapons[cells.get("line", "")].append(_profile(cells))
    stats = [
        (
            line.get("name", ""),
            {**line, "InSv": conditional_save(line.get("inv_sv", "-"), line.get("inv_sv_descr", ""))},
            [word.get("keyword", "") for word in words if word.get("model") == line.get("name")],
        )
        for line in tables["Datasheets_models"].get(number, ())
    ]
    worn = [one for one in told if one.get("type", "").lower().startswith("wargear")]
    return read_card(
        Card(
            name=row["name"],
            faction=faction,
            stats=stats,
            weapons=tuple(weapons.values()),
            keywords=[word.get("keyword", "") for word in words if not word.get("model")],
            abilities=[_ability(one, optional["Abilities"]) for one in told if one not in worn],
            wargear=[_ability(one, optional["Abilities"]) for one in worn],
            disclosed=["Damaged"] if row.get("damaged_description") else [],
            composition=[
                one.get("description", "") for one in optional["Datasheets_unit_composition"].get(number, ())
            ],
            loadout=row.get("loadout", ""),
            prices=_prices(tables["Datasheets_models_cost"].get(number, ())),
            role="support" if row.get("is_support") == "true" else "leader" if row.get("leader_head") else "",
        )
    )


def _profile(row: Row) -> Profile:
    reach = row.get("range", "")
    cells = {key: row.get(key, "") for key in ("A", "S", "AP", "D")}
    cells |= {"Range": f'{reach}"' if reach.isdigit() else reach}
    cells |= dict.fromkeys(("BS", "WS"), row.get("BS_WS", ""))
    melee = row.get("type", "").lower() == "melee"
    return Profile(row["name"], cells, keyword_list(row.get("description", "")), melee)


def _ability(row: Row, shared: Mapping[str, Sequence[Row]]) -> tuple[str, str]:
    """Name, with its parameter, and text; those of the rulebook stand in a table of their own."""
    common = shared.get(row.get("ability_id", ""), ({},))[0]
    name = plain_text(row.get("name") or common.get("name", ""))
    return f"{name} {row.get('parameter', '')}".strip(), row.get("description") or common.get(
        "description", ""
    )


def _prices(rows: Sequence[Row]) -> tuple[Price, ...]:
    prices = []
    for row in rows:
        number, _, what = plain_text(row.get("description", "")).partition(" ")
        if number.isdigit() and what.startswith("model") and row.get("cost", "").isdigit():
            prices.append(Price(int(number), int(number), int(row["cost"])))
    return tuple(prices)
