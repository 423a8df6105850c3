"""Random bits and draws of the Monte Carlo engine against the same in plain whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import numpy as np
import pytest
from numba import njit

import mathhammer as mh
from mathhammer.montecarlo import blocks, draws, engine, in_step, kernels, memory, tables
from mathhammer.montecarlo.arrays import Arrays
from mathhammer.montecarlo.tables import TableStore
from mathhammer.plan import Plan, make_plan

# Where nothing is compiled numpy says what is meant to happen.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar")

WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
CHANCES = [0.05, 0.4, 0.15, 0.1, 0.3]


# The engine's parts can be called by compiled code only: these let Python call them.


@njit
def trial_start(key: Any, trial: Any) -> Any:
    return draws.trial_start(key, trial)


@njit
def next_bits(state: Any) -> Any:
    return draws.next_bits(state)


@njit
def uniform(state: Any, n: Any) -> Any:
    return draws.uniform(state, n)


@njit
def draw(p: Any, state: Any, place: Any) -> Any:
    return draws.draw(p, state, place)


@njit
def binomial(p: Any, state: Any, tries: Any, k: Any, m: Any) -> Any:
    return draws.binomial(p, state, tries, k, m)


@njit
def roll_batch(p: Any, state: Any, table: Any, flags: Any) -> Any:
    return kernels.roll_batch(p, state, table, flags)


@njit
def drawn_at(p: Any, x: Any, first: Any, place: Any, bits: Any) -> Any:
    return in_step.drawn_at(p, x, first, place, bits)


def mixed(count: int) -> int:
    """SplitMix64."""
    z = count & WORD
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def stream(key: int, trial: int) -> Iterator[int]:
    """The random numbers of a trial: it owns 2**25 counts."""
    count = key + (trial << 25) * GOLDEN
    while True:
        count += GOLDEN
        yield mixed(count)


def state_of(key: int, trial: int) -> Any:
    state = np.zeros(memory.FIXED_STATE, np.int64)
    state[memory.RNG] = np.uint64(trial_start(np.uint64(key), trial)).astype(np.int64)
    return state


def table(results: list[int], chances: list[float]) -> tuple[Any, int]:
    """An array that holds two tables, and the place of the second."""
    store = TableStore()
    store.add([7, 8, 9], [0.2, 0.3, 0.5])
    place = store.add(results, chances)
    head = np.full(memory.HEAD, -1, np.int64)
    head[memory.TABLES] = len(head)
    return np.concatenate([head, *store.parts(len(head))]), place


def drawn(p: Any, place: int, bits: int) -> int:
    """What a table of eight slots gives for 64 random bits."""
    _, first, _, _ = p[memory.HEAD + 4 * place :][:4].tolist()
    cut, below, above = p[first + 3 * (bits >> 61) :][:3].tolist()
    return int(below if (bits << 3 & WORD) < cut % 2**64 else above)


def test_splitmix_gives_its_published_numbers() -> None:
    first = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]
    numbers = stream(0, 0)
    assert [next(numbers) for _ in first] == first
    state = state_of(0, 0)
    assert [int(next_bits(state)) for _ in first] == first


@pytest.mark.parametrize(("key", "trial"), [(1, 0), (2**63 + 5, 1), (WORD, 10**11 - 1)])
def test_every_trial_has_a_stream_of_its_own(key: int, trial: int) -> None:
    state, numbers = state_of(key, trial), stream(key, trial)
    for _ in range(20):
        assert int(next_bits(state)) == next(numbers)


@pytest.mark.parametrize("sides", [1, 2, 3, 6, 36])
def test_a_whole_number_below_n(sides: int) -> None:
    state, numbers = state_of(3, sides), stream(3, sides)
    rolled = [int(uniform(state, sides)) for _ in range(200)]
    assert rolled == [next(numbers) * sides >> 64 for _ in rolled]
    assert set(rolled) <= set(range(sides))


def test_a_draw_takes_a_slot_and_one_side_of_its_cut() -> None:
    p, place = table([0, 1, 2, 3, 4], CHANCES)
    state, numbers = state_of(11, 0), stream(11, 0)
    found = [int(draw(p, state, place)) for _ in range(3000)]
    assert found == [drawn(p, place, next(numbers)) for _ in found]
    assert np.bincount(found) / 3000 == pytest.approx(CHANCES, abs=5 * (0.25 / 3000) ** 0.5)


def test_what_is_certain_costs_no_random_number() -> None:
    p, place = table([5], [1.0])
    state, numbers = state_of(1, 1), stream(1, 1)
    assert [int(draw(p, state, place)) for _ in range(3)] == [5, 5, 5]
    assert int(next_bits(state)) == next(numbers)


def test_batch_by_batch_the_same_bits_give_the_same_result() -> None:
    p, place = table([0, 1, 2, 3, 4], CHANCES)
    bits, first, _, _ = p[memory.HEAD + 4 * place :][:4].tolist()
    numbers = stream(5, 5)
    for x in (next(numbers) for _ in range(500)):
        assert drawn_at(p, np.uint64(x), first, np.int64(0), bits) == drawn(p, place, x)
        # The second of several tables with as many slots each.
        assert drawn_at(p, np.uint64(x), first - 24, np.int64(1), bits) == drawn(p, place, x)
    p, place = table([5], [1.0])
    first = int(p[memory.HEAD + 4 * place + 1])
    assert drawn_at(p, np.uint64(WORD), first, np.int64(0), 0) == 5


def test_a_cut_is_the_first_above_it() -> None:
    """What has no chance is not even drawn by bits of 0."""
    p, place = table([0, 1, 2, 3, 4], CHANCES)
    bits, first, _, _ = p[memory.HEAD + 4 * place :][:4].tolist()
    p[first : first + 3] = [8, 5, 6]
    below, above = (drawn_at(p, np.uint64(x), first, np.int64(0), bits) for x in (0, 1))
    assert (below, above) == (5, 6)
    # And where draws are only counted, by twice the slot and whether it is the one below.
    x = next(stream(3, 0))
    slot = x >> 61
    for cut, half in ((x << 3 & WORD, 2 * slot), ((x << 3 & WORD) + 1, 2 * slot + 1)):
        p[first + 3 * slot] = np.uint64(cut).astype(np.int64)
        counts = np.zeros(4 * 16, np.int64)
        blocks.count_draws(p, place, np.uint64(3), 0, 1, counts)
        assert np.flatnonzero(counts.reshape(4, 16).sum(axis=0)).tolist() == [half]


def planned(weapons: list[str], models: list[Any], **more: Any) -> Plan:
    attacker = {"name": "A", "weapons": weapons, **more.pop("own", {})}
    target = {"name": "B", "models": models}
    return make_plan(mh.Scenario.from_dict({"attacker": attacker, "target": target, **more}))


@pytest.mark.parametrize(("k", "m"), [(1, 2), (1, 3), (2, 3), (3, 4), (1, 6), (5, 6)])
@pytest.mark.parametrize("tries", [0, 1, 5, 16, 17, 40])
def test_tries_that_succeed(k: int, m: int, tries: int) -> None:
    p, state = (
        Arrays(planned(["Gun: A1 BS3+ S4 AP0 D1"], ["Lout: T4 Sv5+ W1", "Ogre: T4 Sv3+ W2"])).p,
        state_of(9, tries),
    )
    found = [int(binomial(p, state, tries, k, m)) for _ in range(600)]
    error = (tries * k / m * (1 - k / m) / 600) ** 0.5
    assert 0 <= min(found) <= max(found) <= tries
    assert np.mean(found) == pytest.approx(tries * k / m, abs=5 * error)
    assert np.var(found) == pytest.approx(tries * k / m * (1 - k / m), rel=0.4)


@pytest.mark.parametrize(("dice", "pieces"), [(1, 1), (2, 1), (7, 3), (8, 1), (13, 3)])
def test_dice_in_pieces_are_drawn_by_powers_of_two(
    dice: int, pieces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven are four and two and one: three random numbers."""
    monkeypatch.setattr(tables, "LARGEST_TABLE", 1)
    arrays = Arrays(planned([f"{dice}x Gun: A1 BS3+ S4 AP-1 D1"], ["9x Lout: T4 Sv5+ W1"]))
    table = arrays.wound_table((0, 0, 0, 0, 0))
    state, numbers = state_of(2, 0), stream(2, 0)
    wounds = roll_batch(arrays.p, state, np.int64(table), np.int64(0))
    assert 0 <= wounds <= dice
    assert int(next_bits(state)) == [next(numbers) for _ in range(pieces + 1)][-1]


