"""Datasheets from a folder of CSV files in the layout of Wahapedia, of invented units."""

from __future__ import annotations

from pathlib import Path

import pytest

from mathhammer import RosterError, read_roster, unit

TABLES = {
    "Factions": ["id|name|link|", "WF|Wall Folk|x|"],
    "Datasheets": [
        "id|name|faction_id|role|loadout|virtual|leader_head|damaged_w|damaged_description|",
        "1|Wall Wardens|WF|Battleline|x|false||||",
        "2|Ghost|WF|Other|x|true||||",
        "3|Stone Crawler|WF|Vehicle|x|false|||1-4|While this model has 1-4 wounds remaining, subtract 1.|",
    ],
    "Datasheets_models": [
        "datasheet_id|line|name|M|T|Sv|inv_sv|inv_sv_descr|W|Ld|OC|",
        '1|1|Warden|6"|4|3+|-||2|6+|1|',
        '1|2|Warden Captain|6"|4|3+|4*|Against ranged attacks.|3 |6+|1|',
        '3|1|Stone Crawler|10"|11|2+|5||14|6+|3|',
    ],
    "Datasheets_wargear": [
        "datasheet_id|line|line_in_wargear|dice|name|description|range|type|A|BS_WS|S|AP|D|",
        "1|1|1||Long rifle|<a href='x'>rapid fire 1</a>, <a href='x'>heavy</a>|24|Ranged|2|3|4|-1|1|",
        "1|2|1||Glow pistol – low|pistol|12|Ranged|1|3+|6|-2|D6 |",
        "1|2|2||Glow pistol – high|pistol, hazardous|12|Ranged|1|3+|8|-3|2|",
        "1|3|1||Boots||Melee|Melee|3|3+|4|-0|1|",
        "3|1|1||Boulder gun|wobbly|36|Ranged|D3|4+|10|-2|3|",
    ],
    "Datasheets_keywords": [
        "datasheet_id|keyword|model|is_faction_keyword|",
        "1|Infantry||false|",
        "1|Character|Warden Captain|false|",
        "3|Vehicle||false|",
    ],
    "Datasheets_abilities": [
        "datasheet_id|line|ability_id|model|name|description|type|parameter|",
        "1|1|||Feel No Pain||Core|5+|",
        "1|2|||Battle Song|Each time it attacks, add 1 to the <b>Hit roll</b>.|Datasheet||",
        "1|3|||Long March|It can move again.|Datasheet||",
        "3|1|77||||Core|D3|",
    ],
    "Abilities": ["id|name|description|", "77|Deadly Demise|x|"],
    "Datasheets_models_cost": [
        "datasheet_id|line|description|cost|",
        "1|1|5 models|100|",
        "3|1|1 model|150|",
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in TABLES.items():
        (tmp_path / f"{name}.csv").write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode())
    return tmp_path


def test_a_unit_with_its_modes_saves_and_points(folder: Path) -> None:
    made = unit("wall wardens", 5, "Long rifle:5, Glow pistol:1, Boots:5", source=folder)
    assert made.points == 100
    assert [m.feel_no_pain for m in made.models] == [5]
    assert made.not_modelled == (
        "Battle Song",
        "how many of each model there are (the datasheet does not say)",
    )
    assert [w.name for w in made.weapons] == [
        "Long rifle",
        "Glow pistol | low",
        "Glow pistol | high",
        "Boots",
    ]
    assert [str(a) for a in made.weapons[0].abilities] == ["RAPID FIRE 1", "HEAVY"]
    assert made.weapons[3].melee


def test_unknown_keywords_and_brackets_are_disclosed(folder: Path) -> None:
    made = unit("Stone Crawler", 1, "Boulder gun:2", source=folder)
    assert made.models[0].invulnerable_save == 5
    assert made.weapons[0].not_modelled == ("wobbly",)
    assert made.not_modelled == ("Damaged",)
    assert [str(a) for a in made.abilities] == ["DEADLY DEMISE D3"]


def test_without_choices_it_is_what_composition_and_loadout_say(folder: Path) -> None:
    table = ["datasheet_id|line|description|", "1|1|<b>1 Warden Captain</b>|", "1|2|4-9 Wardens|"]
    (folder / "Datasheets_unit_composition.csv").write_text("\n".join(table), encoding="utf-8")
    path = folder / "Datasheets.csv"
    told = "<b>Every model is equipped with:</b> boots. <b>Every Warden is equipped with:</b> long rifle."
    told += " <b>The Warden Captain is equipped with:</b> 2 glow pistols."
    path.write_text(path.read_text("utf-8-sig").replace("Battleline|x|", f"Battleline|{told}|"), "utf-8")
    for count, wardens in ((None, 4), (7, 6)):
        made = unit("Wall Wardens", count, source=folder)
        assert [(m.name, m.count, m.wounds) for m in made.models] == [
            ("Warden Captain", 1, 3),
            ("Wardens", wardens, 2),
        ]
        assert {w.name: w.count for w in made.weapons} == {
            "Glow pistol | low": 2,
            "Glow pistol | high": 2,
            "Boots": wardens + 1,
            "Long rifle": wardens,
        }
        assert made.not_modelled == ("Battle Song",)


def test_a_datasheet_of_several_models_without_numbers_asks_for_one(folder: Path) -> None:
    with pytest.raises(ValueError, match="count = None: the datasheet of Wall Wardens does not say it"):
        unit("Wall Wardens", source=folder)


def test_default_weapons_that_the_datasheet_does_not_name_are_missed(folder: Path) -> None:
    made = unit("Stone Crawler", source=folder)
    assert made.weapons == ()
    assert made.not_modelled == ("Damaged", "the weapons of Stone Crawler (the datasheet does not say which)")


def test_a_list_is_resolved(folder: Path) -> None:
    text = "L (100 points)\n\nWall Folk\n\nBATTLELINE\n\nWall Wardens (100 points)\n  • 1x Warden Captain\n"
    text += "     • 1x Glow pistol\n       1x Boots\n  • 4x Warden\n     • 4x Long rifle\n       4x Boots\n"
    roster = read_roster(text, source=folder)
    assert roster.faction == "Wall Folk"
    assert roster.unresolved == ()
    captain, wardens = roster.units[0].models
    assert (captain.invulnerable_save_ranged, captain.character, wardens.count) == (4, True, 4)


def test_rows_that_are_virtual_are_no_datasheets(folder: Path) -> None:
    with pytest.raises(ValueError, match="no unit"):
        unit("Ghost", source=folder)


def test_a_missing_table_is_an_error(folder: Path) -> None:
    (folder / "Datasheets_wargear.csv").unlink()
    with pytest.raises(RosterError, match="Datasheets_wargear"):
        unit("Wall Wardens", source=folder)


def test_a_weapon_that_cannot_be_read_is_disclosed(folder: Path) -> None:
    path = folder / "Datasheets_wargear.csv"
    path.write_text(
        path.read_text("utf-8-sig").replace("Ranged|D3|4+|", "Ranged|D3|often|"), encoding="utf-8"
    )
    made = unit("Stone Crawler", 1, source=folder)
    assert made.weapons == ()
    assert any("Boulder gun" in note and "often" in note for note in made.not_modelled)


def test_a_datasheet_without_a_stat_line_is_an_error(folder: Path) -> None:
    path = folder / "Datasheets_models.csv"
    lines = path.read_text("utf-8-sig").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith("3|")), encoding="utf-8")
    with pytest.raises(ValueError, match="no stat line"):
        unit("Stone Crawler", source=folder)


