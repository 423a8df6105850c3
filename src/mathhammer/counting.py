"""How many of a weapon are needed for a goal."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

from mathhammer import exact
from mathhammer.abilities import fold
from mathhammer.choosing import settle
from mathhammer.errors import InvalidScenario, nearest
from mathhammer.outcome import Outcome
from mathhammer.plan import make_plan
from mathhammer.scenario import Scenario, checked_scenario
from mathhammer.units import Weapon

__all__ = ["Needed", "needed"]

_GOAL = re.compile(r"(models_destroyed|wounds_lost)\s*>=\s*(\d{1,4})\Z")
MOST = 1000


@dataclass(frozen=True)
class Needed:
    """How many of a weapon reach a goal with a probability.

    Attributes
    ----------
    weapon, goal : str
    attacker : str
        The unit whose weapon is varied.
    probability : float
        Asked for.
    count : int or None
        The smallest count that reaches it; None if none up to `most` does.
    most : int
        The largest count tried.
    curve : tuple of pair of int and float
        Probability of the goal with 0, 1, 2, ... of the weapon.
    """

    weapon: str
    attacker: str
    goal: str
    probability: float
    count: int | None
    most: int
    curve: tuple[tuple[int, float], ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "weapon": self.weapon,
            "attacker": self.attacker,
            "goal": self.goal,
            "probability": self.probability,
            "count": self.count,
            "curve": [{"count": count, "probability": chance} for count, chance in self.curve],
        }

    def __str__(self) -> str:
        found = f"{self.count}x" if self.count is not None else f"more than {self.most}x"
        what = f"{self.weapon} of {self.attacker}"
        lines = [f"{found} {what} for {self.goal} with probability {self.probability:g}"]
        lines += [f"{count:5d}  {chance:.4f}  {'#' * round(40 * chance)}" for count, chance in self.curve]
        return "\n".join(part for line in lines for part in wrap(line, 80, subsequent_indent=" " * 7))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def needed(
    scenario: Scenario, weapon: str, probability: float, goal: str = "unit_destroyed", most: int = 100
) -> Needed:
    """The smallest count of a weapon that reaches a goal, exactly.

    Parameters
    ----------
    scenario : Scenario
        Everything else in it stays as it is; choices that are "best" are settled for each count.
    weapon : str
        Name of a weapon that attacks; of a weapon with modes, the name before the bar, and all its modes are
        varied together. Of several attackers with such a weapon it is varied in the first, and the others keep
        theirs. If that unit lists it several times for the phase, the first row is varied and the others have
        count 0.
    probability : float
        From 0 to 1; no count reaches 1, as an unmodified 1 always fails.
    goal : str
        ``"unit_destroyed"``, ``"models_destroyed>=3"`` or ``"wounds_lost>=10"``.
    most : int
        The largest count to try.

    Returns
    -------
    Needed

    Raises
    ------
    InvalidScenario
        For an unknown weapon or goal, a weapon that does not attack here, or a goal that the target is too
        small for.
    UnsupportedScenario
        When the exact engine cannot solve the scenario.

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["Lascannon: A1 BS3+ S12 AP-3 DD6+1"]},
    ...     "target": {"name": "B", "models": ["Tank: T10 Sv3+ W11"]}})
    >>> found = needed(fight, "Lascannon", 0.8)
    >>> found.count, round(dict(found.curve)[found.count], 4)
    (11, 0.8328)
    """
    checked_scenario(scenario)
    if not isinstance(weapon, str):
        raise InvalidScenario.at("weapon", weapon, "the name of a weapon of the attackers")
    if isinstance(probability, bool) or not isinstance(probability, int | float) or not 0 <= probability <= 1:
        raise InvalidScenario.at("probability", probability, "a probability from 0 to 1")
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST:
        raise InvalidScenario.at("most", most, f"a count from 1 to {MOST}")
    goal_value, goal_size = _goal(goal, scenario)
    attacker = _attacker_with(scenario, weapon, most)
    curve: list[tuple[int, float]] = []
    found: int | None = None
    for count in range(most + 1):
        plan = make_plan(settle(_with_count(scenario, attacker, weapon, count))[0])
        chance = _chance(exact.solve_plan(plan), goal_value, goal_size)
        curve.append((count, chance))
        if chance >= probability - min(1e-12, (1 - probability) / 2) and probability < 1:
            found = count
            break
    name = scenario.attackers[attacker].name
    return Needed(weapon, name, goal, float(probability), found, most, tuple(curve))


def _goal(goal: Any, scenario: Scenario) -> tuple[str, int]:
    if goal == "unit_destroyed":
        return "unit_destroyed", 1
    form = _GOAL.match(str(goal).strip())
    if form is None:
        remedy = 'write "unit_destroyed", "models_destroyed>=3" or "wounds_lost>=10"'
        raise InvalidScenario.at("goal", goal, remedy)
    models = scenario.target.models
    size = scenario.target.model_count
    if form[1] == "wounds_lost":
        size = sum(model.count * model.wounds - model.wounds_lost for model in models)
    if int(form[2]) > size:
        raise InvalidScenario.at("goal", goal, f"the target has only {size} to lose")
    return form[1], int(form[2])


def _chance(outcome: Outcome, goal: str, size: int) -> float:
    if goal == "unit_destroyed":
        return outcome.unit_destroyed
    distribution = outcome.models_destroyed if goal == "models_destroyed" else outcome.wounds_lost
    return distribution.at_least(size)


def _named(weapon: Weapon, name: str) -> bool:
    return fold(name) in (fold(weapon.name), fold(weapon.mode[0] if weapon.mode else weapon.name))


def _attacker_with(scenario: Scenario, name: str, most: int) -> int:
    """The first attacker that attacks with a weapon of that name, or with a mode of it."""
    listed = [weapon for unit in scenario.attackers for weapon in unit.weapons]
    if not any(_named(weapon, name) for weapon in listed):
        known = [weapon.name for weapon in listed]
        remedy = f"names no weapon{nearest(name, known) or '; known are ' + ', '.join(dict.fromkeys(known))}"
        raise InvalidScenario.at("weapon", name, remedy)
    for index in range(len(scenario.attackers)):
        for count in (1, most):
            # With modes that are "best" the one that is used may depend on the count.
            plan = make_plan(settle(_with_count(scenario, index, name, count))[0])
            if any(_named(weapon, name) for weapon in plan.attacks[index].weapons):
                return index
    remedy = "does not attack here: see conditions.phase and choices.modes"
    raise InvalidScenario.at("weapon", name, remedy)


def _with_count(scenario: Scenario, attacker: int, name: str, count: int) -> Scenario:
    """The scenario with so many of a weapon in one of its attackers."""
    units = list(scenario.attackers)
    weapons = list(units[attacker].weapons)
    melee = scenario.phase_of(units[attacker]) == "fight"
    rows = [row for row, weapon in enumerate(weapons) if weapon.melee == melee and _named(weapon, name)]
    varied: dict[str, int] = {}
    for row in rows:
        if (weapons[row].mode is None) == (weapons[rows[0]].mode is None):
            varied.setdefault(fold(weapons[row].name), row)
    for row in rows:
        weapons[row] = weapons[row].replaced(count=count if row in varied.values() else 0)
    units[attacker] = units[attacker].replaced(weapons=tuple(weapons))
    return scenario.replaced(attacker=tuple(units) if isinstance(scenario.attacker, tuple) else units[0])
