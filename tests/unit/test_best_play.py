"""Best play: every answer is checked against trying everything, and against play by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.choosing import (
    best_allocation,
    best_batch_order,
    best_lethal_hits,
    best_modes,
    best_play,
    best_precision,
    best_rerolls,
    settle,
)
from mathhammer.exact.game import Game
from mathhammer.plan import make_plan

BOW, GUN = "4x Bow: A2 BS3+ S4 AP0 D1", "2x Gun: A1 BS3+ S8 AP-3 D3"
SNIPER = "3x Sniper: A1 BS3+ S5 AP-2 D3 [PRECISION]"
MIXED = ["4x Novice: T3 Sv5+ W1", "2x Veteran: T3 Sv3+ W2", "Captain: T4 Sv2+ InSv4+ W5 [CHARACTER]"]


def fight(weapons: list[Any] | None = None, models: list[Any] | None = None, **keys: Any) -> mh.Scenario:
    return mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": weapons or [BOW, GUN, SNIPER]},
            "target": {"name": "T", "models": models or MIXED, "points": 140},
            **keys,
        }
    )


def value(scenario: mh.Scenario, metric: str = "wounds_lost") -> float:
    found = mh.solve(scenario).metric(metric)
    assert found is not None
    return found.value


class TestFixed:
    @pytest.mark.parametrize(
        "metric", ["wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed"]
    )
    def test_allocation_loses_least_of_all_legal_orders(self, metric: str) -> None:
        found = best_allocation(fight(), metric)
        names = [["Novice", "Veteran", "Captain"], ["Veteran", "Novice", "Captain"]]
        tried = [value(fight(choices={"allocation_order": order}), metric) for order in names]
        assert found.value == pytest.approx(min(tried), abs=1e-12)
        assert sorted(each.value for each in found.alternatives) == pytest.approx(sorted(tried), abs=1e-12)
        assert found.alternatives[0].costs == 0
        assert found.alternatives[-1].costs == pytest.approx(max(tried) - min(tried))

    def test_batch_order_gets_most(self) -> None:
        found = best_batch_order(fight())
        assert len(found.alternatives) == 6
        assert found.value == pytest.approx(value(found.scenario), abs=1e-12)
        assert all(found.value >= each.value - 1e-12 for each in found.alternatives)

    def test_a_value_of_best_is_the_best_fixed_choice_in_both_engines(self) -> None:
        choices = {"allocation_order": "best", "batch_order": "best", "precision": "best"}
        scenario = fight(choices=choices)
        out = mh.solve(scenario)
        # The attacker's best, each answered by the defender's best.
        orders = [
            best_batch_order(fight(choices={"precision": precision, "allocation_order": allocation}))
            for precision in ("first", "none", "Captain")
            for allocation in (["Novice", "Veteran"], ["Veteran", "Novice"])
        ]
        by_choice: dict[tuple[str, str], list[float]] = {}
        for place, order in enumerate(orders):
            for each in order.alternatives:
                by_choice.setdefault((str(place // 2), each.choice), []).append(each.value)
        expected = max(min(values) for values in by_choice.values())
        assert out.wounds_lost.mean == pytest.approx(expected, abs=1e-12)
        assert any("batch order" in word and "best fixed" in word for word in out.assumed)
        sampled = mh.simulate(scenario, trials=20_000, seed=1, progress=False)
        assert abs(sampled.wounds_lost.mean - expected) < 5 * sampled.wounds_lost.standard_error

    def test_several_attackers_are_settled_each(self) -> None:
        units = [{"name": name, "weapons": [BOW, GUN]} for name in ("One", "Two")]
        scenario = fight(attacker=units, models=["6x Wall: T4 Sv3+ W3"], choices={"batch_order": "best"})
        settled, words = settle(scenario)
        assert len(words) == 2
        assert value(settled) >= value(fight(attacker=units, models=["6x Wall: T4 Sv3+ W3"])) - 1e-12

    def test_precision_is_declined_where_it_costs(self) -> None:
        soft = ["5x Guard: T3 Sv5+ W1", "Captain: T3 Sv2+ InSv2+ W5 [CHARACTER]"]
        found = best_precision(fight([SNIPER], soft))
        assert found.best == "none"
        assert found.alternatives[0].choice == "none"

    def test_lethal_hits_are_declined_for_devastating_wounds(self) -> None:
        weapon = "8x Gun: A1 BS3+ S8 AP0 D3 [LETHAL HITS, DEVASTATING WOUNDS]"
        found = best_lethal_hits(fight([weapon], ["6x Wall: T4 Sv2+ W3"]))
        assert found.alternatives[0].value == pytest.approx(max(each.value for each in found.alternatives))
        assert {each.choice for each in found.alternatives} == {"best", "always", "never"}

    def test_fishing_pays_with_devastating_wounds(self) -> None:
        weapon = "8x Gun: A1 BS3+ S8 AP0 D3 [TWIN-LINKED, DEVASTATING WOUNDS]"
        scenario = fight([weapon], ["6x Wall: T4 Sv2+ W3"])
        found = best_rerolls(scenario)
        assert found.best == "fish with Gun (wounds)"
        best = fight([weapon], ["6x Wall: T4 Sv2+ W3"], choices={"rerolls": "best"})
        assert value(best) == pytest.approx(found.value, abs=1e-12)
        # Wounds on 2+: fishing makes 1/6 + 5/6 * 1/6 critical, and all others are 2+ at the second roll.
        assert mh.solve(best).by_weapon[0]["critical_wounds"] == pytest.approx(8 * 2 / 3 * 11 / 36)

    def test_nothing_to_fish_for(self) -> None:
        found = best_rerolls(fight(["8x Gun: A1 BS3+ S8 AP0 D3 [TWIN-LINKED]"]))
        assert [each.choice for each in found.alternatives] == ["re-roll failures"]

    def test_the_best_mode(self) -> None:
        weapons = ["4x Plasma | low: A1 BS3+ S7 AP-2 D1", "4x Plasma | high: A1 BS3+ S8 AP-3 D2"]
        found = best_modes(fight(weapons))
        assert found.best == "Plasma | high"
        best = fight(weapons, choices={"modes": {"Plasma": "best"}})
        assert value(best) == pytest.approx(found.value, abs=1e-12)
        with pytest.raises(mh.InvalidScenario, match="no weapon has modes"):
            best_modes(fight([BOW]))

    def test_a_mode_of_one_attacker_alone(self) -> None:
        plasma = ["4x Plasma | low: A1 BS3+ S7 AP-2 D1", "4x Plasma | high: A1 BS3+ S8 AP-3 D2"]
        units = [
            {"name": "First", "weapons": [BOW]},
            {"name": "Second", "weapons": plasma, "choices": {"modes": {"Plasma": "best"}}},
            {"name": "Third", "weapons": plasma, "choices": {"modes": {"Plasma": "low"}}},
        ]
        best = mh.solve(fight(attacker=units))
        assert [row["weapon"] for row in best.by_weapon] == ["Bow", "Plasma | high", "Plasma | low"]
        assert any("Plasma" in word and "best" in word for word in best.assumed)

    def test_each_unit_has_a_best_mode_of_its_own(self) -> None:
        units = [
            {"name": name, "weapons": [f"4x Plasma | {mode}: A1 BS3+ {profile}" for mode, profile in modes]}
            for name, modes in (
                ("First", [("low", "S7 AP-2 D1"), ("high", "S8 AP-3 D2")]),
                ("Second", [("wide", "S7 AP-2 D1"), ("deep", "S8 AP-3 D2")]),
            )
        ]
        best = mh.solve(fight(attacker=units, choices={"modes": {"plasma": "Best"}}))
        assert [row["weapon"] for row in best.by_weapon] == ["Plasma | high", "Plasma | deep"]
        assert best_modes(fight(attacker=units)).best == "Plasma | high, Plasma | deep"

    def test_fishing_is_found_where_a_keyword_lasts(self) -> None:
        weapon = "3x Gun: A4 BS3+ S16 AP0 D3 [DEVASTATING WOUNDS, ANTI-INFANTRY 4+, TWIN-LINKED"
        target = {"name": "T", "keywords": ["INFANTRY"], "models": ["5x Wall: T8 Sv3+ W3"]}
        always, needed = (
            value(fight([f"{weapon}{word}]"], target=target, choices={"rerolls": "best"}))
            for word in ("", ": INFANTRY")
        )
        assert needed == pytest.approx(always, abs=1e-12)

    def test_what_else_is_best_is_settled_for_the_metric_that_is_asked(self) -> None:
        models = ["4x Novice: T3 Sv5+ W1", "2x Veteran: T3 Sv3+ W2"]
        guns = ["8x Bow: A2 BS3+ S4 AP0 D1", "4x Gun: A2 BS3+ S8 AP-3 D3"]
        both = {"batch_order": "best", "allocation_order": "best"}
        asked = best_allocation(fight(guns, models, choices=both), "models_destroyed")
        chosen = fight(guns, models, choices={**both, "metric": "models_destroyed"})
        assert asked.value == pytest.approx(value(chosen, "models_destroyed"), abs=1e-12)

    def test_points_that_are_not_known_are_asked_for(self) -> None:
        bare = fight([BOW, GUN], target={"name": "T", "models": ["3x Wall: T4 Sv3+ W2"]})
        for question in (best_play, best_allocation, best_batch_order):
            with pytest.raises(mh.InvalidScenario, match="needs points"):
                question(bare, "points_destroyed")

    def test_a_metric_that_is_nearly_right(self) -> None:
        with pytest.raises(mh.InvalidScenario, match="wounds_lost"):
            best_allocation(fight(), "wounds")

    def test_weapons_of_one_batch_fish_together(self) -> None:
        """04.03: how re-rolls are used does not make identical attacks two batches."""
        gun = "A3 BS3+ S20 AP-1 D1 [SUSTAINED HITS 2, ANTI-INFANTRY 2+]"
        models = ["3x Rank: T4 Sv- W1", "8x Shield: T4 Sv3+ W1"]
        full = {"modifiers": {"reroll_hits": "any"}, "choices": {"rerolls": "best"}}
        target = {"name": "T", "keywords": ["INFANTRY"], "models": models}
        two = fight([f"One: {gun}", f"Two: {gun}"], target=target, **full)
        assert len(best_rerolls(two).alternatives) == 2
        assert value(two) == pytest.approx(value(fight([f"2x One: {gun}"], target=target, **full)))

    def test_batches_of_one_name_are_told_apart(self) -> None:
        weak, strong = "Gun: A10 BS3+ S4 AP0 D1", "Gun: A5 BS3+ S8 AP-3 D3"
        models = ["2x Shield: T4 Sv2+ InSv4+ W3", "8x Rank: T4 Sv5+ W1"]
        found = best_batch_order(fight([weak, strong], models))
        other = best_batch_order(fight([weak.replace("Gun", "Bow"), strong], models))
        assert found.best == "Gun (2), Gun"
        assert found.value == pytest.approx(other.value)
        chosen = fight([weak, strong], models, choices={"batch_order": ["gun (2)"]})
        assert value(chosen) == pytest.approx(found.value)

    def test_fishing_is_found_beside_a_twin_that_needs_a_keyword(self) -> None:
        weapon = "1x Gun: A1 S4 AP0 D1 [TORRENT, TWIN-LINKED, DEVASTATING WOUNDS]"
        twice = {"modifiers": {"abilities": ["TWIN-LINKED: MONSTER"]}, "choices": {"rerolls": "best"}}
        out = mh.solve(fight([weapon], ["6x Wall: T4 Sv2+ W3"], **twice))
        assert out.by_weapon[0]["critical_wounds"] == pytest.approx(11 / 36)

    def test_a_question_overrides_what_an_attacker_chose_for_itself(self) -> None:
        units = [
            {"name": "First", "weapons": [BOW]},
            {"name": "Second", "weapons": [SNIPER], "choices": {"precision": "none"}},
        ]
        answered = best_precision(fight(attacker=units))
        assert {each.choice for each in answered.alternatives} >= {"none", "Captain"}
        by_choice = {each.choice: each.value for each in answered.alternatives}
        assert by_choice["none"] == pytest.approx(value(fight(attacker=units)), abs=1e-12)
        assert by_choice["none"] != pytest.approx(by_choice["Captain"], abs=1e-6)

    def test_an_attacker_without_weapons_for_the_phase_has_nothing_to_order(self) -> None:
        units = [
            {"name": "Shooter", "weapons": [BOW, GUN]},
            {"name": "Fighter", "weapons": ["4x Axe: Melee A1 WS3+ S4 AP0 D1"]},
        ]
        shooting = {"attacker": units, "conditions": {"phase": "shooting"}}
        alone = fight([BOW, GUN], choices={"batch_order": "best"})
        assert value(fight(**shooting, choices={"batch_order": "best"})) == pytest.approx(
            value(alone), abs=1e-12
        )


class TestAnswering:
    def test_two_batches_by_hand(self) -> None:
        """A D1 gun that always destroys a W1 model, a D3 gun: the attacker should not waste the D3 first."""
        sure = {"reroll_wounds": "failures"}
        weapons = ["Small: A1 S9 AP-6 D1 [TORRENT]", "Large: A1 S9 AP-6 D3 [TORRENT]"]
        scenario = fight(weapons, ["Lout: T1 Sv- W1", "Ogre: T1 Sv- W3"], modifiers=sure)
        found = best_play(scenario)
        p = 35 / 36
        # The defender puts Large on the Lout and Small on the Ogre, whatever comes first, while he can choose.
        large_first = p * (1 + p) + (1 - p) * p
        # After Small destroyed the Lout only the Ogre is left; after it hurt the Ogre, the Ogre comes first.
        small_on_lout = p * (1 + p * 3) + (1 - p) * p
        small_on_ogre = p * (1 + p * 2) + (1 - p) * p
        assert found.value == pytest.approx(max(large_first, min(small_on_lout, small_on_ogre)), abs=1e-12)
        assert found.best == "Small against Ogre, Lout"

    def test_answering_is_at_least_as_good_as_any_fixed_choice(self) -> None:
        allocation, order = best_allocation(fight()), best_batch_order(fight())
        assert allocation.answering is not None
        assert order.answering is not None
        assert allocation.answering <= allocation.value + 1e-12
        assert order.answering >= order.value - 1e-12
        both = best_play(fight())
        # Each side gains from its own freedom.
        assert allocation.answering - 1e-12 <= both.value <= order.answering + 1e-12

    @pytest.mark.parametrize("index", range(12))
    def test_without_choices_the_game_is_the_engine(self, index: int) -> None:
        scenario = random_scenarios(12, seed=5)[index]
        plan = make_plan(scenario)
        total = plan.target.total_wounds
        groups = len(plan.target.groups)
        game = Game(plan, lambda state: float(total - sum(state[:groups])), False, False)
        assert game.value() == pytest.approx(value(scenario), abs=1e-10)

    def test_the_table_lists_first_moves(self) -> None:
        found = best_play(fight())
        assert len(found.alternatives) == 6
        assert found.alternatives[0].choice == found.best
        assert all(each.costs >= 0 for each in found.alternatives)


class TestLimits:
    def test_too_many_orders_are_refused_with_a_way_out(self) -> None:
        weapons = [f"Gun {i}: A1 BS3+ S{i} AP0 D1" for i in range(1, 9)]
        with pytest.raises(
            mh.UnsupportedScenario, match=r"choices.batch_order = .40320 ways.*make the choice"
        ):
            best_batch_order(fight(weapons))
        with pytest.raises(mh.UnsupportedScenario, match="batch_order"):
            mh.solve(fight(weapons, choices={"batch_order": "best"}))

    def test_points_are_needed_for_points(self) -> None:
        scenario = mh.Scenario.from_dict(
            {
                "attacker": {"name": "A", "weapons": [BOW]},
                "target": {"name": "T", "models": MIXED},
            }
        )
        with pytest.raises(mh.InvalidScenario, match="needs points"):
            best_allocation(scenario, "points_destroyed")

    def test_an_unknown_metric(self) -> None:
        with pytest.raises(mh.InvalidScenario, match="metric = "):
            best_allocation(fight(), "glory")

    def test_answers_print_within_80_columns(self) -> None:
        text = str(best_batch_order(fight()))
        assert max(map(len, text.splitlines())) <= 80
        assert "costs" in text
        assert best_batch_order(fight()).to_dict()["who"] == "attacker"


@pytest.mark.parametrize("own", [{}, {"choices": {"modes": {"Plasma": "best"}}}])
@pytest.mark.parametrize("other", ["best", "low"])
def test_the_mode_of_one_of_two_attackers_leaves_that_of_the_other(own: dict[str, Any], other: str) -> None:
    weapons = {
        name: [f"{name} | low: A2 BS3+ S4 AP0 D1", f"{name} | high: A2 BS3+ S8 AP-2 D1"]
        for name in ("Plasma", "Laser")
    }
    common = {"Laser": other} if own else {"Plasma": "best", "Laser": other}
    scenario = mh.Scenario.from_dict(
        {
            "attacker": [
                {"name": "A", "weapons": weapons["Plasma"], **own},
                {"name": "B", "weapons": weapons["Laser"]},
            ],
            "target": {"name": "Wall", "models": ["5x Shield: T4 Sv3+ W2"]},
            "choices": {"modes": common},
        }
    )
    used = [batch.name for batch in make_plan(settle(scenario)[0]).batches]
    assert used == ["Plasma | high", "Laser | high" if other == "best" else "Laser | low"]
