"""Fields by their paths, as error messages write them."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mathhammer.analysis.paths import known_paths, read_values, replaced
from mathhammer.errors import InvalidScenario
from mathhammer.scenario import Attacker, Scenario
from mathhammer.units import Unit

GUNNERS = Unit(
    name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2 [HEAVY]", "1x Torch: AD6 S4 AP0 D1 [TORRENT]"]
)
WALL = Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3", "1x Captain: T4 Sv2+ InSv4+ W5 [CHARACTER]"])
FIGHT = Scenario(attacker=GUNNERS, target=WALL)
TWO = FIGHT.replaced(attacker=[GUNNERS, GUNNERS.replaced(name="More gunners")])


@pytest.mark.parametrize(
    ("path", "value", "read"),
    [
        ("target.models[0].save", 3, lambda s: s.target.models[0].save == 3),
        ("target.models[0].Sv", "3+", lambda s: s.target.models[0].save == 3),
        ("target.models[1].InSv", "-", lambda s: s.target.models[1].invulnerable_save is None),
        ("attacker.weapons[0].BS", "2+", lambda s: s.attacker.weapons[0].skill == 2),
        ("attacker.weapons[1].A", "2D6", lambda s: str(s.attacker.weapons[1].attacks) == "2D6"),
        ("attacker[0].weapons[0].count", 5, lambda s: s.attacker.weapons[0].count == 5),
        (
            "attacker.weapons[0].modifiers.hit_roll",
            1,
            lambda s: s.attacker.weapons[0].modifiers.hit_roll == 1,
        ),
        ("attacker.weapons[*].D", 3, lambda s: {str(w.damage) for w in s.attacker.weapons} == {"3"}),
        ("target.models[*].T", np.int64(7), lambda s: {m.toughness for m in s.target.models} == {7}),
        ("conditions.cover", True, lambda s: s.conditions.cover),
        ("modifiers.reroll_hits", "ones", lambda s: s.modifiers.reroll_hits == "ones"),
        ("choices.allocation_order", ["Shield"], lambda s: s.choices.allocation_order == ("Shield",)),
        ("target", WALL.replaced(name="Other"), lambda s: s.target.name == "Other"),
    ],
)
def test_a_field_is_replaced_and_nothing_else(path, value, read):
    changed = replaced(FIGHT, path, value)
    assert read(changed)
    assert not read(FIGHT)
    assert set(known_paths(changed)) >= {"conditions.cover", "target.models[0].save"}


def test_the_key_of_a_table_is_the_rest_of_the_path():
    modes = Unit(
        name="Squad", weapons=["1x Gun | low: A1 BS3+ S4 AP0 D1", "1x Gun | high: A1 BS3+ S9 AP0 D1"]
    )
    changed = replaced(Scenario(attacker=modes, target=WALL), "choices.modes.Gun", "high")
    assert changed.choices.modes == {"Gun": "high"}


def test_one_of_several_attackers():
    changed = replaced(TWO, "attacker[1].weapons[0].count", 9)
    assert [unit.weapons[0].count for unit in changed.attackers] == [3, 9]


def test_an_attacker_with_conditions_of_its_own():
    own = Scenario(attacker=Attacker(**GUNNERS.to_dict(), conditions={"cover": True}), target=WALL)
    assert replaced(own, "attacker.conditions.cover", False).attacker.conditions.cover is False


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("target.models[0].savee", 'did you mean "target.models[0].save"'),
        ("target.T", 'did you mean "target.models[0].toughness"'),
        ("hit_roll", 'did you mean "modifiers.hit_roll"'),
        ("attacker.strength", 'or "attacker.weapons[0].strength"'),
        ("target.models[2].save", "target.models has 2 rows: the index is 0 to 1"),
        ("target.models.save", 'did you mean "target.models[0].save"'),
        ("target.models[-1].save", 'did you mean "target.models[0].save"'),
        ("conditions.cover.", 'did you mean "conditions.cover"'),
        ("conditions.cover.x", "is no path"),
        ("target.keywords[0]", "has 0 rows: the index is none"),
        ("attacker.weapons[0].WS", "Gun has BS: write BS or skill"),
        ("zzz", 'one is "target.models[0].save"'),
        ("", "write a path"),
        (3, "write a path"),
    ],
)
def test_a_path_that_is_not_there_names_the_nearest(path, said):
    with pytest.raises(InvalidScenario, match=re.escape(said)):
        replaced(FIGHT, path, 2)


def test_with_several_attackers_one_has_to_be_named():
    with pytest.raises(InvalidScenario, match=r"there are 2 attackers: write attacker\[0\]"):
        replaced(TWO, "attacker.weapons[0].count", 2)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("target.models[0].Sv", "9+", 'target.models[0].save = "9+": a save is 2+ to 7+, or "-" for none'),
        ("modifiers.hit_roll", 50, "modifiers.hit_roll = 50: a modifier is a whole number from -20 to 20"),
        ("target.models[0].wounds_lost", 3, "target.models[0].wounds_lost = 3: a living model of W3"),
        ("attacker.weapons[1].skill", 3, 'attacker.weapons[1].skill = "3+": a TORRENT weapon hits'),
        ("choices.precision", "Nobody", 'choices.precision = "Nobody": names no CHARACTER'),
        ("attacker.weapons", [], "attacker.weapons = []: an attacker needs weapons"),
    ],
)
def test_a_value_that_cannot_stand_there_is_named_with_its_path(path, value, message):
    with pytest.raises(InvalidScenario, match=re.escape(message)):
        replaced(FIGHT, path, value)


@given(st.text(max_size=40))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_any_text_is_a_path_or_an_error_that_says_so(path):
    with pytest.raises(InvalidScenario):
        replaced(FIGHT, path, object())


def test_every_known_path_leads_somewhere():
    paths = list(known_paths(FIGHT))
    assert len(paths) == len(set(paths))
    for path in paths:
        holder = FIGHT
        for name, index in re.findall(r"(\w+)(?:\[(\d+)\])?", path):
            holder = getattr(holder, name)
            holder = holder[int(index)] if index else holder
        assert replaced(FIGHT, path, holder) == FIGHT


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2+,3+", ["2+", "3+"]),
        ("2, 3 ,-1", [2, 3, -1]),
        ("true,false", [True, False]),
        ("D6,2D6+1", ["D6", "2D6+1"]),
        ("none,ones", [None, "ones"]),
        ('["A", "B"],["B", "A"]', [["A", "B"], ["B", "A"]]),
        ('"a, b",c', ["a, b", "c"]),
        ("LETHAL HITS", ["LETHAL HITS"]),
    ],
)
def test_values_as_they_are_typed(text, values):
    assert read_values(text) == values


def test_none_is_a_word_for_precision():
    assert read_values("none,first", "choices.precision") == ["none", "first"]


@pytest.mark.parametrize("text", ["", ",", "2+,,3+", "2+,", "[1", '"a', '"a"b'])
def test_values_that_cannot_be_read_are_refused(text):
    with pytest.raises(InvalidScenario):
        read_values(text, "target.models[0].save")
