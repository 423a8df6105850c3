"""A scenario file on the command line, where ``--phase`` may say what the file leaves open."""

from __future__ import annotations

from mathhammer.scenario import Scenario
from mathhammer.unit_files import read_toml

__all__ = ["read_scenario"]


def read_scenario(file: str, phase: str | None) -> Scenario:
    """The scenario of a file, in the phase given, or in its own.

    Raises
    ------
    InvalidScenario
    """
    data = read_toml(file)
    conditions = data.get("conditions", {})
    if phase is not None and isinstance(conditions, dict):
        data["conditions"] = {**conditions, "phase": phase}
    return Scenario.from_dict(data)
