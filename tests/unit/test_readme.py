"""What the README shows is what happens."""

import contextlib
import io
import re
from pathlib import Path

import mathhammer as mh

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_python_example_prints_what_stands_under_it():
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block("python"), {})
    assert printed.getvalue() == block("text")


def test_the_scenario_file_is_read_and_solved():
    outcome = mh.solve(mh.Scenario.from_toml(block("toml")))
    assert 0 < outcome.models_destroyed.mean < 6


def test_the_two_commands_set_themselves_up():
    commands = [line for line in block("console").splitlines() if line.startswith("$ ")]
    assert len(commands) == 2
    assert "mathhammer demo" in commands[0]
    assert "pytest" in commands[1]
