"""`mh.unit`: a unit by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from mathhammer.datasheets.datasheet import Datasheet, Datasheets, ModelRow
from mathhammer.datasheets.equip import (
    NO_ARMS,
    Equipped,
    composition,
    default_gear,
    equip,
    is_wargear,
    own_name,
)
from mathhammer.datasheets.loadout import loadout
from mathhammer.datasheets.muster import muster
from mathhammer.datasheets.names import nearest
from mathhammer.datasheets.sources import datasheets
from mathhammer.errors import InvalidScenario
from mathhammer.units import Unit

_LONGEST = 200
"""Characters of a name."""


def unit(
    name: str,
    count: int | None = None,
    weapons: str | Mapping[str, int] | None = None,
    *,
    faction: str = "",
    source: Datasheets | str | PathLike[str] | None = None,
) -> Unit:
    """A unit from a datasheet.

    Parameters
    ----------
    name : str
        Case, accents, apostrophes, plurals and small typing mistakes do not matter.
    count : int, optional
        Models; default the smallest unit.
    weapons : mapping of str to int, or str, optional
        All weapons that the unit has, counted over the unit: `{"Bolt rifle": 10}` or `"Bolt rifle:10"`. A
        weapon with modes brings all of them, `NAME | MODE` one. Default: what the datasheet says.
    faction : str, optional
        Where several factions have a datasheet of that name.
    source : Datasheets or path, optional
        A TOML file of `[[units]]`, or a folder of Wahapedia CSV or Game-Datacards JSON files; default the
        installed `wh40kdc`.

    Returns
    -------
    Unit
        With the points of a first unit of that size and of what it carries, and in `not_modelled` what its
        datasheet says and the unit does not.

    Raises
    ------
    InvalidScenario
        For an unknown or ambiguous name (with the nearest ones), an illegal size, an unknown weapon.
    RosterError
        If no datasheets are installed: says what to install.

    Examples
    --------
    >>> text = '''
    ... [[units]]
    ... name = "Wall guards"
    ... models = ["3x Guard: T4 Sv2+ W3"]
    ... weapons = ['3x Pike: Melee A2 WS3+ S5 AP-1 D1']
    ... '''
    >>> print(unit("wall guard", 2, "Pike:2", source=text))
    Wall guards
      2x Guard: T4 Sv2+ W3
      2x Pike: Melee A2 WS3+ S5 AP-1 D1
    """
    if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST:
        shown = f"{name[:40]}..." if isinstance(name, str) and len(name) > _LONGEST else name
        raise InvalidScenario.at("unit", shown, f"name a unit, in at most {_LONGEST} characters")
    if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < 1):
        raise InvalidScenario.at("count", count, "a unit has at least one model")
    if not isinstance(faction, str):
        raise InvalidScenario.at("faction", faction, "name a faction, or leave it out")
    known = datasheets(source)
    sheet = known.find(name, faction)
    chosen = loadout(weapons)
    if sheet.whole is not None and chosen is None:
        if count not in (None, sheet.whole.model_count):
            remedy = f"it is written for {sheet.whole.model_count} models: give the weapons of other numbers"
            raise InvalidScenario.at("count", count, remedy)
        return sheet.whole
    counts = composition(sheet, count)
    if not sum(counts):
        raise InvalidScenario.at("count", count, f"the datasheet of {sheet.name} does not say it: give one")
    rows = [(row, number) for row, number in zip(sheet.rows, counts, strict=True) if number]
    read: list[str] = []
    bare: list[str] = []
    if chosen is None:
        gear = [one for row, number in rows for one in default_gear(row, number)]
        parts = [equip(sheet, r.profile.replaced(count=n), n, default_gear(r, n)) for r, n in rows]
        bare = [row.name for row, _ in rows if sheet.arms and not row.gear]
    else:
        named = [own_name(sheet, known, written, number, sum(counts)) for written, number in chosen]
        gear = [(written, number) for written, number, _ in named]
        parts = _armed(sheet, rows, gear)
        read = [note for _, _, note in named if note]
    unread = [*read, *(name for part in parts for name in (*part.not_modelled, *part.unknown))]
    unread += [f"the weapons of {name} (the datasheet does not say which)" for name in bare]
    unread += [] if sheet.arms else [f"the weapons of {sheet.name} ({NO_ARMS})"]
    if len(sheet.rows) > 1 and not any(row.least for row in sheet.rows):
        unread.append("how many of each model there are (the datasheet does not say)")
    return muster(
        sheet.name,
        [group for part in parts for group in part.groups],
        points=sheet.points(sum(counts), gear),
        keywords=sheet.keywords,
        abilities=sheet.abilities,
        not_modelled=tuple(dict.fromkeys([*sheet.not_modelled, *unread])),
    )


def _armed(
    sheet: Datasheet, rows: Sequence[tuple[ModelRow, int]], chosen: Sequence[tuple[str, int]]
) -> list[Equipped]:
    """The models, the largest row with the wargear, and behind them all weapons of the unit."""
    worn = [one for one in chosen if is_wargear(sheet, one[0])]
    bearers = max(range(len(rows)), key=lambda at: rows[at][1])
    parts = [
        equip(sheet, row.profile.replaced(count=number), number, worn if at == bearers else ())
        for at, (row, number) in enumerate(rows)
    ]
    models = sum(number for _, number in rows)
    weapons = equip(sheet, None, models, [one for one in chosen if one not in worn])
    if weapons.unknown:
        raise _unknown(sheet, weapons.unknown[0])
    return [*parts, weapons]


def _unknown(sheet: Datasheet, name: str) -> InvalidScenario:
    known = dict.fromkeys(arm.name for arm in sheet.arms)
    near = ", ".join(nearest(name, known)) or "none"
    return InvalidScenario.at("weapons", name, f"is no weapon of {sheet.name}; nearest: {near}")
