"""``compare``, ``sweep`` and ``what-if`` on the command line."""

import csv
import io
import json
import re

import pytest
from tests.commands import ARMY, FIGHT, run
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.cli import fighters
from mathhammer.errors import InvalidScenario
from mathhammer.plan import make_plan

pytestmark = pytest.mark.usefixtures("command_files")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_compare_prints_a_readable_table():
    shown = run("compare", "fight.toml", "army.toml", "--against", "marines,tank")
    assert "points destroyed: attacker by target" in shown
    assert re.search(r"attacker +marines +tank", shown)
    assert re.search(r"Gunners +\d+\.\d+ ", shown)
    assert "Exact probabilities." in shown
    assert "Left out: Scouts has no weapons." in shown
    assert "Squad attacks with its ranged weapons" in shown
    assert "Not used against other targets: choices.allocation_order of fight.toml." in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_what_belongs_to_one_target_is_named_when_it_is_not_used(tmp_path):
    own = FIGHT.replace("cover = true", "models_at_select_targets = 10").replace(
        "[choices]", '[choices]\nprecision = "Captain"'
    )
    (tmp_path / "own.toml").write_text(own)
    shown = run("compare", "own.toml", "--against", "marines")
    for name in ("conditions.models_at_select_targets", "choices.allocation_order", "choices.precision"):
        assert f"Not used against other targets: {name} of own.toml." in shown
    assert "Not used" not in run("compare", "own.toml")


def test_files_without_weapons_are_refused(tmp_path):
    (tmp_path / "scouts.toml").write_text("[[units]]" + ARMY.rpartition("[[units]]")[2])
    with pytest.raises(InvalidScenario, match="holds no unit with weapons"):
        run("compare", "scouts.toml", "--against", "marines")


def test_compare_of_a_scenario_is_the_scenario():
    rows = rows_of(run("compare", "fight.toml", "--csv", "-"))
    out = mh.solve(mh.Scenario.from_toml(FIGHT))
    assert [(row["attacker"], row["target"]) for row in rows] == [("Gunners", "Wall")] * 8
    for row in rows:
        assert float(row["value"]) == pytest.approx(out.metric(row["metric"]).value, abs=1e-15)


OPPOSED = {
    "who ignores bad modifiers keeps the good": """
attacker.name = "A"
attacker.weapons = ["10x Gun: A2 BS4+ S4 AP0 D1"]
attacker.modifiers = {hit_roll = -1, ignore_modifiers = ["hit_roll"]}
target = {name = "B", models = ["20x M: T4 Sv4+ W1"]}
modifiers = {hit_roll = 1}
""",
    "D is added to, halved, subtracted from": """
attacker = {name = "A", weapons = ["10x Gun: A2 BS3+ S4 AP0 DD3"], modifiers = {damage = 1}}
target = {name = "B", models = [{name = "M", count = 10, T = 4, Sv = 4, W = 9, halve_damage = true}]}
modifiers = {damage = -1}
""",
    "two thresholds of critical hits": """
attacker = {name = "A", weapons = ["10x Gun: A2 BS6+ S4 AP0 D1"], modifiers = {critical_hits_on = 5}}
target = {name = "B", models = ["20x M: T4 Sv- W1"]}
modifiers = {critical_hits_on = 4, critical_hits_need_success = true}
""",
    "a psychic weapon with three sources": """
target = {name = "B", models = ["9x M: T4 Sv- W1"]}
modifiers = {skill = -1}
[attacker]
name = "A"
modifiers = {skill = 1}
[[attacker.weapons]]
name = "Bolt"
A = 6
BS = "6+"
S = 4
AP = 0
D = 1
abilities = ["PSYCHIC"]
modifiers = {skill = 1}
""",
    "of equal duplicates the first listed": """
attacker = {name = "A", weapons = ["2x Gun: A2 BS4+ S4 AP0 D1"], modifiers = {abilities = ["SUSTAINED HITS 2"]}}
target = {name = "B", models = ["4x M: T4 Sv4+ W1"]}
modifiers = {abilities = ["SUSTAINED HITS D3"]}
""",
}


@pytest.mark.parametrize("text", OPPOSED.values(), ids=OPPOSED)
def test_compare_and_run_agree_whatever_stands_in_two_places(tmp_path, text):
    (tmp_path / "opposed.toml").write_text(text)
    whole = mh.solve(mh.Scenario.from_toml(text))
    for words in ([], ["--by-weapon"]):
        rows = rows_of(run("compare", "opposed.toml", *words, "--metric", "wounds_lost", "--csv", "-"))
        assert [float(row["value"]) for row in rows] == [whole.wounds_lost.mean]


