"""Tables of the rules: wound rolls, saves, re-rolls, toughness, dice, and how values are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mathhammer as mh
from mathhammer import rules
from mathhammer.datasheets.loadout import parse_loadout
from mathhammer.dice import Dice
from mathhammer.distribution import Distribution

WOUND_ROLLS = [
    *((4, 8, 6), (4, 7, 5), (3, 7, 6), (5, 9, 5), (9, 5, 3), (9, 4, 2), (8, 4, 2), (7, 4, 3), (4, 4, 4)),
    *(
        (3, 6, 6),
        (6, 3, 2),
        (5, 3, 3),
        (1, 1, 4),
        (1, 20, 6),
        (20, 1, 2),
        (8, 13, 5),
        (12, 24, 6),
        (12, 23, 5),
    ),
]
SAVED_FACES = [
    # Sv, InSv, AP: save rolls of six that save
    *((2, None, -2, 3), (3, None, -1, 3), (4, None, -3, 0), (6, 4, -3, 3), (3, None, -2, 2)),
    *((2, None, 0, 5), (2, None, -6, 0)),
    *((3, 4, 0, 4), (3, 4, -1, 3), (3, 4, -2, 3), (3, 4, -3, 3), (3, 4, -5, 3)),
    *((2, 5, 0, 5), (2, 5, -1, 4), (2, 5, -2, 3), (2, 5, -3, 2), (2, 5, -5, 2)),
    *((6, 5, 0, 2), (6, 5, -1, 2), (6, 5, -2, 2), (6, 5, -3, 2), (6, 5, -5, 2)),
    *((3, 6, 0, 4), (3, 6, -1, 3), (3, 6, -2, 2), (3, 6, -3, 1), (3, 6, -5, 1)),
]


@pytest.mark.parametrize(("strength", "toughness", "needed"), WOUND_ROLLS)
def test_wound_roll(strength: int, toughness: int, needed: int) -> None:
    assert rules.wound_target(strength, toughness) == needed


@pytest.mark.parametrize(("save", "invulnerable", "ap", "faces"), SAVED_FACES)
def test_save_roll_the_better_of_both_saves_ap_on_one(
    save: int, invulnerable: int | None, ap: int, faces: int
) -> None:
    assert 6 - rules.unsaved_faces(save, invulnerable, ap) == faces


@pytest.mark.parametrize("needed", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("policy", [None, "ones", "failures"])
def test_rerolls_add_what_is_rolled_again(needed: int, policy: str | None) -> None:
    plain = (7 - needed) / 6
    again = {None: 0, "ones": 1 / 6, "failures": 1 - plain}[policy]
    gun = {"name": "Gun", "A": 1, "BS": needed, "S": 4, "AP": 0, "D": 1}
    gun["modifiers"] = {"reroll_hits": policy}
    scenario = {
        "attacker": {"name": "A", "weapons": [gun]},
        "target": {"name": "B", "models": ["1x Model: T4 Sv3+ W1"]},
    }
    (row,) = mh.solve(mh.Scenario.from_dict(scenario)).by_weapon
    assert row["hits"] == pytest.approx(plain + again * plain, abs=1e-12)


def test_attached_unit_has_the_highest_bodyguard_toughness() -> None:
    toughness = rules.toughness_of_unit([(4, False), (6, False), (3, True)])
    assert toughness == 6
    assert [rules.wound_target(strength, toughness) for strength in (6, 8, 12, 3)] == [4, 3, 2, 6]


DICE = {
    **{"1": (1, 1, 1), "12": (12, 12, 12), "D3": (1, 3, 2), "D6": (1, 6, 3.5), "d6": (1, 6, 3.5)},
    **{"1D6": (1, 6, 3.5), "2D3": (2, 6, 4), "3D3": (3, 9, 6), "2D6": (2, 12, 7), "4D6": (4, 24, 14)},
    **{"D3+3": (4, 6, 5), "D6+1": (2, 7, 4.5), "D6+3": (4, 9, 6.5), "2D6+3": (5, 15, 10)},
    **{"D6+8": (9, 14, 11.5), " D6 + 2 ": (3, 8, 5.5), "2d3+1": (3, 7, 5)},
}


@pytest.mark.parametrize("text", DICE)
def test_dice_as_printed(text: str) -> None:
    dice = Dice.parse(text)
    assert (dice.lowest, dice.highest, dice.mean) == DICE[text]
    assert dice.pmf @ np.arange(len(dice.pmf)) == pytest.approx(dice.mean)


@pytest.mark.parametrize("text", ["D7", "D4", "2D8", "D20", "D0", "0D6"])
def test_no_other_dice(text: str) -> None:
    with pytest.raises(mh.InvalidScenario, match=r"D6|dice"):
        Dice.parse(text)


def model(**keys: Any) -> mh.Model:
    return mh.Model.from_dict({"name": "Model", "T": 4, "Sv": 3, "W": 1} | keys)


@pytest.mark.parametrize("value", ["5", 5])
def test_toughness_is_a_whole_number(value: Any) -> None:
    assert model(T=value).toughness == 5


@pytest.mark.parametrize("value", ["5+", "N/A", "-", ""])
def test_toughness_is_nothing_else(value: Any) -> None:
    with pytest.raises(mh.InvalidScenario, match="toughness"):
        model(T=value)


@pytest.mark.parametrize(("value", "save"), [("-", None), ("", None), (None, None), ("4+", 4), ("4", 4)])
def test_invulnerable_save(value: Any, save: int | None) -> None:
    assert model(InSv=value).invulnerable_save == save


@pytest.mark.parametrize("value", ["4++", "5+*"])
def test_a_conditional_invulnerable_save_is_never_read_as_unconditional(value: str) -> None:
    with pytest.raises(mh.InvalidScenario, match="invulnerable_save"):
        model(InSv=value)


@pytest.mark.parametrize(("value", "flag"), [(0, False), (False, False), (1, True), (True, True)])
def test_flags_are_taken_literally(value: Any, flag: bool) -> None:
    assert mh.Conditions(cover=value).cover is flag


@pytest.mark.parametrize("value", ["false", "true", "", 2])
def test_a_text_is_no_flag(value: Any) -> None:
    with pytest.raises(mh.InvalidScenario, match="cover"):
        mh.Conditions(cover=value)


LOADOUTS = {"Axe:9,Pistol:1": (("Axe", 9), ("Pistol", 1)), "Axe": (("Axe", 1),), "": ()}


@pytest.mark.parametrize("text", LOADOUTS)
def test_loadout_of_a_unit(text: str) -> None:
    assert parse_loadout(text) == LOADOUTS[text]


@pytest.mark.parametrize("text", ["Axe:", "Axe:abc", ":3", "Axe:-1"])
def test_a_loadout_that_cannot_be_read_is_quoted(text: str) -> None:
    with pytest.raises(mh.InvalidScenario, match=text):
        parse_loadout(text)


def binomial(n: int, p: float) -> Distribution:
    pmf = np.ones(1)
    for _ in range(n):
        pmf = np.convolve(pmf, [1 - p, p])
    return Distribution(pmf)


def test_exactly_and_at_least() -> None:
    failed = binomial(4, 1 / 2)
    assert failed.pmf[3] == pytest.approx(0.25)
    assert failed.at_least(3) == pytest.approx(0.3125)
    assert failed.pmf[2] == pytest.approx(0.375)
    assert failed.at_least(0) == 1


def test_quantiles_are_attained_counts() -> None:
    made = binomial(16, 3 / 4)
    assert made.cdf[14] == pytest.approx(0.9365235602017492)
    assert made.cdf[15] == pytest.approx(0.9899774042423815)
    assert [made.quantile(q) for q in (0, 0.5, 0.95, 1)] == [0, 12, 15, 16]
    assert Distribution(np.array([0.5, 0, 0, 0, 0, 0.5])).quantile(0.5) == 0
