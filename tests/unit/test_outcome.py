"""`Distribution` and `Outcome`: what can be asked of them, and how they look."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import random_scenarios

import mathhammer as mh

THIRDS = mh.Distribution(np.array([0.25, 0.0, 0.5, 0.25, 0.0]))
FIGHT = {
    "attacker": {
        "name": "Gunners",
        "points": 100,
        "weapons": ["4x Gun: A2 BS3+ S5 AP-1 D2 [HAZARDOUS]", "Cannon: A1 BS4+ S9 AP-3 DD6"],
        "models": ["4x Gunner: T4 Sv4+ W1"],
    },
    "target": {
        "name": "Wall",
        "points": 90,
        "models": ["2x Shield: T4 Sv3+ W2", "Captain: T4 Sv2+ W4 [CHARACTER]"],
    },
}


@pytest.fixture(scope="module")
def exact() -> mh.Outcome:
    return mh.solve(mh.Scenario.from_dict(FIGHT))


@pytest.fixture(scope="module")
def simulated() -> mh.Outcome:
    return mh.simulate(mh.Scenario.from_dict(FIGHT), 20_000, seed=0)


def test_moments() -> None:
    assert THIRDS.mean == 1.75
    assert THIRDS.sd == pytest.approx(1.0897247)
    assert THIRDS.standard_error == 0.0
    assert mh.Distribution(THIRDS.pmf, trials=400).standard_error == pytest.approx(1.0897247 / 20)


def test_at_least() -> None:
    assert [THIRDS.at_least(k) for k in (-1, 0, 1, 2, 3, 4, 5, 99)] == [1, 1, 0.75, 0.75, 0.25, 0, 0, 0]


def test_cdf() -> None:
    assert THIRDS.cdf.tolist() == [0.25, 0.25, 0.75, 1.0, 1.0]
    assert mh.Distribution(np.full(10, 0.1) + 1e-17).cdf[-1] <= 1.0


@pytest.mark.parametrize(
    ("q", "k"), [(0, 0), (0.25, 0), (0.26, 2), (0.75, 2), (0.7500001, 3), (0.9, 3), (1, 3)]
)
def test_a_quantile_is_an_attained_count(q: float, k: int) -> None:
    assert THIRDS.quantile(q) == k


def test_a_quantile_forgives_rounding() -> None:
    tenths = mh.Distribution(np.full(10, 0.1))
    assert [tenths.quantile(k / 10) for k in range(1, 11)] == list(range(10))


@pytest.mark.parametrize("q", [-0.1, 1.1, float("nan")])
def test_a_quantile_of_no_probability(q: float) -> None:
    with pytest.raises(
        mh.InvalidScenario, match=r"^q = .*: a quantile is asked for with a probability from 0 to 1$"
    ):
        THIRDS.quantile(q)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=30).filter(any), st.floats(0, 1))
def test_quantiles_by_definition(weights: list[int], q: float) -> None:
    pmf = np.array(weights) / sum(weights)
    distribution = mh.Distribution(pmf)
    attained = [k for k, p in enumerate(pmf) if p > 0]
    reached = [k for k in attained if pmf[: k + 1].sum() >= q - 1e-12]
    assert distribution.quantile(q) == (reached[0] if reached else attained[-1])


def test_distributions_compare_by_value_and_cannot_be_changed() -> None:
    assert mh.Distribution(THIRDS.pmf) == THIRDS
    assert mh.Distribution(THIRDS.pmf, trials=3) != THIRDS
    assert THIRDS != "thirds"
    for array in (THIRDS.pmf, THIRDS.cdf):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        THIRDS.trials = 5  # type: ignore[misc]
    own = np.array([0.5, 0.5])
    kept = mh.Distribution(own)
    own[0] = 9
    assert kept.pmf.tolist() == [0.5, 0.5]


def test_its_line() -> None:
    assert str(THIRDS) == "mean 1.75, sd 1.09, 10/50/90 %: 0 / 2 / 3"
    assert str(mh.Distribution(THIRDS.pmf, 400)) == "mean 1.75 +- 0.054, sd 1.09, 10/50/90 %: 0 / 2 / 3"


def test_the_parts_agree(exact: mh.Outcome, simulated: mh.Outcome) -> None:
    for outcome in (exact, simulated):
        assert outcome.unit_destroyed == pytest.approx(
            outcome.probability(lambda alive: not any(alive.values()))
        )
        assert outcome.models_destroyed.mean == pytest.approx(sum(d.mean for d in outcome.by_model.values()))
        for name in ("wounds_lost", "models_destroyed"):
            mean = getattr(outcome, name).mean
            assert sum(row[name] for row in outcome.by_weapon) == pytest.approx(mean)
            assert outcome.after_attacker[-1][name] == pytest.approx(mean)
        assert outcome.after_attacker[-1]["unit_destroyed"] == pytest.approx(outcome.unit_destroyed)
        assert outcome.metric("unit_destroyed").value == outcome.unit_destroyed  # type: ignore[union-attr]


def test_a_joint_question(exact: mh.Outcome) -> None:
    marginal = exact.by_model["Captain"].at_least(1)
    assert exact.probability(lambda alive: alive["Captain"] == 0) == pytest.approx(marginal)
    assert exact.probability(lambda alive: alive["Captain"] == 0 and alive["Shield"] > 0) == 0.0
    assert exact.probability(lambda alive: True) == pytest.approx(1)


def test_a_question_about_nobody(exact: mh.Outcome) -> None:
    with pytest.raises(mh.InvalidScenario, match=r'names no model of the target; did you mean "Captain"\?'):
        exact.probability(lambda alive: alive["Captian"] == 0)


def test_errors_of_probabilities(exact: mh.Outcome, simulated: mh.Outcome) -> None:
    assert exact.error_of(0.3) == 0.0
    assert simulated.error_of(0.3) == pytest.approx((0.21 / 20_000) ** 0.5)


def test_metrics(exact: mh.Outcome) -> None:
    points = exact.points_destroyed
    assert points is not None
    assert points.value == pytest.approx(30 * exact.models_destroyed.mean)
    for name in ("wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed"):
        plain, per = exact.metric(name), exact.metric(f"{name}_per_100_points")
        assert plain == per
    with pytest.raises(mh.InvalidScenario, match=r'^metric = "wounds": is no metric'):
        exact.metric("wounds")


def test_points_that_are_not_known() -> None:
    plain = {side: {k: v for k, v in unit.items() if k != "points"} for side, unit in FIGHT.items()}
    outcome = mh.solve(mh.Scenario.from_dict(plain))
    assert outcome.points_destroyed is None
    assert outcome.metric("points_destroyed") is None
    assert outcome.metric("wounds_lost_per_100_points") is None
    assert outcome.metric("wounds_lost") is not None


def test_below_half_strength(exact: mh.Outcome) -> None:
    assert exact.below_half_strength == pytest.approx(exact.models_destroyed.at_least(2))
    knight = {"attacker": FIGHT["attacker"], "target": {"name": "K", "models": ["Knight: T4 Sv3+ W9"]}}
    single = mh.solve(mh.Scenario.from_dict(knight))
    assert single.below_half_strength == pytest.approx(single.wounds_lost.at_least(5))


def test_outcomes_survive_pickling(exact: mh.Outcome, simulated: mh.Outcome) -> None:
    for outcome in (exact, simulated):
        for back in (pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome)):
            assert back.to_dict() == outcome.to_dict()
            assert str(back) == str(outcome)
            assert back.probability(lambda alive: alive["Shield"] == 1) == outcome.probability(
                lambda alive: alive["Shield"] == 1
            )


def test_outcomes_compare_by_value(exact: mh.Outcome, simulated: mh.Outcome) -> None:
    for out in (exact, simulated):
        copy = pickle.loads(pickle.dumps(out))
        assert copy == out
        assert hash(copy) == hash(out)
    assert exact != simulated
    assert exact != exact.to_dict()


def test_models_cannot_be_changed(exact: mh.Outcome) -> None:
    with pytest.raises(TypeError):
        exact.by_model["Nobody"] = exact.models_destroyed  # type: ignore[index]


def test_an_interruption_survives_pickling(simulated: mh.Outcome) -> None:
    back = pickle.loads(pickle.dumps(mh.Interrupted(simulated)))
    assert back.outcome.to_dict() == simulated.to_dict()
    assert pickle.loads(pickle.dumps(mh.Interrupted(None))).outcome is None


def test_an_outcome_cannot_be_changed(exact: mh.Outcome) -> None:
    with pytest.raises(AttributeError):
        exact.trials = 5  # type: ignore[misc]


ARRAYS = ("start", "alive", "wounds_left", "weights", "used", "attacker_wounds", "attacker_models")


@pytest.mark.parametrize("name", ARRAYS)
def test_its_arrays_cannot_be_changed(exact: mh.Outcome, simulated: mh.Outcome, name: str) -> None:
    for outcome in (exact, simulated):
        for each in (outcome, pickle.loads(pickle.dumps(outcome)), copy.deepcopy(outcome)):
            with pytest.raises(ValueError, match="read-only"):
                getattr(each, name)[0] = 1


def test_every_array_is_among_them(exact: mh.Outcome) -> None:
    assert sorted(k for k, value in vars(exact).items() if isinstance(value, np.ndarray)) == sorted(ARRAYS)


def test_a_copy_of_a_distribution_cannot_be_changed_either() -> None:
    assert THIRDS.cdf[-1] == 1
    for each in (pickle.loads(pickle.dumps(THIRDS)), copy.deepcopy(THIRDS)):
        assert each == THIRDS
        for array in (each.pmf, each.cdf):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1


@pytest.mark.parametrize("wrong", [None, "x", "3", [1], float("nan"), True, 1j])
def test_what_is_no_number_is_refused(exact: mh.Outcome, wrong: Any) -> None:
    for ask in (THIRDS.at_least, THIRDS.quantile, exact.error_of):
        with pytest.raises(mh.InvalidScenario, match=r"^[kqp] = .*: .* (count|probability)"):
            ask(wrong)
    for number in (np.int64(2), np.float64(2), 2.0):
        assert THIRDS.at_least(number) == 0.75


@pytest.mark.parametrize("wrong", [None, 5, ["wounds_lost"]])
def test_names_and_questions_of_the_wrong_kind(exact: mh.Outcome, wrong: Any) -> None:
    with pytest.raises(mh.InvalidScenario, match=r"^metric = .*: is no metric; (known are|did you mean)"):
        exact.metric(wrong)
    with pytest.raises(mh.InvalidScenario, match=r"^question = .*: write a function, such as lambda alive"):
        exact.probability(wrong)
    with pytest.raises(mh.InvalidScenario, match=r"^alive = 5: names no model of the target"):
        exact.probability(lambda alive: alive[5] == 0)  # type: ignore[index]


@pytest.mark.parametrize("wrong", [[0.0, 0.0], [float("nan")], None, "x", [], 0.5, [[0.5, 0.5]], ["x"]])
def test_a_distribution_needs_probabilities(wrong: Any) -> None:
    with pytest.raises(mh.InvalidScenario, match=r"^pmf = .*: write the probabilities of 0, 1, 2"):
        mh.Distribution(wrong)


def test_an_error_of_no_probability(simulated: mh.Outcome) -> None:
    assert simulated.error_of(1 + 1e-16) == simulated.error_of(1 + 1e-12) == 0.0
    for p in (-0.1, 1.1):
        with pytest.raises(mh.InvalidScenario, match=r"^p = .*: a probability is a number from 0 to 1$"):
            simulated.error_of(p)


def test_what_is_printed(simulated: mh.Outcome) -> None:
    text = str(simulated)
    for words in ("Gunners against Wall", "4x Gun", "wounds lost", "models destroyed", "the unit", "Captain"):
        assert words in text
    assert "1 or more models" in text
    assert text.endswith("Monte Carlo: 20,000 trials, seed 0; +- is one standard error.")


@pytest.mark.parametrize("index", range(40))
def test_it_fits_80_columns(index: int) -> None:
    outcome = mh.simulate(random_scenarios(40, seed=4)[index], 200, seed=1)
    assert max(map(len, str(outcome).splitlines())) <= 80


def test_long_names_fit_too() -> None:
    long = {
        "attacker": {"name": "Very " * 30, "weapons": [f"Extremely {'long ' * 20}gun: A2 BS3+ S5 AP-1 D2"]},
        "target": {"name": "Wall " * 30, "models": [f"A {'b ' * 60}: T4 Sv3+ W2", "Another: T4 Sv3+ W2"]},
    }
    outcome = mh.simulate(mh.Scenario.from_dict(long), 200, seed=1)
    assert max(map(len, str(outcome).splitlines())) <= 80


def test_the_same_in_html(simulated: mh.Outcome) -> None:
    html = simulated._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 3
    words = re.sub(r"<[^>]+>", " ", html).split()
    for number in re.findall(r"\d+\.\d+", str(simulated)):
        assert number in words


def test_names_are_escaped_in_html() -> None:
    sly = {
        "attacker": {"name": "<script>alert(1)</script>", "weapons": ["<b>Gun: A2 BS3+ S5 AP-1 D2"]},
        "target": {"name": "A & B", "models": ["<i>x: T4 Sv3+ W2", "y: T4 Sv3+ W2"]},
    }
    html = mh.solve(mh.Scenario.from_dict(sly))._repr_html_()
    for raw in ("<script", "<b>G", "<i>", "A & B"):
        assert raw not in html
    assert "A &amp; B" in html


def test_what_never_happened_is_not_called_impossible() -> None:
    small = {
        "attacker": {"name": "A", "weapons": ["2x Gun: A1 BS6+ S2 AP0 D1"]},
        "target": {"name": "B", "models": ["2x Wall: T9 Sv2+ W1"]},
    }
    assert "never seen" in str(mh.simulate(mh.Scenario.from_dict(small), 100, seed=1))
    assert "<0.1 %" in str(mh.solve(mh.Scenario.from_dict(small)))


def test_a_weapon_that_nobody_carries_gives_zeros() -> None:
    none = {"attacker": {"name": "A", "weapons": ["0x Gun: A2 BS3+ S5 AP-1 D2"]}, "target": FIGHT["target"]}
    for outcome in (
        mh.solve(mh.Scenario.from_dict(none)),
        mh.simulate(mh.Scenario.from_dict(none), 500, seed=0),
    ):
        assert outcome.wounds_lost.pmf[0] == outcome.models_destroyed.pmf[0] == 1.0
        (row,) = outcome.by_weapon
        assert row["count"] == 0
        assert {value for value in row.values() if isinstance(value, float)} <= {0.0}