@pytest.mark.parametrize("part", range(6))
def test_random_scenarios_are_compared_as_they_are_run(monkeypatch, part):
    monkeypatch.setattr(fighters, "read_toml", lambda file: {"attacker": file, "target": file})
    for scenario in random_scenarios(60, seed=8)[part::6]:
        monkeypatch.setattr(fighters, "read_scenario", lambda file, phase, scenario=scenario: scenario)
        unit, modifiers = fighters.read_fighters(["x.toml"], None, None, by_weapon=False).attackers[0]
        alone = mh.Scenario(attacker=unit, target=scenario.target, modifiers=modifiers)
        assert first_attack(alone) == first_attack(scenario)


def first_attack(scenario):
    """All that the engines know of the attacks of the first attacker that has any."""
    plan = make_plan(scenario)
    attacker = min(batch.attacker for batch in plan.batches)
    attack = plan.attacks[attacker]
    batches = [(batch.dice, batch.rolls) for batch in plan.batches if batch.attacker == attacker]
    return batches, attack.preference, attack.precision, attack.models_at_select_targets


def test_what_is_said_of_the_weapons_of_others_does_not_come_along(tmp_path):
    (tmp_path / "two.toml").write_text(
        """
[[attacker]]
name = "One"
weapons = ["2x Gun | low: A1 BS3+ S4 AP0 D1", "2x Gun | high: A1 BS3+ S9 AP0 D1"]
[[attacker]]
name = "Two"
weapons = ["2x Bow: A1 BS3+ S4 AP0 D1"]
[[attacker]]
name = "Three"
weapons = ["2x Axe: Melee A1 WS3+ S4 AP0 D1"]
[target]
name = "Wall"
models = ["3x Shield: T4 Sv3+ W2"]
[conditions]
phase = "shooting"
[choices]
modes = {gun = "high"}
batch_order = ["Bow", "Gun | high"]
"""
    )
    whole = mh.solve(mh.Scenario.from_toml(tmp_path / "two.toml"))
    shown = run("compare", "two.toml", "--metric", "wounds_lost")
    assert "Left out: Three has no weapons for the shooting phase." in shown
    rows = rows_of(run("compare", "two.toml", "--metric", "wounds_lost", "--csv", "-"))
    assert [row["attacker"] for row in rows] == ["One", "Two"]
    assert float(rows[0]["value"]) == pytest.approx(whole.by_weapon[0]["wounds_lost"])
    by_weapon = rows_of(run("compare", "two.toml", "--by-weapon", "--metric", "wounds_lost", "--csv", "-"))
    assert [row["value"] for row in by_weapon] == [row["value"] for row in rows]


def test_compare_by_weapon_and_phase():
    rows = rows_of(
        run("compare", "fight.toml", "army.toml", "--by-weapon", "--metric", "wounds_lost", "--csv", "-")
    )
    assert [row["attacker"] for row in rows] == [
        *("Gunners: Heavy gun", "Gunners: Rifle", "Squad: Rifle", "Squad: Fist")
    ]
    fists = rows_of(
        run("compare", "army.toml", "--against", "marines", "--phase", "fight", "--by-weapon", "--csv", "-")
    )
    assert {row["attacker"] for row in fists} == {"Squad: Fist"}


def test_the_phase_decides_between_weapons_of_both_kinds(tmp_path):
    squad = ARMY.partition("[[units]]")[2].partition("[[units]]")[0]
    (tmp_path / "both.toml").write_text(
        f'[attacker]{squad}[target]\nname = "Wall"\nmodels = ["3x S: T4 Sv3+ W2"]\n'
    )
    with pytest.raises(InvalidScenario, match="set conditions"):
        run("what-if", "both.toml")
    assert "one more Fist" in run("what-if", "both.toml", "--phase", "fight")
    assert "one more Rifle" in run("what-if", "both.toml", "--phase", "shooting")
    run("sweep", "both.toml", "target.models[0].T=3,4", "--phase", "fight")
    fist = rows_of(run("compare", "both.toml", "--phase", "fight", "--metric", "wounds_lost", "--csv", "-"))
    shot = rows_of(
        run("compare", "both.toml", "--phase", "shooting", "--metric", "wounds_lost", "--csv", "-")
    )
    assert fist[0]["value"] != shot[0]["value"]


