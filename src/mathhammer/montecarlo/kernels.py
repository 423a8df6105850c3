"""The attack sequence, simulated: compiled loops over trials, attackers, batches, save rolls, wounds.

The state of the target is the wounds left of each allocation group; who suffers next, who is hurt and how many
stand are looked up from that. Random results come from alias tables: one draw of 64 bits gives a slot and a
fraction. All numbers stand in two arrays, ``p`` and ``s``; `memory` says where.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from mathhammer.compiled import WITHIN, compiled
from mathhammer.montecarlo import memory as at
from mathhammer.montecarlo.draws import (
    binomial,
    draw,
    draw_from,
    get,
    step,
    uniform,
)
from mathhammer.montecarlo.unowned import unowned

kernel = compiled(nogil=True)
"""Compiled lazily, cached on disk where that is possible, without the interpreter's lock."""
NONE, MORTAL = np.int64(0), np.int64(1)
"""Numbers of the type of all others: for a plain 0 numba would compile what it is handed to once more."""
call = njit(**WITHIN)
"""Stays a function of its own: too large to become a part of each of its callers."""

# The wounds of a batch in one number: attacks not saved by the first group, saved ones, critical wounds that
# stand apart, and the single re-rolls left.


@step
def unsaved_of(packed):
    return packed & 0xFFFF


@step
def saved_of(packed):
    return packed >> 16 & 0xFFFF


@step
def critical_of(packed):
    return packed >> 32 & 0xFFFF


@step
def rerolls_of(packed):
    return packed >> 48


@step
def roll_batch(p, s, table, flags):
    """attack_dice, hit_rolls, wound_rolls of a batch, and the save rolls against its first group.

    One draw where the table is of the whole batch; else the number of dice, and a draw for each piece of it.
    """
    record = p[at.TABLES] + 4 * table
    if get(p, record + 2) < 0:
        return draw(p, s, table)
    dice = draw(p, s, get(p, record + 2))
    packed = flags << 48
    power = 0
    while power + 1 < at.MOST_POWERS and get(p, get(p, record + 3) + flags * at.MOST_POWERS + power + 1) >= 0:
        power += 1
    while dice > 0:
        while 1 << power > dice:
            power -= 1
        piece = draw(p, s, get(p, get(p, record + 3) + rerolls_of(packed) * at.MOST_POWERS + power))
        packed = (packed & 0xFFFFFFFFFFFF) + piece
        dice -= 1 << power
    return packed


@step
def target_at(p, s, name, g):
    """What the table ``name`` says of group ``g`` with the wounds it has left."""
    return get(p, get(p, name) + g * p[at.WIDTH] + get(s, at.LEFT + g))


@step
def standing_of(p, s):
    """Which rows live (a set of bits), and above them two bits for each group: lives, is hurt."""
    standing = 0
    for g in range(p[at.GROUPS]):
        standing |= target_at(p, s, at.STANDING, g)
    return standing


@step
def look_of(p, standing):
    """The look of the living models."""
    return get(p, p[at.LOOK_OF] + (standing & p[at.ALL_ROWS]))


@step
def models_living(p, s):
    """Models of the target that stand."""
    models = 0
    for g in range(p[at.GROUPS]):
        models += target_at(p, s, at.MODELS_LEFT, g)
    return models


@step
def allocation_order(p, a, standing):
    """The preferred order made legal: wounded first, CHARACTERs last (05.03).

    Returns the living groups, four bits each, plus 1 so that 0 ends them; the first in the lowest bits. For few
    groups that is a table. The preference has the CHARACTERs last already.
    """
    states = standing >> p[at.ROWS]
    if p[at.ORDERS] >= 0:
        return get(p, p[at.ORDERS] + (a << 2 * p[at.GROUPS]) + states)
    order = begin = shift = 0
    for end in (p[at.PLAIN], p[at.GROUPS]):
        for wanted in (3, 1):
            for i in range(begin, end):
                g = get(p, p[at.PREFERENCE] + a * p[at.GROUPS] + i)
                if states >> 2 * g & 3 == wanted:
                    order |= (g + 1) << shift
                    shift += 4
        begin = end
    return order


