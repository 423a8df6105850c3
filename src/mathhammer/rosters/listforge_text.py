"""ListForge's text: sections such as `Battleline:`, units with their points, gear indented and mostly uncounted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mathhammer.datasheets.names import fold
from mathhammer.rosters.skeleton import (
    POINTS,
    Line,
    ListSkeleton,
    UnitLines,
    bulleted,
    counted,
    points_in,
    without_cost,
)

FORM = re.compile(
    rf"^[A-Z][A-Za-z ]{{3,40}}:[ \t]*\n+\S.{{1,120}}\(\d[\d.,]{{0,8}} ?{POINTS}\)[ \t]*\n[ \t]*[•*-]",
    re.MULTILINE,
)
_PRICED = re.compile(rf"(?P<name>\S.{{0,160}}?) ?\((?P<points>\d[\d.,]{{0,8}}) ?{POINTS}\)", re.IGNORECASE)
_ENHANCEMENT = re.compile(r"(?:E|Enhancements?) ?: ?(\S.*)", re.IGNORECASE)


@dataclass
class _Item:
    """A bulleted line and what is indented below it."""

    name: str
    count: int
    where: str
    inside: list[_Item] = field(default_factory=list)


@dataclass
class _Open:
    name: str
    where: str
    points: float | None
    count: int | None
    items: list[_Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    above: list[tuple[int, _Item]] = field(default_factory=list)


def read_listforge(text: str) -> ListSkeleton:
    """The skeleton of a list in ListForge's text.

    Parameters
    ----------
    text : str

    Returns
    -------
    ListSkeleton
    """
    units: list[_Open] = []
    unread: list[Line] = []
    title = ""
    for number, line in enumerate(text.splitlines(), 1):
        indent, bullet, rest = bulleted(line)
        where = f"line {number}"
        if not rest or (not bullet and rest.endswith(":")):
            continue
        if bullet and units:
            _bullet(units[-1], indent, rest, where)
        elif not title and not units:
            title = rest
        elif not bullet and (found := _PRICED.fullmatch(rest)):
            count, name = counted(found["name"]) or (None, found["name"])
            units.append(_Open(name, where, points_in(found["points"]), count))
        else:
            unread.append(Line(rest, 1, where))
    total = _PRICED.fullmatch(title)
    name, *rest_of_title = re.split(r" [-–—] ", total["name"] if total else title)
    return ListSkeleton(
        name=name,
        factions=tuple(rest_of_title[:1]),
        points=points_in(total["points"]) if total else None,
        units=tuple(
            UnitLines(one.name, one.where, one.points, tuple(_lines(one.items)), one.count, tuple(one.notes))
            for one in units
        ),
        form="ListForge text",
        unread=tuple(unread),
        detachments=tuple(rest_of_title[1:]),
    )


def _bullet(unit: _Open, indent: int, text: str, where: str) -> None:
    if enhanced := _ENHANCEMENT.fullmatch(text):
        unit.notes.append(f"Enhancement: {without_cost(enhanced[1])}")
        return
    if fold(text) == "warlord":
        return
    count, name = counted(text) or (1, text)
    item = _Item(name, count, where)
    while unit.above and unit.above[-1][0] >= indent:
        unit.above.pop()
    (unit.above[-1][1].inside if unit.above else unit.items).append(item)
    unit.above.append((indent, item))


def _lines(items: Sequence[_Item]) -> Iterator[Line]:
    """Gear of the unit first, then each model with its own; a choice is gone through to what it holds."""
    yield from (Line(one.name, one.count, one.where) for one in items if not one.inside)
    for item in items:
        if any(one.inside for one in item.inside):
            yield from _lines(item.inside)
        elif item.inside:
            yield Line(item.name, item.count, item.where, likely=True, heads=True)
            yield from (Line(one.name, one.count, one.where, model=False) for one in item.inside)
