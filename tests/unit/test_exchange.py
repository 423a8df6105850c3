"""One unit attacks, the survivors of the other strike back."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh
from mathhammer.strike_back import exchange

DUELLIST = {"models": ["Duellist: T4 Sv- W1"], "weapons": ["Blade: Melee A1 WS4+ S9 AP0 D1"], "points": 50}


def duellist(name: str, **keys: object) -> mh.Unit:
    return mh.Unit.from_dict({"name": name, **DUELLIST, **keys})


HIT = 1 / 2 * 5 / 6


def test_a_duel_by_hand() -> None:
    found = exchange(duellist("A"), duellist("B"))
    assert found.second.unit_destroyed == pytest.approx(HIT)
    assert found.first.unit_destroyed == pytest.approx((1 - HIT) * HIT)
    assert found.second.points_lost is not None
    assert found.second.points_lost.mean == pytest.approx(50 * HIT)
    assert found.second.points_lost.at_least(50) == pytest.approx(HIT)
    assert found.points_difference == pytest.approx(50 * HIT - 50 * (1 - HIT) * HIT)


def test_a_duel_of_three_blows() -> None:
    found = exchange(duellist("A"), duellist("B"), blows=3)
    survives_both = (1 - HIT) * (1 - HIT)
    assert found.second.unit_destroyed == pytest.approx(HIT + survives_both * HIT)
    assert found.first.unit_destroyed == pytest.approx((1 - HIT) * HIT)


def test_survivors_strike_with_what_they_have_left() -> None:
    """Two of four clubs: the share of the models that are left, rounded up."""
    first = mh.Unit(name="First", models=["Wall: T9 Sv- W9"], weapons=["2x Axe: Melee A1 WS2+ S9 AP0 D9"])
    mob = mh.Unit(name="Mob", models=["4x Lout: T1 Sv- W1"], weapons=["4x Club: Melee A1 WS2+ S9 AP0 D1"])
    blow = 5 / 6 * 5 / 6
    left = 4 - 2 * blow
    # S9 against T9 wounds on 4+.
    assert exchange(first, mob).first.wounds_lost.mean == pytest.approx(left * 5 / 6 / 2)
    assert "rounded up" in exchange(first, mob).assumed[0]


def test_hazards_of_the_first_weaken_it_for_the_third_blow() -> None:
    gun = "Gun: A1 BS2+ S9 AP0 D1 [HAZARDOUS]"
    shooter = duellist("A", weapons=[gun])
    victim = duellist("B", models=["Rock: T4 Sv- W9"], weapons=["Pebble: A1 BS6+ S1 AP0 D1"])
    found = exchange(shooter, victim, blows=1)
    assert found.first.unit_destroyed == pytest.approx(1 / 3)
    again = exchange(shooter, victim, blows=3)
    hit_back = 1 / 6 * 1 / 6
    alive = 2 / 3 * (1 - hit_back)
    assert again.second.wounds_lost.mean == pytest.approx(25 / 36 * (1 + alive))


def kin(first: str, second: str, **keys: Any) -> mh.Unit:
    """A weak model and a tough one, of two kinds."""
    rows = [("Weak", 1, first), ("Tough", 6, second)]
    models = [{"name": name, "T": 4, "Sv": "-", "W": w, "keywords": [kind]} for name, w, kind in rows]
    return mh.Unit.from_dict({"name": "Kin", "models": models, **keys})


KILLS_INFANTRY = "Flame: A1 S20 AP-6 D1 [TORRENT, ANTI-INFANTRY 2+]"


def test_a_hazard_roll_looks_at_the_models_that_are_left() -> None:
    """06.03: the INFANTRY gone, every model is a VEHICLE and a failed roll costs 3 mortal wounds."""
    back = kin("INFANTRY", "VEHICLE", weapons=["2x Gun: A1 BS2+ S4 AP0 D1 [HAZARDOUS]"])
    first = mh.Unit(name="First", models=["Rock: T4 Sv- W30"], weapons=[KILLS_INFANTRY])
    lost = exchange(first, back).second.wounds_lost.pmf
    dead, fails = 5 / 6, 1 / 3
    by_hand = [
        (1 - dead) * (1 - fails) ** 2,
        dead * (1 - fails) + (1 - dead) * 2 * fails * (1 - fails),
        (1 - dead) * fails**2,
        0,
        dead * fails,
    ]
    assert lost[:5] == pytest.approx(by_hand)


def test_an_engaged_unit_shoots_by_the_models_that_are_left() -> None:
    """10.06: -1 to the hit roll only while a MONSTER lives."""
    back = kin("MONSTER", "INFANTRY", weapons=["Gun: A1 BS4+ S8 AP-6 D1"])
    first = mh.Unit(name="First", models=["Rock: T4 Sv- W30"], weapons=["Spear: A1 S20 AP-6 D1 [TORRENT]"])
    found = exchange(first, back, back={"engaged": True})
    dead = 5 / 6
    assert found.first.wounds_lost.mean == pytest.approx((dead * 1 / 2 + (1 - dead) * 1 / 3) * 5 / 6)


def test_a_count_at_select_targets_is_of_the_first_attack() -> None:
    first = mh.Unit(
        name="First", models=["Rock: T4 Sv- W9"], weapons=["Bomb: A1 S8 AP-6 D1 [TORRENT, BLAST]"]
    )
    mob = mh.Unit(name="Mob", models=["10x Lout: T4 Sv- W1"], weapons=["Stone: A1 BS2+ S4 AP0 D1"])
    counted = exchange(first, mob, conditions={"models_at_select_targets": 10}, blows=5)
    assert counted.second.models_destroyed.mean == exchange(first, mob, blows=5).second.models_destroyed.mean


def test_each_side_has_its_conditions() -> None:
    plain = exchange(duellist("A"), duellist("B", weapons=["Gun: A1 BS3+ S9 AP0 D1"]))
    cover = exchange(duellist("A"), duellist("B", weapons=["Gun: A1 BS3+ S9 AP0 D1"]), back={"cover": True})
    assert cover.first.unit_destroyed == pytest.approx(plain.first.unit_destroyed * 3 / 4)
    assert "destroyed" in str(cover)
    assert cover.to_dict()["first"]["name"] == "A"


def test_without_points_there_are_none() -> None:
    found = exchange(duellist("A", points=None), duellist("B"))
    assert found.first.points_lost is None
    assert found.points_difference is None


@pytest.mark.parametrize(
    ("keys", "message"),
    [({"models": []}, 'second = "B": needs'), ({"weapons": []}, 'second = "B": needs')],
)
def test_bad_units_say_where(keys: dict[str, object], message: str) -> None:
    with pytest.raises(mh.InvalidScenario, match=message):
        exchange(duellist("A"), duellist("B", **keys))


def test_bad_blows() -> None:
    with pytest.raises(mh.InvalidScenario, match="blows = 9"):
        exchange(duellist("A"), duellist("B"), blows=9)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"conditions": {"foo": 1}}, "conditions.foo = 1: is no key of a Conditions"),
        ({"back": {"foo": 1}}, "back.foo = 1: is no key of a Conditions"),
        ({"back": 3}, "back = 3: a Conditions is a table"),
        ({"modifiers": {"foo": 1}}, "modifiers.foo = 1: is no key of a Modifiers"),
        ({"choices": {"foo": 1}}, "choices.foo = 1: is no key of a Choices"),
        ({"choices_back": {"foo": 1}}, "choices_back.foo = 1: is no key of a Choices"),
        ({"conditions": {"phase": "shooting"}}, 'conditions.phase = "shooting": the attacker has no ranged'),
        ({"back": {"phase": "shooting"}}, 'back.phase = "shooting": the attacker has no ranged'),
        ({"choices": {"allocation_order": ["X"]}}, 'choices.allocation_order[0] = "X": names no model'),
        (
            {"choices_back": {"allocation_order": ["X"]}},
            'choices_back.allocation_order[0] = "X": names no model',
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_argument(given: dict[str, Any], said: str) -> None:
    with pytest.raises(mh.InvalidScenario) as caught:
        exchange(duellist("A"), duellist("B"), **given)
    assert str(caught.value).startswith(said)


def test_a_weapon_of_the_second_unit_that_cannot_be_used_is_named_as_its_own() -> None:
    blaster = duellist("B", weapons=["Mortar: A1 BS4+ S9 AP0 D1 [BLAST]"])
    with pytest.raises(mh.InvalidScenario, match=r"^second.weapons\[0\].abilities = .Mortar.: BLAST"):
        exchange(duellist("A"), blaster, back={"engaged": True})


def test_what_is_not_modelled_of_both_units_is_said() -> None:
    hurt = {"abilities": ["DAMAGED 1-4"], "not_modelled": ["Jinx"]}
    found = exchange(
        duellist("A", not_modelled=["Feint"]),
        duellist("B", models=["Rock: T4 Sv- W9"], **hurt),
    )
    assert {"A: Feint", "B: Jinx"} <= set(found.not_modelled)
    assert any("DAMAGED" in word for word in found.not_modelled)
    assert found.to_dict()["not_modelled"] == list(found.not_modelled)


@pytest.mark.parametrize("blows", [1, 2])
@pytest.mark.parametrize(
    ("own", "argument", "argument_back"),
    [
        ({"conditions": {"charged": True}}, "conditions", "back"),
        ({"choices": {"precision": "none"}}, "choices", "choices_back"),
    ],
)
def test_circumstances_of_a_unit_itself_are_refused(
    own: dict[str, Any], argument: str, argument_back: str, blows: int
) -> None:
    (key,) = own
    attacker = mh.Attacker.from_dict({"name": "A", **DUELLIST, **own})
    with pytest.raises(mh.InvalidScenario, match=rf"^first.{key} = .*: give {argument}=\.\.\."):
        exchange(attacker, duellist("B"), blows=blows)
    with pytest.raises(mh.InvalidScenario, match=rf"^second.{key} = .*: give {argument_back}=\.\.\."):
        exchange(duellist("B"), attacker, blows=blows)
