"""The exact engine: the attack sequence on the probabilities of all states of the target."""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mathhammer.errors import UnsupportedScenario
from mathhammer.exact.batch import Resolver, States, add_to
from mathhammer.exact.hazards import hazard_rolls
from mathhammer.outcome import Outcome
from mathhammer.plan import Attack, Plan

__all__ = ["MOST_STATES", "Activation", "History", "activate", "activations", "solve_plan"]

Floats = NDArray[np.float64]
MOST_STATES = 200_000
"""States of the target to keep at one time."""
History = tuple[int, ...]
"""Hazard rolls of each attacker used so far."""


class Activation(NamedTuple):
    """What an attacker does against some states of the target.

    Attributes
    ----------
    batches : tuple of int
        Indices, in order.
    fives : int
        Full five models when targets were selected, where that matters.
    hazard_rolls : int
    hand : int
        Single re-rolls.
    """

    batches: tuple[int, ...]
    fives: int
    hazard_rolls: int
    hand: int


def activations(resolver: Resolver, attack: Attack, states: States) -> dict[Activation, States]:
    """What an attacker does, decided by the living models when it starts; destroyed units are left out."""
    plan, target = resolver.plan, resolver.target
    found: dict[Activation, States] = {}
    for state, weight in states.items():
        if state == target.gone:
            continue
        look = resolver.look(state)
        models = target.models_left(state)
        if attack.models_at_select_targets is not None:
            models = attack.models_at_select_targets
        batches = attack.schedule[look][models >= 5]
        counts = any(plan.batches[batch].by_fives for batch in batches)
        hand, of_damage = resolver.rerolls(batches)
        key = Activation(batches, models // 5 if counts else 0, attack.hazard_rolls[look], hand)
        fresh = (*state[:-1], of_damage)
        here = found.setdefault(key, {})
        here[fresh] = here.get(fresh, 0.0) + weight
    return found


def solve_plan(plan: Plan) -> Outcome:
    """The exact outcome of a plan.

    Raises
    ------
    UnsupportedScenario
        When it takes more states or steps than `MOST_STATES` and `mathhammer.exact.batch.MOST_WORK`.

    Examples
    --------
    >>> from mathhammer import Scenario
    >>> from mathhammer.plan import make_plan
    >>> out = solve_plan(make_plan(Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"]},
    ...     "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]}})))
    >>> round(out.wounds_lost.mean, 6), out.wounds_lost.standard_error
    (3.333333, 0.0)
    """
    resolver = Resolver(plan)
    worlds: dict[History, States] = {(): {resolver.target.start: 1.0}}
    gone = []
    for attack in plan.attacks:
        worlds = activate(resolver, attack, worlds)
        gone.append(sum(states.get(resolver.target.gone, 0.0) for states in worlds.values()))
    return _outcome(resolver, worlds, gone)


def activate(resolver: Resolver, attack: Attack, worlds: dict[History, States]) -> dict[History, States]:
    """All batches of one attacker, in all states; its hazard rolls are noted in the history.

    Raises
    ------
    UnsupportedScenario
        When there are more than `MOST_STATES` states.
    """
    gone = resolver.target.gone
    following: dict[History, States] = {}
    for history, states in worlds.items():
        if gone in states:
            add_to(following, history, {gone: states[gone]})
        for activation, chosen in activations(resolver, attack, states).items():
            hands = {activation.hand: chosen}
            for batch in activation.batches:
                hands = resolver.resolve(batch, activation.fives, hands, attack)
            for here in hands.values():
                add_to(following, (*history, activation.hazard_rolls), here)
    if sum(map(len, following.values())) > MOST_STATES:
        raise UnsupportedScenario.at(
            "scenario", f"more than {MOST_STATES} states", "too large for the exact engine: use simulate"
        )
    return following


def _outcome(resolver: Resolver, worlds: dict[History, States], gone: list[float]) -> Outcome:
    plan, side, rows = resolver.plan, resolver.plan.target, _rows(resolver)
    shares = {history: sum(states.values()) for history, states in worlds.items()}
    used = np.zeros(len(plan.attacks) + 1)
    for history, share in shares.items():
        used[len(history)] += share
    wounds, models = _hazards(plan, shares)
    numbers = chain.from_iterable(chain.from_iterable(worlds.values()))
    left = np.fromiter(numbers, np.int64).reshape(-1, len(resolver.target.gone))[:, : resolver.target.groups]
    return Outcome(
        engine="exact",
        attackers=tuple([attack.name for attack in plan.attacks]),
        target=side.name,
        names=side.names,
        start=side.start,
        start_wounds=side.total_wounds,
        alive=side.rows_left(left),
        wounds_left=left.sum(axis=1),
        weights=np.array([weight for states in worlds.values() for weight in states.values()]),
        used=used,
        attacker_wounds=wounds,
        attacker_models=models,
        by_weapon=tuple(rows),
        after_attacker=tuple(plan.after_attacker(rows, gone)),
        assumed=plan.assumed,
        not_modelled=plan.not_modelled,
        points_each=side.points_each,
        attacker_points=plan.attacker_points,
    )


def _rows(resolver: Resolver) -> list[dict[str, Any]]:
    rows = []
    for batch, means in zip(resolver.plan.batches, resolver.means, strict=True):
        attacks, hits, critical_hits, wounds, critical_wounds = means.rolled
        wounds_lost, models_destroyed = means.taken()
        rows.append(
            resolver.plan.empty_row(batch)
            | {
                "attacks": attacks,
                "hits": hits,
                "critical_hits": critical_hits,
                "wounds": wounds,
                "critical_wounds": critical_wounds,
                "unsaved": means.unsaved,
                "mortal_wounds": means.mortal,
                "damage": means.damage,
                "wounds_lost": wounds_lost,
                "models_destroyed": models_destroyed,
            }
        )
    return rows


def _hazards(plan: Plan, histories: dict[History, float]) -> tuple[Floats, Floats]:
    """Losses of all attackers together by their hazard rolls (06.03)."""
    wounds, models = np.zeros(plan.most_attacker_wounds + 1), np.zeros(plan.most_attacker_models + 1)
    known: dict[tuple[int, int], tuple[Floats, Floats]] = {}
    for history, weight in histories.items():
        if not any(history):
            wounds[0] += weight
            models[0] += weight
            continue
        lost = np.ones(1), np.ones(1)
        for index, rolls in enumerate(history):
            attack = plan.attacks[index]
            if attack.side is None or not rolls:
                continue
            if (index, rolls) not in known:
                known[index, rolls] = hazard_rolls(attack.side, rolls, attack.hazard_wounds)
            own = known[index, rolls]
            lost = np.convolve(lost[0], own[0]), np.convolve(lost[1], own[1])
        wounds[: len(lost[0])] += weight * lost[0]
        models[: len(lost[1])] += weight * lost[1]
    return wounds, models
