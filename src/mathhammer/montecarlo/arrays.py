"""A plan as the arrays that the kernels read; tables of wounds are added when a block first needs them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mathhammer.errors import UnsupportedScenario
from mathhammer.montecarlo import kernels
from mathhammer.montecarlo.tables import TableStore, batch_table, binomial, damage_table, ones_of
from mathhammer.plan import Plan
from mathhammer.sides import NORMAL_MORTAL, Side

__all__ = ["Arrays", "make_arrays"]

Integers = NDArray[np.int64]
_REROLLS = {
    None: kernels.RE_ROLL_NONE,
    "ones": kernels.RE_ROLL_ONES,
    "failures": kernels.RE_ROLL_FAILURES,
    "noncritical": kernels.RE_ROLL_ALL,
}
MOST_STATES = 1 << 62


@dataclass
class Arrays:
    """The arrays of a plan, and the tables so far.

    Attributes
    ----------
    damage_batch, damage_mortal, damage_mean
        By table: its batch (-1 for another kind of table), whether of mortal wounds, the mean of D.
    """

    plan: Plan
    target: kernels.Target
    attacks: kernels.Attacks
    batches: kernels.Batches
    store: TableStore
    states: int
    own_states: int
    damage_batch: Integers
    damage_mortal: NDArray[np.bool_]
    damage_mean: NDArray[np.float64]
    pieces: list[list[list[int]]] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)

    @property
    def tables(self) -> kernels.Tables:
        """All tables so far."""
        return self.store.tables

    def place(self, code: int) -> tuple[int, int, int, int, int]:
        """``(batch, look, fives, flags, first group)`` of a number that the kernel gave back."""
        return tuple(int(part) for part in np.unravel_index(code, self.batches.wounds.shape))  # type: ignore[return-value]

    def make_table(self, code: int) -> None:
        """Make the missing table of wounds that the kernel asked for."""
        b, look, fives, flags, first = self.place(code)
        if self.batches.wounds[b, look, fives, flags, first] >= 0:
            return
        batch = self.plan.batches[b]
        roll = batch.rolls[look]
        failing = None if roll.unsaved_critical is not None else roll.unsaved[first]
        one_group = len(self.plan.target.groups) == 1
        table, number, pieces = batch_table(self.store, batch, roll, fives, flags, failing, one_group)
        self.dice += [-1] * (table + 1 - len(self.dice))
        self.pieces += [[[] for _ in range(8)] for _ in range(table + 1 - len(self.pieces))]
        self.dice[table], self.pieces[table] = number, pieces or self.pieces[table]
        most = max(len(row) for table_pieces in self.pieces for row in table_pieces) + 1
        padded = np.full((len(self.pieces), 8, most), -1, np.int64)
        for i, table_pieces in enumerate(self.pieces):
            for state, row in enumerate(table_pieces):
                padded[i, state, : len(row)] = row
        wounds = self.batches.wounds.copy()
        wounds[b, look, fives, flags, first] = table
        self.batches = self.batches._replace(wounds=wounds, dice=np.array(self.dice, np.int64), pieces=padded)


def make_arrays(plan: Plan) -> Arrays:
    """Write a plan as arrays.

    Raises
    ------
    UnsupportedScenario
        When the states of the target cannot be numbered.
    """
    store = TableStore()
    target, states = _target(plan)
    most_fives = max(
        [int(plan.target.start.sum()) // 5, *((a.models_at_select_targets or 0) // 5 for a in plan.attacks)]
    )
    fives = most_fives + 1 if any(batch.by_fives for batch in plan.batches) else 1
    attacks = _attacks(plan, store)
    batches, damage = _batches(plan, store, fives)
    size = max(damage, default=-1) + 1
    own = (plan.most_attacker_wounds + 1) * (plan.most_attacker_models + 1)
    arrays = Arrays(
        plan=plan,
        target=target,
        attacks=attacks,
        batches=batches,
        store=store,
        states=states,
        own_states=own,
        damage_batch=np.array([damage.get(i, (-1, False, 0.0))[0] for i in range(size)], np.int64),
        damage_mortal=np.array([damage.get(i, (-1, False, 0.0))[1] for i in range(size)], bool),
        damage_mean=np.array([damage.get(i, (-1, False, 0.0))[2] for i in range(size)]),
    )
    return arrays


def _target(plan: Plan) -> tuple[kernels.Target, int]:
    side = plan.target
    sizes = [wounds + 1 for wounds in side.wounds]
    states = 1
    stride = []
    for size in sizes:
        stride.append(states)
        states *= size
        if states > MOST_STATES:
            raise UnsupportedScenario.at("target.models", len(sizes), "too many groups and wounds to number")
    bits = (side.standing > 0) @ (1 << np.arange(len(side.names), dtype=np.int64))
    return (
        kernels.Target(
            start=np.array(side.wounds, np.int64),
            character=np.array(side.character),
            next_left=side.next_left,
            next_row=side.next_row,
            hurt=side.hurt,
            models=side.standing_models,
            living=bits.astype(np.int64),
            look_of=plan.look_of,
            stride=np.array(stride, np.int64),
            to_zero=np.array(side.to_zero, np.int64),
        ),
        states,
    )


def _attacks(plan: Plan, store: TableStore) -> kernels.Attacks:
    count, looks, groups = len(plan.attacks), len(plan.looks), len(plan.target.groups)
    longest = max(len(ids) for attack in plan.attacks for pair in attack.schedule for ids in pair)
    schedule = np.full((count, looks, 2, longest + 1), -1, np.int64)
    precision = np.full((count, groups), -1, np.int64)
    hazards = np.full((count, looks), -1, np.int64)
    own = [attack.side for attack in plan.attacks]
    own_groups = max((len(side.groups) for side in own if side), default=1)
    most = max((side.next_left.shape[1] for side in own if side), default=1)
    own_start = np.zeros((count, own_groups), np.int64)
    own_character = np.zeros((count, own_groups), bool)
    next_left = np.zeros((count, own_groups, most), np.int64)
    hurt = np.zeros((count, own_groups, most), bool)
    kept = np.zeros((count, own_groups, most), np.uint64)
    for a, attack in enumerate(plan.attacks):
        for look, pair in enumerate(attack.schedule):
            for five, ids in enumerate(pair):
                schedule[a, look, five, : len(ids)] = ids
            if attack.hazard_rolls[look] and attack.side is not None:
                failed = binomial(attack.hazard_rolls[look], 1 / 3)
                hazards[a, look] = store.add(np.arange(len(failed)), failed)
        precision[a, : len(attack.precision)] = attack.precision
        if attack.side is not None:
            rows, size = attack.side.next_left.shape
            own_start[a, :rows] = attack.side.wounds
            own_character[a, :rows] = attack.side.character
            next_left[a, :rows, :size] = attack.side.next_left
            hurt[a, :rows, :size] = attack.side.hurt
            kept[a, :rows, :size] = _ignored(attack.side)
    return kernels.Attacks(
        schedule=schedule,
        preference=np.array([attack.preference for attack in plan.attacks], np.int64),
        precision=precision,
        models_at_select_targets=np.array(
            [
                -1 if attack.models_at_select_targets is None else attack.models_at_select_targets
                for attack in plan.attacks
            ],
            np.int64,
        ),
        hazard_table=hazards,
        hazard_wounds=np.array([attack.hazard_wounds for attack in plan.attacks], np.int64),
        own_start=own_start,
        own_character=own_character,
        own_next_left=next_left,
        own_hurt=hurt,
        own_kept=kept,
        own_models=plan.most_attacker_models,
    )


def _ignored(side: Side) -> NDArray[np.uint64]:
    """2**64 times the chance that FEEL NO PAIN ignores a mortal wound, by group and wounds left."""
    ignored = 7 - side.pain[side.next_row, NORMAL_MORTAL]
    return ignored.astype(np.uint64) * np.uint64(2**64 // 6)


def _batches(
    plan: Plan, store: TableStore, fives: int
) -> tuple[kernels.Batches, dict[int, tuple[int, bool, float]]]:
    looks, groups, rows = len(plan.looks), len(plan.target.groups), len(plan.target.names)
    shape = (len(plan.batches), looks)
    rolls = [batch.rolls for batch in plan.batches]
    damage = np.full((*shape, rows, 2, 2), -1, np.int64)
    described: dict[int, tuple[int, bool, float]] = {}
    for b, batch in enumerate(plan.batches):
        known: dict[object, int] = {}
        for look, roll in enumerate(batch.rolls):
            for row in range(rows):
                for mortal in (0, 1):
                    kind = len(roll.damage) - 1 if mortal else roll.damage_class[row]
                    pain = int(plan.target.pain[row, batch.kind + 2 * mortal])
                    for at_hand in (0, 1):
                        single = bool(at_hand and roll.damage_one)
                        key = (
                            roll.damage[kind],
                            roll.damage_after_one[kind : kind + 1],
                            pain,
                            mortal,
                            single,
                        )
                        if key not in known:
                            table, mean = damage_table(store, roll, kind, pain, single)
                            known[key] = table
                            described[table] = (b, bool(mortal), mean)
                        damage[b, look, row, mortal, at_hand] = known[key]

    def by_look(number: object) -> Integers:
        values = [[number(roll) for roll in row] for row in rolls]  # type: ignore[operator]
        return np.array(values, np.int64).reshape(*shape, *np.shape(values)[2:])

    return (
        kernels.Batches(
            by_fives=np.array([batch.by_fives for batch in plan.batches]),
            precision=by_look(lambda roll: roll.precision).astype(bool),
            devastating=by_look(lambda roll: roll.devastating).astype(bool),
            pools=by_look(_pools),
            unsaved=by_look(lambda roll: roll.unsaved),
            unsaved_critical=by_look(lambda roll: roll.unsaved_critical or roll.unsaved),
            save_reroll=by_look(lambda roll: _REROLLS[roll.save_reroll]),
            ones=by_look(ones_of),
            damage=damage,
            wounds=np.full((*shape, fives, 8, groups), -1, np.int64),
            dice=np.zeros(0, np.int64),
            pieces=np.zeros((0, 8, 1), np.int64),
        ),
        described,
    )


def _pools(roll: object) -> int:
    """Which pool goes first: the better AP (rules.md 8)."""
    critical, normal = roll.unsaved_critical, roll.unsaved  # type: ignore[attr-defined]
    if critical is None:
        return kernels.NO_POOLS
    return kernels.CRITICAL_FIRST if sum(critical) >= sum(normal) else kernels.CRITICAL_LAST
