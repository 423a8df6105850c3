"""Names are found in spite of how people and programs write them."""

from __future__ import annotations

import pytest

from mathhammer.datasheets.names import containing, find, fold, nearest, stem

KNOWN = {
    name: name for name in ("Wall Wardens", "Wall Wardens with Nets", "Grüt’s Claw", "Stone Crawler", "Wolf")
}


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("wall wardens", "Wall Wardens"),
        ("WALL-WARDEN", "Wall Wardens"),
        ("Gruts claw", "Grüt’s Claw"),
        ("Grut's Claw", "Grüt’s Claw"),
        ("➤ Grüt‘s claw*", "Grüt’s Claw"),
        ("Stone Crawler [Legends]", "Stone Crawler"),
        ("Stone Crawler (two guns)", "Stone Crawler"),
        ("Stone Crawler w/ two guns", "Stone Crawler"),
        ("Wall Wardens with Net", "Wall Wardens with Nets"),
        ("Wolves", "Wolf"),
        ("Stone Crwaler", "Stone Crawler"),
    ],
)
def test_case_accents_plurals_and_typing_mistakes(written: str, found: str) -> None:
    assert find(written, KNOWN) == found


def test_what_is_far_or_between_two_is_not_found() -> None:
    assert find("Iron Tower", KNOWN) is None
    assert find("Wall Wardxns", {"Wall Wardens": 1, "Wall Wardans": 2}) is None
    assert find("Stone Crwaler", KNOWN, guess=False) is None
    assert find("", KNOWN) is None
    assert find("x", {}) is None


def test_the_nearest_names_come_best_first() -> None:
    assert nearest("Wall Wadren", KNOWN)[0] == "Wall Wardens"
    assert len(nearest("Wall Wadren", KNOWN, limit=2)) == 2


def test_folding_is_for_comparing() -> None:
    assert fold("Ærø-Ñandú’s") == "ærø nandus"
    assert stem("Guardsmen's gloves") == stem("guardsman glove")


def test_words_contained() -> None:
    assert containing("Boss", {"Boy": 1, "Boss of all": 2}) == 2
    assert containing("Boss", {"Boss one": 1, "Boss two": 2}) is None
