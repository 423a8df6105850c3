"""`explain` says how a scenario is read: each number with its reason and rule."""

from __future__ import annotations

from typing import Any

import pytest
from tests.strategies import random_scenarios

import mathhammer as mh


def words(weapon: str, model: str = "5x Grunt: T4 Sv3+ W2", **parts: Any) -> str:
    target = {"name": "Grunts", "keywords": ["INFANTRY"], "models": [model]} | parts.pop("target", {})
    attacker = {"name": "Gunners", "weapons": [weapon]} | parts.pop("attacker", {})
    return mh.explain(mh.Scenario.from_dict({"attacker": attacker, "target": target, **parts}))


def test_a_plain_attack_line_by_line() -> None:
    assert words("3x Gun: A2 BS3+ S8 AP-1 D2").splitlines() == [
        "Gunners against Grunts",
        "Gun (3 weapons)",
        "  attack dice: 3 x A2 = 6 [04.03]",
        "  hits on 3+ (BS 3+), critical on 6 [05.01]",
        "  wounds on 2+ (S8 against T4), critical on 6 [05.02]",
        "  saves: Grunt on 4+ by Sv3+ (AP-1) [05.04]",
        "  damage: 2 [05.04]",
    ]


@pytest.mark.parametrize(
    ("weapon", "parts", "said"),
    [
        ("Gun: AD6 BS3+ S4 AP0 D1", {}, "attack dice: 1 x AD6 = on average 3.5 [04.03]"),
        ("Gun: A1 BS3+ S4 AP0 D1 [RAPID FIRE 2]", {"conditions": {"half_range": True}}, "2 at half range"),
        ("Gun: A1 BS3+ S4 AP0 D1 [BLAST]", {}, "for every five models"),
        ("Gun: A1 S4 AP0 D1 [TORRENT]", {}, "hits automatically [24.37]"),
        ("Gun: A1 BS3+ S4 AP0 D1 [HEAVY]", {"conditions": {"braced": True}}, "HEAVY +1 to the roll"),
        ("Gun: A1 BS3+ S4 AP0 D1", {"conditions": {"cover": True}}, "hits on 4+"),
        ("Gun: A1 BS3+ S4 AP0 D1", {"modifiers": {"reroll_hits": "ones"}}, "re-rolling 1"),
        ("Gun: A1 BS3+ S4 AP0 D1 [SUSTAINED HITS D3]", {}, "a critical hit is 2 more hits"),
        (
            "Gun: A1 BS3+ S4 AP0 D1 [LETHAL HITS]",
            {"choices": {"lethal_hits": "always"}},
            "wounds automatically",
        ),
        ("Gun: A1 BS3+ S4 AP0 D1 [ANTI-INFANTRY 4+]", {}, "critical on 4+ [05.02]"),
        ("Gun: A1 BS3+ S4 AP0 D1 [TWIN-LINKED]", {}, "TWIN-LINKED: 24.38"),
        ("Gun: A1 BS3+ S4 AP0 D3 [DEVASTATING WOUNDS]", {}, "a critical wound becomes mortal wounds"),
        ("Gun: A1 BS3+ S4 AP0 DD6+1", {}, "damage: 2 to 7, on average 4.5 [05.04]"),
        ("Gun: A1 BS3+ S4 AP0 D1 [ASSAULT]", {}, "ASSAULT: 24 (may shoot after an Advance)"),
        ("Gun: A1 BS3+ S4 AP-5 D1", {}, "saves: Grunt none (AP-5)"),
        ("Sword: Melee A1 WS3+ S4 AP0 D1 [LANCE]", {"conditions": {"charged": True}}, "LANCE +1 to the roll"),
        (
            "Gun: A1 BS3+ S4 AP0 D1 [HAZARDOUS]",
            {"attacker": {"models": ["Gunner: T4 Sv3+ W2"]}},
            "hazard roll",
        ),
    ],
)
def test_what_each_part_does(weapon: str, parts: dict[str, Any], said: str) -> None:
    assert said in words(weapon, **parts)


