"""What an interrupted command shows of what it had."""

import pickle
import re

import pytest
from tests.commands import ARMY, FIGHT, run
from typer.testing import CliRunner

import mathhammer as mh
import mathhammer.analysis as tables
from mathhammer.analysis import InterruptedTable, parallel
from mathhammer.cli import app

pytestmark = pytest.mark.usefixtures("command_files")


def test_what_is_interrupted_says_so(monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    for function in (mh.compare, mh.sweep, mh.what_if, mh.report):
        monkeypatch.setitem(function.__globals__, "run_all", interrupted)
    monkeypatch.setattr("mathhammer.counting.needed", interrupted)
    for words in (
        ["compare", "fight.toml"],
        ["sweep", "fight.toml", "conditions.cover=true"],
        ["what-if", "fight.toml"],
        ["needed", "fight.toml", "--weapon", "Gun"],
        ["report", "fight.toml", "--against", "marines", "-o", "page.html"],
    ):
        result = CliRunner().invoke(app, words)
        assert (result.exit_code, result.stdout) == (130, "")
        assert result.stderr == "mathhammer: interrupted\n"


def test_an_interrupted_table_is_shown_as_far_as_it_is(monkeypatch):
    def stopped(*arguments, **options):
        raise InterruptedTable(mh.compare(*arguments, **options), "interrupted after 2 of 3")

    words = ["compare", "army.toml", "--against", "guard,marines", "--csv", "-"]
    whole = run(*words)
    monkeypatch.setattr(tables, "compare", stopped)
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout) == (130, whole)
    assert result.stderr == "mathhammer: interrupted after 2 of 3\n"


def test_an_interrupted_table_survives_the_way_between_processes():
    frame = mh.compare(mh.read_units(ARMY)[0], "marines", "wounds_lost")
    back = pickle.loads(pickle.dumps(InterruptedTable(frame, "interrupted after 1 of 2")))
    assert str(back) == "interrupted after 1 of 2"
    assert back.frame.equals(frame)


def stop_after(monkeypatch, function, finished):
    """Let Ctrl-C come after so many tasks of a function."""

    def stopped(work, items, *, noun, **options):
        def watch(done, total):
            if done == finished:
                raise KeyboardInterrupt

        return parallel.run_all(work, items, jobs=1, progress=watch, noun=noun)

    monkeypatch.setitem(function.__globals__, "run_all", stopped)


def test_an_interrupted_what_if_shows_its_finished_rows(monkeypatch):
    words = ["what-if", "fight.toml", "--change", "+1 AP", "--change", "+1 to wound", "--change", "-1 to hit"]
    whole = run(*words)
    stop_after(monkeypatch, mh.what_if, 3)  # the scenario as it stands, and two changes
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stderr) == (130, "mathhammer: interrupted after 2 of 3\n")
    lost = re.compile(r"-1 to hit +lost +lost +lost")
    assert lost.search(result.stdout)
    for line in whole.splitlines():
        assert line in result.stdout or "-1 to hit" in line
    stop_after(monkeypatch, mh.what_if, 1)
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "mathhammer: interrupted\n")


def test_an_interrupted_report_holds_what_was_finished(monkeypatch, tmp_path):
    for points in (FIGHT, FIGHT.replace("points = 90", "")):
        (tmp_path / "fight.toml").write_text(points)
        interrupt_a_report(monkeypatch, tmp_path)


def interrupt_a_report(monkeypatch, tmp_path):
    words = ["report", "fight.toml", "--against", "guard,marines,tank", "-o"]
    stop_after(monkeypatch, mh.report, 2)
    result = CliRunner().invoke(app, [*words, "page.html"])
    assert result.exit_code == 130
    assert result.stderr == "mathhammer: interrupted after 2 of 3, wrote page.html\n"
    page = (tmp_path / "page.html").read_text()
    assert "<li>interrupted after 2 of 3</li>" in page
    assert [page.count(f"<h3>{name}</h3>") for name in ("guard", "marines", "tank")] == [1, 1, 0]
    result = CliRunner().invoke(app, [*words, "-"])
    assert (result.exit_code, result.stdout) == (130, "")
