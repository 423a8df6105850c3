"""What each change is worth."""

import re

import numpy as np
import pytest

import mathhammer as mh
from mathhammer.analysis import what_if
from mathhammer.analysis.changes import read_change, usual_changes
from mathhammer.errors import InvalidScenario, MathhammerWarning, UnsupportedScenario

GUNS = mh.Unit(name="Gunners", points=60, weapons=["4x Gun: A2 BS4+ S5 AP-1 D2"])
WALL = mh.Unit(name="Wall", points=90, models=["3x Shield: T4 Sv3+ W2"])
FIGHT = mh.Scenario(attacker=GUNS, target=WALL)


def test_differences_of_means_and_of_the_chance_to_destroy():
    frame = what_if(FIGHT, ["+1 to hit"])
    assert list(frame.columns) == [
        *("change", "metric", "value", "difference", "standard_error", "value_error", "engine")
    ]
    assert frame["metric"].tolist() == [
        "wounds_lost",
        "models_destroyed",
        "unit_destroyed",
        "points_destroyed",
    ]
    before = mh.solve(FIGHT)
    after = mh.solve(FIGHT.replaced(modifiers={"hit_roll": 1}))
    rows = frame.set_index("metric")
    for metric in rows.index:
        assert rows.loc[metric, "value"] == after.metric(metric).value
        assert rows.loc[metric, "difference"] == after.metric(metric).value - before.metric(metric).value
        assert frame.attrs["before"][metric] == before.metric(metric).value
        assert frame.attrs["before_error"][metric] == 0
    assert (frame[["standard_error", "value_error"]] == 0).all(axis=None)
    assert set(frame["engine"]) == {"exact"}


def test_the_usual_changes_are_the_default():
    frame = what_if(FIGHT, metrics="wounds_lost")
    assert frame["change"].tolist() == [change.name for change in usual_changes(FIGHT)]
    worth = frame.set_index("change")["difference"]
    assert (worth[["+1 to hit", "+1 to wound", "+1 AP", "re-roll hit rolls", "one more Gun"]] > 0).all()
    assert (
        worth[["-1 to hit", "cover for the target", "AP worse by 1", "FEEL NO PAIN 5+ of the target"]] < 0
    ).all()
    assert worth["re-roll hit rolls"] > worth["re-roll hit rolls of 1"] > 0


def test_a_change_that_changes_nothing_is_worth_nothing_also_by_monte_carlo():
    cover = FIGHT.replaced(conditions={"cover": True})
    for engine in ("exact", "monte-carlo"):
        frame = what_if(cover, [{"conditions.cover": True}], engine=engine, trials=3200, seed=0)
        assert (frame["difference"] == 0).all()
        assert (frame["standard_error"] == 0).all()


def test_both_sides_use_the_same_random_numbers():
    one = what_if(FIGHT, ["+1 to hit"], engine="monte-carlo", trials=6400, seed=4)
    two = what_if(FIGHT, ["+1 to wound", "+1 to hit"], engine="monte-carlo", trials=6400, seed=4)
    assert two[two["change"] == "+1 to hit"].reset_index(drop=True).equals(one)
    assert one.attrs["before"] == two.attrs["before"]
    assert one.attrs["seed"] == 4


def test_the_error_of_a_difference_is_honest():
    # The differences of 20 seeds stand around the exact one as their errors say: the mean square of 20 scores
    # lies in 0.35 .. 2.2 but for two lists of seeds in a thousand.
    metrics = ["wounds_lost", "unit_destroyed"]
    exact = what_if(FIGHT, ["+1 to hit"], metrics=metrics)["difference"].to_numpy()
    scores = []
    for seed in range(20):
        frame = what_if(FIGHT, ["+1 to hit"], metrics=metrics, engine="monte-carlo", trials=3300, seed=seed)
        scores.append((frame["difference"].to_numpy() - exact) / frame["standard_error"].to_numpy())
    squares = (np.array(scores) ** 2).mean(axis=0)
    assert ((squares > 0.35) & (squares < 2.2)).all()


def test_a_value_has_an_error_of_its_own_larger_than_that_of_the_difference():
    metrics = ["wounds_lost", "models_destroyed"]
    frame = what_if(
        FIGHT, ["+1 to hit", "SUSTAINED HITS 1"], metrics=metrics, engine="monte-carlo", trials=9600, seed=2
    )
    independent = [mh.solve(read_change(change, FIGHT).apply(FIGHT)) for change in frame["change"].unique()]
    errors = [getattr(out, name).sd / 9600**0.5 for out in independent for name in metrics]
    # An error estimated from 32 parts is itself known to 13%.
    assert frame["value_error"].to_numpy() == pytest.approx(errors, rel=0.4)
    assert (frame["standard_error"] < frame["value_error"]).all()
    before = mh.solve(FIGHT)
    for name in metrics:
        spread = getattr(before, name).sd / 9600**0.5
        assert frame.attrs["before_error"][name] == pytest.approx(spread, rel=0.4)


def too_large_with(count, solve=mh.solve):
    def refuse(scenario):
        if scenario.target.model_count == count:
            raise UnsupportedScenario.at("target.models", count, "too many states: simulate it")
        return solve(scenario)

    return refuse


