"""How many of a weapon are needed."""

from __future__ import annotations

import pytest

import mathhammer as mh
from mathhammer.counting import needed


def fight(*weapons: str) -> mh.Scenario:
    return mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": list(weapons)},
            "target": {"name": "T", "models": ["3x Foe: T4 Sv- W2"]},
        }
    )


def test_the_smallest_count_by_hand() -> None:
    """Torrent guns that wound on 2+ and destroy a model each: n of 3 wounds of n dice."""
    found = needed(fight("Gun: A1 S9 AP0 D2 [TORRENT]"), "Gun", 0.8)
    assert found.count == 4
    assert [chance for _, chance in found.curve] == pytest.approx(
        [0, 0, 0, (5 / 6) ** 3, (5 / 6) ** 4 + 4 * (5 / 6) ** 3 / 6]
    )


def test_other_weapons_stay_and_other_goals_are_asked() -> None:
    scenario = fight("Gun: A1 S9 AP0 D2 [TORRENT]", "2x Other: A1 S9 AP0 D2 [TORRENT]")
    assert needed(scenario, "gun", 0.99, "models_destroyed>=1").count == 1
    assert needed(scenario, "Gun", 0.6, "wounds_lost >= 4").count == 0


def test_what_cannot_be_reached_has_no_count() -> None:
    found = needed(fight("Gun: A1 S9 AP0 D2 [TORRENT]"), "Gun", 1.0, most=5)
    assert found.count is None
    assert len(found.curve) == 6
    assert "more than 5x Gun" in str(found)
    assert found.to_dict()["curve"][0] == {"count": 0, "probability": 0.0}


def test_modes_are_varied_together() -> None:
    scenario = fight("Gun | low: A1 S9 AP0 D2 [TORRENT]", "Gun | high: A1 S9 AP0 D2 [TORRENT]")
    assert needed(scenario, "Gun", 0.8).count == 4


def shared_name(phase: str | None, *weapons: list[str]) -> mh.Scenario:
    units = [{"name": f"Unit {number}", "weapons": own} for number, own in enumerate(weapons, start=1)]
    return mh.Scenario.from_dict(
        {
            "attacker": units,
            "target": {"name": "T", "models": ["4x Man: T4 Sv3+ W1"]},
            "conditions": {"phase": phase} if phase else {},
        }
    )


SHOT, BLOW = '1x Staff: 18" A2 BS3+ S5 AP-1 D1', "1x Staff: Melee A4 WS3+ S6 AP-2 D2"


@pytest.mark.parametrize(
    ("phase", "listed", "alone"),
    [
        ("fight", [SHOT, BLOW], BLOW),
        ("fight", [BLOW, SHOT], BLOW),
        ("shooting", [SHOT, BLOW], SHOT),
        ("shooting", [BLOW, SHOT], SHOT),
    ],
)
def test_the_row_of_the_phase_is_varied_when_a_ranged_weapon_has_the_same_name(
    phase: str, listed: list[str], alone: str
) -> None:
    found = needed(shared_name(phase, listed), "Staff", 0.9)
    assert found.count is not None
    for count, chance in found.curve[1:]:
        with_that_count = shared_name(phase, [alone.replace("1x", f"{count}x")])
        assert chance == pytest.approx(mh.solve(with_that_count).unit_destroyed, abs=1e-12)


def test_of_two_attackers_the_first_that_attacks_with_it_is_varied_and_the_other_keeps_its_own() -> None:
    other = "2x Gun: A1 BS5+ S4 AP0 D1"
    found = needed(shared_name("fight", [SHOT], [other, BLOW], [BLOW]), "Staff", 0.99)
    assert found.attacker == "Unit 2"
    assert "Staff of Unit 2" in str(found)
    assert found.to_dict()["attacker"] == "Unit 2"
    assert found.count is not None
    assert found.count > 1
    for count, chance in found.curve:
        scenario = shared_name("fight", [BLOW.replace("1x", f"{count}x")], [BLOW])
        assert chance == pytest.approx(mh.solve(scenario).unit_destroyed, abs=1e-12)


def test_rows_of_one_unit_with_that_name_are_counted_in_the_first() -> None:
    plain, twice = "1x Gun: A1 S9 AP0 D2 [TORRENT]", "7x Gun: A3 S9 AP0 D2 [TORRENT]"
    modes = ["5x Gun | low: A1 S9 AP0 D2 [TORRENT]", "5x Gun | high: A1 S9 AP0 D2 [TORRENT]"]
    for weapons in ([plain, twice], [*modes, *modes], [*modes, plain], [plain, *modes]):
        assert needed(fight(*weapons), "Gun", 0.8).count == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weapon": "Gum", "probability": 0.5}, 'weapon = "Gum": names no weapon; did you mean "Gun"'),
        ({"weapon": None, "probability": 0.5}, "weapon = None: the name of a weapon of the attackers"),
        ({"weapon": "Gun", "probability": 1.5}, "probability = 1.5"),
        ({"weapon": "Gun", "probability": None}, "probability = None"),
        ({"weapon": "Gun", "probability": 0.5, "goal": None}, "goal = None"),
        ({"weapon": "Gun", "probability": 0.5, "goal": "win"}, 'goal = "win": write "unit_destroyed"'),
        ({"weapon": "Gun", "probability": 0.5, "goal": "models_destroyed>=4"}, "only 3"),
        ({"weapon": "Gun", "probability": 0.5, "goal": "wounds_lost>=7"}, "only 6"),
        ({"weapon": "Gun", "probability": 0.5, "most": 0}, "most = 0"),
    ],
)
def test_bad_input_says_where(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(mh.InvalidScenario, match=message):
        needed(fight("Gun: A1 S9 AP0 D2 [TORRENT]"), **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Knife", "Plasma | high"])
def test_a_weapon_that_does_not_attack_here_is_refused(name: str) -> None:
    weapons = ["Gun: A1 BS4+ S9 AP0 D1", "Knife: Melee A1 WS4+ S9 AP0 D1"]
    weapons += ["Plasma | low: A1 BS3+ S7 AP-2 D1", "Plasma | high: A1 BS3+ S8 AP-3 D2"]
    scenario = mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": weapons},
            "target": {"name": "T", "models": ["3x Man: T4 Sv3+ W1"]},
            "conditions": {"phase": "shooting"},
        }
    )
    with pytest.raises(mh.InvalidScenario, match=r"does not attack here: see conditions\.phase"):
        mh.needed(scenario, name, 0.5)
    assert mh.needed(scenario, "Plasma", 0.5).count is not None
