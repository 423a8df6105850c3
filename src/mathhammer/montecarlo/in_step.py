"""One batch in all trials of a block, where what a batch finds follows from the state of the target alone.

In `blocks.run_block` a sequence is followed to its end, and each of its draws waits for the one before. Here a
batch is resolved in all trials before the next batch is: trials do not wait for each other, and a processor works
on several at a time. What a batch finds in a state is looked up once, and kept as a record. One draw gives the
wounds of the batch, a second what they do to its first group; only where that is not the end of it, the rest is
played by the steps of `kernels`.
"""

from __future__ import annotations

import numpy as np

from mathhammer.montecarlo import memory as at
from mathhammer.montecarlo.draws import GOLDEN, S63, get, half_of, mixed, step
from mathhammer.montecarlo.kernels import (
    NONE,
    call,
    critical_of,
    find,
    kernel,
    mortal_wound_group,
    mortal_wounds,
    save_rolls,
    saved_of,
    unsaved_of,
)
from mathhammer.montecarlo.unowned import unowned

OUT_OF_STEP = -(1 << 62)
"""A batch is drawn in pieces, or its attacks are resolved one by one: then the plan is for `blocks.run_block`."""
RECORD = 16
WOUNDS_AT, HARM_AT, MORTAL_AT, BEFORE, CODE_OF_ONE, MODELS_AT, DAMAGED_AT, ROLLED_AT = range(8)
MORTAL_DAMAGED_AT, FOUND, GROUPS_AT = 8, 9, 10
"""A record: the table of the wounds of the batch, ``first slot << 6 | bits``; the chain of its first group from the
wounds left on, ``first slot << 12 | most attacks << 6 | bits``, and all of that for devastating wounds (-1: not drawn
at once); the wounds left of the group; how far one wound moves the code; models by wounds left; three places of
tallies; what `kernels.find` found; wounds left by group."""


@step
def play_from(p, s, code, rng):
    """Write the state of one trial where the steps of `kernels` look for it."""
    s[at.RNG], s[at.CODE] = np.int64(rng), code
    for g in range(p[at.GROUPS]):
        s[at.LEFT + g] = code // get(p, p[at.STRIDE] + g) % (get(p, p[at.START] + g) + 1)


@step
def play_on(p, s, known, record, first, after, code, rng):
    """As `play_from`, after the draws of a batch: only its first group has fewer wounds left than in the record."""
    s[at.RNG], s[at.CODE] = np.int64(rng), code
    for g in range(p[at.GROUPS]):
        s[at.LEFT + g] = get(known, record + GROUPS_AT + g)
    s[at.LEFT + first] = after


@step
def missing_table(p, kind, first):
    """What the rest of a batch may need and is not there: OUT_OF_STEP, or -1 - (its place); 0 when all is."""
    place = kind * 8 * p[at.GROUPS] + first
    table = get(p, p[at.WOUND_TABLE] + place)
    if table < 0:
        return -1 - place
    mortal = get(p, p[at.DEVASTATING] + kind)
    for chain in range(kind * p[at.GROUPS] * 2, (kind + 1) * p[at.GROUPS] * 2):
        if get(p, p[at.CHAIN] + chain) == at.NOT_MADE and (mortal or chain & 1 == 0):
            return -1 - (p[at.WOUND_TABLES] + chain)
    in_pieces = get(p, p[at.TABLES] + 4 * table + 2) >= 0
    return (
        OUT_OF_STEP
        if in_pieces or get(p, p[at.CHAIN] + (kind * p[at.GROUPS] + first) * 2) == at.STEP_BY_STEP
        else 0
    )


@step
def chain_in_record(p, kind, place):
    """The chain at a place, and where its attacks are counted."""
    chain = get(p, p[at.CHAIN] + place)
    damage = get(p, p[at.DAMAGE] + ((kind * p[at.ROWS] + get(p, chain + 2)) * 2 + (place & 1)) * 2)
    return (chain + 3) << 12 | get(p, chain + 1) << 6 | get(p, chain), p[at.INFLICTED] + damage


