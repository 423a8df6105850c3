"""`unit`, `import` and `roster`: data on stdout, remarks on stderr, files where asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.rosters.invented import DATASHEETS
from tests.rosters.invented_lists import NESTED

from mathhammer import InvalidScenario, Unit, read_units, write_units
from mathhammer.cli.lists import import_list, roster, unit


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "sheets.toml").write_text(DATASHEETS, encoding="utf-8")
    (tmp_path / "list.txt").write_text(NESTED.replace("1x Treads", "1x Trades union"), encoding="utf-8")
    return tmp_path


def test_a_unit(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit("stone crawler", source=str(files / "sheets.toml"))
    told = capsys.readouterr()
    assert told.out.startswith("Stone Crawler (150 points)\n  1x Stone Crawler: T11 Sv2+ W14\n")
    assert told.err == "datasheets: sheets.toml\n"


def test_a_unit_as_toml(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unit("stone crawler", weapons="Boulder gun:2", source=str(files / "sheets.toml"), toml=True)
    assert read_units(capsys.readouterr().out)[0].weapons[0].count == 2


def test_an_army_in_our_own_notation(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import_list(str(files / "list.txt"), to=str(files / "army.toml"), source=str(files / "sheets.toml"))
    told = capsys.readouterr()
    assert told.out == ""
    assert 'not read: line 28: "Trades union" is no weapon of Stone Crawler' in told.err
    assert [one.name for one in read_units(files / "army.toml")] == [
        "Grüt the Old",
        "Wall Wardens",
        "Stone Crawler",
    ]
    import_list(str(files / "list.txt"), source=str(files / "sheets.toml"))
    assert capsys.readouterr().out == (files / "army.toml").read_text(encoding="utf-8")


def test_a_list_of_which_nothing_was_read_says_why(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files / "none.txt"
    path.write_text("List (80 points)\n\nCHARACTERS\n\nNobody (80 points)\n• 1x Sling\n", encoding="utf-8")
    with pytest.raises(InvalidScenario, match="no unit of it could be read"):
        import_list(str(path), to=str(files / "none.toml"), source=str(files / "sheets.toml"))
    assert 'not read: line 5: "Nobody" is no unit' in capsys.readouterr().err
    assert not (files / "none.toml").exists()


def test_what_one_of_two_units_of_a_name_has_is_said(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = files / "two.txt"
    units = "Grüt the Old (80 points)\n• 1x Sling\n• Enhancement: {}\n"
    path.write_text(
        f"L (160 points)\n\nCHARACTERS\n\n{units.format('Cloak')}\n{units.format('Hat')}", "utf-8"
    )
    import_list(str(path), source=str(files / "sheets.toml"))
    assert "not modelled: Grüt the Old: Enhancement: Cloak, Enhancement: Hat\n" in capsys.readouterr().err


def test_leaders_are_attached_by_name(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheets = str(files / "sheets.toml")
    import_list(
        str(files / "list.txt"),
        to=str(files / "a.toml"),
        attach=["wall wardens + grut the old"],
        source=sheets,
    )
    assert [one.name for one in read_units(files / "a.toml")] == [
        "Wall Wardens with Grüt the Old",
        "Stone Crawler",
    ]
    for named, why in (
        ("Wall Wardens", "name at least one leader"),
        ("Wall Wardens + Grunt", "is no unit of the list; nearest: Grüt the Old"),
        ("Wall Wardens + Wall Wardens", "is part of an attached unit already"),
        ("Wall Wardens (2) + Grüt the Old", "is no unit of the list"),
    ):
        with pytest.raises(InvalidScenario, match=re.escape(why)):
            import_list(str(files / "list.txt"), attach=[named], source=sheets)
    with pytest.raises(InvalidScenario, match="already"):
        import_list(str(files / "list.txt"), attach=["Wall Wardens + Grut the Old"] * 2, source=sheets)
    with pytest.raises(InvalidScenario, match=r"--attach .*there is nobody to attack"):
        roster(str(files / "list.txt"), attach=["Wall Wardens + Grut the Old"], source=sheets)
    capsys.readouterr()
    roster(
        str(files / "list.txt"),
        against="chaff",
        attach=["Wall Wardens + Grut the Old"],
        engine="exact",
        source=sheets,
    )
    assert "Wall Wardens with Grüt the" in capsys.readouterr().out


def test_a_roster_against_targets(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {"source": str(files / "sheets.toml"), "engine": "exact"}
    roster(
        str(files / "list.txt"), against="marines,chaff", csv=str(files / "t.csv"), sort="chaff", **arguments
    )
    told = capsys.readouterr()
    assert "shooting:\npoints destroyed" in told.out
    assert "Exact probabilities." in told.out
    assert "Stone Crawler" in told.out
    header, *rows = (files / "t.csv").read_text(encoding="utf-8").splitlines()
    assert header == "phase,attacker,target,metric,value,standard_error,engine"
    assert len(rows) == (3 + 2) * 2 * 3


def test_a_roster_against_a_list(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = {"source": str(files / "sheets.toml"), "seed": 1, "trials": 200}
    other = str(files / "list.txt")
    roster(other, other=other, kill="Grüt the Old", plot=str(files / "t.png"), **arguments)
    told = capsys.readouterr()
    assert "theirs, fight:" in told.out
    assert "Best shooting of mine" in told.out
    assert (files / "t.png").stat().st_size > 1000
    assert "t.png shows mine, shooting alone: --phase chooses another" in told.err
    roster(other, against=other, csv="-", **arguments)
    assert capsys.readouterr().out.startswith("phase,attacker")


def test_a_table_says_what_was_assumed_and_what_no_remark_has_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gun = ["2x Gun | low: A2 BS3+ S4 AP0 D1", "2x Gun | high: A1 BS3+ S9 AP-3 D3"]
    torch = "1x Torch: A2 S4 AP0 D1 [TORRENT, HAZARDOUS]"
    squad = Unit(name="Gunners", points=90, weapons=[*gun, torch], not_modelled=["Oath"])
    (tmp_path / "army.toml").write_text(write_units([squad]), encoding="utf-8")
    roster(str(tmp_path / "army.toml"), against="marines", engine="exact")
    told = capsys.readouterr()
    assert told.err.splitlines() == ["not modelled: Gunners: Oath"]
    assert 'Assumed: Gun is used in its mode "low" (the first listed)' in told.out
    assert "Not modelled: Gunners: losses by its HAZARDOUS weapons" in told.out
    assert "Oath" not in told.out


def test_a_roster_alone_is_printed(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster(str(files / "list.txt"), source=str(files / "sheets.toml"))
    assert capsys.readouterr().out.startswith("My wall (Wall Folk, 330 points; app text)")


def test_places_are_looked_at_before_the_work(files: Path, tmp_path: Path) -> None:
    nowhere, listed = str(tmp_path / "none" / "x.csv"), str(files / "list.txt")
    with pytest.raises(InvalidScenario, match=r"^--csv = .*cannot be written"):
        roster("no such list", against="marines", csv=nowhere)
    with pytest.raises(InvalidScenario, match=r"^--plot = .*\.png, \.svg or \.pdf"):
        roster(listed, against="marines", plot=str(tmp_path / "x.jpeg"))
    with pytest.raises(InvalidScenario, match=r"^--to = .*cannot be written"):
        import_list("no such list", nowhere)


def test_wrong_options_are_errors(files: Path) -> None:
    source = str(files / "sheets.toml")
    with pytest.raises(InvalidScenario, match="either --against or --versus"):
        roster(str(files / "list.txt"), against="marines", other="x", source=source)
    for odd in ("", "marine", "marines,nobody"):
        with pytest.raises(InvalidScenario, match=r"^--against = .*is no standard target"):
            roster(str(files / "list.txt"), against=odd, source=source)
    with pytest.raises(InvalidScenario, match="--sort"):
        roster(str(files / "list.txt"), against="marines", sort="chaff", source=source, engine="exact")
    with pytest.raises(InvalidScenario, match="is no metric"):
        roster(str(files / "list.txt"), against="marines", metric="joy", source=source)
    with pytest.raises(InvalidScenario, match=r"--kill = .*give --versus"):
        roster(str(files / "list.txt"), against="marines", kill="Wall", source=source)
    for option in ("metric", "sort", "phase", "csv", "plot", "engine", "kill"):
        with pytest.raises(InvalidScenario, match=f"--{option} = .*give --against or --versus"):
            roster(str(files / "list.txt"), **{option: "x"}, source=source)
