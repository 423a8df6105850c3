"""The standard targets, by the names players use: ``mathhammer.targets["marines"]``.

The module itself is the mapping, name -> `Unit`: it reads ``targets.toml`` when first asked, and lists,
counts and finds targets as a dict does. Names compare without case, hyphens and spaces.

Examples
--------
>>> import mathhammer.targets
>>> print(mathhammer.targets["marines"])
marines (160 points)
  10x Line brother: T4 Sv3+ W2
>>> "terminators" in mathhammer.targets
True
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from os import PathLike
from os.path import isfile
from pathlib import Path
from types import ModuleType

from mathhammer.abilities import fold
from mathhammer.errors import InvalidScenario, nearest
from mathhammer.scenario import Scenario
from mathhammer.unit_files import read_toml, read_units, units_listed
from mathhammer.units import Unit

__all__ = ["Targets", "load", "resolve"]

_FILE = Path(__file__).with_name("targets.toml")
_ALIASES = {"GEQ": "guard", "MEQ": "marines", "TEQ": "terminators"}
"""What tables of players call "guard equivalent" and so on."""


class _NoSuchTarget(InvalidScenario, KeyError):
    """What a mapping raises, with the message of all other errors (a KeyError shows it in quotes)."""

    __str__ = ValueError.__str__


class Targets(Mapping[str, Unit]):
    """Targets by name; a wrong name is an error that says the nearest.

    Parameters
    ----------
    units : iterable of Unit
        With different names.

    Raises
    ------
    InvalidScenario
        When a name stands twice, or for what is no unit.

    Examples
    --------
    >>> wall = Unit(name="Shield wall", models=["3x Shield: T4 Sv2+ W3"])
    >>> Targets([wall])["shield-wall"] == wall
    True
    """

    def __init__(self, units: Iterable[Unit]) -> None:
        self._units: dict[str, Unit] = {}
        for index, unit in enumerate(units_listed(units)):
            if fold(unit.name) in self._units:
                raise InvalidScenario.at(f"units[{index}].name", unit.name, "stands twice: add a word")
            self._units[fold(unit.name)] = unit

    def __getitem__(self, name: str) -> Unit:
        unit = self._find(name)
        if unit is None:
            known = nearest(str(name), self) or f"; known are {', '.join(self)}"
            raise _NoSuchTarget.at("", name, f"is no standard target{known}")
        return unit

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return (unit.name for unit in self._units.values())

    def __len__(self) -> int:
        return len(self._units)

    def _find(self, name: object) -> Unit | None:
        if not isinstance(name, str):
            return None
        return self._units.get(fold(_ALIASES.get(fold(name), name)))


@cache
def _standard() -> Targets:
    return Targets(read_units(_FILE))


def load(source: str | PathLike[str]) -> Targets:
    """The targets of a file of your own: ``[[units]]`` tables, or a scenario file, whose target is taken.

    Parameters
    ----------
    source : path, or str with a line break
        A text with a line break is taken as the file's content.

    Returns
    -------
    Targets
        Only those of the file; ``{**mathhammer.targets, **load(file)}`` is both.

    Raises
    ------
    InvalidScenario
        When the file cannot be read, or a unit has no models.

    Examples
    --------
    >>> list(load('''
    ... [[units]]
    ... name = "Shield wall"
    ... models = ["3x Shield: T4 Sv2+ W3"]
    ... '''))
    ['Shield wall']
    """
    if {"attacker", "target"} & read_toml(source).keys():
        return Targets([Scenario.from_toml(source).target])
    units = read_units(source)
    for index, unit in enumerate(units):
        if not unit.models:
            raise InvalidScenario.at(f"units[{index}].models", [], f"{unit.name}: a target needs models")
    return Targets(units)


def resolve(text: str) -> tuple[Unit, ...]:
    """The units meant by a text: names of standard targets and TOML files, separated by commas.

    Parameters
    ----------
    text : str
        ``"marines,tank"``, ``"all"``, ``"my_targets.toml,knight"``.

    Returns
    -------
    tuple of Unit
        In the order given.

    Raises
    ------
    InvalidScenario
        For a name that is neither; says the nearest.

    Examples
    --------
    >>> [unit.name for unit in resolve("marines, tank")]
    ['marines', 'tank']
    """
    if not isinstance(text, str):
        raise InvalidScenario.at("", text, 'write names and files, separated by commas, or "all"')
    units: list[Unit] = []
    for name in (part.strip() for part in text.split(",")):
        if fold(name) == "ALL":
            units += _standard().values()
        elif name in _standard():
            units.append(_standard()[name])
        elif name and (name.lower().endswith(".toml") or isfile(name)):
            units += load(name).values()
        else:
            hint = nearest(name, _standard()) or f"; known are {', '.join(_standard())}"
            raise InvalidScenario.at("", name, f'is no standard target, no TOML file and not "all"{hint}')
    return tuple(units)


class _Module(ModuleType, Mapping[str, Unit]):
    """This module, which is also the mapping of the standard targets."""

    __eq__ = ModuleType.__eq__
    __hash__ = ModuleType.__hash__

    def __getitem__(self, name: str) -> Unit:
        return _standard()[name]

    def __contains__(self, name: object) -> bool:
        return name in _standard()

    def __iter__(self) -> Iterator[str]:
        return iter(_standard())

    def __len__(self) -> int:
        return len(_standard())

    def __bool__(self) -> bool:
        return True


# ``mathhammer.targets`` is this module as soon as anybody imports it, so the module has to be the mapping.
sys.modules[__name__].__class__ = _Module