@step
def selected_group(p, s, a):
    """The living CHARACTER group that an attacker selects with PRECISION (24.28); -1 for none."""
    for i in range(p[at.GROUPS]):
        g = get(p, p[at.SELECTABLE] + a * p[at.GROUPS] + i)
        if g >= 0 and get(s, at.LEFT + g) > 0:
            return g
    return -1


@step
def current_group(s, order, selected):
    """The group that suffers now: the selected one while it lives, then the first living; -1 for none."""
    if selected >= 0 and get(s, at.LEFT + selected) > 0:
        return selected
    while order and get(s, at.LEFT + (order & 15) - 1) == 0:
        order >>= 4
    return (order & 15) - 1


@step
def take_wounds(p, s, g, wounds, tally):
    """Group ``g`` has so many wounds less, and the state of the target another code."""
    s[at.LEFT + g] -= wounds
    s[at.CODE] -= wounds * get(p, p[at.STRIDE] + g)
    s[tally + at.WOUNDS] += wounds


@step
def lose_wounds(p, s, g, wounds, tally):
    """The next model of group ``g`` loses up to so many wounds; the excess is lost (05.04)."""
    next_left = target_at(p, s, at.NEXT_LEFT, g)
    if wounds >= next_left:
        wounds = next_left
        s[tally + at.MODELS] += 1
    take_wounds(p, s, g, wounds, tally)


@step
def roll_damage(p, s, kind, row, mortal, flags):
    """D, and FEEL NO PAIN against it: the wounds to lose, with DAMAGE_ONE << 16 if that re-roll was spent."""
    table = get(p, p[at.DAMAGE] + ((kind * p[at.ROWS] + row) * 2 + mortal) * 2 + (flags >> 3 & 1))
    s[p[at.INFLICTED] + table] += 1
    return draw(p, s, table)


@step
def damage_once(p, s, kind, g, mortal, flags, tally):
    """One damaging attack, or devastating wound, on the next model of group ``g`` (05.04); the re-rolls left."""
    row = target_at(p, s, at.NEXT_ROW, g)
    if get(s, at.ZERO_LEFT + row) > 0 and not mortal:
        s[at.ZERO_LEFT + row] -= 1
        s[tally + at.ZEROED] += 1
        return flags
    rolled = roll_damage(p, s, kind, row, mortal, flags)
    lose_wounds(p, s, g, rolled & 0xFFFF, tally)
    return flags & ~(rolled >> 16)


@call
def inflict_damage(p, s, kind, g, mortal, attacks, flags, tally):
    """So many attacks, one after another, on group ``g`` until it is gone (05.04).

    Returns how many of them it took, with the re-rolls left above the sixteenth bit; or -1 - (the place of a
    missing chain). A chain is a table of what several attacks at a time do to a group; without one they are
    resolved one by one.
    """
    p, s = unowned(p), unowned(s)
    taken = 0
    place = (kind * p[at.GROUPS] + g) * 2 + mortal
    chain = get(p, p[at.CHAIN] + place)
    if chain == at.NOT_MADE and attacks > 0:
        return -1 - (p[at.WOUND_TABLES] + place)
    if chain == at.STEP_BY_STEP or flags & at.DAMAGE_ONE:
        while taken < attacks and get(s, at.LEFT + g) > 0:
            flags = damage_once(p, s, kind, g, mortal, flags, tally)
            taken += 1
        return taken | flags << 16
    while taken < attacks and get(s, at.LEFT + g) > 0:
        bits, most, before = get(p, chain), get(p, chain + 1), get(s, at.LEFT + g)
        now = min(most, attacks - taken)
        drawn = draw_from(p, s, np.uint64(bits), chain + 3 + 3 * ((before * (most + 1) + now) << bits))
        after = drawn & 0xFFFF
        s[tally + at.MODELS] += target_at(p, s, at.MODELS_LEFT, g)
        take_wounds(p, s, g, before - after, tally)
        s[tally + at.MODELS] -= target_at(p, s, at.MODELS_LEFT, g)
        taken += drawn >> 16
    if taken:
        table = get(p, p[at.DAMAGE] + ((kind * p[at.ROWS] + get(p, chain + 2)) * 2 + mortal) * 2)
        s[p[at.INFLICTED] + table] += taken
    return taken | flags << 16


