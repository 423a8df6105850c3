"""Units in TOML files: read, and written so that they are read back."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import Any

from mathhammer.errors import InvalidScenario, Problem
from mathhammer.units import Unit

__all__ = ["LARGEST_FILE", "a_unit", "read_toml", "read_units", "units_listed", "write_units"]

LARGEST_FILE = 8_000_000
"""Bytes."""
MOST_DOTS = 200
"""In a line: keys of many parts take a reader time and memory that grow with their square."""


def read_toml(source: str | PathLike[str]) -> dict[str, Any]:
    """The tables of a TOML file; a text with a line break is taken as the file's content.

    Raises
    ------
    InvalidScenario
        When the file is not there, too large, or is not TOML.
    """
    if not isinstance(source, str | PathLike) or source == "":
        raise InvalidScenario.at("source", source, "give the path of a TOML file, or its text")
    shown = str(source)
    try:
        if isinstance(source, str) and "\n" in source:
            shown, raw = "text", source.encode()
        else:
            path = Path(source)
            if path.stat().st_size > LARGEST_FILE:
                raise InvalidScenario.at("", shown, f"a file has at most {LARGEST_FILE // 1_000_000} MB")
            raw = path.read_bytes()
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        for number, line in enumerate(text.split("\n"), start=1):
            if line.count(".") > MOST_DOTS and not line.lstrip().startswith("#"):
                raise InvalidScenario.at("", shown, f"line {number} has more than {MOST_DOTS} dots")
        return tomllib.loads(text)
    except (OSError, ValueError) as fault:
        if isinstance(fault, InvalidScenario):
            raise
        if isinstance(fault, FileNotFoundError):
            remedy = "there is no such file"
        elif isinstance(fault, OSError):
            remedy = f"cannot be read ({fault.strerror or fault})"
        elif isinstance(fault, UnicodeDecodeError):
            remedy = "is not UTF-8 text"
        else:
            remedy = f"is not TOML: {fault}"
        raise InvalidScenario.at("", shown, remedy) from None
    except RecursionError:
        raise InvalidScenario.at("", shown, "is nested too deeply") from None


def read_units(source: str | PathLike[str]) -> tuple[Unit, ...]:
    """The units of a TOML file of ``[[units]]`` tables (armies, targets, datasheets of your own).

    Parameters
    ----------
    source : path or str
        The file; a text with a line break is taken as its content.

    Returns
    -------
    tuple of Unit

    Raises
    ------
    InvalidScenario
        With all that is wrong in any of the units.

    Examples
    --------
    >>> text = '''
    ... [[units]]
    ... name = "Wall"
    ... models = ["3x Shield: T4 Sv2+ W3"]
    ... '''
    >>> read_units(text)[0].model_count
    3
    """
    data = read_toml(source)
    for key in data:
        if key != "units":
            raise InvalidScenario.at(key, data[key], "a file of units has only [[units]] tables")
    rows = data.get("units")
    if not isinstance(rows, list) or not rows:
        raise InvalidScenario.at("units", rows, "a file of units has at least one [[units]] table")
    units: list[Unit] = []
    problems: list[Problem] = []
    for index, row in enumerate(rows):
        try:
            units.append(Unit.from_dict(row))
        except InvalidScenario as fault:
            problems += fault.under(f"units[{index}]").problems
    if problems:
        raise InvalidScenario(problems)
    return tuple(units)


def a_unit(value: Any, path: str) -> Unit:
    """A value that has to be a unit.

    Raises
    ------
    InvalidScenario
        Naming ``path``.
    """
    if not isinstance(value, Unit):
        raise InvalidScenario.at(path, value, "is no Unit: make one with Unit(...), or read_units(file)")
    return value


def units_listed(values: Iterable[Unit]) -> list[Unit]:
    """Units, one after another.

    Raises
    ------
    InvalidScenario
        For a single unit, and for what is none.
    """
    if isinstance(values, Unit) or not isinstance(values, Iterable):
        raise InvalidScenario.at("units", values, "write a list of units, such as [unit]")
    return [a_unit(value, f"units[{index}]") for index, value in enumerate(values)]


def write_units(units: Iterable[Unit]) -> str:
    """The TOML text that `read_units` reads back as equal units.

    Raises
    ------
    InvalidScenario
        For what is no list of units.

    Examples
    --------
    >>> wall = Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"])
    >>> read_units(write_units([wall])) == (wall,)
    True
    """
    import tomli_w

    return tomli_w.dumps({"units": [unit.to_dict() for unit in units_listed(units)]})
