"""Attached units (19.02): groups, toughness, keywords, points."""

from __future__ import annotations

from typing import Any

import pytest

from mathhammer import (
    InvalidScenario,
    Model,
    Modifiers,
    Scenario,
    Unit,
    Weapon,
    attach,
    read_units,
    solve,
    write_units,
)

GUARDS = Unit(
    name="Guards",
    points=100,
    keywords=["INFANTRY", "WALL"],
    models=["5x Guard: T4 Sv3+ W2"],
    weapons=["5x Pike: Melee A2 WS3+ S5 AP-1 D1"],
    abilities=["STEALTH"],
    not_modelled=["Stubborn"],
)
BOSS = Unit(
    name="Boss",
    points=60,
    keywords=["INFANTRY", "CHARACTER"],
    models=["1x Boss: T5 Sv2+ InSv4+ W5 [CHARACTER]"],
    weapons=["1x Pike: Melee A4 WS2+ S6 AP-2 D2"],
    abilities=["LEADER", "FEEL NO PAIN 5+"],
)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((None, None), "bodyguard = None: is no Unit"),
        ((GUARDS, None), r"leaders\[0\] = None: is no Unit"),
        ((GUARDS, BOSS, "Boss"), r'leaders\[1\] = "Boss": is no Unit'),
        ((GUARDS, [BOSS]), r"leaders\[0\] = \[Unit\(.*: is no Unit"),
    ],
)
def test_parts_that_are_no_units_are_refused(parts: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InvalidScenario, match=message):
        attach(*parts)


def test_the_leader_is_a_group_of_its_own_behind_the_bodyguard() -> None:
    unit = attach(GUARDS, BOSS)
    assert [(m.name, m.count, m.character, m.leader) for m in unit.models] == [
        ("Guard", 5, False, False),
        ("Boss", 1, True, True),
    ]
    assert unit.name == "Guards with Boss"


def test_points_keywords_and_notes_stay_with_their_part() -> None:
    unit = attach(GUARDS, BOSS)
    assert unit.points == 160
    assert unit.points_each == (20, 60)
    assert unit.keywords == ("INFANTRY",)
    assert unit.models[0].keywords == ("INFANTRY", "WALL")
    assert unit.models[1].keywords == ("INFANTRY", "CHARACTER")
    assert unit.not_modelled == ("Stubborn", "STEALTH of Guards alone")


def test_feel_no_pain_of_one_part_stays_with_its_models() -> None:
    assert [model.feel_no_pain for model in attach(GUARDS, BOSS).models] == [None, 5]
    assert [str(ability) for ability in attach(GUARDS, BOSS).abilities] == ["LEADER"]


def test_stealth_of_all_parts_is_stealth_of_the_whole() -> None:
    hidden = BOSS.replaced(abilities=["STEALTH"])
    assert [str(ability) for ability in attach(GUARDS, hidden).abilities] == ["STEALTH"]


def test_weapons_of_the_same_name_stay_apart() -> None:
    assert [weapon.name for weapon in attach(GUARDS, BOSS).weapons] == ["Pike", "Pike (Boss)"]
    modes = [Weapon(name=f"Pike | {mode}", melee=True, A=1, skill=3, S=4, AP=0, D=1) for mode in "ab"]
    moded = BOSS.replaced(weapons=modes)
    assert [weapon.name for weapon in attach(GUARDS, moded).weapons[1:]] == [
        "Pike (Boss) | a",
        "Pike (Boss) | b",
    ]


def test_two_leaders_of_one_name_are_told_apart() -> None:
    unit = attach(GUARDS, BOSS, BOSS)
    assert [model.name for model in unit.models] == ["Guard", "Boss", "Boss (Boss)"]
    assert attach(attach(GUARDS, BOSS), BOSS).model_count == 7


def test_modifiers_of_a_part_go_to_its_weapons() -> None:
    skilled = BOSS.replaced(modifiers=Modifiers(hit_roll=1))
    unit = attach(GUARDS, skilled)
    assert unit.modifiers == Modifiers()
    assert [weapon.modifiers.hit_roll for weapon in unit.weapons] == [0, 1]
    both = attach(GUARDS.replaced(modifiers=Modifiers(hit_roll=1)), skilled)
    assert both.modifiers.hit_roll == 1


def test_what_cannot_be_joined_is_an_error() -> None:
    with pytest.raises(InvalidScenario, match="at least one leader"):
        attach(GUARDS)
    with pytest.raises(InvalidScenario, match="needs its models"):
        attach(GUARDS, BOSS.replaced(models=[]))
    with pytest.raises(InvalidScenario, match="different ones"):
        attach(
            GUARDS.replaced(modifiers_against=Modifiers(hit_roll=-1)),
            BOSS.replaced(modifiers_against=Modifiers(save_roll=1)),
        )


def test_an_attached_unit_survives_our_notation() -> None:
    unit = attach(GUARDS, BOSS)
    assert read_units(write_units([unit])) == (unit,)


def test_attaching_an_equal_profile_changes_nothing() -> None:
    plain = Unit(name="Guards", points=100, models=["5x Guard: T4 Sv3+ W2"])
    same = Unit(name="Other", points=20, models=[Model(name="Other", toughness=4, save=3, wounds=2)])
    gun = Unit(name="Gun", weapons=["3x Gun: A3 BS3+ S5 AP-1 D2"])
    joined = solve(Scenario(attacker=gun, target=attach(plain, same)))
    whole = plain.replaced(points=120, models=["6x Guard: T4 Sv3+ W2"])
    alone = solve(Scenario(attacker=gun, target=whole))
    for name in ("wounds_lost", "models_destroyed"):
        assert getattr(joined, name).pmf == pytest.approx(getattr(alone, name).pmf, abs=1e-12)


def test_modifiers_of_a_part_stay_with_its_weapons_or_are_refused() -> None:
    led = attach(GUARDS, BOSS.replaced(modifiers=Modifiers(hit_roll=1)))
    assert [weapon.modifiers.hit_roll for weapon in led.weapons] == [0, 1]
    pike = BOSS.weapons[0].replaced(modifiers=Modifiers(ap=1))
    with pytest.raises(InvalidScenario, match="write them all on its weapons"):
        attach(GUARDS, BOSS.replaced(modifiers=Modifiers(hit_roll=1), weapons=[pike]))
