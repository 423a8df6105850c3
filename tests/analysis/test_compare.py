"""Every attacker against every target."""

import re

import pandas as pd
import pytest

import mathhammer as mh
from mathhammer.analysis import compare, one_weapon, pivot
from mathhammer.analysis import compare as compare_function
from mathhammer.analysis.army import army_table, versus
from mathhammer.errors import InvalidScenario, MathhammerWarning, UnsupportedScenario

RIFLES = mh.Unit(name="Rifles", points=80, weapons=["5x Rifle: A2 BS3+ S4 AP-1 D1"])
TORCH = mh.Unit(name="Torch", points=50, weapons=["1x Torch: A2 S9 AP-6 D1 [TORRENT]"])
SQUAD = mh.Unit(
    name="Squad",
    points=100,
    weapons=[
        *("8x Rifle: A2 BS3+ S4 AP-1 D1", "9x Fist: Melee A1 WS3+ S4 AP0 D1"),
        *("1x Gun | low: A3 BS4+ S5 AP-1 D2", "1x Gun | high: A3 BS4+ S8 AP-2 D3"),
    ],
)
GRUNTS = mh.Unit(name="Grunts", points=20, models=["2x Grunt: T4 Sv6+ W1"])
WALL = mh.Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"])
LOW = 'Gun is used in its mode "low" (the first listed)'
COLUMNS = ["attacker", "target", "metric", "value", "standard_error", "engine"]


def value(frame, metric, attacker=None, target=None):
    rows = frame[frame["metric"] == metric]
    for column, name in (("attacker", attacker), ("target", target)):
        rows = rows if name is None else rows[rows[column] == name]
    assert len(rows) == 1
    return rows["value"].iloc[0]


def test_the_table_is_long_and_tidy_in_the_order_given():
    frame = compare([RIFLES, TORCH], [GRUNTS, "marines"])
    assert list(frame.columns) == COLUMNS
    assert list(frame["attacker"].unique()) == ["Rifles", "Torch"]
    assert list(frame["target"].unique()) == ["Grunts", "marines"]
    assert len(frame) == 2 * 2 * 8
    assert set(frame["engine"]) == {"exact"}
    assert (frame["standard_error"] == 0).all()
    assert (frame.attrs["trials"], frame.attrs["seed"]) == (None, None)


def test_values_by_hand():
    # Both attacks hit, wound T4 on 2+ and cannot be saved: each destroys a Grunt of 10 points with 5/6.
    frame = compare(TORCH, GRUNTS)
    assert value(frame, "wounds_lost") == pytest.approx(10 / 6)
    assert value(frame, "models_destroyed") == pytest.approx(10 / 6)
    assert value(frame, "unit_destroyed") == pytest.approx(25 / 36)
    assert value(frame, "points_destroyed") == pytest.approx(100 / 6)
    assert value(frame, "points_destroyed_per_100_points") == pytest.approx(200 / 6)
    assert value(frame, "unit_destroyed_per_100_points") == pytest.approx(50 / 36)


def test_every_cell_is_what_the_engines_give():
    frame = compare([RIFLES, TORCH], [GRUNTS, WALL], engine="monte-carlo", trials=5000, seed=3)
    assert set(frame["engine"]) == {"monte-carlo"}
    out = mh.simulate(mh.Scenario(attacker=TORCH, target=WALL), trials=5000, seed=3)
    rows = frame[(frame["attacker"] == "Torch") & (frame["target"] == "Wall")].set_index("metric")
    for metric in rows.index:
        assert rows.loc[metric, "value"] == out.metric(metric).value
        assert rows.loc[metric, "standard_error"] == out.metric(metric).standard_error
    assert frame.attrs["seed"] == 3
    assert frame.attrs["trials"] == 5000


