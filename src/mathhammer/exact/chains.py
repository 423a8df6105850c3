"""Allocation orders, and the chains of states that the target passes through in one (05.03, 05.04, 06.02)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.exact import kernels
from mathhammer.sides import Side

__all__ = ["Chain", "Declared", "State", "Target", "target_of"]

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
State = tuple[int, ...]
"""Wounds left by group, then what is left of ``damage_to_zero``, then 1 for a single re-roll of damage."""
Share = TypeVar("Share")


MOST_NODES_KEPT = 10_000
"""Of the chains that a target remembers."""


class Declared(NamedTuple):
    """The living groups in the order declared, and the one that PRECISION puts first (-1: none)."""

    order: tuple[int, ...]
    selected: int

    @property
    def first(self) -> int:
        """The group that is current first."""
        return self.selected if self.selected >= 0 else self.order[0]

    def still(self, state: State) -> Declared:
        """What remains of the declaration when some groups are gone."""
        return Declared(
            tuple(group for group in self.order if state[group]),
            self.selected if self.selected >= 0 and state[self.selected] else -1,
        )


class Chain(NamedTuple):
    """States in the order in which the target passes through them.

    Attributes
    ----------
    states : list of State
        By node. With a single damage re-roll those with it at hand stand first, then all again without.
    group, row, left : ndarray of int64, shape (nodes of one layer,)
        The model that suffers next; see `kernels.walk`.
    worth : ndarray of float64, shape (2, nodes)
        Wounds and models that the unit has left.
    """

    declared: Declared
    states: list[State]
    group: Integers
    row: Integers
    left: Integers
    worth: Floats
    single: bool


class Target:
    """The suffering unit as the arrays of the kernels."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.groups = len(side.groups)
        self.character = np.array(side.character)
        self.hurt = side.hurt
        self.zero_of_row = np.full(len(side.names), -1, np.int64)
        zeros = [row for row, count in enumerate(side.to_zero) if count]
        self.zero_of_row[zeros] = np.arange(self.groups, self.groups + len(zeros))
        self.start: State = (*side.wounds, *(side.to_zero[row] for row in zeros), 0)
        self.gone: State = (0,) * len(self.start)
        self.models: list[list[int]] = side.standing_models.tolist()
        self.pain = tuple(map(tuple, side.pain.T.tolist()))
        self._chains: dict[tuple[State, Declared, bool, bool], Chain] = {}
        self._kept = 0

    @cached_property
    def living(self) -> list[list[int]]:
        """By group and wounds left: bit set of the rows that have living models."""
        bits = (self.side.standing > 0) @ (1 << np.arange(len(self.side.names), dtype=np.int64))
        return bits.tolist()  # type: ignore[no-any-return]

    def models_left(self, state: State) -> int:
        """How many models are left."""
        return sum(models[left] for models, left in zip(self.models, state, strict=False))

    def rows_living(self, state: State) -> int:
        """Bit set of the rows that have living models."""
        rows = 0
        for living, left in zip(self.living, state, strict=False):
            rows |= living[left]
        return rows

    def allocation_order(self, preference: tuple[int, ...], state: State) -> tuple[int, ...]:
        """The living groups in the preferred order made legal (05.03)."""
        if self.groups == 1:
            return preference
        wounded = [bool(self.hurt[group, state[group]]) for group in range(self.groups)]
        order = rules.legal_order(preference, self.side.character, wounded)
        return tuple(group for group in order if state[group])

    def chain(self, start: State, declared: Declared, mortal: bool, single: bool) -> Chain:
        """All states from one on, by attacks (05.04) or by mortal wounds (06.02)."""
        key = (start, declared, mortal, single)
        chain = self._chains.get(key)  # looked up once: another thread may clear them
        if chain is None:
            chain = self._walked(start, declared, mortal, single)
            self._kept += len(chain.states)
            if self._kept > MOST_NODES_KEPT:
                self._chains.clear()
                self._kept = len(chain.states)
            self._chains[key] = chain
        return chain

    def _walked(self, start: State, declared: Declared, mortal: bool, single: bool) -> Chain:
        side = self.side
        states, group, row, left, worth = kernels.walk(
            np.array(start, np.int64),
            np.array(declared.order, np.int64),
            declared.selected,
            mortal,
            self.character,
            side.next_left,
            side.next_row,
            self.hurt,
            side.standing_models,
            self.zero_of_row,
        )
        nodes = list(map(tuple, states.tolist()))
        if single:
            nodes = [
                *((*node[:-1], 1) for node in nodes[:-1]),
                nodes[-1],
                *((*node[:-1], 0) for node in nodes),
            ]
            worth = np.concatenate([worth, worth], axis=1)
        return Chain(declared, nodes, group, row, left, worth, single)

    def gather(
        self,
        shares: Sequence[tuple[State, Declared, Share]],
        mortal: bool,
        single: bool,
        alike: Callable[[Declared, Declared], bool] = lambda one, other: True,
    ) -> list[tuple[Chain, list[tuple[int, Share]]]]:
        """Bring states that lie on one chain together.

        Parameters
        ----------
        shares : sequence of tuple
            State, the order declared in it, and what belongs to it.
        alike : callable
            Whether two declarations may share a chain, beside the order.

        Returns
        -------
        list of pair of Chain and list
            With the nodes of its states, and what belongs to them.
        """
        if len(shares) == 1:
            state, declared, share = shares[0]
            chain = self.chain(state, declared, mortal, single)
            return [(chain, [(chain.states.index(state), share)])]
        longest = sorted(shares, key=lambda share: -sum(share[0][: self.groups]))
        chains: list[tuple[Chain, list[tuple[int, Share]]]] = []
        known: dict[State, list[tuple[int, int]]] = {}
        for state, declared, share in longest:
            for index, node in known.get(state, ()):
                chain, members = chains[index]
                if chain.declared.still(state) == declared and alike(chain.declared, declared):
                    members.append((node, share))
                    break
            else:
                chain = self.chain(state, declared, mortal, single)
                start = chain.states.index(state)
                chains.append((chain, [(start, share)]))
                for node, other in enumerate(chain.states):
                    known.setdefault(other, []).append((len(chains) - 1, node))
        return chains


@lru_cache(maxsize=64)
def target_of(side: Side) -> Target:
    """The arrays of a side, with the chains known already: a comparison asks for the same few over and over."""
    return Target(side)
