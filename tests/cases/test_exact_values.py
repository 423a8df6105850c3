"""Single facts with exact values, asked of the exact engine."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh

SURE = {"AP": -6, "S": 20, "abilities": ["TORRENT"]}
"""Hits automatically, wounds on 2+, no armour save."""


def gun(**keys: Any) -> dict[str, Any]:
    return {"name": "Gun", "A": 1, "S": 4, "AP": 0, "D": 1} | keys


def target(count: int = 1, keywords: tuple[str, ...] = (), **keys: Any) -> dict[str, Any]:
    row = {"name": "Model", "count": count, "T": 4, "Sv": 3, "W": 1} | keys
    return {"name": "Target", "keywords": list(keywords), "models": [row]}


def solved(
    weapons: dict[str, Any] | list[dict[str, Any]], against: dict[str, Any], **keys: Any
) -> mh.Outcome:
    attacker = {"name": "Attacker", "weapons": weapons if isinstance(weapons, list) else [weapons]}
    attacker |= keys.pop("attacker", {})
    return mh.solve(mh.Scenario.from_dict({"attacker": attacker, "target": against, **keys}))


@pytest.mark.parametrize(
    ("toughness", "policy", "wounds"),
    [
        (12, "failures", 1 / 3),
        (12, "noncritical", 3 / 8),
        (4, "failures", 5 / 9),
        (4, "noncritical", 37 / 72),
    ],
)
def test_fishing_for_lethal_hits_pays_against_the_tough(toughness: int, policy: str, wounds: float) -> None:
    weapon = gun(BS=3, abilities=["LETHAL HITS"], modifiers={"reroll_hits": policy})
    outcome = solved(weapon, target(T=toughness), choices={"lethal_hits": "always"})
    assert outcome.by_weapon[0]["wounds"] == pytest.approx(wounds, abs=1e-12)


@pytest.mark.parametrize(("wounds", "kill"), [(2, 20 / 27), (3, 8 / 27), (1, 26 / 27)])
def test_feel_no_pain_is_rolled_for_every_devastating_mortal_wound(wounds: int, kill: float) -> None:
    weapon = gun(D=3, abilities=["TORRENT", "DEVASTATING WOUNDS", "ANTI-INFANTRY 2+"])
    outcome = solved(weapon, target(5, ("INFANTRY",), W=wounds, FNP=5))
    assert outcome.models_destroyed.mean == pytest.approx(5 / 6 * kill, abs=1e-12)


@pytest.mark.parametrize(("half_range", "damage"), [(True, 7.5), (False, 4.5)])
def test_melta_and_a_better_damage_both_count(half_range: bool, damage: float) -> None:
    weapon = gun(**SURE, D="D6") | {"abilities": ["TORRENT", "MELTA 3"], "modifiers": {"damage": 1}}
    outcome = solved(weapon, target(W=20), conditions={"half_range": half_range})
    assert outcome.by_weapon[0]["damage"] == pytest.approx(5 / 6 * damage, abs=1e-12)


def test_feel_no_pain_against_three_wounds_at_once() -> None:
    outcome = solved(gun(**SURE, D=3), target(W=3, FNP=4))
    assert outcome.unit_destroyed == pytest.approx(5 / 6 * 0.125, abs=1e-12)
    assert outcome.wounds_lost.mean == pytest.approx(5 / 6 * 1.5, abs=1e-12)
    assert outcome.wounds_lost.pmf[0] == pytest.approx(1 / 6 + 5 / 6 * 0.125, abs=1e-12)


def test_feel_no_pain_hardly_ever_ignores_six() -> None:
    outcome = solved(gun(**SURE, D=6), target(W=6, FNP=6))
    assert outcome.wounds_lost.pmf[0] == pytest.approx(1 / 6 + 5 / 6 * 2.143347050754458e-05, abs=1e-12)


def hazards(count: int, bearer: dict[str, Any], keywords: tuple[str, ...] = (), **keys: Any) -> mh.Outcome:
    weapon = gun(BS=4, count=count, abilities=["HAZARDOUS"]) | keys
    own = {"keywords": list(keywords), "models": [{"name": "Bearer", "T": 4, "Sv": 3} | bearer]}
    return solved(weapon, target(5), attacker=own)


def test_hazards_of_a_vehicle_are_three_mortal_wounds_each() -> None:
    lost = hazards(2, {"W": 12}, ("VEHICLE",)).attacker_wounds_lost
    assert lost.mean == pytest.approx(2, abs=1e-12)
    assert lost.pmf[6] == pytest.approx(1 / 9, abs=1e-12)
    assert lost.pmf[0] == pytest.approx(4 / 9, abs=1e-12)


@pytest.mark.parametrize(("count", "attacks", "mean"), [(5, 1, 5 / 3), (1, "D3", 1 / 3)])
def test_one_hazard_roll_for_each_weapon_not_each_attack(count: int, attacks: Any, mean: float) -> None:
    outcome = hazards(count, {"W": 9, "count": 5}, ("INFANTRY",), A=attacks)
    assert outcome.attacker_wounds_lost.mean == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize(("pain", "kills"), [(None, 0.5843621399176955), (5, 0.3187860929058917)])
def test_hazards_fall_on_the_wounded_model_first(pain: int | None, kills: float) -> None:
    outcome = hazards(5, {"W": 2, "count": 5, "FNP": pain})
    assert outcome.attacker_models_destroyed.mean == pytest.approx(kills, abs=1e-12)
    if pain is None:
        assert outcome.attacker_models_destroyed.pmf[0] == pytest.approx(0.4609053497942387, abs=1e-12)
        assert outcome.attacker_wounds_lost.mean == pytest.approx(5 / 3, abs=1e-12)


def large(**keys: Any) -> mh.Scenario:
    weapon = gun(A=100, BS=2, S=10, AP=-6, D=3, abilities=["SUSTAINED HITS 3"]) | keys
    attacker = {"name": "Attacker", "weapons": [weapon]}
    return mh.Scenario.from_dict({"attacker": attacker, "target": target(400, W=3)})


def test_large_counts_do_not_wrap() -> None:
    outcome = mh.simulate(large(), trials=20_000, seed=1, progress=False)
    (row,) = outcome.by_weapon
    assert row["hits"] == pytest.approx(133.33333333333334, rel=0.01)
    assert row["wounds"] == pytest.approx(111.11111111111111, rel=0.01)
    kills = outcome.models_destroyed
    assert abs(kills.mean - 111.11111111111111) < 5 * kills.standard_error
    assert abs(outcome.wounds_lost.mean - 333.3333333333333) < 5 * outcome.wounds_lost.standard_error
    assert len(outcome.wounds_lost.pmf) == 1201


VOLLEY = {
    "attacker": {"name": "Attacker", "weapons": [gun(A=60, BS=3)]},
    "target": target(30, W=2),
}


def test_volley_into_two_wound_models() -> None:
    outcome = mh.solve(mh.Scenario.from_dict(VOLLEY))
    assert outcome.by_weapon[0]["unsaved"] == pytest.approx(6.666666666666667, abs=1e-9)
    assert outcome.wounds_lost.mean == pytest.approx(6.666666666666667, abs=1e-9)
    assert outcome.models_destroyed.mean == pytest.approx(3.083333404009314, abs=1e-9)


def test_a_mean_is_not_what_is_likely() -> None:
    muskets = gun(BS=4, S=3, count=10)
    kills = solved(muskets, target(10, T=3, Sv=5)).models_destroyed
    assert int(kills.pmf.argmax()) == 1
    assert kills.pmf[1] == pytest.approx(0.32301116577969147, abs=1e-12)
    assert kills.quantile(0.5) == 2
    assert kills.at_least(2) == pytest.approx(0.5154832513304628, abs=1e-12)
    assert kills.pmf[0] == pytest.approx(0.16150558288984573, abs=1e-12)


def test_points_for_a_kill() -> None:
    halves = gun(A=3, AP=-6, abilities=["TORRENT"])
    outcome = solved(halves, target(5), attacker={"points": 100})
    per_hundred = outcome.metric("models_destroyed_per_100_points")
    assert per_hundred is not None
    assert 100 / per_hundred.value == pytest.approx(66.66666666666667, abs=1e-9)
    assert outcome.models_destroyed.pmf[0] == pytest.approx(0.125, abs=1e-12)


@pytest.mark.parametrize(("wounds", "shots"), [(8, 7.493123070987655), (3, 3.675)])
def test_shots_until_a_model_is_destroyed(wounds: int, shots: float) -> None:
    """The sum over n of the chance that n shots are not enough; the tail beyond 60 is below 1e-9."""
    beam = gun(BS=3, S=9, AP=-3, D="D6")
    against = target(T=8, Sv=5, InSv=6, W=wounds)
    alive = [1 - solved(beam | {"A": n}, against).unit_destroyed for n in range(1, 60)]
    assert 1 + sum(alive) == pytest.approx(shots, abs=1e-6)


def test_at_least_one_of_four() -> None:
    outcome = solved(gun(BS=3, S=5, A=4), target(9, Sv=5))
    assert outcome.models_destroyed.mean == pytest.approx(1.1851851851851851, abs=1e-12)
    assert outcome.models_destroyed.at_least(1) == pytest.approx(0.7547780468575063, abs=1e-12)


def test_a_maximum_of_mortal_wounds_limits_the_total() -> None:
    crowd = mh.Unit.from_dict(target(20))
    lost = mh.mortal_wounds(crowd, dice=10, on=4, maximum=6).wounds_lost
    assert lost.mean == pytest.approx(4.76171875, abs=1e-12)
    assert lost.pmf[6] == pytest.approx(0.376953125, abs=1e-12)


def test_of_two_triggers_of_one_die_the_higher_counts() -> None:
    crowd = mh.Unit.from_dict(target(100))
    assert mh.mortal_wounds(crowd, dice=30, on={5: 1, 6: 2}).wounds_lost.mean == pytest.approx(15, abs=1e-9)
