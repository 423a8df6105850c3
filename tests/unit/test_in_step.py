"""Two ways through the sequence, batch by batch and trial by trial: which plans take which, and the same answers."""

from __future__ import annotations

from threading import Event
from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.montecarlo import chains, engine, in_step, memory, run, tables
from mathhammer.montecarlo.arrays import Arrays
from mathhammer.plan import make_plan

GUARDED = [
    "2x Shield: T4 Sv2+ InSv4+ W3 FNP5+",
    "3x Warden: T4 Sv3+ W2",
    "1x Captain: T4 Sv3+ InSv4+ W5 [CHARACTER, LEADER]",
]
TRIALS = 40_000
CLOSE = 5.5
"""Standard errors: of some 200 comparisons one in ten million runs would have a larger one by chance."""


def fight(weapons: list[str], models: list[str] = GUARDED, **keys: Any) -> mh.Scenario:
    data = {"attacker": {"name": "A", "weapons": weapons}, "target": {"name": "T", "models": models}}
    return mh.Scenario.from_dict(data | keys)


IN_STEP = {
    "one weapon": fight(["10x Rifle: A2 BS3+ S4 AP-1 D1"]),
    "two batches": fight(["10x Rifle: A2 BS3+ S4 AP-1 D1", "4x Lance: A1 BS3+ S9 AP-3 DD6"]),
    "mortal wounds": fight(["3x Gun: AD3 BS3+ S8 AP-2 DD3 [DEVASTATING WOUNDS, SUSTAINED HITS 1]"]),
    "a marksman": fight(
        ["3x Long rifle: A3 BS2+ S6 AP-2 DD3 [PRECISION, DEVASTATING WOUNDS]", "9x Axe: A2 BS3+ S4 AP0 D1"]
    ),
    "save re-rolls": fight(["12x Rifle: A2 BS3+ S5 AP-2 D2"], modifiers={"reroll_saves": "ones"}),
    "no save at all": fight(
        ["8x Torch: A3 S6 AP-6 D2 [TORRENT]"], ["5x Grunt: T4 Sv- W2", "2x Ogre: T5 Sv- W3"]
    ),
}
ONE_BY_ONE = {
    "more dice by the models there": fight(["2x Mortar: AD6 BS3+ S5 AP0 D1 [BLAST]"]),
    "a single re-roll": fight(["4x Lance: A1 BS3+ S9 AP-3 DD6"], modifiers={"reroll_wounds": "one"}),
    "pools": fight(["9x Blade: A2 BS3+ S4 AP-1 D1"], modifiers={"extra_ap_on_critical_wound": 2}),
    "losses of its own": fight(
        [],
        attacker={
            "name": "A",
            "weapons": ["5x Plasma: A2 BS3+ S8 AP-3 D2 [HAZARDOUS]"],
            "models": ["5x Man: T4 Sv3+ W2"],
        },
    ),
    "damage that becomes 0": fight(
        ["4x Lance: A1 BS3+ S9 AP-3 DD6"],
        [{"name": "Idol", "toughness": 9, "save": 3, "wounds": 9, "damage_to_zero": 1}],  # type: ignore[list-item]
    ),
    "six groups": fight(
        ["9x Gun: A2 BS3+ S4 AP-1 D1"],
        [f"2x Row {sv} {w}: T4 Sv{sv}+ W{w}" for sv in (3, 4) for w in (1, 2, 3)],
    ),
}


@pytest.mark.parametrize("name", IN_STEP)
def test_batch_by_batch_where_the_state_decides_what_a_batch_finds(name: str) -> None:
    arrays = Arrays(make_plan(IN_STEP[name]))
    assert arrays.in_step
    assert engine._batch_by_batch(arrays, engine._empty(arrays), Event(), 1, 0, 500)


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_trial_by_trial_where_more_than_the_state_decides(name: str) -> None:
    assert not Arrays(make_plan(ONE_BY_ONE[name])).in_step


def numbers(out: mh.Outcome) -> np.ndarray[Any, Any]:
    names = ("unsaved", "mortal_wounds", "damage", "wounds_lost", "models_destroyed")
    funnel = [row[name] for row in out.by_weapon for name in names]
    return np.array([out.wounds_lost.mean, out.models_destroyed.mean, out.unit_destroyed, *funnel])


