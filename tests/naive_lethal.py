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


def rolled_damage(attack: Attack) -> dict[int, Fraction]:
    """The distribution of D before other modifiers, with its re-rolls."""
    sides, number, policy = attack.damage.sides, attack.damage.number, attack.damage_reroll
    die = {face: Fraction(1, sides) for face in range(1, sides + 1)}
    if policy == "ones":
        die = {face: (Fraction(face > 1) + Fraction(1, sides)) / sides for face in die}
    total = {0: Fraction(1)}
    for _ in range(number):
        longer: dict[int, Fraction] = {}
        for (so_far, p), (face, q) in product(total.items(), die.items()):
            longer[so_far + face] = longer.get(so_far + face, Fraction(0)) + p * q
        total = longer
    if policy == "below_mean" and number:
        low = sum(p for value, p in total.items() if value < attack.damage.dice_mean)
        total = {value: p * ((value >= attack.damage.dice_mean) + low) for value, p in total.items()}
    return {value + attack.damage.plus: p for value, p in total.items()}


def expected_loss(attack: Attack, figure: Any, mortal: bool) -> Fraction:
    """Wounds that an unhurt model loses to one damaging attack, after FEEL NO PAIN, at most its W."""
    through = Fraction(min(6, figure.no_pain(mortal, attack.has("PSYCHIC")) - 1), 6)
    expected = Fraction(0)
    for rolled, p in rolled_damage(attack).items():
        damage = attack.damage_of(rolled, None if mortal else figure.row)
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
    rolls = final_faces(
        attack.wound_reroll, lambda die: attack.wounds(die, toughness), attack.wounds_critically
    )
    rolled = Fraction(0)
    for face, n in rolls.items():
        if attack.wounds_critically(face):
            rolled += n * critical / 36
        elif attack.wounds(face, toughness):
            rolled += n * normal / 36
    return normal >= rolled
