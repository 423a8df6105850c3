"""Datasheets and where they come from: the same shape from every source."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mathhammer.datasheets.defences import Defence
from mathhammer.datasheets.muster import Arm
from mathhammer.datasheets.names import find, fold, nearest, stem
from mathhammer.errors import InvalidScenario
from mathhammer.units import MODE, Model, Unit

Size = tuple[tuple[int, int], ...]
"""A legal composition: the least and most models of every row."""


@dataclass(frozen=True)
class ModelRow:
    """A row of models on a datasheet.

    Attributes
    ----------
    profile : Model
        One model of the row.
    least, most : int
        How many of them the smallest and the largest unit have.
    gear : tuple of str
        What each carries by default.
    """

    profile: Model
    least: int = 0
    most: int = 1
    gear: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.profile.name


@dataclass(frozen=True)
class Price:
    """Points of a unit of `least` to `most` models."""

    least: int
    most: int
    points: float


@dataclass(frozen=True)
class Datasheet:
    """A datasheet.

    Attributes
    ----------
    name, faction : str
    rows : tuple of ModelRow
    arms : tuple of Arm
        Every weapon that the unit may have, one of each.
    keywords, abilities, not_modelled : tuple of str
        As of a `Unit`.
    sizes : tuple of Size
        Legal compositions, the smallest first; empty where the rows alone say it.
    prices : tuple of Price
    wargear : dict of str to (Defence or None)
        What is no weapon but may be carried, with the defence that it gives.
    harmless : frozenset of str
        The wargear of which it is known that it changes no attack.
    costs : dict of str to float
        Points of what costs more than the unit, each.
    role : str
        `leader` or `support` for those that attach themselves to another unit, else empty.
    whole : Unit or None
        The unit that the datasheet was made from, where somebody wrote it so.
    """

    name: str
    faction: str
    rows: tuple[ModelRow, ...]
    arms: tuple[Arm, ...]
    keywords: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    not_modelled: tuple[str, ...] = ()
    sizes: tuple[Size, ...] = ()
    prices: tuple[Price, ...] = ()
    wargear: Mapping[str, Defence | None] = field(default_factory=dict)
    harmless: frozenset[str] = frozenset()
    costs: Mapping[str, float] = field(default_factory=dict)
    role: str = ""
    whole: Unit | None = None

    def arms_named(self, name: str, *, guess: bool = True) -> tuple[Arm, ...]:
        """The weapons that a name means: one, or a ranged and a melee one of the same name."""
        return find(name, _by_name(self.arms), guess=guess) or ()

    def points(self, models: int, gear: Iterable[tuple[str, int]] = ()) -> float | None:
        """The points of a unit of so many models with this gear (names and counts), if the source knows them.

        Sources write 0 for points that they do not know.
        """
        bare = next((price.points for price in self.prices if price.least <= models <= price.most), None)
        if not bare:
            return None
        paid = ((find(name.partition(MODE)[0], self.costs), count) for name, count in gear)
        return bare + sum((each or 0) * count for each, count in paid)


@dataclass(frozen=True)
class Entry:
    """A datasheet in a source, read when it is asked for."""

    name: str
    factions: tuple[str, ...]
    read: Callable[[], Datasheet]


class NoSuchUnit(InvalidScenario):
    """No datasheet of a source has the name asked for."""


@dataclass(frozen=True)
class Datasheets:
    """A source of datasheets.

    Attributes
    ----------
    label : str
        Name, version and licence of the data.
    entries : tuple of Entry
    armoury : callable
        All weapons of a faction, by name; for what a list gives a unit and its datasheet does not know.
    wargear : tuple of str
        All that may be carried and is no weapon.
    """

    label: str
    entries: tuple[Entry, ...]
    armoury: Callable[[str], Mapping[str, Sequence[Arm]]] = lambda faction: {}
    wargear: tuple[str, ...] = ()

    def find(self, name: str, faction: str = "") -> Datasheet:
        """The datasheet of this name.

        Parameters
        ----------
        name : str
            In any spelling that leaves no doubt.
        faction : str, optional
            Preferred; needed where several factions have a datasheet of that name.

        Raises
        ------
        NoSuchUnit
            An `InvalidScenario`, with the nearest names.
        InvalidScenario
            If there are several, or what stands on the datasheet cannot be.
        """
        entries = self._named(name, faction)
        if entries is None:
            near = ", ".join(nearest(name, dict.fromkeys(entry.name for entry in self.entries))) or "none"
            raise NoSuchUnit.at("unit", name, f"is no unit of {self.label}; nearest: {near}")
        own = [entry for entry in entries if faction and _of(entry, faction)]
        chosen = own or entries
        if len(chosen) > 1 and len({entry.factions for entry in chosen}) > 1:
            named = ", ".join(entry.factions[0] for entry in chosen if entry.factions)
            raise InvalidScenario.at("unit", name, f"stands in several factions: say which of {named}")
        return chosen[0].read()

    def _named(self, name: str, faction: str) -> list[Entry] | None:
        """Entries of the name, those of the faction first; a guess only if nothing is spelt so."""
        own = [entry for entry in self.entries if faction and _of(entry, faction)]
        for guess in (False, True):
            for entries in (own, self.entries):
                by_name: dict[str, list[Entry]] = {}
                for entry in entries:
                    by_name.setdefault(entry.name, []).append(entry)
                if found := find(name, by_name, guess=guess):
                    return found
        return None


def _of(entry: Entry, faction: str) -> bool:
    return stem(faction) in map(stem, entry.factions)


def _by_name(arms: Sequence[Arm]) -> dict[str, tuple[Arm, ...]]:
    names: dict[str, tuple[Arm, ...]] = {}
    shown: dict[str, str] = {}
    for arm in arms:
        name = shown.setdefault(fold(arm.name), arm.name)
        names[name] = (*names.get(name, ()), arm)
    return names
