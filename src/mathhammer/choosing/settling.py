"""Settle the choices that are "best": the best fixed ones, when the defender knows the attacker's."""

from __future__ import annotations

from functools import partial

from mathhammer import exact
from mathhammer.abilities import fold
from mathhammer.choosing.variants import (
    MOST_VARIANTS,
    Way,
    allocation_orders,
    batch_orders,
    fishing,
    modes,
    modes_of,
    precision_targets,
    together,
    with_choice,
)
from mathhammer.errors import InvalidScenario, UnsupportedScenario, nearest
from mathhammer.plan import make_plan
from mathhammer.scenario import METRICS, Attacker, Choices, Scenario, checked_scenario

__all__ = ["metric_of", "settle", "value_of"]


def settle(scenario: Scenario) -> tuple[Scenario, tuple[str, ...]]:
    """Replace every choice that is "best" by the best fixed choice.

    Returns
    -------
    Scenario
        Without "best" (but for ``lethal_hits``, which the plan decides).
    tuple of str
        What was chosen, in words.

    Raises
    ------
    InvalidScenario
        When it is no scenario.
    UnsupportedScenario
        When there are more than `mathhammer.choosing.variants.MOST_VARIANTS` ways to choose, or the exact
        engine cannot solve the scenario.

    Notes
    -----
    The attacker's choices are those that get the most of the metric when the defender answers them with the
    allocation order that loses the least (one preference for the whole attack). Ties go to the first listed.

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["4x Gun: A2 BS3+ S8 AP-3 D3", "8x Bow: A2 BS3+ S4 AP0 D1"]},
    ...     "target": {"name": "B", "models": ["5x Wall: T4 Sv3+ W3"]},
    ...     "choices": {"batch_order": "best"}})
    >>> settle(fight)[1]
    ('batch order: Gun, Bow (the best fixed one for wounds_lost)',)
    """
    attacking, defending = _attacker_ways(checked_scenario(scenario)), _defender_ways(scenario)
    if not attacking and not defending:
        return scenario, ()
    metric = metric_of(scenario)
    best: tuple[float, Scenario, tuple[str, ...]] | None = None
    tried = 0
    for words, changed in together(scenario, [way for _, way in attacking]):
        worst: tuple[float, Scenario, tuple[str, ...]] | None = None
        for answer, final in together(changed, [way for _, way in defending]):
            tried += 1
            if tried > MOST_VARIANTS:
                remedy = "too many combinations: make some of these choices yourself"
                raise UnsupportedScenario.at("choices", f"more than {MOST_VARIANTS} ways", remedy)
            value = value_of(final, metric)
            if worst is None or value < worst[0] - 1e-12:
                worst = value, final, (*words, *answer)
            if best is not None and worst[0] <= best[0] + 1e-12:
                break
        assert worst is not None
        if best is None or worst[0] > best[0] + 1e-12:
            best = worst
    assert best is not None
    said = [
        f"{what}: {word} (the best fixed one for {metric})"
        for (what, _), word in zip([*attacking, *defending], best[2], strict=True)
        if what
    ]
    return best[1], tuple(said)


def value_of(scenario: Scenario, metric: str) -> float:
    """A metric of a scenario, one that `metric_of` allows, exactly."""
    estimate = exact.solve_plan(make_plan(scenario)).metric(metric)
    assert estimate is not None
    return estimate.value


def metric_of(scenario: Scenario, metric: str | None = None) -> str:
    """What "best" looks at: as given, else as the scenario says.

    Raises
    ------
    InvalidScenario
        For a name that is no metric, and where points are needed and not given.
    """
    found = metric or scenario.choices_of(scenario.attackers[0]).metric
    if found not in METRICS:
        raise InvalidScenario.at(
            "metric", found, f"write one of {', '.join(METRICS)}{nearest(found, METRICS)}"
        )
    if found == "points_destroyed" and None in scenario.target.points_each:
        raise InvalidScenario.at(
            "choices.metric", found, "needs points: give them to the target's unit or models"
        )
    return found


def _attacker_ways(scenario: Scenario) -> list[tuple[str, Way]]:
    ways: list[tuple[str, Way]] = []
    for index, name in modes_of(scenario):
        wanted = {
            fold(key): mode for key, mode in scenario.choices_of(scenario.attackers[index]).modes.items()
        }
        if wanted.get(fold(name)) == "best":
            ways.append(("mode", partial(modes, index=index, name=name)))
    if scenario.choices.rerolls == "best":
        ways.append(("", lambda changed: [("", with_choice(changed, None, rerolls="listed"))]))
    for index, unit in enumerate(scenario.attackers):
        if scenario.choices_of(unit).rerolls == "best":
            ways.append(("re-rolls", partial(fishing, place=index)))
    for place, choices in _places(scenario, "precision"):
        if choices.precision == "best":
            ways.append(("PRECISION", partial(precision_targets, place=place)))
    for index, unit in enumerate(scenario.attackers):
        if scenario.choices_of(unit).batch_order == "best":
            ways.append(("batch order", partial(batch_orders, index=index)))
    return ways


def _defender_ways(scenario: Scenario) -> list[tuple[str, Way]]:
    return [
        ("allocation order", partial(allocation_orders, place=place))
        for place, choices in _places(scenario, "allocation_order")
        if choices.allocation_order == "best"
    ]


def _places(scenario: Scenario, key: str) -> list[tuple[int | None, Choices]]:
    """Where a choice stands: in the scenario (None) if somebody follows it, and in attackers."""
    own = [
        (index, unit.choices)
        for index, unit in enumerate(scenario.attackers)
        if isinstance(unit, Attacker) and key in unit.choices.model_fields_set
    ]
    common = [(None, scenario.choices)] if len(own) < len(scenario.attackers) else []
    return [*common, *own]
