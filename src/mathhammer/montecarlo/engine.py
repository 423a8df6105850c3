"""The Monte Carlo engine: blocks of trials on all cores, a stream a trial; whole-number tallies."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mathhammer.montecarlo import blocks, in_step
from mathhammer.montecarlo import memory as at
from mathhammer.montecarlo.arrays import Arrays
from mathhammer.montecarlo.draws import stream_start
from mathhammer.montecarlo.means import by_weapon_rows
from mathhammer.montecarlo.tables import ones_of
from mathhammer.outcome import Interrupted, Outcome
from mathhammer.plan import Plan
from mathhammer.unbroken import unbroken

__all__ = ["BLOCK", "run"]

BLOCK = 1 << 15
"""Trials in a block: between two of them a run looks at its tolerance."""
SLICE = 1 << 11
"""Trials that are followed to their end without a look at whether the run is to stop."""
DENSE = 1 << 22
"""Up to so many states the target's final states are counted in an array, else in a dict."""

Integers = NDArray[np.int64]
Progress = Callable[[int, int], object]


@dataclass
class Tally:
    """Whole-number sums over finished trials; adding two is adding all their parts."""

    states: dict[int, int] | Integers
    own_states: dict[int, int]
    sums: Integers
    trials: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)
    """Its holder can take it again: Ctrl-C may come while it is held."""


