"""Arguments of functions: an object or a mapping with its keys; one thing or a list of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from mathhammer.errors import InvalidScenario, Problem
from mathhammer.values import Record

__all__ = [
    "is_whole",
    "items_of",
    "named_items",
    "of_argument",
    "probabilities_of",
    "record_of",
    "whole_of",
]

Kind = TypeVar("Kind", bound=Record)
Item = TypeVar("Item")


def record_of(kind: type[Kind], given: Any, path: str) -> Kind:
    """An argument that is such an object, a mapping with its keys, or None for one without keys.

    Raises
    ------
    InvalidScenario
        With the name of the argument before each path.

    Examples
    --------
    >>> from mathhammer.scenario import Conditions
    >>> record_of(Conditions, {"cover": True}, "back").cover
    True
    """
    if isinstance(given, kind):
        return given
    try:
        return kind() if given is None else kind.from_dict(given)
    except InvalidScenario as fault:
        raise fault.under(path) from None


def of_argument(problem: Problem, arguments: Mapping[str, str]) -> Problem | None:
    """A problem of a scenario by the argument that its field comes from; None where it comes from none of these.

    Examples
    --------
    >>> of_argument(Problem("target.models", [], "needs models"), {"target": "targets[1]"}).path
    'targets[1].models'
    """
    field = re.match(r"\w*", problem.path)[0]  # type: ignore[index]
    if field not in arguments:
        return None
    return Problem(arguments[field] + problem.path[len(field) :], problem.value, problem.remedy)


def items_of(given: Any, alone: type | tuple[type, ...], path: str, remedy: str) -> list[Any]:
    """The items of an argument that is a list of them, or one of them ``alone``.

    Raises
    ------
    InvalidScenario
        For something that is neither.

    Examples
    --------
    >>> items_of("marines", str, "targets", "names"), items_of(("marines", "tank"), str, "targets", "names")
    (['marines'], ['marines', 'tank'])
    """
    if isinstance(given, alone):
        return [given]
    if isinstance(given, Record) or not isinstance(given, Iterable):
        raise InvalidScenario.at(path, given, remedy)
    return list(given)


def named_items(given: Any, kind: type[Item], path: str, remedy: str) -> list[tuple[Any, Item]]:
    """The items of an argument that is one thing of a kind, several, or several by their names (None without).

    Raises
    ------
    InvalidScenario
        For something else, alone or among them, and for none at all.

    Examples
    --------
    >>> named_items(2, int, "n", "whole numbers"), named_items({"a": 1, "b": 2}, int, "n", "whole numbers")
    ([(None, 2)], [('a', 1), ('b', 2)])
    """
    if isinstance(given, Mapping):
        pairs = list(given.items())
    else:
        pairs = [(None, item) for item in items_of(given, (kind, str), path, remedy)]
    for index, (label, item) in enumerate(pairs):
        if not isinstance(item, kind):
            place = "" if item is given else f"[{index}]" if label is None else f"[{label!r}]"
            raise InvalidScenario.at(f"{path}{place}", item, remedy)
    if not pairs:
        raise InvalidScenario.at(path, given, f"{remedy}, at least one")
    return pairs


def is_whole(value: object) -> bool:
    """Whether it is a whole number, Python's or numpy's."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def whole_of(given: Any, least: int, path: str) -> int:
    """An argument that is a whole number.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> whole_of(np.int64(3), 1, "most")
    3
    """
    if not is_whole(given) or given < least:
        raise InvalidScenario.at(path, given, f"a whole number, at least {least}")
    return int(given)


def probabilities_of(given: Any, path: str) -> list[float]:
    """An argument that is a list of probabilities.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> probabilities_of((0.1, 0.5), "quantiles")
    [0.1, 0.5]
    """
    wanted = items_of(given, str, path, "write a list of probabilities, such as [0.1, 0.5, 0.9]")
    for index, p in enumerate(wanted):
        if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not 0 <= p <= 1:
            raise InvalidScenario.at(f"{path}[{index}]", p, "a probability from 0 to 1")
    return wanted
