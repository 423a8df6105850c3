"""One field of the scenario, or several, through all their values."""

import re

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.analysis import sweep
from mathhammer.errors import InvalidScenario

GUNS = mh.Unit(name="Gunners", points=60, weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"])
WALL = mh.Unit(name="Wall", points=90, models=["3x Shield: T4 Sv2+ W3"])
FIGHT = mh.Scenario(attacker=GUNS, target=WALL)


def test_one_field():
    frame = sweep(FIGHT, "target.models[0].save", [2, 3, 4, 5, 6])
    assert list(frame.columns) == ["target.models[0].save", "metric", "value", "standard_error", "engine"]
    assert len(frame) == 5 * 8
    rows = frame[frame["metric"] == "unit_destroyed"]
    assert rows["target.models[0].save"].tolist() == [2, 3, 4, 5, 6]
    assert rows["value"].is_monotonic_increasing
    for save, value in zip(rows["target.models[0].save"], rows["value"], strict=True):
        wall = mh.Unit(name="Wall", models=[mh.Model(name="Shield", count=3, T=4, Sv=save, W=3)])
        assert value == mh.solve(mh.Scenario(attacker=GUNS, target=wall)).unit_destroyed
    assert frame.attrs["axes"] == ["target.models[0].save"]


def test_two_fields_in_every_combination_the_first_slowest():
    frame = sweep(
        FIGHT, "target.models[0].Sv", ["2+", "3+"], "conditions.cover", [True, False], metrics="wounds_lost"
    )
    assert frame[["target.models[0].Sv", "conditions.cover"]].values.tolist() == [
        *(["2+", True], ["2+", False]),
        *(["3+", True], ["3+", False]),
    ]
    same = sweep(
        FIGHT, {"target.models[0].Sv": ["2+", "3+"], "conditions.cover": [True, False]}, metrics="wounds_lost"
    )
    assert same.equals(frame)


@pytest.mark.parametrize("engine", ["exact", "monte-carlo"])
def test_it_is_said_when_a_path_changes_nothing(engine):
    squad = mh.Unit(name="Squad", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2", "3x Fist: Melee A2 WS4+ S5 AP-1 D2"])
    fight = mh.Scenario(attacker=squad, target=WALL, conditions=mh.Conditions(phase="shooting"))
    axes = {
        "attacker.weapons[1].A": [1, 2],
        "target.models[0].Sv": [2, 3],
        "conditions.cover": [True],
    }
    frame = sweep(fight, axes, metrics=["wounds_lost", "unit_destroyed"], engine=engine, trials=1000, seed=1)
    said = "attacker.weapons[1].A changes nothing of wounds_lost, unit_destroyed here"
    assert frame.attrs["assumed"] == [said]


def test_values_of_numpy_and_ranges():
    frame = sweep(FIGHT, "target.models[0].W", np.arange(1, 4), "attacker.weapons[0].D", range(1, 3))
    assert frame["target.models[0].W"].unique().tolist() == [1, 2, 3]


def test_whole_units_stand_by_their_names():
    frame = sweep(FIGHT, "target", [mh.targets["marines"], mh.targets["tank"]], metrics="wounds_lost")
    assert frame["target"].tolist() == ["marines", "tank"]


def test_a_whole_and_then_a_part_of_it_are_two_fields():
    wounds = sweep(FIGHT, "target", [WALL], "target.models[0].W", [1, 3], metrics="wounds_lost")
    assert wounds["value"].is_monotonic_increasing
    two = FIGHT.replaced(target=WALL.replaced(models=[*WALL.models, "1x Lord: T4 Sv2+ W5"]))
    rows = {"target.models[*].W": [4, 5], "target.models[1].wounds": [1, 2]}
    assert len(sweep(two, rows, metrics="wounds_lost")) == 4


def test_what_is_no_scenario_and_no_progress_is_refused():
    with pytest.raises(InvalidScenario, match="scenario = None: make one"):
        sweep(None, "conditions.cover", [True])
    for odd in ("x", 3, [], {}):
        with pytest.raises(InvalidScenario, match=r"progress = .*: None, True, False, or a function"):
            sweep(FIGHT, "conditions.cover", [True], progress=odd)
        with pytest.raises(InvalidScenario, match=r"progress = .*: None, True, False, or a function"):
            mh.simulate(FIGHT, trials=10, progress=odd)


def test_nothing_and_lists_stand_as_texts():
    rerolls = sweep(FIGHT, "modifiers.reroll_hits", [None, "ones"], metrics="wounds_lost")
    assert rerolls["modifiers.reroll_hits"].tolist() == ["none", "ones"]
    abilities = sweep(FIGHT, "modifiers.abilities", [[], ["LETHAL HITS", "HEAVY"]], metrics="wounds_lost")
    assert abilities["modifiers.abilities"].tolist() == ["", "LETHAL HITS, HEAVY"]


def test_all_points_use_the_same_seed():
    frame = sweep(FIGHT, "conditions.charged", [False, True], engine="monte-carlo", trials=3000, seed=2)
    first, second = frame["value"].to_numpy().reshape(2, -1)
    assert (first == second).all()
    out = mh.simulate(FIGHT, trials=3000, seed=2)
    assert first[0] == out.wounds_lost.mean
    assert frame["standard_error"].iloc[0] == out.wounds_lost.standard_error


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        ((), "write path and values in turn"),
        (({},), "write path and values in turn"),
        (("target.models[0].save", [2, 3, 2]), "target.models[0].save[2] = 2: stands twice"),
        (("target", [WALL, WALL]), 'target[1] = "Wall": stands twice'),
        (("target.models[0].save",), "write path and values in turn"),
        (("target.models[0].savee", [2]), 'did you mean "target.models[0].save"'),
        (("target.models[0].save", [2, 9]), "target.models[0].save = 9"),
        (("target.models[0].save", []), "write at least one value"),
        (("target.models[0].save", 3), "write a list of values"),
        (("target.models[0].save", "2+,3+"), "write a list of values"),
        (("conditions.cover", [True], "conditions.cover", [False]), "stands twice"),
        (
            ("target.models[0].Sv", [2], "target.models[0].save", [3]),
            'path = "target.models[0].save": changes target.models[0].Sv again',
        ),
        (
            ("attacker[0].weapons[00].D", [2], "attacker.weapons[0].damage", [3]),
            'path = "attacker.weapons[0].damage": changes attacker[0].weapons[00].D again',
        ),
        (("target.models[0].W", [2], "target.models[*].wounds", [3]), "changes target.models[0].W again"),
        (("target.models[0].W", [2], "target", [WALL]), 'path = "target": changes target.models[0].W again'),
        ((3, [2]), "path = 3: write a path"),
        (([], [2]), "path = []: write a path"),
    ],
)
def test_a_wrong_axis_is_named_before_anything_is_computed(axes, said, monkeypatch):
    monkeypatch.setattr("mathhammer.front.solve", lambda scenario: pytest.fail("computed"))
    with pytest.raises(InvalidScenario, match=re.escape(said)):
        sweep(FIGHT, *axes)
