"""Named parts of a scenario: each ability, modifier, condition and defence, and the steps that it touches.

`scenario(*names)` is one attack with these parts; `alone()` and `pairs()` are what the tests play.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from mathhammer.scenario import Scenario

Part = tuple[str, dict[str, Any]]


def weapon(*abilities: str, **keys: Any) -> dict[str, Any]:
    return {"weapon": {"abilities": list(abilities)} | keys}


def modified(**keys: Any) -> dict[str, Any]:
    return {"weapon": {"modifiers": keys}}


def guard(**keys: Any) -> dict[str, Any]:
    return {"guard": keys, "shield": keys}


def now(*abilities: str, **conditions: Any) -> dict[str, Any]:
    return weapon(*abilities) | {"conditions": conditions}


PARTS: dict[str, Part] = {
    "RAPID FIRE D3": ("dice", now("RAPID FIRE D3", half_range=True)),
    "BLAST 2": ("dice", weapon("BLAST 2")),
    "CLEAVE 1": ("dice", weapon("CLEAVE 1")),
    "random attacks": ("dice", {"weapon": {"attacks": "D6"}}),
    "worse attacks": ("dice", {"modifiers": {"attacks": -2}}),
    "TORRENT": ("hit", weapon("TORRENT", skill=None)),
    "SUSTAINED HITS 1": ("hit", weapon("SUSTAINED HITS 1")),
    "SUSTAINED HITS D3": ("hit", weapon("SUSTAINED HITS D3")),
    "LETHAL HITS": ("hit wound", weapon("LETHAL HITS") | {"choices": {"lethal_hits": "always"}}),
    "LETHAL HITS at best": ("hit wound", weapon("LETHAL HITS: INFANTRY")),
    "HEAVY": ("hit", now("HEAVY", braced=True)),
    "cover": ("hit", now(cover=True)),
    "STEALTH": ("hit", {"target": {"abilities": ["STEALTH"]}}),
    "IGNORES COVER": ("hit", now("IGNORES COVER", cover=True)),
    "PSYCHIC": ("hit damage", weapon("PSYCHIC")),
    "INDIRECT FIRE": ("hit", now("INDIRECT FIRE", shooting="indirect_spotted")),
    "snap shooting": ("hit", now(shooting="snap")),
    "worse to hit": ("hit", {"modifiers": {"hit_roll": -1, "skill": -1}}),
    "hit re-rolls": ("hit", modified(reroll_hits="failures")),
    "hits fished": ("hit", modified(reroll_hits="noncritical")),
    "one hit re-roll": ("hit", modified(reroll_hits="one")),
    "critical hits on 5+": ("hit", modified(critical_hits_on=5)),
    "successful critical hits on 3+": (
        "hit",
        modified(critical_hits_on=3, critical_hits_need_success=True, skill=-1),
    ),
    "ANTI-INFANTRY 4+": ("wound", weapon("ANTI-INFANTRY 4+")),
    "ANTI-PSYKER 2+": ("wound", weapon("ANTI-PSYKER 2+")),
    "TWIN-LINKED": ("wound", weapon("TWIN-LINKED")),
    "LANCE": ("wound", now("LANCE", charged=True)),
    "wounds fished": ("wound", modified(reroll_wounds="noncritical")),
    "one wound re-roll": ("wound", modified(reroll_wounds="one")),
    "1-3 never wound": ("wound", {"target": {"modifiers_against": {"unmodified_wound_fails_to": 3}}}),
    "tougher": ("wound", {"modifiers": {"toughness": 1, "wound_roll": -1}}),
    "DEVASTATING WOUNDS": ("wound save damage", weapon("DEVASTATING WOUNDS")),
    "critical wounds with +2 AP": ("wound save", modified(extra_ap_on_critical_wound=2)),
    "better save roll": ("save", {"modifiers": {"save_roll": 1}}),
    "better armour": ("save", {"modifiers": {"armour_save": 1}}),
    "save re-rolls": ("save", {"modifiers": {"reroll_saves": "failures"}}),
    "saves of 1 re-rolled": ("save", {"modifiers": {"reroll_saves": "ones"}}),
    "one save re-roll": ("save", {"modifiers": {"reroll_saves": "one"}}),
    "PRECISION": ("save damage", weapon("PRECISION")),
    "wounded guard": ("save damage", guard(wounds_lost=1)),
    "other order": ("save damage", {"choices": {"allocation_order": ["Shield", "Guard", "Captain"]}}),
    "random damage": ("damage", {"weapon": {"damage": "D6"}}),
    "MELTA 2": ("damage", now("MELTA 2", half_range=True)),
    "halved damage": ("damage", guard(halve_damage=True)),
    "reduced damage": ("damage", guard(damage_reduction=1)),
    "damage of 1": ("damage", guard(damage_becomes=1)),
    "two attacks to nothing": ("damage", guard(damage_to_zero=2)),
    "damage re-rolled": ("damage", {"modifiers": {"reroll_damage": "below_mean"}}),
    "one damage re-roll": ("damage", {"modifiers": {"reroll_damage": "one"}}),
    "FEEL NO PAIN": ("damage", guard(feel_no_pain=5)),
    "FEEL NO PAIN of mortal wounds": ("damage", guard(feel_no_pain_mortal=3)),
    "FEEL NO PAIN of psychic attacks": ("damage", guard(feel_no_pain_psychic=4)),
    "HAZARDOUS": ("hazard", weapon("HAZARDOUS")),
    "two batches": ("batches", {"second": True}),
}
SAME_KEY = (
    *({"random damage", "damage of 1"}, {"snap shooting", "INDIRECT FIRE"}),
    *({"LETHAL HITS", "LETHAL HITS at best"}, {"hits fished", "hit re-rolls"}),
    *({"one hit re-roll", "hit re-rolls"}, {"hits fished", "one hit re-roll"}),
    {"critical hits on 5+", "successful critical hits on 3+"},
)
"""Pairs of which one would overwrite the other."""


def merged(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Both; lists are joined, tables merged, other values replaced."""
    found = dict(base)
    for key, value in more.items():
        if isinstance(value, dict):
            value = merged(found.get(key, {}), value)
        elif isinstance(value, list) and key == "abilities":
            value = [*found.get(key, []), *value]
        found[key] = value
    return found


