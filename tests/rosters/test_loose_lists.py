"""Lists as people paste and type them: without headings, counts or points where programs write some."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.rosters.invented import DATASHEETS
from tests.rosters.invented_lists import FENCED, FENCED_LINES, LISTFORGE, MARKDOWN, NESTED, ONE_BULLET

from mathhammer import read_roster
from mathhammer.rosters.app_text import read_app_text
from mathhammer.rosters.roster import Roster
from mathhammer.rosters.skeleton import ListSkeleton
from mathhammer.rosters.tournament_text import read_fenced

GRUT = """Grüt the Old (80 Points)
• Warlord
• 1x Sling
• 1x Stone axe
"""
BODY = FENCED.rpartition("+++\n")[2]


def read(text: str) -> Roster:
    return read_roster(text, source=DATASHEETS)


def not_read(roster: Roster) -> list[tuple[str, str]]:
    return [(one.where, one.text) for one in roster.unresolved]


@pytest.mark.parametrize("form", [FENCED, FENCED_LINES])
def test_fences_and_plus_signs_may_be_lost(form: str) -> None:
    whole, bare = read(form), read(form.replace("+ ", "").replace("+", ""))
    assert bare == whole
    assert bare.points == 330


def test_the_lines_between_the_fences_may_be_lost() -> None:
    whole = read(FENCED)
    without_keyword = read(re.sub(r"\+ FACTION.*\n", "", FENCED))
    assert (without_keyword.units, without_keyword.detachments) == (whole.units, whole.detachments)
    for text in (BODY, re.sub(r"(?m)^•.*\n", "", BODY), f"Char1: {BODY.partition('Char1: ')[2]}"):
        roster = read(text)
        assert (roster.name, roster.points, roster.unresolved) == ("", 330, ())
        assert [unit.points for unit in roster.units] == [80, 100, 150]


def test_the_lines_between_the_fences_may_be_those_of_the_app() -> None:
    roster = read(f"My wall (330 points)\nWall Folk\nGarrison\nStrike Force (2000 points)\n\n{BODY}")
    assert (roster.name, roster.points, roster.detachments) == ("My wall", 330, ("Garrison",))
    assert (roster.units, roster.unresolved) == (read(FENCED).units, ())


def test_a_unit_without_gear_may_be_the_first() -> None:
    for heading in ("CHARACTERS\n\n", "Characters\n\n", ""):
        text = NESTED.replace("CHARACTERS\n\n", heading).replace(GRUT, "Grüt the Old (80 Points)\n")
        text = text.replace("Wall Folk\n", "Wall Folk\nGarrison\n")
        roster = read(
            text.replace("BATTLELINE", "Battleline").replace("OTHER DATASHEETS", "Other Datasheets")
        )
        assert [unit.name for unit in roster.units] == ["Grüt the Old", "Wall Wardens", "Stone Crawler"]
        assert (roster.name, roster.points, roster.unresolved) == ("My wall", 330, ())
        assert roster.detachments == ("Garrison",)


def test_gear_may_be_set_apart_from_its_unit() -> None:
    plain = re.sub(r"\n[A-Z ]{4,}\n", "\n", NESTED)
    apart = re.sub(r"(\(\d+ Points\)\n)(?=•)", r"\1\n", plain).replace("• Warlord\n", "")
    assert read(apart).units == read(plain).units == read(NESTED).units


def test_units_may_lack_points_and_headings() -> None:
    roster = read("My wall\nWall Folk\n\nGrüt the Old\n• 1x Sling\n\nStone Crawler\n• 1x Treads\n")
    assert (roster.name, [unit.name for unit in roster.units]) == (
        "My wall",
        ["Grüt the Old", "Stone Crawler"],
    )


def test_lines_under_a_title_are_no_gear_of_it() -> None:
    for line in ("***TAKE THE WALL***", "-----------"):
        roster = read(NESTED.replace("Points)\n", f"Points)\n\n{line}\n", 1))
        assert (roster.name, roster.points, roster.unresolved) == ("My wall", 330, ())


def test_a_list_may_begin_with_a_section() -> None:
    part = NESTED[NESTED.index("CHARACTERS") :]
    for heading in ("CHARACTERS", "Characters", "HELDEN"):
        roster = read(part.replace("CHARACTERS", heading))
        assert (roster.name, len(roster.units), roster.unresolved) == ("", 3, ())
    assert read(NESTED.replace("My wall (330 Points)", "MY WALL")).name == "MY WALL"


@pytest.mark.parametrize("form", [NESTED, ONE_BULLET, FENCED, MARKDOWN])
def test_a_count_may_stand_behind_the_name(form: str) -> None:
    behind = re.sub(r"(?m)^([•◦] )?(\d)x ([^:(\n]+)", r"\1\3 x\2", form)
    assert behind != form
    assert read(re.sub(r" (x\d) \(", r" \1 (", behind)).units == read(form).units


def test_gear_without_a_count_is_carried_by_each_model_above_it() -> None:
    assert read(re.sub(r"◦ \dx", "◦", NESTED)).units == read(NESTED).units
    assert read(NESTED.replace("• 1x Warden C", "• Warden C")).units == read(NESTED).units
    assert read(FENCED.replace("• 1x Warden C", "• Warden C")).units == read(FENCED).units
    for listed in (
        "3x Wall Wardens (100 points)\n• Long rifle\n",
        "Wall Wardens x3 (100 points)\n• Long rifle\n",
    ):
        for text in (f"Wall (100 points)\n\n{listed}", f"+ FACTION KEYWORD: Wall Folk\n\n{listed}"):
            assert {weapon.name: weapon.count for weapon in read(text).units[0].weapons} == {"Long rifle": 3}


@pytest.mark.parametrize("reader", [read_app_text, read_fenced])
def test_a_unit_without_any_count_states_one_model(reader: Callable[[str], ListSkeleton]) -> None:
    text = "Grüt the Old (80 points)\n• Sling\n• Stone axe\n\nWall Wardens (100 points)\n• 5x Warden\n"
    grut, wardens = reader(text).units
    assert [(line.name, line.count) for line in grut.lines] == [("Sling", 1), ("Stone axe", 1)]
    assert (grut.count, wardens.count) == (1, None)


def test_gear_whose_count_stays_open_is_named() -> None:
    for form, line in ((NESTED, "line 28"), (ONE_BULLET, "line 23")):
        assert not_read(read(form.replace("1x Treads", "Treads"))) == [(line, "Treads")]
    without = "+ FACTION KEYWORD: Wall Folk\nStone Crawler (150 pts)\n• 2x Boulder gun\n• Treads\n"
    assert not_read(read(without)) == [("line 4", "Treads")]
    assert not_read(read(NESTED.replace("2x Boulder gun", "Boulder gun x2: big"))) == [
        ("line 27", "Boulder gun x2: big")
    ]
    roster = read(NESTED.replace("• 4x Warden", "• Warden"))
    assert not_read(roster) == [("line 20", "Warden"), ("line 21", "Boots"), ("line 22", "Long rifle")]
    assert roster.units[1].model_count == 1


def test_the_points_of_a_section_are_no_total() -> None:
    roster = read(MARKDOWN.partition("\n")[2])
    assert (roster.points, roster.warnings) == (330, ())


def test_what_a_program_says_of_itself_is_no_unit() -> None:
    said = "Detachment: Garrison\nShow/Hide Options: Old units are visible\n"
    roster = read(f"{MARKDOWN.replace('Detachment: Garrison', said)}\nCreated with Some App\n")
    assert (roster.units, roster.unresolved) == (read(MARKDOWN).units, ())


def test_the_cost_of_an_enhancement_is_no_part_of_its_name() -> None:
    for text in (
        NESTED.replace("• Warlord", "• Enhancement: Red Cloak (+15 pts)"),
        LISTFORGE.replace("• Warlord", "• E: Red Cloak (+15 pts)"),
        FENCED.replace("Stone axe\n", "Stone axe\n• Enhancement: Red Cloak [15 pts]\n"),
        MARKDOWN.replace("Stone axe\n", "Stone axe\n• Red Cloak [15 pts]\n"),
    ):
        assert read(text).units[0].not_modelled == ("Enhancement: Red Cloak",)


ATTACHED = """Mein Wall (330 Punkte)

