"""`BestPlay`: the best choice, the table of the others, and what each costs."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import Any

from mathhammer.scenario import Scenario

__all__ = ["Alternative", "BestPlay"]

SHOWN = 12


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to choose.

    Attributes
    ----------
    choice : str
    value : float
        Of the metric.
    costs : float
        How much worse it is for who chooses, 0 or more.
    """

    choice: str
    value: float
    costs: float


@dataclass(frozen=True)
class BestPlay:
    """The answer to "what should I choose?".

    Attributes
    ----------
    question, who : str
        What is chosen, and by whom ("attacker", "defender" or "both").
    metric : str
    best : str
        The best choice: of several equal ones the first listed.
    value : float
        What it gives.
    alternatives : tuple of Alternative
        All choices from the best to the worst.
    answering : float or None
        The value when the choice is made anew before each batch, knowing what is left; None where that was not
        asked or takes too many positions.
    scenario : Scenario
        The scenario in which the best choice is made.
    """

    question: str
    who: str
    metric: str
    best: str
    value: float
    alternatives: tuple[Alternative, ...]
    answering: float | None
    scenario: Scenario

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "question": self.question,
            "who": self.who,
            "metric": self.metric,
            "best": self.best,
            "value": self.value,
            "answering": self.answering,
            "alternatives": [
                {"choice": each.choice, "value": each.value, "costs": each.costs}
                for each in self.alternatives
            ],
        }

    def __str__(self) -> str:
        lines = [f"Best {self.question} ({self.who}, {self.metric.replace('_', ' ')}): {self.best}"]
        lines += [f"{'value':>10}  {'costs':>9}  choice"]
        lines += [
            f"{each.value:10.4f}  {each.costs:9.4f}  {each.choice}" for each in self.alternatives[:SHOWN]
        ]
        if len(self.alternatives) > SHOWN:
            lines.append(f"{'':23}... and {len(self.alternatives) - SHOWN} more")
        if self.answering is not None:
            lines.append(f"{self.answering:10.4f}  {'':9}  chosen anew before each batch")
        return "\n".join(part for line in lines for part in wrap(line, 80, subsequent_indent=" " * 23))

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"
