"""Simulating a case, against merely rolling its dice; one thread against all."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import median
from unittest.mock import patch

import mathhammer as mh
from benchmarks.agreement import Disagreement, same
from benchmarks.cases import CASES
from benchmarks.clock import Effort, in_turn, side_by_side, times_faster
from benchmarks.dice import play_by_hand, roll_dice
from benchmarks.page import Claim, Section, Table, in_ms, rate
from benchmarks.peers import truth
from benchmarks.steps import STEPS, run_step

__all__ = ["simulation", "steps", "switches"]

TRIALS = 1_000_000
MOST_OF_THE_DICE = {"bolters": 0.1, "horde": 0.1, "mixed": 0.5}
LASTING = 0.5
"""Seconds that a run on one thread should take, to be compared with one on all."""


def simulation(effort: Effort) -> Section:
    """The four cases, on one thread and on all, beside the dice alone."""
    threads = os.cpu_count() or 1
    against, many, claims = [], [], []
    with ProcessPoolExecutor(threads, get_context("spawn")) as processes:
        for name, case in CASES.items():
            dice = _checked(name, case, effort)
            one = partial(mh.simulate, case, TRIALS, seed=1, threads=1, progress=False)
            works = {"dice": partial(roll_dice, round(dice * TRIALS)), "one": one}
            rounds = in_turn(works, effort.repeats)
            taken = {way: median(times) for way, times in rounds.items()}
            ratio = times_faster(rounds["one"], rounds["dice"])
            against.append((name, dice, in_ms(taken["dice"]), in_ms(taken["one"]), ratio))
            if name in MOST_OF_THE_DICE:
                what = f"`{name}`, one thread, against its dice alone"
                claims.append(Claim(what, ratio, MOST_OF_THE_DICE[name]))
            if threads > 1:
                trials = min(effort.most_trials, max(TRIALS, round(LASTING / taken["one"]) * TRIALS))
                rates, gain, most = _on_all(name, trials, threads, processes, effort.repeats)
                many.append((name, *rates, gain, most))
                what = f"`{name}`, {threads} threads against one"
                claims.append(Claim(what, gain, 0.9 * threads, at_least=True))
    rolling = f"rolling them, {TRIALS:,} times"
    tables = [Table(("case", "dice a sequence", rolling, "`simulate`, one thread", "ratio"), against)]
    if many:
        rates = ("sequences/s, one thread", f"sequences/s, {threads} threads")
        tables.append(Table(("case", *rates, "gain", f"gain of {threads} processes"), many))
    return Section("Against the dice alone", DICE_WORDS, tables, claims)


def _on_all(
    name: str, trials: int, threads: int, processes: ProcessPoolExecutor, repeats: int
) -> tuple[list[str], float, float]:
    """Sequences a second on one thread and on all, the gain, and that of as many processes of one thread."""

    def apart() -> None:
        list(processes.map(_on_one, [name] * threads, [trials // threads] * threads))

    long = partial(mh.simulate, CASES[name], trials, seed=1, progress=False)
    works = {"one": partial(_on_one, name, trials), "all": partial(long, threads=threads), "apart": apart}
    times = in_turn(works, repeats)
    rates = [rate(trials / median(times[way])) for way in ("one", "all")]
    return rates, times_faster(times["one"], times["all"]), times_faster(times["one"], times["apart"])


def _on_one(name: str, trials: int) -> None:
    mh.simulate(CASES[name], trials, seed=1, threads=1, progress=False)


DICE_WORDS = """
A million attack sequences with their whole outcome (plan, tables, distributions, funnel), against numpy's fastest
generator (SFC64, uint8) that rolls as many dice as these sequences have on the table and throws them away. The
dice are counted by playing the case die by die. Before anything is timed, simulated, exact and die-by-die answers
are held against each other.

The gain by threads is of runs of about half a second, each against its neighbour in time. The last column is what the
machine itself allows: as many processes of one thread, which share nothing, with the same number of sequences.
"""


def _checked(name: str, case: mh.Scenario, effort: Effort) -> float:
    """Dice a sequence, once three answers to the case agree."""
    exact = mh.solve(case)
    trials = min(TRIALS, effort.most_trials)
    sampled = mh.simulate(case, trials, seed=2, progress=False)
    for quantity in ("models_destroyed", "wounds_lost"):
        found, expected = getattr(sampled, quantity).pmf, getattr(exact, quantity).pmf
        same(f"{name}: {quantity}", found, expected, trials)
    by_hand = play_by_hand(case, effort.plays)
    if abs(by_hand.wounds_lost - exact.wounds_lost.mean) > 5 * by_hand.error:
        raise Disagreement(f"{name}: {by_hand} should lose {exact.wounds_lost.mean} wounds")
    return by_hand.dice


def steps(effort: Effort) -> Section:
    """`bolters`, from rolling every die to counting draws."""
    trials = min(TRIALS, effort.most_trials)
    for loop in STEPS:
        same(loop.__name__, run_step(loop, trials), truth(), trials)
    works = {loop.__name__: partial(run_step, loop, trials) for loop in STEPS}
    works["simulate"] = partial(mh.simulate, CASES["bolters"], trials, seed=1, threads=1, progress=False)
    works["dice"] = partial(roll_dice, 40 * trials)
    taken = side_by_side(works, effort.repeats)
    words = {loop.__name__: str(loop.__doc__) for loop in STEPS}
    words["simulate"] = "`simulate`: the last step for any scenario, with the whole outcome"
    rows, before = [], None
    for name, what in words.items():
        faster = None if before is None else before / taken[name]
        rows.append((what, in_ms(taken[name]), faster, taken[name] / taken["dice"]))
        before = taken[name]
    head = (f"one change at a time, {trials:,} sequences", "time", "times faster", "against the dice alone")
    return Section("How it became so fast", STEPS_WORDS, [Table(head, rows)])


STEPS_WORDS = """
`bolters` as a compiled loop on one thread ([steps.py](steps.py)), the same but for one change from row to row. All
give the same distribution.
"""


def switches(effort: Effort) -> Section:
    """The engine with one of its ways taken away."""
    trials = min(TRIALS, effort.most_trials)
    rows = []
    for name, case in CASES.items():
        exact = mh.solve(case).models_destroyed.pmf
        run = partial(mh.simulate, case, trials, seed=1, threads=1, progress=False)
        works = {"as it is": run}
        for words, (place, instead) in SWITCHES.items():
            works[words] = partial(_without, place, instead, run)
        for words, work in works.items():
            same(f"{name}: {words}", work().models_destroyed.pmf, exact, trials)
        taken = side_by_side(works, effort.repeats)
        rows.append((name, *(in_ms(taken[words]) for words in works)))
    head = (f"{trials:,} sequences, one thread", "as it is", *SWITCHES)
    return Section("What each way of the engine is worth", SWITCH_WORDS, [Table(head, rows)])


SWITCH_WORDS = """
The engine itself, with one of its short cuts taken away at a time.
"""
SWITCHES = {
    "nothing worked out beforehand": ("mathhammer.montecarlo.engine._certain", lambda arrays: None),
    "trial by trial": ("mathhammer.montecarlo.arrays.Arrays._in_step", lambda self: False),
    "damage attack by attack": ("mathhammer.montecarlo.arrays.chain_record", lambda *arguments: None),
    "batches drawn in pieces": ("mathhammer.montecarlo.tables.LARGEST_TABLE", 0),
}
"""Without which short cut: what stands for it, and what is put there."""


def _without(place: str, instead: object, run: partial[mh.Outcome]) -> mh.Outcome:
    with patch(place, instead):
        return run()
