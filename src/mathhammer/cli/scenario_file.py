"""A scenario file on the command line, where ``--phase`` stands over what the file says."""

from __future__ import annotations

from typing import Any

from mathhammer.scenario import Scenario
from mathhammer.unit_files import read_toml

__all__ = ["read_scenario"]


def read_scenario(file: str, phase: str | None) -> Scenario:
    """The scenario of a file, with all its attackers in the phase given, or as the file says.

    Raises
    ------
    InvalidScenario
    """
    data = read_toml(file)
    if phase is not None:
        data["conditions"] = _in_phase(data.get("conditions", {}), phase)
        attackers = data.get("attacker")
        for unit in attackers if isinstance(attackers, list) else [attackers]:
            if isinstance(unit, dict) and "conditions" in unit:
                unit["conditions"] = _in_phase(unit["conditions"], phase)
    return Scenario.from_dict(data)


def _in_phase(conditions: Any, phase: str) -> Any:
    return {**conditions, "phase": phase} if isinstance(conditions, dict) else conditions
