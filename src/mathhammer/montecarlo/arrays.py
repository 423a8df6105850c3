"""A plan as the array that the kernels read; tables of wounds are added when a block first needs them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.errors import UnsupportedScenario
from mathhammer.montecarlo import memory as at
from mathhammer.montecarlo.chains import chain_record
from mathhammer.montecarlo.draws import stream_start
from mathhammer.montecarlo.memory import Memory
from mathhammer.montecarlo.tables import (
    TableStore,
    batch_table,
    binomial,
    binomial_tables,
    damage_table,
    ones_of,
)
from mathhammer.plan import Plan, Roll
from mathhammer.plan.damage import lost_wounds
from mathhammer.rules import legal_order
from mathhammer.sides import NORMAL_MORTAL, Side

__all__ = ["Arrays", "Damage"]

Integers = NDArray[np.int64]
_REROLLS = {
    None: at.RE_ROLL_NONE,
    "ones": at.RE_ROLL_ONES,
    "failures": at.RE_ROLL_FAILURES,
    "noncritical": at.RE_ROLL_ALL,
}
MOST_STATES = 1 << 62
AT_A_TIME = 512
"""Trials in which a batch is begun before it is ended: so few that what is noted of them stays near."""
GONE, LIVES, HURT = 0, 1, 3
"""A group, in two bits."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What a damage table is of: a batch, normal damage or mortal wounds; and the mean of its D."""

    batch: int
    mortal: bool
    mean: float


class Room(threading.local):
    """The arrays that a thread plays its blocks in, one after another: new ones for each would cost as much again.

    Attributes
    ----------
    p : ndarray of int64, or None
        What the records in ``known`` were made for.
    codes, rng, starts : ndarray of int64 and uint64, shape (trials of a block,)
        State of the target and of the random numbers, and where the streams of the first trials begin.
    known : ndarray of int64
        See `mathhammer.montecarlo.in_step`.
    """

    def __init__(self) -> None:
        self.p: Integers | None = None
        self.codes = self.known = np.zeros(0, np.int64)
        self.rng = self.starts = np.zeros(0, np.uint64)
        self.later = np.empty(3 * AT_A_TIME, np.int64)

    def make(self, trials: int, known: int) -> None:
        """Take so much room, where there is less."""
        if len(self.codes) < trials:
            self.codes, self.rng = np.empty(trials, np.int64), np.empty(trials, np.uint64)
            self.starts = stream_start(np.uint64(0), np.arange(trials, dtype=np.uint64))
        if len(self.known) != known:
            self.p, self.known = None, np.empty(known, np.int64)


