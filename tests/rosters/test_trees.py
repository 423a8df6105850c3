"""Self-contained rosters: one tree in four envelopes, read without any dataset."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rosters import invented as inv

from mathhammer import RosterError, read_roster


def only_unit(tree):
    return read_roster(inv.as_json(tree)).units[0]


def weapons_of(unit):
    return {weapon.name: weapon.count for weapon in unit.weapons}


def carrier(name, *gear, count=1, **more):
    """A unit of one row of models with what they carry."""
    more.setdefault("words", ["Infantry"])
    return inv.selection(name, "model", count, *gear, profiles=[inv.stat_line(name)], **more)


def test_the_four_envelopes_hold_the_same_units(tmp_path: Path) -> None:
    tree = inv.roster(inv.wardens(), points=100)
    (tmp_path / "a.txt").write_bytes(inv.as_zip(tree))
    (tmp_path / "b.json").write_text(inv.as_xml(tree), encoding="utf-8")
    (tmp_path / "c").write_text("\ufeff" + inv.as_json(tree), encoding="utf-8")
    sources = [tmp_path / "a.txt", tmp_path / "b.json", str(tmp_path / "c"), inv.as_address(tree)]
    rosters = [read_roster(source) for source in sources]
    assert all(one.units == rosters[0].units for one in rosters)
    assert [one.faction for one in rosters] == ["Wall Folk"] * 4
    assert [one.edition for one in rosters] == ["11th"] * 4
    assert rosters[0].warnings == ()
    assert rosters[0].unresolved == ()


def test_models_without_a_stat_line_have_that_of_the_unit() -> None:
    unit = only_unit(inv.roster(inv.wardens()))
    assert [(model.name, model.count, model.wounds) for model in unit.models] == [
        ("Warden", 4, 2),
        ("Warden Captain", 1, 3),
    ]
    assert unit.points == 100
    assert unit.keywords == ("INFANTRY", "WALL FOLK")


def test_counts_are_totals_and_equal_weapons_are_counted_together() -> None:
    assert weapons_of(only_unit(inv.roster(inv.wardens())))["Boots"] == 4
    assert weapons_of(only_unit(inv.roster(inv.wardens())))["Long rifle"] == 4


def test_several_profiles_of_a_weapon_are_modes_and_the_first_is_the_default() -> None:
    names = list(weapons_of(only_unit(inv.roster(inv.wardens()))))
    assert [name for name in names if name.startswith("Glow")] == ["Glow pistol | low", "Glow pistol | high"]


def test_a_model_fights_with_one_melee_weapon_and_the_alternatives_are_modes() -> None:
    weapons = weapons_of(only_unit(inv.roster(inv.wardens())))
    assert weapons["Great axe or Boots | Great axe"] == 1
    assert weapons["Great axe or Boots | Boots"] == 1


def test_extra_attacks_stand_beside_the_other_melee_weapon() -> None:
    rider = inv.selection(
        "Rider",
        "model",
        3,
        inv.weapon("Lance", 3, inv.melee("Lance")),
        inv.weapon("Hooves", 3, inv.melee("Hooves", words="Extra Attacks")),
        profiles=[inv.stat_line("Rider")],
    )
    assert weapons_of(only_unit(inv.roster(rider))) == {"Hooves": 3, "Lance": 3}


def test_a_weapon_that_shoots_and_fights_is_two() -> None:
    staff = inv.weapon("Staff", 1, inv.ranged("Staff"), inv.melee("Staff"))
    unit = only_unit(inv.roster(carrier("Seer", staff)))
    assert [(weapon.name, weapon.melee) for weapon in unit.weapons] == [
        ("Staff", False),
        ("Staff (melee)", True),
    ]


def test_equal_weapons_that_shoot_and_fight_are_counted_together_in_both_kinds() -> None:
    def staff(number, a="3"):
        return inv.weapon("Staff", number, inv.ranged("Staff"), inv.melee("Staff", a=a))

    models = [
        inv.selection("Seer", "model", 2, staff(2)),
        inv.selection("Elder", "model", 1, staff(1), profiles=[inv.stat_line("Elder", w=5)]),
        inv.selection("Eldest", "model", 1, staff(1, a="9"), profiles=[inv.stat_line("Eldest", w=9)]),
    ]
    unit = only_unit(inv.roster(inv.selection("Seers", "unit", 1, *models, profiles=[inv.stat_line("Seer")])))
    assert weapons_of(unit) == {"Staff": 4, "Staff (melee)": 3, "Staff (melee 2)": 1}


def test_a_weapon_of_the_unit_itself_joins_its_pool_and_profiles_on_the_unit_are_reference() -> None:
    tree = inv.wardens()
    tree["profiles"].append(inv.melee("Reference only"))
    tree["selections"].append(inv.weapon("Turret", 1, inv.ranged("Turret gun")))
    roster = read_roster(inv.as_json(inv.roster(tree)))
    assert weapons_of(roster.units[0])["Turret gun"] == 1
    assert "Reference only" not in weapons_of(roster.units[0])
    assert any("Turret has the profile of Turret gun" in warning for warning in roster.warnings)


def test_a_weapon_without_profile_borrows_that_of_its_name_or_is_named() -> None:
    tree = inv.wardens()
    tree["selections"][1]["selections"] += [
        inv.selection("Long rifle", "upgrade", 1),
        inv.selection("Star cannon", "upgrade", 1, words=["Ranged Weapon"]),
    ]
    roster = read_roster(inv.as_json(inv.roster(tree)))
    assert weapons_of(roster.units[0])["Long rifle"] == 5
    assert [one.text for one in roster.unresolved] == ["Star cannon"]
    assert "Long rifle" in roster.unresolved[0].candidates


@pytest.mark.parametrize("number", [-5, 0, "", "2.5", "many"])
def test_an_impossible_count_loses_that_unit_by_name_and_keeps_the_rest(number: object) -> None:
    broken = inv.wardens()
    broken["selections"][0]["number"] = number
    roster = read_roster(inv.as_json(inv.roster(broken, inv.wardens())))
    assert len(roster.units) == 1
    assert [one.text for one in roster.unresolved] == ["Wardens"]
    assert "Warden" in roster.unresolved[0].where


def test_a_missing_stat_line_is_named_never_guessed() -> None:
    tree = inv.wardens(profiles=[])
    roster = read_roster(inv.as_json(inv.roster(tree)))
    assert roster.units == ()
    assert "has no stat line" in str(roster.unresolved[0])
    with pytest.raises(RosterError, match="no unit of it could be read"):
        roster.to_toml()


def test_two_stat_lines_are_matched_by_name_or_refused() -> None:
    tree = inv.wardens(profiles=[inv.stat_line("Wardens"), inv.stat_line("Hounds", t=3)])
    assert only_unit(inv.roster(tree)).models[0].toughness == 4
    tree["profiles"] = [inv.stat_line("Cats"), inv.stat_line("Hounds")]
    roster = read_roster(inv.as_json(inv.roster(tree)))
    assert "Cats, Hounds" in str(roster.unresolved[0])


@pytest.mark.parametrize(
    ("cell", "key", "value"),
    [
        ("4+", "invulnerable_save", 4),
        ("5+ (Ranged)", "invulnerable_save_ranged", 5),
        ("-", "invulnerable_save", None),
        ("5+*", "invulnerable_save", None),
    ],
)
def test_invulnerable_saves_of_the_stat_line(cell: str, key: str, value: int | None) -> None:
    model = inv.selection("Idol", "model", 1, profiles=[inv.stat_line("Idol", insv=cell)])
    unit = only_unit(inv.roster(model))
    assert getattr(unit.models[0], key) == value
    assert bool(unit.not_modelled) == cell.endswith("*")


def test_the_condition_of_a_save_may_stand_in_an_ability() -> None:
    text = "Models in this unit have a 5+ invulnerable save against ranged attacks."
    starred = [inv.stat_line("Idol", insv="5+*"), inv.ability("*Invulnerable Save", text)]
    idol = inv.selection("Idol", "model", 1, profiles=starred, words=["Monster"])
    unit = only_unit(inv.roster(idol))
    assert unit.models[0].invulnerable_save_ranged == 5
    assert unit.not_modelled == ()


@pytest.mark.parametrize(
    ("name", "text", "saves", "disclosed"),
    [
        ("Invulnerable Save", "4+", (4, 4), False),
        ("Invulnerable Save", "Models in this unit have a 5+ invulnerable save.", (5, 5), False),
        ("Invulnerable Save: Warden Captain", "4+", (None, 4), False),
        (
            "Aegis",
            "While this model is leading a unit, models in it have a 4+ invulnerable save.",
            (None, None),
            True,
        ),
        ("Aegis", "The bearer has a 4+ invulnerable save until the end of the phase.", (None, None), True),
    ],
)
def test_invulnerable_saves_in_the_text_of_abilities(
    name: str, text: str, saves: tuple[int | None, int | None], disclosed: bool
) -> None:
    tree = inv.wardens()
    tree["profiles"].append(inv.ability(name, text))
    unit = only_unit(inv.roster(tree))
    assert tuple(model.invulnerable_save for model in unit.models) == saves
    assert (name in unit.not_modelled) == disclosed


def test_wargear_protects_its_bearers_alone() -> None:
    tree = inv.wardens()
    shield = inv.selection(
        "Shield", "upgrade", 1, profiles=[inv.ability("Shield", "The bearer has a 4+ invulnerable save.")]
    )
    tree["selections"][1]["selections"].append(shield)
    assert [model.invulnerable_save for model in only_unit(inv.roster(tree)).models] == [None, 4]


def test_rules_of_the_unit_are_carried_over_or_disclosed() -> None:
    rules = [
        {"name": "Feel No Pain 5+"},
        {"name": "Stealth"},
        {"name": 'Scouts 6"'},
        {"name": "Feel No Pain"},
    ]
    rules.append({"name": "Battle Song", "description": "Each time it attacks, add 1 to the Hit roll."})
    rules.append({"name": "Long March", "description": "It can move again."})
    unit = only_unit(inv.roster(inv.wardens(rules=rules)))
    assert [model.feel_no_pain for model in unit.models] == [5, 5]
    assert [str(one) for one in unit.abilities] == ["STEALTH", 'SCOUTS 6"']
    assert unit.not_modelled == ("Feel No Pain (the list does not say on what roll)", "Battle Song")


def test_a_rule_that_says_what_it_is_against_in_its_name_is_disclosed() -> None:
    rules = [{"name": "Feel No Pain 5+ against the dark", "description": "See the rules."}]
    assert only_unit(inv.roster(inv.wardens(rules=rules))).not_modelled == (
        "Feel No Pain 5+ against the dark",
    )


def test_a_rule_of_something_carried_is_disclosed_where_it_is_all_that_is_said() -> None:
    charm = inv.selection(
        "Charm", "upgrade", 1, rules=[{"name": "Song", "description": "Re-roll hit rolls."}]
    )
    assert "Song" in only_unit(inv.roster(carrier("Gunner", charm))).not_modelled


def test_profiles_of_another_kind_than_weapons_and_abilities_are_disclosed() -> None:
    curse = inv.profile("Curse", "Psychic Weapons", {"Range": '18"', "A": "2"})
    witch = carrier("Witch", inv.weapon("Curse", 1, curse))
    assert only_unit(inv.roster(witch)).not_modelled == ("Curse",)


@pytest.mark.parametrize("text", ["It shines.", "Add 1 to the hit rolls of the bearer.", None])
def test_an_enhancement_is_disclosed_whatever_it_says(text: str | None) -> None:
    profiles = [inv.ability("Red Cloak", text)] if text else []
    cloak = inv.selection("Red Cloak", "upgrade", 1, points=25, profiles=profiles)
    unit = only_unit(inv.roster(carrier("Hero", cloak, points=60)))
    assert unit.not_modelled == ("Enhancement: Red Cloak",)
    assert unit.points == 85


def test_an_enhancement_whose_defence_is_applied_is_not_disclosed() -> None:
    text = "The bearer has a 4+ invulnerable save."
    cloak = inv.selection("Red Cloak", "upgrade", 1, points=25, profiles=[inv.ability("Red Cloak", text)])
    unit = only_unit(inv.roster(carrier("Hero", cloak)))
    assert unit.models[0].invulnerable_save == 4
    assert unit.not_modelled == ()


def test_something_carried_that_brings_a_weapon_is_disclosed() -> None:
    drone = inv.ability("Drone", "The bearer is equipped with 1 small gun.")
    carried = inv.selection("Drone", "upgrade", 1, profiles=[drone])
    assert only_unit(inv.roster(carrier("Hero", carried))).not_modelled == ("Drone",)


def test_keywords_of_unit_and_model_are_counted_once_and_their_lack_is_said() -> None:
    tree = inv.wardens()
    tree["selections"][1]["categories"] = [{"name": "Infantry"}, {"name": "Character"}]
    assert only_unit(inv.roster(tree)).models[1].keywords == ("INFANTRY", "WALL FOLK", "CHARACTER")
    bare = read_roster(inv.as_json(inv.roster(carrier("Hero", words=[]))))
    assert bare.warnings == ("Hero: the list states no keywords of it",)


def test_a_name_holds_nothing_that_a_terminal_acts_on() -> None:
    tree = inv.roster(carrier("Iron\x1b[31m\u200b\tHero", inv.weapon("Axe\x07", 1, inv.melee("Axe\x07"))))
    for text in (inv.as_json(tree), inv.as_json(tree).replace("Iron", "\\ud800Iron")):
        unit = read_roster(text).units[0]
        assert unit.name == "Iron [31m Hero"
        assert weapons_of(unit) == {"Axe": 1}


def test_unknown_weapon_keywords_are_kept_as_not_modelled() -> None:
    gun = inv.weapon("Gun", 1, inv.ranged("Gun", words="Heavy, Wobbly, Twin Linked, Anti-fly 2"))
    unit = only_unit(inv.roster(carrier("Gunner", gun)))
    assert [str(one) for one in unit.weapons[0].abilities] == ["HEAVY", "TWIN-LINKED", "ANTI-FLY 2+"]
    assert unit.weapons[0].not_modelled == ("Wobbly",)


def test_ap_without_a_minus_is_read_as_one_and_said() -> None:
    gun = inv.weapon("Gun", 1, inv.ranged("Gun", ap="4"))
    roster = read_roster(inv.as_json(inv.roster(carrier("Gunner", gun))))
    assert roster.units[0].weapons[0].ap == -4
    assert roster.warnings == ("Gunner: Gun: AP 4 read as -4",)


def test_a_profile_that_cannot_be_simulated_is_named_twice() -> None:
    gun = inv.weapon("Doom gun", 1, inv.ranged("Doom gun", s="2D6"))
    roster = read_roster(inv.as_json(inv.roster(carrier("Gunner", gun))))
    assert "Doom gun" in roster.unresolved[0].text
    assert "Doom gun" in roster.units[0].not_modelled[0]


def test_a_count_in_the_name_of_a_selection_counts() -> None:
    guns = inv.weapon("2 Rock guns", 1, inv.ranged("Rock gun"))
    roster = read_roster(inv.as_json(inv.roster(carrier("Cart", guns))))
    assert weapons_of(roster.units[0]) == {"Rock gun": 2}
    assert "counted as 2" in roster.warnings[0]


def test_the_points_of_all_selections_are_compared_with_the_total() -> None:
    tree = inv.wardens()
    tree["selections"][0]["costs"] = [{"name": "pts", "value": 20}]
    assert read_roster(inv.as_json(inv.roster(tree, points=120))).warnings == ()
    assert (
        "states 130 points, its selections make 120"
        in read_roster(inv.as_json(inv.roster(tree, points=130))).warnings[0]
    )


def test_detachments_are_named() -> None:
    chosen = inv.selection("Garrison", "upgrade", 1)
    detachment = inv.selection("Detachment", "upgrade", 1, chosen, words=["Configuration"])
    assert read_roster(inv.as_json(inv.roster(detachment, inv.wardens()))).detachments == ("Garrison",)


def test_same_unit_names_are_said() -> None:
    roster = read_roster(inv.as_json(inv.roster(inv.wardens(), inv.wardens())))
    assert roster.warnings == ("2 units are named Wardens: tables number them",)


def test_character_stands_on_one_model_or_on_all() -> None:
    tree = inv.wardens()
    tree["selections"][1]["categories"] = [{"name": "Character"}]
    assert [model.character for model in only_unit(inv.roster(tree)).models] == [False, True]
    hero = inv.selection("Hero", "model", 1, profiles=[inv.stat_line("Hero")], words=["Character"])
    assert only_unit(inv.roster(hero)).models[0].character


def test_the_tenth_edition_is_read_with_one_warning_and_the_ninth_refused() -> None:
    roster = read_roster(inv.as_json(inv.roster(inv.wardens(), system=inv.TENTH)))
    assert roster.edition == "10th"
    assert len(roster.warnings) == 1
    with pytest.raises(RosterError, match="11th and 10th edition"):
        read_roster(inv.as_json(inv.roster(inv.wardens(), system=inv.NINTH)))


def test_a_tree_without_stat_lines_is_resolved_by_datasheets() -> None:
    hero = inv.selection(
        "Grut the old",
        "model",
        1,
        inv.selection("Stone axe", "upgrade", 1),
        inv.selection("Old Grudge", "upgrade", 1, points=15),
        inv.selection("Warlord", "upgrade", 1),
        points=80,
    )
    roster = read_roster(inv.as_json(inv.roster(hero, points=95)), source=inv.DATASHEETS)
    assert weapons_of(roster.units[0]) == {"Stone axe": 1}
    assert roster.units[0].points == 95
    assert roster.units[0].not_modelled == ("Enhancement: Old Grudge",)