MIXED = planned(
    ["2x Gun: AD3 BS3+ S5 AP-1 DD3 [SUSTAINED HITS 1, DEVASTATING WOUNDS, HAZARDOUS]", "Rifle: A3 BS3+ S4 AP-1 D1"],
    ["3x Novice: T3 Sv5+ W1", "2x Veteran: T4 Sv3+ W2 FNP5+", "Captain: T4 Sv2+ InSv4+ W5 [CHARACTER]"],
    own={"models": ["3x Bearer: T4 Sv3+ W2"]},
)  # fmt: skip


def played(first: int, trials: int) -> tuple[list[int], list[int]]:
    """Codes of the final states, and of the attackers' losses."""
    arrays = Arrays(MIXED)
    codes, own_codes = np.empty(trials, np.int64), np.empty(trials, np.int64)
    missing = -1
    while missing:
        missing = blocks.run_block(arrays.p, arrays.empty_state(), np.uint64(7), first, codes, own_codes)
        if missing:
            arrays.make_missing(-1 - missing)
    return codes.tolist(), own_codes.tolist()


def test_a_trial_is_the_same_in_any_block() -> None:
    codes, losses = played(0, 60)
    assert played(23, 37) == (codes[23:], losses[23:])
    assert len(set(codes)) > 5
    assert len(set(losses)) > 2


