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
        "  saves: Grunt on 4+ (AP-1) [05.04]",
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


def test_feel_no_pain_and_invulnerable_saves() -> None:
    text = words("Gun: A1 BS3+ S4 AP-3 D2", "5x Grunt: T4 Sv3+ InSv4+ W2 FNP5+")
    assert "saves: Grunt on 4+ (AP-3)" in text
    assert "FEEL NO PAIN 5+ against each wound (24.12)" in text


def test_what_changes_once_models_are_lost() -> None:
    target = {"models": ["2x Guard: T4 Sv3+ W1", "Lord: T6 Sv2+ W5 [CHARACTER, LEADER]"]}
    assert "when only models of T6" in words("Gun: A1 BS3+ S5 AP0 D1", target=target)


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
