"""Loops over the trials of a block: each to its end, or only counted where all that follows is certain."""

from __future__ import annotations

import numpy as np

from mathhammer.montecarlo import memory as at
from mathhammer.montecarlo.draws import (
    GOLDEN,
    S25,
    S64,
    ZERO,
    draw,
    get,
    mixed,
    next_bits,
    step,
    trial_start,
)
from mathhammer.montecarlo.kernels import (
    kernel,
    look_of,
    models_living,
    resolve_batch,
    standing_of,
)
from mathhammer.montecarlo.unowned import unowned


@step
def hazard_rolls(p, s, a, table):
    """Mortal wounds of failed hazard rolls, on the attacking unit itself (06.02, 06.03, 24.15).

    Returns the wounds that it loses, and the models above the sixteenth bit.
    """
    groups, lost = p[at.OWN_GROUPS], 0
    for g in range(groups):
        s[at.OWN_LEFT + g] = get(p, p[at.OWN_START] + a * groups + g)
    for _ in range(draw(p, s, table) * get(p, p[at.HAZARD_WOUNDS] + a)):
        g = -1
        for wanted in range(4):
            for own in range(groups):
                if g < 0 and get(s, at.OWN_LEFT + own) > 0:
                    place = (a * groups + own) * p[at.OWN_WIDTH] + get(s, at.OWN_LEFT + own)
                    character = get(p, p[at.OWN_CHARACTER] + a * groups + own)
                    if character == wanted >> 1 and (get(p, p[at.OWN_HURT] + place) or wanted & 1):
                        g = own
        if g < 0:
            return lost
        place = (a * groups + g) * p[at.OWN_WIDTH] + get(s, at.OWN_LEFT + g)
        if next_bits(s) >= np.uint64(get(p, p[at.OWN_IGNORED] + place)):
            lost += 1 + ((get(p, p[at.OWN_NEXT_LEFT] + place) == 1) << 16)
            s[at.OWN_LEFT + g] -= 1
    return lost


@step
def attack(p, s, a):
    """All batches of one attacker, and its hazard rolls.

    Returns its losses as `hazard_rolls` does, or -1 - (the place of a missing table).
    """
    s[p[at.STARTED] + a] += 1
    models = get(p, p[at.SELECT_TARGETS] + a)
    if models < 0:
        models = models_living(p, s)
    look = look_of(p, standing_of(p, s))
    flags = at.HIT_ONE | at.WOUND_ONE | at.SAVE_ONE | at.DAMAGE_ONE
    batch = p[at.SCHEDULE] + ((a * p[at.LOOKS] + look) * 2 + (models >= 5)) * p[at.LONGEST]
    while get(p, batch) >= 0 and s[at.CODE] > 0:
        flags = resolve_batch(p, s, a, get(p, batch), models // 5, flags)
        if flags < 0:
            return flags
        batch += 1
    hazard = get(p, p[at.HAZARD_TABLE] + a * p[at.LOOKS] + look)
    return hazard_rolls(p, s, a, hazard) if hazard >= 0 else 0


@step
def set_up(p, s):
    """The target as it stands before the first attack."""
    s[at.CODE] = 0
    for g in range(p[at.GROUPS]):
        s[at.LEFT + g] = get(p, p[at.START] + g)
        s[at.CODE] += get(p, p[at.START] + g) * get(p, p[at.STRIDE] + g)
    for row in range(p[at.ROWS]):
        s[at.ZERO_LEFT + row] = get(p, p[at.TO_ZERO] + row)


@kernel
def run_block(p, s, key, first, codes, own_codes):
    """The trials from number ``first`` on, as many as ``codes`` has places.

    Writes the code of the target's final state and of the attackers' losses for each trial, and adds to the
    tallies in ``s``. Returns 0, or -1 - (a place in WOUND_TABLE, or behind it in CHAIN) when a table is not there
    yet: then the block is to be run again from its start.
    """
    p, s = unowned(p), unowned(s)
    for trial in range(len(codes)):
        s[at.RNG] = np.int64(trial_start(key, first + trial))
        set_up(p, s)
        losses = 0
        for a in range(p[at.ATTACKERS]):
            if s[at.CODE] == 0:
                break
            lost = attack(p, s, a)
            if lost < 0:
                return lost
            losses += lost
        codes[trial] = s[at.CODE]
        own_codes[trial] = (losses & 0xFFFF) * (p[at.OWN_MODELS] + 1) + (losses >> 16)
    return 0


@kernel
def count_draws(p, table, key, first, trials, counts):
    """How often each half of each slot of a table is drawn first in the ``trials`` from number ``first`` on.

    ``counts`` has four rows of all halves, to be added up.

    The whole simulation of a scenario in which all that follows is certain once the wounds are known.
    """
    record = p[at.TABLES] + 4 * table
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