class Arrays:
    """A plan written down for the kernels.

    Attributes
    ----------
    p : ndarray of int64
        See `mathhammer.montecarlo.memory`; replaced, not changed, when a table is added.
    states : int
        Codes of the target's final states are below it.
    own_states : int
        Codes of the attackers' losses are below it.
    stride : ndarray of int64, shape (groups,)
    found : tuple of int
        Shape ``(batches, looks, fives, sets of re-rolls)`` of what a batch can find.
    damage : dict of int to Damage
        By table.
    in_step : bool
        Whether what a batch finds follows from the state of the target alone, and there are few states: then all
        trials can be played batch by batch. Set to False when a table turns out not to be drawn from at once.
    room : Room
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.store = TableStore()
        self.damage: dict[int, Damage] = {}
        self._memory = Memory()
        self._write_target()
        self._write_attacks()
        self._write_batches()
        self.own_states = 1
        if any(any(attack.hazard_rolls) for attack in plan.attacks):
            self.own_states = (plan.most_attacker_wounds + 1) * (plan.most_attacker_models + 1)
        self._write_tallies()
        self.in_step = self._in_step()
        self.room = Room()

    def _write_target(self) -> None:
        plan, side, put = self.plan, self.plan.target, self._memory.put
        if len(side.groups) > at.MOST_GROUPS:
            remedy = f"at most {at.MOST_GROUPS} allocation groups (each CHARACTER model is one)"
            raise UnsupportedScenario.at("target.models", len(side.groups), remedy)
        sizes = [wounds + 1 for wounds in side.wounds]
        self.stride = np.array([1, *np.cumprod(np.array(sizes[:-1], object))], object)
        self.states = int(self.stride[-1]) * sizes[-1]
        if self.states > MOST_STATES:
            raise UnsupportedScenario.at("target.models", len(sizes), "too many groups and wounds to number")
        self.stride = self.stride.astype(np.int64)
        rows = 1 << np.arange(len(side.names), dtype=np.int64)
        put(at.GROUPS, len(side.groups))
        put(at.ROWS, len(side.names))
        put(at.WIDTH, side.next_left.shape[1])
        put(at.LOOKS, len(plan.looks))
        put(at.START, side.wounds)
        put(at.STRIDE, self.stride)
        put(at.ORDERS, self._orders())
        put(at.NEXT_LEFT, side.next_left)
        put(at.NEXT_ROW, side.next_row)
        put(at.ALL_ROWS, (1 << len(side.names)) - 1)
        put(at.MODELS_LEFT, side.standing_models)
        lives = np.arange(side.next_left.shape[1]) > 0
        states = (lives + 2 * (side.hurt & lives)) << (len(rows) + 2 * np.arange(len(side.groups)))[:, None]
        put(at.STANDING, ((side.standing > 0) @ rows) | states)
        put(at.LOOK_OF, plan.look_of)
        put(at.TO_ZERO, side.to_zero)
        put(at.CHARACTERS, sum(1 << g for g, own in enumerate(side.character) if own))
        put(at.PLAIN, len(side.groups) - sum(side.character))
        put(at.BINOMIAL, binomial_tables() if len(side.groups) > 1 else [])

    def _orders(self) -> object:
        """Allocation orders by attacker and state of the groups, as the kernels write them; -1 for many groups."""
        side, groups = self.plan.target, len(self.plan.target.groups)
        if groups > at.FEW_GROUPS:
            return -1
        orders = np.zeros((len(self.plan.attacks), 4**groups), np.int64)
        for a, attack in enumerate(self.plan.attacks):
            for own in product((GONE, LIVES, HURT), repeat=groups):
                legal = legal_order(attack.preference, side.character, [bits == HURT for bits in own])
                living = [g for g in legal if own[g]]
                state = sum(bits << 2 * g for g, bits in enumerate(own))
                orders[a, state] = sum((g + 1) << 4 * place for place, g in enumerate(living))
        return orders

    def _write_attacks(self) -> None:
        plan, put = self.plan, self._memory.put
        count, groups = len(plan.attacks), len(plan.target.groups)
        longest = max(len(ids) for attack in plan.attacks for pair in attack.schedule for ids in pair) + 1
        schedule = np.full((count, len(plan.looks), 2, longest), -1, np.int64)
        selectable = np.full((count, groups), -1, np.int64)
        hazards = np.full((count, len(plan.looks)), -1, np.int64)
        for a, attack in enumerate(plan.attacks):
            selectable[a, : len(attack.precision)] = attack.precision
            for look, pair in enumerate(attack.schedule):
                for five, ids in enumerate(pair):
                    schedule[a, look, five, : len(ids)] = ids
                if attack.hazard_rolls[look] and attack.side is not None:
                    failed = binomial(attack.hazard_rolls[look], 1 / 3)
                    hazards[a, look] = self.store.add(np.arange(len(failed)), failed)
        select = [attack.models_at_select_targets for attack in plan.attacks]
        put(at.ATTACKERS, count)
        put(at.LONGEST, longest)
        put(at.SCHEDULE, schedule)
        last = [sorted(attack.preference, key=lambda g: plan.target.character[g]) for attack in plan.attacks]
        put(at.PREFERENCE, last)
        put(at.SELECTABLE, selectable)
        put(at.SELECT_TARGETS, [-1 if models is None else models for models in select])
        put(at.HAZARD_TABLE, hazards)
        put(at.HAZARD_WOUNDS, [attack.hazard_wounds for attack in plan.attacks])
        self._write_own_sides()

    def _write_own_sides(self) -> None:
        """The attackers as those who suffer by their hazard rolls."""
        sides, put = [attack.side for attack in self.plan.attacks], self._memory.put
        groups = max((len(side.groups) for side in sides if side), default=1)
        width = max((side.next_left.shape[1] for side in sides if side), default=1)
        if groups > at.MOST_GROUPS:
            remedy = f"at most {at.MOST_GROUPS} allocation groups (each CHARACTER model is one)"
            raise UnsupportedScenario.at("attacker.models", groups, remedy)

        def padded(read: Callable[[Side], object], shape: tuple[int, ...], dtype: type = np.int64) -> object:
            array: NDArray[Any] = np.zeros((len(sides), *shape), dtype)
            for a, side in enumerate(sides):
                if side is not None:
                    part = np.asarray(read(side))
                    array[a][tuple(slice(size) for size in part.shape)] = part
            return array

        put(at.OWN_GROUPS, groups)
        put(at.OWN_WIDTH, width)
        put(at.OWN_MODELS, self.plan.most_attacker_models)
        put(at.OWN_START, padded(lambda side: side.wounds, (groups,)))
        put(at.OWN_CHARACTER, padded(lambda side: side.character, (groups,)))
        put(at.OWN_NEXT_LEFT, padded(lambda side: side.next_left, (groups, width)))
        put(at.OWN_HURT, padded(lambda side: side.hurt, (groups, width)))
        put(at.OWN_IGNORED, padded(_ignored, (groups, width), np.uint64))

    def _in_step(self) -> bool:
        plan = self.plan
        schedules = [{ids for pair in attack.schedule for ids in pair} for attack in plan.attacks]
        return (
            len(plan.target.groups) <= at.FEW_GROUPS
            and len(plan.batches) * self.states <= at.FEW_STATES
            and all(len(schedule) == 1 for schedule in schedules)
            and not any(plan.target.to_zero)
            and not any(any(attack.hazard_rolls) for attack in plan.attacks)
            and not any(batch.by_fives or any(batch.single_rerolls) for batch in plan.batches)
            and all(roll.unsaved_critical is None for batch in plan.batches for roll in batch.rolls)
        )

    def _write_batches(self) -> None:
        plan, put = self.plan, self._memory.put
        most = [
            plan.target.total_models,
            *(attack.models_at_select_targets or 0 for attack in plan.attacks),
        ]
        fives = max(most) // 5 + 1 if any(batch.by_fives for batch in plan.batches) else 1
        self.found = (len(plan.batches), len(plan.looks), fives, 8)
        self._wound_table = np.full((*self.found, len(plan.target.groups)), -1, np.int64)
        self._chain = np.full(
            (len(plan.batches), len(plan.looks), len(plan.target.groups), 2), at.NOT_MADE, np.int64
        )
        self._chains: list[Integers] = []
        self._chain_like: dict[object, int] = {}

        def by_look(place: np.int64, number: Callable[[Roll], object]) -> None:
            put(place, [[number(roll) for roll in batch.rolls] for batch in plan.batches])

        put(at.STATES, self.states)
        put(at.FIVES, fives)
        put(at.BY_FIVES, [batch.by_fives for batch in plan.batches])
        by_look(at.PRECISION, lambda roll: roll.precision)
        by_look(at.DEVASTATING, lambda roll: roll.devastating)
        by_look(at.POOLS, _pools)
        by_look(at.UNSAVED, lambda roll: roll.unsaved)
        by_look(at.UNSAVED_CRITICAL, lambda roll: roll.unsaved_critical or roll.unsaved)
        by_look(at.SAVE_REROLL, lambda roll: _REROLLS[roll.save_reroll])
        by_look(at.ONES, ones_of)
        put(at.DAMAGE, self._damage_tables())

    def _damage_tables(self) -> Integers:
        plan, rows = self.plan, range(len(self.plan.target.names))
        tables = np.empty((len(plan.batches), len(plan.looks), len(rows), 2, 2), np.int64)
        known: dict[object, int] = {}
        for place in np.ndindex(*tables.shape):
            b, look, row, mortal, at_hand = place
            roll = plan.batches[b].rolls[look]
            which = len(roll.damage) - 1 if mortal else roll.damage_class[row]
            pain, single = (
                int(plan.target.pain[row, roll.kind + 2 * mortal]),
                bool(at_hand and roll.damage_one),
            )
            key = (b, roll.damage[which], roll.damage_after_one[which : which + 1], pain, mortal, single)
            if key not in known:
                known[key], mean = damage_table(self.store, roll, which, pain, single)
                self.damage[known[key]] = Damage(b, bool(mortal), mean)
            tables[place] = known[key]
        return tables

    def _write_tallies(self) -> None:
        """Sizes of the state, and the array itself."""
        plan, put = self.plan, self._memory.put
        started = at.FIXED_STATE + 3 * len(plan.batches)
        rolled = started + len(plan.attacks)
        put(at.TALLY, at.FIXED_STATE)
        put(at.STARTED, started)
        put(at.ROLLED, rolled)
        put(at.INFLICTED, rolled + int(np.prod(self.found)))
        put(at.STATE_SIZE, rolled + int(np.prod(self.found)) + len(self.store))
        self.damage_tables = len(self.store)
        put(at.WOUND_TABLE, self._wound_table)
        put(at.WOUND_TABLES, self._wound_table.size)
        put(at.CHAIN, self._chain)
        self._fixed = self._memory.array()
        self._renew()

    def _renew(self) -> None:
        """Write the array again with the tables there are now: one that is in use is not touched."""
        fixed = self._fixed
        tables = len(fixed) + sum(map(len, self._chains))
        p = np.concatenate([fixed, *self._chains, *self.store.parts(tables)])
        p[p[at.WOUND_TABLE] :][: self._wound_table.size] = self._wound_table.ravel()
        made = np.where(self._chain >= 0, self._chain + len(fixed), self._chain)
        p[p[at.CHAIN] :][: self._chain.size] = made.ravel()
        p[at.TABLES] = tables
        self.p = p

    def empty_state(self) -> Integers:
        """A state with all tallies 0."""
        return np.zeros(self.p[at.STATE_SIZE], np.int64)

    def part(self, state: Integers, place: np.int64, size: int) -> Integers:
        """One tally of a state."""
        first = self.p[place]
        return state[first : first + size]

    def wound_table(self, place: tuple[int, ...]) -> int:
        """The table of wounds for ``(batch, look, fives, re-rolls at hand, first group)``, made if need be."""
        if self._wound_table[place] < 0:
            self._make_wound_table(*place)
            self._renew()
        return int(self._wound_table[place])

    def _make_wound_table(self, b: int, look: int, fives: int, flags: int, first: int) -> None:
        roll = self.plan.batches[b].rolls[look]
        failing = None if roll.unsaved_critical is not None else roll.unsaved[first]
        one_group = len(self.plan.target.groups) == 1
        table = batch_table(self.store, self.plan.batches[b], look, fives, flags, failing, one_group)
        self._wound_table[b, look, fives, flags, first] = table

    def make_missing(self, number: int) -> None:
        """Make what a kernel asked for: a place in WOUND_TABLE, or behind it one in CHAIN."""
        wanted: Iterable[tuple[int, int]] = []
        if number < self._wound_table.size:
            b, look, *more = map(int, np.unravel_index(number, self._wound_table.shape))
            if self._wound_table[b, look, *more] < 0:
                self._make_wound_table(b, look, *more)
        else:
            number -= self._wound_table.size
            b, look, g, mortal = map(int, np.unravel_index(number, self._chain.shape))
            wanted = [(g, mortal)]
        if self.in_step:
            # A batch that is begun is ended: it may come to need the chain of any group.
            kinds = (0, 1) if self.plan.batches[b].rolls[look].devastating else (0,)
            wanted = product(range(len(self.plan.target.groups)), kinds)
        for place in wanted:
            if self._chain[b, look, *place] == at.NOT_MADE:
                self._chain[b, look, *place] = self._make_chain(b, look, *place)
        self._renew()

    def _make_chain(self, b: int, look: int, g: int, mortal: int) -> int:
        """What several attacks do to a group: where it stands among the chains, or that it is not the same for
        all its models."""
        side, roll = self.plan.target, self.plan.batches[b].rolls[look]
        rows = side.groups[g]
        classes = {roll.damage_class[row] for row in rows}
        if not mortal and (len(classes) > 1 or any(side.to_zero[row] for row in rows)):
            return int(at.STEP_BY_STEP)
        damage = roll.damage[len(roll.damage) - 1 if mortal else classes.pop()]
        pain = side.pain[:, roll.kind + 2 * mortal].tolist()
        like = (g, damage, *pain)
        if like not in self._chain_like:
            span = slice(side.wounds[g] + 1)
            lost = [lost_wounds(damage, each) for each in pain]
            record = chain_record(side.next_left[g, span], side.next_row[g, span], lost, rows[0])
            if record is None:
                return int(at.STEP_BY_STEP)
            self._chain_like[like] = sum(map(len, self._chains))
            self._chains.append(record)
        return self._chain_like[like]


def _ignored(side: Side) -> NDArray[np.uint64]:
    """2**64 times the chance that FEEL NO PAIN ignores a mortal wound, by group and wounds left."""
    ignored = 7 - side.pain[side.next_row, NORMAL_MORTAL]
    return np.asarray(ignored.astype(np.uint64) * np.uint64(2**64 // 6))


def _pools(roll: Roll) -> int:
    """Which pool goes first: the better AP (our reading of 05.03.02)."""
    if roll.unsaved_critical is None:
        return at.NO_POOLS
    return at.CRITICAL_FIRST if roll.ap_critical <= roll.ap else at.CRITICAL_LAST
