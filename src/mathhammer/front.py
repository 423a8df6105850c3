"""The front door: `simulate` and `solve` settle open choices, check their arguments, and run an engine."""

from __future__ import annotations

import math
import secrets
from dataclasses import replace
from typing import Any

from mathhammer import rules
from mathhammer.errors import InvalidScenario
from mathhammer.outcome import Interrupted, Outcome
from mathhammer.plan import Plan, make_plan
from mathhammer.progress import Progress, progress_bar
from mathhammer.scenario import Scenario, checked_scenario

__all__ = ["plan_of", "simulate", "solve"]


def plan_of(scenario: Scenario) -> Plan:
    """The plan of a scenario, with every choice of "best" settled on the best fixed one.

    Raises
    ------
    InvalidScenario, UnsupportedScenario
    """
    if not has_open_choices(checked_scenario(scenario)):
        return make_plan(scenario)
    from mathhammer.choosing import settle

    settled, words = settle(scenario)
    plan = make_plan(settled)
    return replace(plan, assumed=(*words, *plan.assumed))


def has_open_choices(scenario: Scenario) -> bool:
    """Whether a choice of the scenario is "best" and needs a search."""
    for unit in scenario.attackers:
        choices = scenario.choices_of(unit)
        if "best" in (choices.allocation_order, choices.batch_order, choices.precision, choices.rerolls):
            return True
        if "best" in choices.modes.values():
            return True
    return False


def solve(scenario: Scenario) -> Outcome:
    """The exact outcome of a scenario.

    Parameters
    ----------
    scenario : Scenario

    Returns
    -------
    Outcome
        With ``engine`` "exact" and standard errors 0.

    Raises
    ------
    UnsupportedScenario
        When there are more states than can be computed; `simulate` has no such limit.

    Examples
    --------
    >>> out = solve(Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"]},
    ...     "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]}}))
    >>> round(out.models_destroyed.mean, 6)
    1.416742
    """
    from mathhammer import exact

    return exact.solve_plan(plan_of(scenario))


def simulate(
    scenario: Scenario,
    trials: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    tolerance: float | None = None,
) -> Outcome:
    """The outcome of a scenario by Monte Carlo.

    Parameters
    ----------
    scenario : Scenario
    trials : int, optional
        Attack sequences to simulate, default 1,000,000; with ``tolerance`` the most, default 10**9.
    seed : int, optional
        0 to 2**64 - 1. The same seed gives the same outcome on any number of threads; None draws one, which the
        outcome reports.
    threads : int, optional
        Default all cores.
    progress : bool or callable, optional
        None: a bar on stderr after two seconds, where somebody sees it; or ``callable(done, total)``.
    tolerance : float, optional
        Simulate until the standard error of the mean of ``models_destroyed``, and of every chance about the
        target, is below.

    Returns
    -------
    Outcome

    Raises
    ------
    InvalidScenario
        For impossible arguments.
    Interrupted
        On Ctrl-C, with the outcome of what was finished (None before the first block).

    Notes
    -----
    Every trial has a stream of random numbers of its own: a run of n trials is the beginning of a
    longer one with the same seed. Memory does not grow with the number of trials.

    Examples
    --------
    >>> fight = Scenario.from_dict({
    ...     "attacker": {"name": "A", "weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"]},
    ...     "target": {"name": "B", "models": ["10x Grunt: T4 Sv3+ W2"]}})
    >>> out = simulate(fight, trials=200_000, seed=7)
    >>> abs(out.models_destroyed.mean - 1.416742) < 5 * out.models_destroyed.standard_error
    True
    """
    if trials is None:
        trials = 1_000_000 if tolerance is None else 1_000_000_000
    _whole("trials", trials, 1, rules.MOST_TRIALS, "a number of trials from 1 to 10**11")
    if seed is not None:
        _whole("seed", seed, 0, 2**64 - 1, "a whole number from 0 to 2**64 - 1, or None to draw one")
    if threads is not None:
        _whole("threads", threads, 1, 1024, "a number of threads from 1 to 1024, or None for all cores")
    if tolerance is not None and not (
        isinstance(tolerance, int | float) and not isinstance(tolerance, bool) and 0 < tolerance < math.inf
    ):
        raise InvalidScenario.at("tolerance", tolerance, "a standard error above 0, such as 0.001")
    drawn = secrets.randbelow(2**53) if seed is None else int(seed)
    try:
        plan = plan_of(scenario)
        from mathhammer import montecarlo

        with progress_bar(progress, "simulating") as report:
            return montecarlo.run(plan, int(trials), drawn, threads, report, tolerance)
    except Interrupted:
        raise
    except KeyboardInterrupt:
        raise Interrupted(None) from None


def _whole(path: str, value: Any, low: int, high: int, remedy: str) -> None:
    try:
        whole = not isinstance(value, bool) and int(value) == value
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole or isinstance(value, float | str) or not low <= value <= high:
        raise InvalidScenario.at(path, value, remedy)
