"""LETHAL HITS: take the automatic wound, or roll? (24.23), for the die-by-die player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from tests.naive_attack import Attack, Policy


def final_faces(policy: Policy, good: Callable[[int], bool], best: Callable[[int], bool]) -> Counter[int]:
    """Of 36 equally likely pairs of dice, how many end on each face."""
    ends: Counter[int] = Counter()
    for first, second in product(range(1, 7), repeat=2):
        again = {None: False, "one": False, "ones": first == 1, "noncritical": not best(first)}
        ends[second if again.get(policy, not good(first)) else first] += 1
    return ends


def expected_loss(attack: Attack, figure: Any, mortal: bool) -> Fraction:
    """Wounds that an unhurt model loses to one damaging attack, after FEEL NO PAIN, at most its W."""
    through = Fraction(min(6, figure.no_pain(mortal, attack.has("PSYCHIC")) - 1), 6)
    expected = Fraction(0)
    for damage, p in attack.distribution(None if mortal else figure.row).items():
        for lost in range(damage + 1):
            chance = comb(damage, lost) * through**lost * (1 - through) ** (damage - lost)
            expected += p * chance * min(lost, figure.wounds)
    return expected


def lethal_pays(attack: Attack, figure: Any, toughness: int, melee: bool) -> bool:
    """Whether one automatic wound costs that model at least as much as one wound roll."""

    def unsaved(ap: int) -> Fraction:
        def good(die: int) -> bool:
            return attack.saved(die, ap, figure.row.save, figure.invulnerable(melee))

        ends = final_faces(attack.save_reroll, good, lambda die: False)
        return Fraction(sum(n for face, n in ends.items() if not good(face)), 36)

    normal = unsaved(attack.ap) * expected_loss(attack, figure, False)
    if attack.has("DEVASTATINGWOUNDS"):
        critical = expected_loss(attack, figure, True)
    else:
        critical = unsaved(attack.critical_ap) * expected_loss(attack, figure, False)
    faces = attack.wound_faces(toughness)
    worth = {None: Fraction(0), "wound": normal, "critical": critical}
    ends = final_faces(
        attack.wound_reroll, lambda die: faces[die] is not None, lambda die: faces[die] == "critical"
    )
    return normal >= sum(n * worth[faces[face]] for face, n in ends.items()) / 36
