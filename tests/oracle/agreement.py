"""How far an engine and the die-by-die player are apart, in standard errors.

Compared are the means of everything that is counted (target, attackers, every step of every batch, after each
attacker) and the probabilities of at least k wounds lost and models destroyed. Five standard errors are
allowed: a normal deviate is beyond them once in 1.7 million comparisons, so a suite of 500 scenarios with 60
comparisons each raises a false alarm for 2 of 100 choices of the seeds, which are fixed.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt

from tests.naive import COUNTS, Many

from mathhammer.outcome import Outcome

ALLOWED = 5.0


def deviations(outcome: Outcome, played: Many) -> dict[str, float]:
    """Standard errors between the two, by the names of the player's numbers."""
    found = {name: _of_mean(mean, name, played, outcome.trials) for name, mean in means(outcome).items()}
    for name in ("wounds_lost", "models_destroyed"):
        distribution, counts = getattr(outcome, name), played.counts[name]
        for k in range(1, len(distribution.pmf)):
            seen = sum(n for value, n in counts.items() if value >= k)
            key = f"{name} at least {k}"
            found[key] = _of_probability(distribution.at_least(k), seen, played.trials, outcome.trials)
    return found


def means(outcome: Outcome) -> dict[str, float]:
    """The means of an outcome, by the names of the player's numbers."""
    names = ("wounds_lost", "models_destroyed", "attacker_wounds_lost", "attacker_models_destroyed")
    found = {name: getattr(outcome, name).mean for name in (*names, "attackers_used")}
    found["unit_destroyed"] = outcome.unit_destroyed
    for name, start in zip(outcome.names, outcome.start.tolist(), strict=True):
        found[f"alive.{name}"] = start - outcome.by_model[name].mean
    steps: Counter[str] = Counter()
    for row in outcome.by_weapon:
        for name in COUNTS:
            steps[f"by_weapon.{row['attacker']}.{row['weapon']}.{name}"] += row[name]
    found |= steps
    for i, row in enumerate(outcome.after_attacker):
        found |= {f"after_attacker.{i}.{name}": row[name] for name in row if name != "attacker"}
    return found


def worst(outcome: Outcome, played: Many) -> tuple[float, str]:
    """The largest deviation and where it is."""
    found = deviations(outcome, played)
    name = max(found, key=lambda key: found[key])
    return found[name], name


def _trials(first: int, second: int | None) -> float:
    return 1 / (1 / first + (1 / second if second else 0))


def _of_mean(mean: float, name: str, played: Many, trials: int | None) -> float:
    difference = abs(mean - played.mean.get(name, 0.0))
    if difference < 1e-9:
        return 0.0
    n = _trials(played.trials, trials)
    largest = max((abs(value) for value in played.counts.get(name, ())), default=0) or 1
    # What happens seldom was hardly seen and shows too little spread: that of a rare event, and four more of them.
    spread = (
        max(played.sd.get(name, 0.0) ** 2, abs(mean) * largest) if abs(mean) < 0.1 else played.sd[name] ** 2
    )
    return difference / sqrt((spread + 4 * largest**2 / n) / n)


def _of_probability(p: float, seen: int, played: int, trials: int | None) -> float:
    n = _trials(played, trials)
    likely = (p * played + 2) / (played + 4)
    return abs(p - seen / played) / sqrt(likely * (1 - likely) / n)
