"""The public contract of the objects: spellings, defaults, round trips, refusals, and what an outcome says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import tomli_w
from tests.contract.statements import WALL, fight, gun

import mathhammer as mh

TEXT = """
[[attacker]]
name = "First"
points = 100
weapons = ['2x Gun: 24" A2 BS3+ S4 AP-1 D1 [HEAVY, SUSTAINED HITS D3: INFANTRY]', "Axe: Melee A1 WS3+ S4 AP0 D1"]
modifiers = {reroll_hits = "ones", abilities = ["LETHAL HITS: INFANTRY"], ignore_modifiers = ["skill"]}
not_modelled = ["Oath"]
[attacker.conditions]
phase = "shooting"
[attacker.choices]
lethal_hits = "never"
[[attacker]]
name = "Second"
models = ["3x Fighter: T4 Sv3+ W1"]
[[attacker.weapons]]
name = "Fist | strike"
WS = "4+"
A = "D6"
S = "5"
AP = "−2"
D = "2D3+1"
modifiers = {hit_roll = 1, critical_hits_on = "5+"}
not_modelled = ["Fury"]
range = "Melee"
[target]
name = "Target"
abilities = ["Stealth", "Feel No Pain 6+"]
modifiers_against = {ap = -1}
[[target.models]]
name = "Grunt"
count = 3
T = 4
Sv = "3+"
InSv = "–"
W = 3
FNP = "5+"
feel_no_pain_mortal = "4+"
keywords = ["Infantry"]
points = 10
[conditions]
cover = true
[modifiers]
hit_roll = -1
[choices]
modes = {Fist = "strike"}
allocation_order = ["Grunt"]
"""


def test_a_scenario_is_written_and_read_back() -> None:
    scenario = mh.Scenario.from_toml(TEXT)
    data = scenario.to_dict()
    assert mh.Scenario.from_dict(data) == scenario
    assert mh.Scenario.from_dict(json.loads(json.dumps(data))) == scenario
    assert mh.Scenario.from_toml(tomli_w.dumps(data) + "\n") == scenario
    assert mh.Scenario.from_dict(data).to_dict() == data


def test_what_an_outcome_carries() -> None:
    scenario = mh.Scenario.from_toml(TEXT)
    for outcome in (mh.solve(scenario), mh.simulate(scenario, trials=5000, seed=0)):
        exact = outcome.engine == "exact"
        assert outcome.seed == (None if exact else 0)
        assert outcome.trials == (None if exact else 5000)
        assert outcome.not_modelled == ("First: Oath", "Fist | strike: Fury")
        told = outcome.to_dict()
        assert list(told) == [
            *("engine", "trials", "seed", "unit_destroyed", "unit_destroyed_error", "wounds_lost"),
            *("models_destroyed", "attacker_wounds_lost", "attacker_models_destroyed", "by_model"),
            *("attackers_used", "by_weapon", "after_attacker", "assumed", "not_modelled"),
        ]
        assert json.loads(json.dumps(told)) == told
        assert list(told["wounds_lost"]) == ["mean", "sd", "standard_error", "quantiles", "pmf"]
        assert list(told["wounds_lost"]["quantiles"]) == ["10", "50", "90"]
        assert all(told["wounds_lost"]["pmf"].values())
        rows = outcome.by_weapon
        assert [(row["attacker"], row["weapon"], row["count"]) for row in rows] == [
            ("First", "Gun", 2),
            ("Second", "Fist | strike", 1),
        ]
        assert list(rows[0])[3:] == [
            *("attacks", "hits", "critical_hits", "wounds", "critical_wounds", "unsaved", "mortal_wounds"),
            *("damage", "wounds_lost", "models_destroyed"),
        ]
        for name in ("wounds_lost", "models_destroyed"):
            assert sum(row[name] for row in rows) == pytest.approx(getattr(outcome, name).mean, abs=1e-9)
            assert outcome.after_attacker[-1][name] == pytest.approx(getattr(outcome, name).mean, abs=1e-9)
        assert len(outcome.wounds_lost.pmf) == 10
        assert outcome.unit_destroyed == outcome.models_destroyed.at_least(3)
        assert outcome.error_of(0.5) == (0 if exact else pytest.approx((0.25 / 5000) ** 0.5))


def test_no_weapon_has_its_row_of_zeros() -> None:
    scenario = fight("0x " + gun())
    for outcome in (mh.solve(scenario), mh.simulate(scenario, trials=100, seed=0)):
        (row,) = outcome.by_weapon
        assert [value for key, value in row.items() if key not in ("attacker", "weapon")] == [0] * 11


LINES = [
    '4x Long rifle: 24" A2 BS3+ S4 AP-1 D1 [ASSAULT, HEAVY]',
    "1x Axe: Melee A2 WS3+ S4 AP0 D1",
    '2x Flamer: 12" AD6+3 S5 AP-1 D2D3 [TORRENT, ANTI-INFANTRY 4+, SUSTAINED HITS D3: INFANTRY/BEAST]',
    '1x Plasma | over-charged: 12" A1 BS3+ S8 AP-3 D2 [LETHAL HITS: NON-VEHICLE]',
]
SPELT = [
    ("Gun: A2 BS3+ S4 AP−1 D1", "1x Gun: A2 BS3+ S4 AP-1 D1"),
    ("2 x Gun: A 2 BS 3+ S 4 AP – D d6 + 1", "2x Gun: A2 BS3+ S4 AP0 DD6+1"),
    ("2× gun: a2 bs- s4 ap–1 d1 [torrent]", "2x gun: A2 S4 AP-1 D1 [TORRENT]"),
]
MODELS = [
    ("5x Trooper: T4 Sv3+ InSv5+ W2 FNP6+", "5x Trooper: T4 Sv3+ InSv5+ W2 FNP6+"),
    ("Boss: W5 T4 Sv- [character, leader]", "1x Boss: T4 Sv- W5 [CHARACTER, LEADER]"),
    ("Boss: T4 Sv7+ W5 InSv-", "1x Boss: T4 Sv- W5"),
]


@pytest.mark.parametrize(("text", "printed"), [*((line, line) for line in LINES), *SPELT])
def test_weapons_in_one_line(text: str, printed: str) -> None:
    weapon = mh.Weapon.parse(text)
    assert str(weapon) == printed
    assert mh.Weapon.parse(printed) == weapon


@pytest.mark.parametrize(("text", "printed"), MODELS)
def test_models_in_one_line(text: str, printed: str) -> None:
    assert str(mh.Model.parse(text)) == printed


def test_defaults() -> None:
    model = mh.Model(name="M", T=4, Sv="-", W=1)
    assert (model.count, model.save, model.character, model.leader, model.wounds_lost) == (
        1,
        7,
        False,
        False,
        0,
    )
    assert (model.damage_becomes, model.damage_to_zero, model.points, model.keywords) == (None, 0, None, ())
    conditions = mh.Conditions()
    assert (conditions.phase, conditions.characters_visible, conditions.shooting) == (None, True, "normal")
    choices = mh.Choices()
    assert (choices.allocation_order, choices.batch_order, choices.lethal_hits) == (
        "listed",
        "listed",
        "best",
    )
    assert (choices.precision, choices.rerolls, choices.modes) == ("first", "listed", {})
    assert choices.metric == "wounds_lost"
    assert mh.Weapon(name="Axe", A=1, WS=3, S=4, AP=0, D=1).melee


def weapon(**changed: Any) -> mh.Weapon:
    """A plain weapon with something changed."""
    return mh.Weapon(**{"name": "Gun", "A": 1, "BS": "3+", "S": 4, "AP": 0, "D": 1, **changed})


def row(**changed: Any) -> mh.Model:
    """A plain model with something changed."""
    return mh.Model(**{"name": "Grunt", "T": 4, "Sv": "3+", "W": 1, **changed})


TWO = ["Grunt: T4 Sv3+ W1", "Boss: T4 Sv3+ W4 [CHARACTER]"]
LATER = [
    {"name": "First", "weapons": [gun()]},
    {"name": "Later", "weapons": [gun()], "conditions": {"models_at_select_targets": 9}},
]
REFUSED: list[tuple[Callable[[], object], str, str]] = [
    (lambda: weapon(attacks=2), "attacks", "another spelling"),
    (lambda: weapon(WS=3), "WS", "another spelling"),
    (lambda: weapon(AP=1), "ap", "negative"),
    (lambda: weapon(S="D6"), "strength", "not modelled"),
    (lambda: weapon(D="D7"), "damage", "D6+1"),
    (lambda: weapon(A=1.5), "attacks", "whole number"),
    (lambda: weapon(strenght=4), "strenght", '"strength"'),
    (lambda: weapon(abilities=["SUSTANED HITS 1"]), "abilities", "SUSTAINED HITS"),
    (lambda: weapon(abilities=["Sustained Hits"]), "abilities", "number is missing"),
    (lambda: weapon(abilities=["ANTI-INFANTRY 1+"]), "abilities", "2+ to 6+"),
    (lambda: weapon(abilities=["TORRENT"]), "skill", "leave BS out"),
    (lambda: weapon(BS="-"), "skill", "TORRENT"),
    (lambda: weapon(count=-1), "count", "0 to 1000"),
    (lambda: weapon(melee=True), "BS", "WS"),
    (lambda: weapon(modifiers={"reroll_hits": "all"}), "modifiers.reroll_hits", '"failures"'),
    (lambda: weapon(modifiers={"critical_hits_on": 1}), "modifiers.critical_hits_on", "2+ to 6+"),
    (lambda: row(count=0), "count", "1 to 1000"),
    (lambda: row(Sv="1+"), "save", "2+ to 7+"),
    (lambda: row(InSv="1+"), "invulnerable_save", "2+ to 6+"),
    (lambda: row(wounds_lost=1), "wounds_lost", "living"),
    (lambda: mh.Unit(name="U", abilities=["HEAVY"]), "abilities", "weapon ability"),
    (lambda: fight([]), "attacker.weapons", "needs weapons"),
    (lambda: fight(gun(), []), "target.models", "needs models"),
    (lambda: fight(gun(), [TWO[0], TWO[0]]), "target.models[1].name", "unique"),
    (lambda: fight([gun(), "Axe: A1 WS3+ S4 AP0 D1"]), "attacker.weapons", "conditions.phase"),
    (lambda: fight(gun(), conditions={"phase": "fight"}), "conditions.phase", "no melee weapon"),
    (lambda: fight(gun(), conditions={"half_rang": 1}), "conditions.half_rang", '"half_range"'),
    (lambda: fight(gun(), choices={"allocation_order": ["X"]}), "choices.allocation_order[0]", "no model"),
    (
        lambda: fight(gun(), choices={"allocation_order": ["Wall", "wall"]}),
        "choices.allocation_order[1]",
        "twice",
    ),
    (
        lambda: fight(gun(), TWO, choices={"allocation_order": ["Boss", "Grunt"]}),
        "choices.allocation_order[0]",
        "05.03",
    ),
    (lambda: fight(gun(), TWO, choices={"precision": "Grunt"}), "choices.precision", "'Boss'"),
    (
        lambda: mh.Scenario.from_dict({"attacker": LATER, "target": {"name": "T", "models": [WALL]}}),
        "attacker[1].conditions.models_at_select_targets",
        "first attacker",
    ),
    (lambda: fight(gun(), choices={"modes": {"Gun": "x"}}), "choices.modes.Gun", "no weapon"),
    (lambda: mh.simulate(fight(gun()), trials=0), "trials", "from 1"),
    (lambda: mh.simulate(fight(gun()), seed=-1), "seed", "0 to"),
    (lambda: mh.simulate(fight(gun()), tolerance=0), "tolerance", "above 0"),
    (lambda: mh.solve(fight(gun(can="BLAST"), conditions={"engaged": True})), "attacker.weapons[0]", "BLAST"),
    (lambda: mh.solve(fight(gun())).probability(lambda alive: alive["X"] == 0), "alive", "no model"),
    (lambda: mh.solve(fight(gun())).wounds_lost.quantile(2), "q", "0 to 1"),
    (lambda: mh.Scenario.from_toml("no such file.toml"), '"no such file.toml"', "no such file"),
    (lambda: mh.Scenario.from_toml("attacker =\n"), '"text"', "not TOML"),
]


@pytest.mark.parametrize(
    ("make", "path", "remedy"), REFUSED, ids=[f"{path}: {way}" for _, path, way in REFUSED]
)
def test_refused(make: Callable[[], object], path: str, remedy: str) -> None:
    with pytest.raises(mh.InvalidScenario) as fault:
        make()
    assert str(fault.value).startswith(path)
    assert remedy in str(fault.value)
    assert "\n" not in str(fault.value)


def test_every_problem_is_told() -> None:
    with pytest.raises(mh.InvalidScenario) as fault:
        mh.Scenario.from_dict(
            {
                "attacker": {
                    "name": "A",
                    "weapons": [{"name": "G", "A": "D7", "BS": 3, "S": 4, "AP": 1, "D": 1}],
                },
                "target": {"name": "T", "models": [{"name": "M", "T": 4, "Sv": "1+", "W": 1}]},
            }
        )
    assert [problem.path for problem in fault.value.problems] == [
        *("attacker.weapons[0].attacks", "attacker.weapons[0].ap", "target.models[0].save"),
    ]
    assert str(fault.value) == str(fault.value.problems[0])


def test_a_message_has_its_article() -> None:
    with pytest.raises(mh.InvalidScenario, match="is no key of a Unit"):
        mh.Unit(name="U", models=[WALL], colour="red")


def test_points_destroyed() -> None:
    models = [{"name": "A", "count": 2, "T": 4, "Sv": 6, "W": 1, "points": 10}, "B: T4 Sv6+ W1"]
    outcome = mh.solve(fight("Gun: A3 S99 AP-9 D1 [TORRENT]", models, foe={"points": 90}, own={"points": 50}))
    # A row's own points, else an equal share of the unit's.
    expected = 10 * outcome.by_model["A"].mean + 30 * outcome.by_model["B"].mean
    metric = outcome.metric("points_destroyed")
    per_100 = outcome.metric("points_destroyed_per_100_points")
    assert metric is not None
    assert per_100 is not None
    assert metric.value == pytest.approx(expected)
    assert per_100.value == pytest.approx(2 * expected)
    assert mh.solve(fight(gun())).metric("points_destroyed") is None


def test_an_alive_question_in_both_engines() -> None:
    scenario = fight(gun(a="9"), ["3x A: T4 Sv4+ W1", "2x B: T4 Sv3+ W2"])

    def question(alive: Any) -> bool:
        return bool(alive["A"] == 0 and alive["B"] <= 1)

    exact = mh.solve(scenario).probability(question)
    simulated = mh.simulate(scenario, trials=50_000, seed=2)
    assert abs(simulated.probability(question) - exact) < 5 * simulated.error_of(exact)


def test_what_would_change_the_dice_is_disclosed() -> None:
    (word,) = mh.solve(fight(gun(), own={"abilities": ["DAMAGED 5"]})).not_modelled
    assert word.startswith("Attacker: DAMAGED 5")


@pytest.mark.parametrize(
    ("ability", "keyword"),
    [
        ("ANTI-ADEPTUS ASTARTES 2+", "Adeptus-Astartes"),
        ("ANTI-T’AU 2+", "T'au"),
        ("anti-fly 2+", "FLY"),
        ("ANTI-INFANTRY 2+: MONSTER only", "MONSTER"),
    ],
)
def test_keywords_are_compared_without_their_spelling(ability: str, keyword: str) -> None:
    scenario = fight(gun("2+", s=1, can=ability), "Wall: T9 Sv- W9", foe={"keywords": [keyword, "INFANTRY"]})
    assert mh.solve(scenario).by_weapon[0]["critical_wounds"] == pytest.approx(25 / 36)
