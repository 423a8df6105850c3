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

from mathhammer.dice import Dice
from mathhammer.distribution import Distribution
from mathhammer.errors import InvalidScenario, MathhammerWarning, RosterError, UnsupportedScenario
from mathhammer.front import simulate, solve
from mathhammer.outcome import Interrupted, Outcome
from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
from mathhammer.unit_files import read_units, write_units
from mathhammer.units import Model, Modifiers, Unit, Weapon

if TYPE_CHECKING:
    from mathhammer import datasheets, plots, targets

__version__ = "0.1.0"

_LAZY = {
    "explain": "explanation",
    **dict.fromkeys(
        (
            *("best_allocation", "best_batch_order", "best_lethal_hits", "best_modes", "best_play"),
            *("best_precision", "best_rerolls"),
        ),
        "choosing",
    ),
    "needed": "counting",
    "exchange": "strike_back",
    "mortal_wounds": "mortal",
    **dict.fromkeys(("summary", "compare", "sweep", "what_if", "army_table"), "analysis"),
    "report": "report_page",
    **dict.fromkeys(("unit", "attach"), "datasheets"),
    "read_roster": "rosters",
    **dict.fromkeys(("targets", "plots", "datasheets"), None),
}
"""Name -> the module that holds it; None where the name is that of a module."""

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
    if name not in _LAZY:
        raise AttributeError(f"module 'mathhammer' has no attribute {name!r}")
    home = _LAZY[name]
    module = import_module(f"mathhammer.{home or name}")
    value = module if home is None else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