@step
def draw_faces(p, s, policy, rolls, low, high, ends):
    """Counts the faces of ``rolls`` save rolls known to lie from ``low`` to ``high``, after the re-rolls.

    All faces on one side of the first group's save are equally likely under every policy but "ones", under which
    a final 1 has 1/36 and each other face 7/36. Only the ``ends`` matter, a set of bits: the faces that are the
    highest to fail against some group; another face is counted with the next of them.
    """
    if policy == at.RE_ROLL_ONES and low == 1 and high > 1:
        for _ in range(rolls):
            s[at.COUNTS + (1 if uniform(s, 7 * high - 6) == 0 else 2 + uniform(s, high - 1))] += 1
        return
    begin = low
    for face in range(low, high):
        if rolls > 0 and ends >> face & 1:
            these = binomial(p, s, rolls, face + 1 - begin, high + 1 - begin)
            s[at.COUNTS + face] += these
            rolls -= these
            begin = face + 1
    s[at.COUNTS + high] += rolls


@step
def save_rolls(p, s, kind, failing, g, unsaved, saved, done, order, selected, flags, tally):
    """Save rolls from the lowest to the highest, each against the group that is current then (05.04).

    ``unsaved`` of them fail against the first group ``g``, ``saved`` do not; ``done`` are resolved already. As long
    as that group lives no more need be known of them; when it is gone their faces are drawn, and counted instead
    of sorted. ``failing`` is where the number of failing faces of each group stands.
    """
    fails, attacks, counted = get(p, failing + g), unsaved - done, False
    while True:
        if attacks > 0:
            result = inflict_damage(p, s, kind, g, NONE, attacks, flags, tally)
            if result < 0:
                return result
            done += result & 0xFFFF
            flags = result >> 16
        if s[at.CODE] == 0 or get(s, at.LEFT + g) > 0 or done == unsaved + saved:
            return flags
        if not counted:
            count_faces(p, s, kind, failing, fails, unsaved, saved)
            counted = True
        g = current_group(s, order, selected)
        attacks = -done
        for face in range(1, get(p, failing + g) + 1):
            attacks += get(s, at.COUNTS + face)
        if attacks <= 0:
            return flags


@step
def count_faces(p, s, kind, failing, fails, unsaved, saved):
    """Counts the faces of all save rolls of a batch."""
    for face in range(1, 7):
        s[at.COUNTS + face] = 0
    ends = NONE
    for g in range(p[at.GROUPS]):
        ends |= 1 << get(p, failing + g)
    policy = get(p, p[at.SAVE_REROLL] + kind)
    low, high, rolls = NONE + 1, fails, unsaved
    for _ in range(2):
        draw_faces(p, s, policy, rolls, low, high, ends)
        low, high, rolls = fails + 1, 6, saved


@step
def roll_saves(p, s, kind, failing, wounds, flags, first):
    """Save rolls of a pool against its first group, one by one: those that fail, and the re-rolls left."""
    policy, fails = get(p, p[at.SAVE_REROLL] + kind), get(p, failing + first)
    one = get(p, p[at.ONES] + kind) & at.SAVE_ONE
    unsaved = 0
    for _ in range(wounds):
        face = uniform(s, 6) + 1
        again = policy == at.RE_ROLL_ALL or (policy == at.RE_ROLL_ONES and face == 1)
        again |= policy == at.RE_ROLL_FAILURES and face <= fails
        if not again and flags & one and face <= fails:
            again = True
            flags &= ~at.SAVE_ONE
        if again:
            face = uniform(s, 6) + 1
        unsaved += face <= fails
    return unsaved | flags << 16


@step
def mortal_wound_group(p, s, order, selected):
    """Whose model suffers a mortal wound (06.02, 24.28.01), and whether another group can follow while it lives:
    when its hurt model is gone, another hurt one is next, and without one the first in the order.

    The selected group while it lives; else a hurt one that is no CHARACTER, then any such; then a hurt
    CHARACTER, then any: the first in the order declared for the batch, in which CHARACTERs are last.
    """
    first = current_group(s, order, selected)
    if first == selected:
        return first, False
    suffers, hurt = first, 0
    while order:
        g = (order & 15) - 1
        same_kind = p[at.CHARACTERS] >> g & 1 == p[at.CHARACTERS] >> first & 1
        is_hurt = target_at(p, s, at.STANDING, g) >> (p[at.ROWS] + 2 * g) & 2
        if get(s, at.LEFT + g) > 0 and same_kind and is_hurt:
            suffers = suffers if hurt else g
            hurt += 1
        order >>= 4
    return suffers, hurt > 1 or suffers != first


