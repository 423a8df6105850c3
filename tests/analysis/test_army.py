"""Whole armies: each unit against each target, both ways, and who should attack whom."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mathhammer import Attacker, InvalidScenario, Scenario, Unit, compare, solve, targets
from mathhammer.analysis.army import army_table, assign, versus

BOWS = Unit(
    name="Bows",
    points=80,
    models=["5x Archer: T3 Sv5+ W1"],
    weapons=["5x Bow: A2 BS3+ S4 AP0 D1", "5x Knife: Melee A1 WS4+ S3 AP0 D1"],
    not_modelled=["Hidden"],
)
WALL = Unit(
    name="Wall", points=90, models=["3x Shield: T4 Sv2+ W3"], weapons=["3x Pike: Melee A3 WS3+ S5 AP-1 D1"]
)
CART = Unit(
    name="Cart", points=150, models=["1x Cart: T9 Sv3+ W12"], weapons=["2x Ballista: A2 BS4+ S10 AP-3 D3"]
)
ARMY = [BOWS, WALL, CART]


def value(frame, **keys):
    rows = frame
    for key, wanted in keys.items():
        rows = rows[rows[key] == wanted]
    assert len(rows) == 1
    return rows["value"].iloc[0]


def test_a_cell_is_what_the_engine_says_of_that_fight() -> None:
    frame = army_table(ARMY, [WALL, "tank"], phases=["shooting"], engine="exact")
    scenario = Scenario(attacker=ARMY[2], target=WALL, conditions={"phase": "shooting"})
    out = solve(scenario)
    assert value(frame, attacker="Cart", target="Wall", metric="unit_destroyed") == out.unit_destroyed
    destroyed = value(frame, attacker="Cart", target="Wall", metric="points_destroyed")
    assert destroyed == pytest.approx(30 * out.models_destroyed.mean)
    per_100 = value(frame, attacker="Cart", target="Wall", metric="points_destroyed_per_100_points")
    assert per_100 == pytest.approx(destroyed / 1.5)


def test_it_agrees_with_compare() -> None:
    frame = army_table(ARMY[0], ["marines", "chaff"], "wounds_lost", phases=["fight"], engine="exact")
    same = compare(
        ARMY[0], ["marines", "chaff"], "wounds_lost", conditions={"phase": "fight"}, engine="exact"
    )
    assert list(frame["value"]) == list(same["value"])


def test_units_without_weapons_for_a_phase_are_left_out_by_name() -> None:
    frame = army_table(ARMY, "chaff", engine="exact")
    assert set(zip(frame["phase"], frame["attacker"], strict=True)) == {
        ("shooting", "Bows"),
        ("shooting", "Cart"),
        ("fight", "Bows"),
        ("fight", "Wall"),
    }
    assert "shooting: Wall has no weapons for it" in frame.attrs["left_out"]
    assert frame.attrs["not_modelled"] == ["Bows: Hidden"]


MODES = {
    "name": "Gunners",
    "weapons": ["2x Gun | low: A2 BS3+ S4 AP0 D1", "2x Gun | high: A1 BS3+ S9 AP-3 D3"],
}


def test_what_was_assumed_is_said_and_nothing_random_of_exact_numbers() -> None:
    gunners = Unit(**MODES)
    words = 'Gun is used in its mode "low" (the first listed)'
    frame = army_table([gunners, gunners], "tank", "wounds_lost")
    assert list(frame["attacker"]) == ["Gunners", "Gunners (2)"]
    assert frame.attrs["assumed"] == [words]
    assert (frame.attrs["trials"], frame.attrs["seed"]) == (None, None)
    both = versus(
        gunners.replaced(models=["2x Gunner: T4 Sv3+ W2"]),
        BOWS,
        "wounds_lost",
        phases=["shooting"],
        trials=100,
        seed=1,
    )
    assert words in both.attrs["assumed"]
    assert (both.attrs["trials"], both.attrs["seed"]) == (100, 1)


def test_every_word_names_its_unit() -> None:
    torches = Unit(name="Torches", weapons=["2x Torch: A1 S4 AP0 D1 [TORRENT, HAZARDOUS]"])
    frame = army_table([torches, torches.replaced(name="More")], "chaff", "wounds_lost")
    hazards = "losses by its HAZARDOUS weapons (the attacker has no models)"
    assert frame.attrs["not_modelled"] == [f"Torches: {hazards}", f"More: {hazards}"]


def test_an_attacker_brings_its_own_choices() -> None:
    own = Attacker(**MODES, choices={"modes": {"gun": "high"}}, conditions={"cover": True})
    frame = army_table([own, Unit(**MODES)], "tank", "wounds_lost", phases=["shooting"])
    alone = solve(Scenario(attacker=own, target=targets["tank"]))
    assert value(frame, attacker="Gunners") == alone.wounds_lost.mean
    assert value(frame, attacker="Gunners (2)") < alone.wounds_lost.mean


def test_an_attacker_with_a_phase_of_its_own_has_rows_in_that_phase_only() -> None:
    own = Attacker(**BOWS.to_dict(), conditions={"phase": "fight"})
    frame = army_table([own, CART], "chaff", "wounds_lost")
    assert list(frame["phase"]) == ["shooting", "fight"]
    assert list(frame["attacker"]) == ["Cart", "Bows"]
    assert "shooting: Bows names another phase" in frame.attrs["left_out"]


def test_the_arguments_of_two_armies_are_named() -> None:
    with pytest.raises(InvalidScenario, match=r"theirs\[0\].models = \[\]: a target needs models"):
        versus(ARMY, BOWS.replaced(models=[]))
    with pytest.raises(InvalidScenario, match="theirs = 3: write a Unit"):
        versus(ARMY, 3)  # type: ignore[arg-type]
    with pytest.raises(InvalidScenario, match="phases = 3: write a list"):
        versus(ARMY, ARMY, phases=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidScenario, match=r"conditions\.foo = 1: is no key of a Conditions"):
        army_table(ARMY, "chaff", conditions={"foo": 1})
    with pytest.raises(InvalidScenario, match="conditions = 3: a Conditions is a table"):
        army_table(ARMY, "chaff", conditions=3)  # type: ignore[arg-type]


def test_same_names_are_numbered_and_same_fights_are_equal() -> None:
    frame = army_table([ARMY[2]] * 3, [WALL, WALL], "wounds_lost", seed=4, engine="monte-carlo", trials=500)
    assert list(frame["attacker"].unique()) == ["Cart", "Cart (2)", "Cart (3)"]
    assert list(frame["target"].unique()) == ["Wall", "Wall (2)"]
    assert frame["value"].nunique() == 1


def test_points_are_those_of_the_attackers() -> None:
    dear = WALL.replaced(points=200)
    one_way = army_table(ARMY, [dear], "wounds_lost", phases=["fight"], engine="exact")
    assert one_way.attrs["points"] == {"Bows": 80, "Wall": 90, "Cart": 150}
    both = versus([BOWS, WALL], [BOWS, dear], "wounds_lost", phases=["fight"], engine="exact")
    assert both.attrs["points"] == {"Bows": 80, "Wall": None}


def test_both_ways_stand_in_one_table() -> None:
    frame = versus([ARMY[0], ARMY[2]], [ARMY[1]], "points_destroyed", engine="exact")
    assert {*zip(frame["side"], frame["phase"], frame["attacker"], frame["target"], strict=True)} == {
        ("mine", "shooting", "Bows", "Wall"),
        ("mine", "shooting", "Cart", "Wall"),
        ("mine", "fight", "Bows", "Wall"),
        ("theirs", "fight", "Wall", "Bows"),
        ("theirs", "fight", "Wall", "Cart"),
    }


def test_the_assignment_is_the_best_of_all() -> None:
    archers = [
        ARMY[0].replaced(name=f"Bows {n}", weapons=[f"{n}x Bow: A2 BS3+ S4 AP0 D1"]) for n in (5, 9, 20)
    ]
    targets = ["chaff", "marines", "guard"]
    frame = army_table(archers, targets, phases=["shooting"], engine="exact")
    for metric in ("points_destroyed", "unit_destroyed"):
        best = assign(frame, metric)
        gains = np.array(
            [
                [value(frame, attacker=unit.name, target=target, metric=metric) for target in targets]
                for unit in archers
            ]
        )
        sums = [
            sum(gains[row, column] for row, column in enumerate(order))
            for order in itertools.permutations(range(3))
        ]
        assert best.attrs["total"] == pytest.approx(max(sums))
        assert best["target"].is_unique
        assert best["attacker"].is_unique


def test_named_targets_are_assigned_alone() -> None:
    frame = army_table(ARMY, ["chaff", "marines"], phases=["shooting"], engine="exact")
    assert list(assign(frame, "unit_destroyed", targets=["marines"])["target"]) in (["marines"], [])
    with pytest.raises(InvalidScenario, match="marines"):
        assign(frame, targets=["marine"])
    with pytest.raises(InvalidScenario, match="nobody attacks"):
        assign(frame, phase="fight")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], "chaff"), "at least one unit"),
        (([3], "chaff"), "write a Unit"),
        ((ARMY, []), "at least one target"),
        ((None, "chaff"), "units = None: write a Unit"),
        ((ARMY, None), "targets = None: write a Unit, or the name"),
        ((ARMY, ["chaff", "marine"]), r'targets\[1\] = "marine": is no standard target'),
        ((ARMY, ["chaff", BOWS.replaced(models=[])]), r"targets\[1\].models = \[\]: a target needs models"),
        ((ARMY, "chaff", 3), "metrics = 3: write names of metrics"),
        ((ARMY, "chaf"), "chaff"),
        (([WALL.replaced(weapons=[])], "chaff"), "nobody has a weapon"),
    ],
)
def test_what_cannot_be_compared_is_an_error(arguments: tuple[object, object], message: str) -> None:
    with pytest.raises(InvalidScenario, match=message):
        army_table(*arguments)  # type: ignore[arg-type]
    with pytest.raises(InvalidScenario, match="no phase"):
        army_table(ARMY, "chaff", phases=["charge"])  # type: ignore[list-item]


def test_units_that_differ_in_the_conditions_they_give_are_two_fights() -> None:
    gun = ["5x Gun: A2 BS3+ S4 AP0 D1"]
    units = [Attacker(name="A", weapons=gun, conditions={"cover": False}), Attacker(name="A", weapons=gun)]
    marines = Unit(name="Target", models=["5x Marine: T4 Sv3+ W2"])
    for order in (units, units[::-1]):
        asked = {"phases": ["shooting"], "conditions": {"cover": True}, "engine": "exact"}
        found = army_table(order, [marines], "wounds_lost", **asked)["value"].tolist()
        # Of 10 shots 2/3 hit (1/2 in cover), 1/2 wound, 1/3 are not saved.
        expected = [10 * 2 / 3 / 6, 10 / 2 / 6]
        assert found == pytest.approx(expected if order is units else expected[::-1])