def scenario(*names: str) -> Scenario:
    """One attack on an attached unit of three groups, with the named parts."""
    parts: dict[str, Any] = {}
    for name in names:
        parts = merged(parts, PARTS[name][1])
    gun = {"name": "Gun", "count": 2, "attacks": 4, "skill": 3, "strength": 5, "ap": -1, "damage": 2}
    gun = merged(gun, parts.get("weapon", {}))
    weapons = [gun]
    if parts.get("second"):
        weapons.append(gun | {"name": "Second", "strength": 4, "ap": -2, "damage": 1})
    rows = [
        {"name": "Guard", "count": 4, "toughness": 4, "save": 4, "wounds": 2} | parts.get("guard", {}),
        {"name": "Shield", "count": 2, "toughness": 5, "save": 3, "invulnerable_save": 5, "wounds": 3},
        {"name": "Captain", "toughness": 4, "save": 3, "invulnerable_save": 4, "wounds": 4},
    ]
    rows[1] |= parts.get("shield", {})
    rows[2] |= {"character": True, "leader": True, "keywords": ["PSYKER"]}
    bearers = [{"name": "Bearer", "count": 3, "toughness": 4, "save": 3, "wounds": 2}]
    return Scenario.from_dict(
        {
            "attacker": {"name": "Attacker", "weapons": weapons, "models": bearers},
            "target": {"name": "Target", "keywords": ["INFANTRY"], "models": rows} | parts.get("target", {}),
            "conditions": parts.get("conditions", {}),
            "modifiers": parts.get("modifiers", {}),
            "choices": parts.get("choices", {}),
        }
    )


def alone() -> list[tuple[str, ...]]:
    """Every part by itself."""
    return [(name,) for name in PARTS]


def pairs() -> list[tuple[str, ...]]:
    """Every two parts that touch the same step."""
    steps = {name: set(words.split()) for name, (words, _) in PARTS.items()}
    return [
        (one, other)
        for one, other in combinations(PARTS, 2)
        if steps[one] & steps[other] and {one, other} not in SAME_KEY
    ]
