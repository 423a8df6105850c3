"""Loops over the trials of a block: each to its end, or only counted where all that follows is certain."""

from __future__ import annotations

import numpy as np

from mathhammer.montecarlo.draws import (
    GOLDEN,
    S25,
    S64,
    TABLES,
    ZERO,
    draw,
    get,
    mixed,
    next_bits,
    step,
    trial_start,
)
from mathhammer.montecarlo.kernels import (
    ATTACKERS,
    GROUPS,
    HAZARD_TABLE,
    HAZARD_WOUNDS,
    LONGEST,
    LOOKS,
    OWN_CHARACTER,
    OWN_GROUPS,
    OWN_HURT,
    OWN_IGNORED,
    OWN_MODELS,
    OWN_NEXT_LEFT,
    OWN_START,
    OWN_WIDTH,
    ROWS,
    SCHEDULE,
    SELECT_TARGETS,
    START,
    STARTED,
    STRIDE,
    TO_ZERO,
    kernel,
    look_of,
    models_living,
    resolve_batch,
    standing_of,
)
from mathhammer.montecarlo.memory import (
    CODE,
    DAMAGE_ONE,
    HIT_ONE,
    LEFT,
    OWN_LEFT,
    RNG,
    SAVE_ONE,
    WOUND_ONE,
    ZERO_LEFT,
)
from mathhammer.montecarlo.unowned import unowned


@step
def hazard_rolls(p, s, a, table):
    """Mortal wounds of failed hazard rolls, on the attacking unit itself (06.02, 06.03, 24.15).

    Returns the wounds that it loses, and the models above the sixteenth bit.
    """
    groups, lost = p[OWN_GROUPS], 0
    for g in range(groups):
        s[OWN_LEFT + g] = get(p, p[OWN_START] + a * groups + g)
    for _ in range(draw(p, s, table) * get(p, p[HAZARD_WOUNDS] + a)):
        g = -1
        for wanted in range(4):
            for own in range(groups):
                if g < 0 and get(s, OWN_LEFT + own) > 0:
                    at = (a * groups + own) * p[OWN_WIDTH] + get(s, OWN_LEFT + own)
                    character = get(p, p[OWN_CHARACTER] + a * groups + own)
                    if character == wanted >> 1 and (get(p, p[OWN_HURT] + at) or wanted & 1):
                        g = own
        if g < 0:
            return lost
        at = (a * groups + g) * p[OWN_WIDTH] + get(s, OWN_LEFT + g)
        if next_bits(s) >= np.uint64(get(p, p[OWN_IGNORED] + at)):
            lost += 1 + ((get(p, p[OWN_NEXT_LEFT] + at) == 1) << 16)
            s[OWN_LEFT + g] -= 1
    return lost


@step
def attack(p, s, a):
    """All batches of one attacker, and its hazard rolls.

    Returns its losses as `hazard_rolls` does, or -1 - (the place of a missing table).
    """
    s[p[STARTED] + a] += 1
    models = get(p, p[SELECT_TARGETS] + a)
    if models < 0:
        models = models_living(p, s)
    look = look_of(p, standing_of(p, s))
    flags = HIT_ONE | WOUND_ONE | SAVE_ONE | DAMAGE_ONE
    batch = p[SCHEDULE] + ((a * p[LOOKS] + look) * 2 + (models >= 5)) * p[LONGEST]
    while get(p, batch) >= 0 and s[CODE] > 0:
        flags = resolve_batch(p, s, a, get(p, batch), models // 5, flags)
        if flags < 0:
            return flags
        batch += 1
    hazard = get(p, p[HAZARD_TABLE] + a * p[LOOKS] + look)
    return hazard_rolls(p, s, a, hazard) if hazard >= 0 else 0


@step
def set_up(p, s):
    """The target as it stands before the first attack."""
    s[CODE] = 0
    for g in range(p[GROUPS]):
        s[LEFT + g] = get(p, p[START] + g)
        s[CODE] += get(p, p[START] + g) * get(p, p[STRIDE] + g)
    for row in range(p[ROWS]):
        s[ZERO_LEFT + row] = get(p, p[TO_ZERO] + row)


@kernel
def run_block(p, s, key, first, codes, own_codes):
    """The trials from number ``first`` on, as many as ``codes`` has places.

    Writes the code of the target's final state and of the attackers' losses for each trial, and adds to the
    tallies in ``s``. Returns 0, or -1 - (a place in WOUND_TABLE, or behind it in CHAIN) when a table is not there
    yet: then the block is to be run again from its start.
    """
    p, s = unowned(p), unowned(s)
    for trial in range(len(codes)):
        s[RNG] = np.int64(trial_start(key, first + trial))
        set_up(p, s)
        losses = 0
        for a in range(p[ATTACKERS]):
            if s[CODE] == 0:
                break
            lost = attack(p, s, a)
            if lost < 0:
                return lost
            losses += lost
        codes[trial] = s[CODE]
        own_codes[trial] = (losses & 0xFFFF) * (p[OWN_MODELS] + 1) + (losses >> 16)
    return 0


@kernel
def count_draws(p, table, key, first, trials, counts):
    """How often each half of each slot of a table is drawn first in the ``trials`` from number ``first`` on.

    ``counts`` has four rows of all halves, to be added up.

    The whole simulation of a scenario in which all that follows is certain once the wounds are known.
    """
    record = p[TABLES] + 4 * table
    bits, slots = np.uint64(get(p, record)), get(p, record + 1)
    if bits == ZERO:
        counts[1] += trials
        return
    z = trial_start(key, first) + GOLDEN
    down = S64 - bits
    size = len(counts) // 4
    for trial in range(trials):
        x = mixed(z)
        z += GOLDEN << S25
        slot = np.int64(x >> down)
        # Four counters in turn: adding to one place twice running would wait for itself.
        half = 2 * slot + ((x << bits) < np.uint64(get(p, slots + 3 * slot)))
        counts[(trial & 3) * size + half] += 1


@kernel
def add_counts(histogram, codes):
    """``histogram[code] += 1`` for every code."""
    for code in codes:
        histogram[code] += 1