def test_a_change_beyond_the_exact_engine_is_simulated_on_both_sides(monkeypatch):
    monkeypatch.setattr("mathhammer.front.solve", too_large_with(4))
    changes = ["one more Shield", "+1 to hit"]
    frame = what_if(FIGHT, changes, metrics="wounds_lost", trials=6400, seed=1).iloc[::-1]
    assert frame["engine"].tolist() == ["exact", "monte-carlo"]
    assert frame["standard_error"].iloc[0] == 0
    assert frame["standard_error"].iloc[1] > 0
    assert (frame["value_error"] > 0).tolist() == [False, True]
    assert frame.attrs["before"]["wounds_lost"] == mh.solve(FIGHT).wounds_lost.mean
    assert abs(frame["difference"].iloc[1]) < 5 * frame["standard_error"].iloc[1] + 0.5


def test_when_the_scenario_itself_is_beyond_it_all_is_simulated(monkeypatch):
    monkeypatch.setattr("mathhammer.front.solve", too_large_with(3))
    frame = what_if(FIGHT, ["+1 to hit", "one more Shield"], metrics="wounds_lost", trials=6400, seed=1)
    assert set(frame["engine"]) == {"monte-carlo"}
    with pytest.raises(UnsupportedScenario):
        what_if(FIGHT, ["+1 to hit"], engine="exact")


def test_without_points_their_metric_is_left_out_and_that_is_said():
    fight = FIGHT.replaced(target=WALL.replaced(points=None))
    frame = what_if(fight, ["+1 to hit"])
    assert "points_destroyed" not in set(frame["metric"])
    assert frame.attrs["left_out"] == ["points_destroyed: without points"]
    with pytest.raises(InvalidScenario, match="needs points"):
        what_if(fight, ["+1 to hit"], metrics="points_destroyed")


def test_a_change_whose_worker_was_killed_is_named(monkeypatch):
    from mathhammer.analysis import parallel

    def lose_last(work, items, **options):
        return [*map(work, items[:-1]), parallel.Lost(items[-1], "killed")]

    monkeypatch.setitem(what_if.__globals__, "run_all", lose_last)
    with pytest.warns(MathhammerWarning, match="no result, a worker was killed: cover for the target"):
        frame = what_if(FIGHT, ["+1 to hit", "cover for the target"], metrics="wounds_lost")
    assert frame["engine"].tolist() == ["exact", "lost"]


@pytest.mark.parametrize(
    ("changes", "options", "said"),
    [
        (["+1 to hit", "+1 to hitt"], {}, 'changes[1] = "+1 to hitt"'),
        (["target.models[0].savee=2"], {}, "changes[0].path"),
        ([{"target.models[0].save": 9}], {}, "changes[0].target.models[0].save = 9"),
        ([], {}, "name at least one"),
        (["+1 to hit", "+1 To Hit"], {}, 'changes[1] = "+1 to hit": stands twice'),
        ([("a", "+1 to hit"), ("a", "+1 AP")], {}, 'changes[1] = "a": stands twice'),
        (3, {}, "changes = 3: write names"),
        (["+1 to hit"], {"metrics": 3}, "metrics = 3: write names of metrics"),
        (["+1 to hit"], {"progress": "x"}, 'progress = "x"'),
        (["+1 to hit"], {"engine": "monte-carlo", "trials": 63}, "trials = 63: at least 64"),
        (["+1 to hit"], {"metrics": "wounds"}, "is no metric"),
    ],
)
def test_what_cannot_be_done_is_named(changes, options, said):
    with pytest.raises(InvalidScenario, match=re.escape(said)):
        what_if(FIGHT, changes, **options)


def test_what_is_no_scenario_is_refused():
    with pytest.raises(InvalidScenario, match="scenario = None: make one"):
        what_if(None)


def test_one_change_needs_no_list():
    assert what_if(FIGHT, read_change("+1 to hit", FIGHT))["change"].unique().tolist() == ["+1 to hit"]


def test_a_usual_change_that_cannot_be_made_here_is_left_out_and_that_is_said():
    worse = mh.Modifiers(damage=-1)
    guns = GUNS.replaced(weapons=[GUNS.weapons[0].replaced(modifiers=worse, count=1000)], modifiers=worse)
    fight = mh.Scenario(attacker=guns, target=WALL.replaced(modifiers_against=worse), modifiers=worse)
    frame = what_if(fight, metrics="wounds_lost")
    assert not {"+1 Damage", "one more Gun"} & set(frame["change"])
    damage, more = frame.attrs["left_out"]
    assert damage.startswith("+1 Damage: attacker.weapons[0].modifiers = {'damage': 1}: cannot be combined")
    assert more.startswith("one more Gun: attacker.weapons[0].count = 1001: ")
    with pytest.raises(InvalidScenario, match=r"changes\[0\].attacker.weapons\[0\].modifiers"):
        what_if(fight, ["+1 Damage"])


def test_read_change_is_what_what_if_reads():
    assert read_change("+1 to hit", FIGHT).apply(FIGHT).modifiers.hit_roll == 1


def test_what_the_changed_side_assumes_and_leaves_out_is_said() -> None:
    other = mh.Unit(name="Other", models=["3x Shield: T4 Sv3+ W2"], not_modelled=["Jinx"])
    frame = what_if(FIGHT, {"target": other}, metrics="wounds_lost")
    assert frame.attrs["not_modelled"] == ["Other: Jinx"]
    assert frame.attrs["assumed"] == []
    modes = mh.Unit(name="Squad", weapons=["Gun | low: A2 BS3+ S4 AP0 D1", "Gun | high: A2 BS3+ S8 AP-3 D2"])
    frame = what_if(FIGHT, {"attacker": modes}, metrics="wounds_lost")
    (said,) = frame.attrs["assumed"]
    assert "low" in said
