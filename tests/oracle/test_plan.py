"""The plan against the die-by-die player's reading of the same scenario: every number of every attack, exactly.

What the engines are handed is compared before any die is rolled: for each set of rows of the target that can
be left, what each weapon's dice do, how many there are, and which weapons make one batch.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.naive import Game, select
from tests.naive_attack import Attack, rerolled, rolled_damage
from tests.naive_table import Body
from tests.naive_words import applicable, read_roll
from tests.oracle import parts
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.plan import Batch, Plan, Roll, make_plan
from mathhammer.rules import CRITICAL, FAIL, SUCCESS
from mathhammer.sides import NORMAL, PSYCHIC

RESULTS = {None: FAIL, "hit": SUCCESS, "wound": SUCCESS, "critical": CRITICAL}
DICE = range(1, 7)
Faces = dict[int, str | None]


def pmf(chances: Mapping[int, Fraction]) -> list[float]:
    return [float(chances.get(value, 0)) for value in range(max(chances) + 1)]


def assert_same_die(faces: Any, again: Any, one: bool, policy: str | None, read: Faces) -> None:
    """What each unmodified face does, and which are rolled again."""
    which = rerolled(policy, read)
    assert faces == tuple(RESULTS[read[die]] for die in DICE)
    assert again == tuple(policy != "one" and die in which for die in DICE)
    assert one == (policy == "one")


def assert_same_roll(roll: Roll, attack: Attack, body: Body, plan: Plan) -> None:
    """One attack against what is left of the target."""
    assert roll.automatic == attack.has("TORRENT")
    if not roll.automatic:
        assert_same_die(roll.hit, roll.hit_reroll, roll.hit_one, attack.hit_reroll, attack.hit_faces)
        assert roll.skill == attack.skill
    extra = rolled_damage(attack.sustained, None) if attack.sustained else {0: Fraction(1)}
    assert roll.sustained == pytest.approx(pmf(extra), abs=1e-12)
    wounds = attack.wound_faces(body.toughness())
    assert_same_die(roll.wound, roll.wound_reroll, roll.wound_one, attack.wound_reroll, wounds)
    assert roll.devastating == attack.has("DEVASTATINGWOUNDS")
    assert (roll.strength, roll.ap) == (attack.strength, attack.ap)
    assert_same_saves(roll, attack, body, plan)
    assert_same_damage(roll, attack, body)


def assert_same_saves(roll: Roll, attack: Attack, body: Body, plan: Plan) -> None:
    of_row = {figure.row.name: figure for figure in body.figures}
    first = [of_row[plan.target.names[rows[0]]] for rows in plan.target.groups]

    def failing(ap: int) -> tuple[int, ...]:
        return tuple(
            sum(not attack.saved(die, ap, each.row.save, each.invulnerable(attack.melee)) for die in DICE)
            for each in first
        )

    assert roll.unsaved == failing(attack.ap)
    if attack.critical_ap == attack.ap or roll.devastating:
        assert roll.unsaved_critical is None
    else:
        assert roll.unsaved_critical == failing(attack.critical_ap)
        assert roll.ap_critical == attack.critical_ap
    played = {"any": "failures", "one": None}
    assert roll.save_reroll == played.get(attack.save_reroll or "", attack.save_reroll)
    assert roll.save_one == (attack.save_reroll == "one")


def assert_same_damage(roll: Roll, attack: Attack, body: Body) -> None:
    rows = list(dict.fromkeys(figure.row.name for figure in body.figures))
    of_row = {figure.row.name: figure.row for figure in body.figures}
    single = attack.damage_reroll == "one" and attack.damage.number > 0
    assert roll.damage_one == single
    kinds = [(of_row[name], roll.damage_class[place]) for place, name in enumerate(rows)]
    for row, kind in (*kinds, (None, len(roll.damage) - 1)):
        assert roll.damage[kind] == pytest.approx(pmf(attack.distribution(row)), abs=1e-12)
        if not single:
            continue
        kept: dict[int, Fraction] = {}
        for rolled, p in rolled_damage(attack.damage, None).items():
            replaced = row is not None and row.damage_becomes is not None
            if replaced or rolled - attack.damage.plus >= attack.damage.dice_mean:
                value = attack.damage_of(rolled, row)
                kept[value] = kept.get(value, Fraction(0)) + p
        low = 1 - sum(kept.values())
        spent = {value: low * p for value, p in attack.distribution(row).items()}
        for found, expected in zip(roll.damage_after_one[kind], (kept, spent), strict=True):
            assert found == pytest.approx(pmf(expected), abs=1e-12)


def dice_of(weapons: list[Any], attack: Attack, more: Any) -> Any:
    """Distribution of the attack dice of a batch."""
    total = np.ones(1)
    for weapon in weapons:
        own: dict[int, Fraction] = {}
        for rolled, p in rolled_damage(read_roll(str(weapon.attacks)), None).items():
            value = max(1, rolled + more(weapon))
            own[value] = own.get(value, Fraction(0)) + p
        for _ in range(weapon.count):
            total = np.convolve(total, pmf(own))
            for added in attack.attack_dice:
                total = np.convolve(total, pmf(rolled_damage(added, None)))
    return total


def assert_same_batch(batch: Batch, read: Any) -> None:
    assert batch.name == " + ".join(dict.fromkeys(weapon.name for weapon in read.weapons))
    assert batch.count == sum(weapon.count for weapon in read.weapons)


def remaining(target: mh.Unit, preference: tuple[str, ...], living: tuple[bool, ...]) -> Body:
    """The target with some rows gone, and none of the others hurt any further."""
    body = Body(target, preference)
    for row, lives in zip(target.models, living, strict=True):
        for figure in body.figures:
            if figure.row is row and not lives:
                figure.left = 0
    return body


def check(scenario: mh.Scenario) -> None:
    plan, game = make_plan(scenario), Game(scenario)
    rows = len(scenario.target.models)
    for index, own in enumerate(plan.attacks):
        side = game.sides[index]
        whole = remaining(scenario.target, side.preference, (True,) * rows)
        groups = list(dict.fromkeys(figure.group for figure in whole.figures))
        assert [groups[group] for group in own.preference] == whole.preferred
        assert list(own.weapons) == list(side.weapons)
        for living in product((True, False), repeat=rows):
            if not any(living):
                continue
            body = remaining(scenario.target, side.preference, living)
            place = plan.look_of[sum(1 << row for row in range(rows) if living[row])]
            look, keywords = plan.looks[place], body.living_keywords()
            assert (look.toughness, look.keywords) == (body.toughness(), keywords)
            assert look.character == any(figure.character for figure in body.living())
            hazardous = [
                w.count for w in side.weapons if "HAZARDOUS" in applicable(side.abilities(w), keywords)
            ]
            assert own.hazard_rolls[place] == sum(hazardous)
            models = len(body.living())
            if index == 0 and own.models_at_select_targets is not None:
                models = own.models_at_select_targets
            found = [plan.batches[b] for b in own.schedule[place][models >= 5]]
            if index > 0 or all(living):
                gathered = game.gather(index, body, models)
                for batch, read in zip(found, gathered, strict=True):
                    assert_same_batch(batch, read)
            for batch in found:
                weapon = next(weapon for weapon in side.weapons if weapon.name == batch.name.split(" + ")[0])
                attack, roll = game.attack(index, weapon, body, models), batch.rolls[place]
                assert_same_roll(roll, attack, body, plan)
                taken = game.automatic(index, weapon) and attack.has("LETHALHITS")
                assert roll.lethal == taken
                if side.choices.precision in ("first", "none"):
                    assert roll.precision == (select(side, attack, body) is not None)
                assert roll.kind == (PSYCHIC if attack.has("PSYCHIC") else NORMAL)
                dice = dice_of(list(batch.weapons), attack, side.more_attacks)
                assert batch.attack_dice(place, models // 5) == pytest.approx(dice, abs=1e-12)


@pytest.mark.parametrize("names", parts.alone(), ids=" ".join)
def test_parts(names: tuple[str, ...]) -> None:
    check(parts.scenario(*names))


@pytest.mark.parametrize("index", range(200))
def test_random_scenarios(index: int) -> None:
    check(random_scenarios(200, seed=51)[index])


def lethal_scenario(rng: random.Random) -> mh.Scenario:
    """A weapon with LETHAL HITS for which rolling to wound may be better."""
    extra = (
        "",
        "DEVASTATING WOUNDS",
        "TWIN-LINKED",
        "DEVASTATING WOUNDS, TWIN-LINKED",
        "ANTI-INFANTRY 4+",
        "PSYCHIC",
    )
    gun = {"name": "Gun", "A": 2, "BS": "3+", "S": rng.choice((2, 4, 8)), "AP": -rng.randrange(3)}
    gun |= {
        "D": rng.choice((1, 2, "D3", "D6")),
        "abilities": [f"LETHAL HITS, {rng.choice(extra)}".rstrip(", ")],
    }
    modifiers = {
        "reroll_saves": rng.choice((None, "ones", "failures", "noncritical")),
        "reroll_wounds": rng.choice((None, None, "ones", "noncritical")),
        "extra_ap_on_critical_wound": rng.choice((0, 0, 1, 3)),
        "critical_wounds_on": rng.choice((None, 3, 5)),
    }
    model = {"name": "Wall", "T": 4, "Sv": rng.choice((2, 4, 6)), "W": rng.randint(1, 4)}
    model |= {"feel_no_pain": rng.choice((None, None, 5)), "feel_no_pain_mortal": rng.choice((None, 3))}
    model |= {"feel_no_pain_psychic": rng.choice((None, 3)), "halve_damage": rng.choice((False, False, True))}
    return mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": [gun]},
            "target": {"name": "B", "keywords": ["INFANTRY"], "models": [model]},
            "modifiers": modifiers,
        }
    )


def test_lethal_hits_are_taken_where_they_pay() -> None:
    rng, taken = random.Random(3), 0
    for _ in range(600):
        scenario = lethal_scenario(rng)
        (batch,), game = make_plan(scenario).batches, Game(scenario)
        expected = game.automatic(0, scenario.attackers[0].weapons[0])
        assert batch.rolls[0].lethal == expected, scenario
        taken += expected
    assert 100 < taken < 500