def test_conditions_modifiers_and_choices_are_those_of_every_attack():
    around = {"conditions": {"cover": True}, "modifiers": mh.Modifiers(wound_roll=1)}
    frame = compare(RIFLES, WALL, "wounds_lost", **around)
    fight = mh.Scenario(attacker=RIFLES, target=WALL, **around)
    assert frame["value"].tolist() == [mh.solve(fight).wounds_lost.mean]


def test_all_standard_targets_at_once():
    frame = compare(RIFLES, mh.targets, "wounds_lost")
    assert list(frame["target"]) == list(mh.targets)


@pytest.mark.parametrize("targets", [GRUNTS, [GRUNTS], (GRUNTS,)])
@pytest.mark.parametrize("attackers", [TORCH, [TORCH], (TORCH,)])
def test_one_unit_needs_no_list(attackers, targets):
    assert len(compare(attackers, targets, "wounds_lost")) == 1


def test_one_weapon_of_a_unit_stands_by_itself():
    frame = compare([(SQUAD, "rifle"), (SQUAD, "Fist"), (SQUAD, "gun")], WALL, "wounds_lost")
    assert list(frame["attacker"]) == ["Squad: Rifle", "Squad: Fist", "Squad: Gun"]
    alone = mh.Unit(name="Rifles alone", weapons=["8x Rifle: A2 BS3+ S4 AP-1 D1"])
    assert value(frame, "wounds_lost", "Squad: Rifle") == value(
        compare(alone, WALL, "wounds_lost"), "wounds_lost"
    )
    assert frame.attrs["assumed"] == [LOW]
    assert one_weapon(SQUAD, "Gun | high").name == "Squad: Gun | high"
    assert len(one_weapon(SQUAD, "gun").weapons) == 2


def test_modifiers_beside_those_of_a_unit_are_a_source_of_their_own():
    # D3 and 1, halved, less 1; as one sum it would be D3, halved.
    guns = mh.Unit(name="Guns", points=70, weapons=["4x Gun: A2 BS3+ S4 AP0 DD3"], modifiers={"damage": 1})
    shell = mh.Unit(name="Shell", models=[mh.Model(name="Shell", T=4, Sv=4, W=9, halve_damage=True)])
    worse = mh.Modifiers(damage=-1)
    frame = compare([(guns, worse), guns, RIFLES], [shell, GRUNTS], ["wounds_lost", "points_destroyed"])
    assert list(frame["attacker"].unique()) == ["Guns", "Guns (2)", "Rifles"]
    assert frame.attrs["points"] == {"Guns": 70, "Guns (2)": 70, "Rifles": 80}
    for label, modifiers in (("Guns", worse), ("Guns (2)", mh.Modifiers())):
        fight = mh.Scenario(attacker=guns, target=shell, modifiers=modifiers)
        assert value(frame, "wounds_lost", label, "Shell") == mh.solve(fight).wounds_lost.mean
    alone = compare((guns, worse), shell, "wounds_lost")
    assert value(alone, "wounds_lost") == value(frame, "wounds_lost", "Guns", "Shell")


def test_a_pair_shoots_where_nothing_says_the_phase():
    frame = compare((SQUAD, mh.Modifiers(hit_roll=1)), WALL, "wounds_lost")
    same = compare(SQUAD, WALL, "wounds_lost", modifiers={"hit_roll": 1})
    assert frame.equals(same)
    assert frame.attrs == same.attrs


def test_a_unit_with_weapons_of_both_kinds_shoots_and_that_is_said():
    frame = compare(SQUAD, WALL, "wounds_lost")
    assert frame.attrs["assumed"] == [
        'Squad attacks with its ranged weapons; phase "fight" takes the melee weapons',
        LOW,
    ]
    shooting = compare(SQUAD, WALL, "wounds_lost", conditions={"phase": "shooting"})
    assert frame.equals(shooting)
    assert shooting.attrs["assumed"] == [LOW]
    fight = compare(SQUAD, WALL, "wounds_lost", conditions=mh.Conditions(phase="fight"))
    assert value(fight, "wounds_lost") == value(compare((SQUAD, "fist"), WALL, "wounds_lost"), "wounds_lost")