GIVEN = {
    "hit_roll": (-2, "hits on 4+ (BS 3+; scenario -2 to the roll; limited to one (01.05))"),
    "wound_roll": (2, "wounds on 3+ (S4 against T4; scenario +2 to the roll; limited to one (01.05))"),
    "attacks": (-3, "1 x (A2-3, at least 1) = 1 (scenario -3 to A)"),
    "skill": (-4, "hits on 6 (BS 6+ as modified; scenario -4 to BS; limited to 2+..6+)"),
    "strength": (1, "wounds on 3+ (S5 against T4; scenario +1 to S)"),
    "ap": (-2, "saves: Grunt on 3+ by Sv3+ (AP0; scenario -2 to AP; never worse than 0)"),
    "damage": (-4, "damage: 1 (DD3; scenario -4 to D; at least 1)"),
    "save_roll": (1, "saves: Grunt on 3+ by Sv3+ (AP-1; scenario +1 to the roll)"),
    "armour_save": (1, "saves: Grunt on 3+ by Sv3+ (AP-1; scenario +1 to the armour save)"),
    "toughness": (1, "wounds on 5+ (S4 against T5; scenario +1 to T)"),
    "reroll_hits": ("failures", "re-rolling 1, 2 (scenario)"),
    "reroll_wounds": ("ones", "re-rolling 1 (scenario)"),
    "reroll_saves": ("one", "one failure of the activation re-rolled (scenario)"),
    "reroll_damage": ("ones", "(DD3; scenario: each die that shows 1 re-rolled)"),
    "abilities": (["LETHAL HITS"], "LETHAL HITS: 24.23 (given by scenario)"),
    "critical_hits_on": (5, "(BS 3+; scenario: unmodified 5+ is critical), critical on 5+"),
    "critical_wounds_on": (4, "(S4 against T4; scenario: unmodified 4+ is critical), critical on 4+"),
    "unmodified_wound_fails_to": (4, "wounds on 5+ (S4 against T4; scenario: unmodified 1-4 fails)"),
    "extra_ap_on_critical_wound": (
        1,
        "a pool of their own with AP-2 (scenario +1 to AP), resolved first: Grunt on 5+ by Sv3+ [05.03.02]",
    ),
    "ignore_modifiers": (["skill"], "scenario ignores modifiers of skill that are bad for it"),
}


@pytest.mark.parametrize("key", [*mh.Modifiers.model_fields])
def test_every_modifier_is_named_where_it_changes_a_number(key: str) -> None:
    if key == "critical_hits_need_success":
        modifiers, said = {"critical_hits_on": 5, key: True}, "scenario: unmodified 5+ is critical if it hits"
    else:
        modifiers, said = {key: GIVEN[key][0]}, str(GIVEN[key][1])
    assert said in words("Gun: A2 BS3+ S4 AP-1 DD3", modifiers=modifiers)


def test_modifiers_are_named_by_the_one_who_gives_them() -> None:
    text = words(
        "Gun: A2 BS4+ S4 AP-1 D1",
        attacker={"modifiers": {"hit_roll": 1, "reroll_hits": "ones"}},
        target={"modifiers_against": {"hit_roll": -1, "strength": -1}},
        modifiers={"reroll_hits": "failures"},
    )
    assert "hits on 4+ (BS 4+; Gunners +1 to the roll; Grunts -1 to the roll), critical on 6" in text
    assert "re-rolling 1, 2, 3 (scenario)" in text
    assert "S3 against T4; Grunts -1 to S" in text


MORTAR = "Mortar: A1 BS3+ S4 AP0 D1 [INDIRECT FIRE]"


def test_snap_shooting_hits_on_an_unmodified_6_alone() -> None:
    given = {"conditions": {"shooting": "snap"}, "modifiers": {"reroll_hits": "any", "hit_roll": 1}}
    text = words("Gun: A1 BS3+ S4 AP0 D1", **given)
    said = "hits on an unmodified 6 alone (snap shooting; hit re-rolls are not allowed), critical on 6"
    assert f"{said} [05.01, 15.09]" in text
    assert "hits automatically, in snap shooting too [24.37, 15.09]" in words(
        "Gun: A1 S4 AP0 D1 [TORRENT]", **given
    )
    assert "hits on 2+ (WS 3+; scenario +1 to the roll)" in words("Axe: Melee A1 WS3+ S4 AP0 D1", **given)