@step
def mortal_wounds(p, s, kind, critical, order, selected, flags, tally):
    """Devastating critical wounds, after the normal damage: each damages one model (24.10).

    The group stays the one that suffers until it is gone, unless another can follow.
    """
    while critical > 0 and s[at.CODE] > 0:
        g, another = mortal_wound_group(p, s, order, selected)
        now = NONE + 1 if another else critical
        result = inflict_damage(p, s, kind, g, MORTAL, now, flags, tally)
        if result < 0:
            return result
        critical -= result & 0xFFFF
        flags = result >> 16
    return flags


@step
def find(p, s, a, b):
    """What a batch finds: ``b * looks + look``, the allocation order, the selected group or -1, the first group."""
    standing = standing_of(p, s)
    kind = b * p[at.LOOKS] + look_of(p, standing)
    order = allocation_order(p, a, standing)
    selected = selected_group(p, s, a) if get(p, p[at.PRECISION] + kind) else -1
    return kind, order, selected, current_group(s, order, selected)


@call
def resolve_batch(p, s, a, b, fives, flags):
    """One batch, completely. Returns the re-rolls left, or -1 - (the place of a missing table)."""
    p, s = unowned(p), unowned(s)
    kind, order, selected, first = find(p, s, a, b)
    ones, mine = get(p, p[at.ONES] + kind), at.HIT_ONE | at.WOUND_ONE | at.SAVE_ONE
    own_table = first
    if get(p, p[at.POOLS] + kind) != at.NO_POOLS:
        own_table, mine = 0, at.HIT_ONE | at.WOUND_ONE
    mine &= ones & flags
    found = (kind * p[at.FIVES] + (fives if get(p, p[at.BY_FIVES] + b) else 0)) * 8 + mine
    table = get(p, p[at.WOUND_TABLE] + found * p[at.GROUPS] + own_table)
    if table < 0:
        return -1 - (found * p[at.GROUPS] + own_table)
    s[p[at.ROLLED] + found] += 1
    packed = roll_batch(p, s, table, mine) if p[at.FORCED] < 0 else p[at.FORCED]
    # Only a batch that may spend the re-roll of damage gets to see it.
    kept = flags & at.DAMAGE_ONE & ~ones
    flags = ((flags & ~mine) | rerolls_of(packed)) & ~kept
    flags = after_the_rolls(p, s, a, b, kind, order, selected, first, packed, flags)
    return flags | kept if flags >= 0 else flags


@step
def after_the_rolls(p, s, a, b, kind, order, selected, first, packed, flags):
    """Save rolls, damage and mortal wounds of a batch.

    Returns the re-rolls left, or -1 - (the place of a missing table).
    """
    tally, pools = p[at.TALLY] + 3 * b, get(p, p[at.POOLS] + kind)
    unsaved, saved = unsaved_of(packed), saved_of(packed)
    turns = 1 if pools == at.NO_POOLS else 2
    for turn in range(turns):
        failing = p[at.UNSAVED] + kind * p[at.GROUPS]
        if pools != at.NO_POOLS:
            # A pool of identical attacks has an order and saves of its own (05.03.02).
            wounds = unsaved_of(packed)
            if (turn == 0) == (pools == at.CRITICAL_FIRST):
                failing, wounds = p[at.UNSAVED_CRITICAL] + kind * p[at.GROUPS], critical_of(packed)
            order = allocation_order(p, a, standing_of(p, s))
            if order == 0 or wounds == 0:
                continue
            first = current_group(s, order, selected)
            rolled = roll_saves(p, s, kind, failing, wounds, flags, first)
            unsaved, saved, flags = rolled & 0xFFFF, wounds - (rolled & 0xFFFF), rolled >> 16
        flags = save_rolls(p, s, kind, failing, first, unsaved, saved, NONE, order, selected, flags, tally)
        if flags < 0:
            return flags
    if get(p, p[at.DEVASTATING] + kind):
        flags = mortal_wounds(p, s, kind, critical_of(packed), order, selected, flags, tally)
    return flags
