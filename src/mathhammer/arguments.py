"""Arguments of functions: an object or a mapping with its keys; one thing or a list of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from mathhammer.errors import InvalidScenario, Problem
from mathhammer.values import Record

__all__ = ["items_of", "of_argument", "record_of"]

Kind = TypeVar("Kind", bound=Record)


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
