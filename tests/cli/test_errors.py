"""Bad input on the command line: one line with path, value and way out on stderr, nothing on stdout, exit code 2."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mathhammer.cli import main
from mathhammer.errors import InvalidScenario

GOOD = """
[attacker]
name = "Gunners"
[[attacker.weapons]]
name = "Gun"
count = 2
A = 3
BS = "4+"
S = 5
AP = -1
D = 2
[target]
name = "Wall"
[[target.models]]
name = "Shield"
count = 5
T = 4
Sv = "3+"
W = 2
[[target.models]]
name = "Captain"
T = 4
Sv = "2+"
W = 5
character = true
"""


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit code, stdout and stderr of a command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mathhammer", *words])
        with pytest.raises(SystemExit) as done:
            main()
    told = capsys.readouterr()
    assert isinstance(done.value.code, int)
    return done.value.code, told.out, told.err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says that has to fail."""
    code, out, err = answer(capsys, *words)
    assert code == 2
    assert out == ""
    assert "Traceback" not in err
    lines = err.splitlines()
    assert lines
    assert lines[0].startswith("mathhammer: ")
    return lines[0].removeprefix("mathhammer: ")


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    path = tmp_path / "fight.toml"
    path.write_text(GOOD, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'name = "Gun"',
            'name = "Gun"\nkount = 3',
            "attacker.weapons[0].kount = 3: is no key of a Weapon; did you",
        ),
        ("[target]", "[tagret]\n[target]", 'tagret = {}: is no key of a Scenario; did you mean "target"?'),
        (
            'name = "Gun"',
            'name = "Gun"\nabilities = ["SUPER HITS 1"]',
            'attacker.weapons[0].abilities = "SUPER HITS 1": is no weapon ability',
        ),
        (
            "D = 2",
            'D = "D7"',
            'attacker.weapons[0].damage = "D7": the game has only D3 and D6; for one more than a D6 write "D6+1"',
        ),
        ("count = 5", "count = -1", "target.models[0].count = -1: a model stands 1 to 1000 times"),
        ("count = 5", 'count = "five"', 'target.models[0].count = "five": a model stands 1 to 1000 times'),
        ('Sv = "3+"', 'Sv = "1+"', 'target.models[0].save = "1+": a save is 2+ to 7+, or "-" for none'),
        (
            "D = 2",
            'D = 2\nabilities = ["TORRENT"]',
            'attacker.weapons[0].skill = "4+": a TORRENT weapon hits automatically: leave BS out, or write "-"',
        ),
        (
            'BS = "4+"',
            "",
            "attacker.weapons[0].skill = None: a weapon without TORRENT needs BS or WS, such as",
        ),
        (
            "AP = -1",
            "AP = 1",
            "attacker.weapons[0].ap = 1: AP is written as on the datasheet: 0, or negative",
        ),
        (
            "",
            '[choices]\nallocation_order = ["Shild"]',
            'choices.allocation_order[0] = "Shild": names no model of the target; did you mean "Shield"?',
        ),
        (
            "",
            '[choices]\nallocation_order = ["Captain", "Shield"]',
            'choices.allocation_order[0] = "Captain": a CHARACTER cannot stand before other models (05.03)',
        ),
        ("S = 5", "S = 5\nstrength = 5", "strength = 5: is S in another spelling: give it once"),
        ("", "[conditions]\ncover = 'yes'", 'conditions.cover = "yes": write true or false, without quotes'),
        (
            "",
            "[modifiers]\ncritical_hits_need_success = true",
            "modifiers.critical_hits_need_success = true: is about critical_hits_on: give that too",
        ),
        ("", "[conditions]\nphase = 'fight'", 'conditions.phase = "fight": the attacker has no melee weapon'),
    ],
)
@pytest.mark.parametrize("command", ["run", "explain"])
def test_what_stands_in_the_file(
    capsys: pytest.CaptureFixture[str], scenario: Path, old: str, new: str, said: str, command: str
) -> None:
    text = GOOD.replace(old, new, 1) if old else GOOD + new + "\n"
    assert text != GOOD
    scenario.write_text(text, encoding="utf-8")
    assert said in refused(capsys, command, str(scenario))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"attacker = ", "is not TOML: Invalid value (at end of document)"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b"", "attacker: is missing: a Scenario needs it"),
        (b"a = " + b"[" * 3000, "is nested too deeply"),
        (b"[units]\n" + b".".join([b"a"] * 50_000) + b" = 1", "line 2 has more than 200 dots"),
        (b"target = 5\nattacker = 6", "attacker = 6: an Attacker is a table of keys and values"),
        (
            b"[attacker]\nname = 'A'\nweapons = []\n[target]\nname = 'B'\nmodels = ['C: T4 Sv3+ W1']",
            "attacker.weapons = []: an attacker needs weapons",
        ),
        (
            b"[attacker]\nname = 'A'\nweapons = ['G: A1 BS3+ S4 AP0 D1']\n[target]\nname = 'B'",
            "target.models = []: a target needs models",
        ),
    ],
)
def test_files_that_are_no_scenario(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    assert said in refused(capsys, "run", str(path))


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere.toml")
    for command in ("run", "explain", "report", "compare"):
        more = ["--against", "all", "-o", str(tmp_path / "x.html")] if command == "report" else []
        assert refused(capsys, command, path, *more) == f'"{path}": there is no such file'


def test_a_folder_instead_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "cannot be read (Is a directory)" in refused(capsys, "run", str(tmp_path))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--trials", "0"], "trials = 0: a number of trials from 1 to 10**11"),
        (["--trials", "-3"], "trials = -3: a number of trials from 1 to 10**11"),
        (["--tolerance", "0"], "tolerance = 0.0: a standard error above 0, such as 0.001"),
        (["--tolerance", "nan"], "tolerance = nan: a standard error above 0, such as 0.001"),
        (["--seed", "-1"], "seed = -1: a whole number from 0 to 2**64 - 1, or None to draw one"),
        (["--threads", "0"], "threads = 0: a number of threads from 1 to 1024, or None for all cores"),
        (["--phase", "movement"], 'phase = "movement": one of "shooting", "fight"'),
        (
            ["--exact", "--trials", "5"],
            "--trials = 5: is for simulations: leave it out, or leave --exact out",
        ),
        (["--exact", "--seed", "5"], "--seed = 5: is for simulations: leave it out, or leave --exact out"),
        (["--json", "-", "--csv", "-"], "only one of --json and --csv can go to stdout"),
        (["--plot", "chart.xyz"], '--plot = "chart.xyz": name a chart .png, .svg or .pdf'),
        (["--plot", "chart.pgf"], '--plot = "chart.pgf": name a chart .png, .svg or .pdf'),
        (["--plot", "chart.eps"], '--plot = "chart.eps": name a chart .png, .svg or .pdf'),
        (["--plot", "-"], '--plot = "-": name a chart .png, .svg or .pdf'),
        (["--json", "/nowhere/at/all.json"], "cannot be written (No such file or directory)"),
        (["--csv", "/nowhere/at/all.csv"], "cannot be written (No such file or directory)"),
        (["--plot", "/nowhere/at/all.png"], "cannot be written (No such file or directory)"),
        (["--csv", "."], '--csv = ".": cannot be written'),
    ],
)
def test_options_of_run(
    capsys: pytest.CaptureFixture[str], scenario: Path, options: list[str], said: str
) -> None:
    assert said in refused(capsys, "run", str(scenario), *options)


