"""Text lists carry no stat lines: datasheets resolve layout and names, and nothing is lost in silence."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.rosters.invented import DATASHEETS
from tests.rosters.invented_lists import FENCED, FORMS, FRENCH, INDENT_LOST, LISTFORGE, MARKDOWN, NESTED

from mathhammer import InvalidScenario, RosterError, read_roster
from mathhammer.datasheets import Datasheet, Datasheets, datasheets
from mathhammer.datasheets.datasheet import Entry
from mathhammer.rosters.skeleton import items, points_in


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_every_form_gives_the_same_army(text: str) -> None:
    roster = read_roster(text, source=DATASHEETS)
    grut, wardens, crawler = roster.units
    assert roster.unresolved == ()
    assert [unit.points for unit in roster.units] == [80, 100, 150]
    assert roster.points == 330
    assert [sum(m.count for m in wardens.models if m.wounds == wounds) for wounds in (3, 2)] == [1, 4]
    assert {weapon.name: weapon.count for weapon in grut.weapons} == {"Sling": 1, "Stone axe": 1}
    assert {weapon.name: weapon.count for weapon in crawler.weapons} == {"Boulder gun": 2, "Treads": 1}
    assert {weapon.name: weapon.count for weapon in wardens.weapons} == {
        "Glow pistol | Low": 1,
        "Glow pistol | High": 1,
        "Great axe or Boots | Great axe": 1,
        "Great axe or Boots | Boots": 1,
        "Long rifle": 4,
        "Boots": 4,
    }


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_line_ends_and_no_break_spaces_do_not_matter(text: str) -> None:
    units = read_roster(text, source=DATASHEETS).units
    for end in ("\r\n", "\r"):
        other = text.replace("\n", end).replace("(100 p", "(100\xa0p")
        assert read_roster(other, source=DATASHEETS).units == units


def test_the_edition_stands_in_the_version_of_the_app() -> None:
    assert read_roster(NESTED, source=DATASHEETS).edition == "11th"
    old = read_roster(NESTED.replace("v2.0.1", "v1.53.0"), source=DATASHEETS)
    assert old.edition == "10th"
    assert any("10th edition" in warning for warning in old.warnings)


def test_unknown_units_weapons_and_lines_are_named_with_their_line() -> None:
    text = (
        NESTED.replace("Stone Crawler (150", "Iron Crawler (150")
        .replace("1x Sling", "1x Silng")
        .replace("◦ 4x Long rifle", "◦ 4x Moon beam\nsomething else")
    )
    roster = read_roster(text, source=DATASHEETS)
    assert [unit.name for unit in roster.units] == ["Grüt the Old", "Wall Wardens"]
    assert [(one.where, one.text) for one in roster.unresolved] == [
        ("line 10", "Silng"),
        ("line 22", "Moon beam"),
        ("line 23", "something else"),
        ("line 27", "Iron Crawler"),
    ]
    assert roster.unresolved[0].candidates[0] == "Sling"
    assert roster.unresolved[3].candidates[0] == "Stone Crawler"


def test_a_datasheet_that_cannot_be_is_not_called_unknown() -> None:
    def damaged() -> Datasheet:
        raise InvalidScenario.at("toughness", "", "a Toughness is a whole number from 1 to 99")

    source = Datasheets("my cards", (Entry("Stone Crawler", ("Wall Folk",), damaged),))
    crawler, warden = (
        next(one for one in read_roster(NESTED, source).unresolved if one.text == name)
        for name in ("Stone Crawler", "Wall Wardens")
    )
    assert "cannot be: toughness" in crawler.why
    assert (crawler.candidates, warden.why) == ((), "is no unit of my cards")


def test_small_typing_mistakes_in_names_are_forgiven_and_said() -> None:
    roster = read_roster(NESTED.replace("Wall Wardens", "Wall Wadens"), source=DATASHEETS)
    assert "line 15: Wall Wadens read as Wall Wardens" in roster.warnings


def test_a_weapon_that_is_guessed_is_said_and_one_in_another_spelling_is_not() -> None:
    guessed = read_roster(NESTED.replace("2x Boulder gun", "2x Bolder gun"), source=DATASHEETS)
    assert guessed.units == read_roster(NESTED, source=DATASHEETS).units
    assert guessed.warnings == ("line 27: Bolder gun read as Boulder gun",)
    for spelt in ("boulder guns", "Bóulder-gun", "Bouldergun", "Boulder gun (old)"):
        other = read_roster(NESTED.replace("2x Boulder gun", f"2x {spelt}"), source=DATASHEETS)
        assert other.units == guessed.units
        assert other.warnings == ()


@pytest.mark.parametrize("mark", ["x", "X ", "× ", " x ", " "])
def test_counts_are_written_in_many_ways(mark: str) -> None:
    text = re.sub(r"(\d)x ", rf"\1{mark}", NESTED)
    assert read_roster(text, source=DATASHEETS).units == read_roster(NESTED, source=DATASHEETS).units


@pytest.mark.parametrize("count", ["0x", "-2x", "1000x"])
def test_a_count_that_cannot_be_is_no_note(count: str) -> None:
    roster = read_roster(NESTED.replace("2x Boulder gun", f"{count} Boulder gun"), source=DATASHEETS)
    assert [(one.where, one.text) for one in roster.unresolved] == [("line 27", f"{count} Boulder gun")]
    assert roster.units[2].not_modelled == ()


@pytest.mark.parametrize(
    ("form", "points", "where"),
    [
        (NESTED, " (80 Points)", "line 8"),
        (NESTED, " (100 Points)", "line 15"),
        (INDENT_LOST, " (150 points)", "line 26"),
        (FENCED, " (100 pts)", "line 12"),
    ],
)
def test_a_unit_without_points_is_read_and_keeps_its_own_weapons(form: str, points: str, where: str) -> None:
    whole = read_roster(form, source=DATASHEETS)
    roster = read_roster(form.replace(points, ""), source=DATASHEETS)
    assert roster.unresolved == ()
    assert [unit.weapons for unit in roster.units] == [unit.weapons for unit in whole.units]
    assert sum(unit.points is None for unit in roster.units) == 1
    assert roster.warnings[0].startswith(f"{where}: the list states no points of ")


def test_a_list_without_any_points_is_read() -> None:
    roster = read_roster(re.sub(r" \([\d,]+ Points\)", "", NESTED), source=DATASHEETS)
    assert [unit.name for unit in roster.units] == ["Grüt the Old", "Wall Wardens", "Stone Crawler"]
    assert roster.points is None


def test_a_part_of_a_list_begins_with_its_first_unit() -> None:
    part = NESTED.partition("CHARACTERS\n\n")[2]
    assert read_roster(part, source=DATASHEETS).units == read_roster(NESTED, source=DATASHEETS).units


def test_points_in_other_languages() -> None:
    units = read_roster(NESTED, source=DATASHEETS).units
    for word in ("Punkte", "puntos", "punti"):
        assert read_roster(NESTED.replace("Points", word), source=DATASHEETS).units == units


def test_a_number_of_models_that_the_list_does_not_hold_is_said() -> None:
    for form, of in ((NESTED, "Stone Crawler (150 Points)"), (FENCED, "1x Stone Crawler (150 pts)")):
        text = form.replace(of, f"2x {of.removeprefix('1x ')}")
        said = read_roster(text, source=DATASHEETS).warnings[0]
        assert "the list states 2 models of Stone Crawler, 1 were read" in said


def test_detachments_are_named() -> None:
    eleventh = NESTED.replace("Wall Folk\n", "Wall Folk\nGarrison and Watch (3 Detachment Points)\n")
    tenth = NESTED.replace("Wall Folk\n", "Wall Folk\nGarrison\n")
    assert read_roster(eleventh, source=DATASHEETS).detachments == ("Garrison and Watch",)
    assert read_roster(tenth, source=DATASHEETS).detachments == ("Garrison",)
    assert read_roster(FRENCH, source=DATASHEETS).detachments == ("Garde",)
    assert read_roster(FENCED, source=DATASHEETS).detachments == ("Garrison (Hold the Wall)",)
    assert read_roster(MARKDOWN, source=DATASHEETS).detachments == ("Garrison",)
    assert read_roster(LISTFORGE, source=DATASHEETS).detachments == ("Garrison",)
    assert "detachment, its rules not modelled: Garrison" in read_roster(tenth, source=DATASHEETS).remarks


def test_a_name_may_begin_with_its_faction() -> None:
    heading = "My wall (330 Points)\n\nFolk\n"
    sheets = datasheets(DATASHEETS)
    of_folk = replace(sheets, entries=tuple(replace(one, factions=("Folk",)) for one in sheets.entries))
    text = heading + NESTED.partition("Strike Force")[2].replace("Stone Crawler", "Folk Stone Crawler")
    roster = read_roster(text, source=of_folk)
    assert [unit.name for unit in roster.units] == ["Grüt the Old", "Wall Wardens", "Stone Crawler"]
    assert "Folk Stone Crawler read as Stone Crawler" in roster.warnings[0]


def test_a_second_unit_of_a_name_is_attached_by_its_number() -> None:
    twice = NESTED + "\nGrüt the Old (80 Points)\n• 1x Sling\n"
    army = read_roster(twice, source=DATASHEETS).joined("Wall Wardens", "Grüt the Old (2)")
    assert army.attached == ((1, 3),)


def test_a_total_that_does_not_add_up_is_said() -> None:
    roster = read_roster(NESTED.replace("(330 P", "(340 P"), source=DATASHEETS)
    assert roster.warnings == ("the list states 340 points, its units make 330",)


def test_enhancements_are_disclosed_and_change_nothing() -> None:
    for line in ("• Enhancement: Red Cloak", "• Enhancements: Red Cloak", "• Optimisation : Red Cloak"):
        roster = read_roster(NESTED.replace("• Warlord", line), source=DATASHEETS)
        assert roster.units[0].not_modelled == ("Enhancement: Red Cloak",)
        assert roster.units[0].weapons == read_roster(NESTED, source=DATASHEETS).units[0].weapons
    fenced = FENCED.replace("Stone axe\n", "Stone axe\nEnhancement: Red Cloak (+15 pts)\n")
    assert read_roster(fenced, source=DATASHEETS).units[0].not_modelled == ("Enhancement: Red Cloak",)
    markdown = MARKDOWN.replace("Warlord, Sling", "Red Cloak [15 pts], Sling")
    assert read_roster(markdown, source=DATASHEETS).units[0].not_modelled == ("Enhancement: Red Cloak",)
    forged = LISTFORGE.replace("• Warlord", "• E: Red Cloak")
    assert read_roster(forged, source=DATASHEETS).units[0].not_modelled == ("Enhancement: Red Cloak",)


def test_attached_units_are_read_as_listed_and_joined_as_formations() -> None:
    text = """My wall (180 points)

