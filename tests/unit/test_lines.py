"""One notation for input, output and messages: what is printed is read back, or says in words what a line cannot."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import scenarios

import mathhammer as mh
from mathhammer.abilities import Anti, Keywords, Lance, SustainedHits, parse_abilities
from mathhammer.unit_abilities import UnitAbility

GUN = {"name": "Gun", "A": 2, "BS": "3+", "S": 4, "AP": -1, "D": 1}
GRUNT = {"name": "Grunt", "T": 4, "Sv": "3+", "W": 2}
fixed = settings(max_examples=150, deadline=None, derandomize=True, database=None)

odd_names = (
    st.text("aD6 xX×2:|[](),;-–−‑+’\"'\xa0\u2009é", max_size=20)
    | st.sampled_from(["Gun: A2 BS3+", "2x Gun", "4x", "x", "Gun [HEAVY]", "Melee", "W: T4 Sv3+ W2", "➤ Gun – big"])
    | st.text(max_size=12)
)  # fmt: skip
odd_ranges = st.none() | st.text("0123456789\"'″ -inchMelé", min_size=1, max_size=8) | st.sampled_from(
    ['24"', "18", "N/A", "n/a", '6-12"', "24 inch", "Melee", " melee ", "12''", '24 "', "half", "99999"]
)  # fmt: skip


def made(kind: Any, **keys: Any) -> Any:
    with contextlib.suppress(mh.InvalidScenario):
        return kind(**keys)
    return None


def is_read_back(thing: mh.Weapon | mh.Model, kind: Any) -> None:
    """The line is read as the same, or ends with what it cannot say, which is refused and never dropped."""
    line = str(thing)
    if not line.endswith(")"):
        assert kind.parse(line) == thing
        return
    assert "a line cannot say what stands in parentheses" in fault(kind.parse, line)
    words = line[line.rindex(" (") :]
    assert kind.parse(line.removesuffix(words)) != thing


def fault(make: Any, *arguments: Any, **keys: Any) -> str:
    with pytest.raises(mh.InvalidScenario) as caught:
        make(*arguments, **keys)
    return str(caught.value)


@fixed
@given(odd_names, odd_ranges, st.booleans(), scenarios())
def test_whatever_can_be_made_is_read_back(
    name: str, reach: str | None, melee: bool, scenario: mh.Scenario
) -> None:
    units = (*scenario.attackers, scenario.target)
    weapons = [weapon for unit in units for weapon in unit.weapons]
    models = [model for unit in units for model in unit.models]
    for weapon in (*weapons, made(mh.Weapon, **GUN | {"name": name, "range": reach})):
        if weapon is not None:
            is_read_back(weapon, mh.Weapon)
    for model in (*models, made(mh.Model, **GRUNT | {"name": name})):
        if model is not None:
            is_read_back(model, mh.Model)
    keys = {"attacks": 2, "skill": 3, "strength": 4, "ap": -1, "damage": 1, "melee": melee}
    weapon = made(mh.Weapon, name=name, range=reach, **keys)
    if weapon is not None:
        is_read_back(weapon, mh.Weapon)


@pytest.mark.parametrize(
    "name", ["Heat ray – focused", "C’tan’s ray ‑ long", "Gun: big", "2x Gun", "Gun [old]", "A: T4 Sv3+ W2"]
)
def test_a_name_stays_as_it_was_written(name: str) -> None:
    weapon, model = mh.Weapon(**GUN | {"name": name}), mh.Model(**GRUNT | {"name": name})
    assert mh.Weapon.parse(str(weapon)).name == weapon.name == name
    assert mh.Model.parse(str(model)).name == model.name == name


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({"range": '24"'}, '1x Gun: 24" A2 BS3+ S4 AP-1 D1'),
        ({"range": "N/A"}, "1x Gun: N/A A2 BS3+ S4 AP-1 D1"),
        ({"range": '6-12"'}, '1x Gun: A2 BS3+ S4 AP-1 D1 (range 6-12")'),
        ({"not_modelled": ["HARPOONED"]}, "1x Gun: A2 BS3+ S4 AP-1 D1 (not_modelled HARPOONED)"),
        (
            {"abilities": "HEAVY", "modifiers": {"hit_roll": 1, "abilities": ["LETHAL HITS: A/B", "LANCE"]}},
            "1x Gun: A2 BS3+ S4 AP-1 D1 [HEAVY] "
            "(modifiers.hit_roll 1, modifiers.abilities LETHAL HITS: A/B + LANCE)",
        ),
    ],
)
def test_a_weapon_hides_nothing(keys: dict[str, Any], line: str) -> None:
    assert str(mh.Weapon(**GUN, **keys)) == line


HIDDEN = {
    "invulnerable_save_ranged": 5,
    "invulnerable_save_melee": 4,
    "feel_no_pain_mortal": 5,
    "feel_no_pain_psychic": 4,
    "wounds_lost": 1,
    "damage_reduction": 1,
    "damage_becomes": 0,
    "damage_to_zero": 2,
    "points": 12.5,
}


@pytest.mark.parametrize("key", HIDDEN)
def test_a_model_hides_nothing(key: str) -> None:
    model = mh.Model(**GRUNT, **{key: HIDDEN[key]})
    assert str(model) == f"1x Grunt: T4 Sv3+ W2 ({key} {HIDDEN[key]})"
    assert "write the model as a table of keys" in fault(mh.Model.parse, str(model))


def test_several_hidden_things_are_named_in_a_row() -> None:
    model = mh.Model(**GRUNT, halve_damage=True, keywords=["CHARACTER", "FLY"], wounds_lost=1)
    assert str(model) == (
        "1x Grunt: T4 Sv3+ W2 [CHARACTER] (wounds_lost 1, halve_damage, keywords CHARACTER + FLY)"
    )


def test_every_field_of_a_line_is_in_it_or_behind_it() -> None:
    given: dict[str, Any] = HIDDEN | {"halve_damage": True, "keywords": ["FLY"]}
    printed = {"name", "count", "toughness", "save", "wounds", "invulnerable_save", "feel_no_pain"}
    assert set(mh.Model.model_fields) == printed | {"character", "leader"} | set(given)
    assert all(key in str(mh.Model(**GRUNT, **given)) for key in given)


@pytest.mark.parametrize(
    "brackets",
    ["[HEAVY][LANCE]", "[HEAVY] [LANCE]", "[HEAVY], [LANCE]", "[heavy; lance]", "[] [HEAVY, LANCE]"],
)
def test_abilities_may_stand_in_brackets_of_their_own(brackets: str) -> None:
    line = f"Gun: A2 BS3+ S4 AP-1 D1 {brackets}"
    assert mh.Weapon.parse(line) == mh.Weapon(**GUN, abilities=["HEAVY", "LANCE"])
    boss = mh.Model.parse("Boss: T4 Sv3+ W2 [CHARACTER][LEADER]")
    assert (boss.character, boss.leader) == (True, True)


@pytest.mark.parametrize("name", ["Spear |shot", "Spear| shot", "Spear|shot", " Spear  |  shot "])
def test_a_bar_stands_before_a_mode_with_and_without_spaces(name: str) -> None:
    weapon = mh.Weapon(**GUN | {"name": name})
    assert weapon.name == "Spear | shot"
    assert weapon.mode == ("Spear", "shot")
    assert mh.Weapon.parse(f"{name.strip()}: A2 BS3+ S4 AP-1 D1") == weapon
    both = [weapon, GUN | {"name": "Spear| big", "A": 9}]
    target = {"name": "Wall", "models": [GRUNT]}
    fight = mh.Scenario.from_dict({"attacker": {"name": "A", "weapons": both}, "target": target})
    assert [row["attacks"] for row in mh.solve(fight).by_weapon] == [2]


@pytest.mark.parametrize("name", ["| shot", "Spear |", "Spear || shot", "|"])
def test_a_bar_without_a_mode_is_refused(name: str) -> None:
    assert 'name = "' in fault(mh.Weapon, **GUN | {"name": name})
    assert "a bar stands between a weapon and its mode" in fault(mh.Weapon, **GUN | {"name": name})


def test_the_range_melee_makes_a_melee_weapon() -> None:
    sword = mh.Weapon(name="Sword", range="Melee", A=3, WS="3+", S=4, AP=-2, D=1)
    assert sword == mh.Weapon(name="Sword", range="melee", A=3, skill=3, S=4, AP=-2, D=1)
    assert str(sword) == "1x Sword: Melee A3 WS3+ S4 AP-2 D1"
    assert mh.Weapon.parse(str(sword)) == sword
    assert fault(mh.Weapon, **GUN, range="Melee") == 'BS = "3+": a melee weapon has WS (or skill)'
    assert "a weapon of range Melee is a melee weapon" in fault(
        mh.Weapon, name="Sword", range="Melee", melee=False, A=3, skill=3, S=4, AP=-2, D=1
    )


@pytest.mark.parametrize(
    "ability",
    [
        Lance(only=Keywords(("A, B",))),
        Lance(only=Keywords(("vehicle",))),
        Lance(only=Keywords(["VEHICLE"])),  # type: ignore[arg-type]
        Anti(Keywords(("VEHICLE",)), 1),
        SustainedHits(mh.Dice(0, 6, 0)),
        SustainedHits(2),  # type: ignore[arg-type]
    ],
)
def test_an_ability_made_by_hand_is_one_that_can_be_written(ability: Any) -> None:
    assert fault(mh.Weapon, **GUN, abilities=[ability]).startswith("abilities = ")
    assert mh.Weapon(**GUN, abilities=[Lance(), Lance(only=Keywords(("A",), non=True))]) == mh.Weapon(
        **GUN, abilities="LANCE, LANCE: NON-A"
    )


def test_an_ability_of_a_unit_made_by_hand_is_one_that_can_be_written() -> None:
    assert "can be written" in fault(mh.Unit, name="A", abilities=[UnitAbility("stealth")])
    assert "2+ to 6+" in fault(mh.Unit, name="A", abilities=[UnitAbility("FEEL NO PAIN", "9+")])
    assert mh.Unit(name="A", abilities=[UnitAbility("STEALTH")]) == mh.Unit(name="A", abilities="STEALTH")


@pytest.mark.parametrize(
    "dice", [mh.Dice(1, 10, 0), mh.Dice(61, 6, 0), mh.Dice(0, 6, 2001), mh.Dice(0, 6, -1)]
)
def test_dice_made_by_hand_are_dice_of_the_game(dice: mh.Dice) -> None:
    assert fault(mh.Weapon, **GUN | {"D": dice}).startswith("damage = ")
    assert mh.Weapon(**GUN | {"D": mh.Dice(2, 3, 1)}) == mh.Weapon(**GUN | {"D": "2D3+1"})
    assert mh.Weapon(**GUN | {"D": mh.Dice(0, 3, 2)}) == mh.Weapon(**GUN | {"D": 2})


@fixed
@given(
    st.sampled_from(["LANCE:", "ANTI-", "ANTI ", "HUNTER:", "LETHAL HITS:", "SUSTAINED HITS D3:"]),
    st.text("ABNO nonly/-–:+4 ", min_size=1, max_size=14)
    | st.sampled_from(["A ONLY ONLY", "non-non-A", "A/B only"]),
    st.sampled_from(["", " 4+", "2"]),
)
def test_abilities_print_themselves_as_they_are_read(name: str, words: str, number: str) -> None:
    try:
        abilities = parse_abilities(name + words + number)
    except mh.InvalidScenario:
        return
    assert parse_abilities(", ".join(map(str, abilities))) == abilities


@pytest.mark.parametrize(
    ("make", "example"),
    [
        (lambda: mh.Modifiers(ignore_modifiers="skill"), '["skill", "hit_roll"]'),
        (lambda: mh.Unit(name="A", keywords="INFANTRY"), '["INFANTRY", "FLY"]'),
        (lambda: mh.Unit(name="A", not_modelled="AURA"), '["FIRST", "SECOND"]'),
    ],
)
def test_the_example_of_a_list_fits_its_key(make: Any, example: str) -> None:
    assert fault(make).endswith(f": write a list of texts, such as {example}")


@pytest.mark.parametrize("part", [" ", ":", "[", "[]", "[a:b]", "a:", "A2 ", "(", "|", "1x "])
def test_a_long_line_is_refused_at_once(part: str) -> None:
    assert len(fault(mh.Weapon.parse, f"Gun: {part * 20_000}")) < 500
    assert len(fault(mh.Model.parse, f"{part * 20_000}: T4")) < 500
