"""One batch against all states of the target: saves, damage, mortal wounds (05.03 to 06.02)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mathhammer import rules
from mathhammer.errors import UnsupportedScenario
from mathhammer.exact import kernels
from mathhammer.exact.chains import Chain, Declared, State, target_of
from mathhammer.exact.counts import HITS, SAVES, WOUNDS, Wounds, thinned, wounds_of
from mathhammer.exact.saves import AUTOMATIC, Dice, Part, Pool, between, single_save_reroll
from mathhammer.plan import Attack, Plan

__all__ = ["MOST_WORK", "Resolver", "States", "add_to"]

Floats = NDArray[np.float64]
States = dict[State, float]
Key = TypeVar("Key")
MOST_WORK = 5_000_000_000
"""Multiplications for one solution: beyond that, the Monte Carlo engine is the better way."""


class Means:
    """Sums of a batch, over all the states in which it was rolled."""

    __slots__ = ("damage", "lost", "mortal", "rolled", "unsaved")

    def __init__(self) -> None:
        self.rolled: tuple[float, ...] = (0.0,) * 5
        self.lost = np.zeros(2)
        self.unsaved = self.damage = self.mortal = 0.0

    def taken(self) -> tuple[float, float]:
        """Wounds lost and models destroyed; differences of sums may miss 0 by a rounding."""
        wounds, models = self.lost.tolist()
        return max(wounds, 0.0), max(models, 0.0)

    def roll(self, wounds: Wounds, weight: float) -> None:
        """Count what is rolled before the saves, in states of this weight."""
        self.rolled = tuple(
            [before + weight * mean for before, mean in zip(self.rolled, wounds.means, strict=True)]
        )


class Resolver:
    """Resolves batches of one plan, and remembers what it worked out on the way."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.target = target_of(plan.target)
        self.means = [Means() for _ in plan.batches]
        self._work = 0
        self._wounds: dict[tuple[int, int, int, int], Wounds] = {}

    def look(self, state: State) -> int:
        """What a batch finds that starts in a state: the index of its `mathhammer.plan.Look`."""
        return int(self.plan.look_of[self.target.rows_living(state)]) if len(self.plan.looks) > 1 else 0

    def wounds(self, index: int, look: int, fives: int, hand: int) -> Wounds:
        """All up to the wound rolls, which the state of the target does not change."""
        batch = self.plan.batches[index]
        key = (index, look, fives if batch.by_fives else 0, hand)
        if key not in self._wounds:
            self._wounds[key] = wounds_of(batch, look, fives, hand, self.count_work)
        return self._wounds[key]

    def resolve(
        self,
        index: int,
        fives: int,
        states: dict[int, States],
        attack: Attack,
        preference: tuple[int, ...] | None = None,
    ) -> dict[int, States]:
        """Resolve a batch.

        Parameters
        ----------
        index, fives : int
            Of the batch; full five models when targets were selected, where that matters.
        states : dict of int to dict
            By hand of single re-rolls: states of the target and their probability.
        attack : Attack
            That the batch is of.
        preference : tuple of int, optional
            The defender's for this batch, default that of the attack.

        Returns
        -------
        dict of int to dict
            The same, after the batch.
        """
        after: dict[int, States] = {}
        for hand, here in states.items():
            by_look: dict[int, States] = {}
            for state, weight in here.items():
                if state == self.target.gone:
                    add_to(after, hand, {state: weight})
                else:
                    look = self.look(state)
                    by_look.setdefault(look, {})[state] = weight
            for look, chosen in by_look.items():
                wounds = self.wounds(index, look, fives, hand)
                self.means[index].roll(wounds, sum(chosen.values()))
                play = _Play(self, index, look, attack, preference or attack.preference)
                play.begin(chosen, wounds)
                play.finish(after)
        return after

    def rerolls(self, batches: tuple[int, ...]) -> tuple[int, int]:
        """The single re-rolls that some batches may spend: a hand, and 1 for that of damage."""
        hand = of_damage = 0
        for batch in batches:
            hit, wound, save, damage = self.plan.batches[batch].single_rerolls
            hand |= HITS * hit | WOUNDS * wound | SAVES * save
            of_damage |= damage
        return hand, of_damage

    def count_work(self, work: int) -> None:
        """Keep count, and stop when it is too much.

        Raises
        ------
        UnsupportedScenario
            Beyond `MOST_WORK`.
        """
        self._work += work
        if self._work > MOST_WORK:
            raise UnsupportedScenario.at(
                "scenario",
                f"more than {MOST_WORK:.0e} steps",
                "too large for the exact engine: use simulate",
            )

    def lost(self, index: int, look: int, mortal: bool) -> tuple[Floats, Floats]:
        """Wounds lost to one attack after FEEL NO PAIN, and the mean of its D.

        Returns
        -------
        ndarray of float64, shape (3, rows, most D + 1)
            As `kernels.steps` takes them.
        ndarray of float64, shape (2, rows)
            Without and with the single re-roll at hand.
        """
        roll = self.plan.batches[index].rolls[look]
        pain = self.target.pain[roll.kind + 2 * mortal]
        kinds = (len(roll.damage) - 1,) * len(pain) if mortal else roll.damage_class
        return _wounds_lost(roll.damage, roll.damage_after_one, kinds, pain)