Attached Units
Attached Unit 1

Grüt the Old (80 points)
• Attached as: Leader (Character)
• 1x Stone axe
1x Sling

Wall Wardens (100 points)
• Attached as: Bodyguard (Battleline)
• 4x Warden
• 4x Boots
4x Long rifle


OTHER DATASHEETS

Stone Crawler (150 points)
• 2x Boulder gun
1x Treads
"""
    roster = read_roster(text, source=DATASHEETS)
    assert [unit.name for unit in roster.units] == ["Grüt the Old", "Wall Wardens", "Stone Crawler"]
    assert roster.attached == ((1, 0),)
    joined, crawler = roster.formations
    assert joined.name == "Wall Wardens with Grüt the Old"
    assert [(model.name, model.leader) for model in joined.models] == [
        ("Warden", False),
        ("Grüt the Old", True),
    ]
    assert joined.points == 180
    assert crawler.name == "Stone Crawler"


def test_a_text_of_no_known_form_is_refused() -> None:
    with pytest.raises(RosterError, match="no known form"):
        read_roster("three\nplain\nlines")


def test_the_parts_of_a_gear_list() -> None:
    assert list(items("A (B, C), D")) == ["B", "C", "D"]
    assert list(items("A (B), ,D")) == ["A (B)", "D"]
    assert list(items("A), B")) == ["A)", "B"]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        *(("1995", 1995), ("2,000", 2000), ("1.985", 1985), ("2 000", 2000), ("150.5", 150.5)),
        *(("", None), ("x", None), ("1.2345", None)),
    ],
)
def test_points_as_lists_write_them(text: str, points: float | None) -> None:
    assert points_in(text) == points


def test_a_unit_none_of_whose_models_is_known_is_named() -> None:
    text = NESTED.replace("• 1x Warden Captain\n", "• 1x Mole\n").replace("• 4x Warden\n", "• 4x Rat\n")
    roster = read_roster(text, source=DATASHEETS)
    assert [unit.name for unit in roster.units] == ["Grüt the Old", "Stone Crawler"]
    assert [one.text for one in roster.unresolved] == ["Wall Wardens", "Mole", "Rat"]
