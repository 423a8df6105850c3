"""One unit attacks, and what is left of the other strikes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.arguments import of_argument, record_of
from mathhammer.choosing import settle
from mathhammer.distribution import Distribution
from mathhammer.errors import InvalidScenario, UnsupportedScenario
from mathhammer.exact.batch import Resolver, States
from mathhammer.exact.chains import State
from mathhammer.exact.engine import activate
from mathhammer.exact.hazards import failed_rolls, losses, suffer
from mathhammer.plan import Plan, make_plan
from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
from mathhammer.sides import Side, make_side
from mathhammer.units import Modifiers, Unit

__all__ = ["Exchange", "Losses", "Points", "exchange"]

Floats = NDArray[np.float64]
Both = dict[State, States]
"""Joint distribution: state of the first unit -> states of the second."""
MOST_STATES = 2000
"""States of one unit for which the other one strikes back."""
ONE_EACH = "of each weapon the share of the models that are left strikes, rounded up"


@dataclass(frozen=True, eq=False)
class Points:
    """The distribution of points lost; a hurt model counts nothing.

    Attributes
    ----------
    values, pmf : ndarray of float64, shape (different values,)
        Points in increasing order, and their probabilities.
    """

    values: Floats
    pmf: Floats

    @cached_property
    def mean(self) -> float:
        """Expected points."""
        return float(self.pmf @ self.values)

    @cached_property
    def sd(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.pmf @ (self.values - self.mean) ** 2))

    def at_least(self, points: float) -> float:
        """Probability to lose so many points or more."""
        return float(self.pmf[self.values >= points - 1e-9].sum())


@dataclass(frozen=True)
class Losses:
    """What one unit loses.

    Attributes
    ----------
    name : str
    wounds_lost, models_destroyed : Distribution
    points_lost : Points or None
        None without points.
    unit_destroyed : float
    """

    name: str
    wounds_lost: Distribution
    models_destroyed: Distribution
    points_lost: Points | None
    unit_destroyed: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "name": self.name,
            "wounds_lost": self.wounds_lost.to_dict(),
            "models_destroyed": self.models_destroyed.to_dict(),
            "points_lost": None if self.points_lost is None else self.points_lost.mean,
            "unit_destroyed": self.unit_destroyed,
        }


@dataclass(frozen=True)
class Exchange:
    """Both sides of an exchange of blows.

    Attributes
    ----------
    first, second : Losses
        Of the unit that attacked first, and of the other.
    assumed, not_modelled : tuple of str
        What was chosen or read into the rules, and what of the units is left out, in words.
    """

    first: Losses
    second: Losses
    assumed: tuple[str, ...]
    not_modelled: tuple[str, ...]

    @property
    def points_difference(self) -> float | None:
        """Expected points that the second unit loses more than the first; None without points."""
        if self.first.points_lost is None or self.second.points_lost is None:
            return None
        return self.second.points_lost.mean - self.first.points_lost.mean

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "points_difference": self.points_difference,
            "assumed": list(self.assumed),
            "not_modelled": list(self.not_modelled),
        }

    def __str__(self) -> str:
        lines = [f"{'loses':32} {'wounds':>9} {'models':>9} {'points':>9} {'destroyed':>10}"]
        for losses_of in (self.first, self.second):
            points = "" if losses_of.points_lost is None else f"{losses_of.points_lost.mean:.1f}"
            lines.append(
                f"{losses_of.name[:32]:32} {losses_of.wounds_lost.mean:9.3f} "
                f"{losses_of.models_destroyed.mean:9.3f} {points:>9} {losses_of.unit_destroyed:10.4f}"
            )
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def exchange(
    first: Unit,
    second: Unit,
    *,
    conditions: Conditions | Mapping[str, Any] | None = None,
    back: Conditions | Mapping[str, Any] | None = None,
    modifiers: Modifiers | Mapping[str, Any] | None = None,
    choices: Choices | Mapping[str, Any] | None = None,
    choices_back: Choices | Mapping[str, Any] | None = None,
    blows: int = 2,
) -> Exchange:
    """The first unit attacks the second, whose survivors strike back, exactly.

    Parameters
    ----------
    first, second : Unit
        Both with models and weapons.
    conditions, back : Conditions or dict, optional
        Of the attacks of the first unit, and of those of the second; without ``back`` only the phase is shared.
        ``models_at_select_targets`` is of the first attack of each.
    modifiers : Modifiers or dict, optional
        For every attack.
    choices, choices_back : Choices or dict, optional
        For the attacks of the first unit, and for those of the second; "best" is settled for the models that
        strike, against the whole of the other unit.
    blows : int, default 2
        2: attack and answer. 3: the first unit attacks once more, in the next turn; and so on, at most 6.

    Returns
    -------
    Exchange

    Raises
    ------
    InvalidScenario
        For a unit without models or weapons, or with conditions or choices of its own.
    UnsupportedScenario
        When there are too many states for the exact engine.

    Notes
    -----
    Which model carries which weapon is not known: of each weapon the share of the models that are left strikes,
    rounded up. A unit has the keywords of its living models. Wounds lost to HAZARDOUS weapons count; a destroyed
    unit strikes no more.

    Examples
    --------
    >>> knights = Unit(name="Knights", points=120, models=["3x Knight: T6 Sv3+ W3"],
    ...                weapons=["3x Lance: Melee A3 WS3+ S7 AP-2 D2"])
    >>> mob = Unit(name="Mob", points=80, models=["10x Lout: T4 Sv5+ W1"],
    ...            weapons=["10x Club: Melee A2 WS4+ S4 AP0 D1"])
    >>> result = exchange(knights, mob)
    >>> round(result.second.models_destroyed.mean, 3), round(result.first.wounds_lost.mean, 3)
    (4.0, 0.667)
    """
    if isinstance(blows, bool) or not isinstance(blows, int) or not 1 <= blows <= 6:
        raise InvalidScenario.at("blows", blows, "a number of attacks in turn, from 1 to 6")
    sides = _Fighter(first, "first"), _Fighter(second, "second")
    own = record_of(Conditions, conditions, "conditions")
    answer = record_of(Conditions, back if back is not None else {"phase": own.phase}, "back")
    common = record_of(Modifiers, modifiers, "modifiers")
    ways = (
        _Way(_FIRST, own, common, record_of(Choices, choices, "choices")),
        _Way(_BACK, answer, common, record_of(Choices, choices_back, "choices_back")),
    )
    words: list[str] = [ONE_EACH]
    missing: list[str] = []
    both: Both = {sides[0].start: {sides[1].start: 1.0}}
    for blow in range(blows):
        striker, struck = sides if blow % 2 == 0 else sides[::-1]
        if blow % 2:
            both = _turned(both)
        both = _strike(striker, struck, both, ways[blow % 2].of(blow), words, missing)
        if blow % 2:
            both = _turned(both)
    of_first = {state: sum(states.values()) for state, states in both.items()}
    of_second: States = {}
    for states in both.values():
        for state, weight in states.items():
            of_second[state] = of_second.get(state, 0.0) + weight
    said = (tuple(dict.fromkeys(each)) for each in (words, missing))
    return Exchange(sides[0].losses(of_first), sides[1].losses(of_second), *said)


_FIRST = {"attacker": "first", "target": "second"}
_BACK = {"attacker": "second", "target": "first", "conditions": "back", "choices": "choices_back"}
"""Fields of a scenario -> the arguments of `exchange` that they come from."""
_OWN = {
    "first": {"conditions": "conditions", "choices": "choices"},
    "second": {"conditions": "back", "choices": "choices_back"},
}
"""What an `Attacker` could hold -> the argument in which `exchange` takes it."""


@dataclass(frozen=True)
class _Way:
    """How one unit strikes the other."""

    arguments: Mapping[str, str]
    conditions: Conditions
    modifiers: Modifiers
    choices: Choices

    def of(self, blow: int) -> _Way:
        """The way of a later blow: then as many models as stand are there at Select Targets."""
        if blow < 2:
            return self
        return replace(self, conditions=self.conditions.replaced(models_at_select_targets=None))

    def plan(self, attacker: Unit, target: Unit) -> tuple[Plan, tuple[str, ...]]:
        """The plan of its attacks, and what was settled, in words."""
        try:
            scenario = Scenario(
                attacker=attacker,
                target=target,
                conditions=self.conditions,
                modifiers=self.modifiers,
                choices=self.choices,
            )
            settled, said = settle(scenario)
            return make_plan(settled, whole=False), tuple(said)
        except InvalidScenario as fault:
            problems = [of_argument(problem, self.arguments) or problem for problem in fault.problems]
            raise type(fault)(problems) from None


class _Fighter:
    """A unit that strikes and is struck."""

    def __init__(self, unit: Unit, path: str) -> None:
        if not isinstance(unit, Unit) or not unit.models or not unit.weapons:
            raise InvalidScenario.at(
                path, getattr(unit, "name", unit), "needs a Unit with models and weapons"
            )
        for key, argument in _OWN[path].items():
            if isinstance(unit, Attacker) and key in unit.model_fields_set:
                remedy = f"a unit that also is attacked holds none of its own: give {argument}=..."
                raise InvalidScenario.at(f"{path}.{key}", getattr(unit, key).to_dict(), remedy)
        self.unit, self.side = unit, make_side(unit, path)
        self.start: State = (*self.side.wounds, *(count for count in self.side.to_zero if count), 0)
        self.models = self.side.total_models

    def left(self, state: State) -> tuple[int, ...]:
        """Models left, by row."""
        return tuple(self.side.rows_left(np.array([state[: len(self.side.groups)]]))[0].tolist())

    def with_left(self, left: tuple[int, ...]) -> Unit:
        """The unit with the models that are left, their keywords, and their share of the weapons."""
        models = sum(left)
        return self.unit.replaced(
            models=tuple(model for model, count in zip(self.unit.models, left, strict=True) if count),
            weapons=tuple(
                weapon.replaced(count=-(-weapon.count * models // self.models))
                for weapon in self.unit.weapons
            ),
        )

    def losses(self, states: States) -> Losses:
        """The distributions of what it lost."""
        side: Side = self.side
        left = np.array([state[: len(side.groups)] for state in states], np.int64)
        weights = np.array(list(states.values()))
        wounds, models = losses(side, left, weights)
        points = None
        if all(each is not None for each in side.points_each):
            each = np.array(side.points_each, np.float64)
            lost = np.round((side.start - side.rows_left(left)) @ each, 9)
            values, place = np.unique(lost, return_inverse=True)
            points = Points(values, np.bincount(place, weights).astype(np.float64))
        return Losses(side.name, Distribution(wounds), Distribution(models), points, float(models[-1]))


def _strike(
    striker: _Fighter, struck: _Fighter, both: Both, way: _Way, words: list[str], missing: list[str]
) -> Both:
    """One attack: from the joint distribution before it to the one after it."""
    if len(both) > MOST_STATES:
        remedy = "too many states of one unit: compare units with fewer wounds, or take fewer blows"
        raise UnsupportedScenario.at("blows", len(both), remedy)
    plans: dict[object, Plan] = {}
    after: Both = {}
    for state, states in both.items():
        left = striker.left(state)
        if not any(left):
            _add(after, state, states, 1.0)
            continue
        alike = sum(left), tuple(map(bool, left))
        if alike not in plans:
            plans[alike], said = way.plan(striker.with_left(left), struck.unit)
            words += [f"{striker.unit.name}: {word}" for word in (*said, *plans[alike].assumed)]
            missing += plans[alike].not_modelled
        plan = plans[alike]
        (attack,) = plan.attacks
        for history, reached in activate(Resolver(plan), attack, {(): dict(states)}).items():
            clean: States = {}
            for other, weight in reached.items():
                key = (*other[:-1], 0)
                clean[key] = clean.get(key, 0.0) + weight
            if history and history[0]:
                chain, share = suffer(striker.side, failed_rolls(history[0], attack.hazard_wounds), state)
                for own, weight in zip(chain.states, share.tolist(), strict=True):
                    if weight:
                        _add(after, own, clean, weight)
            else:
                _add(after, state, clean, 1.0)
    return after


def _add(both: Both, state: State, states: States, share: float) -> None:
    total = both.setdefault(state, {})
    for other, weight in states.items():
        total[other] = total.get(other, 0.0) + share * weight


def _turned(both: Both) -> Both:
    """The same joint distribution, the other unit first."""
    turned: Both = {}
    for state, states in both.items():
        for other, weight in states.items():
            turned.setdefault(other, {})[state] = weight
    return turned
