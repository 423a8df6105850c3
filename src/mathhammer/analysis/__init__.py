"""Tables for list-builders and writers: tidy pandas frames with raw values and an error beside each.

`summary` of outcomes, `compare` of attackers and targets (and its `pivot`), `sweep` over fields of a
scenario, `what_if` for the worth of changes, `army_table` for whole lists; `rounded` makes any of them readable.
"""

from mathhammer.analysis.army import army_table
from mathhammer.analysis.compare import InterruptedTable, compare, pivot
from mathhammer.analysis.fights import one_weapon
from mathhammer.analysis.paths import known_paths, replaced
from mathhammer.analysis.summary import rounded, summary
from mathhammer.analysis.sweep import sweep
from mathhammer.analysis.what_if import what_if

__all__ = [
    "InterruptedTable",
    "army_table",
    "compare",
    "known_paths",
    "one_weapon",
    "pivot",
    "replaced",
    "rounded",
    "summary",
    "sweep",
    "what_if",
]