def test_a_table_in_another_encoding_is_an_error(folder: Path) -> None:
    (folder / "Datasheets_models.csv").write_bytes(b"id|name|\n1|W\xe4chter|\n")
    with pytest.raises(RosterError, match=r"Datasheets_models\.csv: cannot be read"):
        unit("Wall Wardens", source=folder)


@pytest.mark.parametrize(
    ("table", "column", "fault"),
    [
        ("Datasheets", "name", "is no unit of"),
        ("Datasheets_models", "name", 'name = "": a name is a text'),
        ("Datasheets_keywords", "keyword", 'keywords = "": a name is a text'),
    ],
)
def test_a_table_without_a_column_that_is_needed_is_an_error(
    folder: Path, table: str, column: str, fault: str
) -> None:
    path = folder / f"{table}.csv"
    path.write_text(path.read_text("utf-8-sig").replace(f"|{column}|", "|other|", 1), encoding="utf-8")
    with pytest.raises(ValueError, match=fault):
        unit("Wall Wardens", 5, source=folder)


@pytest.mark.parametrize("table", ["Datasheets_models", "Datasheets_keywords"])
def test_a_row_that_is_cut_off_is_an_error(folder: Path, table: str) -> None:
    path = folder / f"{table}.csv"
    path.write_text(path.read_text("utf-8-sig") + "\n1", encoding="utf-8")
    with pytest.raises(ValueError, match=' = "": a name is a text'):
        unit("Wall Wardens", 5, source=folder)
