"""The attack sequence one die at a time, straight from the rules: slow, plain, and a third opinion.

It shares nothing with the plan or with the engines; it imports only the objects that say what fights. Numbers
in comments are the rulebook's sections.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from math import sqrt
from typing import Any

from tests.naive_attack import BIG, Attack, Side, read_attack
from tests.naive_lethal import lethal_pays
from tests.naive_table import Body, Figure, Hand, Order, Source, current, lose, mortally_wounded
from tests.naive_words import applicable, fold, read_roll

from mathhammer.scenario import Scenario

COUNTS = (
    "attacks",
    "hits",
    "critical_hits",
    "wounds",
    "critical_wounds",
    "unsaved",
    "mortal_wounds",
    "damage",
)
COUNTS += ("wounds_lost", "models_destroyed")


def save_rolls(
    number: int, attack: Attack, ap: int, order: Order, selected: Figure | None, hand: Hand
) -> list[int]:
    """All the save rolls of a pool together; a failure is one against the group that is first now."""
    first = current(order, selected)

    def good(die: int) -> bool:
        return first is not None and attack.saved(die, ap, first.row.save, first.invulnerable(attack.melee))

    return [hand.save(attack.save_reroll, good) for _ in range(number)]


def inflict(
    body: Body, rolls: list[int], attack: Attack, ap: int, order: Order, selected: Figure | None, hand: Hand
) -> Counter[str]:
    """05.04: save rolls from the lowest to the highest, each against the group that is current then."""
    counts: Counter[str] = Counter()
    for die in sorted(rolls):
        figure = current(order, selected)
        if figure is None:
            break
        if attack.saved(die, ap, figure.row.save, figure.invulnerable(attack.melee)):
            continue
        counts["unsaved"] += 1
        if body.zeros[figure.name]:
            body.zeros[figure.name] -= 1
            continue
        damage = hand.damage(attack, figure.row)
        counts["damage"] += damage
        lose(figure, damage, figure.no_pain(False, attack.has("PSYCHIC")), hand)
    return counts


def devastate(number: int, attack: Attack, order: Order, selected: Figure | None, hand: Hand) -> Counter[str]:
    """24.10: each critical wound is D mortal wounds on one model, the rest lost."""
    counts: Counter[str] = Counter()
    for _ in range(number):
        figure = mortally_wounded(order, selected)
        if figure is None:
            break
        damage = hand.damage(attack)
        counts["mortal_wounds"] += damage
        counts["damage"] += damage
        lose(figure, damage, figure.no_pain(True, attack.has("PSYCHIC")), hand)
    return counts


def mortal_wounds(body: Body, number: int, hand: Hand) -> None:
    """06.02: one after another, spilling over."""
    for _ in range(number):
        figure = mortally_wounded(body.declare())
        if figure is None:
            return
        lose(figure, 1, figure.no_pain(True, False), hand)


def hazards(body: Body, weapons: int, hand: Hand) -> None:
    """06.03: on a 1-2 one mortal wound, or 3 if every model is a MONSTER or VEHICLE; rolled together."""
    big = all(figure.keywords & BIG for figure in body.living())
    for _ in range(weapons):
        if hand.d6() <= 2:
            mortal_wounds(body, 3 if big else 1, hand)


@dataclass
class Batch:
    """Weapons whose attacks are identical when their unit begins (04.03)."""

    weapons: list[Any]
    automatic: bool  # LETHAL HITS: wounds without a roll


@dataclass
class Result:
    """What one play of a scenario came to."""

    wounds_lost: int = 0
    models_destroyed: int = 0
    alive: dict[str, int] = field(default_factory=dict)
    attacker_wounds_lost: int = 0
    attacker_models_destroyed: int = 0
    attackers_used: int = 0
    by_weapon: list[dict[str, Any]] = field(default_factory=list)
    after_attacker: list[dict[str, Any]] = field(default_factory=list)

    def numbers(self) -> dict[str, float]:
        """Everything countable, by a flat name."""
        found: dict[str, float] = {
            name: getattr(self, name)
            for name in (
                "wounds_lost",
                "models_destroyed",
                "attacker_wounds_lost",
                "attacker_models_destroyed",
            )
        }
        found["attackers_used"] = self.attackers_used
        found["unit_destroyed"] = not any(self.alive.values())
        found |= {f"alive.{name}": left for name, left in self.alive.items()}
        for row, name in product(self.by_weapon, COUNTS):
            key = f"by_weapon.{row['attacker']}.{row['weapon']}.{name}"
            found[key] = found.get(key, 0) + row[name]
        for i, row in enumerate(self.after_attacker):
            found |= {f"after_attacker.{i}.{name}": row[name] for name in row if name != "attacker"}
        return found


class Game:
    """One scenario, read once and played any number of times."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.sides = read_sides(scenario)
        self.gathered: dict[Any, list[Batch]] = {}
        self.attacks: dict[Any, Attack] = {}

    def attack(self, side: int, weapon: Any, target: Body, models: int) -> Attack:
        character = any(figure.character for figure in target.living())
        key = (side, id(weapon), target.living_keywords(), character, models)
        if key not in self.attacks:
            attacker = Body(self.sides[side].unit).living_keywords()
            self.attacks[key] = read_attack(self.sides[side], weapon, target, attacker, models)
        return self.attacks[key]

    def gather(self, index: int, target: Body, models: int) -> list[Batch]:
        """04.03, as things stand when this unit begins."""
        side = self.sides[index]
        key = (index, target.living_keywords(), any(figure.character for figure in target.living()), models)
        if key not in self.gathered:
            batches: dict[Any, Batch] = {}
            for weapon in side.weapons:
                attack = self.attack(index, weapon, target, models)
                batches.setdefault(attack.identity(target), Batch([], False)).weapons.append(weapon)
            for batch in batches.values():
                batch.automatic = self.automatic(index, batch.weapons[0])
            self.gathered[key] = list(batches.values())
        return self.gathered[key]

    def automatic(self, index: int, weapon: Any) -> bool:
        side = self.sides[index]
        if side.choices.lethal_hits != "best":
            return side.choices.lethal_hits == "always"
        fresh = Body(self.scenario.target, side.preference)
        attack = self.attack(index, weapon, fresh, len(fresh.figures))
        first = current(fresh.declare(), select(side, attack, fresh))
        return lethal_pays(attack, first, fresh.toughness(), side.melee)

    def play(self, source: Source) -> Result:
        target, result = Body(self.scenario.target), Result()
        for index, side in enumerate(self.sides):
            models = len(target.living())
            if index == 0 and side.conditions.models_at_select_targets:
                models = side.conditions.models_at_select_targets
            result.attackers_used += models > 0
            self.activate(index, target, models, Hand(source), result)
            alive = len(target.living())
            row = {"attacker": side.unit.name, "wounds_lost": target.wounds_lost}
            row |= {"unit_destroyed": alive == 0, "models_destroyed": len(target.figures) - alive}
            result.after_attacker.append(row)
        result.wounds_lost = target.wounds_lost
        result.models_destroyed = sum(figure.left == 0 for figure in target.figures)
        result.alive = {row.name: 0 for row in self.scenario.target.models}
        for figure in target.living():
            result.alive[figure.name] += 1
        return result

    def activate(self, index: int, target: Body, models: int, hand: Hand, result: Result) -> None:
        """All that one unit does: its batches, then its hazard rolls; nothing if it is kept back."""
        side = self.sides[index]
        target.prefer(side.preference)
        keywords = target.living_keywords()
        hazardous = [w.count for w in side.weapons if "HAZARDOUS" in applicable(side.abilities(w), keywords)]
        for batch in self.gather(index, target, models) if models else ():
            row = self.resolve(index, batch, target, models, hand) if target.living() else Counter()
            names = " + ".join(dict.fromkeys(weapon.name for weapon in batch.weapons))
            count = sum(weapon.count for weapon in batch.weapons)
            labels = {"attacker": side.unit.name, "weapon": names, "count": count}
            result.by_weapon.append(labels | {name: row[name] for name in COUNTS})
        if models and side.unit.models:
            own = Body(side.unit)
            hazards(own, sum(hazardous), hand)
            result.attacker_wounds_lost += own.wounds_lost
            result.attacker_models_destroyed += len(own.figures) - len(own.living())

    def resolve(self, index: int, batch: Batch, target: Body, models: int, hand: Hand) -> Counter[str]:
        side, row = self.sides[index], Counter()
        attack = self.attack(index, batch.weapons[0], target, models)
        before, standing = target.wounds_lost, len(target.living())
        for weapon in batch.weapons:
            for _ in range(weapon.count):
                row["attacks"] += max(
                    1, hand.roll(read_roll(str(weapon.attacks))) + side.more_attacks(weapon)
                )
                row["attacks"] += sum(map(hand.roll, attack.attack_dice))
        to_roll, wounds = hit_rolls(attack, row, batch.automatic, hand)
        normal, critical = wound_rolls(attack, row, to_roll, target.toughness(), hand)
        normal += wounds
        selected = select(side, attack, target)
        devastating = critical if attack.has("DEVASTATINGWOUNDS") else 0
        if attack.critical_ap == attack.ap:
            pools = [(normal + critical - devastating, attack.ap)]
        else:
            pools = [(critical - devastating, attack.critical_ap), (normal, attack.ap)]
        for number, ap in sorted(pools, key=lambda pool: pool[1]):
            order = target.declare()
            rolls = save_rolls(number, attack, ap, order, selected, hand)
            row.update(inflict(target, rolls, attack, ap, order, selected, hand))
        row.update(devastate(devastating, attack, order, selected, hand))
        row["wounds_lost"] = target.wounds_lost - before
        row["models_destroyed"] = standing - len(target.living())
        return row