def test_what_is_best_for_one_target_is_not_said_of_all():
    guns = mh.Unit(name="Guns", weapons=["8x Bow: A2 BS3+ S4 AP0 D1", "4x Gun: A2 BS3+ S8 AP-3 D3"])
    frame = compare(
        guns, [WALL, mh.Unit(name="Mob", models=["9x Lout: T4 Sv6+ W1"])], choices={"batch_order": "best"}
    )
    assert not [words for words in frame.attrs["assumed"] if "batch order" in words]


def test_conditions_of_an_attackers_own_stay():
    own = mh.Attacker(**SQUAD.to_dict(), conditions={"phase": "fight"})
    frame = compare(own, WALL, "wounds_lost")
    assert frame.attrs["assumed"] == []
    assert value(frame, "wounds_lost") == value(compare((SQUAD, "fist"), WALL, "wounds_lost"), "wounds_lost")


def test_a_name_that_stands_twice_is_numbered():
    frame = compare([TORCH, TORCH], [GRUNTS, GRUNTS], "wounds_lost")
    assert list(frame["attacker"].unique()) == ["Torch", "Torch (2)"]
    assert pivot(frame).shape == (2, 2)
    second = TORCH.replaced(name="Torch (2)")
    labels = compare([TORCH, second, TORCH], GRUNTS, "wounds_lost")["attacker"].tolist()
    assert labels == ["Torch", "Torch (2)", "Torch (3)"]


def test_metrics_that_need_points_are_left_out_and_that_is_said():
    frame = compare(TORCH, [GRUNTS, WALL])
    held = frame.groupby("target")["metric"].agg(set)
    assert "points_destroyed" in held["Grunts"]
    assert "points_destroyed" not in held["Wall"]
    assert "points_destroyed: 1 of 2 without points" in frame.attrs["left_out"]
    assert frame.attrs["points"] == {"Torch": 50}


def test_per_100_points_of_an_attacker_that_costs_nothing_is_left_out_and_that_is_said():
    frame = compare([TORCH, TORCH.replaced(points=0)], GRUNTS)
    assert "wounds_lost_per_100_points: 1 of 2 without points (or with 0)" in frame.attrs["left_out"]


def test_a_metric_that_has_no_value_anywhere_is_an_error():
    with pytest.raises(InvalidScenario, match="needs points"):
        compare(TORCH, WALL, "points_destroyed")
    with pytest.raises(
        InvalidScenario, match=r"does not hold it \(points_destroyed: 1 of 1 without points\)"
    ):
        pivot(compare(TORCH, WALL), "points_destroyed")


def test_the_pivot_keeps_the_order():
    frame = compare([TORCH, RIFLES], [WALL, GRUNTS], ["wounds_lost", "models_destroyed"])
    across = pivot(frame, "wounds_lost")
    assert list(across.index) == ["Torch", "Rifles"]
    assert list(across.columns) == ["Wall", "Grunts"]
    assert across.loc["Torch", "Grunts"] == value(frame, "wounds_lost", "Torch", "Grunts")
    assert (pivot(frame, "wounds_lost", column="engine") == "exact").all(axis=None)
    with pytest.raises(InvalidScenario, match="the table holds several, name one: wounds_lost, models"):
        pivot(frame)
    with pytest.raises(InvalidScenario, match='did you mean "wounds_lost"'):
        pivot(frame, "wounds")
    with pytest.raises(InvalidScenario, match="column"):
        pivot(frame, "wounds_lost", column="trials")


