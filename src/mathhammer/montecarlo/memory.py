"""Where things stand in the two arrays of whole numbers that the kernels work on.

``p`` is the plan: each of the first names below is the place of a size in it, or of the number of the place where the
array of that name begins. ``s`` is the state of one block: the random number generator, the target, the tallies. Two
flat arrays, because every array handed to a compiled function costs as much as rolling a die.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def _places(first: int, end: int) -> Iterator[np.int64]:
    # Of one type all of them, or numba would compile what they are handed to once for each.
    return map(np.int64, range(first, end))


# sizes
GROUPS, ROWS, WIDTH, LOOKS, FIVES, ATTACKERS, LONGEST, OWN_GROUPS, OWN_WIDTH, OWN_MODELS = _places(0, 10)
# the target: (groups,) or (groups, width), by wounds left of the group; ORDERS (attackers, 4**groups), or -1
START, STRIDE, ORDERS, NEXT_LEFT, NEXT_ROW, ALL_ROWS, MODELS_LEFT, STANDING = _places(10, 18)
LOOK_OF, TO_ZERO = _places(18, 20)
# the attackers: schedule (attackers, looks, 2, longest) ended by -1; groups they select with PRECISION
SCHEDULE, PREFERENCE, SELECTABLE, SELECT_TARGETS, HAZARD_TABLE, HAZARD_WOUNDS = _places(20, 26)
OWN_START, OWN_CHARACTER, OWN_NEXT_LEFT, OWN_HURT, OWN_IGNORED = _places(26, 31)
# the batches: (batches, looks, ...)
BY_FIVES, PRECISION, DEVASTATING, POOLS, UNSAVED, UNSAVED_CRITICAL, SAVE_REROLL, ONES = _places(31, 39)
# CHAIN (batches, looks, groups, mortal): where the record of a chain stands, NOT_MADE or STEP_BY_STEP; a record is
# (bits, most attacks at a time, a row of the group), then tables by wounds left and attacks
DAMAGE, WOUND_TABLE, WOUND_TABLES, CHAIN = _places(39, 43)
# alias tables: records of four (bits, first slot, table of the number of dice or -1, first of the pieces)
(TABLES,) = _places(43, 44)
# tallies in s
TALLY, STARTED, ROLLED, INFLICTED, STATE_SIZE = _places(44, 49)
# how many groups are no CHARACTERs; where `tables.binomial_tables` stand; -1, or what every batch comes to
PLAIN, BINOMIAL, FORCED = _places(49, 52)
# set of bits: the CHARACTER groups; how many states the target can be in
CHARACTERS, STATES = _places(52, 54)
HEAD = int(STATES) + 1
"""Places at the beginning of ``p``."""

MOST_GROUPS = 15
FEW_GROUPS = 5
"""Up to so many groups every allocation order is in a table."""
FEW_STATES = 1 << 16
"""Up to so many pairs of a batch and a state of the target, what a batch finds is kept."""
RNG, CODE, LEFT = 0, 1, 2
ZERO_LEFT = LEFT + MOST_GROUPS
COUNTS = ZERO_LEFT + 16
OWN_LEFT = COUNTS + 8
FIXED_STATE = OWN_LEFT + MOST_GROUPS
"""Places in ``s``: random numbers, the code of the target's state (0 when it is gone); wounds left by group, attacks
still to become 0 by row, save rolls by face, wounds left of the attacker's own groups."""

HIT_ONE, WOUND_ONE, SAVE_ONE, DAMAGE_ONE = 1, 2, 4, 8
"""Bits of the single re-rolls that are left."""
NO_POOLS, CRITICAL_FIRST, CRITICAL_LAST = 0, 1, 2
NOT_MADE, STEP_BY_STEP = -1, -2
RE_ROLL_NONE, RE_ROLL_ONES, RE_ROLL_FAILURES, RE_ROLL_ALL = 0, 1, 2, 3
MOST_TRIES, TRY_BITS = 16, 5
"""Binomial tables are for up to so many tries, each with 2**TRY_BITS slots."""
MOST_POWERS = 16
"""Pieces of a batch: tables of 1, 2, 4, ... dice, -1 behind the last; a row of so many for each set of re-rolls."""
WOUNDS, MODELS, ZEROED = 0, 1, 2
"""Columns of the tally of a batch: wounds lost, models destroyed, unsaved attacks whose D became 0."""


class Memory:
    """Writes named arrays one behind the other.

    Examples
    --------
    >>> memory = Memory()
    >>> memory.put(GROUPS, 2)
    >>> memory.put(START, [5, 1])
    >>> p = memory.array()
    >>> p[p[START]]
    np.int64(5)
    """

    def __init__(self) -> None:
        self._head = np.full(HEAD, -1, np.int64)
        self._parts: list[Integers] = []
        self._size = HEAD

    def put(self, place: np.int64, value: object) -> None:
        """Write a size, or an array of any shape; uint64 keeps its bits."""
        array = np.asarray(value)
        if array.ndim == 0:
            self._head[place] = int(array)
            return
        self._head[place] = self._size
        flat = np.ascontiguousarray(array).ravel()
        self._parts.append(flat.view(np.int64) if flat.dtype == np.uint64 else flat.astype(np.int64))
        self._size += flat.size

    def array(self) -> Integers:
        """All of it."""
        return np.concatenate([self._head, *self._parts])