class _Play:
    """A batch against the states of one look."""

    def __init__(
        self,
        resolver: Resolver,
        index: int,
        look: int,
        attack: Attack,
        preference: tuple[int, ...],
    ) -> None:
        self.resolver, self.index, self.look = resolver, index, look
        self.attack, self.preference = attack, preference
        self.target, self.means = resolver.target, resolver.means[index]
        self.roll = roll = resolver.plan.batches[index].rolls[look]
        self.pools = [Pool(False, roll.unsaved)]
        if roll.unsaved_critical is not None:
            # The better AP first (our reading of 05.03.02).
            self.pools.insert(0 if roll.ap_critical <= roll.ap else 1, Pool(True, roll.unsaved_critical))
        self.here: list[tuple[Chain, list[Part]]] = []

    def begin(self, states: States, wounds: Wounds) -> None:
        """Declare the order in each state, and hand out the dice."""
        shares = [(state, self._declared(state), weight) for state, weight in states.items()]
        kinds = (Dice(1 - wounds.critical, wounds.critical), AUTOMATIC)
        for chain, members in self._gather(shares, self.pools[0]):
            start = np.zeros(len(chain.states))
            for node, weight in members:
                start[node] += weight
            self.means.lost += chain.worth.dot(start)
            parts = []
            for hand, number in wounds.by_hand:
                only = number.shape[1] == 1
                mass = start[:, None] * number[:, 0] if only else start[:, None, None] * number
                parts.append(Part(hand, mass, kinds[:1] if only else kinds))
            self.here.append((chain, parts))

    def finish(self, after: dict[int, States]) -> None:
        """Play the steps from the saves on; add the states reached to `after`."""
        for number, pool in enumerate(self.pools):
            if number:
                self._declare_anew(pool)
            self.here = [(chain, self.save_rolls(chain, parts, pool)) for chain, parts in self.here]
        if self.roll.devastating:
            self.mortal_wounds()
        for chain, parts in self.here:
            for part in parts:
                mass = part.mass.reshape(len(chain.states))
                self.means.lost -= chain.worth.dot(mass)
                if chain.single:
                    # The destroyed unit stands at the end of both layers.
                    half = len(mass) // 2
                    mass[-1] += mass[half - 1]
                    mass[half - 1] = 0.0
                reached = zip(chain.states, mass.tolist(), strict=True)
                add_to(after, part.hand, {state: weight for state, weight in reached if weight})

    # ---- the allocation order (05.03)

    def _declared(self, state: State, selected: int | None = None) -> Declared:
        """The order in a state; what PRECISION selected at the start of the batch stays selected (24.28)."""
        if not self.roll.precision:
            selected = -1
        elif selected is None:
            selected = next((group for group in self.attack.precision if state[group]), -1)
        elif selected >= 0 and not state[selected]:
            selected = -1
        return Declared(self.target.allocation_order(self.preference, state), selected)

    def _gather(
        self, shares: list[tuple[State, Declared, float]], pool: Pool
    ) -> list[tuple[Chain, list[tuple[int, float]]]]:
        return self.target.gather(shares, False, self.roll.damage_one, self._alike(pool))

    def _alike(self, pool: Pool | None) -> Callable[[Declared, Declared], bool]:
        """Save re-rolls look at the first group of the order; mortal wounds (no pool) have no saves."""
        if pool and (self.roll.save_reroll == "failures" or self.roll.save_one):
            return lambda one, other: pool.unsaved[one.first] == pool.unsaved[other.first]
        return lambda one, other: True

    def _declare_anew(self, pool: Pool) -> None:
        """The next pool begins: an order for each state that the last one led to."""
        self._regroup(lambda chain, state: self._declared(state, chain.declared.selected), pool)

    def _regroup(self, declare: Callable[[Chain, State], Declared], pool: Pool | None) -> None:
        """Bring the states that were reached together again, for the next pool or (None) for mortal wounds."""
        finished: list[tuple[Chain, list[Part]]] = []
        shares: list[tuple[State, Declared, tuple[list[Part], int]]] = []
        for chain, parts in self.here:
            total = sum(part.mass.reshape(len(chain.states), -1).sum(axis=1) for part in parts)
            for node, weight in enumerate(total.tolist()):
                if not weight:
                    continue
                state = chain.states[node]
                if state == self.target.gone:
                    finished.append((chain, [_only(part, node) for part in parts]))
                else:
                    shares.append((state, declare(chain, state), (parts, node)))
        self.here = finished
        for chain, members in self.target.gather(
            shares, pool is None, self.roll.damage_one, self._alike(pool)
        ):
            found: dict[tuple[int, tuple[Dice, ...], tuple[int, ...]], Part] = {}
            for node, (parts, column) in members:
                for part in parts:
                    shape = part.mass.shape[1:]
                    key = (part.hand, part.axes, shape)
                    if key not in found:
                        found[key] = Part(part.hand, np.zeros((len(chain.states), *shape)), part.axes)
                    found[key].mass[node] += part.mass[column]
            self.here.append((chain, list(found.values())))

    # ---- saves (05.04)

    def save_rolls(self, chain: Chain, parts: list[Part], pool: Pool) -> list[Part]:
        """Visit the save rolls of a pool from the lowest to the highest; `inflict_damage` at each."""
        failing = pool.unsaved[chain.declared.first]
        if self.roll.save_one:
            parts = [after for part in parts for after in single_save_reroll(part, pool.critical, failing)]
        faces = rules.save_rolls(self.roll.save_reroll, failing)
        thresholds = sorted({pool.unsaved[group] for group in chain.declared.order})
        last = thresholds[-1]
        unsaved = np.array(pool.unsaved)[chain.group] if len(thresholds) > 1 else None
        for low, high in pairwise((0, *thresholds)):
            harmed = chain.left if unsaved is None else np.where(unsaved >= high, chain.left, 0)
            for part in parts:
                now, later = [], []
                for dice in part.axes:
                    own, other = dice.normal, dice.critical
                    if pool.critical:
                        own, other = other, own
                    now.append(own * between(faces, dice, low, high))
                    later.append(own * between(faces, dice, high, last) + other if high < last else other)
                self.inflict_damage(chain, part, harmed, now, later)
        for part in parts:
            # What was known of their saves says nothing about the dice of the next pool.
            known = {"above": 0, "below": 6, "critical" if pool.critical else "normal": 0.0}
            part.axes = tuple(dice._replace(**known) for dice in part.axes)  # type: ignore[arg-type]
        return parts

    def inflict_damage(
        self,
        chain: Chain,
        part: Part,
        left: NDArray[np.int64],
        now: list[float],
        later: list[float],
        mortal: bool = False,
    ) -> None:
        """Let the dice of one class damage the target, one after another (05.04).

        Parameters
        ----------
        left : ndarray of int64, shape (nodes of one layer,)
            As the chain has it; 0 where these dice do no harm.
        now, later : list of float
            By axis: probability of the class, and of all classes still to come.
        """
        lost, mean = self.resolver.lost(self.index, self.look, mortal)
        for axis in reversed(range(len(part.axes))):
            size = part.mass.shape[axis + 1]
            dice = part.axes[axis]
            if size > 1 and now[axis]:
                p = min(1.0, now[axis] / dice.rest)
                mass = np.moveaxis(part.mass, axis + 1, 1) if axis else part.mass
                shape = mass.shape
                flat = np.ascontiguousarray(mass).reshape(shape[0], size, -1)
                step = chain.row, left, lost, mean, chain.single
                self.resolver.count_work(flat.size * lost.shape[2] * (size // 2 if later[axis] else 1))
                if later[axis]:
                    some, unsaved, damage = kernels.take_some(flat, p, *step)
                    part.mass = np.moveaxis(some.reshape(shape), 1, axis + 1)
                    rest = dice._replace(rest=max(dice.rest - now[axis], 0.0))
                    part.axes = (*part.axes[:axis], rest, *part.axes[axis + 1 :])
                else:
                    done, unsaved, damage = kernels.take_all(flat, p, *step)
                    part.mass = done.reshape(shape[0], *shape[2:])
                    part.axes = (*part.axes[:axis], *part.axes[axis + 1 :])
                self.means.damage += damage
                if mortal:
                    self.means.mortal += damage
                else:
                    self.means.unsaved += unsaved
            elif not later[axis]:
                part.mass = part.mass.sum(axis=axis + 1)
                part.axes = (*part.axes[:axis], *part.axes[axis + 1 :])

    def mortal_wounds(self) -> None:
        """Devastating critical wounds: each D mortal wounds on one model (06.02, 24.10)."""
        self._regroup(lambda chain, state: chain.declared.still(state), None)
        for chain, parts in self.here:
            for part in parts:
                critical = [dice.critical for dice in part.axes]
                self.inflict_damage(chain, part, chain.left, critical, [0.0] * len(critical), mortal=True)


def add_to(sums: dict[Key, States], key: Key, states: States) -> None:
    """Add states to the sum that has this key; a first one becomes the sum."""
    if key not in sums:
        sums[key] = states
        return
    total = sums[key]
    for state, weight in states.items():
        total[state] = total.get(state, 0.0) + weight


def _only(part: Part, node: int) -> Part:
    """The share of one node, its dice no longer of interest."""
    mass = np.zeros(len(part.mass))
    mass[node] = part.mass[node].sum()
    return Part(part.hand, mass, ())


@lru_cache(maxsize=1024)
def _wounds_lost(
    damage: tuple[tuple[float, ...], ...],
    after_one: tuple[tuple[tuple[float, ...], tuple[float, ...]], ...],
    kinds: tuple[int, ...],
    pain: tuple[int, ...],
) -> tuple[Floats, Floats]:
    """`Resolver.lost`, from the distributions of D by kind, and the kind and FEEL NO PAIN of each row."""
    lost, mean = np.zeros((3, len(pain), max(map(len, damage)))), np.zeros((2, len(pain)))
    for row, (kind, needed) in enumerate(zip(kinds, pain, strict=True)):
        for place, pmf in enumerate((damage[kind], *(after_one[kind] if after_one else ()))):
            felt, value = _after_pain(pmf, needed)
            lost[place, row, : len(felt)] = felt
            mean[min(place, 1), row] += value
    return lost, mean


@lru_cache(maxsize=1024)
def _after_pain(pmf: tuple[float, ...], pain: int) -> tuple[Floats, float]:
    """Wounds that a D costs after FEEL NO PAIN (24.12), and the mean of that D."""
    rolled = np.array(pmf)
    mean = float(rolled @ np.arange(len(rolled)))
    return (thinned(rolled, (pain - 1) / 6) if pain < 7 else rolled), mean
