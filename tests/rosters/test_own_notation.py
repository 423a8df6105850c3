"""What was read is written in our own notation, corrected, and used again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rosters import invented as inv
from tests.rosters.test_text_lists import FORMS, NESTED

from mathhammer import RosterError, read_roster, read_units

LISTS = {**FORMS, "tree": inv.as_json(inv.roster(inv.wardens()))}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS.keys())
def test_units_written_and_read_again_are_equal(text: str, tmp_path: Path) -> None:
    roster = read_roster(text, source=inv.DATASHEETS)
    written = roster.to_toml(tmp_path / "army.toml")
    assert read_units(tmp_path / "army.toml") == roster.units
    assert read_roster(tmp_path / "army.toml").units == roster.units
    assert read_roster(written).units == roster.units


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS.keys())
def test_reading_twice_gives_the_same(text: str) -> None:
    assert read_roster(text, source=inv.DATASHEETS) == read_roster(text, source=inv.DATASHEETS)


def test_the_heading_says_what_was_not_read() -> None:
    roster = read_roster(NESTED.replace("1x Treads", "1x Trades union"), source=inv.DATASHEETS)
    assert '# not read: line 28: "Trades union" is no weapon of Stone Crawler' in roster.to_toml()
    assert "NOT READ" in str(roster)


def test_a_file_that_cannot_be_written_is_an_error_of_the_list(tmp_path: Path) -> None:
    roster = read_roster(NESTED, source=inv.DATASHEETS)
    with pytest.raises(RosterError, match="cannot be written"):
        roster.to_toml(tmp_path / "missing" / "army.toml")
