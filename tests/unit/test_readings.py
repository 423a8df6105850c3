"""Choices and readings of the rules are said where they can change a number, and not where they cannot."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh

GUARDS = "5x Guard: T4 Sv3+ W2"
CAPTAIN = "Captain: T4 Sv2+ W5 [CHARACTER]"
HARDENED = [{"name": "Guard", "count": 5, "T": 4, "Sv": 3, "W": 2, "damage_reduction": 1}]
GUN = '5x Gun: 24" A2 BS3+ S4 AP-1 D2'
FLAMER = '1x Flamer: 12" AD6 S4 AP-1 D1 [TORRENT]'
TWO_GUNS = [GUN, '5x Bow: 24" A2 BS3+ S4 AP0 D1']


SHIELD = {"name": "Shield", "T": 4, "Sv": 3, "W": 2, "invulnerable_save_melee": 4}
ENDURING = {"name": "Guard", "count": 5, "T": 4, "Sv": 3, "W": 2, "damage_to_zero": 1}
DRIVER = {"name": "Driver", "T": 4, "Sv": 4, "W": 1, "keywords": ["INFANTRY"]}
WALKER = {"name": "Walker", "T": 8, "Sv": 3, "W": 6, "keywords": ["VEHICLE"]}


def said(weapons: Any = GUN, models: Any = GUARDS, own: Any = (), **more: Any) -> tuple[str, ...]:
    rows = models if isinstance(models, list) else [models]
    guns = weapons if isinstance(weapons, list) else [weapons]
    attacker = {"name": "Squad", "weapons": guns, "models": list(own)}
    target = {"name": "Target", "models": rows}
    return mh.solve(mh.Scenario.from_dict({"attacker": attacker, "target": target, **more})).assumed


SAVES = {"modifiers": {"reroll_saves": "failures"}}
SAID: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "batch order: Gun, Bow (as listed)",  # 04.03
        {"weapons": TWO_GUNS},
        {"weapons": TWO_GUNS, "choices": {"batch_order": ["Bow", "Gun"]}},
    ),
    (
        "Gun + Pistol are one batch: abilities that cannot apply do not separate weapons",  # 04.03
        {"weapons": [GUN, GUN.replace("Gun", "Pistol") + " [PISTOL]"]},
        {"weapons": [GUN, GUN.replace("Gun", "Pistol")]},
    ),
    (
        "SUSTAINED HITS 2 of Gun is selected, of several",  # 24.02
        {"weapons": f"{GUN} [SUSTAINED HITS 1, SUSTAINED HITS 2]"},
        {"weapons": f"{GUN} [SUSTAINED HITS 2, SUSTAINED HITS 2]"},
    ),
    (
        "TORRENT of Flamer hits automatically, in snap shooting too",  # 15.09
        {"weapons": FLAMER, "conditions": {"shooting": "snap"}},
        {"weapons": FLAMER},
    ),
    (
        "LETHAL HITS of Gun: wounds automatically (best)",  # 24.23
        {"weapons": f"{GUN} [LETHAL HITS]"},
        {},
    ),
    (
        "wound re-rolls of Gun are used on failures alone",  # 24.38
        {"weapons": f"{GUN} [TWIN-LINKED, DEVASTATING WOUNDS]"},
        {"weapons": f"{GUN} [TWIN-LINKED]"},
    ),
    (
        "hit re-rolls of Gun are used on failures alone",
        {"weapons": f"{GUN} [SUSTAINED HITS 1]", "modifiers": {"reroll_hits": "any"}},
        {"weapons": f"{GUN} [SUSTAINED HITS 1]", "modifiers": {"reroll_hits": "noncritical"}},
    ),
    (
        "PRECISION of Gun selects Captain (as listed)",  # 24.28
        {"weapons": f"{GUN} [PRECISION]", "models": [GUARDS, CAPTAIN]},
        {"weapons": f"{GUN} [PRECISION]", "models": [GUARDS, CAPTAIN], "choices": {"precision": "none"}},
    ),
    (
        "pools of Gun: the better AP first",  # 05.03.02
        {"modifiers": {"extra_ap_on_critical_wound": 1}},
        {"modifiers": {"extra_ap_on_critical_wound": 1, "ap": -2}},
    ),
    (
        "save re-rolls: of what would fail against the first group of the order",  # 05.04
        {"models": [GUARDS, "2x Rookie: T4 Sv5+ W1"], **SAVES},
        {"models": [GUARDS, "2x Veteran: T4 Sv3+ W3"], **SAVES},
    ),
    (
        "save re-rolls: of what would fail against the first group of the order",
        {"models": [GUARDS, "2x Rookie: T4 Sv5+ W1"], "modifiers": {"reroll_saves": "one"}},
        {"models": [GUARDS, "2x Veteran: T4 Sv3+ W3"], "modifiers": {"reroll_saves": "one"}},
    ),
    (
        "save re-rolls: of every save, as none is critical",
        {"modifiers": {"reroll_saves": "noncritical"}},
        SAVES,
    ),
    (
        "Guard and Shield are groups of their own: an InSv of the other phase tells them apart",  # 05.03
        {"models": [GUARDS, SHIELD]},
        {"models": [GUARDS, SHIELD], "weapons": GUN.replace('24"', "Melee").replace("BS", "WS")},
    ),
    (
        "hazard rolls of Squad are made together, by the models there are then",  # 06.03
        {"weapons": f"{GUN} [HAZARDOUS]", "own": [DRIVER, WALKER]},
        {"weapons": f"{GUN} [HAZARDOUS]", "own": [WALKER]},
    ),
    (
        "modifiers of save rolls are not limited to +1 or -1",  # 01.05
        {"modifiers": {"save_roll": 2}},
        {"modifiers": {"save_roll": 1}},
    ),
    (
        "damage_reduction of Target does not change DEVASTATING WOUNDS",  # 24.10
        {"weapons": f"{GUN} [DEVASTATING WOUNDS]", "models": HARDENED},
        {"models": HARDENED},
    ),
    (
        "damage_to_zero of Target does not change DEVASTATING WOUNDS",  # 24.10
        {"weapons": f"{GUN} [DEVASTATING WOUNDS]", "models": [ENDURING]},
        {"models": [ENDURING]},
    ),
    (
        "Guard, Sergeant are one group: wounded models suffer first, then as listed",  # 05.04
        {"models": [GUARDS, "Sergeant: T4 Sv3+ W2"]},
        {"models": [GUARDS, "Sergeant: T4 Sv3+ W3"]},
    ),
]


@pytest.mark.parametrize(("words", "with_it", "without_it"), SAID, ids=[words for words, _, _ in SAID])
def test_a_choice_or_reading_is_said(words: str, with_it: dict[str, Any], without_it: dict[str, Any]) -> None:
    assert words in said(**with_it)
    assert words not in said(**without_it)


@pytest.mark.parametrize("shooting", ["snap", "indirect", "indirect_spotted"])
def test_no_hit_reroll_is_told_of_where_none_is_allowed(shooting: str) -> None:
    gun = f"{GUN} [SUSTAINED HITS 1, INDIRECT FIRE]"
    told = said(gun, modifiers={"reroll_hits": "any"}, conditions={"shooting": shooting})
    assert not any("re-rolls" in words for words in told)


def test_nothing_is_said_of_a_plain_attack() -> None:
    assert said() == ()


def test_what_only_some_attackers_choose_stands_behind_their_names() -> None:
    """With several attackers, whose choice it is cannot be told from the weapon."""
    target = {"name": "Wall", "models": [GUARDS, CAPTAIN]}
    gun = {"weapons": [f"{GUN} [LETHAL HITS]"]}
    never = {"name": "Late", **gun, "choices": {"lethal_hits": "never"}}
    scenario = mh.Scenario.from_dict({"attacker": [{"name": "Early", **gun}, never], "target": target})
    assert mh.solve(scenario).assumed == (
        "allocation order: Guard, Captain (as listed, made legal before each batch)",
        "Early: LETHAL HITS of Gun: wounds automatically (best)",
        "Late: LETHAL HITS of Gun: is declined (never)",
    )
