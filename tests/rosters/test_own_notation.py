"""What was read is written in our own notation, corrected, and used again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.rosters import invented as inv
from tests.rosters.invented_lists import FORMS, NESTED

from mathhammer import InvalidScenario, RosterError, Scenario, Unit, read_roster, read_units, write_units

WALL = Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"])
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
    assert 'not read: line 28: "Trades union"' in str(roster)


def test_a_file_that_cannot_be_written_is_an_error_of_the_list(tmp_path: Path) -> None:
    roster = read_roster(NESTED, source=inv.DATASHEETS)
    with pytest.raises(RosterError, match="cannot be written"):
        roster.to_toml(tmp_path / "missing" / "army.toml")
    for path in (3, ""):
        with pytest.raises(RosterError, match=r"path = .*: name the file to write"):
            roster.to_toml(path)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("units", "message"),
    [
        ([3], r"units\[0\] = 3: is no Unit"),
        ([WALL, None], r"units\[1\] = None: is no Unit"),
        (WALL, r"units = Unit\(.*: write a list of units, such as \[unit\]"),
        (None, "units = None: write a list of units"),
    ],
)
def test_only_units_are_written(units: Any, message: str) -> None:
    with pytest.raises(InvalidScenario, match=message):
        write_units(units)


@pytest.mark.parametrize("read", [read_units, Scenario.from_toml])
@pytest.mark.parametrize("source", [None, 3, b"army.toml", ["army.toml"], {}, ""])
def test_what_is_no_path_and_no_text_is_refused(read: Callable[[Any], Any], source: Any) -> None:
    with pytest.raises(InvalidScenario, match=r"source = .*: give the path of a TOML file, or its text"):
        read(source)
