"""The attack sequence, simulated: compiled loops over trials, attackers, batches, save rolls, wounds.

Nothing here knows the game but by its step names. The state of the target is ``left[g]``, the wounds left of
each allocation group; all that follows from it (who suffers next, who is hurt) is looked up in `Target`.
Random results come from alias tables (`Tables`): one draw of 64 bits gives an index and a fraction.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

compiled = njit(nogil=True, cache=True)

# The steps of SplitMix64: a counter, and a mixing function of it. A block of trials owns 2**40 counts.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S30, S27, S31, S32, S64 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(64)

HIT_ONE, WOUND_ONE, SAVE_ONE, DAMAGE_ONE = 1, 2, 4, 8
NO_POOLS, CRITICAL_FIRST, CRITICAL_LAST = 0, 1, 2
RE_ROLL_NONE, RE_ROLL_ONES, RE_ROLL_FAILURES, RE_ROLL_ALL = 0, 1, 2, 3
WOUNDS, MODELS, ZEROED = 0, 1, 2
"""Columns of ``tally``: wounds lost, models destroyed, unsaved attacks whose D became 0; one row a batch."""


class Tables(NamedTuple):
    """Alias tables, one behind the other; table ``i`` has ``2 ** bits[i]`` slots from ``offset[i]`` on."""

    bits: Any  # int64 (tables,)
    offset: Any  # int64 (tables,)
    cut: Any  # uint64 (slots,): below it the slot's own result, from it on the other
    here: Any  # int64 (slots,)
    there: Any  # int64 (slots,)


class Target(NamedTuple):
    """A unit that suffers; ``r`` is the number of wounds a group has left."""

    start: Any  # int64 (groups,)
    character: Any  # bool (groups,)
    next_left: Any  # int64 (groups, r)
    next_row: Any  # int64 (groups, r)
    hurt: Any  # bool (groups, r)
    models: Any  # int64 (groups, r)
    living: Any  # int64 (groups, r): bit set of rows with living models
    look_of: Any  # int64 (bit sets,)
    stride: Any  # int64 (groups,): the state's code is sum(left * stride)
    to_zero: Any  # int64 (rows,)


class Attacks(NamedTuple):
    """The attacking units."""

    schedule: Any  # int64 (attackers, looks, 2, most batches): -1 ends it
    preference: Any  # int64 (attackers, groups)
    precision: Any  # int64 (attackers, groups): -1 ends it
    models_at_select_targets: Any  # int64 (attackers,): -1 for those that live
    hazard_table: Any  # int64 (attackers, looks): table of failed hazard rolls, -1 for none
    hazard_wounds: Any  # int64 (attackers,)
    own_start: Any  # int64 (attackers, own groups): wounds of its own groups
    own_character: Any  # bool (attackers, own groups)
    own_next_left: Any  # int64 (attackers, own groups, r)
    own_hurt: Any  # bool (attackers, own groups, r)
    own_kept: (
        Any  # uint64 (attackers, own groups, r): 2**64 * chance that FEEL NO PAIN ignores a mortal wound
    )
    own_models: int  # most models that all attackers can lose


class Batches(NamedTuple):
    """The batches; the second axis is the look."""

    by_fives: Any  # bool (batches,)
    precision: Any  # bool (batches, looks)
    devastating: Any  # bool (batches, looks)
    pools: Any  # int64 (batches, looks): NO_POOLS, CRITICAL_FIRST, CRITICAL_LAST
    unsaved: Any  # int64 (batches, looks, groups)
    unsaved_critical: Any  # int64 (batches, looks, groups)
    save_reroll: Any  # int64 (batches, looks)
    ones: Any  # int64 (batches, looks): which single re-rolls its rolls can spend
    damage: Any  # int64 (batches, looks, rows, mortal, single re-roll at hand): table
    wounds: Any  # int64 (batches, looks, fives, flags, groups): table of a batch's wounds, -1 not made yet
    dice: (
        Any  # int64 (wound tables,): for batches rolled in pieces the table of their number of dice, else -1
    )
    pieces: Any  # int64 (wound tables, flags, powers of two): tables of 1, 2, 4 ... attack dice, -1 ends them


@compiled
def next_bits(rng):
    """64 random bits."""
    rng[0] += GOLDEN
    z = rng[0]
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@compiled
def block_start(key, block):
    """Where the stream of a block begins: blocks are stretches of 2**40 counts of one sequence."""
    return np.uint64(key) + (np.uint64(block) << np.uint64(40)) * GOLDEN


@compiled
def uniform(rng, n):
    """A whole number below ``n``; equals int(random() * n)."""
    return np.int64(((next_bits(rng) >> S32) * np.uint64(n)) >> S32)


@compiled
def draw(tables, table, rng):
    """A result of an alias table."""
    bits = np.uint64(tables.bits[table])
    offset = tables.offset[table]
    if bits == np.uint64(0):
        return tables.here[offset]
    x = next_bits(rng)
    slot = offset + np.int64(x >> (S64 - bits))
    if (x << bits) < tables.cut[slot]:
        return tables.here[slot]
    return tables.there[slot]


@compiled
def pack(unsaved, saved, critical, flags):
    """The wounds of a batch in one number: unsaved and saved ones, critical ones apart, re-rolls left."""
    return np.int64(unsaved) | np.int64(saved) << 16 | np.int64(critical) << 32 | np.int64(flags) << 48


@compiled
def unpack(packed):
    """The four parts of `pack`."""
    return packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFFF, packed >> 48


@compiled
def roll_batch(tables, batches, table, flags, rng):
    """attack_dice, hit_rolls, wound_rolls of a batch, and the save rolls against its first group.

    One draw where the table is of the whole batch; else the number of dice, and one draw for each power of
    two in it.
    """
    if batches.dice[table] < 0:
        return draw(tables, table, rng)
    dice = draw(tables, batches.dice[table], rng)
    unsaved = saved = critical = np.int64(0)
    pieces = batches.pieces[table, flags]
    power = 0
    while power + 1 < len(pieces) and pieces[power + 1] >= 0:
        power += 1
    while dice > 0:
        while 1 << power > dice:
            power -= 1
        u, s, k, flags = unpack(draw(tables, batches.pieces[table, flags, power], rng))
        unsaved += u
        saved += s
        critical += k
        dice -= 1 << power
    return pack(unsaved, saved, critical, flags)


@compiled
def allocation_order(target, preference, left, order):
    """The preferred order made legal: wounded first, CHARACTERs last; returns how many groups live (05.03)."""
    n = 0
    for character in (False, True):
        for wounded in (True, False):
            for g in preference:
                if left[g] > 0 and target.character[g] == character and target.hurt[g, left[g]] == wounded:
                    order[n] = g
                    n += 1
    return n


@compiled
def current_group(left, order, n, selected):
    """The group that suffers now: the selected one while it lives, then the first living; -1 for none."""
    if selected >= 0 and left[selected] > 0:
        return selected
    for i in range(n):
        if left[order[i]] > 0:
            return order[i]
    return np.int64(-1)


@compiled
def lose_wounds(target, left, g, amount, tally, b):
    """The next model of group ``g`` loses up to ``amount`` wounds; the excess is lost (05.04)."""
    lost = min(amount, target.next_left[g, left[g]])
    before = target.models[g, left[g]]
    left[g] -= lost
    tally[b, WOUNDS] += lost
    tally[b, MODELS] += before - target.models[g, left[g]]


@compiled
def roll_damage(tables, batches, b, look, row, mortal, flags, inflicted, rng):
    """D, and FEEL NO PAIN against it: wounds to lose, and the single re-rolls left."""
    at_hand = flags >> 3 & 1
    table = batches.damage[b, look, row, mortal, at_hand]
    inflicted[table] += 1
    packed = draw(tables, table, rng)
    return packed & 0xFFFF, flags & ~(packed >> 16 & DAMAGE_ONE)


@compiled
def inflict_damage(tables, target, batches, b, look, g, left, zero_left, flags, tally, inflicted, rng):
    """One attack that was not saved damages the next model of group ``g`` (05.04); the re-rolls left."""
    row = target.next_row[g, left[g]]
    if zero_left[row] > 0:
        zero_left[row] -= 1
        tally[b, ZEROED] += 1
        return flags
    wounds, flags = roll_damage(tables, batches, b, look, row, 0, flags, inflicted, rng)
    lose_wounds(target, left, g, wounds, tally, b)
    return flags


@compiled
def face_of(policy, low, high, rng):
    """The face of a save roll known to lie from ``low`` to ``high``, after the re-rolls.

    All faces within one side of the first group's save are equally likely under every policy but "ones",
    under which a final 1 has 1/36 and each other face 7/36.
    """
    if policy == RE_ROLL_ONES and low == 1 and high > 1:
        return np.int64(1) if uniform(rng, 7 * high - 6) == 0 else 2 + uniform(rng, high - 1)
    return low + uniform(rng, high - low + 1)


@compiled
def save_rolls(
    tables, target, batches, b, look, faces_failing, unsaved, saved, left, order, n, selected, zero_left, flags,
    counts, tally, inflicted, rng,
):  # fmt: skip
    """Save rolls from the lowest to the highest, each against the group that is current then (05.04).

    ``unsaved`` of them fail against the first group, ``saved`` do not. As long as that group lives no more
    need be known of them; when it is gone their faces are drawn, and counted instead of sorted.
    """
    first = current_group(left, order, n, selected)
    done = 0
    while done < unsaved and left[first] > 0:
        flags = inflict_damage(
            tables, target, batches, b, look, first, left, zero_left, flags, tally, inflicted, rng
        )
        done += 1
    if left[first] > 0 or done == unsaved + saved:
        return flags
    g = current_group(left, order, n, selected)
    if g < 0:
        return flags
    policy = batches.save_reroll[b, look]
    failing = faces_failing[first]
    counts[:] = 0
    for _ in range(unsaved):
        counts[face_of(policy, 1, failing, rng)] += 1
    for _ in range(saved):
        counts[face_of(policy, failing + 1, 6, rng)] += 1
    for face in range(1, 7):
        resolved = min(done, counts[face])
        done -= resolved
        for _ in range(counts[face] - resolved):
            if left[g] == 0:
                g = current_group(left, order, n, selected)
                if g < 0:
                    return flags
            if face <= faces_failing[g]:
                flags = inflict_damage(
                    tables, target, batches, b, look, g, left, zero_left, flags, tally, inflicted, rng
                )
    return flags


@compiled
def save_roll_fails(policy, failing, flags, rng):
    """One save roll against the first group, with its re-roll; whether it fails, and the re-rolls left."""
    face = uniform(rng, 6) + 1
    if (
        policy == RE_ROLL_ALL
        or (policy == RE_ROLL_ONES and face == 1)
        or (policy == RE_ROLL_FAILURES and face <= failing)
    ):
        face = uniform(rng, 6) + 1
    elif flags & SAVE_ONE and face <= failing:
        flags &= ~SAVE_ONE
        face = uniform(rng, 6) + 1
    return face <= failing, flags


@compiled
def pool(
    tables, target, batches, attacks, a, b, look, faces_failing, wounds, left, order, selected, zero_left, flags,
    counts, tally, inflicted, rng,
):  # fmt: skip
    """A pool of identical attacks of a batch: order and saves of its own (05.03.02)."""
    n = allocation_order(target, attacks.preference[a], left, order)
    first = current_group(left, order, n, selected)
    if first < 0 or wounds == 0:
        return flags
    own = flags & ~SAVE_ONE if not batches.ones[b, look] & SAVE_ONE else flags
    spent = flags & ~own
    unsaved = 0
    for _ in range(wounds):
        fails, own = save_roll_fails(batches.save_reroll[b, look], faces_failing[first], own, rng)
        unsaved += fails
    return save_rolls(
        tables, target, batches, b, look, faces_failing, unsaved, wounds - unsaved, left, order, n, selected,
        zero_left, own | spent, counts, tally, inflicted, rng,
    )  # fmt: skip


@compiled
def mortal_wound_group(character, hurt, left, order, n):
    """Whose model suffers a mortal wound: hurt, then any, not a CHARACTER, then CHARACTERs (06.02)."""
    for wanted in (False, True):
        for i in range(n):
            g = order[i]
            if left[g] > 0 and character[g] == wanted and hurt[g, left[g]]:
                return g
        for i in range(n):
            g = order[i]
            if left[g] > 0 and character[g] == wanted:
                return g
    return np.int64(-1)


@compiled
def mortal_wounds(
    tables, target, batches, b, look, critical, left, order, n, selected, flags, tally, inflicted, rng
):
    """Devastating critical wounds, after the normal damage: each damages one model (24.10, 24.28.01)."""
    for _ in range(critical):
        if selected >= 0 and left[selected] > 0:
            g = selected
        else:
            g = mortal_wound_group(target.character, target.hurt, left, order, n)
        if g < 0:
            return flags
        row = target.next_row[g, left[g]]
        wounds, flags = roll_damage(tables, batches, b, look, row, 1, flags, inflicted, rng)
        lose_wounds(target, left, g, wounds, tally, b)
    return flags


@compiled
def look_at(target, left):
    """The look of the living models."""
    living = 0
    for g in range(len(left)):
        living |= target.living[g, left[g]]
    return target.look_of[living]


@compiled
def resolve_batch(
    tables, target, attacks, batches, a, b, fives, left, order, zero_left, flags, counts, tally, rolled, inflicted,
    rng,
):  # fmt: skip
    """One batch, completely. Returns the re-rolls left, or -1 - (its place) where a table is missing."""
    look = look_at(target, left)
    n = allocation_order(target, attacks.preference[a], left, order)
    selected = np.int64(-1)
    if batches.precision[b, look]:
        for g in attacks.precision[a]:
            if g >= 0 and left[g] > 0:
                selected = g
                break
    pools = batches.pools[b, look]
    first = current_group(left, order, n, selected) if pools == NO_POOLS else 0
    five = fives if batches.by_fives[b] else 0
    own = flags & batches.ones[b, look]
    if pools != NO_POOLS:
        own &= HIT_ONE | WOUND_ONE
    table = batches.wounds[b, look, five, own & 7, first]
    if table < 0:
        return -1 - ((((b * batches.wounds.shape[1] + look) * batches.wounds.shape[2] + five) * 8 + (own & 7))
                     * batches.wounds.shape[4] + first)  # fmt: skip
    rolled[b, look, five, own & 7] += 1
    unsaved, saved, critical, kept = unpack(roll_batch(tables, batches, table, own & 7, rng))
    flags = (flags & ~(own & 7)) | kept
    if not batches.ones[b, look] & DAMAGE_ONE:
        held = flags & DAMAGE_ONE
        flags &= ~DAMAGE_ONE
    else:
        held = 0
    if pools == NO_POOLS:
        flags = save_rolls(
            tables, target, batches, b, look, batches.unsaved[b, look], unsaved, saved, left, order, n, selected,
            zero_left, flags, counts, tally, inflicted, rng,
        )  # fmt: skip
        if batches.devastating[b, look]:
            flags = mortal_wounds(
                tables,
                target,
                batches,
                b,
                look,
                critical,
                left,
                order,
                n,
                selected,
                flags,
                tally,
                inflicted,
                rng,
            )
        return flags | held
    for turn in (CRITICAL_FIRST, CRITICAL_LAST):
        of_critical = turn == pools
        flags = pool(
            tables, target, batches, attacks, a, b, look,
            batches.unsaved_critical[b, look] if of_critical else batches.unsaved[b, look],
            critical if of_critical else unsaved, left, order, selected, zero_left, flags, counts, tally,
            inflicted, rng,
        )  # fmt: skip
    return flags | held


@compiled
def hazard_rolls(tables, attacks, a, look, own_left, own_order, rng):
    """Mortal wounds of failed hazard rolls, on the attacking unit itself (06.02, 06.03, 24.15).

    Returns the wounds and the models that it loses.
    """
    failed = draw(tables, attacks.hazard_table[a, look], rng)
    n = len(own_order)
    wounds = models = 0
    for _ in range(failed * attacks.hazard_wounds[a]):
        g = mortal_wound_group(attacks.own_character[a], attacks.own_hurt[a], own_left, own_order, n)
        if g < 0:
            break
        if next_bits(rng) < attacks.own_kept[a, g, own_left[g]]:
            continue
        models += attacks.own_next_left[a, g, own_left[g]] == 1
        own_left[g] -= 1
        wounds += 1
    return wounds, models


@compiled
def run_block(
    tables, target, attacks, batches, key, block, codes, own_codes, tally, rolled, inflicted, started
):
    """The first ``len(codes)`` trials of a block.

    Writes the code of the target's final state and of the attackers' losses for each trial, and adds to the
    tallies. Returns 0, or -1 - (place in ``batches.wounds``) when a table is needed that is not there yet: then
    the block is to be run again from its start.
    """
    rng = np.empty(1, np.uint64)
    rng[0] = block_start(key, block)
    groups = len(target.start)
    left, order, counts = np.empty(groups, np.int64), np.empty(groups, np.int64), np.zeros(7, np.int64)
    zero_left = np.empty(len(target.to_zero), np.int64)
    own_groups = attacks.own_start.shape[1]
    own_left, own_order = np.empty(own_groups, np.int64), np.arange(own_groups)
    for trial in range(len(codes)):
        left[:] = target.start
        zero_left[:] = target.to_zero
        own_wounds = own_models = np.int64(0)
        for a in range(len(attacks.hazard_wounds)):
            models = np.int64(0)
            for g in range(groups):
                models += target.models[g, left[g]]
            if models == 0:
                break
            started[a] += 1
            if attacks.models_at_select_targets[a] >= 0:
                models = attacks.models_at_select_targets[a]
            look = look_at(target, left)
            flags = HIT_ONE | WOUND_ONE | SAVE_ONE | DAMAGE_ONE
            for b in attacks.schedule[a, look, 1 if models >= 5 else 0]:
                if b < 0:
                    break
                gone = True
                for g in range(groups):
                    gone &= left[g] == 0
                if gone:
                    break
                flags = resolve_batch(
                    tables, target, attacks, batches, a, b, models // 5, left, order, zero_left, flags, counts,
                    tally, rolled, inflicted, rng,
                )  # fmt: skip
                if flags < 0:
                    return flags
            if attacks.hazard_table[a, look] >= 0:
                own_left[:] = attacks.own_start[a]
                wounds, destroyed = hazard_rolls(tables, attacks, a, look, own_left, own_order, rng)
                own_wounds += wounds
                own_models += destroyed
        code = np.int64(0)
        for g in range(groups):
            code += left[g] * target.stride[g]
        codes[trial] = code
        own_codes[trial] = own_wounds * (attacks.own_models + 1) + own_models
    return 0


@compiled
def count_draws(tables, table, key, block, trials, counts):
    """How often each half of each slot of a table is drawn in the first ``trials`` draws of a block.

    The whole simulation of a scenario in which all that follows is certain once the wounds are known.
    """
    z = block_start(key, block)
    bits = np.uint64(tables.bits[table])
    offset = tables.offset[table]
    if bits == np.uint64(0):
        counts[1] += trials
        return
    down = S64 - bits
    for _ in range(trials):
        z += GOLDEN
        x = (z ^ (z >> S30)) * MIX_1
        x = (x ^ (x >> S27)) * MIX_2
        x = x ^ (x >> S31)
        slot = np.int64(x >> down)
        counts[2 * slot + ((x << bits) < tables.cut[offset + slot])] += 1


@compiled
def add_counts(histogram, codes):
    """``histogram[code] += 1`` for every code."""
    for code in codes:
        histogram[code] += 1


@compiled
def follow(tables, target, attacks, batches, results, codes, tally, inflicted):
    """What follows from each result of the only batch of a plan in which no die is rolled after it."""
    rng = np.zeros(1, np.uint64)
    left, order, counts = np.empty(1, np.int64), np.empty(1, np.int64), np.zeros(7, np.int64)
    zero_left = np.empty(len(target.to_zero), np.int64)
    for i in range(len(results)):
        left[:] = target.start
        zero_left[:] = target.to_zero
        n = allocation_order(target, attacks.preference[0], left, order)
        unsaved, _, critical, flags = unpack(results[i])
        own = tally[i : i + 1]
        flags = save_rolls(
            tables, target, batches, 0, 0, batches.unsaved[0, 0], unsaved, 0, left, order, n, -1, zero_left, flags,
            counts, own, inflicted[i], rng,
        )  # fmt: skip
        if batches.devastating[0, 0]:
            mortal_wounds(
                tables, target, batches, 0, 0, critical, left, order, n, -1, flags, own, inflicted[i], rng
            )
        codes[i] = left[0] * target.stride[0]