@step
def write_record(p, s, known, record, a, b):
    """What a batch finds in the state in ``s``. Returns what `missing_table` does."""
    kind, order, selected, first = find(p, s, a, b)
    missing = missing_table(p, kind, first)
    if missing < 0:
        return missing
    found, place = kind * 8, (kind * p[at.GROUPS] + first) * 2
    table = p[at.TABLES] + 4 * get(p, p[at.WOUND_TABLE] + found * p[at.GROUPS] + first)
    known[record + WOUNDS_AT] = get(p, table + 1) << 6 | get(p, table)
    chain, known[record + DAMAGED_AT] = chain_in_record(p, kind, place)
    known[record + HARM_AT] = chain + (from_left(chain, get(s, at.LEFT + first)) << 12)
    known[record + MORTAL_AT] = -1
    _, another = mortal_wound_group(p, s, order, selected)
    if get(p, p[at.DEVASTATING] + kind) and not another:
        known[record + MORTAL_AT], known[record + MORTAL_DAMAGED_AT] = chain_in_record(p, kind, place + 1)
    known[record + BEFORE] = get(s, at.LEFT + first)
    known[record + CODE_OF_ONE] = get(p, p[at.STRIDE] + first)
    known[record + MODELS_AT] = p[at.MODELS_LEFT] + first * p[at.WIDTH]
    known[record + ROLLED_AT] = p[at.ROLLED] + found
    known[record + FOUND] = kind << 32 | order << 8 | first << 4 | (selected + 1)
    for g in range(p[at.GROUPS]):
        known[record + GROUPS_AT + g] = get(s, at.LEFT + g)
    return 0


@step
def drawn_at(p, x, first, table, bits):
    """A result of a table among those with ``2 ** bits`` slots each from ``first`` on."""
    slot = first + 3 * ((table << bits) + np.int64((x >> np.uint64(1)) >> (S63 - np.uint64(bits))))
    return half_of(p, slot, x << np.uint64(bits))


@step
def from_left(chain, left):
    """How far from its first slot a chain has what happens to a group with so many wounds left."""
    return 3 * left * ((chain >> 6 & 63) + 1) << (chain & 63)


@step
def from_chain(p, x, chain, attacks):
    """What some attacks do to a group: its wounds left after them, and above the sixteenth bit how many attacks
    of those that the chain has it took."""
    return drawn_at(p, x, chain >> 12, min(attacks, chain >> 6 & 63), chain & 63)


@call
def finish_batch(p, s, b, kind, order, selected, first, packed, done, devastated):
    """What the two or three draws have left to do: ``done`` of the unsaved attacks are resolved, or all of them and
    ``devastated`` of the devastating wounds."""
    p, s = unowned(p), unowned(s)
    tally, failing = p[at.TALLY] + 3 * b, p[at.UNSAVED] + kind * p[at.GROUPS]
    if devastated == 0:
        unsaved, saved = unsaved_of(packed), saved_of(packed)
        save_rolls(p, s, kind, failing, first, unsaved, saved, done, order, selected, NONE, tally)
    if get(p, p[at.DEVASTATING] + kind):
        mortal_wounds(p, s, kind, critical_of(packed) - devastated, order, selected, NONE, tally)


