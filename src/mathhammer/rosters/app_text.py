"""The text that the game's app exports: headings in capitals, `Unit (100 points)`, bulleted gear.

Most copies have lost their indentation, and some all difference between bullets: what the layout does not
tell is left to the datasheet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from mathhammer.datasheets.names import fold
from mathhammer.rosters.app_heading import ENHANCEMENT, PRICED, ROLE, group_at, is_section, read_heading
from mathhammer.rosters.skeleton import (
    Line,
    ListSkeleton,
    UnitLines,
    as_many,
    bulleted,
    counted,
    like_a_count,
    points_in,
    without_cost,
)

_SKIPPED = ("warlord", "seigneur de guerre", "kriegsherr", "senor de la guerra", "signore della guerra")
_ROLES = ("leader", "support", "bodyguard")
_FOOTER = ("export", "created with")
_VERSION = re.compile(r":\s?v?(\d{1,2})\.\d{1,3}\.\d{1,3}\b", re.ASCII)


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
    heading = read_heading(lines)
    units: list[_Open] = []
    unread = heading.unread
    attached = ""
    for at, line in enumerate(lines[heading.length :], heading.length):
        indent, bullet, rest = bulleted(line)
        where = f"line {at + 1}"
        if not rest or (not bullet and (_VERSION.search(rest) or fold(rest).startswith(_FOOTER))):
            continue
        if not bullet and (found := PRICED.fullmatch(rest)):
            count, name = counted(found["name"]) or (None, found["name"])
            units.append(_Open(name, where, points_in(found["points"]), attached, count))
        elif not bullet and (group := group_at(lines, at)):
            attached = group
        elif is_section(lines, at):
            attached = ""
        elif units and (item := counted(rest)):
            units[-1].body.append((indent, bullet, Line(item[1], item[0], where)))
        elif units and _noted(units[-1], bullet, rest):
            continue
        elif units and bullet and not like_a_count(rest):
            units[-1].body.append((indent, bullet, Line(rest, 0, where)))
        elif not bullet and ":" not in rest and _bullet_follows(lines, at + 1):
            units.append(_Open(rest, where, None, attached))
        else:
            unread.append(Line(rest, 1, where))
            attached = "" if not bullet else attached
    _settle_roles(units)
    return ListSkeleton(
        name=heading.name,
        factions=tuple(heading.factions),
        points=heading.points,
        units=tuple(_closed(unit, unread) for unit in units),
        form="app text",
        edition=_edition(text, heading.marked or any(unit.attached for unit in units)),
        unread=tuple(unread),
        detachments=tuple(heading.detachments),
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


def _closed(unit: _Open, unread: list[Line]) -> UnitLines:
    """The unit; lines whose count stays open go to `unread`."""
    lines = _layout(unit.body)
    counts = [line.count for line in lines if line.count]
    # A unit nothing of which is counted is taken for one model, which is said if its datasheet has more.
    count = unit.count or (1 if lines and not counts and not any(line.model for line in lines) else None)
    told: list[Line] = []
    alone, above = as_many(unit.count, counts), 1
    for at, line in enumerate(lines):
        if line.model:
            inside = takewhile(lambda one: one.model is False, lines[at + 1 :])
            above = line.count or int(any(one.count < 2 for one in inside))
        carried = line.model is not None
        amount = line.count or (above if carried else alone)
        if amount and (above or not carried):
            told.append(replace(line, count=amount))
        else:
            unread.append(line)
    role = unit.role if unit.role in _ROLES else ""
    return UnitLines(
        unit.name, unit.where, unit.points, tuple(told), count, tuple(unit.notes), unit.attached, role
    )


def _settle_roles(units: Sequence[_Open]) -> None:
    """A unit without a role is of no attached unit; where no role is understood, the last is the bodyguard."""
    for label in {unit.attached for unit in units}:
        members = [unit for unit in units if unit.attached == label and unit.role]
        for unit in units:
            if unit.attached == label and not unit.role and members:
                unit.attached = ""
        if members and not any(unit.role in _ROLES for unit in members):
            members[-1].role = "bodyguard"


def _bullet_follows(lines: Sequence[str], at: int) -> bool:
    """Whether the line from `at` on that says something is bulleted."""
    return next((bulleted(line)[1] != "" for line in lines[at:] if line.strip()), False)


def _noted(unit: _Open, bullet: str, text: str) -> bool:
    """Note a line that is about the unit; whether it is one."""
    label, colon, what = (part.strip() for part in text.partition(":"))
    first = not (unit.body or unit.notes or unit.role)
    if fold(label).startswith(ENHANCEMENT):
        unit.notes.append(f"Enhancement: {without_cost(what)}" if what else text)
    elif bullet and unit.attached and first and (role := ROLE.fullmatch(text)):
        unit.role = fold(role["role"])
    elif bullet and colon and not (like_a_count(text) or counted(label)):
        unit.notes.append(text)
    else:
        return fold(text) in _SKIPPED
    return True


def _edition(text: str, eleventh: bool) -> str:
    """The edition by the version of the app, or by what only lists of the 11th state."""
    version = next(filter(None, map(_VERSION.search, text.splitlines())), None)
    if version:
        return "11th" if int(version[1]) >= 2 else "10th"
    return "11th" if eleventh else ""
