"""`mh.unit` over datasheets of one's own."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.rosters.invented import DATASHEETS

from mathhammer import InvalidScenario, RosterError, read_units, unit
from mathhammer.datasheets import extra


def test_without_choices_it_is_the_unit_as_written() -> None:
    assert unit("wall warden", source=DATASHEETS) == read_units(DATASHEETS)[0]
    assert unit("Wall Wardens", 10, source=DATASHEETS) == read_units(DATASHEETS)[0]


def test_models_and_weapons_are_counted_over_the_unit() -> None:
    few = unit("Wall Wardens", count=5, weapons={"long rifles": 4, "Glow pistol": 1}, source=DATASHEETS)
    assert few.model_count == 5
    assert [(w.name, w.count) for w in few.weapons] == [
        ("Long rifle", 4),
        ("Glow pistol | Low", 1),
        ("Glow pistol | High", 1),
    ]


def test_one_mode_may_be_chosen() -> None:
    for written in ("Glow pistol | High", "Glow pistol - high", "glow pistol: HIGH"):
        chosen = unit("Wall Wardens", weapons={written: 1}, source=DATASHEETS)
        assert [w.name for w in chosen.weapons] == ["Glow pistol - High"]


def test_one_melee_weapon_a_model() -> None:
    both = unit("Wall Wardens", 5, "Boots:5,Great axe:1", source=DATASHEETS)
    assert {w.name: w.count for w in both.weapons} == {
        "Boots": 4,
        "Great axe or Boots | Great axe": 1,
        "Great axe or Boots | Boots": 1,
    }


def test_more_melee_weapons_than_models_are_said() -> None:
    made = unit("Wall Wardens", 5, "Boots:8", source=DATASHEETS)
    assert [(w.name, w.count) for w in made.weapons] == [("Boots", 5)]
    assert made.not_modelled == ("3 of 8 Boots (a model fights with one melee weapon)",)


def test_a_name_that_is_none_is_not_repeated_at_length() -> None:
    for name in ("", "  ", "x" * 5000):
        with pytest.raises(InvalidScenario, match="name a unit") as caught:
            unit(name, source=DATASHEETS)
        assert len(str(caught.value)) < 200


def test_an_unknown_name_lists_the_nearest() -> None:
    with pytest.raises(InvalidScenario, match="nearest: Stone Crawler"):
        unit("Stone Tower", source=DATASHEETS)
    with pytest.raises(InvalidScenario, match="nearest: Long rifle"):
        unit("Wall Wardens", weapons={"Short rifle": 1}, source=DATASHEETS)


@pytest.mark.parametrize("count", [0, -1, 11, 2.5, True, "5"])
def test_an_illegal_size_is_an_error(count: object) -> None:
    with pytest.raises(InvalidScenario, match="count"):
        unit("Wall Wardens", count=count, weapons="Boots", source=DATASHEETS)  # type: ignore[arg-type]


def test_another_size_needs_its_weapons() -> None:
    with pytest.raises(InvalidScenario, match="give the weapons"):
        unit("Wall Wardens", 5, source=DATASHEETS)


def test_a_file_is_a_source(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(DATASHEETS, encoding="utf-8")
    assert unit("Stone Crawler", source=path).points == 150
    with pytest.raises(InvalidScenario, match="no such file"):
        unit("Stone Crawler", source=tmp_path / "missing.toml")


def test_a_missing_package_says_what_to_install() -> None:
    said = (
        f"needs no_such_package, which is not installed: {sys.executable} -m pip install wh40kdc rapidfuzz "
    )
    with pytest.raises(RosterError, match=re.escape(said)):
        extra.need("no_such_package.part", "looking up a datasheet")


def test_what_to_install_is_the_extra_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    named = project["project"]["optional-dependencies"]["data"]
    assert tuple(word.partition(">")[0] for word in named) == extra.PACKAGES


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": 3}, "unit = 3: name a unit"),
        ({"source": 3}, "source = 3: a file of"),
        ({"source": ""}, 'source = "": a file of'),
        ({"faction": 3}, "faction = 3: name a faction"),
        ({"weapons": 3}, "weapons = 3: write names and counts"),
        ({"weapons": ["Pike"]}, "weapons = \\['Pike'\\]: write names and counts"),
        ({"count": "3"}, 'count = "3": a unit has at least one model'),
    ],
)
def test_what_is_of_the_wrong_kind_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidScenario, match=message):
        unit(**{"name": "Stone Crawler", "source": DATASHEETS, **arguments})