@step
def take_first_draws(p, s, known, rng, codes, later, begin, end, a, b):
    """What the first two draws of a batch do, in the trials from ``begin`` to ``end``.

    A trial that has more to come is noted in ``later``, without a branch that nobody could foresee: its place, its
    wounds, and the wounds left of the first group, the attacks it took and the record. Returns how many are noted,
    where it ended, and what is missing there.
    """
    noted, wounds, models, trial, missing = 0, 0, 0, begin, 0
    records = b * p[at.STATES] * RECORD
    while trial < end:
        code = get(codes, trial)
        if code == 0:
            trial += 1
            continue
        record = records + code * RECORD
        if get(known, record + WOUNDS_AT) == 0:
            play_from(p, s, code, get(rng, trial))
            missing = write_record(p, s, known, record, a, b)
            if missing < 0:
                break
        z = get(rng, trial) + GOLDEN
        table, before = get(known, record + WOUNDS_AT), get(known, record + BEFORE)
        packed = drawn_at(p, mixed(z), table >> 6, NONE, table & 63)
        unsaved = unsaved_of(packed)
        z += GOLDEN
        drawn = from_chain(p, mixed(z), get(known, record + HARM_AT), unsaved)
        after, done = drawn & 0xFFFF, drawn >> 16
        s[get(known, record + DAMAGED_AT)] += done
        s[get(known, record + ROLLED_AT)] += 1
        standing = get(known, record + MODELS_AT)
        wounds += before - after
        models += get(p, standing + before) - get(p, standing + after)
        code -= (before - after) * get(known, record + CODE_OF_ONE)
        codes[trial], rng[trial] = code, z
        later[3 * noted], later[3 * noted + 1], later[3 * noted + 2] = trial, packed, record << 32 | drawn
        noted += (code > 0) & ((after == 0) | (done < unsaved) | (critical_of(packed) > 0))
        trial += 1
    s[p[at.TALLY] + 3 * b + at.WOUNDS] += wounds
    s[p[at.TALLY] + 3 * b + at.MODELS] += models
    return noted, trial, missing


@step
def take_the_rest(p, s, known, rng, codes, trial, packed, before, b):
    """What is to come in a trial that was noted."""
    record, after, done = before >> 32, before & 0xFFFF, before >> 16 & 0xFFFF
    code, z, critical, devastated = get(codes, trial), get(rng, trial), critical_of(packed), NONE
    mortal = get(known, record + MORTAL_AT)
    if critical > 0 and mortal > 0 and after > 0 and done == unsaved_of(packed):
        z += GOLDEN
        left = after
        drawn = from_chain(p, mixed(z), mortal + (from_left(mortal, left) << 12), critical)
        after, devastated = drawn & 0xFFFF, drawn >> 16
        s[get(known, record + MORTAL_DAMAGED_AT)] += devastated
        standing, tally = get(known, record + MODELS_AT), p[at.TALLY] + 3 * b
        s[tally + at.WOUNDS] += left - after
        s[tally + at.MODELS] += get(p, standing + left) - get(p, standing + after)
        code -= (left - after) * get(known, record + CODE_OF_ONE)
        if devastated == critical:
            codes[trial], rng[trial] = code, z
            return
    found = get(known, record + FOUND)
    kind, order, first, selected = found >> 32, found >> 8 & 0xFFFFFF, found >> 4 & 15, (found & 15) - 1
    play_on(p, s, known, record, first, after, code, z)
    finish_batch(p, s, b, kind, order, selected, first, packed, done, devastated)
    codes[trial], rng[trial] = s[at.CODE], np.uint64(s[at.RNG])


@kernel
def take_batch(p, s, known, rng, codes, later, begin, a, b):
    """Batch ``b`` of attacker ``a`` in the trials from the place ``begin`` on.

    Parameters
    ----------
    known : ndarray of int64, shape (batches * states * RECORD,)
        Zeros, or the records written so far with the same ``p``.
    rng : ndarray of uint64, shape (trials,)
        State of the random number generator of each trial; changed.
    codes : ndarray of int64, shape (trials,)
        State of the target in each trial; changed.
    later : ndarray of int64, shape (3 * trials at a time,)
        Room for the trials in which two draws are not the end of the batch.

    Returns
    -------
    int, int
        The number of trials and 0; or where a table is missing, and which: see `missing_table`. From there the
        batch is to be continued.
    """
    p, s, known, rng, codes = unowned(p), unowned(s), unowned(known), unowned(rng), unowned(codes)
    later = unowned(later)
    trial, missing = begin, 0
    while trial < len(codes) and missing == 0:
        end = min(trial + len(later) // 3, len(codes))
        noted, trial, missing = take_first_draws(p, s, known, rng, codes, later, trial, end, a, b)
        for i in range(noted):
            take_the_rest(
                p, s, known, rng, codes, get(later, 3 * i), get(later, 3 * i + 1), get(later, 3 * i + 2), b
            )
    return trial, missing
