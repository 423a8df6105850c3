"""Play that answers the state: each side chooses anew before each batch, solved by backward induction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mathhammer import rules
from mathhammer.errors import UnsupportedScenario
from mathhammer.exact.batch import Resolver, States
from mathhammer.exact.chains import State
from mathhammer.exact.engine import Activation, activations
from mathhammer.plan import Plan

__all__ = ["MOST_POSITIONS", "Game", "Move"]

MOST_POSITIONS = 30_000
"""Batches against single states to resolve."""


@dataclass(frozen=True, slots=True)
class Move:
    """A first move of both sides, and the value of the game after it.

    Attributes
    ----------
    batch : int
        Index in the plan.
    order : tuple of int
        The allocation order that the defender declares: groups.
    value : float
    """

    batch: int
    order: tuple[int, ...]
    value: float


class Game:
    """The attack as a game: the attacker wants much of a metric, the defender little.

    Parameters
    ----------
    plan : Plan
    worth : callable
        Value of a final state of the target.
    attacker_chooses : bool
        The attacker picks each next batch knowing the state; otherwise in the plan's order.
    defender_chooses : bool
        The defender declares any legal order for each batch knowing the state and the batch, but not yet its
        dice; otherwise the plan's preference.
    """

    def __init__(
        self, plan: Plan, worth: Callable[[State], float], attacker_chooses: bool, defender_chooses: bool
    ) -> None:
        self.plan, self.worth = plan, worth
        self.attacker_chooses, self.defender_chooses = attacker_chooses, defender_chooses
        self.resolver = Resolver(plan)
        self._after: dict[object, dict[int, States]] = {}
        self._values: dict[object, float] = {}

    def value(self) -> float:
        """Expected value when both play their best."""
        return self._begin(0, self.resolver.target.start)

    def opening(self) -> list[Move]:
        """All first moves with their values, the attacker's best first and the defender's best answer first."""
        start = self.resolver.target.start
        for index, attack in enumerate(self.plan.attacks):
            ((activation, states),) = activations(self.resolver, attack, {start: 1.0}).items()
            if activation.batches:
                (state,) = states
                return self._first_moves(index, activation, state)
        return []

    def _first_moves(self, index: int, activation: Activation, state: State) -> list[Move]:
        replies = []
        for place in self._next(activation.batches):
            moves = [
                Move(
                    activation.batches[place],
                    self.resolver.target.allocation_order(order, state),
                    self._reply(index, activation, activation.batches, place, order, state, activation.hand),
                )
                for order in self._orders(index, state)
            ]
            replies.append(sorted(moves, key=lambda move: move.value))
        replies.sort(key=lambda moves: -moves[0].value)
        return [move for moves in replies for move in moves]

    # ---- the induction

    def _begin(self, index: int, state: State) -> float:
        """An attacker starts."""
        if state == self.resolver.target.gone or index == len(self.plan.attacks):
            return self.worth(state)
        found = activations(self.resolver, self.plan.attacks[index], {state: 1.0})
        ((activation, states),) = found.items()
        (fresh,) = states
        return self._move(index, activation, activation.batches, fresh, activation.hand)

    def _move(
        self, index: int, activation: Activation, remaining: tuple[int, ...], state: State, hand: int
    ) -> float:
        """The attacker picks a batch, the defender answers with an order."""
        if state == self.resolver.target.gone:
            return self.worth(state)
        if not remaining:
            return self._begin(index + 1, (*state[:-1], 0))
        key = (index, activation, remaining, state, hand)
        if key not in self._values:
            self._values[key] = max(
                min(
                    self._reply(index, activation, remaining, place, order, state, hand)
                    for order in self._orders(index, state)
                )
                for place in self._next(remaining)
            )
        return self._values[key]

    def _reply(
        self,
        index: int,
        activation: Activation,
        remaining: tuple[int, ...],
        place: int,
        order: tuple[int, ...],
        state: State,
        hand: int,
    ) -> float:
        """Expected value after a batch that is resolved in an order."""
        batch, rest = remaining[place], (*remaining[:place], *remaining[place + 1 :])
        key = (batch, activation.fives, order, state, hand)
        if key not in self._after:
            if len(self._after) == MOST_POSITIONS:
                remedy = "too many for best play: fix the order of batches, or take fewer batches or groups"
                raise UnsupportedScenario.at("scenario", f"more than {MOST_POSITIONS} positions", remedy)
            attack = self.plan.attacks[index]
            here = {hand: {state: 1.0}}
            self._after[key] = self.resolver.resolve(batch, activation.fives, here, attack, order)
        return sum(
            weight * self._move(index, activation, rest, reached, left)
            for left, states in self._after[key].items()
            for reached, weight in states.items()
        )

    def _next(self, remaining: tuple[int, ...]) -> range:
        return range(len(remaining) if self.attacker_chooses else min(1, len(remaining)))

    def _orders(self, index: int, state: State) -> list[tuple[int, ...]]:
        """What the defender may declare, the preference of the plan first; groups that are gone stand last."""
        preference = self.plan.attacks[index].preference
        if not self.defender_chooses or len(preference) == 1:
            return [preference]
        target = self.resolver.target
        living = [group for group in preference if state[group]]
        gone = tuple(group for group in preference if not state[group])
        character = [target.side.character[group] for group in living]
        wounded = [bool(target.hurt[group, state[group]]) for group in living]
        return [
            (*(living[place] for place in order), *gone) for order in rules.legal_orders(character, wounded)
        ]
