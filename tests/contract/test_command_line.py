"""The public contract of the commands: what goes to stdout, which columns, which exit codes."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from mathhammer.cli import main

SCENARIO = """
[attacker]
name = "Gunners"
points = 100
weapons = ["2x Gun: A3 BS4+ S5 AP-1 D2 [SUSTAINED HITS 1, HEAVY]"]
[target]
name = "Wall"
points = 90
models = ["2x Shield: T4 Sv2+ InSv4+ W2", "4x Novice: T4 Sv4+ W1"]
[conditions]
braced = true
"""
UNITS = """
[[units]]
name = "Crowd"
points = 60
models = ["10x Lout: T4 Sv5+ W1"]
weapons = ["10x Bow: A1 BS4+ S3 AP0 D1"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fight.toml").write_text(SCENARIO)
    (tmp_path / "crowd.toml").write_text(UNITS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mathhammer", *words])
        with pytest.raises(SystemExit) as done:
            main()
    told = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, told.out, told.err


JSON = [
    "run fight.toml --trials 2000 --seed 0",
    "run fight.toml --exact --csv x.csv --plot x.svg",
    "run fight.toml --tolerance 0.05 --seed 4 --threads 1",
    "demo --trials 1000",
    "best fight.toml",
    "needed fight.toml --weapon Gun --probability 0.8 --goal models_destroyed>=1",
    "compare fight.toml crowd.toml --against chaff",
    "sweep fight.toml target.models[0].save=2+,3+ conditions.cover=true,false",
]


@pytest.mark.parametrize("command", JSON)
@pytest.mark.usefixtures("folder")
def test_json_stands_alone_on_stdout(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, *command.split(), "--json", "-")
    assert code == 0
    assert json.loads(out)


@pytest.mark.usefixtures("folder")
def test_changes_by_name_by_path_and_by_ability(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--change", "+1 to hit", "--change", "LETHAL HITS", "--change", "attacker.weapons[0].AP=-2"]
    code, out, _ = answer(capsys, "what-if", "fight.toml", *words, "--json", "-")
    assert code == 0
    assert {line["change"] for line in json.loads(out)["rows"]} == {words[1], words[3], words[5]}


@pytest.mark.usefixtures("folder")
def test_columns_of_the_run(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = answer(capsys, "run", "fight.toml", "--exact", "--csv", "-")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert list(rows[0]) == ["quantity", "value", "probability", "at_least"]
    assert {"wounds_lost", "models_destroyed", "attackers_used", "by_model.Novice"} <= {
        row["quantity"] for row in rows
    }
    for name in ("wounds_lost", "by_model.Novice"):
        assert sum(float(row["probability"]) for row in rows if row["quantity"] == name) == pytest.approx(1)


@pytest.mark.usefixtures("folder")
def test_the_demo_has_seed_1(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = answer(capsys, "demo", "--trials", "1000", "--json", "-")
    assert json.loads(out)["seed"] == 1


def test_the_report_is_written_where_it_is_wanted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "report", "fight.toml", "--against", "chaff", "-o", "page.html")
    assert (code, out) == (0, "")
    assert "page.html" in err
    assert (folder / "page.html").read_text().startswith("<!doctype html>")


def test_units_without_weapons_for_the_phase_are_left_out(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fighter = """
[[units]]
name = "Brute"
weapons = ["Club: Melee A2 WS4+ S4 AP0 D1"]
"""
    (folder / "army.toml").write_text(UNITS + fighter)
    code, out, _ = answer(capsys, "compare", "army.toml", "--against", "chaff", "--phase", "shooting")
    assert code == 0
    assert "Crowd" in out
    assert "Left out: Brute has no weapons for the shooting phase." in out


REFUSED = [
    ("run nope.toml", "no such file"),
    ("run crowd.toml", "attacker"),
    ("run fight.toml --exact --trials 5", "--exact"),
    ("run fight.toml --trials 0", "trials = 0"),
    ("run fight.toml --trials many", "--trials"),
    ("run fight.toml --exact --json - --csv -", "only one"),
    ("run fight.toml --exact --json none/x.json", "--json"),
    ("run fight.toml --exact --plot x.xyz", ".png"),
    ("run fight.toml --phase fight", "no melee weapon"),
    ("run fight.toml --phase melee", '"fight"'),
    ("explain nope.toml", "no such file"),
    ("best fight.toml --metric kills", "wounds_lost"),
    ("needed fight.toml --weapon Bow --probability 0.5", "known are Gun"),
    ("needed fight.toml --weapon Gun --probability 2", "0 to 1"),
    ("compare crowd.toml", "--against"),
    ("compare fight.toml --against nobody", "nobody"),
    ("compare fight.toml --metric kills", "kills"),
    ("compare fight.toml --engine magic", '"exact"'),
    ("sweep fight.toml target", "PATH=V"),
    ("sweep fight.toml target.models[9].save=2+", "0 to 1"),
    ("sweep fight.toml conditions.cover=true,maybe", "maybe"),
    ("what-if fight.toml --change nonsense", "nonsense"),
    ("import nope.txt --to x.toml", "nope.txt"),
    ("roster nope.txt", "nope.txt"),
    ("report fight.toml", "--out"),
    ("frobnicate", "frobnicate"),
]


@pytest.mark.parametrize(("command", "said"), REFUSED, ids=[command for command, _ in REFUSED])
@pytest.mark.usefixtures("folder")
def test_bad_input_is_told(command: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, *command.split())
    assert code == 2
    assert out == ""
    assert said in err
    assert "Traceback" not in err
