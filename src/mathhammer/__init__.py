"""What will this attack do? Whole distributions of damage and kills, simulated and exact.

>>> import mathhammer as mh
>>> rifles = mh.Unit(name="Rifles", weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
>>> grunts = mh.Unit(name="Grunts", models=["10x Grunt: T4 Sv3+ W2"])
>>> out = mh.solve(mh.Scenario(attacker=rifles, target=grunts))
>>> round(out.models_destroyed.mean, 3), round(out.models_destroyed.at_least(3), 3)
(1.417, 0.102)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mathhammer import datasheets, plots, targets
    from mathhammer.analysis.army import army_table
    from mathhammer.analysis.compare import compare
    from mathhammer.analysis.summary import summary
    from mathhammer.analysis.sweep import sweep
    from mathhammer.analysis.what_if import what_if
    from mathhammer.choosing import (
        best_allocation,
        best_batch_order,
        best_lethal_hits,
        best_modes,
        best_play,
        best_precision,
        best_rerolls,
    )
    from mathhammer.counting import needed
    from mathhammer.datasheets import attach, unit
    from mathhammer.dice import Dice
    from mathhammer.distribution import Distribution
    from mathhammer.errors import InvalidScenario, MathhammerWarning, RosterError, UnsupportedScenario
    from mathhammer.explanation import explain
    from mathhammer.front import simulate, solve
    from mathhammer.mortal import mortal_wounds
    from mathhammer.outcome import Interrupted, Outcome
    from mathhammer.report_page import report
    from mathhammer.rosters import read_roster
    from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
    from mathhammer.strike_back import exchange
    from mathhammer.unit_files import read_units, write_units
    from mathhammer.units import Model, Modifiers, Unit, Weapon

__version__ = "0.1.0"

_HOMES = {
    "analysis": "army_table compare summary sweep what_if",
    "choosing": """best_allocation best_batch_order best_lethal_hits best_modes best_play best_precision
        best_rerolls""",
    "counting": "needed",
    "datasheets": "attach unit",
    "dice": "Dice",
    "distribution": "Distribution",
    "errors": "InvalidScenario MathhammerWarning RosterError UnsupportedScenario",
    "explanation": "explain",
    "front": "simulate solve",
    "mortal": "mortal_wounds",
    "outcome": "Interrupted Outcome",
    "report_page": "report",
    "rosters": "read_roster",
    "scenario": "Attacker Choices Conditions Scenario",
    "strike_back": "exchange",
    "unit_files": "read_units write_units",
    "units": "Model Modifiers Unit Weapon",
}
"""Module -> the public names that it holds: nothing loads before it is used."""
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
_MODULES = ("datasheets", "plots", "targets")

__all__ = [
    "Attacker",
    "Choices",
    "Conditions",
    "Dice",
    "Distribution",
    "Interrupted",
    "InvalidScenario",
    "MathhammerWarning",
    "Model",
    "Modifiers",
    "Outcome",
    "RosterError",
    "Scenario",
    "Unit",
    "UnsupportedScenario",
    "Weapon",
    "army_table",
    "attach",
    "best_allocation",
    "best_batch_order",
    "best_lethal_hits",
    "best_modes",
    "best_play",
    "best_precision",
    "best_rerolls",
    "compare",
    "datasheets",
    "exchange",
    "explain",
    "mortal_wounds",
    "needed",
    "plots",
    "read_roster",
    "read_units",
    "report",
    "simulate",
    "solve",
    "summary",
    "sweep",
    "targets",
    "unit",
    "what_if",
    "write_units",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value: Any = import_module(f"mathhammer.{name}")
    elif name in _HOME:
        value = getattr(import_module(f"mathhammer.{_HOME[name]}"), name)
    else:
        raise AttributeError(f"module 'mathhammer' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
