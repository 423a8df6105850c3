"""Rule by rule, groups, allocation orders, PRECISION, pools, hazards and several units: worked out by hand."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import pytest
from tests.contract.statements import WALL, Question, answer, check, fight, gun, model, says, sure

import mathhammer as mh

HAMMER = "Hammer: A1 S99 AP-9 D1 [TORRENT]"
MALLET = "Mallet: A1 S98 AP-9 D1 [TORRENT]"
SNIPER = "Sniper: A1 S99 AP-9 D1 [TORRENT, PRECISION]"
"""Each of these destroys a model of W1 on 5 of 6."""
PISTOL = "Pistol: A1 S4 AP0 D1 [TORRENT]"
BURST = "TORRENT, DEVASTATING WOUNDS, ANTI-INFANTRY 2+"
"""5 of 6 attacks are critical wounds."""
INFANTRY = {"keywords": ["INFANTRY"]}
SQUAD = [model("Guard", W=1, count=2), model("Boss", W=1, character=True)]
PAIR = [*SQUAD, model("Aide", W=1, character=True)]


def dead(name: str) -> Question:
    """Mean models destroyed, by name."""
    return lambda outcome: outcome.by_model[name].mean


def second(column: str) -> Question:
    """A column of the second batch."""
    return lambda outcome: outcome.by_weapon[1][column]


def hazards(outcome: mh.Outcome) -> float:
    """Mean wounds that the attacker loses."""
    return outcome.attacker_wounds_lost.mean


def second_destroyed(pools: bool) -> float:
    """A2 wounding on 4+ into A (Sv3+, W1) before B (Sv5+, W1): mean of B, with pools 6s have AP-2 and go first."""
    total = 0.0
    for rolls in product(range(1, 7), repeat=2):
        wounds = sorted((roll for roll in rolls if roll >= 4), key=lambda roll: roll < 6)
        for saves in product(range(1, 7), repeat=len(wounds)):
            by_pool = sorted(
                zip(wounds, saves, strict=True), key=lambda pair: (pools and pair[0] < 6, pair[1])
            )
            standing = [3, 5]
            for wound, save in by_pool:
                ap = -2 if pools and wound == 6 else 0
                if standing and (save == 1 or save + ap < standing[0]):
                    standing.pop(0)
            total += (not standing) / 6 ** len(wounds)
    return total / 36


TOUGHNESS = [
    says("a mixed unit: the highest T", PISTOL, "wounds", 1 / 3, [model("A"), model("B", T=6)]),
    says(
        "an attached unit: the bodyguard's, then the leader's",
        ["Hammer: A2 S99 AP-9 D1 [TORRENT]", PISTOL],
        second("wounds"),
        25 / 36 / 3 + 11 / 36 / 2,
        [model("Guard", W=1, count=2), model("Boss", T=6, leader=True)],
    ),
    says(
        "the highest of the leaders",
        [HAMMER, PISTOL],
        second("wounds"),
        5 / 6 / 3 + 1 / 6 / 2,
        [model("Guard", W=1), model("A", T=3, leader=True), model("B", T=5, leader=True)],
    ),
    says(
        "the highest of the living bodyguards",
        [HAMMER, PISTOL],
        second("wounds"),
        5 / 6 / 2 + 1 / 6 / 3,
        [model("Ox", T=5, W=1), model("Guard"), model("Boss", T=8, leader=True)],
    ),
    says(
        "fixed for a batch",
        "Hammer: A2 S4 AP-9 D1 [TORRENT]",
        "wounds",
        1,
        [model("Guard", W=1), model("Boss", T=9, leader=True)],
    ),
    says(
        "keywords of living models, looked up per batch",
        [HAMMER, "Net: A1 S1 AP0 D1 [TORRENT, ANTI-FLY 2+]"],
        second("wounds"),
        5 / 36 + 5 / 36,
        [model("Bat", T=9, W=1, keywords=["fly"]), model("Ox", T=9)],
    ),
]
ORDERS = [
    says("CHARACTERs last", HAMMER, dead("Guard"), 5 / 6, [SQUAD[1], SQUAD[0]]),
    says(
        "a wounded group first", HAMMER, dead("B"), 5 / 6, [model("A", W=1), model("B", W=2, wounds_lost=1)]
    ),
    says(
        "a wounded CHARACTER not before others",
        HAMMER,
        dead("A"),
        5 / 6,
        [model("A", W=1), model("B", W=2, wounds_lost=1, character=True)],
    ),
    says(
        "a wounded CHARACTER before others of them",
        HAMMER,
        dead("B"),
        5 / 6,
        [model("A", W=1, character=True), model("B", W=2, wounds_lost=1, character=True)],
    ),
    says(
        "two CHARACTERs of a name are two groups",
        [HAMMER, MALLET],
        dead("B"),
        25 / 36,
        [model("B", W=2, count=2, character=True)],
    ),
    says("in a group as listed", HAMMER, dead("A"), 5 / 12, [model("A", W=1, FNP=4), model("B", W=1)]),
    says(
        "as chosen",
        HAMMER,
        dead("B"),
        5 / 6,
        [model("A", W=1), model("B", W=1, Sv=6)],
        choices={"allocation_order": ["b"]},
    ),
    says(
        "saves from low to high",
        "Gun: A2 S4 AP0 D1 [TORRENT]",
        dead("B"),
        second_destroyed(pools=False),
        [model("A", Sv=3, W=1), model("B", Sv=5, W=1)],
    ),
    says(
        "pools: the better AP first",
        "Gun: A2 S4 AP0 D1 [TORRENT]",
        dead("B"),
        second_destroyed(pools=True),
        [model("A", Sv=3, W=1), model("B", Sv=5, W=1)],
        modifiers={"extra_ap_on_critical_wound": 2},
    ),
]
PRECISION = [
    says("PRECISION selects a CHARACTER", SNIPER, dead("Boss"), 5 / 6, SQUAD),
    says(
        "not if it is not visible", SNIPER, dead("Boss"), 0, SQUAD, conditions={"characters_visible": False}
    ),
    says("not if the attacker declines", SNIPER, dead("Boss"), 0, SQUAD, choices={"precision": "none"}),
    says(
        "then the declared order from its beginning",
        "Sniper: A2 S99 AP-9 D1 [TORRENT, PRECISION]",
        dead("Guard"),
        25 / 36,
        PAIR,
    ),
    says(
        "the next batch selects the next",
        [SNIPER, "Rifle: A1 S98 AP-9 D1 [TORRENT, PRECISION]"],
        dead("Aide"),
        25 / 36,
        PAIR,
    ),
    says("by name", SNIPER, dead("Aide"), 5 / 6, PAIR, choices={"precision": "aide"}),
    says(
        "by name, only while it lives",
        [SNIPER, "Rifle: A1 S98 AP-9 D1 [TORRENT, PRECISION]"],
        dead("Guard"),
        25 / 36,
        PAIR,
        choices={"precision": "Aide"},
    ),
    says(
        "DEVASTATING WOUNDS with it",
        f"Gun: A1 S99 AP-9 D3 [{BURST}, PRECISION]",
        dead("Boss"),
        5 / 6,
        [model("Guard", W=1), model("Boss", W=3, character=True)],
        foe=INFANTRY,
    ),
    says(
        "DEVASTATING WOUNDS without it",
        f"Gun: A1 S99 AP-9 D3 [{BURST}]",
        dead("Guard"),
        5 / 6,
        [model("Guard", W=1), model("Boss", W=3, character=True)],
        foe=INFANTRY,
    ),
    says(
        "each critical wound at most one model",
        f"Gun: A2 S99 AP-9 D3 [{BURST}, PRECISION]",
        dead("Guard"),
        25 / 36,
        SQUAD,
        foe=INFANTRY,
    ),
    says(
        "mortal wounds after normal damage",
        "Gun: A2 S4 AP-9 D1 [TORRENT, DEVASTATING WOUNDS]",
        dead("B"),
        1 / 4,
        [model("A", W=1), model("B", W=1, Sv=6)],
    ),
]
OWN = {"models": [model("Crew", W=2, count=9)]}
HAZARDS = [
    says("one roll per weapon", "3x " + gun(can="HAZARDOUS"), hazards, 1, own=OWN),
    says(
        "given by the unit", "3x " + gun(), hazards, 1, own={**OWN, "modifiers": {"abilities": ["HAZARDOUS"]}}
    ),
    says("no weapon, no roll", ["0x " + gun(can="HAZARDOUS"), gun()], hazards, 0, own=OWN),
    says("3 if all are VEHICLE", gun(can="HAZARDOUS"), hazards, 1, own={**OWN, "keywords": ["Vehicle"]}),
    says(
        "1 if one is not",
        gun(can="HAZARDOUS"),
        hazards,
        1 / 3,
        own={"keywords": ["VEHICLE"], "models": [model("A"), model("B", keywords=["INFANTRY"])]},
    ),
    says(
        "FEEL NO PAIN against mortal wounds",
        gun(can="HAZARDOUS"),
        hazards,
        1 / 6,
        own={"models": [model(FNP=6, feel_no_pain_mortal=4)]},
    ),
    says(
        "also when the target is gone",
        [sure(99, -9, a="40"), "Plasma: A1 BS3+ S4 AP0 D1 [HAZARDOUS]"],
        hazards,
        1 / 3,
        model(W=1),
        own=OWN,
    ),
]


@pytest.mark.parametrize(
    ("weapons", "models", "more", "question", "expected"), [*TOUGHNESS, *ORDERS, *PRECISION, *HAZARDS]
)
def test_statement(
    weapons: Any, models: Any, more: dict[str, Any], question: Question, expected: float
) -> None:
    check(weapons, models, more, question, expected)


def one_after_another(*attackers: dict[str, Any], models: Any, **more: Any) -> mh.Outcome:
    """Several units at one target."""
    target = {"name": "Target", "models": models}
    return mh.solve(mh.Scenario.from_dict({"attacker": list(attackers), "target": target, **more}))


def test_blast_counts_the_models_that_live_when_its_unit_attacks() -> None:
    first = {"name": "First", "weapons": ["Hammer: A6 S99 AP-9 D1 [TORRENT]"]}
    blast = {"name": "Second", "weapons": ["Bombard: A1 BS3+ S4 AP0 D1 [BLAST]"]}
    ten = [model("Grunt", W=1, count=10)]
    expected = sum(comb(6, k) * 5**k / 6**6 * (1 + (10 - k) // 5) for k in range(7))
    assert one_after_another(first, blast, models=ten).by_weapon[1]["attacks"] == pytest.approx(expected)
    both = {"name": "Both", "weapons": first["weapons"] + blast["weapons"]}
    assert one_after_another(both, models=ten).by_weapon[1]["attacks"] == pytest.approx(3)
    # The number given is for the first unit only.
    given = one_after_another(first, blast, models=ten, conditions={"models_at_select_targets": 20})
    assert given.by_weapon[1]["attacks"] == pytest.approx(expected)


def test_units_kept_back_neither_attack_nor_roll_for_hazards() -> None:
    first = {"name": "First", "weapons": [HAMMER]}
    other = {
        "name": "Other",
        "weapons": ["Plasma: A1 S98 AP-9 D1 [TORRENT, HAZARDOUS]"],
        "models": [model("Crew", W=2, count=5)],
    }
    outcome = one_after_another(first, other, models=[model("Grunt", W=1)])
    assert outcome.attackers_used.pmf == pytest.approx([0, 5 / 6, 1 / 6])
    assert outcome.attacker_wounds_lost.mean == pytest.approx(1 / 6 / 3)
    assert outcome.by_weapon[1]["attacks"] == pytest.approx(1 / 6)
    assert [row["unit_destroyed"] for row in outcome.after_attacker] == pytest.approx([5 / 6, 35 / 36])


def test_a_unit_without_a_weapon_for_the_phase_is_named() -> None:
    shooter = {"name": "Shooter", "weapons": [HAMMER]}
    fighter = {"name": "Fighter", "weapons": ["Axe: A1 WS3+ S4 AP0 D1"]}
    outcome = one_after_another(shooter, fighter, models=[WALL], conditions={"phase": "fight"})
    assert "Shooter has no melee weapon and does not attack" in outcome.assumed
    assert [row["attacker"] for row in outcome.by_weapon] == ["Fighter"]


def names(outcome: mh.Outcome) -> list[str]:
    """The batches."""
    return [row["weapon"] for row in outcome.by_weapon]


def test_weapons_with_identical_attacks_are_one_batch() -> None:
    idle = "PISTOL, ASSAULT, MELTA 2, LANCE, HEAVY, RAPID FIRE 1, PRECISION, BLAST, ONE SHOT, ANTI-FLY 2+"
    plain, other = "A: A1 BS3+ S4 AP0 D1", f"B: A2 BS3+ S4 AP0 D1 [{idle}]"
    assert names(mh.solve(fight([plain, "Z: A1 BS3+ S5 AP0 D1", other]))) == ["A + B", "Z"]
    assert names(mh.solve(fight([plain, other], conditions={"half_range": True}))) == ["A", "B"]


@pytest.mark.parametrize(
    ("one", "other", "batches"),
    [
        ("RAPID FIRE D3", "RAPID FIRE 2", ["A", "B"]),
        ("RAPID FIRE 2", "RAPID FIRE 2", ["A + B"]),
        ("BLAST 1", "BLAST 2", ["A", "B"]),
        ("SUSTAINED HITS D3", "SUSTAINED HITS 2", ["A", "B"]),
        ("MELTA 1", "MELTA 2", ["A", "B"]),
        ("ANTI-INFANTRY 4+", "ANTI-INFANTRY 5+", ["A", "B"]),
        ("RAPID FIRE 2: INFANTRY", "RAPID FIRE 2", ["A + B"]),
    ],
)
def test_abilities_with_another_number_are_others_whatever_their_mean(
    one: str, other: str, batches: list[str]
) -> None:
    weapons = [f"A: A1 BS3+ S4 AP0 D1 [{one}]", f"B: A1 BS3+ S4 AP0 D1 [{other}]"]
    foe = {"keywords": ["INFANTRY"]}
    scenario = fight(weapons, model("Grunt", W=1, count=5), foe=foe, conditions={"half_range": True})
    assert names(mh.solve(scenario)) == batches
    assert names(mh.simulate(scenario, trials=10, seed=1)) == batches


@pytest.mark.parametrize(
    ("models", "conditions", "batches"),
    [
        (4, {}, ["A + B"]),
        (5, {}, ["A", "B"]),
        (5, {"models_at_select_targets": 4}, ["A + B"]),
        (4, {"models_at_select_targets": 5}, ["A", "B"]),
    ],
)
def test_only_batches_that_can_come_about_are_listed(
    models: int, conditions: dict[str, int], batches: list[str]
) -> None:
    weapons = ["A: A1 BS3+ S4 AP0 D1", "B: A2 BS3+ S4 AP0 D1 [BLAST]"]
    scenario = fight(weapons, model("Grunt", W=1, count=models), conditions=conditions)
    assert names(mh.solve(scenario)) == batches
    assert names(mh.simulate(scenario, trials=10, seed=1)) == batches
    told = mh.explain(scenario)
    assert all(f"{name} (" in told for name in batches)
    assert "other batches" not in told


def test_a_precise_weapon_is_gathered_by_whether_a_character_lives() -> None:
    weapons = ["A: A1 BS3+ S4 AP0 D1", "B: A1 BS3+ S4 AP0 D1 [PRECISION]"]
    assert names(mh.solve(fight(weapons, [model("Guard"), model("Boss", character=True)]))) == ["A", "B"]
    assert names(mh.solve(fight(weapons, [model("Guard")]))) == ["A + B"]


@pytest.mark.parametrize("mark", [{"character": True}, {"keywords": ["Character"]}])
def test_a_model_with_the_keyword_character_is_one(mark: dict[str, Any]) -> None:
    boss, guard = model("Boss", Sv=7, W=1, **mark), model("Guard", Sv=7, W=1)
    outcome = mh.solve(fight("Gun: A1 S9 AP0 D1 [TORRENT]", [boss, guard]))
    assert outcome.by_model["Guard"].mean == pytest.approx(5 / 6)
    assert outcome.by_model["Boss"].mean == 0


def test_a_keyword_and_a_mark_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(mh.InvalidScenario, match=r"character = false: its keywords say CHARACTER"):
        mh.Model(name="Boss", T=4, Sv=3, W=4, character=False, keywords=["CHARACTER"])


def test_an_order_within_a_group_changes_nothing_and_who_suffers_is_said() -> None:
    models = [model("Left", Sv=7, W=1, T=3), model("Right", Sv=7, W=1, T=4)]
    said = "Left, Right are one group: wounded models suffer first, then as listed"
    for order in (["Right", "Left"], ["Left", "Right"], ["Right"], "listed"):
        outcome = mh.solve(fight("Gun: A1 S9 AP0 D1 [TORRENT]", models, choices={"allocation_order": order}))
        assert said in outcome.assumed
        assert outcome.by_model["Right"].mean == 0


def test_one_mode_of_a_weapon_is_used() -> None:
    weapons = [
        "Plasma | low: A1 BS3+ S7 AP-2 D1",
        "Plasma | high: A1 BS3+ S8 AP-3 D2",
        "Gun: A1 BS3+ S4 AP0 D1",
    ]
    first = mh.solve(fight(weapons))
    assert names(first) == ["Plasma | low", "Gun"]
    assert any("low" in word for word in first.assumed)
    for mode in ("HIGH", "best"):
        assert names(mh.solve(fight(weapons, choices={"modes": {"plasma": mode}}))) == [
            "Plasma | high",
            "Gun",
        ]


def test_explaining_a_fight_speaks_of_ws() -> None:
    assert "WS 3+" in mh.explain(fight("Axe: A1 WS3+ S4 AP0 D1"))


@pytest.mark.parametrize(("models", "least"), [(model("M", W=1, count=5), 3), (model("M", W=9), 5)])
def test_below_half_strength(models: dict[str, Any], least: int) -> None:
    outcome = mh.solve(fight("Hammer: A6 S99 AP-9 D1 [TORRENT]", models))
    expected = sum(comb(6, k) * 5**k for k in range(least, 7)) / 6**6
    assert outcome.below_half_strength == pytest.approx(expected)


def test_the_funnel_stops_with_the_unit() -> None:
    pair = model("M", W=2, count=2)
    for weapon, column in (
        (sure(99, -9, "3", "9"), "unsaved"),
        (f"Gun: A9 S99 AP-9 D3 [{BURST}]", "mortal_wounds"),
    ):
        outcome = mh.solve(fight(weapon, pair, foe=INFANTRY))
        each = 1 if column == "unsaved" else 3
        assert answer(column, outcome) == pytest.approx(each * outcome.models_destroyed.mean)
        assert answer("damage", outcome) == pytest.approx(3 * outcome.models_destroyed.mean)