@pytest.mark.parametrize(
    "words",
    [["run"], ["rum", "x"], ["run", "x", "--trails", "5"], ["run", "x", "--trials", "many"], ["needed", "x"]],
)
def test_words_that_are_no_command(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    code, out, err = answer(capsys, *words)
    assert code == 2
    assert out == ""
    assert "Traceback" not in err
    assert "Error" in err or "Usage" in err


def test_all_problems_are_listed(capsys: pytest.CaptureFixture[str], scenario: Path) -> None:
    scenario.write_text(GOOD.replace("A = 3", 'A = "D8"').replace('"3+"', '"9+"'), encoding="utf-8")
    code, out, err = answer(capsys, "run", str(scenario))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 2
    assert "attacker.weapons[0].attacks" in err
    assert "target.models[0].save" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "FILE", "--against", "nobody"], "nobody"),
        (["compare", "FILE", "--against", "marines", "--metric", "fun"], "metric"),
        (["sweep", "FILE", "target.models[0].colour=1,2"], "target.models[0].colour"),
        (["sweep", "FILE", "target.models[0].save"], "write PATH=V,V,..."),
        (["sweep", "FILE", "target.models[9].save=2+,3+"], "target.models[9]"),
        (["what-if", "FILE", "--change", "nonsense"], "nonsense"),
        (["needed", "FILE", "--weapon", "Gnu", "--probability", "0.8"], 'did you mean "Gun"?'),
        (["needed", "FILE", "--weapon", "Gun", "--probability", "2"], "probability = 2.0"),
        (["best", "FILE", "--metric", "fun"], "fun"),
        (["import", "FILE", "--to", "/nowhere/at/all.toml"], ""),
        (["roster", "FILE", "--against", "marines"], ""),
    ],
)
def test_other_commands(
    capsys: pytest.CaptureFixture[str], scenario: Path, words: list[str], said: str
) -> None:
    assert said in refused(capsys, *(str(scenario) if word == "FILE" else word for word in words))


def test_of_very_many_faults_the_first_are_told(capsys: pytest.CaptureFixture[str], scenario: Path) -> None:
    wrong = "".join(f"wrong{number} = 1\n" for number in range(1000))
    scenario.write_text(f"{GOOD}[conditions]\n{wrong}", encoding="utf-8")
    code, _, err = answer(capsys, "run", str(scenario))
    assert code == 2
    assert len(err.splitlines()) == 22
    assert err.splitlines()[-1].strip() == "and 979 more"


def test_a_value_in_which_others_are_nested_without_end_is_named_by_its_kind() -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _ in range(100_000):
        inner["a"] = inner = {}
    assert "a dict in which others are nested too deeply" in str(
        InvalidScenario.at("target", deep, "no Unit")
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_stdout_that_lacks_letters_gets_them_escaped(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "names.toml"
    path.write_text(GOOD.replace("Gunners", "Жук…"), encoding="utf-8")

    def told(*words: str) -> bytes:
        command = [sys.executable, "-m", "mathhammer", "run", str(path), "--exact", *words]
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        return subprocess.run(command, env=environment, capture_output=True, check=True).stdout

    assert json.loads(told("--json", "-").decode(encoding))["by_weapon"][0]["attacker"] == "Жук…"
    first = told().decode(encoding).splitlines()[0]
    assert first.endswith("against Wall")
    assert first.startswith("Жук" if encoding == "utf-8" else "\\u0416\\u0443\\u043a")