def test_every_standard_target_fits_the_width():
    shown = run("compare", "fight.toml", "army.toml", "--against", "all", "--by-weapon")
    for name in mh.targets:
        assert name in shown
    assert max(map(len, shown.splitlines())) <= 100


def test_many_columns_are_several_tables(tmp_path):
    units = "".join(
        f'[[units]]\nname = "Squad number {number} of the line"\npoints = 50\n'
        'weapons = ["8x Rifle: A2 BS3+ S4 AP-1 D1"]\n'
        for number in range(20)
    )
    (tmp_path / "many.toml").write_text(units)
    shown = run("compare", "many.toml", "--against", "all")
    assert shown.count("target by attacker") + shown.count("attacker by target") > 1
    assert max(map(len, shown.splitlines())) <= 100


def test_json_has_the_rows_and_what_was_assumed():
    found = json.loads(run("compare", "army.toml", "--against", "marines", "--json", "-"))
    assert found["rows"][0].keys() == {"attacker", "target", "metric", "value", "standard_error", "engine"}
    assert found["assumed"][0].startswith("Squad attacks with its ranged weapons")
    assert found["points"] == {"Squad": 100}
    assert found["seed"] is None


def test_files_are_written_whole_and_nothing_else_is_left(tmp_path):
    run("compare", "fight.toml", "--csv", "out.csv", "--json", "out.json", "--plot", "out.png")
    assert {path.name for path in tmp_path.iterdir()} == {
        *("fight.toml", "army.toml", "out.csv", "out.json", "out.png")
    }
    assert rows_of((tmp_path / "out.csv").read_text())[0]["attacker"] == "Gunners"
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_a_file_that_cannot_be_written_keeps_what_was_there(tmp_path, monkeypatch):
    (tmp_path / "out.csv").write_text("before")

    def full(self, *arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_text", full)
    with pytest.raises(InvalidScenario, match=r"--csv = \"out.csv\": cannot be written \(No space left"):
        run("compare", "fight.toml", "--csv", "out.csv")
    assert (tmp_path / "out.csv").read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 3


def test_sweep_over_one_field_shows_every_metric():
    shown = run("sweep", "fight.toml", "target.models[0].Sv=2+,3+,4+")
    assert [line.split()[0] for line in shown.splitlines() if re.match(r"  \d\+", line)] == ["2+", "3+", "4+"]
    for words in ("wounds lost", "destroy", "points"):
        assert words in shown


def test_sweep_over_two_and_three_fields():
    axes = ["target.models[0].save=2,3,4", "conditions.cover=true,false"]
    shown = run("sweep", "fight.toml", *axes)
    assert "chance to destroy: target.models[0].save" in shown
    assert re.search(r"true +false", shown)
    rows = rows_of(run("sweep", "fight.toml", *axes, "modifiers.reroll_hits=none,ones", "--csv", "-"))
    assert len(rows) == 12 * 8
    assert rows[0]["modifiers.reroll_hits"] == "none"
    assert "reroll_hits" in run("sweep", "fight.toml", *axes, "modifiers.reroll_hits=none,ones")


def test_sweep_draws_a_chart(tmp_path):
    run("sweep", "fight.toml", "target.models[0].save=2,3,4", "--metric", "wounds_lost", "--plot", "out.svg")
    assert (tmp_path / "out.svg").read_text().startswith("<?xml")


def test_what_if_prints_differences_and_where_they_start(tmp_path):
    words = ["--change", "AP worse by 1", "--change", "+1 AP", "--change", "conditions.cover=false"]
    shown = run("what-if", "fight.toml", *words, "--plot", "out.png")
    order = [shown.index(name) for name in ("+1 AP", "conditions.cover=false", "AP worse by 1")]
    assert order[0] < order[2]
    assert "As it stands: wounds lost" in shown
    assert re.search(r"\+1 AP +\+\d", shown)
    assert re.search(r"AP worse by 1 +-\d", shown)
    assert (tmp_path / "out.png").exists()


def test_what_if_by_monte_carlo_shows_the_error_of_each_difference():
    shown = run(
        "what-if",
        "fight.toml",
        "--change",
        "+1 AP",
        "--engine",
        "monte-carlo",
        "--trials",
        "3200",
        "--seed",
        "1",
    )
    assert re.search(r"\+1 AP +\+\d\.\d+ ±0\.\d+", shown)
    assert "Monte Carlo: 3200 trials each, seed 1." in shown


def test_what_if_by_monte_carlo_shows_the_error_of_what_it_starts_from():
    words = ["what-if", "fight.toml", "--change", "conditions.cover=true", "--engine", "monte-carlo"]
    shown = " ".join(run(*words, "--trials", "1000", "--seed", "1").split())
    out = mh.solve(mh.Scenario.from_toml(FIGHT)).wounds_lost
    value, error = re.search(r"As it stands: wounds lost (\d\.\d\d) ±(0\.\d\d),", shown).groups()
    assert float(error) == pytest.approx(out.sd / 1000**0.5, rel=0.4)
    assert abs(float(value) - out.mean) < 4 * float(error)
    # The file has cover: a simulated difference of 0 is what was seen, no more.
    assert "conditions.cover=true none seen none seen none seen" in shown


def test_a_chance_for_points_is_written_as_a_chance_is_in_every_table():
    words = ["--metric", "unit_destroyed_per_100_points", "--metric", "unit_destroyed"]
    for command in (
        ["compare", "fight.toml", "--against", "guard"],
        ["sweep", "fight.toml", "target.models[0].Sv=6+,7"],
        ["what-if", "fight.toml", "--change", "+1 Damage"],
    ):
        shown = " ".join(run(*command, *words).split())
        numbers = re.findall(r"[+<]?[0-9.]+%", shown)
        assert len(numbers) == (2 if command[0] == "compare" else 4), shown


def test_a_simulated_chance_of_nothing_is_only_what_was_seen():
    words = ["compare", "fight.toml", "--against", "knight", "--metric", "unit_destroyed", "--seed", "1"]
    assert re.search(r"Gunners +<0.01%", run(*words, "--engine", "exact"))
    shown = run(*words, "--engine", "monte-carlo", "--trials", "64")
    assert re.search(r"Gunners +never seen", shown)


def test_wide_columns_leave_no_number_out():
    words = ["what-if", "fight.toml", "--engine", "monte-carlo", "--trials", "1000000", "--seed", "1"]
    shown = run(*words, "--change", "FEEL NO PAIN 5+ of the target", "--change", "AP worse by 1")
    for line in shown.splitlines():
        assert len(line) <= 80
        if "AP worse by 1" in line:
            assert re.fullmatch(r" +AP worse by 1( +[+-][\d.]+%? ±[\d.]+%?){3} *", line)
    metrics = ("wounds_lost", "models_destroyed", "points_destroyed", "wounds_lost_per_100_points")
    shown = run(
        *words, "--change", "AP worse by 1", *(word for name in metrics for word in ("--metric", name))
    )
    assert len(re.findall(r"[+-][\d.]+ ±[\d.]+(?= )", shown)) == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["compare", "army.toml"], "--against: name targets"),
        (["compare", "nowhere.toml", "--against", "tank"], '"nowhere.toml": there is no such file'),
        (["compare", "army.toml", "--against", "tnak"], '--against = "tnak": is no standard target'),
        (["compare", "fight.toml", "--metric", "wounds"], 'did you mean "wounds_lost"'),
        (["compare", "fight.toml", "--engine", "exakt"], 'did you mean "exact"'),
        (["compare", "fight.toml", "--phase", "shoting"], 'did you mean "shooting"'),
        (
            ["compare", "fight.toml", "--csv", "-", "--json", "-"],
            "only one of --csv and --json can go to stdout",
        ),
        (
            ["compare", "fight.toml", "--csv", "nowhere/out.csv"],
            "cannot be written (No such file or directory)",
        ),
        (["compare", "fight.toml", "--plot", "out.doc"], "name a chart .png, .svg or .pdf"),
        (["sweep", "fight.toml", "target.models[0].save"], "write PATH=V,V,..."),
        (["sweep", "fight.toml", "target.models[0].savee=2"], 'did you mean "target.models[0].save"'),
        (
            ["sweep", "fight.toml", "target.models[0].save=2+,3+,2+"],
            'target.models[0].save[2] = "2+": stands twice',
        ),
        (["what-if", "fight.toml", "--change", "+1 to hitt"], 'did you mean "+1 to hit"'),
        (
            ["what-if", "fight.toml", "--change", "+1 to hit", "--change", "+1 To Hit"],
            'changes[1] = "+1 to hit": stands twice',
        ),
        (
            ["sweep", "fight.toml", "target.models[0].Sv=2+", "target.models[0].save=3+"],
            'path = "target.models[0].save": changes target.models[0].Sv again',
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(words, said):
    with pytest.raises(InvalidScenario, match=re.escape(said)) as caught:
        run(*words)
    assert "\n" not in str(caught.value)
