"""What other programs rely on: names, parameters, attributes, JSON keys, CSV columns."""

from __future__ import annotations

import csv
import inspect
import io
import json
from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.cli.run import csv_of

NAMES = """
Attacker Choices Conditions Dice Distribution Interrupted InvalidScenario MathhammerWarning Model Modifiers Outcome
RosterError Scenario Unit UnsupportedScenario Weapon army_table attach best_allocation best_batch_order
best_lethal_hits best_modes best_play best_precision best_rerolls compare datasheets exchange explain mortal_wounds
needed plots read_roster read_units report simulate solve summary sweep targets unit what_if write_units
"""
PARAMETERS = {
    "simulate": "scenario trials seed threads progress tolerance",
    "solve": "scenario",
    "explain": "scenario",
    "summary": "outcomes quantiles",
    "compare": "attackers targets metrics engine conditions modifiers choices trials seed jobs progress",
    "sweep": "scenario axes metrics engine trials seed jobs progress",
    "what_if": "scenario changes metrics engine trials seed jobs progress",
    "army_table": "units targets metrics phases conditions engine trials seed jobs progress",
    "report": "attackers targets path title engine conditions modifiers choices trials seed jobs notes",
    "needed": "scenario weapon probability goal most",
    "best_allocation": "scenario metric",
    "best_batch_order": "scenario metric",
    "best_precision": "scenario metric",
    "best_play": "scenario metric",
    "read_units": "source",
    "write_units": "units",
    "read_roster": "path_or_text source",
    "unit": "name count weapons faction source",
    "attach": "bodyguard leaders",
}
FIELDS = {
    "Weapon": "name count attacks skill strength ap damage abilities melee modifiers range not_modelled",
    "Model": """name count toughness save wounds invulnerable_save invulnerable_save_ranged invulnerable_save_melee
        character leader wounds_lost feel_no_pain feel_no_pain_mortal feel_no_pain_psychic damage_reduction
        halve_damage damage_becomes damage_to_zero points keywords""",
    "Unit": "name points keywords models weapons abilities modifiers modifiers_against not_modelled",
    "Conditions": """phase half_range cover plunging_fire braced charged engaged target_engaged split_attacks
        characters_visible models_at_select_targets shooting""",
    "Choices": "allocation_order batch_order lethal_hits precision rerolls modes metric",
    "Modifiers": """hit_roll wound_roll attacks skill strength ap damage save_roll armour_save toughness reroll_hits
        reroll_wounds reroll_saves reroll_damage abilities critical_hits_on critical_hits_need_success
        critical_wounds_on unmodified_wound_fails_to extra_ap_on_critical_wound ignore_modifiers""",
    "Scenario": "attacker target conditions modifiers choices",
}
OUTCOME = """
wounds_lost models_destroyed attacker_wounds_lost attacker_models_destroyed attackers_used unit_destroyed error_of
by_model probability by_weapon after_attacker trials seed engine assumed not_modelled to_dict
below_half_strength points_destroyed metric
"""
DISTRIBUTION = "pmf cdf mean sd standard_error at_least quantile"
JSON = """
engine trials seed unit_destroyed unit_destroyed_error wounds_lost models_destroyed attacker_wounds_lost
attacker_models_destroyed by_model attackers_used by_weapon after_attacker assumed not_modelled
"""
ROW = """
attacker weapon count attacks hits critical_hits wounds critical_wounds unsaved mortal_wounds damage wounds_lost
models_destroyed
"""
FIGHT = mh.Scenario.from_dict(
    {
        "attacker": [
            {"name": "Gunners", "weapons": ["4x Gun: A2 BS4+ S5 AP-1 D2", "0x Spare: A1 BS4+ S9 AP-1 D2"]},
            {"name": "Others", "points": 50, "weapons": ["Rifle: A1 BS3+ S4 AP0 D1"]},
        ],
        "target": {"name": "Wall", "points": 90, "models": ["3x Shield: T4 Sv2+ W3", "Captain: T4 Sv3+ W5"]},
    }
)


@pytest.fixture(scope="module")
def outcomes() -> tuple[mh.Outcome, mh.Outcome]:
    return mh.simulate(FIGHT, 2000, seed=0), mh.solve(FIGHT)


