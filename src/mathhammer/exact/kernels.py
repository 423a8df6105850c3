"""The loops of the exact engine, compiled: dice added one by one, steps along a chain of states.

All but `walk` know nothing of the game. A *chain* is the sequence of states that the target passes through in a known
order; a step goes from node ``i`` to the nodes ``to[first[i]:first[i + 1]]``, always forward, or stays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from mathhammer.compiled import WITHIN, compiled

kernel = compiled(nogil=True)
part = njit(**WITHIN)

NEGLIGIBLE = 1e-18
"""Tails that are together less probable than this are left out: no sum of doubles near 1 could show them."""


@kernel
def add_dice(number: Any, die: Any, failing: float) -> Any:
    """Results of a random number of equal dice.

    Parameters
    ----------
    number : ndarray of float64, shape (most dice + 1, carried)
        Probability of each number of dice, and of what is carried along.
    die : ndarray of float64, shape (a, b)
        Probability that one die adds so much to the result and to what is carried.
    failing : float
        Below 0: no single re-roll. Else the probability, part of ``die[0, 0]``, of a failure that spends it.

    Returns
    -------
    ndarray of float64, shape (2, results, carried)
        With the single re-roll spent (or none), and with it kept. The sum over n of number[n] * die ** n.
    """
    single = failing >= 0
    dice, carried = number.shape[0] - 1, number.shape[1]
    a, b = die.shape
    now = np.zeros((2, dice * (a - 1) + 1, carried + dice * (b - 1)))
    new = np.zeros(now.shape)
    high, wide = 1, carried
    enters = 1 if single else 0
    for n in range(dice, -1, -1):
        if n < dice:
            if single:
                # The first failure is rolled again: the die that follows it is counted now.
                for i in range(high):
                    for j in range(wide):
                        now[0, i, j] += failing * now[1, i, j]
            for layer in range(2 if single else 1):
                for i in range(high + a - 1):
                    for j in range(wide + b - 1):
                        new[layer, i, j] = 0.0
                for x in range(a):
                    for y in range(b):
                        p = die[x, y]
                        if layer == 1 and x == 0 and y == 0:
                            p -= failing
                        if p > 0.0:
                            for i in range(high):
                                for j in range(wide):
                                    new[layer, i + x, j + y] += p * now[layer, i, j]
            now, new = new, now
            high += a - 1
            wide += b - 1
        for j in range(carried):
            now[enters, 0, j] += number[n, j]
    tail = 0.0
    while high > 1 and tail <= NEGLIGIBLE:
        high -= 1
        for j in range(wide):
            tail += now[0, high, j] + now[1, high, j]
    high += tail > NEGLIGIBLE
    tail = 0.0
    while wide > 1 and tail <= NEGLIGIBLE:
        wide -= 1
        for i in range(high):
            tail += now[0, i, wide] + now[1, i, wide]
    wide += tail > NEGLIGIBLE
    return now[:, :high, :wide]


@kernel
def walk(
    start: Any, order: Any, selected: int, mortal: bool, character: Any, next_left: Any, next_row: Any,
    hurt: Any, models: Any, zero_of_row: Any,
) -> Any:  # fmt: skip
    """The chain of states from a start, wound by wound.

    Parameters
    ----------
    start : ndarray of int64, shape (groups + zeros + 1,)
        Wounds left by group, attacks that are still set to D 0, whether the single damage re-roll is at hand.
    order : ndarray of int64, shape (groups,)
        The declared allocation order.
    selected : int
        Group that PRECISION puts first, -1 for none.
    mortal : bool
        Who suffers mortal wounds (06.02), instead of who is allocated attacks (05.04).
    zero_of_row : ndarray of int64, shape (rows,)
        Place in a state of the attacks that this row still sets to D 0, -1 for none.

    Returns
    -------
    states : ndarray of int64, shape (nodes, groups + zeros + 1)
    group, row, left : ndarray of int64, shape (nodes,)
        The model that suffers next: its group, its row, its wounds left (-1: it sets D to 0; 0: nobody).
    worth : ndarray of float64, shape (2, nodes)
        Wounds and models that the unit has left.
    """
    groups, width = len(character), len(start)
    nodes = 1
    for i in range(width - 1):
        nodes += start[i]
    states = np.zeros((nodes, width), np.int64)
    group, row, left = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
    now = np.zeros(width, np.int64)
    for i in range(width):
        now[i] = start[i]
    node = 0
    while True:
        g, best = -1, 4
        if selected >= 0 and now[selected] > 0:
            g = selected
        else:
            for other in order:
                if now[other] > 0:
                    if not mortal:
                        g = other
                        break
                    own = 2 * int(character[other]) + int(not hurt[other, now[other]])
                    if own < best:
                        g, best = other, own
        if g < 0:
            # The state of a destroyed unit is all zeros, whatever else it had.
            break
        r = next_row[g, now[g]]
        zero = zero_of_row[r]
        if not mortal and zero >= 0 and now[zero] > 0:
            for i in range(width):
                states[node, i] = now[i]
            group[node], row[node], left[node] = g, r, -1
            now[zero] -= 1
            node += 1
            continue
        for wounds in range(next_left[g, now[g]], 0, -1):
            for i in range(width):
                states[node, i] = now[i]
            group[node], row[node], left[node] = g, r, wounds
            now[g] -= 1
            node += 1
    worth = np.zeros((2, node + 1))
    for i in range(node):
        for g in range(groups):
            worth[0, i] += states[i, g]
            worth[1, i] += models[g, states[i, g]]
    return states[: node + 1], group[: node + 1], row[: node + 1], left[: node + 1], worth


@part
def steps(row: Any, left: Any, lost: Any, mean: Any, single: bool) -> Any:
    """What one damaging attack does at each node of a chain.

    Parameters
    ----------
    row, left : ndarray of int64, shape (nodes,)
        As `walk` gives them; left is 0 also where these attacks do no harm.
    lost : ndarray of float64, shape (3, rows, most wounds + 1)
        Probability to lose so many wounds: without the single re-roll, with it kept, with it spent.
    mean : ndarray of float64, shape (2, rows)
        Mean of D, without the single re-roll and with it.
    single : bool
        Whether it can be at hand: then the nodes stand twice, those with it at hand first.

    Returns
    -------
    first : ndarray of int64, shape (nodes + 1,)
    to : ndarray of int64
    chance : ndarray of float64
    stay : ndarray of float64, shape (nodes,)
    counted : ndarray of float64, shape (2, nodes)
        Of an attack at each node: 1 where it counts as unsaved, and its mean D.
    """
    nodes, most = len(row), lost.shape[2]
    layers = 2 if single else 1
    size = 0
    for i in range(nodes):
        size += min(most, max(left[i], 1)) + 1
    to, chance = np.zeros(2 * layers * size, np.int64), np.zeros(2 * layers * size)
    first, stay = np.zeros(layers * nodes + 1, np.int64), np.zeros(layers * nodes)
    counted = np.zeros((2, layers * nodes))
    end = 0
    for at in range(layers * nodes):
        i = at % nodes
        kept = 1 if single and at < nodes else 0
        stay[at] = 1.0
        if left[i] != 0:
            counted[0, at] = 1.0
        if left[i] < 0:
            to[end], chance[end], stay[at] = at + 1, 1.0, 0.0
            end += 1
        elif left[i] > 0:
            stay[at] = lost[kept, row[i], 0]
            counted[1, at] = mean[kept, row[i]]
            for d in range(1, most):
                # What exceeds the model's wounds is lost.
                if d <= left[i]:
                    to[end] = at + d
                    end += 1
                chance[end - 1] += lost[kept, row[i], d]
            if kept == 1:
                for d in range(most):
                    if d <= left[i]:
                        to[end] = at + nodes + d
                        end += 1
                    chance[end - 1] += lost[2, row[i], d]
        first[at + 1] = end
    return first, to[:end], chance[:end], stay, counted


@part
def advance(now: Any, size: int, p: float, first: Any, to: Any, chance: Any, stay: Any) -> None:
    """Take one step with probability `p` from every node, in place: `now` has shape (nodes, columns)."""
    for i in range(now.shape[0] - 1, -1, -1):
        if first[i] == first[i + 1] and stay[i] == 1.0:
            continue
        for j in range(first[i], first[i + 1]):
            share, target = p * chance[j], to[j]
            for column in range(size):
                now[target, column] += share * now[i, column]
        share = 1.0 - p + p * stay[i]
        for column in range(size):
            now[i, column] *= share


@part
def total(values: Any, weights: Any) -> Any:
    """The sum of values with weights."""
    found = 0.0
    for i in range(len(values)):
        found += values[i] * weights[i]
    return found


@kernel
def take_all(mass: Any, p: float, row: Any, left: Any, lost: Any, mean: Any, single: bool) -> Any:
    """Let each of n dice make a step with probability `p`; the dice are used up.

    Parameters
    ----------
    mass : ndarray of float64, shape (nodes, most dice + 1, carried)
    row, left, lost, mean, single
        The step, see `steps`.

    Returns
    -------
    ndarray of float64, shape (nodes, carried)
        The sum over n of mass[:, n] * (1 - p + p * step) ** n.
    unsaved, damage : float
        Means over all steps made, those included that lead nowhere.
    """
    first, to, chance, stay, counted = steps(row, left, lost, mean, single)
    nodes, size, carried = mass.shape
    now, visits = np.zeros((nodes, carried)), np.zeros(nodes)
    for n in range(size - 1, -1, -1):
        if n < size - 1:
            for i in range(nodes):
                for c in range(carried):
                    visits[i] += p * now[i, c]
            advance(now, carried, p, first, to, chance, stay)
        for i in range(nodes):
            for c in range(carried):
                now[i, c] += mass[i, n, c]
    return now, total(counted[0], visits), total(counted[1], visits)


@kernel
def take_some(mass: Any, p: float, row: Any, left: Any, lost: Any, mean: Any, single: bool) -> Any:
    """Each of n dice is taken with probability `p` and makes a step; the others remain.

    Parameters and means as in `take_all`.

    Returns
    -------
    ndarray of float64, shape (nodes, most dice + 1, carried)
        By the dice that remain: the sum over m of binomial(remain + m, m) * mass[:, remain + m] * step ** m.
    unsaved, damage : float
    """
    first, to, chance, stay, counted = steps(row, left, lost, mean, single)
    nodes, size, carried = mass.shape
    binomial = np.zeros((size, size))
    binomial[0, 0] = 1.0
    for m in range(size):
        for remain in range(size - m):
            if remain > 0:
                binomial[m, remain] += (1.0 - p) * binomial[m, remain - 1]
            if m > 0:
                binomial[m, remain] += p * binomial[m - 1, remain]
    now, visits = np.zeros((nodes, size * carried)), np.zeros(nodes)
    for m in range(size - 1, -1, -1):
        before = (size - m - 1) * carried
        if before:
            for i in range(nodes):
                for c in range(before):
                    visits[i] += now[i, c]
            advance(now, before, 1.0, first, to, chance, stay)
        for i in range(nodes):
            for remain in range(size - m):
                for c in range(carried):
                    now[i, remain * carried + c] += binomial[m, remain] * mass[i, remain + m, c]
    return now.reshape(nodes, size, carried), total(counted[0], visits), total(counted[1], visits)
