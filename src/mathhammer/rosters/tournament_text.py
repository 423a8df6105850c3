"""Lists between `++++` fences (`+ FACTION KEYWORD`) and Markdown lists (`## Battleline [485 pts]`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mathhammer.datasheets.names import fold
from mathhammer.rosters.skeleton import Line, ListSkeleton, UnitLines, bulleted, counted, gear, points_in

_FENCED_UNIT = re.compile(
    r"(?:(?P<tag>Char ?\d{1,2}): ?)?(?:(?P<count>\d{1,3}) ?x? )?(?P<name>[^:(\[]\S?[^:\[]{0,120}?)"
    r" ?\((?P<points>\d[\d.,]{0,8}) ?(?:points?|pts)\)(?: ?: ?(?P<gear>.*))?",
    re.IGNORECASE,
)
_MARKDOWN_UNIT = re.compile(
    r"(?:(?P<count>\d{1,3}) ?x? )?(?P<name>[^:\[]{1,120}?) ?\[(?P<points>\d[\d.,]{0,8}) ?(?:points?|pts)\]"
    r"(?: ?: ?(?P<gear>.*))?",
    re.IGNORECASE,
)
_KEYED = re.compile(r"\+ ?(?P<key>[A-Z ]{3,30}): ?(?P<value>.*)")
_COST = re.compile(r"(?P<name>[^\[(]{1,120}?) ?[\[(]\+?\d{1,4} ?(?:points?|pts)[\])]", re.IGNORECASE)
_TITLE = re.compile(r"#+ .*\[(\d[\d.,]{0,8}) ?pts\]", re.IGNORECASE)


@dataclass
class _Open:
    name: str
    where: str
    points: float | None
    count: int | None
    lines: list[Line] = field(default_factory=list)
    bullets: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    bearers: int = 1


def read_fenced(text: str) -> ListSkeleton:
    """The skeleton of a list with a heading between `++++` fences.

    Parameters
    ----------
    text : str

    Returns
    -------
    ListSkeleton
    """
    lines = text.splitlines()
    headed = filter(None, (_KEYED.match(line.strip()) for line in lines))
    keys = {found["key"].strip(): found["value"].strip() for found in headed}
    body = [(number, line) for number, line in enumerate(lines, 1) if line.strip()[:1] not in ("+", "&")]
    faction = keys.get("FACTION KEYWORD", "")
    units, unread = _units(body, _FENCED_UNIT, each=False)
    return ListSkeleton(
        name=keys.get("LIST NAME", ""),
        factions=(faction.rpartition(" - ")[2].strip(),),
        points=points_in(re.sub(r"\D+$", "", keys.get("TOTAL ARMY POINTS", ""))),
        units=units,
        form="FACTION KEYWORD text",
        unread=unread,
        detachments=tuple(filter(None, [keys.get("DETACHMENT", "")])),
    )


def read_markdown(text: str) -> ListSkeleton:
    """The skeleton of a Markdown list.

    Parameters
    ----------
    text : str

    Returns
    -------
    ListSkeleton
    """
    lines = list(enumerate(text.splitlines(), 1))
    title = next((found for _, line in lines if (found := _TITLE.fullmatch(line.strip()))), None)
    configured = ("battle size", "detachment", "force disposition", "configuration")
    detachments = [line.partition(":")[2].strip() for _, line in lines if fold(line).startswith("detachment")]
    body = [
        (number, line) for number, line in lines if line[:1] != "#" and not fold(line).startswith(configured)
    ]
    units, unread = _units(body, _MARKDOWN_UNIT, each=True)
    return ListSkeleton(
        name="",
        factions=(),
        points=points_in(title[1]) if title else None,
        units=units,
        form="Markdown text",
        unread=unread,
        detachments=tuple(filter(None, detachments)),
    )


def _units(
    body: Sequence[tuple[int, str]], form: re.Pattern[str], *, each: bool
) -> tuple[tuple[UnitLines, ...], tuple[Line, ...]]:
    units: list[_Open] = []
    unread: list[Line] = []
    apart = True
    for number, line in body:
        _, bullet, rest = bulleted(line)
        before, apart = apart, not rest
        where = f"line {number}"
        if not rest or (rest == rest.upper() and not any(c.isdigit() for c in rest)):
            continue
        if not bullet and fold(rest).startswith("enhancement"):
            if units:
                what = rest.partition(":")[2].strip()
                cost = _COST.fullmatch(what)
                units[-1].notes.append(f"Enhancement: {cost['name'] if cost else what}")
        elif not bullet and (found := form.fullmatch(rest)):
            count = int(found["count"]) if found["count"] else None
            points = points_in(found["points"])
            units.append(_Open(found["name"].strip(), where, points, count, bearers=count or 1))
            _carry(units[-1], found["gear"] or "", count or 1, where, each)
        elif units and bullet:
            _bullet(units[-1], rest, where)
        elif units and re.match(r"\d{1,3} +with ", rest, re.IGNORECASE):
            units[-1].bullets += gear(rest, units[-1].bearers, where, each=each)
        elif (item := counted(rest)) and before:
            # Set apart as a unit is, but without its points.
            units.append(_Open(item[1], where, None, item[0], bearers=item[0]))
        elif units and item and ":" not in rest:
            units[-1].bullets.append(Line(item[1], item[0], where))
        else:
            unread.append(Line(rest, 1, where))
    return tuple(_closed(unit) for unit in units), tuple(unread)


def _bullet(unit: _Open, text: str, where: str) -> None:
    name, colon, carried = text.partition(":")
    if not (item := counted(name)):
        if fold(text) != "warlord":
            unit.notes.append(text)
        return
    if not colon:
        unit.bullets.append(Line(item[1], item[0], where))
        unit.bearers = item[0]
        return
    unit.bullets.append(Line(item[1], item[0], where, model=True))
    own = gear(carried, item[0], where, each=True)
    unit.bullets += [one for one in own if fold(one.name) != "warlord"]


def _carry(unit: _Open, text: str, bearers: int, where: str, each: bool) -> None:
    for one in gear(text, bearers, where, each=each):
        cost = _COST.fullmatch(one.name)
        if cost:
            unit.notes.append(f"Enhancement: {cost['name']}")
        elif fold(one.name) != "warlord":
            unit.lines.append(one)


def _closed(unit: _Open) -> UnitLines:
    """What stands on the unit's own line first; then bulleted lines, whose kind may still be open."""
    lines = unit.bullets
    if any(line.model is not None for line in lines):
        lines = [replace(line, model=True) if line.model is None else line for line in lines]
    return UnitLines(unit.name, unit.where, unit.points, (*unit.lines, *lines), unit.count, tuple(unit.notes))
