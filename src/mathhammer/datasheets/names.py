"""Names as people and programs write them: folded for comparing, never for showing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from mathhammer.datasheets.extra import need

Thing = TypeVar("Thing")

LIKENESS = 87.0
"""A typing mistake is forgiven from this likeness (0..100) on ..."""
LEAD = 4.0
"""... if the second best candidate is less alike by at least this much."""

_APOSTROPHES = dict.fromkeys(map(ord, "'’‘ʼ`´"))
# Cyrillic letters that look Latin stand in two names of a public data source.
_LOOKALIKES = str.maketrans("СсАаЕеОоРрХх", "CcAaEeOoPpXx")
_ENDINGS = (("ie", "y"), ("ve", "f"), ("men", "man"))


@lru_cache(maxsize=2**16)
def fold(name: str) -> str:
    """The form of a name that is compared: no case, accents, apostrophes, dashes, marks.

    Examples
    --------
    >>> fold("➤ Grüt’s claw – Strike [Legends]")
    'gruts claw strike'
    """
    plain = unicodedata.normalize("NFKD", name.translate(_LOOKALIKES)).translate(_APOSTROPHES)
    bare = "".join(c for c in plain.casefold() if not unicodedata.combining(c))
    words = "".join(c if c.isalnum() else " " for c in bare.replace("[legends]", " ")).split()
    return " ".join(words)


@lru_cache(maxsize=2**16)
def stem(name: str) -> str:
    """Like `fold`, with every word in the singular.

    Examples
    --------
    >>> stem("Hunting Wolves") == stem("hunting wolf")
    True
    """
    return " ".join(map(_singular, fold(name).split()))


def nearest(name: str, candidates: Iterable[str], limit: int = 5) -> tuple[str, ...]:
    """The candidates most like a name, best first.

    Parameters
    ----------
    name : str
        As written.
    candidates : iterable of str
        Known names.
    limit : int, default 5
        How many at most.

    Returns
    -------
    tuple of str
    """
    return tuple(found for found, _ in _alike(name, candidates, limit))


def find(name: str, known: Mapping[str, Thing], *, guess: bool = True) -> Thing | None:
    """The thing that a name means, or None when no candidate or several fit.

    Tried in order: the same letters; singular and plural; the name before a bracket or before
    `w/` and `with`; and, if `guess`, the one candidate that is clearly most alike.

    Parameters
    ----------
    name : str
        As written.
    known : mapping of str to thing
        By display name.
    guess : bool, default True
        Whether typing mistakes are forgiven.

    Raises
    ------
    RosterError
        If a guess is needed, and the package for it is not installed.

    Examples
    --------
    >>> find("wolves (with axes)", {"Wolf": 1, "Bear": 2}, guess=False)
    1
    """
    forms = [
        (form, {form(candidate): candidate for candidate in reversed(list(known))}) for form in (fold, stem)
    ]
    for written in _spellings(name):
        for form, by_form in forms:
            if (wanted := form(written)) in by_form:
                return known[by_form[wanted]]
    if not guess or not known:
        return None
    alike = _alike(name, known, 2)
    best, likeness = alike[0]
    second = alike[1][1] if len(alike) > 1 else 0.0
    return known[best] if likeness >= LIKENESS and likeness - second >= LEAD else None


def containing(name: str, known: Mapping[str, Thing]) -> Thing | None:
    """The one thing whose name has all words of `name`, or all of whose words are in it.

    Examples
    --------
    >>> containing("Nob", {"Boy": 1, "Boss Nob": 2})
    2
    """
    words = set(stem(name).split())
    fits = []
    for candidate, thing in known.items():
        others = set(stem(candidate).split())
        if words <= others or others <= words:
            fits.append(thing)
    return fits[0] if len(fits) == 1 else None


def _spellings(name: str) -> Iterator[str]:
    yield name
    for cut in ("(", " w/", " with "):
        head = name.partition(cut)[0].strip()
        if head and head != name:
            yield head


def _singular(word: str) -> str:
    single = word[:-1] if word[-1] in "sz" and len(word) > 2 else word
    for ending, instead in _ENDINGS:
        if single.endswith(ending) and len(single) - len(ending) >= 2:
            return single[: -len(ending)] + instead
    return single


def _alike(name: str, candidates: Iterable[str], limit: int) -> list[tuple[str, float]]:
    process: Any = need("rapidfuzz.process", "the search for a name")
    fuzz: Any = need("rapidfuzz.fuzz", "the search for a name")
    found = process.extract(name, list(candidates), scorer=fuzz.ratio, processor=fold, limit=limit)
    return [(candidate, float(likeness)) for candidate, likeness, _ in found]
