"""What a text list says, units, models, gear and counts without any stat line; the grammar of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

BULLETS = "•◦*▪‣·-–➤"
POINTS = r"(?:points?|pts|punkte?|puntos?|punt[oi])"
"""How lists write the word, in a regular expression."""

_COUNTED = re.compile(r"(\d{1,3})(?:\s*[x×]\s+|[x×]|\s+)(\S.*)", re.IGNORECASE)
_COUNTED_BEHIND = re.compile(r"\s[x×]\s?(\d{1,3})$", re.IGNORECASE)
_COUNT_LIKE = re.compile(r"[-+−–]?\d|.*\s[x×]\s?\d+$", re.IGNORECASE)
_WITH = re.compile(r"(\d{1,3})\s+with\s+(\S.*)", re.IGNORECASE)
_COST = re.compile(rf"(\S.{{0,120}}?) ?[\[(]\+?\d{{1,4}} ?{POINTS}[\])]", re.IGNORECASE)
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
    """Count and name of `3x Name`, `3xName`, `3 Name` or `Name x3`; None if there is no count, or a count of 0.

    Examples
    --------
    >>> counted("3x Name"), counted("3 X-ray"), counted("Name x3"), counted("Name")
    ((3, 'Name'), (3, 'X-ray'), (3, 'Name'), None)
    """
    bare = text.strip()
    if found := _COUNTED.fullmatch(bare):
        count, name = int(found[1]), found[2].strip()
    elif found := _COUNTED_BEHIND.search(bare):
        count, name = int(found[1]), bare[: found.start()].strip()
    else:
        return None
    return (count, name) if count else None


def like_a_count(text: str) -> bool:
    """Whether a line begins or ends as a count does: without being one, it is a count that was not understood."""
    return _COUNT_LIKE.match(text) is not None


def as_many(count: int | None, counts: Iterable[int]) -> int | None:
    """How many there are of gear without a count, if the counts of the unit and of its lines leave one answer.

    Examples
    --------
    >>> as_many(None, []), as_many(5, [5]), as_many(None, [5])
    (1, 5, None)
    """
    said = {count or 1, *counts}
    return said.pop() if len(said) == 1 else None


def without_cost(text: str) -> str:
    """A name without the points behind it.

    Examples
    --------
    >>> without_cost("Red Cloak (+15 pts)")
    'Red Cloak'
    """
    found = _COST.fullmatch(text)
    return found[1] if found else text


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
