"""A unit that suffers, written as numbers: allocation groups, and who in them is next.

Within a group models suffer in a fixed order, the wounded first, then as listed (our reading). So the state of
a group is one number, the wounds it has left, and all else is looked up from that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.abilities import fold
from mathhammer.errors import UnsupportedScenario
from mathhammer.units import Model, Unit

__all__ = ["NORMAL", "NORMAL_MORTAL", "PSYCHIC", "PSYCHIC_MORTAL", "Side", "make_side"]

NORMAL, PSYCHIC, NORMAL_MORTAL, PSYCHIC_MORTAL = 0, 1, 2, 3
"""Kinds of wound for FEEL NO PAIN (24.12): by an attack or a mortal wound, of a psychic attack or not."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Side:
    """The allocation groups of a unit; ``r`` below is the number of wounds that a group has left.

    Attributes
    ----------
    names, start : tuple of str, ndarray of int64, shape (rows,)
        Model rows, and how many models each has.
    groups : tuple of tuple of int
        Rows of each group, in the order of 05.03 as listed.
    character : tuple of bool
        Whether the group is a CHARACTER model.
    wounds : tuple of int
        Wounds of each group at the start.
    next_left, next_row : ndarray of int64, shape (groups, most wounds + 1)
        Wounds left of the model of the group that suffers next, and its row (0 and 0 for an empty group).
    hurt : ndarray of bool, shape (groups, most wounds + 1)
        Whether a model of the group is wounded.
    standing : ndarray of int64, shape (groups, most wounds + 1, rows)
        Models left, by row.
    pain : ndarray of int64, shape (rows, 4)
        FEEL NO PAIN roll against each kind of wound; 7 for none.
    to_zero : tuple of int
        By row: unsaved attacks whose D is still to become 0.
    points_each : tuple of float or None
    """

    name: str
    names: tuple[str, ...]
    start: Integers
    groups: tuple[tuple[int, ...], ...]
    character: tuple[bool, ...]
    wounds: tuple[int, ...]
    next_left: Integers
    next_row: Integers
    hurt: NDArray[np.bool_]
    standing: Integers
    pain: Integers
    to_zero: tuple[int, ...]
    points_each: tuple[float | None, ...]

    @cached_property
    def standing_models(self) -> Integers:
        """ndarray of int64, shape (groups, most wounds + 1): models left in each group."""
        return np.asarray(self.standing.sum(axis=2))

    @cached_property
    def total_wounds(self) -> int:
        """Wounds of the whole unit at the start."""
        return sum(self.wounds)

    @cached_property
    def total_models(self) -> int:
        """Models of the whole unit at the start."""
        return int(self.start.sum())

    def rows_left(self, left: Integers) -> Integers:
        """Models left by row.

        Parameters
        ----------
        left : ndarray of int64, shape (states, groups)
            Wounds left of each group.

        Returns
        -------
        ndarray of int64, shape (states, rows)
        """
        rows = self.standing[0, left[:, 0]]
        for group in range(1, len(self.groups)):
            rows += self.standing[group, left[:, group]]
        return np.asarray(rows)

    def group_name(self, group: int) -> str:
        """The names of the group's rows."""
        return " + ".join(self.names[row] for row in self.groups[group])

    def groups_of(self, name: str) -> tuple[int, ...]:
        """The groups in which models of this name stand."""
        return tuple(
            group
            for group, rows in enumerate(self.groups)
            if any(fold(self.names[row]) == fold(name) for row in rows)
        )


def make_side(unit: Unit, path: str) -> Side:
    """Write the models of a unit as a `Side`.

    Raises
    ------
    UnsupportedScenario
        When the unit is larger than the limits of `mathhammer.rules`.

    Examples
    --------
    >>> side = make_side(Unit(name="U", models=["2x A: T4 Sv3+ W2", "1x B: T4 Sv3+ W2"]), "target")
    >>> side.groups, side.wounds, side.next_left[0].tolist()
    (((0, 1),), (6,), [0, 1, 2, 1, 2, 1, 2])
    """
    _check_size(unit, path)
    pain = tuple(int(ability.number[0]) for ability in unit.abilities if ability.name == "FEEL NO PAIN")
    return _side(unit.name, unit.models, unit.points_each, pain)


