"""Datasheets from a folder of JSON files in the layout of Game-Datacards, of invented units."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mathhammer import RosterError, read_roster, unit

Table = dict[str, Any]


def profile(name: str, **cells: Any) -> Table:
    plain = {"range": '24"', "attacks": "2", "skill": "3+", "strength": "4", "ap": "-1", "damage": "1"}
    return {"name": name, "keywords": [], **plain, **cells}


WARDENS: Table = {
    "name": "Wall Wardens",
    "factions": ["Wall Folk"],
    "keywords": ["Infantry"],
    "stats": [
        {"name": "Warden", "m": '6"', "t": "4", "sv": "3+", "w": "2"},
        {"name": "Warden Captain", "m": '6"', "t": "4", "sv": "3+", "w": "3", "active": True},
        {"name": "Ghost", "t": "-", "active": False},
    ],
    "rangedWeapons": [
        {"profiles": [profile("Long rifle", keywords=["Rapid Fire 1", "Heavy", "Wobbly"])]},
        {"profiles": [profile("Glow pistol \u2013 low"), profile("Glow pistol \u2013 high", strength="8")]},
        {"profiles": [profile("Old gun")], "active": False},
    ],
    "meleeWeapons": [{"profiles": [profile("Boots", range="Melee")]}],
    "abilities": {
        "core": ['Scouts 6"', "Feel No Pain 6+"],
        "faction": ["Oath of the Wall"],
        "other": [
            {"name": "Battle Song", "description": "Each time it attacks, add 1 to the **Hit roll**."},
            {"name": "Long March", "description": "It can move further."},
        ],
        "wargear": [
            {"name": "Storm Shield", "description": "The bearer has a 4+ invulnerable save."},
            {"name": "Banner", "description": "It looks fine."},
        ],
        "special": [],
        "invul": {"value": "5+", "info": "*Against ranged attacks only*", "showInvulnerableSave": True},
        "damaged": {"range": "", "description": ""},
    },
    "composition": ["**1 Warden Captain**", "**4\u20119 Wardens**"],
    "loadout": "**Every model is equipped with:** long rifle; boots.",
    "points": [
        {"cost": "100", "models": "5", "keyword": None, "detachment": None},
        {"cost": "90", "models": "5", "detachment": "Garrison"},
    ],
}
CRAWLER: Table = {
    "name": "Stone Crawler",
    "factions": ["Wall Folk"],
    "keywords": ["Vehicle"],
    "stats": [{"name": "Stone Crawler", "t": "11", "sv": "2+", "w": "14"}],
    "rangedWeapons": [{"profiles": [profile("Boulder gun", attacks="D3")]}],
    "meleeWeapons": [],
    "abilities": {
        "invul": {"value": "4+", "showInvulnerableSave": False},
        "damaged": {"description": "Worse."},
    },
    "composition": ["Stone Crawler (1 model)"],
    "loadout": "This model is equipped with: 2 boulder guns; lost lamp.",
    "points": [],
}


def in_languages(value: Any, key: str = "") -> Any:
    """The same in the newer layout: every shown text is a table of languages."""
    if isinstance(value, dict):
        return {k: in_languages(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [in_languages(one, key) for one in value]
    shown = key in ("name", "description", "info", "loadout", "composition")
    if key in ("core", "faction"):
        return {"name": {"en": value, "fr": "?"}}
    spoken = shown or (key == "keywords" and value in ("Infantry", "Vehicle"))
    return {"fr": "?", "en": value} if spoken and isinstance(value, str) else value


@pytest.fixture(params=[False, True], ids=["plain texts", "languages"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    sheets = [WARDENS, CRAWLER]
    document = {"name": "Wall", "datasheets": in_languages(sheets) if request.param else sheets}
    (tmp_path / "wall.json").write_text("\ufeff" + json.dumps(document), encoding="utf-8")
    (tmp_path / "other.json").write_text("[1, 2]", encoding="utf-8")
    return tmp_path


def test_the_smallest_unit_with_its_default_weapons(folder: Path) -> None:
    made = unit("wall wardens", source=folder)
    assert [(m.name, m.count, m.wounds) for m in made.models] == [("Warden Captain", 1, 3), ("Wardens", 4, 2)]
    assert {(m.invulnerable_save_ranged, m.feel_no_pain) for m in made.models} == {(5, 6)}
    assert {w.name: w.count for w in made.weapons} == {"Long rifle": 5, "Boots": 5}
    assert [str(a) for a in made.weapons[0].abilities] == ["RAPID FIRE 1", "HEAVY"]
    assert made.weapons[0].not_modelled == ("Wobbly",)
    assert made.points == 100
    assert made.keywords == ("INFANTRY", "WALL FOLK", "WALL")
    assert [str(a) for a in made.abilities] == ['SCOUTS 6"']
    assert made.not_modelled == ("Oath of the Wall", "Battle Song")


def test_chosen_weapons_and_wargear(folder: Path) -> None:
    made = unit("Wall Wardens", 6, "Glow pistol:1,Boots:6,Storm Shield:2,Banner:1", source=folder)
    assert [(m.count, m.invulnerable_save) for m in made.models] == [(1, None), (3, None), (2, 4)]
    assert [w.name for w in made.weapons] == ["Glow pistol | low", "Glow pistol | high", "Boots"]
    assert made.points is None
    assert "Banner" not in made.not_modelled


def test_what_a_card_says_and_a_unit_does_not_is_disclosed(folder: Path) -> None:
    made = unit("Stone Crawler", source=folder)
    assert made.models[0].invulnerable_save is None
    assert [(w.name, w.count) for w in made.weapons] == [("Boulder gun", 2)]
    assert made.not_modelled == ("Damaged", "lost lamp")


def test_a_list_is_resolved(folder: Path) -> None:
    text = """L (100 points)

Wall Folk

BATTLELINE

Wall Wardens (100 points)
  • 1x Warden Captain
     • 1x Glow pistol
       1x Boots
  • 4x Warden
     • 4x Long rifle
       4x Boots
"""
    roster = read_roster(text, source=folder)
    assert roster.source == f"Game-Datacards folder {folder.name}"
    assert roster.faction == "Wall Folk"
    assert roster.unresolved == ()
    assert [model.count for model in roster.units[0].models] == [1, 4]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b"\xff\xfe\xfa", "cannot be read"),
        (b"{}", "neither"),
        (b'{"datasheets": 3}', "neither"),
        (b'{"datasheets": [3, null, {}]}', "neither"),
    ],
)
def test_what_holds_no_datasheets_is_refused(tmp_path: Path, content: bytes, why: str) -> None:
    (tmp_path / "wall.json").write_bytes(content)
    with pytest.raises(RosterError, match=why):
        unit("Wall Wardens", source=tmp_path)


def test_a_card_whose_cells_are_of_another_kind_is_an_error_of_ours(tmp_path: Path) -> None:
    sheet = {
        "name": "Odd",
        "stats": [{"name": 3, "t": [], "sv": None, "w": {}}],
        "abilities": [],
        "points": 1,
    }
    (tmp_path / "odd.json").write_text(json.dumps({"datasheets": [sheet]}), encoding="utf-8")
    with pytest.raises(ValueError, match="toughness"):
        unit("Odd", source=tmp_path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RosterError, match=r"neither .Datasheets.csv. nor JSON"):
        unit("Wall Wardens", source=tmp_path)