def spread(out: mh.Outcome) -> np.ndarray[Any, Any]:
    """Standard errors that are large enough for `numbers`: no mean of a batch varies more than its D sums."""
    funnel = [row["damage"] * 2 + 1 for row in out.by_weapon for _ in range(5)]
    return np.array([out.wounds_lost.sd, out.models_destroyed.sd, 0.5, *funnel]) / TRIALS**0.5


@pytest.mark.parametrize("name", IN_STEP)
def test_both_ways_give_the_same_answer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(IN_STEP[name])
    by_batches = run(plan, TRIALS, seed=1)
    monkeypatch.setattr(Arrays, "_in_step", lambda self: False)
    by_trials = run(plan, TRIALS, seed=2)
    apart = np.abs(numbers(by_batches) - numbers(by_trials))
    assert (apart <= CLOSE * 2**0.5 * spread(by_trials) + 1e-12).all()
    exact = numbers(mh.solve(IN_STEP[name]))
    assert (np.abs(numbers(by_batches) - exact) <= CLOSE * spread(by_batches) + 1e-12).all()


def test_a_batch_that_is_drawn_in_pieces_leaves_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGEST_TABLE", 0)
    scenario = IN_STEP["two batches"]
    out, exact = run(make_plan(scenario), TRIALS, seed=1), mh.solve(scenario)
    assert (np.abs(numbers(out) - numbers(exact)) <= CLOSE * spread(out) + 1e-12).all()


@pytest.mark.parametrize(
    ("module", "name"), [(tables, "LARGEST_TABLE"), (chains, "LARGEST")], ids=["in pieces", "one by one"]
)
def test_what_is_not_drawn_at_once_is_played_trial_by_trial(
    module: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, 0)
    plan = make_plan(IN_STEP["two batches"])
    arrays = Arrays(plan)
    assert engine._batch_by_batch(arrays, engine._empty(arrays), Event(), 1, 0, 3) is None
    assert not arrays.in_step
    out = run(plan, 20, seed=1, threads=1)
    monkeypatch.setattr(Arrays, "_in_step", lambda self: False)
    assert out.to_dict() == run(plan, 20, seed=1, threads=1).to_dict()


def test_a_group_too_large_to_draw_at_once_leaves_the_step_when_it_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chains, "LARGEST", 60)
    models = ["Guard: T4 Sv3+ W2", "Giant: T4 Sv4+ W6", "Squire: T4 Sv5+ W2"]
    order = {"allocation_order": ["Guard", "Giant", "Squire"]}
    for weapons, at_once in (
        (["4x Gun: A1 S9 AP-6 D1 [TORRENT]"], True),
        (["4x Gun: A1 S9 AP-6 D1 [TORRENT]", "Other: A1 S9 AP-6 D2 [TORRENT]"], False),
        ([f"Gun {s}: A1 S{s} AP-6 D1 [TORRENT]" for s in (10, 9)], True),
        ([f"Gun {s}: A1 S{s} AP-6 D1 [TORRENT]" for s in (10, 9, 8)], False),
    ):
        arrays = Arrays(make_plan(fight(weapons, models, choices=order)))
        played = engine._batch_by_batch(arrays, engine._empty(arrays), Event(), 1, 0, 20)
        assert arrays.in_step == (played is not None) == at_once