def test_a_cell_that_stands_twice_is_told_apart_by_the_column_that_does():
    squad = mh.Unit(name="Squad", weapons=["2x Gun: A2 BS3+ S4 AP0 D1", "2x Axe: Melee A2 WS3+ S4 AP0 D1"])
    frame = army_table(squad, ["marines", "tank"], "unit_destroyed", engine="exact")
    said = 'frame = "phase": Squad against marines stands once for each: take the rows of one, frame[frame["phase"]'
    with pytest.raises(InvalidScenario, match=re.escape(said)):
        pivot(frame)
    assert pivot(frame[frame["phase"] == "fight"]).columns.tolist() == ["marines", "tank"]
    armed = squad.replaced(models=["2x M: T4 Sv3+ W1"])
    with pytest.raises(InvalidScenario, match='frame = "side"'):
        pivot(versus(armed, armed, "unit_destroyed", trials=64, seed=1))
    own = compare(squad.replaced(weapons=squad.weapons[:1]), "tank", "wounds_lost")
    with pytest.raises(InvalidScenario, match='frame = "Squad > tank": stands twice: keep one row'):
        pivot(pd.concat([own, own]))


def too_large(scenario):
    raise UnsupportedScenario.at("target.models", 1000, "too many states: simulate it")


def test_auto_simulates_what_the_exact_engine_cannot_do_and_says_so(monkeypatch):
    monkeypatch.setattr("mathhammer.front.solve", too_large)
    frame = compare(TORCH, GRUNTS, "wounds_lost", trials=20_000, seed=1)
    assert frame["engine"].tolist() == ["monte-carlo"]
    assert frame["standard_error"].iloc[0] > 0
    with pytest.raises(UnsupportedScenario, match="too many states"):
        compare(TORCH, GRUNTS, "wounds_lost", engine="exact")


def test_two_processes_give_the_same_table():
    here = compare([RIFLES, TORCH], [GRUNTS, WALL], engine="monte-carlo", trials=2000, seed=5)
    there = compare([RIFLES, TORCH], [GRUNTS, WALL], engine="monte-carlo", trials=2000, seed=5, jobs=2)
    assert there.equals(here)


