"""The exact engine: values that calculators get wrong, sums, bounds, and the steps it is written in."""

from __future__ import annotations

import ast
import inspect
from math import comb
from typing import Any

import numpy as np
import pytest
from numba import njit
from tests.enumerate_dice import enumerated

import mathhammer as mh
from mathhammer.exact import batch, counts, engine, kernels
from mathhammer.exact.chains import Chain, Declared, target_of
from mathhammer.plan import make_plan


def solved(weapons: list[Any], models: list[Any], **keys: Any) -> mh.Outcome:
    target = {"name": "Target", "models": models, **keys.pop("target", {})}
    attacker = {"name": "Attacker", "weapons": weapons, **keys.pop("attacker", {})}
    return mh.solve(mh.Scenario.from_dict({"attacker": attacker, "target": target, **keys}))


class TestRightWhereOthersAreWrong:
    def test_two_shots_a_model_against_two_wounds_each(self) -> None:
        out = solved(["20x Gun: A1 BS3+ S4 AP-1 D1"], ["10x Grunt: T4 Sv3+ W2"])
        # Independent of the engine: 20 dice that each take a wound with 2/3 * 1/2 * 1/2, rounded down to models.
        chance = [comb(20, k) * (1 / 6) ** k * (5 / 6) ** (20 - k) for k in range(21)]
        assert out.wounds_lost.mean == pytest.approx(10 / 3, abs=1e-9)
        assert out.models_destroyed.mean == pytest.approx(
            sum(p * (k // 2) for k, p in enumerate(chance)), abs=1e-9
        )
        assert out.models_destroyed.mean == pytest.approx(1.416742, abs=5e-7)

    def test_high_damage_into_feel_no_pain(self) -> None:
        out = solved(["6x Gun: A1 BS3+ S9 AP-3 DD6"], ["3x Elite: T6 Sv2+ InSv4+ W4 FNP5+"])
        assert out.wounds_lost.mean == pytest.approx(2.729567, abs=5e-7)
        assert out.models_destroyed.mean == pytest.approx(0.453114, abs=5e-7)
        assert out.models_destroyed.pmf == pytest.approx([0.606306, 0.337974, 0.052023, 0.003698], abs=5e-7)

    def test_sustained_hits_are_not_lethal(self) -> None:
        out = solved(
            ["12x Gun: A1 BS6+ S4 AP0 D1 [LETHAL HITS, SUSTAINED HITS 1]"], ["20x Grunt: T8 Sv3+ W1"]
        )
        # Two critical hits: two automatic wounds, two extra hits that wound on 6+; a third is not saved.
        assert out.wounds_lost.mean == pytest.approx((2 + 2 / 6) / 3, abs=1e-9)

    def test_devastating_wounds_damage_one_model_each(self) -> None:
        out = solved(["6x Gun: A1 BS2+ S4 AP0 D2 [DEVASTATING WOUNDS]"], ["20x Grunt: T4 Sv2+ W1"])
        # 5 hits: 5/6 critical wounds, 5/3 ordinary ones of which a sixth is not saved; one model each.
        assert out.models_destroyed.mean == pytest.approx(5 / 6 + 5 / 3 / 6, abs=1e-9)
        assert out.wounds_lost.mean == pytest.approx(1.1111, abs=5e-5)

    @pytest.mark.parametrize(("models", "lost"), [(20, 8.332299), (40, 8.333333)])
    def test_sustained_hits_end_with_the_unit(self, models: int, lost: float) -> None:
        out = solved(["12x Gun: A1 BS4+ S8 AP0 D1 [SUSTAINED HITS 2]"], [f"{models}x Grunt: T4 Sv- W1"])
        assert out.wounds_lost.mean == pytest.approx(lost, abs=5e-7)


ATTACHED = [
    "10x Guard: T4 Sv3+ W2 FNP5+",
    "5x Veteran: T4 Sv2+ InSv4+ W3 FNP5+",
    "Captain: T4 Sv2+ InSv4+ W5 FNP4+ [CHARACTER]",
]


class TestAdmitted:
    """What the bound must let through; and the mass stays 1."""

    @pytest.mark.parametrize(
        ("weapons", "models"),
        [
            (["60x Gun: A2 BS3+ S4 AP-1 D1"], ["20x Grunt: T4 Sv3+ W2"]),
            (
                ["60x Gun: A2 BS3+ S4 AP-1 D2 [LETHAL HITS, SUSTAINED HITS 1]"],
                ["20x Grunt: T4 Sv3+ W3 FNP5+"],
            ),
            (["60x Gun: A1 BS3+ S5 AP-1 D2 [SUSTAINED HITS 1, DEVASTATING WOUNDS]"], ATTACHED),
            (["60x Gun: A1 BS3+ S5 AP-1 DD3 [SUSTAINED HITS D3, DEVASTATING WOUNDS, PRECISION]"], ATTACHED),
        ],
    )
    def test_large_attacks(self, weapons: list[str], models: list[str]) -> None:
        out = solved(weapons, models)
        for distribution in (out.wounds_lost, out.models_destroyed, *out.by_model.values()):
            assert distribution.pmf.sum() == pytest.approx(1, abs=1e-12)
            assert distribution.standard_error == 0
        assert sum(row["wounds_lost"] for row in out.by_weapon) == pytest.approx(out.wounds_lost.mean)
        assert out.engine == "exact"
        assert out.trials is None
        assert out.seed is None

    def test_beyond_the_bound_says_how_large_and_what_to_do(self) -> None:
        gun = "1000x Gun: A3 BS3+ S5 AP-1 DD6 [LETHAL HITS, SUSTAINED HITS D3, DEVASTATING WOUNDS]"
        with pytest.raises(mh.UnsupportedScenario, match=r"steps.*use simulate"):
            solved([gun], ["100x Grunt: T4 Sv3+ W3 FNP5+"], choices={"lethal_hits": "always"})

    def test_too_many_states_says_so_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(engine, "MOST_STATES", 10)
        with pytest.raises(mh.UnsupportedScenario, match=r"10 states.*use simulate"):
            solved(["20x Gun: A1 BS3+ S4 AP-1 D1"], ["20x Grunt: T4 Sv3+ W1"])


class TestOrder:
    def test_saves_are_resolved_from_the_lowest(self) -> None:
        """One attack each on 1..6 against a 5+ group before a 3+ group: the 5+ group takes the low rolls."""
        out = solved(["2x Gun: A1 S9 AP0 D1 [TORRENT]"], ["Novice: T4 Sv5+ W1", "Veteran: T4 Sv3+ W2"])
        # Both wound on 2+. Novice survives if no save roll of 1..4; a second low roll must be a 1 or 2.
        two, one = 25 / 36, 10 / 36
        none_fails = two * (2 / 6) ** 2 + one * 2 / 6 + 1 / 36
        assert out.by_model["Novice"].pmf[0] == pytest.approx(none_fails, abs=1e-12)
        # Of two rolls the lower takes the Novice (1..4), the higher must be 1 or 2 to hurt the Veteran.
        assert out.wounds_lost.pmf[2] == pytest.approx(two * (2 / 6) ** 2, abs=1e-12)

    def test_a_wounded_group_comes_first_in_the_next_batch(self) -> None:
        models = ["Novice: T4 Sv- W3", "Veteran: T4 Sv- W2", "Captain: T4 Sv- W4 [CHARACTER]"]
        guns = ["First: A1 S9 AP0 D1 [TORRENT]", "Second: A1 S10 AP0 D3 [TORRENT]"]
        choices = {"allocation_order": ["Veteran", "Novice", "Captain"]}
        out = solved(guns, models, choices=choices, modifiers={"reroll_wounds": "failures"})
        assert out.probability(lambda alive: alive["Novice"] == 0) == pytest.approx(0, abs=1e-12)

    def test_no_mean_is_negative(self) -> None:
        out = solved(["6x Gun: A2 BS6+ S1 AP0 D1"], ["1x Tank: T14 Sv2+ W20"])
        assert min(value for row in out.by_weapon for value in row.values() if isinstance(value, float)) >= 0
        assert out.after_attacker[0]["models_destroyed"] >= 0

    def test_steps_have_the_names_of_the_monte_carlo_kernels(self) -> None:
        steps = ["attack_dice", "hit_rolls", "wound_rolls"]
        assert [name for name in functions(counts) if name in steps] == steps
        steps = ["save_rolls", "inflict_damage", "mortal_wounds"]
        assert [name for name in functions(batch) if name in steps] == steps


def functions(module: Any) -> list[str]:
    tree = ast.parse(inspect.getsource(module))
    return [node.name for node in sorted(walk_functions(tree), key=lambda node: node.lineno)]


def walk_functions(tree: ast.AST) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


class TestActivations:
    def test_a_unit_that_is_not_needed_is_kept_back(self) -> None:
        units = [{"name": name, "weapons": ["Gun: A1 S9 AP-6 D3 [TORRENT, HAZARDOUS]"]} for name in "AB"]
        for unit in units:
            unit["models"] = ["Bearer: T4 Sv3+ W1"]
        out = mh.solve(
            mh.Scenario.from_dict({"attacker": units, "target": {"name": "T", "models": ["Foe: T4 Sv3+ W1"]}})
        )
        assert out.attackers_used.pmf == pytest.approx([0, 5 / 6, 1 / 6], abs=1e-12)
        # Each used bearer fails its hazard roll on 1 or 2.
        one = np.array([2 / 3, 1 / 3])
        expected = 5 / 6 * np.append(one, 0) + 1 / 6 * np.convolve(one, one)
        assert out.attacker_models_destroyed.pmf == pytest.approx(expected, abs=1e-12)
        assert [row["unit_destroyed"] for row in out.after_attacker] == pytest.approx([5 / 6, 35 / 36])

    def test_a_single_re_roll_is_there_again_for_the_next_unit(self) -> None:
        unit = {"weapons": ["2x Gun: A1 BS4+ S9 AP-6 D1"], "modifiers": {"reroll_hits": "one"}}
        units = [{"name": name, **unit} for name in "AB"]
        target = {"name": "T", "models": ["40x Foe: T4 Sv3+ W1"]}
        out = mh.solve(mh.Scenario.from_dict({"attacker": units, "target": target}))
        # Two dice on 4+, and another half hit if one of them failed.
        assert [row["hits"] for row in out.by_weapon] == pytest.approx([1 + 3 / 8, 1 + 3 / 8], abs=1e-12)

    def test_a_count_of_zero_is_a_row_of_zeros(self) -> None:
        out = solved(["0x Gun: A1 BS4+ S4 AP0 D1"], ["Foe: T4 Sv3+ W1"])
        assert [value for value in out.by_weapon[0].values() if isinstance(value, float)] == [0.0] * 10
        assert out.wounds_lost.pmf[0] == 1


@njit
def steps(row: Any, left: Any, lost: Any, mean: Any, single: Any) -> Any:
    """`kernels.steps`, which only compiled code can call."""
    return kernels.steps(row, left, lost, mean, single)


class TestKernels:
    def test_dice_added_are_a_power(self) -> None:
        die = np.array([[0.5], [0.3], [0.2]])
        number = np.array([[0.0], [0.0], [0.0], [1.0]])
        spent, kept = kernels.add_dice(number, die, -1.0)
        expected = np.convolve(np.convolve(die[:, 0], die[:, 0]), die[:, 0])
        assert spent[:, 0] == pytest.approx(expected, abs=1e-15)
        assert not kept.any()

    def test_a_single_re_roll_is_spent_or_kept(self) -> None:
        die = np.array([[0.5], [0.5]])
        spent, kept = kernels.add_dice(np.array([[0.0], [0.0], [1.0]]), die, 0.5)
        assert kept[:, 0] == pytest.approx([0, 0, 0.25])
        # At least one of two coins fails, and is thrown again.
        assert spent[:, 0] == pytest.approx([0.125, 0.375, 0.25])

    def test_what_has_no_chance_takes_no_room(self) -> None:
        number, die = np.array([[0.0], [1.0], [0.0]]), np.array([[0.5, 0.0], [0.5, 0.0]])
        spent, kept = kernels.add_dice(number, die, -1.0)
        assert spent.tolist() == [[0.5], [0.5]]
        assert kept.shape == spent.shape

    def test_a_single_re_roll_that_no_failure_can_spend_is_kept(self) -> None:
        spent, kept = kernels.add_dice(np.array([[0.0], [0.0], [1.0]]), np.array([[0.5], [0.5]]), 0.0)
        assert kept.tolist() == [[0.25], [0.5], [0.25]]
        assert not spent.any()

    def test_a_failure_carries_nothing(self) -> None:
        die = np.array([[0.5, 0.25], [0.25, 0.0]])
        spent, kept = kernels.add_dice(np.array([[0.0], [1.0]]), die, 0.5)
        assert kept.tolist() == [[0, 0.25], [0.25, 0]]
        assert spent.tolist() == (die / 2).tolist()

    def test_dice_that_only_carry(self) -> None:
        number, die = np.array([[0.0], [0.0], [0.0], [1.0]]), np.array([[0.5, 0.0, 0.5]])
        spent, _ = kernels.add_dice(number, die, -1.0)
        assert spent.tolist() == [[0.125, 0, 0.375, 0, 0.375, 0, 0.125]]

    def test_dice_without_any_result_take_no_room(self) -> None:
        spent, _ = kernels.add_dice(np.array([[0.0], [1.0]]), np.array([[1.0], [0.0]]), -1.0)
        assert spent.tolist() == [[1.0]]

    def test_what_is_next_to_impossible_still_has_a_place(self) -> None:
        """Say, that none of a hundred dice fails and a single re-roll is kept."""
        spent, _ = kernels.add_dice(np.array([[0.0, 0.0], [1e-30, 0.0]]), np.array([[0.5], [0.5]]), -1.0)
        assert spent.tolist() == [[5e-31]]

    def test_dice_add_to_the_result_and_to_what_is_carried(self) -> None:
        die = np.array([[0.0, 0.5], [0.5, 0.0]])
        spent, _ = kernels.add_dice(np.array([[0.0], [0.0], [1.0]]), die, -1.0)
        assert spent.tolist() == [[0, 0, 0.25], [0, 0.5, 0], [0.25, 0, 0]]

    def test_without_dice_all_stays_as_it_is(self) -> None:
        row, left = np.zeros(3, np.int64), np.array([2, 1, 0])
        step = row, left, np.array([[[0.1, 0.5, 0.4]]] * 3), np.array([[1.3], [1.3]]), False
        mass = np.array([[[0.5]], [[0.25]], [[0.25]]])
        some, *counted = kernels.take_some(mass, 0.25, *step)
        rest, *more = kernels.take_all(some, 0.25, *step)
        assert some.tolist() == mass.tolist()
        assert rest.tolist() == mass[:, 0].tolist()
        assert counted == more == [0, 0]

    def test_taking_some_then_all_is_taking_all(self) -> None:
        row, left = np.zeros(5, np.int64), np.array([2, 1, 2, 1, 0])
        lost = np.array([[[0.1, 0.5, 0.4]]] * 3)
        step = row, left, lost, np.array([[1.3], [1.3]]), False
        mass = np.zeros((5, 7, 1))
        mass[0, :, 0] = 1 / 7
        some, *counted = kernels.take_some(mass, 0.25, *step)
        rest, *more = kernels.take_all(some, 0.5 / 0.75, *step)
        both, *all_counted = kernels.take_all(mass, 0.75, *step)
        assert rest == pytest.approx(both, abs=1e-15)
        assert np.add(counted, more) == pytest.approx(all_counted, abs=1e-14)
        assert rest.sum() == pytest.approx(1, abs=1e-14)

    def test_what_is_carried_stays_apart(self) -> None:
        row, left = np.zeros(4, np.int64), np.array([3, 2, 1, 0])
        step = row, left, np.array([[[0.1, 0.5, 0.4]]] * 3), np.array([[1.3], [1.3]]), False
        mass = np.zeros((4, 4, 3))
        mass[0] = np.arange(1, 13).reshape(4, 3) / 78
        for take in (kernels.take_some, kernels.take_all):
            together = take(mass, 0.25, *step)[0]
            for column in range(3):
                alone = take(np.ascontiguousarray(mass[:, :, column : column + 1]), 0.25, *step)[0]
                assert together[..., column] == pytest.approx(alone[..., 0], abs=1e-15)

    def test_a_damage_re_roll_is_kept_or_spent(self) -> None:
        """A D6 against six wounds, of which 1 to 3 are rolled again: the second seven nodes have no re-roll."""
        row, left = np.zeros(7, np.int64), np.array([6, 5, 4, 3, 2, 1, 0])
        lost = np.array([[[0, *[1 / 6] * 6]], [[0, 0, 0, 0, *[1 / 6] * 3]], [[0, *[1 / 12] * 6]]])
        mass = np.zeros((14, 2, 1))
        mass[0, 1, 0] = 1.0
        after, unsaved, damage = kernels.take_all(mass, 1.0, row, left, lost, np.array([[3.5], [4.25]]), True)
        assert after[:7, 0] == pytest.approx([0, 0, 0, 0, *[1 / 6] * 3])
        assert after[7:, 0] == pytest.approx([0, *[1 / 12] * 6])
        assert (unsaved, damage) == (1, 4.25)

    def test_what_exceeds_a_model_is_lost(self) -> None:
        lost, mean = np.array([[[0.0, 0.0, 0.0, 1.0]]] * 3), np.array([[3.0], [3.0]])
        first, to, chance, stay, counted = steps(
            np.zeros(3, np.int64), np.array([2, 1, 0]), lost, mean, False
        )
        moves = {
            (node, int(to[i])): float(chance[i])
            for node in range(3)
            for i in range(first[node], first[node + 1])
        }
        assert {pair for pair, p in moves.items() if p > 0} == {(0, 2), (1, 2)}
        assert stay.tolist() == [0, 0, 1]
        assert counted.tolist() == [[1, 1, 0], [3, 3, 0]]

    def test_the_moves_of_an_attack_with_the_damage_re_roll_at_hand(self) -> None:
        """A D of up to 2 at an attack set to 0, then at a last wound: there is no re-roll from the fourth node on."""
        row, left = np.zeros(3, np.int64), np.array([-1, 1, 0])
        lost = np.array([[[0.2, 0.5, 0.3]], [[0.1, 0.3, 0.2]], [[0.1, 0.2, 0.1]]])
        first, to, chance, stay, counted = steps(row, left, lost, np.array([[1.1], [1.3]]), True)
        assert first.tolist() == [0, 1, 4, 4, 5, 6, 6]
        assert to.tolist() == [1, 2, 4, 5, 4, 5]
        assert chance == pytest.approx([1, 0.3 + 0.2, 0.1, 0.2 + 0.1, 1, 0.5 + 0.3])
        assert stay.tolist() == [0, 0.1, 1, 0, 0.2, 1]
        assert counted.tolist() == [[1, 1, 0, 1, 1, 0], [0, 1.3, 0, 0, 1.1, 0]]


IDOL: list[Any] = ["Guard: T4 Sv3+ W1", {"name": "Idol", "T": 4, "Sv": 4, "W": 2, "damage_to_zero": 1}]
HURT: dict[str, Any] = {"name": "Leader", "T": 4, "Sv": 3, "W": 3, "wounds_lost": 1, "character": True}


class TestChains:
    """Who suffers next, from the first wound to the last."""

    def chain(self, models: list[Any], *declared: Any, mortal: bool = False) -> Chain:
        target = {"name": "Target", "models": models}
        attacker = {"name": "Attacker", "weapons": ["Gun: A1 S4 AP0 D1 [TORRENT]"]}
        side = target_of(make_plan(mh.Scenario.from_dict({"attacker": attacker, "target": target})).target)
        return side.chain(side.start, Declared(*declared), mortal, False)

    def test_an_attack_is_set_to_nothing_before_its_model_suffers(self) -> None:
        chain = self.chain(IDOL, (0, 1), -1)
        assert chain.states == [(1, 2, 1, 0), (0, 2, 1, 0), (0, 2, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)]
        assert chain.group.tolist() == chain.row.tolist() == [0, 1, 1, 1, 0]
        assert chain.left.tolist() == [1, -1, 2, 1, 0]
        assert chain.worth.tolist() == [[3, 2, 2, 1, 0], [2, 1, 1, 1, 0]]

    def test_a_mortal_wound_is_not_and_a_destroyed_unit_has_nothing_left(self) -> None:
        chain = self.chain(IDOL, (0, 1), -1, mortal=True)
        assert chain.states == [(1, 2, 1, 0), (0, 2, 1, 0), (0, 1, 1, 0), (0, 0, 0, 0)]
        assert chain.group.tolist() == chain.row.tolist() == [0, 1, 1, 0]
        assert chain.left.tolist() == [1, 2, 1, 0]

    def test_precision_puts_any_group_first(self) -> None:
        leader, guard = "Leader: T4 Sv3+ W1 [CHARACTER]", "Guard: T4 Sv3+ W1"
        assert self.chain([leader, guard], (1, 0), 0).group.tolist() == [0, 1, 0]
        assert self.chain([guard, leader], (0, 1), 1).group.tolist() == [1, 0, 0]

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_mortal_wounds_find_a_hurt_character_last_whatever_the_order(
        self, order: tuple[int, int]
    ) -> None:
        chain = self.chain(["2x Guard: T4 Sv3+ W2", HURT], order, -1, mortal=True)
        assert chain.group.tolist() == [0, 0, 0, 0, 1, 1, 0]
        assert chain.left.tolist() == [2, 1, 2, 1, 2, 1, 0]


def test_the_look_is_taken_again_for_each_batch() -> None:
    """Bodyguards T3, leader T6: once they are gone the second weapon wounds the leader on 6+ only."""
    out = solved(
        ["First: A1 S9 AP-6 D1 [TORRENT]", "Second: A1 S3 AP-6 D1 [TORRENT]"],
        ["Guard: T3 Sv3+ W1", {"name": "Boss", "toughness": 6, "save": 3, "wounds": 3, "leader": True}],
    )
    plan = make_plan(
        mh.Scenario.from_dict(
            {
                "attacker": {"name": "A", "weapons": ["Gun: A1 S3 AP-6 D1 [TORRENT]"]},
                "target": {
                    "name": "T",
                    "models": [
                        "Guard: T3 Sv3+ W1",
                        {"name": "Boss", "toughness": 6, "save": 3, "wounds": 3, "leader": True},
                    ],
                },
            }
        )
    )
    assert [look.toughness for look in plan.looks] == [3, 6]
    assert out.by_model["Guard"].mean == pytest.approx(5 / 6 + 1 / 6 * 1 / 2, abs=1e-12)
    assert out.wounds_lost.mean == pytest.approx(5 / 6 * (1 + 1 / 6) + 1 / 6 * 1 / 2, abs=1e-12)


MIXED = ["Novice: T4 Sv5+ W1", "Veteran: T4 Sv3+ W2", "Captain: T4 Sv2+ W3 [CHARACTER]"]


@pytest.mark.parametrize(
    ("abilities", "modifiers"),
    [
        ("", {"extra_ap_on_critical_wound": 1, "reroll_saves": "one"}),
        ("", {"extra_ap_on_critical_wound": -1, "reroll_saves": "one", "ap": 1}),
        (", DEVASTATING WOUNDS", {"reroll_saves": "one"}),
        (", DEVASTATING WOUNDS", {"reroll_wounds": "one"}),
        (", PRECISION", {"extra_ap_on_critical_wound": 2}),
    ],
)
def test_single_re_rolls_and_pools_against_all_sequences_of_dice(
    abilities: str, modifiers: dict[str, Any]
) -> None:
    scenario = mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": [f"Gun: A2 S5 AP-1 D2 [TORRENT{abilities}]"]},
            "target": {"name": "T", "models": MIXED},
            "modifiers": modifiers,
        }
    )
    seen = enumerated(scenario, lambda result: (result.wounds_lost, tuple(result.alive.values())))
    out = mh.solve(scenario)
    expected = np.zeros(7)
    for (lost, _), p in seen.items():
        expected[lost] += float(p)
    assert out.wounds_lost.pmf == pytest.approx(expected, abs=1e-12)
    for alive, weight in zip(out.alive.tolist(), out.weights.tolist(), strict=True):
        same = sum(float(p) for (lost, left), p in seen.items() if left == tuple(alive))
        total = sum(w for a, w in zip(out.alive.tolist(), out.weights.tolist(), strict=True) if a == alive)
        assert weight <= total == pytest.approx(same, abs=1e-12)
