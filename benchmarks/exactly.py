"""The exact engine: against `warhammer-stats`, and per die and model."""

from __future__ import annotations

from functools import partial
from statistics import median

import mathhammer as mh
from benchmarks import peers
from benchmarks.agreement import same
from benchmarks.cases import CASES, by_dice, by_models
from benchmarks.clock import Effort, in_turn, side_by_side, times_faster
from benchmarks.page import Claim, Curve, Section, Table, in_ms
from mathhammer.exact import solve_plan
from mathhammer.front import plan_of

__all__ = ["exact_engine"]

DICE = (20, 40, 60, 80, 100, 120)
MODELS = (5, 10, 15, 20, 30, 40)


def exact_engine(effort: Effort) -> Section:
    """Ready plan and whole call, case by case; then the curves."""
    truth = peers.truth()
    same("solve", mh.solve(CASES["bolters"]).models_destroyed.pmf, truth)
    same("warhammer-stats", peers.by_warhammer_stats(), truth, exactly=1e-4)
    works = {"warhammer-stats": peers.by_warhammer_stats}
    for name, case in CASES.items():
        works[f"{name}, plan"] = partial(solve_plan, plan_of(case))
        works[f"{name}, whole"] = partial(mh.solve, case)
    rounds = in_turn(works, effort.repeats)
    taken = {name: median(times) for name, times in rounds.items()}
    rows = [(name, in_ms(taken[f"{name}, plan"]), in_ms(taken[f"{name}, whole"])) for name in CASES]
    rows.append(("`warhammer-stats`, bolters", None, in_ms(taken["warhammer-stats"])))
    cases = Table(("case", "ready plan", "`solve`, whole"), rows)
    claims = [
        *(
            Claim(
                f"exact, `bolters` {what}, against `warhammer-stats`",
                times_faster(rounds[f"bolters, {name}"], rounds["warhammer-stats"]),
                aim,
            )
            for what, name, aim in (("on a ready plan", "plan", 0.02), ("whole", "whole", 0.05))
        ),
        Claim("exact, 120 dice into 20 models", 1e3 * taken["horde, whole"], 50, "ms"),
    ]
    more = [
        _curve("attack dice into 20 models", "die", {n: by_dice(n) for n in DICE}, effort),
        _curve("models under 120 attack dice", "model", {n: by_models(n) for n in MODELS}, effort),
    ]
    tables, curves = zip(*more, strict=True)
    return Section("The exact engine", WORDS, [cases, *tables], claims, curves)


WORDS = """
Whole distributions, one thread, everything compiled. `warhammer-stats`, for the rules of an older edition, knows no
allocation of attacks. The added time of a die or a model is that since the row above.
"""


def _curve(what: str, one: str, fights: dict[int, mh.Scenario], effort: Effort) -> tuple[Table, Curve]:
    works = {str(n): partial(solve_plan, plan_of(fight)) for n, fight in fights.items()}
    taken = side_by_side(works, effort.repeats)
    rows, before = [], None
    for n in fights:
        now = taken[str(n)]
        added = None if before is None else f"{1e6 * (now - before[1]) / (n - before[0]):.3g} µs"
        rows.append((n, in_ms(now), added))
        before = (n, now)
    table = Table((what, "ready plan", f"per added {one}"), rows)
    milliseconds = {"exact, ready plan": [1e3 * taken[str(n)] for n in fights]}
    return table, Curve(what, "milliseconds", list(fights), milliseconds, False, False)