def test_names() -> None:
    assert sorted(mh.__all__) == sorted(NAMES.split())
    assert dir(mh) == sorted(mh.__all__)
    for name in mh.__all__:
        assert getattr(mh, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = mh.simulat


@pytest.mark.parametrize("name", sorted(PARAMETERS))
def test_parameters(name: str) -> None:
    function = getattr(mh, name)
    assert list(inspect.signature(function).parameters) == PARAMETERS[name].split()
    assert function.__doc__


@pytest.mark.parametrize("name", sorted(FIELDS))
def test_fields(name: str) -> None:
    assert list(getattr(mh, name).model_fields) == FIELDS[name].split()


def test_spellings() -> None:
    assert mh.Weapon.SPELLINGS == {
        **{"A": "attacks", "BS": "skill", "WS": "skill", "S": "strength", "AP": "ap", "D": "damage"}
    }
    assert mh.Model.SPELLINGS == {
        **{"T": "toughness", "Sv": "save", "InSv": "invulnerable_save", "W": "wounds", "FNP": "feel_no_pain"}
    }


def test_the_family_of_errors() -> None:
    assert issubclass(mh.InvalidScenario, ValueError)
    assert issubclass(mh.UnsupportedScenario, mh.InvalidScenario)
    assert issubclass(mh.RosterError, mh.InvalidScenario)
    assert issubclass(mh.Interrupted, KeyboardInterrupt)
    assert issubclass(mh.MathhammerWarning, UserWarning)


def test_an_outcome(outcomes: tuple[mh.Outcome, mh.Outcome]) -> None:
    for outcome in outcomes:
        assert not [name for name in OUTCOME.split() if not hasattr(outcome, name)]
        assert isinstance(outcome.by_weapon, tuple)
        assert isinstance(outcome.after_attacker, tuple)
        assert list(outcome.by_model) == ["Shield", "Captain"]
        assert isinstance(outcome.unit_destroyed, float)
    simulated, exact = outcomes
    assert (simulated.engine, simulated.trials, simulated.seed) == ("monte-carlo", 2000, 0)
    assert (exact.engine, exact.trials, exact.seed) == ("exact", None, None)


def test_a_distribution(outcomes: tuple[mh.Outcome, mh.Outcome]) -> None:
    for outcome in outcomes:
        lost = outcome.wounds_lost
        assert not [name for name in DISTRIBUTION.split() if not hasattr(lost, name)]
        assert lost.pmf.dtype == lost.cdf.dtype == np.float64
        assert lost.pmf.shape == lost.cdf.shape == (3 * 3 + 5 + 1,)
        for number in (lost.mean, lost.sd, lost.standard_error, lost.at_least(1)):
            assert isinstance(number, float)


@pytest.mark.parametrize("which", [0, 1])
def test_json(outcomes: tuple[mh.Outcome, mh.Outcome], which: int) -> None:
    written: dict[str, Any] = outcomes[which].to_dict()
    assert json.loads(json.dumps(written, allow_nan=False)) == written
    assert sorted(written) == sorted(JSON.split())
    assert list(written["wounds_lost"]) == ["mean", "sd", "standard_error", "quantiles", "pmf"]
    assert list(written["wounds_lost"]["quantiles"]) == ["10", "50", "90"]
    assert all(p > 0 for p in written["wounds_lost"]["pmf"].values())
    assert list(written["by_model"]["Shield"]) == list(written["wounds_lost"])
    assert [sorted(row) for row in written["by_weapon"]] == [sorted(ROW.split())] * 3
    assert [list(row) for row in written["after_attacker"]] == [
        ["attacker", "unit_destroyed", "models_destroyed", "wounds_lost"]
    ] * 2
    assert (written["seed"] is None) == (written["engine"] == "exact")


def test_csv(outcomes: tuple[mh.Outcome, mh.Outcome]) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_of(outcomes[1]))))
    assert list(rows[0]) == ["quantity", "value", "probability", "at_least"]
    assert list(dict.fromkeys(row["quantity"] for row in rows)) == [
        *("wounds_lost", "models_destroyed", "attacker_wounds_lost", "attacker_models_destroyed"),
        *("attackers_used", "by_model.Shield", "by_model.Captain"),
    ]
    lost = [row for row in rows if row["quantity"] == "wounds_lost"]
    assert [float(row["probability"]) for row in lost] == outcomes[1].wounds_lost.pmf.tolist()
    assert float(lost[0]["at_least"]) == 1.0
