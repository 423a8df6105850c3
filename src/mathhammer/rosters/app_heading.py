"""What stands above the units of an app list, and which lines are headings, whatever the language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from mathhammer.datasheets.names import fold
from mathhammer.rosters.skeleton import POINTS, Line, bulleted, counted, points_in

PRICED = re.compile(
    rf"(?P<name>\S.{{0,120}}?) ?\((?P<points>\d[\d.,\s]{{0,8}}?) ?{POINTS}\.?\)", re.IGNORECASE
)
ROLE = re.compile(r"[^:]{3,60}?: ?(?P<role>[^:()]{3,60}?)(?P<of> ?\([^()]*\))?")
"""What a unit says of its place in an attached unit: `Attached as: Leader (Character)`."""

ENHANCEMENT = ("enhancement", "optimisation", "amelioration", "verbesserung")
_COST = re.compile(rf"\((?P<points>\d[\d.,]{{0,8}}) ?{POINTS}\.?\)(?P<gear> ?:)?", re.IGNORECASE)
_DETACHMENT = re.compile(r"(\S.{0,120}?) ?\(\d{1,2} [^\d():]{4,40}\)")
_NUMBERED = re.compile(r"[^\d(:]{3,40} (\d{1,2})")
_SECTIONS = (
    "attached units",
    "characters",
    "battleline",
    "dedicated transports",
    "other datasheets",
    "allied units",
)
_SIZES = ("strike force", "incursion", "onslaught", "combat patrol", "force de frappe")
_LIMITS = (500, 1000, 2000, 3000)


@dataclass
class Heading:
    """What the lines above the units say.

    Attributes
    ----------
    name : str
    points : float or None
        The total.
    factions : list of str
        Lines that may name the faction.
    detachments : list of str
    marked : bool
        Whether the list says that these are its detachments.
    length : int
        How many lines there are.
    unread : list of Line
    """

    name: str = ""
    points: float | None = None
    factions: list[str] = field(default_factory=list)
    detachments: list[str] = field(default_factory=list)
    marked: bool = False
    length: int = 0
    unread: list[Line] = field(default_factory=list)


def read_heading(lines: Sequence[str]) -> Heading:
    """The lines of a list above its first section or unit.

    Parameters
    ----------
    lines : sequence of str

    Returns
    -------
    Heading
    """
    heading = Heading()
    made = sum(
        points_in(found["points"]) or 0
        for at, line in enumerate(lines)
        if (found := _COST.search(line)) and (found["gear"] or _gear_follows(lines, at))
    )
    at, last = _below(lines, -1), -1
    while at < len(lines) and not _ends(lines, at, heading, made):
        if _take(heading, lines[at].strip(), at):
            last = at
        at = _below(lines, at)
    heading.length, heading.marked = at, bool(heading.detachments)
    if last >= 0 and not is_section(lines, at) and _stands_alone(lines, last) and len(heading.factions) > 1:
        # It may as well be the heading of a section in another language.
        heading.unread.append(Line(heading.factions.pop(), 1, f"line {last + 1}"))
    if not heading.marked and len(heading.factions) > 1:
        # Lists of the 10th edition do not mark the detachment: it stands last.
        heading.detachments.append(heading.factions[-1])
    return heading


def _stands_alone(lines: Sequence[str], at: int) -> bool:
    return not any(line.strip() for line in (*lines[max(at - 1, 0) : at], *lines[at + 1 : at + 2]))


def _take(heading: Heading, line: str, at: int) -> bool:
    """Read a line of the heading; whether it may be a faction or a detachment."""
    if "://" in line:
        return False
    if found := PRICED.fullmatch(line):
        if not _is_size(found, heading):
            heading.name = heading.name or found["name"].strip('" ')
            heading.points = points_in(found["points"])
    elif not heading.name:
        heading.name = line
        heading.factions += [part.strip() for part in re.split(r" [-–—] ", line)[1:]]
    elif found := _DETACHMENT.fullmatch(line):
        heading.detachments.append(found[1])
    elif "(" in line:
        heading.unread.append(Line(line, 1, f"line {at + 1}"))
    elif ":" not in line and "*" not in line:
        heading.factions.append(line)
        return True
    return False


def _ends(lines: Sequence[str], at: int, heading: Heading, made: float) -> bool:
    """Whether a section or a unit begins, where the units that gear follows cost `made` points."""
    line = lines[at].strip()
    if "://" in line:
        return False
    if found := PRICED.fullmatch(line):
        stated = points_in(found["points"]) or 0
        # A total need not add up, but a unit rarely costs as much as all others.
        total = heading.points is None and stated * (1.25 if heading.name else 2) >= made
        return _gear_follows(lines, at) or not (total or _is_size(found, heading))
    if _in_capitals(line) and not heading.name and fold(line) not in _SECTIONS:
        unit = _below(lines, at)
        return _gear_follows(lines, unit) and PRICED.fullmatch(lines[unit].strip()) is not None
    cost = _COST.search(line)
    if (cost and cost["gear"]) or is_section(lines, at):
        return True
    bare = ":" not in line and _counted_bullet(lines, _below(lines, at))
    return heading.name != "" and (bare or group_at(lines, at) != "")


def _is_size(found: re.Match[str], heading: Heading) -> bool:
    of_a_size = heading.points is not None and points_in(found["points"]) in _LIMITS
    return of_a_size or fold(found["name"]) in _SIZES


def is_section(lines: Sequence[str], at: int) -> bool:
    """Whether a line is the heading of a section: in capitals, known, or above the first attached unit."""
    if at >= len(lines) or bulleted(lines[at])[1]:
        return False
    known = fold(lines[at]) in _SECTIONS or _in_capitals(lines[at])
    return known or ("(" not in lines[at] and group_at(lines, _below(lines, at)) == "1")


def _in_capitals(line: str) -> bool:
    bare = line.strip()
    plain = bare == bare.upper() and not any(c.isdigit() for c in bare) and not bare.endswith(":")
    return plain and sum(c.isalpha() for c in bare) > 3


def group_at(lines: Sequence[str], at: int) -> str:
    """Number of the attached unit whose heading a line is; empty if it is none.

    In any language a unit follows whose first line states its role.
    """
    unit = _below(lines, at)
    said = _below(lines, unit)
    found = _NUMBERED.fullmatch(lines[at].strip()) if said < len(lines) else None
    if not found or bulleted(lines[unit])[1]:
        return ""
    _, bullet, rest = bulleted(lines[said])
    role = None if fold(rest).startswith(ENHANCEMENT) else ROLE.fullmatch(rest)
    return found[1] if bullet and role and (role["of"] or fold(rest).startswith("attached as")) else ""


def _gear_follows(lines: Sequence[str], at: int) -> bool:
    """Whether the next line is counted, or bulleted and not set apart."""
    below = _below(lines, at)
    _, bullet, rest = bulleted(lines[below]) if below < len(lines) else (0, "", "")
    return counted(rest) is not None or (below == at + 1 and bullet != "" and fold(rest[:1]) != "")


def _counted_bullet(lines: Sequence[str], at: int) -> bool:
    _, bullet, rest = bulleted(lines[at]) if at < len(lines) else (0, "", "")
    return bullet != "" and counted(rest) is not None


def _below(lines: Sequence[str], at: int) -> int:
    """The next line that says something, or the number of lines."""
    return next((other for other in range(at + 1, len(lines)) if lines[other].strip()), len(lines))