def test_cells_whose_worker_was_killed_are_named(monkeypatch):
    from mathhammer.analysis import parallel

    def lose_one(work, items, **options):
        return [parallel.Lost(items[0], "killed"), *map(work, items[1:])]

    monkeypatch.setitem(compare_function.__globals__, "run_all", lose_one)
    with pytest.warns(MathhammerWarning, match="no result, a worker was killed: Torch / Grunts"):
        frame = compare(TORCH, [GRUNTS, WALL], "wounds_lost")
    assert frame["engine"].tolist() == ["lost", "exact"]
    assert frame["value"].isna().tolist() == [True, False]


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        (([], GRUNTS), {}, "attackers = []: needs at least one"),
        ((TORCH, []), {}, "targets = []: needs at least one"),
        (([TORCH, "Torch"], GRUNTS), {}, 'attackers[1] = "Torch": write a Unit'),
        (
            ([TORCH, (SQUAD, "Rifel")], GRUNTS),
            {},
            'attackers[1].weapon = "Rifel": Squad has no such weapon; did',
        ),
        ((TORCH, [GRUNTS, "marinez"]), {}, 'targets[1] = "marinez": is no standard target'),
        ((TORCH, [GRUNTS, 3]), {}, "targets[1] = 3: write a Unit"),
        (([TORCH, GRUNTS], WALL), {}, "attackers[1].weapons = []: an attacker needs weapons"),
        ((TORCH, [WALL, SQUAD]), {}, "targets[1].models = []: a target needs models"),
        (
            (TORCH, GRUNTS),
            {"metrics": "wounds"},
            'metrics[0] = "wounds": is no metric; did you mean "wounds_lost"',
        ),
        ((TORCH, GRUNTS), {"metrics": []}, "metrics = []"),
        ((TORCH, GRUNTS), {"metrics": 3}, "metrics = 3: write names of metrics"),
        ((None, GRUNTS), {}, "attackers = None: write a Unit, (Unit, weapon name), or (Unit, Modifiers"),
        ((3, GRUNTS), {}, "attackers = 3: write a Unit"),
        ((mh.Scenario(attacker=TORCH, target=WALL), GRUNTS), {}, "attackers = Scenario(attacker"),
        (([(SQUAD, 3)], GRUNTS), {}, "attackers[0] = (Unit(name='Squad'"),
        ((TORCH, None), {}, "targets = None: write a Unit, or the name"),
        ((TORCH, GRUNTS), {"metrics": ["wounds_lost"] * 2}, "metrics[1]"),
        (
            (TORCH, GRUNTS),
            {"engine": "exct"},
            'engine = "exct": one of "auto", "exact", "monte-carlo"; did you',
        ),
        ((TORCH, GRUNTS), {"trials": 0}, "trials = 0"),
        ((TORCH, GRUNTS), {"seed": -1}, "seed = -1"),
        ((TORCH, GRUNTS), {"jobs": 0}, "jobs = 0"),
        (
            (TORCH, GRUNTS),
            {"conditions": {"covr": True}},
            'conditions.covr = true: is no key of a Conditions; did you mean "cover"',
        ),
        ((TORCH, GRUNTS), {"conditions": 3}, "conditions = 3: a Conditions is a table"),
        ((TORCH, GRUNTS), {"modifiers": {"foo": 1}}, "modifiers.foo = 1: is no key of a Modifiers"),
        ((TORCH, GRUNTS), {"modifiers": []}, "modifiers = []: a Modifiers is a table"),
        ((TORCH, GRUNTS), {"choices": {"foo": 1}}, "choices.foo = 1: is no key of a Choices"),
        ((TORCH, GRUNTS), {"choices": "best"}, 'choices = "best": a Choices is a table'),
        ((TORCH, GRUNTS), {"progress": "x"}, 'progress = "x": None, True, False, or a function'),
        (
            ([TORCH, (SQUAD, mh.Modifiers(ap=1))], GRUNTS),
            {"modifiers": {"ap": 1}},
            "modifiers = {'ap': 1}: attackers[1] brings modifiers as well",
        ),
        ((TORCH, GRUNTS), {"conditions": {"phase": "fight"}}, "no melee weapon (attackers[0], targets[0])"),
    ],
)
def test_what_cannot_be_compared_is_named_by_its_argument(arguments, options, said):
    with pytest.raises(InvalidScenario, match=re.escape(said)):
        compare(*arguments, **options)


OWN = mh.Attacker(name="Own", weapons=TORCH.weapons, choices={"allocation_order": ["Grunt"]})
ARCHERS = mh.Unit(name="Archers", weapons=["5x Bow: A2 BS3+ S4 AP0 D1"])


@pytest.mark.parametrize(
    ("attackers", "targets", "options", "path"),
    [
        ([TORCH, ARCHERS, GRUNTS], [WALL, GRUNTS], {}, "attackers[2].weapons"),
        ([TORCH, ARCHERS], [WALL, GRUNTS, ARCHERS], {}, "targets[2].models"),
        (
            [TORCH, ARCHERS],
            [GRUNTS, WALL],
            {"choices": {"allocation_order": ["Grunt"]}},
            "choices.allocation_order[0]",
        ),
        ([TORCH, OWN], [GRUNTS, WALL], {}, "attackers[1].choices.allocation_order[0]"),
    ],
)
def test_what_does_not_fit_together_is_found_before_anything_runs(
    monkeypatch, attackers, targets, options, path
):
    monkeypatch.setitem(compare_function.__globals__, "run_all", None)
    with pytest.raises(InvalidScenario) as found:
        compare(attackers, targets, "wounds_lost", **options)
    assert [problem.path for problem in found.value.problems] == [path]


def test_what_was_assumed_and_what_is_not_modelled_is_said_once():
    squad = SQUAD.replaced(not_modelled=["Banner"])
    frame = compare(squad, ["marines", "tank"], "wounds_lost", conditions={"phase": "shooting"})
    assert frame.attrs["assumed"] == [LOW]
    assert frame.attrs["not_modelled"] == ["Squad: Banner"]