@lru_cache(maxsize=512)
def _side(
    name: str, models: tuple[Model, ...], points: tuple[float | None, ...], pain: tuple[int, ...]
) -> Side:
    """A comparison asks for the same few sides over and over."""
    sequences = _sequences(models)
    most = max(sum(left for _, left in sequence) for sequence in sequences)
    shape = (len(sequences), most + 1)
    next_left, next_row = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    hurt = np.zeros(shape, bool)
    standing = np.zeros((*shape, len(models)), np.int64)
    full = np.array([model.wounds for model in models])
    for group, sequence in enumerate(sequences):
        # From the model that suffers last: the first so many wounds are its own.
        row, left = np.array(sequence[::-1]).T
        owner = np.repeat(np.arange(len(row)), left)
        span = slice(1, len(owner) + 1)
        wounded = np.concatenate([[False], np.logical_or.accumulate(left < full[row])[:-1]])
        next_left[group, span] = np.arange(1, len(owner) + 1) - (np.cumsum(left) - left)[owner]
        next_row[group, span] = row[owner]
        hurt[group, span] = (next_left[group, span] < full[row[owner]]) | wounded[owner]
        standing[group, span] = np.cumsum(np.eye(len(full), dtype=np.int64)[row], axis=0)[owner]
    return Side(
        name=name,
        names=tuple(model.name for model in models),
        start=np.array([model.count for model in models], np.int64),
        groups=tuple(tuple(dict.fromkeys(row for row, _ in sequence)) for sequence in sequences),
        character=tuple(models[sequence[0][0]].character for sequence in sequences),
        wounds=tuple(sum(left for _, left in sequence) for sequence in sequences),
        next_left=next_left,
        next_row=next_row,
        hurt=hurt,
        standing=standing,
        pain=np.array([_pain(model, pain) for model in models], np.int64),
        to_zero=tuple(model.damage_to_zero for model in models),
        points_each=points,
    )


def _check_size(unit: Unit, path: str) -> None:
    sizes = (
        ("rows of models", len(unit.models), rules.MOST_ROWS),
        ("models", unit.model_count, rules.MOST_MODELS),
        ("wounds", sum(model.count * model.wounds for model in unit.models), rules.MOST_WOUNDS),
    )
    for what, size, most in sizes:
        if size > most:
            raise UnsupportedScenario.at(f"{path}.models", size, f"at most {most} {what} in one unit")


def _sequences(models: tuple[Model, ...]) -> list[list[tuple[int, int]]]:
    """Groups in listed order (05.03), each the models ``(row, wounds left)`` in the order they suffer."""
    by_profile: dict[object, list[tuple[int, int]]] = {}
    for row, model in enumerate(models):
        for copy in range(model.count):
            key: object = (row, copy) if model.character else _profile(model)
            left = model.wounds - (model.wounds_lost if copy == 0 else 0)
            by_profile.setdefault(key, []).append((row, left))
    # A stable sort: the wounded models first, otherwise as listed.
    return [
        sorted(group, key=lambda model: model[1] == models[model[0]].wounds) for group in by_profile.values()
    ]


def _profile(model: Model) -> object:
    return (
        "group",
        model.wounds,
        model.save,
        *(
            min((save for save in (model.invulnerable_save, other) if save is not None), default=None)
            for other in (model.invulnerable_save_ranged, model.invulnerable_save_melee)
        ),
    )


def _pain(model: Model, everything: tuple[int, ...]) -> list[int]:
    """FEEL NO PAIN against each kind of wound: duplicates, so the best that applies (24.02, 24.12)."""
    plain = min([7, *everything, model.feel_no_pain or 7])
    psychic, mortal = model.feel_no_pain_psychic or 7, model.feel_no_pain_mortal or 7
    return [plain, min(plain, psychic), min(plain, mortal), min(plain, psychic, mortal)]
