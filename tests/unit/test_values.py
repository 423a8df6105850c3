"""The objects: both spellings, the datasheet's notations, round trips, and what is said when something is wrong."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import random_dict, scenarios

import mathhammer as mh
from mathhammer.plan import make_plan

GUN = {"name": "Gun", "A": 2, "BS": "3+", "S": 4, "AP": -1, "D": 1}
GRUNT = {"name": "Grunt", "T": 4, "Sv": "3+", "W": 2}
FIGHT: dict[str, Any] = {
    "attacker": {"name": "Gunners", "weapons": [GUN]},
    "target": {"name": "Grunts", "models": [GRUNT | {"count": 5}, "Boss: T4 Sv2+ W4 [CHARACTER]"]},
}


def fault(make: Any, *arguments: Any, **keys: Any) -> str:
    with pytest.raises(mh.InvalidScenario) as caught:
        make(*arguments, **keys)
    assert str(caught.value) == str(caught.value.problems[0])
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_both_spellings_say_the_same() -> None:
    long = {"name": "Gun", "attacks": 2, "skill": 3, "strength": 4, "ap": -1, "damage": 1}
    assert mh.Weapon(**GUN) == mh.Weapon(**long)
    whole = {"name": "Grunt", "toughness": 4, "save": 3, "wounds": 2}
    assert mh.Model(**GRUNT, InSv="5+", FNP="6+") == mh.Model(**whole, invulnerable_save=5, feel_no_pain=6)


def test_ws_makes_a_melee_weapon() -> None:
    sword = mh.Weapon(name="Sword", A=3, WS="3+", S=4, AP=-2, D=1)
    assert sword.melee
    assert mh.Weapon.from_dict(sword.to_dict()) == sword
    assert fault(mh.Weapon, name="Sword", A=3, WS=3, S=4, AP=0, D=1, melee=False) == (
        "melee = false: a weapon with WS is a melee weapon: write BS or skill"
    )
    assert "a melee weapon has WS" in fault(mh.Weapon, name="Sword", A=3, BS=3, S=4, AP=0, D=1, melee=True)


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("BS", "3+", 3),
        ("BS", 3, 3),
        ("BS", " 3 + ", 3),
        ("AP", "-1", -1),
        ("AP", "−1", -1),
        ("AP", "–2", -2),
        ("AP", "—3", -3),
        ("AP", "-", 0),
        ("AP", "–", 0),
        ("AP", 0, 0),
        ("AP", "-0", 0),
        ("S", "12", 12),
        ("count", "3", 3),
        ("count", 0, 0),
    ],
)
def test_notations_of_a_weapon(key: str, written: Any, value: Any) -> None:
    weapon = mh.Weapon(**GUN | {key: written})
    assert getattr(weapon, mh.Weapon.SPELLINGS.get(key, key)) == value


@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("Sv", "3+", 3),
        ("Sv", 7, 7),
        ("Sv", "7+", 7),
        ("Sv", "-", 7),
        ("InSv", "4+", 4),
        ("InSv", "-", None),
        ("InSv", "", None),
        ("FNP", "5+", 5),
        ("FNP", None, None),
        ("W", "3", 3),
        ("damage_becomes", 0, 0),
    ],
)
def test_notations_of_a_model(key: str, written: Any, value: Any) -> None:
    model = mh.Model(**GRUNT | {key: written})
    assert getattr(model, mh.Model.SPELLINGS.get(key, key)) == value


@pytest.mark.parametrize(
    ("written", "said", "mean"),
    [
        (3, "3", 3),
        ("3", "3", 3),
        ("D6", "D6", 3.5),
        ("d6+3", "D6+3", 6.5),
        ("D6 + 3", "D6+3", 6.5),
        ("2D3", "2D3", 4),
        ("1D6", "D6", 3.5),
        ("D6−1", "D6-1", 2.5),
        ("2D6\u2009+ 1".replace("\u2009", "\xa0"), "2D6+1", 8),
    ],
)
def test_dice(written: Any, said: str, mean: float) -> None:
    dice = mh.Dice.parse(written)
    assert str(dice) == said
    assert dice.mean == mean
    assert mh.Dice.parse(said) == dice
    assert mh.Weapon(**GUN | {"D": written, "A": written}).damage == dice


def test_keywords_and_abilities_compare_without_case_hyphens_and_spaces() -> None:
    one = mh.Weapon(**GUN, abilities=["twin linked", "Anti-infantry 4+", "rapid fire D6+3"])
    other = mh.Weapon(**GUN, abilities="[TWIN-LINKED], [ANTI-INFANTRY 4+], [RAPID FIRE D6+3]")
    assert one == other
    assert mh.Unit(name="A", keywords=["Heavy infantry"]).keywords == ("HEAVY INFANTRY",)


@pytest.mark.parametrize(
    "line",
    [
        '4x Long rifle: 24" A2 BS3+ S4 AP-1 D1 [ASSAULT, HEAVY]',
        "1x Sword: Melee A3 WS3+ S5 AP-2 D1",
        '2x Flamer: 12" AD6 S4 AP0 D1 [TORRENT, IGNORES COVER]',
        "1x Lance: A1 BS4+ S12 AP-3 DD6+1 [ANTI-VEHICLE 4+, SUSTAINED HITS D3: NON-MONSTER/VEHICLE]",
        "0x Plasma | high: A1 BS3+ S8 AP-3 D2 [HAZARDOUS]",
    ],
)
def test_a_weapon_prints_itself_as_it_is_read(line: str) -> None:
    weapon = mh.Weapon.parse(line)
    assert str(weapon) == line
    assert mh.Weapon.parse(str(weapon)) == weapon
    assert mh.Unit(name="A", weapons=[line]).weapons == (weapon,)


@pytest.mark.parametrize(
    "line",
    [
        "5x Trooper: T4 Sv3+ InSv5+ W2 FNP6+",
        "1x Captain: T4 Sv2+ InSv4+ W6 [CHARACTER, LEADER]",
        "10x Ghost: T3 Sv- W1",
    ],
)
def test_a_model_prints_itself_as_it_is_read(line: str) -> None:
    model = mh.Model.parse(line)
    assert str(model) == line
    assert mh.Unit(name="A", models=[line]).models == (model,)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(scenarios())
def test_round_trips(scenario: mh.Scenario) -> None:
    import tomli_w

    written = scenario.to_dict()
    assert mh.Scenario.from_dict(written) == scenario
    assert mh.Scenario.from_toml(tomli_w.dumps(written) + "\n") == scenario
    assert mh.Scenario.from_dict(written).to_dict() == written
    assert pickle.loads(pickle.dumps(scenario)) == scenario
    assert copy.deepcopy(scenario) == scenario
    units = (*scenario.attackers, scenario.target)
    plain = [mh.Unit(**{key: getattr(u, key) for key in mh.Unit.model_fields}) for u in units]
    assert list(mh.read_units(mh.write_units(plain))) == plain


def test_objects_are_immutable() -> None:
    weapon = mh.Weapon(**GUN)
    with pytest.raises(ValueError, match="frozen"):
        weapon.count = 3  # type: ignore[misc]
    assert isinstance(mh.Unit(name="A", weapons=[GUN]).weapons, tuple)


def test_what_was_given_stays_untouched() -> None:
    data = random_dict(random.Random(5))
    before = copy.deepcopy(data)
    mh.Scenario.from_dict(data)
    assert data == before


@pytest.mark.parametrize(
    ("ability", "said"),
    [
        ("STEALTH 9", "STEALTH takes no number"),
        ("SCOUTS 6 " + "x" * 200, "an ability has at most 200 characters"),
        ("FEEL NO PAIN", 'write the roll, "FEEL NO PAIN 5+"'),
        ("HEAVY", "is a weapon ability: write it in modifiers.abilities of the unit"),
        ("STELTH", 'is no unit ability known here; did you mean "STEALTH"?'),
    ],
)
def test_abilities_of_units(ability: str, said: str) -> None:
    assert said in fault(mh.Unit, name="A", abilities=[ability])


def test_every_problem_is_found() -> None:
    broken = copy.deepcopy(FIGHT)
    broken["target"]["models"][0]["Sv"] = "8+"
    broken["target"]["models"][0]["colour"] = "red"
    broken["conditions"] = {"coverr": True}
    with pytest.raises(mh.InvalidScenario) as caught:
        mh.Scenario.from_dict(broken)
    paths = {problem.path for problem in caught.value.problems}
    assert paths >= {"target.models[0].save", "target.models[0].colour", "conditions.coverr"}


def change(**parts: Any) -> dict[str, Any]:
    """The fight with other parts; ``weapon`` and ``model`` change those of its two tables."""
    data = copy.deepcopy(FIGHT)
    data["attacker"]["weapons"][0].update(parts.pop("weapon", {}))
    data["target"]["models"][0].update(parts.pop("model", {}))
    return data | parts


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"weapon": {"D": "D7"}}, 'attacker.weapons[0].damage = "D7": the game has only D3 and D6'),
        ({"weapon": {"A": 0}}, "attacker.weapons[0].attacks = 0: at least 1"),
        ({"weapon": {"A": 2.5}}, "attacker.weapons[0].attacks = 2.5: write a whole number or dice"),
        ({"weapon": {"A": True}}, "attacker.weapons[0].attacks = true: write a whole number or dice"),
        ({"weapon": {"BS": "1+"}}, 'attacker.weapons[0].skill = "1+": a skill is 2+ to 6+'),
        ({"weapon": {"BS": "7+"}}, 'attacker.weapons[0].skill = "7+": a skill is 2+ to 6+'),
        ({"weapon": {"skill": 3}}, "attacker.weapons[0].skill = 3: is BS in another spelling"),
        ({"weapon": {"AP": 1}}, "attacker.weapons[0].ap = 1: AP is written as on the datasheet"),
        ({"weapon": {"AP": "1"}}, 'attacker.weapons[0].ap = "1": AP is written as on the datasheet'),
        ({"weapon": {"S": "D6"}}, 'attacker.weapons[0].strength = "D6": a Strength that is rolled'),
        ({"weapon": {"S": 0}}, "attacker.weapons[0].strength = 0: a Strength is a whole number"),
        ({"weapon": {"count": -1}}, "attacker.weapons[0].count = -1: a weapon stands 0 to 1000 times"),
        ({"weapon": {"count": 1001}}, "attacker.weapons[0].count = 1001: a weapon stands 0 to 1000 times"),
        (
            {"weapon": {"kount": 1}},
            'attacker.weapons[0].kount = 1: is no key of a Weapon; did you mean "count"?',
        ),
        ({"weapon": {"abilities": ["SUSTANED HITS 1"]}}, 'did you mean "SUSTAINED HITS"?'),
        ({"weapon": {"abilities": ["SUSTAINED HITS"]}}, 'the number is missing: write "SUSTAINED HITS 1"'),
        ({"weapon": {"abilities": ["ANTI-INFANTRY"]}}, "write the keyword and the roll"),
        ({"weapon": {"abilities": ["TORRENT"]}}, 'attacker.weapons[0].skill = "3+": a TORRENT weapon hits'),
        (
            {"weapon": {"BS": "-"}},
            "attacker.weapons[0].skill = None: a weapon without TORRENT needs BS or WS",
        ),
        ({"weapon": {"abilities": ["CONVERSION"]}}, "depends on the range: set modifiers.critical_hits_on"),
        ({"model": {"Sv": "1+"}}, 'target.models[0].save = "1+": a save is 2+ to 7+'),
        (
            {"model": {"InSv": "1+"}},
            'target.models[0].invulnerable_save = "1+": an invulnerable save is 2+ to 6+',
        ),
        ({"model": {"InSv": "5+*"}}, "one with a condition is invulnerable_save_ranged"),
        ({"model": {"FNP": "7+"}}, 'target.models[0].feel_no_pain = "7+": FEEL NO PAIN is 2+ to 6+'),
        ({"model": {"count": -1}}, "target.models[0].count = -1: a model stands 1 to 1000 times"),
        (
            {"model": {"count": "5 or so"}},
            'target.models[0].count = "5 or so": a model stands 1 to 1000 times',
        ),
        ({"model": {"count": 0}}, "target.models[0].count = 0: a model stands 1 to 1000 times"),
        ({"model": {"W": 0}}, "target.models[0].wounds = 0: wounds are a whole number from 1 to 999"),
        (
            {"model": {"wounds_lost": 2}},
            "target.models[0].wounds_lost = 2: a living model of W2 has lost fewer",
        ),
        ({"model": {"name": "Boss"}}, 'target.models[1].name = "Boss": names of models are unique'),
        ({"model": {"character": "yes"}}, 'target.models[0].character = "yes": write true or false'),
        ({"target": {"name": "Nobody"}}, "target.models = []: a target needs models"),
        ({"attacker": {"name": "Nobody"}}, "attacker.weapons = []: an attacker needs weapons"),
        ({"attacker": []}, "attacker = []: needs at least one attacking unit"),
        ({"attacker": 5}, "attacker = 5: an Attacker is a table of keys and values"),
        ({"conditions": {"cover": "yes"}}, 'conditions.cover = "yes": write true or false, without quotes'),
        ({"conditions": {"phase": "fight"}}, 'conditions.phase = "fight": the attacker has no melee weapon'),
        ({"conditions": {"phase": "fihgt"}}, 'did you mean "fight"?'),
        ({"conditions": "cover"}, 'conditions = "cover": a Conditions is a table of keys and values'),
        ({"modifiers": {"hit_roll": 1.0}}, "modifiers.hit_roll = 1.0: a modifier is a whole number"),
        ({"modifiers": {"reroll_hits": "all"}}, 'modifiers.reroll_hits = "all": one of "ones"'),
        ({"modifiers": {"critical_hits_on": 1}}, "modifiers.critical_hits_on = 1: an unmodified 2+ to 6+"),
        (
            {"choices": {"allocation_order": ["Nobdy"]}},
            'choices.allocation_order[0] = "Nobdy": names no model',
        ),
        (
            {"choices": {"allocation_order": ["Boss", "Grunt"]}},
            'choices.allocation_order[0] = "Boss": a CHARACTER cannot stand before other models (05.03)',
        ),
        (
            {"choices": {"allocation_order": ["Grunt", "grunt"]}},
            'choices.allocation_order[1] = "grunt": stands twice: name it once',
        ),
        (
            {"choices": {"precision": "Grunt"}},
            'choices.precision = "Grunt": names no CHARACTER of the target',
        ),
        (
            {"choices": {"modes": {"Gun": "high"}}},
            'choices.modes.Gun = "high": no weapon "Gun | MODE" is listed',
        ),
        ({"choices": {"metric": "fun"}}, 'choices.metric = "fun": one of "wounds_lost"'),
        ({"self": 1}, "self = 1: is no key of a Scenario"),
        ({"weapon": {"self": 1}}, "attacker.weapons[0].self = 1: is no key of a Weapon"),
        ({"weapon": {"name": "Gun\x1b[31m"}}, r'"Gun\x1b[31m": a name holds no control characters'),
        ({"weapon": {"name": "Gun\ud800"}}, r'"Gun\ud800": a name holds no control characters'),
        ({"weapon": {"A": "\ud800"}}, r'"\ud800"'),
        ({"weapon": {"modifiers": {1: 2}}}, "attacker.weapons[0].modifiers.1 = 2: is no key of a Modifiers"),
        ({"tagret": {}}, 'tagret = {}: is no key of a Scenario; did you mean "target"?'),
    ],
)
def test_what_is_said(parts: dict[str, Any], message: str) -> None:
    assert message in fault(mh.Scenario.from_dict, change(**parts))


def test_a_scenario_needs_both_sides() -> None:
    assert fault(mh.Scenario.from_dict, {"target": FIGHT["target"]}) == (
        "attacker: is missing: a Scenario needs it"
    )
    assert "a Scenario is a table" in fault(mh.Scenario.from_dict, None)


def test_ranged_and_melee_weapons_need_a_phase() -> None:
    both = change()
    both["attacker"]["weapons"].append("Sword: Melee A3 WS3+ S4 AP0 D1")
    message = fault(mh.Scenario.from_dict, both)
    assert 'set conditions.phase to "shooting" or "fight"' in message
    assert "leave the weapons of the other kind out" in message
    for phase in ("shooting", "fight"):
        mh.Scenario.from_dict(both | {"conditions": {"phase": phase}})


def test_several_attackers_are_numbered() -> None:
    units = [FIGHT["attacker"], {"name": "Others", "weapons": ["Gun: A1 BS9+ S4 AP0 D1"]}]
    message = fault(mh.Scenario.from_dict, FIGHT | {"attacker": units})
    assert message.startswith('attacker[1].weapons[0].skill = "9+"')


@pytest.mark.parametrize(
    "line",
    ["", "Rifle", "Rifle: ", "Rifle: A2", "Rifle: A2 BS3+ S4 AP-1 D1 D2", "Rifle: A2 BS3+ S4 AP-1 D1 X3",
     "x Rifle: A2 BS3+ S4 AP+1 D1", "Rifle: A2 BS3+ S4 AP-1 D1 [", "-1x Rifle: A2 BS3+ S4 AP-1 D1",
     "4xRifle: A2 BS3+ S4 AP-1 D1", "2.5x Rifle: A2 BS3+ S4 AP-1 D1",
     'Rifle: 24" A2 WS3+ S4 AP-1 D1'],
)  # fmt: skip
def test_lines_that_are_no_weapon(line: str) -> None:
    assert len(fault(mh.Weapon.parse, line)) < 300


@pytest.mark.parametrize(
    ("value", "shown"), [("x" * 500, 106), ("a\nb", 10), (list(range(500)), 106), ({"a": "b" * 500}, 106)]
)
def test_a_message_stays_one_short_line(value: Any, shown: int) -> None:
    message = fault(mh.Weapon, **GUN | {"AP": value})
    assert message.startswith("ap = ")
    assert len(message) < 80 + shown


def test_errors_survive_pickling() -> None:
    for kind in (mh.InvalidScenario, mh.UnsupportedScenario, mh.RosterError):
        error = kind.at("target.models[1].save", "8+", "a save is 2+ to 7+").under("cell")
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is kind
        assert back.problems == error.problems
        assert str(back) == str(error) == 'cell.target.models[1].save = "8+": a save is 2+ to 7+'


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.integers(0, 40), st.sampled_from([3, 6]), st.integers(-40, 40))
def test_a_probability_for_every_result(count: int, sides: int, plus: int) -> None:
    dice = mh.Dice(count, sides, plus)
    assert dice.pmf.sum() == pytest.approx(1)
    if dice.lowest >= 0:
        assert float(dice.pmf @ range(len(dice.pmf))) == pytest.approx(dice.mean)


def test_choices_can_be_hashed_and_not_changed() -> None:
    one, other = (mh.Choices(modes={"Gun": "low", "Bow": "best"}) for _ in range(2))
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one == mh.Choices(modes={"Bow": "BEST", "Gun": "low"})
    with pytest.raises(TypeError, match="cannot be changed"):
        one.modes["Gun"] = "high"


RIFLES = {"name": "A", "weapons": ["5x Gun: A2 BS3+ S4 AP0 D1"]}


def test_attackers_that_give_other_keys_are_not_equal() -> None:
    """cover=False over a scenario with cover is not the same as to say nothing."""
    plain, own = mh.Attacker.from_dict(RIFLES), mh.Attacker(**RIFLES, conditions={"cover": False})
    assert plain != own
    assert own == mh.Attacker(**RIFLES, conditions={"cover": False})
    assert hash(own) == hash(mh.Attacker(**RIFLES, conditions={"cover": False}))
    assert mh.Attacker(**RIFLES, choices={"precision": "first"}) not in (plain, own)
    target = mh.Unit.from_dict(FIGHT["target"])
    assert mh.Scenario(attacker=plain, target=target) != mh.Scenario(attacker=own, target=target)


def test_an_attacker_without_own_keys_is_that_unit() -> None:
    unit, attacker = mh.Unit(**RIFLES), mh.Attacker.from_dict(RIFLES)
    assert unit == attacker
    assert attacker == unit
    assert hash(unit) == hash(attacker)
    assert unit != mh.Attacker(**RIFLES, conditions={"cover": False})
    assert attacker != "A"


@pytest.mark.parametrize("kind", [mh.Unit, mh.Attacker])
def test_a_scenario_made_of_objects_comes_back_from_its_dict(kind: type[mh.Unit]) -> None:
    target = mh.Unit.from_dict(FIGHT["target"])
    for attacker in (kind(**RIFLES), [kind(**RIFLES), mh.Attacker(**RIFLES, conditions={"cover": False})]):
        scenario = mh.Scenario(attacker=attacker, target=target, conditions={"phase": None, "cover": True})
        assert mh.Scenario.from_dict(scenario.to_dict()) == scenario


@pytest.mark.parametrize("kind", [dict, mh.Conditions])
def test_nothing_cannot_take_back_what_the_scenario_says(kind: Any) -> None:
    """No file could say it."""
    said = "conditions.phase = None: an attacker cannot take back what the scenario says"
    assert said in fault(mh.Attacker, **RIFLES, conditions=kind(phase=None))


PLASMA = ["Plasma | low: A2 BS3+ S7 AP-2 D1", "Plasma | high: A2 BS3+ S8 AP-3 D2"]
MELTA = ["Melta | near: A1 BS3+ S9 AP-4 D6", "Melta | far: A1 BS3+ S9 AP-4 D3"]


def test_a_mode_of_an_attackers_own_leaves_the_common_ones_of_other_weapons() -> None:
    own = {"name": "A", "weapons": PLASMA + MELTA, "choices": {"modes": {"plasma": "low"}}}
    common = {"modes": {"Plasma": "high", "Melta": "far"}}
    scenario = mh.Scenario.from_dict(FIGHT | {"attacker": own, "choices": common})
    assert scenario.choices_of(scenario.attackers[0]).modes == {"plasma": "low", "Melta": "far"}
    assert {batch.name for batch in make_plan(scenario).batches} == {"Plasma | low", "Melta | far"}


def test_common_choices_are_looked_at_where_the_first_attacker_has_its_own() -> None:
    attackers = [
        {"name": "A", "weapons": PLASMA, "choices": {"modes": {"Plasma": "low"}, "batch_order": "listed"}},
        {"name": "B", "weapons": MELTA},
    ]
    for choices, path in (
        ({"modes": {"Melt": "far"}}, "choices.modes.Melt"),
        ({"batch_order": ["Melt"]}, "choices.batch_order[0]"),
        ({"precision": "Nobody"}, "choices.precision"),
    ):
        assert fault(mh.Scenario.from_dict, FIGHT | {"attacker": attackers, "choices": choices}).startswith(
            path
        )