def hit_rolls(attack: Attack, row: Counter[str], automatic: bool, hand: Hand) -> tuple[int, int]:
    """05.01: hits that still need a wound roll, and LETHAL HITS that wound without one."""
    if attack.has("TORRENT"):
        row["hits"] += row["attacks"]
        return row["attacks"], 0
    to_roll = wounds = 0
    for _ in range(row["attacks"]):
        result = hand.check("hits", attack.hit_reroll, attack.hit_faces)
        extra = hand.roll(attack.sustained) if result == "critical" and attack.sustained else 0
        row["hits"] += (result is not None) + extra
        row["critical_hits"] += result == "critical"
        taken = result == "critical" and automatic and attack.has("LETHALHITS")
        wounds += taken
        to_roll += (result is not None) - taken + extra
    row["wounds"] += wounds
    return to_roll, wounds


def wound_rolls(
    attack: Attack, row: Counter[str], number: int, toughness: int, hand: Hand
) -> tuple[int, int]:
    """05.02: ordinary and critical wounds."""
    faces = attack.wound_faces(toughness)
    results = Counter(hand.check("wounds", attack.wound_reroll, faces) for _ in range(number))
    row["wounds"] += results["wound"] + results["critical"]
    row["critical_wounds"] += results["critical"]
    return results["wound"], results["critical"]


