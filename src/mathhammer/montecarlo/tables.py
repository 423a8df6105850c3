"""Alias tables of what a batch's dice can come to, made from the plan's rolls.

A batch is drawn at once: the number of attacks that were not saved by the first group, that were saved by it,
and of critical wounds that stand apart (devastating ones, or those of a pool of their own). The tables hold
the exact distribution of that triple; where it is too large, those of 1, 2, 4, ... attack dice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mathhammer.compiled import compiled
from mathhammer.dice import convolve
from mathhammer.montecarlo.memory import (
    DAMAGE_ONE,
    HIT_ONE,
    MOST_POWERS,
    MOST_TRIES,
    SAVE_ONE,
    TRY_BITS,
    WOUND_ONE,
)
from mathhammer.plan import Batch, Roll
from mathhammer.plan.damage import lost_wounds
from mathhammer.rules import CRITICAL, FAIL, Faces

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Step = dict[tuple[int, ...], float]
"""Results of one roll with their probabilities; the last entry of a result is the re-rolls left."""

LARGEST_TABLE = 1 << 16
LARGEST_PIECE = 1 << 13
NEGLIGIBLE = 1e-16
"""Results less likely than this are left out of a table: no run is long enough to see one."""


class TableStore:
    """Grows alias tables one behind the other, as the kernels read them."""

    def __init__(self) -> None:
        self._records: list[tuple[int, int, int, int]] = []
        self._slots: list[Integers] = []
        self._size = 0

    def __len__(self) -> int:
        return len(self._records)

    def add(self, results: Sequence[int] | Integers, probabilities: Sequence[float] | Floats) -> int:
        """Make a table of whole-number results; returns its place."""
        weights = np.asarray(probabilities, np.float64)
        values = np.asarray(results, np.int64)
        kept = weights > NEGLIGIBLE
        values, weights = values[kept], weights[kept]
        bits = int(len(values) - 1).bit_length()
        padded = np.zeros(1 << bits)
        padded[: len(values)] = weights / weights.sum()
        cut, other = alias(padded)
        here = np.resize(values, len(padded))
        self._records.append((bits, self._size, -1, -1))
        self._append(np.stack([cut.view(np.int64), here, here[other]], axis=1))
        return len(self._records) - 1

    def in_pieces(self, dice: int, pieces: Sequence[Sequence[int]]) -> int:
        """A table that is drawn as a number of dice (a table's place) and pieces of 1, 2, 4, ... of them."""
        rows = np.full((8, MOST_POWERS), -1, np.int64)
        for flags, row in enumerate(pieces):
            rows[flags, : len(row)] = row
        self._records.append((0, 0, dice, self._size))
        self._append(rows)
        return len(self._records) - 1

    def _append(self, numbers: Integers) -> None:
        self._slots.append(numbers.ravel())
        self._size += numbers.size

    def parts(self, start: int) -> list[Integers]:
        """Records and slots, as they stand one behind the other in an array from ``start`` on."""
        records = np.array(self._records, np.int64).reshape(-1, 4)
        behind = start + records.size
        records[:, 1] += behind
        records[records[:, 3] >= 0, 3] += behind
        return [records.ravel(), *self._slots]

    def slots(self, table: int) -> Integers:
        """ndarray of int64, shape (slots, 3): cut, result below it, result from it on."""
        bits, first, _, _ = self._records[table]
        return np.concatenate(self._slots)[first : first + 3 * (1 << bits)].reshape(-1, 3)

    def bits(self, table: int) -> int:
        """The table has ``2 ** bits`` slots."""
        return self._records[table][0]

    def is_in_pieces(self, table: int) -> bool:
        """Whether it was made by `in_pieces`."""
        return self._records[table][2] >= 0


@compiled()
def alias(p: Floats) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Walker's tables: slot i gives i below ``cut[i] / 2**64``, else ``other[i]``; each slot has 1/n."""
    n = len(p)
    scaled = p * n
    cut = np.full(n, np.uint64(0xFFFFFFFFFFFFFFFF))
    other = np.arange(n)
    small, large = np.empty(n, np.int64), np.empty(n, np.int64)
    smalls = larges = 0
    for i in range(n):
        if scaled[i] < 1.0:
            small[smalls] = i
            smalls += 1
        else:
            large[larges] = i
            larges += 1
    while smalls and larges:
        smalls -= 1
        i, j = small[smalls], large[larges - 1]
        # Two halves, since 2.0**64 itself does not fit an unsigned integer.
        high = np.uint64(scaled[i] * 4294967296.0)
        low = np.uint64((scaled[i] * 4294967296.0 - np.float64(high)) * 4294967296.0)
        cut[i] = (high << np.uint64(32)) + low
        other[i] = j
        scaled[j] -= 1.0 - scaled[i]
        if scaled[j] < 1.0:
            larges -= 1
            small[smalls] = j
            smalls += 1
    return cut, other


def roll_once(faces: Faces, reroll: Sequence[bool], one: int, flags: int) -> Step:
    """Results of one die with its re-roll: ``(0 fails / 1 succeeds / 2 critical, re-rolls left)``.

    ``one`` is the bit of the single re-roll, if the roll may spend it.
    """
    results: Step = {}
    for face, again in zip(faces, reroll, strict=True):
        spends = not again and face == FAIL and flags & one
        left = flags & ~one if spends else flags
        for final in faces if again or spends else (face,):
            share = 1 / 36 if again or spends else 1 / 6
            results[final, left] = results.get((final, left), 0.0) + share
    return results


def hit_roll(roll: Roll, flags: int) -> Step:
    """``(hits that roll to wound, automatic wounds, re-rolls left)`` of one attack die (05.01)."""
    if roll.automatic:
        return {(1, 0, flags): 1.0}
    results: Step = {}
    one = HIT_ONE if roll.hit_one else 0
    for (face, left), share in roll_once(roll.hit, roll.hit_reroll, one, flags).items():
        if face == FAIL:
            _add(results, (0, 0, left), share)
        elif face != CRITICAL:
            _add(results, (1, 0, left), share)
        else:
            for extra, chance in enumerate(roll.sustained):
                hits = (extra, 1) if roll.lethal else (extra + 1, 0)
                _add(results, (*hits, left), share * chance)
    return results


def wound_roll(roll: Roll, flags: int) -> Step:
    """``(wounds, critical wounds that stand apart, re-rolls left)`` of one hit (05.02)."""
    results: Step = {}
    apart = roll.devastating or roll.unsaved_critical is not None
    one = WOUND_ONE if roll.wound_one else 0
    for (face, left), share in roll_once(roll.wound, roll.wound_reroll, one, flags).items():
        critical = face == CRITICAL and apart
        _add(results, (int(face != FAIL and not critical), int(critical), left), share)
    return results


def save_roll(roll: Roll, failing: int, flags: int) -> Step:
    """``(unsaved, saved, re-rolls left)`` of one wound against the first group (05.04)."""
    faces: Faces = tuple(int(face > failing) for face in range(1, 7))  # type: ignore[assignment]
    reroll = {
        "ones": [True] + [False] * 5,
        "failures": [not face for face in faces],
        "noncritical": [True] * 6,
    }
    one = SAVE_ONE if roll.save_one else 0
    results: Step = {}
    again = reroll.get(roll.save_reroll or "", [False] * 6)
    for (saved, left), share in roll_once(faces, again, one, flags).items():
        _add(results, (1 - saved, saved, left), share)
    return results


def attack_die(roll: Roll, failing: int | None, flags: int) -> Step:
    """``(unsaved, saved, critical wounds apart, re-rolls left)`` of one attack die.

    With ``failing`` None the save rolls are left to the pools and every wound counts as unsaved.
    """
    results: Step = {}
    for (hits, automatic, left), share in hit_roll(roll, flags).items():
        wounds: Step = {(automatic, 0, left): 1.0}
        for _ in range(hits):
            wounds = _then(wounds, lambda now: wound_roll(roll, now))
        for (normal, critical, now), chance in wounds.items():
            saves: Step = {(0, 0, now): 1.0} if failing is not None else {(normal, 0, now): 1.0}
            if failing is not None:
                for _ in range(normal):
                    saves = _then(saves, lambda last: save_roll(roll, failing, last))
            for (unsaved, saved, last), final in saves.items():
                _add(results, (unsaved, saved, critical, last), share * chance * final)
    return results


def _add(results: Step, key: tuple[int, ...], share: float) -> None:
    results[key] = results.get(key, 0.0) + share


def _then(results: Step, roll: Callable[[int], Step]) -> Step:
    """One more roll after those in ``results``, which adds to the first two entries."""
    after: Step = {}
    for (x, y, flags), share in results.items():
        for (dx, dy, left), chance in roll(flags).items():
            _add(after, (x + dx, y + dy, left), share * chance)
    return after


def flag_states(flags: int) -> Iterable[int]:
    """All sets of re-rolls that can be left of ``flags``."""
    return [state for state in range(8) if state & ~flags == 0]


def ones_of(roll: Roll) -> int:
    """The single re-rolls that the rolls of an attack can spend."""
    return (
        HIT_ONE * roll.hit_one
        | WOUND_ONE * roll.wound_one
        | SAVE_ONE * roll.save_one
        | DAMAGE_ONE * roll.damage_one
    )


def batch_table(
    store: TableStore, batch: Batch, look: int, fives: int, flags: int, failing: int | None, one_group: bool
) -> int:
    """The table of a whole batch, or of pieces of it where that would be too large; returns its place.

    Parameters
    ----------
    failing : int or None
        Faces that the first group does not save; None for a batch with pools.
    one_group : bool
        With a single group nobody asks for the saved ones: they are not counted.
    """
    dice, roll = batch.attack_dice(look, fives), batch.rolls[look]
    states = list(flag_states(flags))
    kernel = {state: _without_saved(attack_die(roll, failing, state), one_group) for state in states}
    most = [max(key[axis] for step in kernel.values() for key in step) for axis in range(3)]
    if _size(most, len(dice) - 1, len(states)) <= LARGEST_TABLE:
        return _table(store, _sum(kernel, states, most, dice, flags))
    number = store.add(np.arange(len(dice)), dice)
    pieces: list[list[int]] = [[] for _ in range(8)]
    power = 0
    while power == 0 or (
        power < MOST_POWERS
        and 1 << power < len(dice)
        and _size(most, 1 << power, len(states)) <= LARGEST_PIECE
    ):
        fixed = np.zeros((1 << power) + 1)
        fixed[-1] = 1.0
        for state in states:
            pieces[state].append(_table(store, _sum(kernel, states, most, fixed, state)))
        power += 1
    return store.in_pieces(number, pieces)


def _size(most: Sequence[int], dice: int, states: int) -> int:
    return int(np.prod([each * dice + 1 for each in most])) * states


def _without_saved(step: Step, one_group: bool) -> Step:
    if not one_group:
        return step
    merged: Step = {}
    for (unsaved, _, critical, flags), share in step.items():
        _add(merged, (unsaved, 0, critical, flags), share)
    return merged


def _sum(
    kernel: dict[int, Step], states: Sequence[int], most: Sequence[int], dice: Floats, flags: int
) -> dict[int, Floats]:
    """Distribution of the sum over a random number of attack dice, by the re-rolls left at the end."""
    top = int(np.flatnonzero(dice)[-1])
    shape = tuple(each * top + 1 for each in most)

    def flat(unsaved: int, saved: int, critical: int) -> int:
        """Place in the raveled array: those of a sum add up, as it has room for the largest."""
        return (unsaved * shape[1] + saved) * shape[2] + critical

    size = flat(*(each * top for each in most)) + 1
    total = {state: np.zeros(size) for state in states}
    total[flags][0] = dice[top]
    for n in range(top):
        reach = flat(*(each * n for each in most)) + 1
        after = {state: np.zeros(size) for state in states}
        for state in states:
            for (unsaved, saved, critical, left), share in kernel[state].items():
                first = flat(unsaved, saved, critical)
                after[left][first : first + reach] += share * total[state][:reach]
        total = after
        total[flags][0] += dice[top - 1 - n]
    return {state: array.reshape(shape) for state, array in total.items()}


def _table(store: TableStore, sums: dict[int, Floats]) -> int:
    results, weights = [], []
    for flags, array in sums.items():
        unsaved, saved, critical = np.nonzero(array > NEGLIGIBLE)
        results.append(unsaved | saved << 16 | critical << 32 | flags << 48)
        weights.append(array[unsaved, saved, critical])
    return store.add(np.concatenate(results), np.concatenate(weights))


def damage_table(store: TableStore, roll: Roll, kind: int, pain: int, at_hand: bool) -> tuple[int, float]:
    """Table of the wounds of one damaging attack, and the mean of its D before FEEL NO PAIN.

    A result carries DAMAGE_ONE in its seventeenth bits when the single re-roll was spent.
    """
    parts = [(roll.damage[kind], 0)]
    if at_hand and roll.damage_one:
        kept, spent = roll.damage_after_one[kind]
        parts = [(kept, 0), (spent, DAMAGE_ONE << 16)]
    results: list[int] = []
    weights: list[float] = []
    for damage, mark in parts:
        lost = lost_wounds(damage, pain)
        results += [wounds | mark for wounds in range(len(lost))]
        weights += lost.tolist()
    mean = sum(value * probability for damage, _ in parts for value, probability in enumerate(damage))
    return store.add(results, weights), mean


@lru_cache(maxsize=1)
def binomial_tables() -> Integers:
    """Tables of the successes in 1 to MOST_TRIES tries with the chances k/m of a die's faces.

    Returns
    -------
    ndarray of int64, shape (15 * MOST_TRIES * 2**TRY_BITS * 3,)
        Fractions in the order 1/2, 1/3, 2/3, 1/4, ...; then tries; then slots.
    """
    parts = []
    for m in range(2, 7):
        for k in range(1, m):
            for tries in range(1, MOST_TRIES + 1):
                padded = np.zeros(1 << TRY_BITS)
                padded[: tries + 1] = binomial(tries, k / m)
                cut, other = alias(padded)
                parts.append(np.stack([cut.view(np.int64), np.arange(len(cut)), other], axis=1).ravel())
    return np.concatenate(parts)


def binomial(n: int, p: float) -> Floats:
    """ndarray of float64, shape (n + 1,): distribution of n tries with chance p."""
    return convolve(np.array([1 - p, p]), n)
