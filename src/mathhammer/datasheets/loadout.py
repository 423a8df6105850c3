"""What a unit carries, as typed: `Shoota:9,Slugga:1`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mathhammer.errors import InvalidScenario

_REMEDY = 'write names and counts as in "Shoota:9,Slugga:1"; a name alone counts once'
_MOST = 1000


def parse_loadout(text: str) -> tuple[tuple[str, int], ...]:
    """Names and counts of a load-out string.

    Parameters
    ----------
    text : str
        `NAME:COUNT` separated by commas; a name alone counts once; the empty text means none.

    Returns
    -------
    tuple of (str, int)

    Raises
    ------
    InvalidScenario
        Naming the part that cannot be read.

    Examples
    --------
    >>> parse_loadout("Shoota:9, Slugga")
    (('Shoota', 9), ('Slugga', 1))
    """
    if not text.strip():
        return ()
    return tuple(_part(part) for part in text.split(","))


def loadout(weapons: str | Mapping[str, Any] | None) -> tuple[tuple[str, int], ...] | None:
    """The load-out from a string or a mapping of names to counts; None stays None.

    Raises
    ------
    InvalidScenario
        For what is neither, and for a count that is no whole number of at least 1.
    """
    if weapons is None:
        return None
    if isinstance(weapons, str):
        return parse_loadout(weapons) or None
    if not isinstance(weapons, Mapping):
        raise InvalidScenario.at("weapons", weapons, _REMEDY)
    for name, count in weapons.items():
        if not isinstance(count, int) or isinstance(count, bool) or not 1 <= count <= _MOST:
            remedy = f"a count is a whole number from 1 to {_MOST}"
            raise InvalidScenario.at(f'weapons["{name}"]', count, remedy)
    return tuple((str(name), int(count)) for name, count in weapons.items()) or None


def _part(part: str) -> tuple[str, int]:
    name, colon, count = (piece.strip() for piece in part.rpartition(":"))
    if not colon:
        name, count = count, "1"
    if not name or not re.fullmatch(r"\d{1,4}", count) or not 1 <= int(count) <= _MOST:
        raise InvalidScenario.at("weapons", part.strip(), _REMEDY)
    return name, int(count)
