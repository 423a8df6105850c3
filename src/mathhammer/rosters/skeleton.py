"""What a text list says: units, models, gear and counts, without any stat line."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gear:
    """A counted name: a weapon, wargear, or a model."""

    name: str
    count: int
    where: str


@dataclass(frozen=True)
class ModelLines:
    """A group of models and what they carry in all; `model` None where the list does not say whose it is.

    `sure` is False if the layout alone does not tell models from gear: the datasheet decides.
    """

    model: Gear | None
    gear: tuple[Gear, ...] = ()
    sure: bool = True


@dataclass(frozen=True)
class UnitLines:
    """A unit of a text list.

    Attributes
    ----------
    name, where : str
    points : float or None
        As stated, enhancement included.
    groups : tuple of ModelLines
    count : int or None
        How many models the list states for the unit, if it does.
    notes : tuple of str
        Warlord, enhancements.
    attached : str
        The attached unit that it belongs to, empty for none.
    role : str
        `leader`, `support`, `bodyguard` or empty.
    """

    name: str
    where: str
    points: float | None
    groups: tuple[ModelLines, ...]
    count: int | None = None
    notes: tuple[str, ...] = ()
    attached: str = ""
    role: str = ""


@dataclass(frozen=True)
class ListSkeleton:
    """A text list before it has met any datasheet; `unread` are lines that no reader understood."""

    name: str
    faction: str
    points: float | None
    units: tuple[UnitLines, ...]
    form: str
    edition: str = ""
    unread: tuple[Gear, ...] = ()