Wall Folk
Belagerung (2000 Punkte)
Garrison (3 Zettelpunkte)

Verbundene Einheiten
Verbundene Einheit 1

Grüt the Old (80 Punkte)
• Verbunden als : Haupt (Held)
• 1x Stone axe
1x Sling

Wall Wardens (100 Punkte)
• Verbunden als : Wache (Linie)
• 4x Warden
• 4x Boots
4x Long rifle

Übrige Einheiten

Stone Crawler (150 Punkte)
• Kennung : Rot (Alt)
• 2x Boulder gun
1x Treads

Ausgegeben mit App-Fassung: v1.53.0 (119), Daten: v780
"""


def test_attached_units_and_detachments_are_known_by_their_shape_in_any_language() -> None:
    roster = read(ATTACHED)
    assert (roster.attached, roster.detachments, roster.edition) == (((1, 0),), ("Garrison",), "10th")
    assert not_read(roster) == [("line 21", "Übrige Einheiten")]
    assert roster.units[2].not_modelled == ("Kennung : Rot (Alt)",)
    assert [unit.name for unit in roster.formations] == ["Wall Wardens with Grüt the Old", "Stone Crawler"]
    assert read(ATTACHED.partition("Ausgegeben")[0]).edition == "11th"


def test_a_number_in_a_name_is_no_attached_unit() -> None:
    text = NESTED.replace("My wall (330 Points)", "Wall 2").replace(
        "• Warlord", "• Enhancement: Red Cloak (Old)"
    )
    for other in (text, "Mine\n" + text):
        assert read(other).attached == ()
        assert len(read(other).units) == 3


def test_a_heading_in_another_language_is_no_detachment() -> None:
    text = NESTED.replace("Wall Folk\n", "Wall Folk\nGarrison\n").replace("CHARACTERS", "Helden")
    roster = read(text)
    assert (roster.detachments, not_read(roster)) == (("Garrison",), [("line 7", "Helden")])
