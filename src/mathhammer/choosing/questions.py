"""The questions of `mathhammer best`: each makes every choice of one kind, and compares."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np

from mathhammer.choosing.answer import Alternative, BestPlay
from mathhammer.choosing.settling import metric_of, settle, value_of
from mathhammer.choosing.variants import (
    MOST_VARIANTS,
    Variant,
    Way,
    allocation_orders,
    batch_orders,
    common,
    fishing,
    lethal_hits,
    modes,
    modes_of,
    precision_targets,
    together,
    with_choice,
)
from mathhammer.errors import InvalidScenario, UnsupportedScenario
from mathhammer.exact.chains import State
from mathhammer.exact.game import Game
from mathhammer.plan import Plan, make_plan
from mathhammer.scenario import Scenario, checked_scenario

__all__ = [
    "best_allocation",
    "best_batch_order",
    "best_lethal_hits",
    "best_modes",
    "best_play",
    "best_precision",
    "best_rerolls",
]


def best_allocation(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """The defender's allocation order that loses least (05.03).

    Parameters
    ----------
    scenario : Scenario
        Other choices that are "best" are settled first, for the metric, and then stay as they are.
    metric : {"wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed"}, optional
        Default that of the scenario.

    Returns
    -------
    BestPlay
        With every preference for the whole attack; ``answering`` is the value when the order is declared anew
        for each batch in the knowledge of what is left.

    Raises
    ------
    InvalidScenario
        For a metric without its points.
    UnsupportedScenario
        When there are too many orders, or the scenario is too large for the exact engine.

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["4x Gun: A2 BS3+ S4 AP-1 D2"]},
    ...     "target": {"name": "B", "models": ["4x Novice: T3 Sv5+ W1", "2x Veteran: T3 Sv3+ W2"]}})
    >>> best_allocation(fight).best
    'Novice, Veteran'
    """
    settled = _settled(scenario, metric)
    found = _compare(
        "allocation order",
        "defender",
        settled,
        allocation_orders(common(settled, "allocation_order"), None),
    )
    return _answered(found, attacker=False, defender=True)


def best_batch_order(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """The attacker's order of batches that gets most (04.03).

    Parameters
    ----------
    scenario, metric
        As for `best_allocation`.

    Returns
    -------
    BestPlay
        ``answering`` is the value when each next batch is picked in the knowledge of what is left.

    Raises
    ------
    InvalidScenario, UnsupportedScenario

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["8x Bow: A2 BS3+ S4 AP0 D1", "4x Gun: A2 BS3+ S8 AP-3 D3"]},
    ...     "target": {"name": "B", "models": ["5x Wall: T4 Sv3+ W3"]}})
    >>> best_batch_order(fight).best
    'Gun, Bow'
    """
    settled = _settled(scenario, metric)
    ways: list[Way] = [partial(batch_orders, index=index) for index in range(len(settled.attackers))]
    orders = (("; ".join(words), final) for words, final in together(settled, ways))
    return _answered(_compare("batch order", "attacker", settled, orders), attacker=True, defender=False)


def best_play(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """Both sides at their best: the attacker picks each batch, the defender declares an order for it.

    Both know what is left of the target; the defender also which batch comes, but not yet its dice.

    Parameters
    ----------
    scenario, metric
        As for `best_allocation`.

    Returns
    -------
    BestPlay
        The alternatives are the first moves, each with the value of the best play after it: every batch with
        the best answer to it, and what that batch costs the attacker; behind it the other answers, and what
        they cost the defender.

    Raises
    ------
    InvalidScenario
    UnsupportedScenario
        With more than `mathhammer.exact.game.MOST_POSITIONS` positions.

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["4x Bow: A2 BS3+ S4 AP0 D1", "2x Gun: A1 BS3+ S8 AP-3 D3"]},
    ...     "target": {"name": "B", "models": ["4x Novice: T3 Sv5+ W1", "2x Veteran: T3 Sv3+ W2"]}})
    >>> best_play(fight).best
    'Bow against Veteran, Novice'
    """
    settled = _settled(scenario, metric)
    chosen = settled.choices.metric
    plan = make_plan(settled)
    game = Game(plan, _worth(plan, chosen), True, True)
    value = game.value()
    moves = []
    reply = value
    for place, move in enumerate(opening := game.opening()):
        first = place == 0 or opening[place - 1].batch != move.batch
        reply = move.value if first else reply
        against = ", ".join(map(plan.target.group_name, move.order))
        costs = value - move.value if first else move.value - reply
        choice = f"{plan.batches[move.batch].name} against {against}"
        moves.append(Alternative(choice, move.value, max(0.0, costs)))
    best = moves[0].choice if moves else "no attack"
    return BestPlay("play of both", "both", chosen, best, value, tuple(moves), value, settled)


def best_precision(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """The CHARACTER on whom PRECISION is best used, or whether to use it at all (24.28).

    Parameters
    ----------
    scenario, metric
        As for `best_allocation`.

    Returns
    -------
    BestPlay

    Raises
    ------
    InvalidScenario, UnsupportedScenario

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["3x Sniper: A1 BS3+ S5 AP-2 D3 [PRECISION]"]},
    ...     "target": {"name": "B", "models": ["5x Guard: T4 Sv3+ W2", "Captain: T4 Sv2+ InSv4+ W5 [CHARACTER]"]}})
    >>> best_precision(fight, "models_destroyed").best
    'none'
    """
    settled = _settled(scenario, metric)
    options = precision_targets(common(settled, "precision"), None)
    return _compare("PRECISION", "attacker", settled, options)


def best_lethal_hits(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """Whether critical hits should wound automatically or roll (24.23).

    The choice "best" decides for each batch by its worth against the first group.

    Parameters
    ----------
    scenario, metric
        As for `best_allocation`.

    Returns
    -------
    BestPlay

    Raises
    ------
    InvalidScenario, UnsupportedScenario

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["4x Gun: A2 BS3+ S4 AP-1 D2 [LETHAL HITS]"]},
    ...     "target": {"name": "B", "models": ["5x Wall: T8 Sv3+ W3"]}})
    >>> best_lethal_hits(fight).best
    'best'
    """
    settled = _settled(scenario, metric)
    return _compare("LETHAL HITS", "attacker", settled, lethal_hits(common(settled, "lethal_hits"), None))


def best_rerolls(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """Which full re-rolls should fish for criticals by re-rolling successes too (our reading of 24.38).

    Parameters
    ----------
    scenario, metric
        As for `best_allocation`.

    Returns
    -------
    BestPlay

    Raises
    ------
    InvalidScenario, UnsupportedScenario

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["4x Gun: A2 BS3+ S4 AP0 D3 [TWIN-LINKED, DEVASTATING WOUNDS]"]},
    ...     "target": {"name": "B", "models": ["5x Wall: T4 Sv2+ W3"]}})
    >>> best_rerolls(fight).best
    'fish with Gun (wounds)'
    """
    # As listed, whatever the scenario says: what is settled could not be chosen any more.
    listed = with_choice(common(checked_scenario(scenario), "rerolls"), None, rerolls="listed")
    settled = _settled(listed, metric)
    ways: list[Way] = [partial(fishing, place=place) for place in range(len(settled.attackers))]
    options = (("; ".join(words), final) for words, final in together(settled, ways))
    return _compare("re-rolls", "attacker", settled, options)


def best_modes(scenario: Scenario, metric: str | None = None) -> BestPlay:
    """Which mode of each weapon named ``NAME | MODE`` to use.

    Parameters
    ----------
    scenario, metric
        As for `best_allocation`.

    Returns
    -------
    BestPlay

    Raises
    ------
    InvalidScenario
        When there is no such weapon.
    UnsupportedScenario

    Examples
    --------
    >>> modes = ["2x Plasma | low: A2 BS3+ S7 AP-2 D1", "2x Plasma | high: A2 BS3+ S8 AP-3 D2"]
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": modes},
    ...     "target": {"name": "B", "models": ["5x Wall: T4 Sv3+ W2"]}})
    >>> best_modes(fight).best
    'Plasma | high'
    """
    settled = _settled(scenario, metric)
    found = modes_of(settled)
    if not found:
        raise InvalidScenario.at("attacker.weapons", [], 'no weapon has modes (named "NAME | MODE")')
    ways: list[Way] = [partial(modes, index=index, name=name) for index, name in found]
    options = ((", ".join(words), final) for words, final in together(settled, ways))
    return _compare("modes", "attacker", settled, options)


def _settled(scenario: Scenario, metric: str | None) -> Scenario:
    """The scenario with the metric that is asked for, and its choices of "best" found for that."""
    asked = metric_of(checked_scenario(scenario), metric)
    return settle(with_choice(common(scenario, "metric"), None, metric=asked))[0]


def _compare(question: str, who: str, settled: Scenario, options: Iterable[Variant]) -> BestPlay:
    chosen = settled.choices.metric
    found: list[tuple[float, str, Scenario]] = []
    for word, variant in options:
        if len(found) == MOST_VARIANTS:
            raise UnsupportedScenario.at(
                "choices", f"more than {MOST_VARIANTS} ways", f"too many to compare for the best {question}"
            )
        found.append((value_of(variant, chosen), word, variant))
    sign = -1 if who == "attacker" else 1
    # Equal values stay in listed order: rounding errors must not decide.
    found.sort(key=lambda each: sign * round(each[0], 11))
    value, best, variant = found[0]
    table = tuple(Alternative(word, each, max(0.0, sign * (each - value))) for each, word, _ in found)
    return BestPlay(question, who, chosen, best, value, table, None, variant)


def _answered(found: BestPlay, attacker: bool, defender: bool) -> BestPlay:
    """With the value of play that answers the state, where that is not too much."""
    plan = make_plan(found.scenario)
    try:
        answering = Game(plan, _worth(plan, found.metric), attacker, defender).value()
    except UnsupportedScenario:
        return found
    return replace(found, answering=answering)


def _worth(plan: Plan, metric: str) -> Callable[[State], float]:
    """The metric of one final state."""
    side = plan.target
    groups, models = len(side.groups), side.total_models
    standing = side.standing_models.tolist()

    def models_left(state: State) -> int:
        return sum(standing[group][state[group]] for group in range(groups))

    def points(state: State) -> float:
        left = side.rows_left(np.array([state[:groups]], np.int64))[0]
        return float((side.start - left) @ np.array(side.points_each, np.float64))

    return {
        "wounds_lost": lambda state: float(side.total_wounds - sum(state[:groups])),
        "models_destroyed": lambda state: float(models - models_left(state)),
        "unit_destroyed": lambda state: float(not any(state[:groups])),
        "points_destroyed": points,
    }[metric]
