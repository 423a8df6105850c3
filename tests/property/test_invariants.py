"""What no scenario may break, whatever it is made of."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.strategies import Maker, random_dict, scenarios

import mathhammer as mh

fixed = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
dicts = st.randoms(use_true_random=False).map(random_dict)


def solved(scenario: dict[str, Any]) -> mh.Outcome:
    return mh.solve(mh.Scenario.from_dict(scenario))


def assert_same(one: mh.Outcome, other: mh.Outcome) -> None:
    for name in ("wounds_lost", "models_destroyed", "attacker_wounds_lost", "attackers_used"):
        assert getattr(one, name).pmf == pytest.approx(getattr(other, name).pmf, abs=1e-12)


@fixed
@given(scenarios())
def test_probabilities_sum_to_one_and_rows_to_the_whole(scenario: mh.Scenario) -> None:
    outcome = mh.solve(scenario)
    names = ("wounds_lost", "models_destroyed", "attacker_wounds_lost", "attacker_models_destroyed")
    distributions = [getattr(outcome, name) for name in (*names, "attackers_used")]
    for distribution in (*distributions, *outcome.by_model.values()):
        assert distribution.pmf.sum() == pytest.approx(1, abs=1e-12)
        assert (distribution.pmf >= 0).all()
    for name in ("wounds_lost", "models_destroyed"):
        mean = getattr(outcome, name).mean
        assert sum(row[name] for row in outcome.by_weapon) == pytest.approx(mean, abs=1e-9)
        assert outcome.after_attacker[-1][name] == pytest.approx(mean, abs=1e-9)
    assert sum(d.mean for d in outcome.by_model.values()) == pytest.approx(
        outcome.models_destroyed.mean, abs=1e-9
    )


@fixed
@given(scenarios())
def test_steps_of_a_batch_only_narrow(scenario: mh.Scenario) -> None:
    for row in mh.solve(scenario).by_weapon:
        assert row["critical_hits"] <= row["hits"] + 1e-9
        assert row["critical_wounds"] <= row["wounds"] + 1e-9
        assert row["wounds"] <= row["hits"] + 1e-9
        assert row["unsaved"] <= row["wounds"] + 1e-9
        assert row["mortal_wounds"] <= row["damage"] + 1e-9
        assert row["wounds_lost"] <= row["damage"] + 1e-9
        assert row["models_destroyed"] <= row["wounds_lost"] + 1e-9


@fixed
@given(dicts)
def test_a_name_changes_nothing(scenario: dict[str, Any]) -> None:
    text = json.dumps(scenario)
    for old, new in (("Row", "Line"), ("Weapon", "Arm"), ("Twin", "Other"), ("Attacker", "Unit")):
        text = text.replace(old, new)
    assert_same(solved(scenario), solved(json.loads(text)))


@fixed
@given(dicts, st.integers(0, 10))
def test_two_equal_rows_are_one_row(scenario: dict[str, Any], part: int) -> None:
    split = deepcopy(scenario)
    units = split["attacker"] if isinstance(split["attacker"], list) else [split["attacker"]]
    for unit in units:
        first = unit["weapons"][0]
        count = first["count"]
        unit["weapons"].insert(1, first | {"count": count - min(part, count)})
        first["count"] = min(part, count)
    assert_same(solved(scenario), solved(split))


def one_batch(rng: random.Random) -> dict[str, Any]:
    """One weapon of one unit, without pools, without a choice that a better profile could turn."""
    scenario = Maker(rng).scenario()
    attacker = scenario["attacker"] if isinstance(scenario["attacker"], dict) else scenario["attacker"][0]
    weapon = attacker["weapons"][0] | {"name": "Gun"}
    weapon["count"] = max(1, weapon["count"])
    attacker["weapons"] = [weapon]
    choices = {
        key: scenario["choices"][key]
        for key in ("allocation_order", "precision")
        if key in scenario["choices"]
    }
    scenario |= {"attacker": attacker, "choices": choices | {"lethal_hits": rng.choice(("always", "never"))}}
    for place in (weapon, attacker, scenario):
        place["modifiers"].pop("extra_ap_on_critical_wound", None)
    scenario["target"]["modifiers_against"].pop("extra_ap_on_critical_wound", None)
    return scenario


def better_skill(weapon: dict[str, Any]) -> None:
    if weapon["skill"] is not None:
        weapon["skill"] = max(2, weapon["skill"] - 1)


def better_strength(weapon: dict[str, Any]) -> None:
    weapon["strength"] += 1


def better_ap(weapon: dict[str, Any]) -> None:
    weapon["ap"] -= 1


def better_damage(weapon: dict[str, Any]) -> None:
    better_modifier(weapon, "damage")


def more_attacks(weapon: dict[str, Any]) -> None:
    better_modifier(weapon, "attacks")


def better_modifier(weapon: dict[str, Any], name: str) -> None:
    weapon["modifiers"][name] = weapon["modifiers"].get(name, 0) + 1


def rerolled_hits(weapon: dict[str, Any]) -> None:
    weapon["modifiers"].setdefault("reroll_hits", "failures")


def rerolled_wounds(weapon: dict[str, Any]) -> None:
    weapon["modifiers"].setdefault("reroll_wounds", "failures")


def rerolled_damage(weapon: dict[str, Any]) -> None:
    weapon["modifiers"].setdefault("reroll_damage", "below_mean")


@pytest.mark.parametrize(
    "improve",
    [
        *(better_skill, better_strength, better_ap, better_damage),
        *(more_attacks, rerolled_hits, rerolled_wounds, rerolled_damage),
    ],
)
@fixed
@given(scenario=st.randoms(use_true_random=False).map(one_batch))
def test_an_improvement_never_lowers_the_mean(improve: Any, scenario: dict[str, Any]) -> None:
    improved = deepcopy(scenario)
    attacker = improved["attacker"]
    improve(attacker["weapons"][0])
    assert solved(improved).wounds_lost.mean >= solved(scenario).wounds_lost.mean - 1e-9
