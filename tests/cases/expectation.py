"""Reading the `expected` of a case: what a key asks of a play or an outcome, and how far off is too far."""

from __future__ import annotations

from math import sqrt
from typing import Any

from tests.naive import Many

from mathhammer.outcome import Outcome

ERRORS = 5
"""Standard errors allowed: a false alarm about once in two million comparisons."""


def asked_of_outcome(outcome: Outcome, key: str, expected: float) -> tuple[float, float | None]:
    """The value that `key` names, and its standard error (None: not known for a sampled sd or funnel mean).

    The error of a probability is that of the expected one: a count of zero would have none.
    """
    words = key.split(".")
    if words[0] == "by_weapon":
        return sum(row[words[2]] for row in outcome.by_weapon), None
    if key == "unit_destroyed":
        return outcome.unit_destroyed, outcome.error_of(expected)
    distribution = outcome.by_model[words.pop(1)] if words[0] == "by_model" else getattr(outcome, words[0])
    kind = words[1]
    if kind == "mean":
        return distribution.mean, distribution.standard_error
    if kind == "sd":
        return distribution.sd, None
    k = int(words[2])
    if kind == "at_least":
        value = distribution.at_least(k)
    else:
        value = float(distribution.pmf[k]) if k < len(distribution.pmf) else 0.0
    return value, outcome.error_of(expected)


def asked_of_play(played: Many, scenario: dict[str, Any], key: str, expected: float) -> tuple[float, float]:
    """The value that `key` names in many plays, and its standard error."""
    words = key.split(".")
    if words[0] == "by_weapon":
        names = [
            name for name in played.mean if name.startswith("by_weapon") and name.endswith("." + words[2])
        ]
        return sum(played.mean[name] for name in names), sqrt(sum(played.error(name) ** 2 for name in names))
    if key == "unit_destroyed":
        return played.mean[key], sqrt(expected * (1 - expected) / played.trials)
    counts = played.counts[words[0]] if words[0] != "by_model" else None
    if counts is None:
        name = words.pop(1)
        start = next(row["count"] for row in scenario["target"]["models"] if row["name"] == name)
        counts = {start - left: n for left, n in played.counts[f"alive.{name}"].items()}
    mean = sum(value * n for value, n in counts.items()) / played.trials
    sd = sqrt(max(0.0, sum(n * (value - mean) ** 2 for value, n in counts.items()) / played.trials))
    if words[1] == "mean":
        return mean, sd / sqrt(played.trials)
    if words[1] == "sd":
        fourth = sum(n * (value - mean) ** 4 for value, n in counts.items()) / played.trials
        return sd, sqrt(max(0.0, fourth - sd**4) / played.trials) / (2 * sd)
    k = int(words[2])
    hit = [n for value, n in counts.items() if (value >= k if words[1] == "at_least" else value == k)]
    return sum(hit) / played.trials, sqrt(expected * (1 - expected) / played.trials)


def close(value: float, expected: float, error: float) -> bool:
    """Within the allowed standard errors, or equal where nothing varies."""
    return abs(value - expected) <= ERRORS * error + 1e-9
