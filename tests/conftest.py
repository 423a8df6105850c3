"""What tests of several folders need."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.test_errors import GOOD

import mathhammer as mh


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
