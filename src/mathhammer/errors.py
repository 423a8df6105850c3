"""What can be wrong with an input, and how it is said.

Every message names three things: where (a path such as ``target.models[1].save``), what stood there, and the
way out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

__all__ = [
    "InvalidScenario",
    "MathhammerWarning",
    "NoAnswer",
    "Problem",
    "RosterError",
    "UnsupportedScenario",
    "nearest",
]


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: the path to it, the value found there, and what would be right.

    Examples
    --------
    >>> print(Problem("target.models[1].save", "8+", 'a save is 2+ to 7+, or "-" for none'))
    target.models[1].save = "8+": a save is 2+ to 7+, or "-" for none
    """

    path: str
    value: Any
    remedy: str

    def __str__(self) -> str:
        where = self.path
        if self.value is not MISSING:
            where = f"{where} = {_shown(self.value)}" if where else _shown(self.value)
        return f"{where}: {self.remedy}" if where else self.remedy

    def under(self, prefix: str) -> Problem:
        """The same problem, seen from one level further out: ``save`` under ``models[1]``."""
        joint = "" if not prefix or not self.path or self.path.startswith("[") else "."
        return Problem(f"{prefix}{joint}{self.path}", self.value, self.remedy)


class _Missing(Enum):
    NOTHING = 0

    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing.NOTHING
"""Stands for "there is no value here" in a `Problem`, since None is a value that a user can give."""


def _shown(value: Any) -> str:
    if isinstance(value, str):
        kept = _shortened(value)
        return f'"{"".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in kept)}"'
    if isinstance(value, bool):
        return str(value).lower()
    try:
        return _shortened(" ".join(repr(value).split()))
    except RecursionError:
        return f"a {type(value).__name__} in which others are nested too deeply"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 3 :]}"


LONGEST = 120
"""Characters of a value in a message; of a longer one the middle is left out: of a path the end matters most."""


class InvalidScenario(ValueError):
    """Something that was typed cannot be right.

    Parameters
    ----------
    problems : sequence of Problem
        All that was found; ``str()`` is the first.

    Examples
    --------
    >>> str(InvalidScenario.at("trials", 0, "at least 1"))
    'trials = 0: at least 1'
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(str(self.problems[0]))

    @classmethod
    def at(cls, path: str, value: Any, remedy: str) -> InvalidScenario:
        """The error with a single problem."""
        return cls([Problem(path, value, remedy)])

    def __reduce__(self) -> tuple[type[InvalidScenario], tuple[tuple[Problem, ...]]]:
        return type(self), (self.problems,)

    def under(self, prefix: str) -> InvalidScenario:
        """The same error with all its paths seen from one level further out."""
        return type(self)([problem.under(prefix) for problem in self.problems])


class UnsupportedScenario(InvalidScenario):
    """A legal scenario that the engine asked for cannot compute; the remedy says which one can."""


class RosterError(InvalidScenario):
    """An army list or datasheet that cannot be read; names the line and the nearest candidates."""


class NoAnswer(RuntimeError):
    """Not one of the processes that were to work came back with an answer: each was killed, say."""


class MathhammerWarning(UserWarning):
    """Something that still works, but not as well as it could (a cache that cannot be written, say)."""


def nearest(name: str, known: Iterable[str], limit: int = 3) -> str:
    """The known names most like ``name``, written for the end of a message ("" where none is near).

    Examples
    --------
    >>> nearest("coverr", ["cover", "phase"])
    '; did you mean "cover"?'
    """
    from difflib import get_close_matches

    names = list(dict.fromkeys(known))
    folded = {candidate.casefold(): candidate for candidate in names}
    found = [folded[near] for near in get_close_matches(name.casefold(), folded, n=limit, cutoff=0.6)]
    return f"; did you mean {' or '.join(_shown(candidate) for candidate in found)}?" if found else ""
