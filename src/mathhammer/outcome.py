"""What an attack does: an `Outcome`, the same object from both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mathhammer.distribution import ROUNDING, Distribution, Estimate, is_number
from mathhammer.errors import InvalidScenario, nearest
from mathhammer.unchangeable import Unchangeable

__all__ = ["Interrupted", "Outcome"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Row(Unchangeable[Any]):
    """A row of a table in an outcome."""

    HOW = "an outcome cannot be changed: copy the row with dict(row)"


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """The answer of an engine: the final states of the target, the means that it kept, and what follows from both.

    Attributes
    ----------
    engine : {"monte-carlo", "exact"}
    attackers, target : tuple of str, str
        Names.
    by_weapon : tuple of dict
        One row a batch: the funnel from attack dice to models destroyed, means.
    after_attacker : tuple of dict
        attacker, unit_destroyed, models_destroyed, wounds_lost after each attacking unit.
    trials, seed : int or None
    assumed, not_modelled : tuple of str
        Choices and readings used; what the datasheets say and the numbers leave out.
    names, start : tuple of str, ndarray of int64, shape (rows,)
        The target's model rows and how many models each had.
    start_wounds : int
        Wounds of all of them together.
    alive : ndarray of int64, shape (states, rows)
        Models left, by row, in each final state.
    wounds_left : ndarray of int64, shape (states,)
    weights : ndarray of float64, shape (states,)
        Probability (or share of the trials) of each state.
    used : ndarray of float64, shape (attackers + 1,)
        Distribution of the number of attackers used.
    attacker_wounds, attacker_models : ndarray of float64
        Distributions of the attackers' losses.
    points_each, attacker_points : tuple of float or None, float or None
        Of a model of each row, and of all attackers.
    """

    engine: Literal["monte-carlo", "exact"]
    attackers: tuple[str, ...]
    target: str
    by_weapon: tuple[dict[str, Any], ...]
    after_attacker: tuple[dict[str, Any], ...]
    trials: int | None = None
    seed: int | None = None
    assumed: tuple[str, ...] = ()
    not_modelled: tuple[str, ...] = ()
    names: tuple[str, ...]
    start: Integers = field(repr=False)
    start_wounds: int
    alive: Integers = field(repr=False)
    wounds_left: Integers = field(repr=False)
    weights: Floats = field(repr=False)
    used: Floats = field(repr=False)
    attacker_wounds: Floats = field(repr=False)
    attacker_models: Floats = field(repr=False)
    points_each: tuple[float | None, ...] = ()
    attacker_points: float | None = None

    def __post_init__(self) -> None:
        for name in ("by_weapon", "after_attacker"):
            object.__setattr__(self, name, tuple(map(Row, getattr(self, name))))
        for array in (self.start, self.alive, self.wounds_left, self.weights, self.used):
            array.setflags(write=False)
        self.attacker_wounds.setflags(write=False)
        self.attacker_models.setflags(write=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return all(
            np.array_equal(one, another) if isinstance(one, np.ndarray) else one == another
            for one, another in pairs
        )

    def __hash__(self) -> int:
        return hash((self.engine, self.attackers, self.target, self.trials, self.seed))

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # an array that was pickled comes back writable

    @cached_property
    def wounds_lost(self) -> Distribution:
        """Wounds that the target loses, after FEEL NO PAIN, without overkill."""
        return self._counted(self.start_wounds - self.wounds_left, self.start_wounds)

    @cached_property
    def models_destroyed(self) -> Distribution:
        """Models of the target destroyed."""
        most = int(self.start.sum())
        return self._counted(most - self.alive.sum(axis=1), most)

    @property
    def by_model(self) -> Mapping[str, Distribution]:
        """Models destroyed, by model name."""
        return MappingProxyType(self._by_model)

    @cached_property
    def _by_model(self) -> dict[str, Distribution]:
        destroyed = self.start - self.alive
        return {
            name: self._counted(destroyed[:, row], int(self.start[row]))
            for row, name in enumerate(self.names)
        }

    @cached_property
    def attackers_used(self) -> Distribution:
        """How many of the attacking units were needed, or attacked at all."""
        return Distribution(self.used, self.trials)

    @cached_property
    def attacker_wounds_lost(self) -> Distribution:
        """Wounds that the attackers lose by hazard rolls."""
        return Distribution(self.attacker_wounds, self.trials)

    @cached_property
    def attacker_models_destroyed(self) -> Distribution:
        """Models that the attackers lose by hazard rolls."""
        return Distribution(self.attacker_models, self.trials)

    def _counted(self, values: Integers, largest: int) -> Distribution:
        return Distribution(np.bincount(values, self.weights, largest + 1), self.trials)  # type: ignore[arg-type]

    @cached_property
    def unit_destroyed(self) -> float:
        """Probability that no model of the target is left."""
        return float(self.models_destroyed.pmf[-1])

    def error_of(self, p: float) -> float:
        """Standard error of a probability of this outcome: sqrt(p (1 - p) / trials); 0 when exact.

        Parameters
        ----------
        p : float
            The probability, such as `unit_destroyed`.

        Returns
        -------
        float

        Raises
        ------
        InvalidScenario
            If p is no probability.
        """
        if not is_number(p) or not -ROUNDING <= p <= 1 + ROUNDING:
            raise InvalidScenario.at("p", p, "a probability is a number from 0 to 1")
        return (max(p * (1 - p), 0.0) / self.trials) ** 0.5 if self.trials else 0.0

    def probability(self, question: Callable[[Mapping[str, int]], bool]) -> float:
        """Probability that the models left answer the question with true.

        Parameters
        ----------
        question : callable
            Takes a mapping of model name -> models left.

        Raises
        ------
        InvalidScenario
            If it cannot be called, or asks for a model that the target has not.

        Examples
        --------
        >>> from mathhammer import Scenario, solve
        >>> out = solve(Scenario.from_dict({
        ...     "attacker": {"name": "A", "weapons": ["Gun: A2 S9 AP-6 D1 [TORRENT]"]},
        ...     "target": {"name": "B", "models": ["2x Grunt: T3 Sv6+ W1", "Boss: T3 Sv4+ W2"]}}))
        >>> round(out.probability(lambda alive: alive["Grunt"] == 0 and alive["Boss"] == 1), 4)
        0.6944
        """
        if not callable(question):
            raise InvalidScenario.at(
                "question", question, 'write a function, such as lambda alive: alive["Boss"] == 0'
            )
        total = 0.0
        for row, weight in zip(self.alive.tolist(), self.weights.tolist(), strict=True):
            if question(_Alive(zip(self.names, row, strict=True))):
                total += weight
        return total

    @property
    def below_half_strength(self) -> float:
        """Probability that the target ends below half strength; a destroyed unit is.

        Fewer models left than half of those at the start; of a single model, fewer wounds than half of those
        it had at the start (our reading: the strength is that of the scenario's start).
        """
        if int(self.start.sum()) == 1:
            below = 2 * self.wounds_left < self.start_wounds
        else:
            below = 2 * self.alive.sum(axis=1) < int(self.start.sum())
        return float(self.weights[below].sum())

    @cached_property
    def points_destroyed(self) -> Estimate | None:
        """Expected points of the models destroyed (a hurt model counts nothing); None without points."""
        if any(each is None for each in self.points_each):
            return None
        worth = (self.start - self.alive) @ np.array(self.points_each, dtype=np.float64)
        mean = float(self.weights @ worth)
        spread = max(float(self.weights @ (worth - mean) ** 2), 0.0) ** 0.5
        return Estimate(mean, spread / self.trials**0.5 if self.trials else 0.0)

    def metric(self, name: str) -> Estimate | None:
        """One of the metrics by its name, with its standard error.

        Parameters
        ----------
        name : str
            ``wounds_lost``, ``models_destroyed``, ``unit_destroyed`` or ``points_destroyed``; each also with
            ``_per_100_points`` (of the attackers).

        Returns
        -------
        Estimate or None
            None where points are needed and not known.

        Raises
        ------
        InvalidScenario
            For another name.
        """
        plain = str(name).removesuffix("_per_100_points")
        if plain in ("wounds_lost", "models_destroyed"):
            distribution: Distribution = getattr(self, plain)
            estimate: Estimate | None = Estimate(distribution.mean, distribution.standard_error)
        elif plain == "unit_destroyed":
            estimate = Estimate(self.unit_destroyed, self.error_of(self.unit_destroyed))
        elif plain == "points_destroyed":
            estimate = self.points_destroyed
        else:
            known = ("wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed")
            hint = (
                nearest(str(name), known)
                or f'; known are {", ".join(known)}, each also with "_per_100_points"'
            )
            raise InvalidScenario.at("metric", name, f"is no metric{hint}")
        if plain == name or estimate is None:
            return estimate
        if not self.attacker_points:
            return None
        scale = 100 / self.attacker_points
        return Estimate(estimate.value * scale, estimate.standard_error * scale)

    def to_dict(self) -> dict[str, Any]:
        """The object that ``--json`` writes."""
        return {
            "engine": self.engine,
            "trials": self.trials,
            "seed": self.seed,
            "unit_destroyed": self.unit_destroyed,
            "unit_destroyed_error": self.error_of(self.unit_destroyed),
            **{
                name: getattr(self, name).to_dict()
                for name in (
                    "wounds_lost",
                    "models_destroyed",
                    "attacker_wounds_lost",
                    "attacker_models_destroyed",
                )
            },
            "by_model": {name: distribution.to_dict() for name, distribution in self.by_model.items()},
            "attackers_used": self.attackers_used.to_dict(),
            "by_weapon": [dict(row) for row in self.by_weapon],
            "after_attacker": [dict(row) for row in self.after_attacker],
            "assumed": list(self.assumed),
            "not_modelled": list(self.not_modelled),
        }

    def __str__(self) -> str:
        from mathhammer.printed import text_of

        return text_of(self)

    def _repr_html_(self) -> str:
        from mathhammer.printed import html_of

        return html_of(self)


class _Alive(dict[str, int]):
    def __missing__(self, name: str) -> int:
        raise InvalidScenario.at("alive", name, f"names no model of the target{nearest(str(name), self)}")


class Interrupted(KeyboardInterrupt):
    """A simulation was interrupted; `outcome` is that of the finished blocks (None before the first).

    With several threads those need not be the first ones: its seed and trials then do not give it again.
    """

    def __init__(self, outcome: Outcome | None) -> None:
        super().__init__("interrupted")
        self.outcome = outcome