@pytest.mark.parametrize(("how", "floor", "needed"), [("indirect", 5, "6"), ("indirect_spotted", 3, "4+")])
def test_indirect_shooting_names_its_floor(how: str, floor: int, needed: str) -> None:
    given = {"conditions": {"shooting": how}, "modifiers": {"reroll_hits": "ones"}}
    lines = words(MORTAR, **given).splitlines()
    assert lines[3] == (
        f"  hits on {needed} (BS 4+ as modified; cover (indirect shooting) -1 to BS; "
        f"indirect shooting: unmodified 1-{floor} fails; hit re-rolls are not allowed), critical on 6 "
        "[05.01, 13.08, 10.07]"
    )
    assert lines[-1] == "  INDIRECT FIRE: 10.07"
    assert "unmodified 1-" not in words("Gun: A1 BS3+ S4 AP0 D1", **given)


def test_indirect_fire_that_is_not_used_says_how_to_use_it() -> None:
    assert 'changes dice only with conditions.shooting = "indirect"' in words(MORTAR)


@pytest.mark.parametrize(
    ("ability", "conditions", "applies"),
    [
        ("HEAVY", {}, False),
        ("HEAVY", {"braced": True}, True),
        ("MELTA 2", {}, False),
        ("MELTA 2", {"half_range": True}, True),
        ("IGNORES COVER", {}, False),
        ("IGNORES COVER", {"cover": True}, True),
        ("TWIN-LINKED", {}, True),
        ("HAZARDOUS", {}, True),
    ],
)
def test_abilities_that_do_not_apply_are_told(
    ability: str, conditions: dict[str, Any], applies: bool
) -> None:
    text = words(f"Gun: A1 BS3+ S4 AP0 D1 [{ability}]", conditions=conditions)
    assert ("(does not apply here)" in text) is not applies


@pytest.mark.parametrize(
    ("ability", "models", "choices", "line"),
    [
        ("LETHAL HITS: MONSTER", 5, {}, "LETHAL HITS: MONSTER: 24.23 (does not apply here)"),
        ("LETHAL HITS: INFANTRY", 5, {}, "LETHAL HITS: INFANTRY: 24.23"),
        ("LETHAL HITS", 5, {"lethal_hits": "never"}, "LETHAL HITS: 24.23 (not used, by choices.lethal_hits)"),
        (
            "LETHAL HITS: NON-CHARACTER",
            5,
            {},
            "LETHAL HITS: NON-CHARACTER: 24.23 (not against the whole unit)",
        ),
        ("PRECISION", 5, {"precision": "none"}, "PRECISION: 24.28 (not used, by choices.precision)"),
        ("PRECISION", 5, {}, "PRECISION: 24.28"),
        ("PISTOL", 5, {}, "PISTOL: 10.06 (may shoot while engaged)"),
        (
            "PISTOL: MONSTER",
            5,
            {},
            "PISTOL: MONSTER: 10.06 (may shoot while engaged; does not apply here)",
        ),
        ("BLAST", 4, {}, "BLAST 1: 24.05 (may not target an engaged unit)"),
        ("BLAST", 3, {}, "BLAST 1: 24.05 (may not target an engaged unit; does not apply here)"),
    ],
)
def test_what_becomes_of_an_ability(ability: str, models: int, choices: dict[str, Any], line: str) -> None:
    target = {"models": [f"{models}x Grunt: T4 Sv3+ W2", "Lord: T4 Sv2+ W5 [CHARACTER]"]}
    lines = words(f"Gun: A1 BS3+ S4 AP0 D1 [{ability}]", target=target, choices=choices).splitlines()
    assert f"  {line}" in lines


def test_abilities_of_every_weapon_of_a_batch_are_told() -> None:
    weapons = [
        "Gun: A1 BS3+ S4 AP0 D1 [PISTOL]",
        "Lobber: A1 BS3+ S4 AP0 D1 [BLAST, HEAVY, RAPID FIRE 1, PISTOL]",
    ]
    text = words("", "3x Grunt: T4 Sv3+ W2", attacker={"weapons": weapons})
    assert "Gun + Lobber (2 weapons)" in text
    assert "1 x A1 + 1 x (A1 + 0 x 1 for every five models of 3 (BLAST)) = 2 [04.03]" in text
    assert text.partition("damage: 1 [05.04]\n")[2].splitlines()[:4] == [
        "  PISTOL: 10.06 (may shoot while engaged)",
        "  BLAST 1: 24.05 (Lobber alone; may not target an engaged unit; does not apply here)",
        "  HEAVY: 24.16 (Lobber alone; does not apply here)",
        "  RAPID FIRE 1: 24.30 (Lobber alone; does not apply here)",
    ]


