"""What tests of several folders need."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_errors import GOOD
from tests.commands import ARMY, FIGHT

import mathhammer as mh


@pytest.fixture(scope="session", autouse=True)
def ctrl_c_is_heard() -> Iterator[None]:
    """Also where the tests run in the background of a shell, which has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def nothing_left_to_compile() -> None:
    """A first call takes its time, and says on stderr that it compiles."""
    scenario = mh.Scenario.from_toml(GOOD)
    mh.simulate(scenario, 10, seed=0)
    mh.solve(scenario)


@pytest.fixture
def fight(tmp_path: Path) -> str:
    """The path of a scenario file."""
    path = tmp_path / "fight.toml"
    path.write_text(GOOD, encoding="utf-8")
    return str(path)


@pytest.fixture
def command_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the test has a fight and an army; charts open no window."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("MPLBACKEND", "agg")
    (tmp_path / "fight.toml").write_text(FIGHT)
    (tmp_path / "army.toml").write_text(ARMY)
