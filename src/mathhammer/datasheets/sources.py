"""Where datasheets come from: the installed dataset, a file of one's own, a folder of CSV or JSON files."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from mathhammer.datasheets.datasheet import Datasheet, Datasheets, Entry, ModelRow, Price
from mathhammer.datasheets.fortykdc import fortykdc
from mathhammer.datasheets.gamecards import gamecards
from mathhammer.datasheets.muster import Arm
from mathhammer.datasheets.wahapedia import wahapedia
from mathhammer.errors import InvalidScenario
from mathhammer.unit_files import read_units
from mathhammer.units import Unit

Source = Datasheets | str | PathLike[str] | None


def datasheets(source: Source = None) -> Datasheets:
    """The datasheets of a source.

    Parameters
    ----------
    source : Datasheets, str or path, optional
        A TOML file (or text) of `[[units]]`, a folder of Wahapedia CSV or of Game-Datacards JSON files;
        default, or by this name, the installed `wh40kdc`.

    Returns
    -------
    Datasheets

    Raises
    ------
    RosterError, InvalidScenario
        If it cannot be read, or is not installed.

    Examples
    --------
    >>> own = datasheets('''
    ... [[units]]
    ... name = "Wall guards"
    ... models = ["3x Guard: T4 Sv2+ W3"]
    ... ''')
    >>> own.label, own.find("wall guard").rows[0].most
    ('text', 3)
    """
    if source is None or source == "wh40kdc":
        return fortykdc()
    if isinstance(source, Datasheets):
        return source
    if not isinstance(source, str | PathLike) or source == "":
        raise InvalidScenario.at("source", source, "a file of [[units]], or a folder of CSV or JSON files")
    one_line = not isinstance(source, str) or "\n" not in source
    if one_line and Path(source).is_dir():
        folder = Path(source)
        return (wahapedia if (folder / "Datasheets.csv").exists() else gamecards)(folder)
    label = Path(source).name if one_line else "text"
    return Datasheets(label, tuple(_entry(unit) for unit in read_units(source)))


def _entry(unit: Unit) -> Entry:
    return Entry(unit.name, (), lambda: _datasheet(unit))


def _datasheet(unit: Unit) -> Datasheet:
    arms: dict[str, Arm] = {}
    for weapon in unit.weapons:
        name, mode = weapon.mode or (weapon.name, "")
        before = arms[name].modes if name in arms else ()
        arms[name] = Arm(name, (*before, (mode, weapon.replaced(count=1, name=name))))
    prices = (Price(unit.model_count, unit.model_count, unit.points),) if unit.points is not None else ()
    return Datasheet(
        name=unit.name,
        faction="",
        rows=tuple(ModelRow(model.replaced(count=1), model.count, model.count) for model in unit.models),
        arms=tuple(arms.values()),
        keywords=unit.keywords,
        abilities=tuple(map(str, unit.abilities)),
        not_modelled=unit.not_modelled,
        sizes=(
            tuple((model.count, model.count) for model in unit.models),
            tuple((0, model.count) for model in unit.models),
        ),
        prices=prices,
        whole=unit,
    )