def taken_batch_by_batch(weapons: list[str], models: list[Any], trials: int) -> tuple[list[int], list[int]]:
    """How many numbers of its own stream each trial took, and the codes of the final states."""
    arrays, key, first = Arrays(planned(weapons, models)), 2**63 + 5, 100
    assert engine._batch_by_batch(arrays, engine._empty(arrays), Event(), key, first, trials)
    counts = [(now - key) * pow(GOLDEN, -1, 2**64) for now in arrays.room.rng[:trials].tolist()]
    taken = [(count - (trial << 25)) % 2**64 for trial, count in enumerate(counts, first)]
    return taken, arrays.room.codes[:trials].tolist()


def test_batch_by_batch_a_trial_takes_numbers_of_its_own_stream() -> None:
    """One for the wounds, one for what they do, and one for devastating wounds."""
    gun = "2x Gun: A2 BS3+ S5 AP-1 D1 [DEVASTATING WOUNDS]"
    taken, _ = taken_batch_by_batch([gun], ["5x Guard: T4 Sv3+ W2"], 60)
    assert set(taken) == {2, 3}


def test_batch_by_batch_a_trial_goes_on_until_its_target_is_gone() -> None:
    guns = ["Gun: A3 BS3+ S5 AP-1 D1", "Second: A1 BS3+ S6 AP-1 D1"]
    taken, codes = taken_batch_by_batch(guns, ["2x Lout: T4 Sv5+ W1"], 60)
    assert {numbers for numbers, code in zip(taken, codes, strict=True) if code} == {4}
    assert {numbers for numbers, code in zip(taken, codes, strict=True) if not code} == {2, 4}


def test_trial_by_trial_the_attacks_on_one_group_cost_two_numbers() -> None:
    """One for the wounds, one for what they do; saves are not looked at while the group lives."""
    models = ["4x Guard: T4 Sv3+ W1", "Captain: T4 Sv4+ W2 [CHARACTER]"]
    arrays, key = Arrays(planned(["2x Gun: A2 S9 AP-2 D1 [TORRENT]"], models)), 2**63 + 5
    found = set()
    for trial in range(200):
        missing = -1
        while missing:
            state, codes = arrays.empty_state(), np.zeros(1, np.int64)
            missing = blocks.run_block(arrays.p, state, np.uint64(key), trial, codes, codes.copy())
            if missing:
                arrays.make_missing(-1 - missing)
        taken = (int(state[memory.RNG]) - key) * pow(GOLDEN, -1, 2**64) - (trial << 25)
        found.add((int(arrays.states - 1 - codes[0]), taken % 2**64))
    # Where all is saved there is nothing to draw.
    assert found == {(0, 1), (1, 2), (2, 2), (3, 2), (4, 2)}


@pytest.mark.parametrize("trials", [1, 700])
@pytest.mark.parametrize("attacks", ["A2", "A0", "AD6"])
def test_only_counting_gives_the_same_as_playing(
    attacks: str, trials: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 0 if attacks == "A0" else 10
    plan = planned(
        [f"{count}x Rifle: {attacks.replace('A0', 'A1')} BS3+ S4 AP-1 D1"], ["10x Grunt: T4 Sv3+ W2"]
    )
    counted = engine.run(plan, trials, seed=4, threads=1)
    monkeypatch.setattr(engine, "_certain", lambda arrays: None)
    monkeypatch.setattr(Arrays, "_in_step", lambda self: False)
    assert engine.run(plan, trials, seed=4, threads=1).to_dict() == counted.to_dict()
