"""Every sequence of dice that a small scenario can roll, with its probability as a fraction.

The die-by-die player is given the dice: when it asks for more than were laid out the next die starts at 1,
and the last die that is not a 6 goes up for the next play, until all have been seen.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TypeVar

from tests.naive import Game, Result

from mathhammer.scenario import Scenario

Answer = TypeVar("Answer", bound=Hashable)


class _Odometer:
    """Hands out the faces of one sequence; `turn` goes to the next one."""

    def __init__(self) -> None:
        self.faces: list[int] = []
        self.asked = 0

    def random(self) -> float:
        if self.asked == len(self.faces):
            self.faces.append(1)
        self.asked += 1
        return (self.faces[self.asked - 1] - 0.5) / 6

    def turn(self) -> bool:
        """Whether there is another sequence."""
        self.asked = 0
        while self.faces and self.faces[-1] == 6:
            self.faces.pop()
        if self.faces:
            self.faces[-1] += 1
        return bool(self.faces)


def enumerated(scenario: Scenario, answer: Callable[[Result], Answer]) -> dict[Answer, Fraction]:
    """The exact distribution of `answer` over all plays."""
    game, dice = Game(scenario), _Odometer()
    weights: dict[tuple[Answer, int], int] = {}
    more = True
    while more:
        key = answer(game.play(dice)), len(dice.faces)
        weights[key] = weights.get(key, 0) + 1
        more = dice.turn()
    found: dict[Answer, Fraction] = {}
    for (value, rolled), n in weights.items():
        found[value] = found.get(value, Fraction(0)) + Fraction(n, 6**rolled)
    return found
