"""Lists between `++++` fences (`+ FACTION KEYWORD`) and Markdown lists (`## Battleline [485 pts]`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mathhammer.datasheets.names import fold
from mathhammer.rosters.app_heading import Heading, read_heading
from mathhammer.rosters.skeleton import (
    Line,
    ListSkeleton,
    UnitLines,
    as_many,
    bulleted,
    counted,
    gear,
    like_a_count,
    points_in,
    without_cost,
)

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
_KEYED = re.compile(
    r"\+? ?(?P<key>FACTION KEYWORD|DETACHMENT|TOTAL ARMY POINTS|POINTS LIMIT|LIST NAME|WARLORD|NUMBER OF UNITS"
    r"|SECONDARY) ?: ?(?P<value>.*)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"# ?[^#].*\[(\d[\d.,]{0,8}) ?pts\]", re.IGNORECASE)
_CONFIGURED = (
    "battle size",
    "detachment",
    "force disposition",
    "configuration",
    "show hide options",
    "created with",
)


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
    keyed = [_KEYED.fullmatch(line.strip()) for line in lines]
    keys = {found["key"].upper(): found["value"].strip() for found in keyed if found}
    bare = [
        "" if of or line.strip()[:1] in ("+", "&") else line for line, of in zip(lines, keyed, strict=True)
    ]
    heading = Heading() if keys else read_heading(bare)
    units, unread = _units(list(enumerate(bare, 1))[heading.length :], _FENCED_UNIT, each=False)
    faction = keys.get("FACTION KEYWORD", "").rpartition(" - ")[2].strip()
    return ListSkeleton(
        name=keys.get("LIST NAME", heading.name),
        factions=(*heading.factions, *filter(None, [faction])),
        points=points_in(re.sub(r"\D+$", "", keys.get("TOTAL ARMY POINTS", ""))) or heading.points,
        units=units,
        form="FACTION KEYWORD text",
        unread=(*heading.unread, *unread),
        detachments=(*heading.detachments, *filter(None, [keys.get("DETACHMENT")])),
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
    detachments = [line.partition(":")[2].strip() for _, line in lines if fold(line).startswith("detachment")]
    body = [(number, line) for number, line in lines if line[:1] != "#"]
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
        capitals = rest == rest.upper() and not any(c.isdigit() for c in rest)
        if not fold(rest) or (not bullet and (capitals or fold(rest).startswith(_CONFIGURED))):
            continue
        if fold(rest).startswith("enhancement"):
            if units:
                what = rest.partition(":")[2].strip()
                units[-1].notes.append(f"Enhancement: {without_cost(what)}")
        elif not bullet and (found := form.fullmatch(rest)):
            behind, name = counted(found["name"]) or (None, found["name"].strip())
            count = int(found["count"]) if found["count"] else behind
            units.append(_Open(name, where, points_in(found["points"]), count, bearers=count or 1))
            _carry(units[-1], found["gear"] or "", count or 1, where, each)
        elif units and bullet and _bullet(units[-1], rest, where):
            continue
        elif units and re.match(r"\d{1,3} +with ", rest, re.IGNORECASE):
            units[-1].bullets += gear(rest, units[-1].bearers, where, each=each)
        elif (item := counted(rest)) and before:
            # Set apart as a unit is, but without its points.
            units.append(_Open(item[1], where, None, item[0], bearers=item[0]))
        elif units and item and ":" not in rest:
            units[-1].bullets.append(Line(item[1], item[0], where))
        else:
            unread.append(Line(rest, 1, where))
    return tuple(_closed(unit, unread) for unit in units), tuple(unread)


def _bullet(unit: _Open, text: str, where: str) -> bool:
    """Read a bulleted line; whether it could be."""
    name, colon, carried = (part.strip() for part in text.partition(":"))
    bare = without_cost(text)
    if fold(text) == "warlord":
        return True
    if bare != text:
        unit.notes.append(f"Enhancement: {bare}")
        return True
    if like_a_count(name) and not counted(name):
        return False
    count, name = counted(name) or (int(bool(colon)), name)
    if colon:
        unit.bullets.append(Line(name, count, where, model=True))
        own = gear(carried, count, where, each=True)
        unit.bullets += [one for one in own if fold(one.name) != "warlord"]
    else:
        unit.bullets.append(Line(name, count, where))
        unit.bearers = count or unit.bearers
    return True


def _carry(unit: _Open, text: str, bearers: int, where: str, each: bool) -> None:
    for one in gear(text, bearers, where, each=each):
        bare = without_cost(one.name)
        if bare != one.name:
            unit.notes.append(f"Enhancement: {bare}")
        elif fold(one.name) != "warlord":
            unit.lines.append(one)


def _closed(unit: _Open, unread: list[Line]) -> UnitLines:
    """What stands on the unit's own line first; then bulleted lines, whose kind may still be open.

    Lines whose count stays open go to `unread`.
    """
    counts = [line.count for line in unit.bullets if line.count]
    each = as_many(unit.count, counts)
    unread += [line for line in unit.bullets if not (line.count or each)]
    lines = [replace(line, count=line.count or each or 0) for line in unit.bullets if line.count or each]
    if any(line.model is not None for line in lines):
        lines = [replace(line, model=True) if line.model is None else line for line in lines]
    # A unit nothing of which is counted is taken for one model, which is said if its datasheet has more.
    count = unit.count or (1 if lines and not counts else None)
    return UnitLines(unit.name, unit.where, unit.points, (*unit.lines, *lines), count, tuple(unit.notes))
