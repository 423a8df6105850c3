"""A field of a scenario by its path, as error messages write it: ``target.models[0].save``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mathhammer.errors import InvalidScenario, nearest
from mathhammer.scenario import Scenario, checked_scenario
from mathhammer.units import Model, Unit, Weapon
from mathhammer.values import Record

__all__ = ["check_apart", "known_paths", "read_values", "replaced"]

_KEY = re.compile(r"(\w+)(?:\.(?=.)|(?=\[)|\Z)")
_INDEX = re.compile(r"\[(\d{1,6}|\*)\](?:\.(?=.)|\Z)")
_VALUE = re.compile(r'\s*(\[[^\]]*\]\s*|"(?:[^"\\]|\\.)*"\s*|[^,]*)(,|\Z)')


def replaced(scenario: Scenario, path: str, value: Any) -> Scenario:
    """The scenario with one field changed, and checked again.

    Parameters
    ----------
    scenario : Scenario
    path : str
        As in error messages, with the long names or the datasheet's: ``target.models[0].save`` or
        ``target.models[0].Sv``, ``attacker.weapons[0].modifiers.hit_roll``, ``conditions.cover``; ``[*]``
        stands for every row of a list.
    value : object
        As in a scenario file: ``3``, ``"3+"``, ``"D6+1"``, ``True``; a whole `Unit` for ``target``.

    Returns
    -------
    Scenario

    Raises
    ------
    InvalidScenario
        For a path that is not there (says the nearest), and for a value that cannot stand there.

    Examples
    --------
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> print(replaced(fight, "target.models[0].Sv", "3+").target.models[0])
    3x Shield: T4 Sv3+ W3
    """
    if not isinstance(path, str) or not path:
        raise InvalidScenario.at("path", path, 'write a path such as "target.models[0].save"')
    plain = value.item() if isinstance(value, np.generic) else value
    changed = _put(checked_scenario(scenario), path, plain, path, scenario)
    assert isinstance(changed, Scenario)
    return changed


def _put(holder: Any, rest: str, value: Any, path: str, scenario: Scenario) -> Any:
    """``holder`` with ``value`` at ``rest``, the end of ``path`` that is still to be walked."""
    if not rest:
        return value
    if isinstance(holder, Mapping):
        return {**holder, rest: value}
    if rest.startswith("["):
        return _put_row(holder, rest, value, path, scenario)
    step = _KEY.match(rest)
    if step is None or not isinstance(holder, Record):
        raise _unknown(path, scenario)
    name = type(holder).SPELLINGS.get(step[1], step[1])
    if name not in type(holder).model_fields:
        raise _unknown(path, scenario)
    if isinstance(holder, Weapon) and step[1] in ("BS", "WS") and holder.melee != (step[1] == "WS"):
        other = "WS" if holder.melee else "BS"
        raise InvalidScenario.at("path", path, f"{holder.name} has {other}: write {other} or skill")
    below = _put(getattr(holder, name), rest[step.end() :], value, path, scenario)
    try:
        return holder.replaced(**{name: below})
    except InvalidScenario as fault:
        raise fault.under(path[: len(path) - len(rest)].rstrip(".")) from None


def _put_row(rows: Any, rest: str, value: Any, path: str, scenario: Scenario) -> Any:
    """The same where ``rest`` begins with an index; a single attacker is also ``attacker[0]``."""
    step = _INDEX.match(rest)
    alone = isinstance(rows, Unit)
    rows = (rows,) if alone else rows
    if step is None or not isinstance(rows, tuple):
        raise _unknown(path, scenario)
    if not rows or (step[1] != "*" and int(step[1]) >= len(rows)):
        before = path[: len(path) - len(rest)]
        there = f"0 to {len(rows) - 1}" if len(rows) > 1 else "only 0" if rows else "none"
        raise InvalidScenario.at("path", path, f"{before} has {len(rows)} rows: the index is {there}")
    chosen = range(len(rows)) if step[1] == "*" else [int(step[1])]
    after = rest[step.end() :]
    changed = tuple(
        _put(row, after, value, path, scenario) if index in chosen else row for index, row in enumerate(rows)
    )
    return changed[0] if alone else changed


def _unknown(path: str, scenario: Scenario) -> InvalidScenario:
    if isinstance(scenario.attacker, tuple) and path.startswith("attacker."):
        return InvalidScenario.at(
            "path", path, f"there are {len(scenario.attackers)} attackers: write attacker[0], attacker[1] ..."
        )
    known = list(known_paths(scenario))
    last = path.rpartition(".")[2]
    last = {**Weapon.SPELLINGS, **Model.SPELLINGS}.get(last, last)
    spelled = [name for name in known if name.rpartition(".")[2] == last]
    top = path.partition(".")[0].partition("[")[0]
    spelled.sort(key=lambda name: (not name.startswith(top), len(name)))
    hint = (
        "; did you mean " + " or ".join(f'"{name}"' for name in spelled[:3]) + "?"
        if spelled
        else nearest(path, known) or '; one is "target.models[0].save"'
    )
    return InvalidScenario.at("path", path, f"is no path of this scenario{hint}")


def known_paths(scenario: Scenario) -> Iterator[str]:
    """Every path of the scenario, in its order, by long names.

    Parameters
    ----------
    scenario : Scenario

    Yields
    ------
    str

    Raises
    ------
    InvalidScenario
        For what is no scenario.

    Examples
    --------
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> "conditions.cover" in known_paths(fight)
    True
    """
    yield from _paths(checked_scenario(scenario), "")


def check_apart(scenario: Scenario, paths: Sequence[str]) -> None:
    """Refuse to change a field twice, whatever the spelling, or a field and then all that it is a part of.

    Raises
    ------
    InvalidScenario
        Names both paths.

    Examples
    --------
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> check_apart(fight, ["target", "target.models[0].save"])
    >>> check_apart(fight, ["target.models[0].save", "target.models[*].Sv"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    mathhammer.errors.InvalidScenario: path = "target.models[*].Sv": changes target.models[0].save again: ...
    """
    fields = [_fields(scenario, path) for path in paths]
    for later, path in enumerate(paths):
        for earlier in range(later):
            if fields[earlier] <= fields[later]:
                same = "stands twice" if path == paths[earlier] else f"changes {paths[earlier]} again"
                raise InvalidScenario.at("path", path, f"{same}: give all values of a field at once")


def _fields(scenario: Scenario, path: str) -> set[str]:
    """The fields that a path means, by their long names; itself where it means none that is there."""
    known = {**Weapon.SPELLINGS, **Model.SPELLINGS}
    plain = re.sub(r"[A-Za-z]+", lambda word: known.get(word[0], word[0]), str(path))
    plain = re.sub(r"\[0+(?=\d)", "[", plain)
    if not isinstance(scenario.attacker, tuple):
        plain = re.sub(r"\Aattacker\[[0*]+\]", "attacker", plain)
    form = re.compile(re.escape(plain).replace(r"\[\*\]", r"\[\d+\]") + r"(?![^.\[])")
    return {field for field in known_paths(scenario) if form.match(field)} or {plain}


def _paths(holder: Any, place: str) -> Iterator[str]:
    if isinstance(holder, Record):
        for name in type(holder).model_fields:
            yield from _paths(getattr(holder, name), f"{place}.{name}" if place else name)
    elif isinstance(holder, tuple) and any(isinstance(row, Record) for row in holder):
        for index, row in enumerate(holder):
            yield from _paths(row, f"{place}[{index}]")
    else:
        yield place


def read_values(text: str, path: str = "") -> list[Any]:
    """The values of ``PATH=V,V,...`` on the command line.

    Parameters
    ----------
    text : str
        Separated by commas: ``2+,3+``, ``true,false``, ``D6``, ``none``; a list or a text with commas as in
        JSON: ``["Boy", "Nob"],["Nob", "Boy"]``.
    path : str
        Where they go: "none" is a word for ``choices.precision``, and nothing everywhere else.

    Returns
    -------
    list

    Raises
    ------
    InvalidScenario
        For an empty value.

    Examples
    --------
    >>> read_values("2+, 3, true, none")
    ['2+', 3, True, None]
    """
    values: list[Any] = []
    position, more = 0, True
    while more:
        found = _VALUE.match(text, position)
        word = found[1].strip() if found else ""
        if found is None or not word:
            raise InvalidScenario.at(path, text, "write values separated by commas, such as 2+,3+,4+")
        values.append(_value(word, path))
        position, more = found.end(), found[2] == ","
    return values


def _value(word: str, path: str) -> Any:
    if word[0] in '["':
        try:
            return json.loads(word)
        except ValueError:
            raise InvalidScenario.at(path, word, "write a list or text as in JSON") from None
    if word == "none" and not path.endswith("precision"):
        return None
    if word in ("true", "false"):
        return word == "true"
    return int(word) if re.fullmatch(r"-?\d{1,6}", word) else word
