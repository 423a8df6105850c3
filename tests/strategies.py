"""Random valid scenarios over all abilities, modifiers, conditions and choices, small enough to be played.

`scenarios()` is a hypothesis strategy (it shrinks); `random_scenarios(n, seed)` is a fixed list for sweeps.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st

from mathhammer.scenario import Scenario

KEYWORDS = ("INFANTRY", "VEHICLE", "MONSTER", "PSYKER")
ANY_PHASE = (
    *("SUSTAINED HITS 1", "SUSTAINED HITS 2", "SUSTAINED HITS D3", "LETHAL HITS", "DEVASTATING WOUNDS"),
    *("TWIN-LINKED", "ANTI-INFANTRY 4+", "ANTI-VEHICLE 2+", "ANTI-MONSTER/VEHICLE 5+", "ANTI-PSYKER 3+"),
    *("PRECISION", "PSYCHIC", "HAZARDOUS", "CLEAVE 1", "CLEAVE D3", "EXTRA ATTACKS", "ONE SHOT"),
    *("LETHAL HITS: VEHICLE", "SUSTAINED HITS 3: INFANTRY", "DEVASTATING WOUNDS: PSYKER/MONSTER"),
    *("TWIN-LINKED: INFANTRY", "LANCE", "HUNTER: VEHICLE", "PSYCHIC: PSYKER", "CLEAVE 2: INFANTRY"),
)
NEGATED = ("ANTI-NON-VEHICLE 4+", "LETHAL HITS: NON-MONSTER/VEHICLE", "SUSTAINED HITS 1: NON-INFANTRY")
SHOOTING = (
    *("TORRENT", "RAPID FIRE 1", "RAPID FIRE D3", "BLAST", "BLAST 2", "MELTA 2", "HEAVY", "IGNORES COVER"),
    *("INDIRECT FIRE", "PISTOL", "CLOSE-QUARTERS", "ASSAULT", "TORRENT: VEHICLE", "RAPID FIRE 2: MONSTER"),
    *("BLAST 2: INFANTRY", "MELTA 3: VEHICLE"),
)
REROLLS = ("ones", "failures", "noncritical", "any", "one")
CONDITIONS = ("half_range", "cover", "plunging_fire", "braced", "charged", "split_attacks")


class Maker:
    """Draws the parts of one scenario from `rng`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def some(self, percent: int, value: Any, default: Any) -> Any:
        return value if self.chance(percent) else default

    def scenario(self) -> dict[str, Any]:
        self.melee = self.chance(35)
        self.own_keywords = self.chance(30)
        target = self.target()
        units = [self.attacker(i, target) for i in range(self.rng.choice((1, 1, 1, 1, 2, 3)))]
        conditions = self.conditions()
        if self.chance(15):
            conditions["models_at_select_targets"] = self.rng.randint(1, 16)
        found = {
            "attacker": units if len(units) > 1 else units[0],
            "target": target,
            "conditions": conditions | {"phase": "fight" if self.melee else "shooting"},
            "modifiers": self.modifiers(5),
            "choices": self.choices(target, units[0]),
        }
        places = (conditions, *(unit.get("conditions", {}) for unit in units))
        engaged = any(place.get(key) for place in places for key in ("engaged", "target_engaged"))
        return without_blast(found) if engaged else found

    def target(self) -> dict[str, Any]:
        rng = self.rng
        rows = [self.model(i) for i in range(rng.choice((1, 1, 2, 2, 3)))]
        if all(row["character"] for row in rows) and self.chance(70):
            rows[0]["character"] = False
        return {
            "name": "Target",
            "keywords": rng.sample(KEYWORDS, rng.choice((0, 1, 1, 2))),
            "models": rows,
            "abilities": self.some(15, ["STEALTH"], []) + self.some(8, ["FEEL NO PAIN 6+"], []),
            "modifiers_against": self.modifiers(7),
        }

    def model(self, index: int) -> dict[str, Any]:
        rng = self.rng
        character = index > 0 and self.chance(45)
        wounds = rng.choice((1, 1, 2, 2, 3, 4))
        row: dict[str, Any] = {
            "name": f"Row {index}",
            "count": rng.choice((1, 1, 2)) if character else rng.randint(1, 5),
            "toughness": rng.choice((3, 4, 4, 5, 8)),
            "save": rng.randint(2, 7),
            "wounds": wounds,
            "character": character,
            "leader": character and self.chance(70),
            "invulnerable_save": self.some(30, rng.randint(4, 6), None),
            "feel_no_pain": self.some(25, rng.randint(4, 6), None),
            "wounds_lost": self.some(20, rng.randrange(wounds), 0),
        }
        rare = {
            "invulnerable_save_ranged": rng.randint(3, 6),
            "invulnerable_save_melee": rng.randint(3, 6),
            "feel_no_pain_mortal": rng.randint(3, 6),
            "feel_no_pain_psychic": rng.randint(3, 6),
            "damage_reduction": 1,
            "halve_damage": True,
            "damage_becomes": rng.randrange(3),
            "damage_to_zero": rng.randint(1, 2),
        }
        row |= {key: value for key, value in rare.items() if self.chance(7)}
        if self.own_keywords and self.chance(60):
            row["keywords"] = [rng.choice(KEYWORDS)]
        return row

    def attacker(self, index: int, target: dict[str, Any]) -> dict[str, Any]:
        rng = self.rng
        unit: dict[str, Any] = {"name": f"Attacker {index}", "modifiers": self.modifiers(5)}
        unit["weapons"] = [self.weapon(f"Weapon {i}") for i in range(rng.choice((1, 1, 2, 2, 3)))]
        if len(unit["weapons"]) > 1 and self.chance(15):
            for weapon, mode in zip(unit["weapons"], ("low", "high"), strict=False):
                weapon["name"] = f"Plasma | {mode}"
        if self.chance(20):
            unit["weapons"].append(self.twin(unit["weapons"][-1]))
        unit["keywords"] = self.some(25, [rng.choice(KEYWORDS)], [])
        if self.chance(40):
            unit["models"] = [
                {"name": "Bearer", "count": rng.randint(1, 4), "toughness": 4, "save": 3, "wounds": 2}
            ]
            unit["models"][0]["feel_no_pain"] = self.some(30, 5, None)
        if index and self.chance(40):
            unit["conditions"] = self.conditions()
            unit["choices"] = {"precision": self.rng.choice(("first", "none"))}
        return unit

    def twin(self, weapon: dict[str, Any]) -> dict[str, Any]:
        """The same attacks under another name, with another A: one batch (04.03)."""
        return weapon | {"name": "Twin", "attacks": self.rng.choice((1, 2, "D3"))}

    def weapon(self, name: str) -> dict[str, Any]:
        rng = self.rng
        pool = [*ANY_PHASE, *(() if self.melee else SHOOTING), *(() if self.own_keywords else NEGATED)]
        abilities = rng.sample(pool, rng.choice((0, 1, 1, 2, 2, 3)))
        weapon: dict[str, Any] = {
            "name": name,
            "count": rng.choice((1, 1, 2, 2, 3, 0)),
            "attacks": rng.choice((1, 2, 2, 3, "D3", "D6", "D6+1")),
            "skill": None if "TORRENT" in abilities else rng.randint(2, 6),
            "strength": rng.choice((3, 4, 5, 8)),
            "ap": -rng.choice((0, 0, 1, 2, 3)),
            "damage": rng.choice((1, 1, 2, 3, "D3", "D6", "D3+1", "2D3")),
            "abilities": abilities,
            "melee": self.melee,
        }
        return weapon | {"modifiers": self.modifiers(5)}

    def modifiers(self, percent: int) -> dict[str, Any]:
        rng = self.rng
        numbers = ("hit_roll", "wound_roll", "attacks", "skill", "strength", "ap", "damage")
        numbers += ("save_roll", "armour_save", "toughness")
        every: dict[str, Any] = {name: rng.choice((-2, -1, -1, 1, 1, 2)) for name in numbers}
        every |= {name: rng.choice(REROLLS) for name in ("reroll_hits", "reroll_wounds", "reroll_saves")}
        every["reroll_damage"] = rng.choice(("ones", "below_mean", "one"))
        every["abilities"] = [rng.choice(ANY_PHASE)]
        every["critical_hits_on"] = every["critical_wounds_on"] = rng.randint(3, 6)
        every["unmodified_wound_fails_to"] = rng.randint(1, 3)
        every["extra_ap_on_critical_wound"] = rng.choice((1, 1, 2, -1))
        every["ignore_modifiers"] = rng.sample(("skill", "hit_roll", "wound_roll"), rng.randint(1, 3))
        found = {name: value for name, value in every.items() if self.chance(percent)}
        if "critical_hits_on" in found:
            found["critical_hits_need_success"] = self.chance(50)
        return found

    def conditions(self) -> dict[str, Any]:
        found: dict[str, Any] = {name: True for name in CONDITIONS if self.chance(25)}
        found |= {name: True for name in ("engaged", "target_engaged") if self.chance(8)}
        if self.chance(10):
            found["characters_visible"] = False
        if self.chance(20):
            found["shooting"] = self.rng.choice(("indirect", "indirect_spotted", "snap"))
        return found

    def choices(self, target: dict[str, Any], unit: dict[str, Any]) -> dict[str, Any]:
        rng = self.rng
        rows = target["models"]
        found: dict[str, Any] = {}
        if self.chance(50):
            named = rng.sample(rows, rng.randint(1, len(rows)))
            found["allocation_order"] = [
                row["name"] for row in sorted(named, key=lambda row: row["character"])
            ]
        if self.chance(30):
            found["lethal_hits"] = rng.choice(("always", "never"))
        characters = [row["name"] for row in rows if row["character"]]
        if self.chance(40):
            found["precision"] = rng.choice(("none", *characters))
        if len(unit["weapons"]) > 1 and self.chance(20):
            found["batch_order"] = [unit["weapons"][1]["name"]]
        if any(" | high" in weapon["name"] for weapon in unit["weapons"]) and self.chance(50):
            found["modes"] = {"Plasma": "high"}
        return found


def without_blast(value: Any) -> Any:
    """The same without BLAST, which may not target an engaged unit."""
    if isinstance(value, dict):
        return {key: without_blast(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_blast(item) for item in value if not str(item).startswith("BLAST")]
    return value


def random_dict(rng: random.Random) -> dict[str, Any]:
    """The keys of one random scenario."""
    return Maker(rng).scenario()


def scenarios() -> st.SearchStrategy[Scenario]:
    """Valid scenarios, for hypothesis."""
    return st.randoms(use_true_random=False).map(random_dict).map(Scenario.from_dict)


@lru_cache
def random_scenarios(n: int, seed: int) -> tuple[Scenario, ...]:
    """The same `n` scenarios for the same seed."""
    rng = random.Random(seed)
    return tuple(Scenario.from_dict(random_dict(rng)) for _ in range(n))
