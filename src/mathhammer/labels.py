"""Names that stand once, for tables and charts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count

__all__ = ["numbered"]


def numbered(names: Sequence[str]) -> list[str]:
    """Names that stand once: the second of a name is ``NAME (2)``.

    Examples
    --------
    >>> numbered(["Wall", "Bow", "Wall"])
    ['Wall', 'Bow', 'Wall (2)']
    """
    named: dict[str, None] = {}
    for name in names:
        others = (f"{name} ({number})" for number in count(2))
        named[next(free for free in chain([name], others) if free not in named)] = None
    return list(named)
