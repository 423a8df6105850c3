"""What a text list says, units, models, gear and counts without any stat line; the grammar of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BULLETS = "•◦*▪‣·-–➤"
POINTS = r"(?:points?|pts|punkte?|puntos?|punt[oi])"
"""How lists write the word, in a regular expression."""

_COUNTED = re.compile(r"(\d{1,3})(?:\s*[x×]\s+|[x×]|\s+)(\S.*)", re.IGNORECASE)
_COUNT_LIKE = re.compile(r"[-+−–]?\d")
_WITH = re.compile(r"(\d{1,3})\s+with\s+(\S.*)", re.IGNORECASE)
_POINTS = re.compile(r"(\d{1,3}(?:[., ]\d{3})+|\d{1,6})(?:[.,](\d{1,2}))?", re.ASCII)


@dataclass(frozen=True)
class Line:
    """A counted name in a unit.

    Attributes
    ----------
    name : str
    count : int
        Over the whole unit or group of models.
    where : str
        `line 12`.
    model : bool or None
        Whether it is a model, or gear; None if the layout does not tell and the datasheet decides.
    likely : bool
        What the layout suggests where it does not tell.
    heads : bool
        Whether it stands above the lines that follow: if it is no model, it is the choice that they come from.
    """

    name: str
    count: int
    where: str
    model: bool | None = None
    likely: bool = False
    heads: bool = False


@dataclass(frozen=True)
class UnitLines:
    """A unit of a text list.

    Attributes
    ----------
    name, where : str
    points : float or None
        As stated, enhancement included.
    lines : tuple of Line
        Models, each followed by what it carries; gear before the first model belongs to the unit.
    count : int or None
        How many models the list states for the unit, if it does.
    notes : tuple of str
        Enhancements and the like.
    attached : str
        The attached unit that it belongs to, empty for none.
    role : str
        `leader`, `support`, `bodyguard` or empty.
    """

    name: str
    where: str
    points: float | None
    lines: tuple[Line, ...]
    count: int | None = None
    notes: tuple[str, ...] = ()
    attached: str = ""
    role: str = ""


@dataclass(frozen=True)
class ListSkeleton:
    """A text list before it has met any datasheet.

    Attributes
    ----------
    name : str
    factions : tuple of str
        Lines of the heading that may name the faction, the most special last.
    points : float or None
        The total that the list states.
    units : tuple of UnitLines
    form, edition : str
    unread : tuple of Line
        Lines that no rule of the form covers.
    detachments : tuple of str
    """

    name: str
    factions: tuple[str, ...]
    points: float | None
    units: tuple[UnitLines, ...]
    form: str
    edition: str = ""
    unread: tuple[Line, ...] = ()
    detachments: tuple[str, ...] = ()


def points_in(text: str) -> float | None:
    """Points as lists write them: `1995`, `2,000`, `1.985`; two digits or fewer behind a mark are decimals.

    Examples
    --------
    >>> points_in("1.985"), points_in("12.5"), points_in("many")
    (1985.0, 12.5, None)
    """
    found = _POINTS.fullmatch(text.strip())
    return float(f"{re.sub(r'[^0-9]', '', found[1])}.{found[2] or 0}") if found else None


def counted(text: str) -> tuple[int, str] | None:
    """Count and name of `3x Name`, `3xName` or `3 Name`; None if there is no count, or a count of 0.

    Examples
    --------
    >>> counted("3x Name"), counted("3 X-ray"), counted("Name")
    ((3, 'Name'), (3, 'X-ray'), None)
    """
    found = _COUNTED.fullmatch(text.strip())
    return (int(found[1]), found[2].strip()) if found and int(found[1]) else None


def like_a_count(text: str) -> bool:
    """Whether a line begins as a count does: without being one, it is a count that was not understood."""
    return _COUNT_LIKE.match(text) is not None


def bulleted(line: str) -> tuple[int, str, str]:
    """Indent, bullet (or nothing) and the rest of a line.

    Examples
    --------
    >>> bulleted("  • 1x Blade")
    (2, '•', '1x Blade')
    """
    bare = line.strip()
    indent = len(line) - len(line.lstrip())
    if bare[:1] in BULLETS and bare[:1]:
        return indent, bare[0], bare[1:].strip()
    return indent, "", bare


def items(text: str) -> Iterator[str]:
    """The parts of a gear list: commas separate, brackets hold together; `A and B (A, B)` is A and B.

    Examples
    --------
    >>> list(items("2x Gun, Axe and pistol (Axe, Pistol), Cap"))
    ['2x Gun', 'Axe', 'Pistol', 'Cap']
    """
    depth, start = 0, 0
    for at, letter in enumerate(text + ","):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            part, start = text[start:at].strip(), at + 1
            _, bracket, inside = part.partition("(")
            if bracket and "," in inside:
                yield from (piece.strip() for piece in inside.rstrip(") ").split(",") if piece.strip())
            elif part:
                yield part


def gear(text: str, bearers: int, where: str, *, each: bool) -> Iterator[Line]:
    """The gear in `2 with A, B` or `A, 2x B`.

    Parameters
    ----------
    text : str
    bearers : int
        How many models the line is about.
    where : str
    each : bool
        Whether a count in front of a name is for each of them; otherwise it is for all together.

    Examples
    --------
    >>> [(one.name, one.count) for one in gear("Axe, 3x Gun", 3, "line 1", each=False)]
    [('Axe', 3), ('Gun', 3)]
    """
    if group := _WITH.fullmatch(text.strip()):
        bearers, text, each = int(group[1]), group[2], True
    for item in items(text):
        count, name = counted(item) or (0, item)
        total = bearers if not count else count * bearers if each else count
        yield Line(name, total, where, model=False)
