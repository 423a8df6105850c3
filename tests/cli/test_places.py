"""Where output goes is looked at before the work is done."""

import pytest
from tests.commands import FIGHT, run
from typer.testing import CliRunner

import mathhammer as mh
from mathhammer.cli import app, main
from mathhammer.errors import InvalidScenario

pytestmark = pytest.mark.usefixtures("command_files")


@pytest.mark.parametrize(
    "words",
    [
        ["run", "fight.toml"],
        ["compare", "fight.toml"],
        ["sweep", "fight.toml", "conditions.cover=true"],
        ["what-if", "fight.toml"],
        ["best", "fight.toml"],
        ["needed", "fight.toml", "--weapon", "Rifle"],
        ["report", "fight.toml", "--against", "marines"],
    ],
    ids=lambda words: words[0],
)
def test_places_are_looked_at_before_the_work_is_done(words, monkeypatch, tmp_path):
    def worked(*arguments, **options):
        raise AssertionError("worked in vain")

    for name in ("front.simulate", "front.solve", "counting.needed", "choosing.best_allocation"):
        monkeypatch.setattr(f"mathhammer.{name}", worked)
    for function in (mh.compare, mh.sweep, mh.what_if, mh.report):
        monkeypatch.setitem(function.__globals__, "run_all", worked)
    options = {"report": ["--out"], "best": ["--json"], "needed": ["--json"]}
    for option in options.get(words[0], ["--csv", "--json", "--plot"]):
        for place, said in (
            ("nowhere/a.png", "No such file or directory"),
            (f"{tmp_path}", "folder|name a chart"),
        ):
            with pytest.raises(InvalidScenario, match=f"{option} = .*({said})"):
                CliRunner().invoke(app, [*words, option, place], catch_exceptions=False)


@pytest.mark.parametrize("place", ["-", "out.png", "./out.png"])
def test_two_things_do_not_go_to_one_place(place):
    for words in (["run", "fight.toml", "--exact"], ["compare", "fight.toml"], ["what-if", "fight.toml"]):
        with pytest.raises(
            InvalidScenario, match=r"only one of --[a-z]+ and --[a-z]+ can go to (stdout|one file)"
        ):
            run(*words, "--csv", place, "--json", place.removeprefix("./"))
    with pytest.raises(InvalidScenario, match=r'--plot = ".*": only one of --csv and --plot|name a chart'):
        run("run", "fight.toml", "--exact", "--csv", "out.png", "--plot", place)


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
@pytest.mark.parametrize("words", [["run", "fight.toml", "--trials", "1000"], ["compare", "fight.toml"]])
def test_streams_closed_by_whoever_started_us_are_no_fault(words, closed, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["mathhammer", *words])
    monkeypatch.setattr(f"sys.{closed}", None)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert ("Gunners" in capsys.readouterr().out) == (closed == "stderr")


def test_a_program_without_a_console_has_no_bar(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    assert mh.simulate(mh.Scenario.from_toml(FIGHT), trials=10, seed=1).trials == 10
