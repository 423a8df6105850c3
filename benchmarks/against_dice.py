"""Simulating a case, against merely rolling its dice; one thread against all."""

from __future__ import annotations

import os
from functools import partial
from unittest.mock import patch

import mathhammer as mh
from benchmarks.agreement import Disagreement, same
from benchmarks.cases import CASES
from benchmarks.clock import Effort, side_by_side
from benchmarks.dice import play_by_hand, roll_dice
from benchmarks.page import Claim, Section, Table, in_ms, rate
from benchmarks.peers import truth
from benchmarks.steps import STEPS, run_step

__all__ = ["simulation", "steps", "switches"]

TRIALS = 1_000_000
MOST_OF_THE_DICE = {"bolters": 0.1, "horde": 0.1, "mixed": 0.5}
LASTING = 1.0
"""Seconds that a run on one thread should take, to be compared with one on all."""


def simulation(effort: Effort) -> Section:
    """The four cases, on one thread and on all, beside the dice alone."""
    threads = os.cpu_count() or 1
    rows, claims = [], []
    for name, case in CASES.items():
        dice = _checked(name, case, effort)
        number = round(dice * TRIALS)
        one = partial(mh.simulate, case, TRIALS, seed=1, threads=1, progress=False)
        taken = side_by_side({"dice": partial(roll_dice, number), "one": one}, effort.repeats)
        ratio = taken["one"] / taken["dice"]
        trials = min(effort.most_trials, max(TRIALS, round(LASTING / taken["one"]) * TRIALS))
        long = partial(mh.simulate, case, trials, seed=1, progress=False)
        many = side_by_side(
            {"one": partial(long, threads=1), "all": partial(long, threads=threads)}, min(effort.repeats, 5)
        )
        gain = many["one"] / many["all"]
        rows.append(
            (
                name,
                dice,
                in_ms(taken["dice"]),
                in_ms(taken["one"]),
                ratio,
                rate(trials / many["one"]),
                rate(trials / many["all"]),
                gain,
            )
        )
        if name in MOST_OF_THE_DICE:
            claims.append(
                Claim(f"`{name}`, one thread, against its dice alone", ratio, MOST_OF_THE_DICE[name])
            )
        if threads > 1:
            claims.append(
                Claim(f"`{name}`, {threads} threads against one", gain, 0.9 * threads, at_least=True)
            )
    head = (
        "case",
        "dice a sequence",
        f"rolling them, {TRIALS:,} times",
        "`simulate`, one thread",
        "ratio",
        "sequences/s, one thread",
        f"sequences/s, {threads} threads",
        "gain",
    )
    return Section("Against the dice alone", DICE_WORDS, [Table(head, rows)], claims)


DICE_WORDS = """
A million attack sequences with their whole outcome (plan, tables, distributions, funnel), against numpy's fastest
generator (SFC64, uint8) that rolls as many dice as these sequences have on the table and throws them away. The
dice are counted by playing the case die by die. Before anything is timed, simulated, exact and die-by-die answers
are held against each other. The rates and the gain by threads are of runs of about a second.
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