def test_models_that_a_later_attacker_finds_are_not_known() -> None:
    units = [
        {"name": name, "weapons": ["Lobber: A1 BS3+ S4 AP0 D1 [BLAST]"]} for name in ("Gunners", "Throwers")
    ]
    fight = {"attacker": units, "target": {"name": "Crowd", "models": ["11x Grunt: T4 Sv3+ W2"]}}
    first, _, second = mh.explain(mh.Scenario.from_dict(fight)).partition("Throwers against")
    dice = "attack dice: 1 x (A1 + 2 x 1 for every five models of 11 (BLAST)) = 3"
    assert f"{dice} [04.03]" in first
    assert f"{dice} (if all 11 models still live when this unit attacks) [04.03]" in second


def test_where_cover_comes_from() -> None:
    gun = "Gun: A1 BS3+ S4 AP0 D1"
    assert "cover (STEALTH) -1 to BS" in words(gun, target={"abilities": ["STEALTH"]})
    assert "; cover -1 to BS), critical on 6 [05.01, 13.08]" in words(gun, conditions={"cover": True})


def test_what_models_do_to_damage() -> None:
    models: list[Any] = [
        {"name": "Plain", "T": 4, "Sv": 3, "W": 9},
        {"name": "Halving", "T": 4, "Sv": 3, "W": 9, "halve_damage": True},
        {"name": "Tough", "T": 4, "Sv": 3, "W": 9, "damage_reduction": 1},
        {"name": "Proof", "T": 4, "Sv": 3, "W": 9, "damage_becomes": 0},
        {"name": "Lucky", "T": 4, "Sv": 3, "W": 9, "damage_to_zero": 1},
    ]
    said = "Plain: 5; Halving: 3, halved; Tough: 4, reduced by 1, to 1 at least; Proof: 0, replaced by 0; "
    assert f"damage: {said}Lucky: 5, the first 1 become 0 (D4; MELTA +1 to D at half range)" in words(
        "Gun: A1 BS3+ S4 AP0 D4 [MELTA 1]", target={"models": models}, conditions={"half_range": True}
    )


def test_the_toughness_of_a_mixed_unit_is_that_of_the_unit() -> None:
    attached = ["2x Guard: T4 Sv3+ W1", "Lord: T6 Sv2+ W5 [CHARACTER, LEADER]"]
    mixed = ["2x Guard: T4 Sv3+ W1", "Brute: T6 Sv2+ W5"]
    gun = "Gun: A1 BS3+ S5 AP0 D1"
    assert "S5 against T4 of the unit, 19.02" in words(gun, target={"models": attached})
    assert "S5 against T6 of the unit, 05.02.01" in words(gun, target={"models": mixed})


def test_a_joined_batch_names_what_makes_the_numbers_of_its_first_weapon() -> None:
    modifiers = {"strength": 1, "ap": 1, "damage": 1, "attacks": 1}
    rifle = {"name": "Rifle", "A": 1, "BS": 3, "S": 4, "AP": 0, "D": 1, "modifiers": modifiers}
    gun = "Gun: A1 BS3+ S5 AP-1 D2"
    text = words(gun, attacker={"weapons": [gun, rifle]})
    assert "Gun + Rifle (2 weapons)" in text
    assert "1 x A1 + 1 x A1+1 = 3 (Rifle +1 to A)" in text
    assert "(S5 against T4)" in text
    assert "(AP-1)" in text
    assert "damage: 2 [05.04]" in text
    text = words(gun, attacker={"weapons": [rifle, gun]})
    assert "(S5 against T4; Rifle +1 to S)" in text
    assert "(AP-1; Rifle +1 to AP)" in text
    assert "damage: 2 (D1; Rifle +1 to D) [05.04]" in text


def test_choices_that_are_best_are_explained_as_settled() -> None:
    text = words(
        "Gun: A1 BS3+ S4 AP0 D1 [LETHAL HITS, SUSTAINED HITS 3]",
        modifiers={"reroll_hits": "any"},
        choices={"rerolls": "best"},
    )
    assert "re-rolling 1, 2, 3, 4, 5 (scenario)" in text
    assert "re-rolls: fish with Gun (hits)" in text.partition("Assumed:")[2]