class TestOneBatch:
    """In all trials, from states that were met before or not."""

    def taken(self, arrays: Arrays, trials: int) -> engine.Played:
        played = engine._batch_by_batch(arrays, engine._empty(arrays), Event(), 1, 0, trials)
        assert played
        return played

    def take(
        self, arrays: Arrays, known: np.ndarray[Any, Any], codes: np.ndarray[Any, Any]
    ) -> tuple[Any, ...]:
        """What comes back; the state, in which the place of the target's code is marked; who rolled dice."""
        state, rng = arrays.empty_state(), np.arange(len(codes), dtype=np.uint64)
        state[memory.CODE] = -1
        back = in_step.take_batch(arrays.p, state, known, rng, codes, np.empty(3 * 7, np.int64), 0, 0, 0)
        return back, state, rng != np.arange(len(codes))

    def known(self, arrays: Arrays) -> np.ndarray[Any, Any]:
        return np.zeros(arrays.states * in_step.RECORD, np.int64)

    def test_it_is_taken_in_one_go_and_only_where_the_target_lives(self) -> None:
        arrays = Arrays(make_plan(IN_STEP["a marksman"]))
        self.taken(arrays, 20)
        codes = np.full(12, arrays.states - 1)
        codes[[0, 3, 7, 8]] = 0
        living = codes > 0
        back, _, rolled = self.take(arrays, self.known(arrays), codes)
        assert back == (12, 0)
        assert rolled.tolist() == living.tolist()
        assert not codes[~living].any()

    @pytest.mark.parametrize(
        ("abilities", "models"),
        [
            ("", ["5x Guard: T4 Sv3+ W2"]),
            (
                "",
                [
                    {"name": "Guard", "count": 5, "T": 4, "Sv": 3, "W": 2, "wounds_lost": 1},
                    "Lout: T4 Sv5+ W1",
                ],
            ),
            (", PRECISION", ["Guard: T4 Sv3+ W2", "Captain: T4 Sv3+ W9 [CHARACTER]"]),
        ],
        ids=["one group", "a hurt one", "PRECISION"],
    )
    def test_a_state_is_looked_up_once_and_what_is_drawn_at_once_leaves_nothing_to_the_steps(
        self, abilities: str, models: list[Any]
    ) -> None:
        """Four attacks on nine wounds or ten: nobody has to look who suffers next."""
        gun = f"2x Gun: A2 BS3+ S5 AP-1 D1 [DEVASTATING WOUNDS{abilities}]"
        arrays = Arrays(make_plan(fight([gun], models)))
        self.taken(arrays, 20)
        known, codes = self.known(arrays), np.full(60, arrays.states - 1)
        first = self.take(arrays, known, codes.copy())[1]
        back, again, _ = self.take(arrays, known, codes)
        assert back == (60, 0)
        assert (first[memory.CODE], again[memory.CODE]) == (arrays.states - 1, -1)
        assert (again[memory.FIXED_STATE :] == first[memory.FIXED_STATE :]).all()
        assert len(set(codes.tolist())) > 3

    def test_a_destroyed_unit_leaves_nothing_to_the_steps(self) -> None:
        arrays = Arrays(make_plan(fight(["9x Gun: A1 S9 AP-6 D1 [TORRENT]"], ["Lout: T4 Sv5+ W1"])))
        self.taken(arrays, 1)
        known, codes = self.known(arrays), np.ones(20, np.int64)
        self.take(arrays, known, codes.copy())
        state = self.take(arrays, known, codes)[1]
        assert not codes.any()
        assert state[memory.CODE] == -1

    @pytest.mark.parametrize("name", ["a marksman", "two batches"])
    def test_when_another_thread_leaves_the_step_it_still_asks_for_each_table(self, name: str) -> None:
        left, arrays = Arrays(make_plan(IN_STEP[name])), Arrays(make_plan(IN_STEP[name]))
        left.in_step = False
        for one, other in zip(self.taken(left, 50), self.taken(arrays, 50), strict=True):
            assert one.tolist() == other.tolist()
        assert (left._chain == memory.NOT_MADE).tolist() == (arrays._chain == memory.NOT_MADE).tolist()


def test_more_than_the_kernels_can_number_is_refused() -> None:
    gun = ["Gun: A1 BS3+ S4 AP0 D1 [HAZARDOUS]"]
    leaders = [{"name": "Leader", "count": 16, "T": 4, "Sv": 3, "W": 2, "character": True}]
    with pytest.raises(mh.UnsupportedScenario, match=r"target\.models = 16: at most 15 allocation groups"):
        Arrays(make_plan(fight(gun, leaders)))  # type: ignore[arg-type]
    with pytest.raises(mh.UnsupportedScenario, match=r"attacker\.models = 16: at most 15 allocation groups"):
        Arrays(make_plan(fight([], attacker={"name": "A", "weapons": gun, "models": leaders})))
    giants = [f"Giant {row}: T4 Sv{2 + row % 5}+ W{50 + row}" for row in range(12)]
    with pytest.raises(mh.UnsupportedScenario, match="too many groups and wounds to number"):
        Arrays(make_plan(fight(gun, giants)))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_any_number_of_threads_gives_the_same_outcome(threads: int) -> None:
    plan = make_plan(IN_STEP["a marksman"])
    assert run(plan, 4 * TRIALS, 7, threads).to_dict() == run(plan, 4 * TRIALS, 7, 1).to_dict()
