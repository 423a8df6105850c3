"""The standard targets: a mapping by name, a user's own file, and what ``--against`` means."""

import pickle

import pytest

import mathhammer as mh
from mathhammer.errors import InvalidScenario
from mathhammer.scenario import Scenario
from mathhammer.targets import Targets, load, resolve
from mathhammer.unit_files import read_units
from mathhammer.units import Unit

USUAL = (
    *("chaff", "marines", "elite infantry", "heavy infantry", "terminators", "light vehicle", "tank"),
    *("monster", "knight", "character with bodyguard"),
)
OWN = """
[[units]]
name = "Shield wall"
points = 90
models = ["3x Shield: T4 Sv2+ W3"]

[[units]]
name = "Pikes"
models = ["10x Pike: T3 Sv5+ W1"]
"""


@pytest.mark.parametrize("name", USUAL)
def test_the_usual_targets_are_there(name):
    assert name in mh.targets
    assert mh.targets[name].name == name


def test_the_namespace_is_a_mapping_of_names_to_units():
    names = list(mh.targets)
    assert len(names) == len(set(names)) == len(mh.targets) >= len(USUAL)
    assert list(mh.targets.keys()) == names
    assert [unit.name for unit in mh.targets.values()] == names
    assert mh.targets.get("no such thing") is None
    assert hash(mh.targets) is not None
    assert mh.targets


@pytest.mark.parametrize("spelling", ["Light Vehicle", "light-vehicle", "LIGHT_VEHICLE", "lightvehicle"])
def test_names_compare_without_case_hyphens_and_spaces(spelling):
    assert mh.targets[spelling] == mh.targets["light vehicle"]


def test_the_players_short_names_are_known():
    assert mh.targets["MEQ"] == mh.targets["marines"]
    assert mh.targets["teq"] == mh.targets["terminators"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: load(3), "source = 3: give the path of a TOML file, or its text"),
        (lambda: load(None), "source = None: give the path"),
        (lambda: load(""), 'source = "": give the path'),
        (lambda: resolve(3), "3: write names and files, separated by commas"),
        (lambda: Targets([3]), r"units\[0\] = 3: is no Unit"),
        (lambda: Targets(3), "units = 3: write a list of units"),
        (lambda: mh.targets[3], "3: is no standard target"),
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(ask, message):
    with pytest.raises(InvalidScenario, match=message):
        ask()


def test_a_wrong_name_names_the_nearest():
    with pytest.raises(InvalidScenario, match='"marinez": is no standard target; did you mean "marines"'):
        mh.targets["marinez"]
    with pytest.raises(InvalidScenario, match="known are chaff, "):
        mh.targets["zzzz"]
    assert 3 not in mh.targets


@pytest.mark.parametrize("unit", mh.targets.values(), ids=lambda unit: unit.name)
def test_every_standard_target_can_be_attacked_and_has_points_for_each_model(unit):
    gun = Unit(name="Gun crew", weapons=["1x Gun: A1 BS4+ S4 AP0 D1"])
    assert Scenario(attacker=gun, target=unit).target == unit
    each = [points * model.count for points, model in zip(unit.points_each, unit.models, strict=True)]
    assert sum(each) == pytest.approx(unit.points)
    assert all(5 <= points <= 500 for points in unit.points_each)
    assert unit.keywords


def test_the_character_stands_behind_a_bodyguard():
    bodyguard, leader = mh.targets["character with bodyguard"].models
    assert leader.character
    assert leader.leader
    assert not bodyguard.character


def test_units_of_the_namespace_can_be_sent_to_other_processes():
    assert pickle.loads(pickle.dumps(mh.targets["tank"])) == mh.targets["tank"]


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(OWN)
    mine = mh.targets.load(path)
    assert list(mine) == ["Shield wall", "Pikes"]
    assert mine["shield-wall"] == read_units(path)[0]
    assert list({**mh.targets, **mine})[-1] == "Pikes"


def test_the_target_of_a_scenario_file_is_taken(tmp_path):
    path = tmp_path / "fight.toml"
    path.write_text(
        'attacker = {name = "A", weapons = ["Gun: A1 BS4+ S4 AP0 D1"]}\n'
        'target = {name = "Wall", models = ["3x Shield: T4 Sv2+ W3"]}\n'
    )
    assert list(load(path)) == ["Wall"]


def test_a_file_whose_units_cannot_be_targets_says_which():
    text = '[[units]]\nname = "Ghosts"\nweapons = ["Gun: A1 BS4+ S4 AP0 D1"]\n'
    with pytest.raises(InvalidScenario, match=r"units\[0\].models = \[\]: Ghosts: a target needs models"):
        load(text)


def test_a_name_that_stands_twice_is_refused():
    wall = Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"])
    with pytest.raises(InvalidScenario, match=r'units\[1\].name = "wall": stands twice'):
        Targets([wall, wall.replaced(name="wall")])


def test_against_takes_names_and_files_in_the_order_given(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(OWN)
    assert [unit.name for unit in resolve(f"tank, {path},MEQ")] == ["tank", "Shield wall", "Pikes", "marines"]
    assert [unit.name for unit in resolve("all")] == list(mh.targets)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("marines,tnak", 'did you mean "tank"'),
        ("", "known are chaff"),
        ("marines,,tank", "known are chaff"),
        ("nowhere.toml", "there is no such file"),
        ("x" * 5000, "known are chaff"),
        ("a\0b", "known are chaff"),
    ],
)
def test_against_names_what_it_cannot_find(text, said):
    with pytest.raises(InvalidScenario, match=said):
        resolve(text)
