"""The numbers of outcomes, and how they are rounded for reading."""

import math

import pandas as pd
import pytest

import mathhammer as mh
from mathhammer.analysis import compare, pivot, rounded, summary, what_if
from mathhammer.analysis.army import assign
from mathhammer.analysis.summary import written
from mathhammer.errors import InvalidScenario

GUNS = mh.Unit(name="Gunners", points=60, weapons=["4x Gun: A2 BS4+ S5 AP-1 D2"])
WALL = mh.Unit(name="Wall", points=90, models=["3x Shield: T4 Sv3+ W2"])
FIGHT = mh.Scenario(attacker=GUNS, target=WALL)
EXACT = mh.solve(FIGHT)


def test_raw_values_of_one_outcome():
    frame = summary(EXACT)
    assert list(frame.columns) == [
        *("outcome", "quantity", "mean", "sd", "standard_error", "q10", "q50", "q90", "engine", "trials")
    ]
    assert frame["quantity"].tolist() == [
        "wounds_lost",
        "models_destroyed",
        "unit_destroyed",
        "points_destroyed",
    ]
    rows = frame.set_index("quantity")
    assert rows.loc["wounds_lost", "mean"] == EXACT.wounds_lost.mean
    assert rows.loc["wounds_lost", "sd"] == EXACT.wounds_lost.sd
    assert rows.loc["wounds_lost", "q90"] == EXACT.wounds_lost.quantile(0.9)
    assert rows.loc["unit_destroyed", "mean"] == EXACT.unit_destroyed
    assert math.isnan(rows.loc["unit_destroyed", "q50"])
    assert set(frame["outcome"]) == {"Gunners > Wall"}
    assert frame["trials"].isna().all()


def test_many_outcomes_with_their_errors():
    simulated = mh.simulate(FIGHT, trials=4000, seed=1)
    frame = summary({"exact": EXACT, "simulated": simulated})
    assert frame["outcome"].unique().tolist() == ["exact", "simulated"]
    row = frame[(frame["outcome"] == "simulated") & (frame["quantity"] == "unit_destroyed")].iloc[0]
    assert row["standard_error"] == simulated.error_of(simulated.unit_destroyed)
    assert row["trials"] == 4000
    assert summary([EXACT, simulated])["outcome"].unique().tolist() == [
        "Gunners > Wall",
        "Gunners > Wall (2)",
    ]


def test_quantiles_on_demand():
    frame = summary(EXACT, quantiles=[0.25, 0.975])
    assert {"q25", "q97.5"} <= set(frame.columns)
    with pytest.raises(InvalidScenario, match=r"quantiles\[0\] = 2: a probability from 0 to 1"):
        summary(EXACT, quantiles=[2])
    for odd in (0.5, None, True):
        with pytest.raises(
            InvalidScenario, match=rf"quantiles = {str(odd).replace('True', 'true')}: write a list"
        ):
            summary(EXACT, quantiles=odd)
    with pytest.raises(InvalidScenario, match=r'quantiles\[1\] = "half"'):
        summary(EXACT, quantiles=[0.5, "half"])


def test_losses_of_the_attacker_where_there_can_be_any():
    torch = mh.Unit(
        name="Torches",
        models=["2x Bearer: T4 Sv3+ W1"],
        weapons=["2x Torch: A1 S4 AP0 D1 [TORRENT, HAZARDOUS]"],
    )
    frame = summary(mh.solve(mh.Scenario(attacker=[torch, torch.replaced(name="More")], target=WALL)))
    assert {"attacker_wounds_lost", "attacker_models_destroyed", "attackers_used"} <= set(frame["quantity"])


def test_what_is_no_table_is_refused():
    for read in (rounded, pivot, assign):
        for odd in (3, EXACT, pd.DataFrame()):
            with pytest.raises(InvalidScenario, match=r"frame = \"\w+\": give a table such as \w+ makes"):
                read(odd)
    for table in (summary(EXACT), what_if(FIGHT, "+1 to hit", metrics="wounds_lost")):
        with pytest.raises(InvalidScenario, match="such as compare makes"):
            pivot(table)


def test_something_else_is_refused():
    with pytest.raises(InvalidScenario, match=r"outcomes\[1\] = 3"):
        summary([EXACT, 3])


@pytest.mark.parametrize(
    ("value", "error", "percent", "text"),
    [
        (3.14159, 0.0, False, "3.142"),
        (31.4159, 0.0, False, "31.42"),
        (3141.59, 0.0, False, "3142"),
        (0.0, 0.0, False, "0.000"),
        (0.00001, 0.0, False, "<0.001"),
        (-0.00001, 0.0, False, ">-0.001"),
        (3.14159, 0.02, False, "3.14"),
        (3.14159, 0.3, False, "3.1"),
        (3.14159, 20.0, False, "3"),
        (0.51234, 0.0, True, "51.2%"),
        (0.0012, 0.0, True, "0.12%"),
        (1.0, 0.0, True, "100.0%"),
        (0.51234, 0.003, True, "51.2%"),
        (0.51234, 0.03, True, "51%"),
        (math.nan, 0.0, True, ""),
    ],
)
def test_a_number_has_the_digits_that_its_error_warrants(value, error, percent, text):
    assert written(value, error, percent=percent) == text


def test_rounding_makes_a_copy_to_read():
    frame = compare(GUNS, [WALL, "tank"], engine="monte-carlo", trials=2000, seed=1)
    kept = frame.copy()
    text = rounded(frame)
    pd.testing.assert_frame_equal(frame, kept)
    assert text["value"].map(type).eq(str).all()
    assert text.loc[text["metric"] == "unit_destroyed", "value"].str.endswith("%").all()


def test_values_are_written_as_exactly_as_they_are_known_themselves():
    frame = what_if(FIGHT, "+1 to hit", metrics="wounds_lost", engine="monte-carlo", trials=1000, seed=1)
    frame[["value", "difference", "standard_error", "value_error"]] = 3.14159, 0.51234, 0.004, 0.07
    (row,) = rounded(frame).to_dict("records")
    assert (row["value"], row["value_error"]) == ("3.14", "0.070")
    assert (row["difference"], row["standard_error"]) == ("+0.512", "0.0040")


def test_rounded_differences_have_a_sign():
    text = rounded(what_if(FIGHT, ["+1 to hit", "cover for the target"], metrics="wounds_lost"))
    assert [shown[0] for shown in text["difference"]] == ["+", "-"]
    assert text["standard_error"].tolist() == ["0", "0"]
