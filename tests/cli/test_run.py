"""`demo`, `run` and `explain`: what goes to stdout, to stderr and into files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
from tests.cli.test_errors import GOOD, answer

import mathhammer as mh
from mathhammer.cli.files import save_chart

pytestmark = pytest.mark.usefixtures("nothing_left_to_compile")


def test_demo(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "demo", "--trials", "2000")
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert out.endswith("Monte Carlo: 2,000 trials, seed 1; +- is one standard error.\n")
    assert answer(capsys, "demo", "--trials", "2000")[1] == out


def test_run_prints_what_simulate_says(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    code, out, err = answer(capsys, "run", fight, "--trials", "5000", "--seed", "0", "--threads", "2")
    assert (code, err) == (0, "")
    assert out == f"{mh.simulate(mh.Scenario.from_toml(fight), 5000, seed=0)}\n"
    for words in (
        "Gunners against Wall",
        "2x Gun",
        "10 %",
        "1 or more models",
        "the unit",
        "5,000 trials, seed 0",
    ):
        assert words in out


def test_run_exactly(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    code, out, err = answer(capsys, "run", fight, "--exact")
    assert (code, err) == (0, "")
    assert out == f"{mh.solve(mh.Scenario.from_toml(fight))}\n"


def test_a_fresh_seed_is_reported(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    first = json.loads(answer(capsys, "run", fight, "--trials", "500", "--json", "-")[1])
    again = answer(capsys, "run", fight, "--trials", "500", "--json", "-", "--seed", str(first["seed"]))
    assert json.loads(again[1]) == first


def test_tolerance(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    written = json.loads(
        answer(capsys, "run", fight, "--tolerance", "0.002", "--seed", "1", "--json", "-")[1]
    )
    assert written["trials"] > 500
    assert written["models_destroyed"]["standard_error"] < 0.002
    capped = answer(capsys, "run", fight, "--tolerance", "1e-9", "--trials", "700", "--json", "-")[1]
    assert json.loads(capped)["trials"] == 700


def test_json_alone_on_stdout(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    code, out, err = answer(capsys, "run", fight, "--trials", "500", "--seed", "3", "--json", "-")
    assert (code, err) == (0, "")
    assert json.loads(out) == mh.simulate(mh.Scenario.from_toml(fight), 500, seed=3).to_dict()
    exact = json.loads(answer(capsys, "run", fight, "--exact", "--json", "-")[1])
    assert exact["seed"] is None
    assert exact["trials"] is None


def test_csv_alone_on_stdout(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    code, out, _ = answer(capsys, "run", fight, "--exact", "--csv", "-")
    assert code == 0
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == ["quantity", "value", "probability", "at_least"]
    assert all(len(row) == 4 for row in rows)
    exact = mh.solve(mh.Scenario.from_toml(fight))
    destroyed = [row for row in rows if row[0] == "models_destroyed"]
    assert [float(row[2]) for row in destroyed] == exact.models_destroyed.pmf.tolist()


def test_files_are_written_whole_and_the_table_too(
    capsys: pytest.CaptureFixture[str], fight: str, tmp_path: Path
) -> None:
    paths = {option: tmp_path / f"out.{option}" for option in ("json", "csv")}
    paths["plot"] = tmp_path / "out.png"
    options = [word for option, path in paths.items() for word in (f"--{option}", str(path))]
    code, out, err = answer(capsys, "run", fight, "--trials", "500", "--seed", "3", *options)
    assert (code, err) == (0, "")
    assert "Gunners against Wall" in out
    assert json.loads(paths["json"].read_text(encoding="utf-8"))["trials"] == 500
    assert paths["csv"].read_text(encoding="utf-8").startswith("quantity,value,probability,at_least\n")
    assert paths["plot"].read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fight.toml",
        "out.csv",
        "out.json",
        "out.png",
    ]


@pytest.mark.parametrize("suffix", ["svg", "pdf", "PNG"])
def test_charts_in_other_formats(
    capsys: pytest.CaptureFixture[str], fight: str, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"chart.{suffix}"
    assert answer(capsys, "run", fight, "--exact", "--plot", str(path))[0] == 0
    assert path.stat().st_size > 1000


def test_a_name_with_dollar_signs_is_no_formula_in_a_chart(
    capsys: pytest.CaptureFixture[str], fight: str, tmp_path: Path
) -> None:
    written = Path(fight).read_text(encoding="utf-8").replace('"Wall"', '"Wall $\\\\frac$"')
    written = written.replace('"Shield"', '"Shield $x^$"')
    Path(fight).write_text(written, encoding="utf-8")
    path = tmp_path / "chart.svg"
    code, out, err = answer(capsys, "run", fight, "--exact", "--plot", str(path))
    assert (code, err) == (0, "")
    assert "Wall $\\frac$" in out
    assert path.stat().st_size > 1000


def test_a_chart_too_large_to_be_drawn_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    _, axes = plt.subplots(figsize=(1, 200_000))
    path = tmp_path / "chart.png"
    with pytest.raises(mh.InvalidScenario, match=r"--plot = .*cannot be drawn \(Image size of .* too large"):
        save_chart("--plot", str(path), axes)
    assert list(tmp_path.iterdir()) == []
    assert not plt.get_fignums()


def test_a_file_that_stood_there_is_replaced(
    capsys: pytest.CaptureFixture[str], fight: str, tmp_path: Path
) -> None:
    path = tmp_path / "out.json"
    path.write_text("old", encoding="utf-8")
    assert answer(capsys, "run", fight, "--exact", "--json", str(path))[0] == 0
    assert json.loads(path.read_text(encoding="utf-8"))["engine"] == "exact"


def test_the_phase(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    both = GOOD.replace('name = "Gunners"', 'name = "Gunners"\nabilities = []')
    both += '[[attacker.weapons]]\nname = "Sword"\nA = 2\nWS = "3+"\nS = 4\nAP = 0\nD = 1\n'
    Path(fight).write_text(both, encoding="utf-8")
    assert answer(capsys, "run", fight, "--exact")[0] == 2
    code, out, _ = answer(capsys, "run", fight, "--exact", "--phase", "fight")
    assert code == 0
    assert "Sword" in out
    assert "Gun " not in out


def test_a_phase_stands_over_that_of_each_attacker(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    unit = 'name = "{0}"\nweapons = [\'2x Gun {0}: 24" A2 BS3+ S4 AP0 D1\', "2x Fist {0}: Melee A2 WS3+ S4 AP0 D1"]\n'
    attackers = "".join(f"[[attacker]]\n{unit.format(name)}" for name in "AB")
    text = attackers + 'conditions = {phase = "fight"}\n[target]\nname = "T"\nmodels = ["5x M: T4 Sv3+ W2"]\n'
    Path(fight).write_text(text, encoding="utf-8")
    assert answer(capsys, "run", fight, "--exact")[0] == 2
    code, out, _ = answer(capsys, "run", fight, "--exact", "--phase", "shooting")
    assert code == 0
    assert [name for name in ("Gun A", "Gun B", "Fist") if name in out] == ["Gun A", "Gun B"]


def test_what_modifiers_give_and_re_roll_is_asked_about(
    capsys: pytest.CaptureFixture[str], fight: str
) -> None:
    text = """
    [attacker]
    name = "A"
    weapons = ["2x Gun: A2 BS3+ S4 AP0 D2 [DEVASTATING WOUNDS]"]
    modifiers = {abilities = ["LETHAL HITS", "PRECISION"], reroll_wounds = "any"}
    [target]
    name = "T"
    models = ["5x M: T4 Sv3+ W2", "C: T4 Sv3+ W4 [CHARACTER]"]
    """
    Path(fight).write_text(text, encoding="utf-8")
    code, out, _ = answer(capsys, "best", fight)
    assert code == 0
    asked = [line.split(" (")[0] for line in out.splitlines() if line.startswith("Best ")]
    assert asked == ["Best allocation order", "Best PRECISION", "Best LETHAL HITS", "Best re-rolls"]


def test_explain(capsys: pytest.CaptureFixture[str], fight: str) -> None:
    code, out, err = answer(capsys, "explain", fight)
    assert (code, err) == (0, "")
    assert out == f"{mh.explain(mh.Scenario.from_toml(fight))}\n"


@pytest.mark.parametrize(
    "command",
    [
        "demo",
        "run",
        "explain",
        "best",
        "needed",
        "compare",
        "sweep",
        "what-if",
        "unit",
        "import",
        "roster",
        "report",
    ],
)
def test_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    for option in ("--help", "-h"):
        code, out, err = answer(capsys, command, option)
        assert (code, err) == (0, "")
        assert "Usage" in out


def test_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = answer(capsys)
    assert "compare" in out + err
