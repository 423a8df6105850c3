"""The text that the game's app exports: headings in capitals, `Unit (100 points)`, bulleted gear.

Most copies have lost their indentation, and some all difference between bullets: what the layout does not
tell is left to the datasheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mathhammer.datasheets.names import fold
from mathhammer.rosters.skeleton import (
    POINTS,
    Line,
    ListSkeleton,
    UnitLines,
    bulleted,
    counted,
    like_a_count,
    points_in,
)

_UNIT = re.compile(
    rf"(?P<name>\S.{{0,120}}?) ?\((?P<points>\d[\d.,\s]{{0,8}}?) ?{POINTS}\.?\)", re.IGNORECASE
)
_DETACHMENT = re.compile(
    r"(\S.{0,120}?) ?\(\d{1,2} (?:detachment points?|points? de d[ée]tachement)\)", re.IGNORECASE
)
_ATTACHED = re.compile(r"[^\d(]{3,40} (\d{1,2})")
_ATTACHED_AS = re.compile(r"[^:]{3,40}:\s*(leader|support|bodyguard)\b.*", re.IGNORECASE)
_SIZES = ("strike force", "incursion", "onslaught", "combat patrol", "force de frappe")
_ENHANCEMENT = ("enhancement", "optimisation", "amelioration", "verbesserung")
_SKIPPED = ("warlord", "seigneur de guerre", "kriegsherr")


@dataclass
class _Open:
    """The unit that is being read."""

    name: str
    where: str
    points: float | None
    attached: str
    count: int | None = None
    body: list[tuple[int, str, Line]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    role: str = ""


def read_app_text(text: str) -> ListSkeleton:
    """The skeleton of an app list.

    Parameters
    ----------
    text : str

    Returns
    -------
    ListSkeleton
    """
    lines = text.splitlines()
    heading = next((at for at, line in enumerate(lines) if at and _is_heading(line)), len(lines))
    body = min(heading, _first_unit(lines))
    units: list[_Open] = []
    unread: list[Line] = []
    attached, attaching = "", False
    for number, line in enumerate(lines[body:], body + 1):
        indent, bullet, rest = bulleted(line)
        where = f"line {number}"
        if not rest or fold(rest).startswith("export"):
            continue
        if not bullet and (found := _UNIT.fullmatch(rest)):
            count, name = counted(found["name"]) or (None, found["name"])
            units.append(_Open(name, where, points_in(found["points"]), attached, count))
        elif not bullet and attaching and (group := _ATTACHED.fullmatch(rest)):
            attached = group[1]
        elif not bullet and _is_heading(line):
            attached, attaching = "", fold(rest) == "attached units"
        elif units and (item := counted(rest)):
            units[-1].body.append((indent, bullet, Line(item[1], item[0], where)))
        elif units and (bullet or _is_note(rest)) and not like_a_count(rest):
            _note(units[-1], rest)
        elif not bullet and ":" not in rest and _bullet_follows(lines, number):
            units.append(_Open(rest, where, None, attached))
        else:
            unread.append(Line(rest, 1, where))
    name, points, factions, detachments = _header(lines[:body])
    return ListSkeleton(
        name=name,
        factions=factions,
        points=points,
        units=tuple(_closed(unit) for unit in units),
        form="app text",
        edition=_edition(text),
        unread=tuple(unread),
        detachments=detachments,
    )


def _layout(body: Sequence[tuple[int, str, Line]]) -> tuple[Line, ...]:
    """Which lines, each behind its indent and bullet, are models, as far as these tell."""
    indents = {indent for indent, bullet, _ in body if bullet}
    # Where every line has the same bullet, pairs say nothing.
    flat = all(bullet for _, bullet, _ in body)
    two = len(indents) > 1 or {"•", "◦"} <= {bullet for _, bullet, _ in body}
    lines: list[Line] = []
    for at, (indent, bullet, line) in enumerate(body):
        follower = body[at + 1] if at + 1 < len(body) else None
        if two:
            outer = _outer(indent, bullet, indents)
            parent = outer and follower is not None and not _outer(follower[0], follower[1], indents)
            # An outer line without anything below it is a model without weapons, or gear of the unit.
            model = True if parent else None if outer else False
            lines.append(replace(line, model=model))
        else:
            before = bool(at and body[at - 1][1] and lines[-1].likely)
            likely = bool(not flat and bullet and follower is not None and follower[1] and not before)
            lines.append(replace(line, model=None if bullet else False, likely=likely))
    return tuple(lines)


def _outer(indent: int, bullet: str, indents: set[int]) -> bool:
    return bullet not in ("", "◦") and indent == min(indents)


def _closed(unit: _Open) -> UnitLines:
    lines, notes = _layout(unit.body), tuple(unit.notes)
    return UnitLines(unit.name, unit.where, unit.points, lines, unit.count, notes, unit.attached, unit.role)


def _is_note(text: str) -> bool:
    """Whether a line is about the unit, bullet or not."""
    return fold(text) in _SKIPPED or fold(text.partition(":")[0]).startswith(_ENHANCEMENT)


def _bullet_follows(lines: Sequence[str], at: int) -> bool:
    """Whether the line from `at` on that says something is bulleted."""
    return next((bulleted(line)[1] != "" for line in lines[at:] if line.strip()), False)


def _note(unit: _Open, text: str) -> None:
    if role := _ATTACHED_AS.fullmatch(text):
        unit.role = role[1].lower()
    elif fold(text) not in _SKIPPED:
        label, _, what = text.partition(":")
        enhanced = what and fold(label).startswith(_ENHANCEMENT)
        unit.notes.append(f"Enhancement: {what.strip()}" if enhanced else text)


def _is_heading(line: str) -> bool:
    """Whether a line is a heading: in capitals, without points or bullet."""
    bare = line.strip()
    letters = [c for c in bare if c.isalpha()]
    return (
        len(letters) > 3
        and bare == bare.upper()
        and not any(c.isdigit() for c in bare)
        and bulleted(line)[1] == ""
        and not bare.endswith(":")
    ) or fold(bare) == "attached units"


def _first_unit(lines: Sequence[str]) -> int:
    """The first line with points that gear follows; the last line if there is none."""
    for at, line in enumerate(lines[:-1]):
        if _UNIT.fullmatch(line.strip()) and (bulleted(lines[at + 1])[1] or counted(lines[at + 1].strip())):
            return at
    return len(lines)


def _header(lines: Sequence[str]) -> tuple[str, float | None, tuple[str, ...], tuple[str, ...]]:
    """Name, stated total, the lines that may name the faction, and the detachments.

    Lists of the 10th edition do not mark the detachment: it stands last, where a faction may stand, too.
    """
    name, points, factions, detachments = "", None, [], []
    for line in map(str.strip, lines):
        if not line or "://" in line:
            continue
        if found := _UNIT.fullmatch(line):
            size = fold(found["name"]) in _SIZES
            if not name and not size:
                name, points = found["name"].strip('" '), points_in(found["points"])
        elif found := _DETACHMENT.fullmatch(line):
            detachments.append(found[1])
        elif not name:
            name = line
            factions += [part.strip() for part in re.split(r" [-–—] ", line)[1:]]
        elif ":" not in line and "(" not in line and "*" not in line:
            factions.append(line)
    if not detachments and len(factions) > 1:
        detachments.append(factions[-1])
    return name, points, tuple(factions), tuple(detachments)


def _edition(text: str) -> str:
    plain = fold(text)
    version = re.search(r"(?:app version|version de l.?appli)\s*:\s*v?(\d)", text, re.IGNORECASE)
    if version:
        return "11th" if int(version[1]) >= 2 else "10th"
    return "11th" if "detachment points" in plain or "attached unit" in plain else ""
