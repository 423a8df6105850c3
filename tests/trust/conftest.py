"""What all tests of this folder need. The harnesses for atheris are run by hand, and atheris is not required."""

import pytest
from tests.cli.test_errors import GOOD

import mathhammer as mh

collect_ignore_glob = ["fuzz_*.py"]


@pytest.fixture(autouse=True, scope="session")
def nothing_left_to_compile() -> None:
    """A first call takes its time, and says on stderr that it compiles."""
    fight = mh.Scenario.from_toml(GOOD)
    mh.simulate(fight, 10, seed=0)
    mh.solve(fight)