def select(side: Side, attack: Attack, target: Body) -> Figure | None:
    """24.28: the CHARACTER that PRECISION puts first."""
    wanted = side.choices.precision
    if not attack.has("PRECISION") or wanted == "none":
        return None
    characters = [figure for figure in target.living() if figure.character]
    return next((f for f in characters if wanted == "first" or fold(f.name) == fold(wanted)), None)


def read_sides(scenario: Scenario) -> list[Side]:
    sides = []
    for unit in scenario.attackers:
        conditions, choices = scenario.conditions_of(unit), scenario.choices_of(unit)
        melee = scenario.phase_of(unit) == "fight"
        weapons = chosen_modes([weapon for weapon in unit.weapons if weapon.melee == melee], choices.modes)
        if not isinstance(choices.batch_order, str):
            rank = {fold(name): i for i, name in enumerate(choices.batch_order)}
            weapons.sort(key=lambda weapon: rank.get(fold(weapon.name), len(rank)))
        sides.append(
            Side(unit, scenario.target, conditions, choices, scenario.modifiers, melee, tuple(weapons))
        )
    return sides


def chosen_modes(weapons: list[Any], modes: dict[str, str]) -> list[Any]:
    """Of weapons named `NAME | MODE` one mode is used: the chosen one, or the first."""
    wanted = {fold(name): fold(mode) for name, mode in modes.items()}
    used: list[Any] = []
    for weapon in weapons:
        name, bar, mode = weapon.name.partition(" | ")
        if bar:
            chosen = wanted.setdefault(fold(name), fold(mode))
            if fold(mode) != chosen:
                continue
        used.append(weapon)
    return used


def play(scenario: Scenario, source: Source) -> Result:
    """One trial; `source.random()` gives the dice."""
    return Game(scenario).play(source)


@dataclass(frozen=True)
class Many:
    """Means, sds and counts of many plays, by the names of `Result.numbers`; a number not counted is 0."""

    trials: int
    mean: dict[str, float]
    sd: dict[str, float]
    counts: dict[str, Counter[float]]

    def error(self, name: str) -> float:
        return self.sd[name] / sqrt(self.trials)


def play_many(scenario: Scenario, trials: int, seed: int) -> Many:
    """Play `trials` times with the dice of one seed."""
    game, source = Game(scenario), random.Random(seed)
    counts: dict[str, Counter[float]] = {}
    for _ in range(trials):
        result = game.play(source)
        for name, value in result.numbers().items():
            counts.setdefault(name, Counter())[value] += 1
    mean = {name: sum(v * n for v, n in found.items()) / trials for name, found in counts.items()}
    square = {name: sum(v * v * n for v, n in found.items()) / trials for name, found in counts.items()}
    sd = {name: sqrt(max(0.0, square[name] - mean[name] ** 2)) for name in mean}
    return Many(trials, mean, sd, counts)
