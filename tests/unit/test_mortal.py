"""Mortal wounds that come from no attack."""

from __future__ import annotations

import pytest

import mathhammer as mh

SQUAD = mh.Unit(name="Squad", models=["10x Grunt: T4 Sv3+ W2"])


def test_explosives_are_six_dice_on_four_or_more() -> None:
    out = mh.mortal_wounds(SQUAD, 6, "4+")
    assert out.wounds_lost.mean == pytest.approx(3)
    assert out.models_destroyed.at_least(1) == pytest.approx(1 - 7 / 64)
    assert out.engine == "exact"


def test_crushing_impact_hurts_both_at_most_six_each() -> None:
    tank = mh.Unit(name="Tank", models=["Tank: T12 Sv2+ W14"])
    out = mh.mortal_wounds(SQUAD, 12, "5+", maximum=6, itself=tank, on_itself="1", maximum_itself=6)
    assert len(out.wounds_lost.pmf) == 21
    assert out.wounds_lost.at_least(7) == 0
    assert out.wounds_lost.mean < 4 < out.wounds_lost.mean + 0.15
    assert out.attacker_wounds_lost.mean == pytest.approx(2, abs=0.01)
    assert out.attacker_wounds_lost.at_least(7) == 0
    assert out.attackers == ("Tank",)


def test_deadly_demise_is_one_die_on_a_six() -> None:
    out = mh.mortal_wounds(SQUAD, 1, 6, "D3")
    assert out.wounds_lost.pmf[:4] == pytest.approx([5 / 6, 1 / 18, 1 / 18, 1 / 18])


def test_hazard_rolls_of_a_move_fail_on_one_or_two() -> None:
    assert mh.mortal_wounds(SQUAD, 3, "1-2").wounds_lost.mean == pytest.approx(1)


def test_two_triggers_on_one_die() -> None:
    out = mh.mortal_wounds(SQUAD, 1, {4: 1, 6: 3})
    assert out.wounds_lost.pmf[:4] == pytest.approx([1 / 2, 1 / 3, 0, 1 / 6])


def test_they_spill_over_to_characters_last_and_meet_feel_no_pain() -> None:
    unit = mh.Unit(
        name="Led",
        models=["Captain: T4 Sv2+ W4 FNP4+ [CHARACTER]", "2x Guard: T4 Sv3+ W2"],
    )
    out = mh.mortal_wounds(unit, 5, "1-6")
    assert out.by_model["Guard"].pmf[2] == pytest.approx(1)
    assert out.wounds_lost.pmf[4:6] == pytest.approx([1 / 2, 1 / 2])


def test_a_random_number_of_dice() -> None:
    assert mh.mortal_wounds(SQUAD, "D6", "4+").wounds_lost.mean == pytest.approx(1.75)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dice": "D7", "on": 4}, "dice"),
        ({"dice": 1, "on": "7+"}, 'on = "7\\+"'),
        ({"dice": 1, "on": "5-3"}, 'write "4\\+"'),
        ({"dice": 1, "on": 4, "each": "many"}, "each"),
        ({"dice": 1, "on": {}}, "name what the dice must show"),
        ({"dice": 1, "on": 4, "maximum": -1}, "maximum = -1"),
        ({"dice": 1, "on": 4, "itself": mh.Unit(name="Ghost")}, 'itself = "Ghost"'),
    ],
)
def test_bad_input_says_where(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(mh.InvalidScenario, match=message):
        mh.mortal_wounds(SQUAD, **arguments)  # type: ignore[arg-type]


def test_too_many_are_refused() -> None:
    with pytest.raises(mh.UnsupportedScenario, match="at most 5000"):
        mh.mortal_wounds(SQUAD, 2000, 6, 2000)