def test_fishing_is_credited_to_the_one_who_gives_the_reroll() -> None:
    gun = "Gun: A1 BS3+ S4 AP0 D9 [DEVASTATING WOUNDS{}]"
    best = {"choices": {"rerolls": "best"}, "target": {"models": ["Wall: T4 Sv2+ W9"]}}
    assert "re-rolling 1, 2, 3, 4, 5 (TWIN-LINKED)" in words(gun.format(", TWIN-LINKED"), **best)
    given = {"modifiers": {"reroll_wounds": "any"}}
    assert "re-rolling 1, 2, 3, 4, 5 (Gunners)" in words(gun.format(""), attacker=given, **best)


def test_of_damage_rerolls_the_widest_is_told() -> None:
    given = {
        "attacker": {"modifiers": {"reroll_damage": "ones"}},
        "modifiers": {"reroll_damage": "below_mean"},
    }
    text = words("Gun: A1 BS3+ S4 AP0 DD6", **given)
    assert "on average 4.25 (DD6; scenario: rolls below the mean re-rolled)" in text


def test_feel_no_pain_and_invulnerable_saves() -> None:
    text = words("Gun: A1 BS3+ S4 AP-3 D2", "5x Grunt: T4 Sv3+ InSv4+ W2 FNP5+")
    assert "saves: Grunt on 4+ by InSv4+ (AP-3)" in text
    assert "FEEL NO PAIN 5+ against each wound (24.12)" in text


def test_what_changes_once_models_are_lost() -> None:
    target = {"models": ["2x Guard: T4 Sv3+ W1", "Lord: T6 Sv2+ W5 [CHARACTER, LEADER]"]}
    assert "when only models of T6" in words("Gun: A1 BS3+ S5 AP0 D1", target=target)


def test_what_changes_is_told_against_the_whole_unit() -> None:
    small = {"name": "Small", "count": 2, "T": 3, "Sv": 3, "W": 1, "keywords": ["FLY"]}
    models = ["2x Body: T4 Sv3+ W2", small, "Boss: T5 Sv2+ W5 [CHARACTER, LEADER]"]
    text = words(
        "Gun: A1 BS3+ S4 AP0 D1 [LETHAL HITS: FLY]",
        choices={"lethal_hits": "always"},
        target={"models": models, "keywords": []},
    )
    rolls = [line for line in text.splitlines() if "only models" in line or line.startswith("    ")]
    without_fly = "    hits on 3+ (BS 3+), critical on 6 [05.01]"
    t3 = "    wounds on 3+ (S4 against T3 of the unit, 19.02), critical on 6 [05.02]"
    t5 = "    wounds on 5+ (S4 against T5 of the unit, 19.02), critical on 6 [05.02]"
    assert (
        "Gun (1 weapon)\n  attack dice: 1 x A1 = 1 [04.03]\n  hits on 3+ (BS 3+), critical on 6; a cr" in text
    )
    assert rolls == [
        "  when only models of T4, or of T4 (CHARACTER) are left:",
        without_fly,
        "  when only models of T3 (FLY), or of T3 (CHARACTER, FLY) are left:",
        t3,
        "  when only models of T5 (CHARACTER) are left:",
        without_fly,
        t5,
    ]


def test_what_is_assumed_and_what_is_left_out() -> None:
    scenario = {
        "attacker": {
            "name": "A",
            "weapons": ["Plasma | low: A1 BS3+ S7 AP-2 D1", "Plasma | high: A1 BS3+ S8 AP-3 D2"],
        },
        "target": {"name": "B", "models": ["Grunt: T4 Sv3+ W2"], "not_modelled": ["Some aura"]},
    }
    text = mh.explain(mh.Scenario.from_dict(scenario))
    assert "Assumed:" in text
    assert "low" in text.partition("Assumed:")[2]
    assert "Some aura" in text.partition("Not modelled:")[2]


@pytest.mark.parametrize("index", range(60))
def test_every_batch_is_told(index: int) -> None:
    scenario = random_scenarios(60, seed=21)[index]
    text = mh.explain(scenario)
    outcome = mh.simulate(scenario, 1, seed=0)
    for name in outcome.attackers:
        assert f"{name} against {outcome.target}" in text
    for word in (*outcome.assumed, *outcome.not_modelled):
        assert word in text
