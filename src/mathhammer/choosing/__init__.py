"""What to choose, and what the other choices cost: answers of the exact engine.

A *fixed* choice is made before the first die and kept; the value "best" of a choice in a scenario means the
best fixed one (`settle`). Play that *answers* chooses anew before each batch, knowing what is left.
"""

from mathhammer.choosing.answer import Alternative, BestPlay
from mathhammer.choosing.questions import (
    best_allocation,
    best_batch_order,
    best_lethal_hits,
    best_modes,
    best_play,
    best_precision,
    best_rerolls,
)
from mathhammer.choosing.settling import settle

__all__ = [
    "Alternative",
    "BestPlay",
    "best_allocation",
    "best_batch_order",
    "best_lethal_hits",
    "best_modes",
    "best_play",
    "best_precision",
    "best_rerolls",
    "settle",
]