def run(
    plan: Plan,
    trials: int,
    seed: int,
    threads: int | None = None,
    progress: Progress | None = None,
    tolerance: float | None = None,
) -> Outcome:
    """Simulate a plan.

    Parameters
    ----------
    trials : int
        The number of attack sequences; with ``tolerance`` the most.
    seed : int
        The same seed gives the same outcome for any number of threads; a run is the beginning of a longer
        one.
    threads : int, optional
        Default all cores.
    progress : callable, optional
        Called with ``(done, total)`` trials, from the calling thread.
    tolerance : float, optional
        Stop when the standard errors of the mean of ``models_destroyed`` and of every chance about the target
        are below it; looked at after 1, 2, 4, 8, ... blocks.

    Returns
    -------
    Outcome

    Raises
    ------
    Interrupted
        On Ctrl-C, with the outcome of the finished blocks.
    """
    arrays = Arrays(plan)
    tally = _empty(arrays)
    key = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    certain = _certain(arrays)
    worker: Worker = _any_plan
    piece = BLOCK
    if certain:
        # A block takes so little time that a long run had better go by many of them.
        worker, piece = certain, BLOCK * max(1, min(64, trials // (BLOCK * 8 * _threads(threads))))
    try:
        done, goal = 0, BLOCK if tolerance is not None else trials
        while done < trials:
            goal = min(goal, trials)
            _run_blocks(arrays, tally, worker, piece, key, done, goal, threads, progress, trials)
            done, goal = goal, 2 * goal
            if tolerance is not None and _largest_error(arrays, tally) < tolerance:
                break
        return _outcome(arrays, tally, seed)
    except KeyboardInterrupt:
        # A worker that finishes after this has no part in the outcome: it finds the tally closed.
        with tally.lock:
            raise Interrupted(_outcome(arrays, tally, seed) if tally.trials else None) from None


Worker = Callable[[Arrays, Tally, threading.Event, int, int, int], None]


def _threads(threads: int | None) -> int:
    return threads or os.cpu_count() or 1


def _run_blocks(
    arrays: Arrays,
    tally: Tally,
    worker: Worker,
    piece: int,
    key: int,
    start: int,
    stop: int,
    threads: int | None,
    progress: Progress | None,
    total: int,
) -> None:
    """Run trials ``start`` to ``stop``, ``piece`` at a time."""
    blocks = [(first, min(piece, stop - first)) for first in range(start, stop, piece)]
    threads = min(_threads(threads), len(blocks))
    cancelled = threading.Event()
    if threads == 1:
        for first, size in blocks:
            worker(arrays, tally, cancelled, key, first, size)
            if progress:
                progress(tally.trials, total)
        return
    queue = iter(blocks)
    taking = threading.Lock()

    def work() -> None:
        while not cancelled.is_set():
            with taking:
                item = next(queue, None)
            if item is None:
                return
            worker(arrays, tally, cancelled, key, *item)

    with ThreadPoolExecutor(threads) as pool:
        try:
            running: set[Future[None]] = {pool.submit(work) for _ in range(threads)}
            while running:
                finished, running = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in finished:
                    future.result()
                if progress:
                    progress(tally.trials, total)
        finally:
            cancelled.set()


def _empty(arrays: Arrays) -> Tally:
    states: dict[int, int] | Integers = np.zeros(arrays.states, np.int64) if arrays.states <= DENSE else {}
    return Tally(states, {}, arrays.empty_state())


def _any_plan(
    arrays: Arrays, tally: Tally, cancelled: threading.Event, key: int, first: int, size: int
) -> None:
    """Run trials through the whole sequence, making the tables that it turns out to need."""
    found = _batch_by_batch(arrays, tally, cancelled, key, first, size) if arrays.in_step else None
    state, codes, own_codes = found or _one_by_one(arrays, tally, cancelled, key, first, size)
    with tally.lock, unbroken():
        if cancelled.is_set():
            return
        if isinstance(tally.states, dict):
            _add_sparse(tally.states, codes)
        else:
            blocks.add_counts(tally.states, codes)
        if arrays.own_states > 1:
            _add_sparse(tally.own_states, own_codes)
        tally.sums += state
        tally.trials += size


Played = tuple[Integers, Integers, Integers]
"""The tallies; by trial: the code of the target's final state and of the attackers' losses."""


def _one_by_one(
    arrays: Arrays, tally: Tally, cancelled: threading.Event, key: int, first: int, size: int
) -> Played:
    """Each trial to its end."""
    codes, own_codes = np.empty(size, np.int64), np.empty(size, np.int64)
    state, done = arrays.empty_state(), 0
    while done < size and not cancelled.is_set():
        before, now = state.copy(), slice(done, done + SLICE)
        missing = blocks.run_block(arrays.p, state, np.uint64(key), first + done, codes[now], own_codes[now])
        if missing == 0:
            done = now.stop
        else:
            state = before
            with tally.lock:
                arrays.make_missing(-1 - missing)
    return state, codes, own_codes


def _batch_by_batch(
    arrays: Arrays, tally: Tally, cancelled: threading.Event, key: int, first: int, size: int
) -> Played | None:
    """Each batch in all trials; None when that turns out not to be the way for this plan."""
    plan, room, state = arrays.plan, arrays.room, arrays.empty_state()
    room.make(size, len(plan.batches) * arrays.states * in_step.RECORD)
    codes, rng, known = room.codes[:size], room.rng[:size], room.known
    codes.fill(arrays.states - 1)
    np.add(room.starts[:size], stream_start(np.uint64(key), np.array([first], np.uint64)), out=rng)
    started = arrays.part(state, at.STARTED, len(plan.attacks))
    for a, attack in enumerate(plan.attacks):
        started[a] = np.count_nonzero(codes)
        for b in attack.schedule[0][0]:
            done = 0
            while done < size and not cancelled.is_set():
                if room.p is not arrays.p:
                    # What is known are places in another array.
                    room.p = arrays.p
                    known.fill(0)
                done, missing = in_step.take_batch(room.p, state, known, rng, codes, room.later, done, a, b)
                if missing == in_step.OUT_OF_STEP:
                    arrays.in_step = False
                    return None
                if missing < 0:
                    with tally.lock:
                        arrays.make_missing(-1 - missing)
    return state, codes, np.empty(0, np.int64)


def _add_sparse(counts: dict[int, int], codes: Integers) -> None:
    values, times = np.unique(codes, return_counts=True)
    for value, n in zip(values.tolist(), times.tolist(), strict=True):
        counts[value] = counts.get(value, 0) + n


def _certain(arrays: Arrays) -> Worker | None:
    """A shorter way for a plan in which all is certain once the wounds of its only batch are drawn.

    One attacker, one batch, one group, a fixed D, no FEEL NO PAIN, no pools, no hazard rolls: then each block
    only counts what is drawn, and what follows from it is worked out once for each result.
    """
    plan = arrays.plan
    if max(len(plan.attacks), len(plan.batches), len(plan.target.groups), len(plan.looks)) > 1:
        return None
    roll, attack = plan.batches[0].rolls[0], plan.attacks[0]
    rolled_later = any(arrays.store.bits(table) for table in range(len(arrays.store)))
    if roll.unsaved_critical is not None or roll.damage_one or rolled_later:
        return None
    many = attack.models_at_select_targets
    fives = (plan.target.total_models if many is None else many) // 5 if plan.batches[0].by_fives else 0
    place = (0, 0, fives, ones_of(roll) & 7, 0)
    table = arrays.wound_table(place)
    if arrays.store.is_in_pieces(table):
        return None
    codes, sums = _consequences(arrays, table)

    def worker(
        arrays: Arrays, tally: Tally, cancelled: threading.Event, key: int, first: int, size: int
    ) -> None:
        counts = np.zeros((4, len(codes)), np.int64)
        blocks.count_draws(arrays.p, table, np.uint64(key), first, size, counts.ravel())
        with tally.lock, unbroken():
            drawn = counts.sum(axis=0)
            np.add.at(tally.states, codes, drawn)  # type: ignore[arg-type]
            tally.sums += drawn @ sums
            tally.trials += size

    return worker


def _consequences(arrays: Arrays, table: int) -> tuple[Integers, Integers]:
    """By half slot of a table: the code of the final state, and the state of the tallies."""
    halves = arrays.store.slots(table)[:, [2, 1]].ravel()
    results, place = np.unique(halves, return_inverse=True)
    codes = np.empty(len(results), np.int64)
    sums = np.zeros((len(results), len(arrays.empty_state())), np.int64)
    own = np.empty(1, np.int64)
    for i, packed in enumerate(results):
        missing = -1
        while missing:
            sums[i] = 0
            forced = arrays.p.copy()
            forced[at.FORCED] = packed
            missing = blocks.run_block(forced, sums[i], np.uint64(0), 0, codes[i : i + 1], own)
            if missing:
                arrays.make_missing(-1 - missing)
    sums[:, : at.FIXED_STATE] = 0
    return codes[place], sums[place]


def _states(arrays: Arrays, tally: Tally) -> tuple[Integers, Integers]:
    """Wounds left of each group in the final states that occurred, and how often each did."""
    if isinstance(tally.states, dict):
        codes = np.array(sorted(tally.states), np.int64)
        counts = np.array([tally.states[code] for code in codes.tolist()], np.int64)
    else:
        codes = np.flatnonzero(tally.states)
        counts = tally.states[codes]
    sizes = np.array(arrays.plan.target.wounds, np.int64) + 1
    return codes[:, None] // arrays.stride % sizes, counts


def _largest_error(arrays: Arrays, tally: Tally) -> float:
    """The largest standard error that ``tolerance`` is about.

    A probability's is taken at (x + 2) / (n + 4), so that one that never occurred does not stop a run.
    """
    left, counts = _states(arrays, tally)
    rows = arrays.plan.target.rows_left(left)
    destroyed = arrays.plan.target.start - rows
    total = destroyed.sum(axis=1)
    n = tally.trials
    mean = counts @ total / n
    of_mean = (counts @ (total - mean) ** 2 / n / n) ** 0.5
    wounds = arrays.plan.target.total_wounds - left.sum(axis=1)
    reported = [
        np.bincount(total, counts, minlength=arrays.plan.target.total_models + 1),
        np.bincount(wounds, counts, minlength=arrays.plan.target.total_wounds + 1),
        *(np.bincount(destroyed[:, row], counts) for row in range(destroyed.shape[1])),
        -np.diff(np.append(arrays.part(tally.sums, at.STARTED, len(arrays.plan.attacks)), 0)),
    ]
    tails = np.concatenate([each[::-1].cumsum() for each in reported] + reported)
    p = (tails + 2) / (n + 4)
    return float(max(of_mean, ((p * (1 - p) / n) ** 0.5).max()))


def _outcome(arrays: Arrays, tally: Tally, seed: int) -> Outcome:
    plan, n = arrays.plan, tally.trials
    left, counts = _states(arrays, tally)
    rows = by_weapon_rows(arrays, tally.sums, n)
    started = arrays.part(tally.sums, at.STARTED, len(plan.attacks))
    used = np.zeros(len(plan.attacks) + 1)
    used[1:] = -np.diff(np.append(started, 0)) / n
    own_codes = np.array(list(tally.own_states), np.int64)
    own_counts = np.array(list(tally.own_states.values()), np.float64)
    models = plan.most_attacker_models
    side = plan.target
    gone = float(counts[left.sum(axis=1) == 0].sum()) / n
    return Outcome(
        engine="monte-carlo",
        attackers=tuple(attack.name for attack in plan.attacks),
        target=side.name,
        names=side.names,
        start=side.start,
        start_wounds=side.total_wounds,
        alive=side.rows_left(left),
        wounds_left=left.sum(axis=1),
        weights=counts / n,
        used=used,
        attacker_wounds=_losses(own_codes // (models + 1), own_counts, plan.most_attacker_wounds, n),
        attacker_models=_losses(own_codes % (models + 1), own_counts, models, n),
        by_weapon=tuple(rows),
        after_attacker=tuple(plan.after_attacker(rows, [1 - s / n for s in started[1:].tolist()] + [gone])),
        trials=n,
        seed=seed,
        assumed=plan.assumed,
        not_modelled=plan.not_modelled,
        points_each=side.points_each,
        attacker_points=plan.attacker_points,
    )


def _losses(values: Integers, counts: NDArray[np.float64], largest: int, n: int) -> NDArray[np.float64]:
    if not len(values):
        values, counts, n = np.zeros(1, np.int64), np.ones(1), 1
    return np.bincount(values, counts / n, minlength=largest + 1).astype(np.float64)
