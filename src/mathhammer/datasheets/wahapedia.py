"""Datasheets from a folder of Wahapedia's CSV files, which the user has: nothing of them is kept.

The files are separated by `|`, with a byte order mark and a `|` at the end of every line; texts are HTML.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from mathhammer.abilities import parse_unit_abilities
from mathhammer.datasheets.datasheet import Datasheet, Datasheets, Entry, ModelRow, Price
from mathhammer.datasheets.defences import defence
from mathhammer.datasheets.muster import Arm
from mathhammer.datasheets.statline import keyword_list, model, plain_text, weapon
from mathhammer.errors import MISSING, InvalidScenario, RosterError

_LARGEST = 64 * 2**20
_TABLES = (
    "Datasheets",
    "Datasheets_models",
    "Datasheets_wargear",
    "Datasheets_keywords",
    "Datasheets_abilities",
    "Datasheets_models_cost",
)
_OPTIONAL = ("Factions", "Abilities")

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
    written = max((path.stat().st_mtime_ns for path in folder.glob("*.csv")), default=0)
    return _read(folder, written, len(list(folder.glob("*.csv"))))


@lru_cache(maxsize=2)
def _read(folder: Path, written: int, files: int) -> Datasheets:
    """The folder as it was at a time: written anew, it is read anew."""
    tables = {name: _table(folder / f"{name}.csv", "datasheet_id") for name in _TABLES[1:]}
    optional = {name: _table(folder / f"{name}.csv", "id", needed=False) for name in _OPTIONAL}
    entries = []
    for rows in _table(folder / "Datasheets.csv", "id").values():
        if rows[0].get("virtual", "").lower() != "true":
            faction = optional["Factions"].get(rows[0].get("faction_id", ""), ({},))[0].get("name", "")
            named = tuple(filter(None, (faction, rows[0].get("faction_id", ""))))
            read = partial(_datasheet, rows[0], faction, tables, optional["Abilities"])
            entries.append(Entry(rows[0]["name"].strip(), named, read))
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


def _datasheet(row: Row, faction: str, tables: Tables, shared: Mapping[str, Sequence[Row]]) -> Datasheet:
    number = row["id"]
    words = tables["Datasheets_keywords"].get(number, ())
    everybody = [word["keyword"] for word in words if not word.get("model")]
    arms, unread = _arms(tables["Datasheets_wargear"].get(number, ()))
    keys, abilities, disclosed = _abilities(tables["Datasheets_abilities"].get(number, ()), shared)
    lines = tables["Datasheets_models"].get(number, ())
    if not lines:
        raise InvalidScenario.at("unit", row["name"], "has no stat line in Datasheets_models.csv")
    if row.get("damaged_description"):
        disclosed.append("Damaged")
    rows = []
    for line in lines:
        own = [word["keyword"] for word in words if word.get("model") and word["model"] == line["name"]]
        character = "Character" in own or ("Character" in everybody and len(lines) == 1)
        more: dict[str, Any] = keys | ({"character": True} if character else {})
        more |= {"keywords": everybody + own} if own else {}
        cells = {**line, "InSv": _conditional(line)}
        read, unsaid = model(line["name"], cells, **more)
        disclosed += unsaid
        rows.append(ModelRow(read, 0, 40))
    prices = _prices(tables["Datasheets_models_cost"].get(number, ()))
    return Datasheet(
        name=row["name"],
        faction=faction,
        rows=tuple(rows),
        arms=arms,
        keywords=tuple(dict.fromkeys(everybody)),
        abilities=abilities,
        not_modelled=tuple(dict.fromkeys([*disclosed, *unread])),
        prices=prices,
        role="support" if row.get("is_support") == "true" else "leader" if row.get("leader_head") else "",
    )


def _conditional(line: Row) -> str:
    """The invulnerable save with its condition, where the description is one of the two that count."""
    value = line.get("inv_sv", "-")
    described = plain_text(line.get("inv_sv_descr", "")).lower()
    for kind in ("ranged", "melee"):
        if f"against {kind}" in described:
            return f"{value.rstrip('*+')}+ ({kind})"
    if value.rstrip("*").isdigit():
        return f"{value.rstrip('*')}+{'*' if described or value.endswith('*') else ''}"
    return value


def _arms(rows: Sequence[Row]) -> tuple[tuple[Arm, ...], list[str]]:
    lines: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.get("name"):
            lines[row.get("line", "")].append(row)
    arms, unread = [], []
    for profiles in lines.values():
        parted = [plain_text(row["name"]).partition(" - ") for row in profiles]
        title = parted[0][0]
        modes = []
        for row, (name, _, mode) in zip(profiles, parted, strict=True):
            cells = {"Range": f'{row["range"]}"' if row["range"].isdigit() else row["range"]}
            cells |= {"BS": row["BS_WS"], "WS": row["BS_WS"]}
            cells |= {key: row[key] for key in ("A", "S", "AP", "D")}
            melee = row.get("type", "").lower() == "melee"
            try:
                read, _ = weapon(name, cells, keyword_list(row.get("description", "")), melee=melee)
            except InvalidScenario as error:
                unread.append(f"{row['name']} ({error})")
                continue
            modes.append((mode if len(profiles) > 1 else "", read))
        for kind in (False, True):
            if of_kind := tuple((mode, read) for mode, read in modes if read.melee is kind):
                arms.append(Arm(title, of_kind if len(of_kind) > 1 else (("", of_kind[0][1]),)))
    return tuple(dict.fromkeys(arms)), unread


def _abilities(
    rows: Sequence[Row], shared: Mapping[str, Sequence[Row]]
) -> tuple[dict[str, int], tuple[str, ...], list[str]]:
    """Defences of every model, abilities of the unit, and what is disclosed."""
    keys: dict[str, int] = {}
    abilities: list[str] = []
    disclosed: list[str] = []
    for row in rows:
        common = shared.get(row.get("ability_id", ""), ({},))[0]
        name = plain_text(row.get("name") or common.get("name", ""))
        text = row.get("description") or common.get("description", "")
        full = f"{name} {row.get('parameter', '')}".strip()
        try:
            known = parse_unit_abilities(full)
        except InvalidScenario:
            given, more = defence(text)
            if given.whose in ("unit", "model"):
                keys |= given.keys
            if name and (more or (given.keys and given.whose not in ("unit", "model"))):
                disclosed.append(name)
            continue
        for ability in known:
            if ability.name == "FEEL NO PAIN":
                keys["feel_no_pain"] = int(ability.number[0])
            else:
                abilities.append(str(ability))
    return keys, tuple(dict.fromkeys(abilities)), disclosed


def _prices(rows: Sequence[Row]) -> tuple[Price, ...]:
    prices = []
    for row in rows:
        number, _, what = plain_text(row.get("description", "")).partition(" ")
        if number.isdigit() and what.startswith("model") and row.get("cost", "").isdigit():
            prices.append(Price(int(number), int(number), int(row["cost"])))
    return tuple(prices)
