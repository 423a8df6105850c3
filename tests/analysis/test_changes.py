"""Changes named in words."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.analysis.changes import Change, read_change, usual_changes
from mathhammer.analysis.modifiers import combined, parted, with_modifiers
from mathhammer.errors import InvalidScenario
from mathhammer.plan import make_plan

WALL = mh.Unit(
    name="Wall", points=90, models=["3x Shield: T4 Sv2+ W3", "1x Captain: T4 Sv2+ InSv4+ W5 [CHARACTER]"]
)
GUNS = mh.Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"])
FIGHT = mh.Scenario(attacker=GUNS, target=WALL)


def names(scenario):
    return [change.name for change in usual_changes(scenario)]


def with_weapons(*weapons, **around):
    return mh.Scenario(attacker=mh.Unit(name="Gunners", weapons=weapons), target=WALL, **around)


def test_the_usual_list_has_what_a_player_asks_for():
    assert {
        *("+1 to hit", "+1 to wound", "re-roll hit rolls of 1", "re-roll hit rolls", "re-roll wound rolls"),
        *("+1 AP", "+1 Strength", "+1 Damage", "+1 Attacks", "LETHAL HITS", "SUSTAINED HITS 1"),
        *("DEVASTATING WOUNDS", "cover for the target", "one more Gun", "one more Shield", "-1 to hit"),
    } <= set(names(FIGHT))


def test_names_are_different_and_each_change_can_be_made():
    assert len(names(FIGHT)) == len(set(names(FIGHT)))
    for change in usual_changes(FIGHT):
        assert change.apply(FIGHT) != FIGHT


def test_what_makes_no_sense_here_is_not_listed():
    assert "IGNORES COVER" not in names(FIGHT)
    covered = FIGHT.replaced(conditions={"cover": True})
    assert "IGNORES COVER" in names(covered)
    assert "cover for the target" not in names(covered)
    stealthy = FIGHT.replaced(target=WALL.replaced(abilities=["STEALTH"]))
    assert "IGNORES COVER" in names(stealthy)
    melee = with_weapons("3x Fist: Melee A2 WS4+ S5 AP-1 D2")
    assert not {"IGNORES COVER", "cover for the target"} & set(names(melee))


FOR_HITS = {
    *("+1 to hit", "re-roll hit rolls of 1", "re-roll hit rolls", "critical hits on 5+", "LETHAL HITS"),
    *("SUSTAINED HITS 1", "cover for the target", "-1 to hit", "IGNORES COVER", "braced (HEAVY)"),
}
ANY_UNIT = {
    *("+1 to wound", "+1 Attacks", "+1 Strength", "+1 AP", "+1 Damage", "one more Shield", "-1 to wound"),
    *("re-roll save rolls of 1", "FEEL NO PAIN 5+ of the target"),
}


def test_what_all_weapons_have_already_is_not_listed():
    axe = "3x Axe: Melee A2 WS3+ S5 AP-1 D2 [LETHAL HITS, SUSTAINED HITS 1, DEVASTATING WOUNDS, TWIN-LINKED]"
    fight = with_weapons(axe, modifiers={"critical_hits_on": 5, "reroll_hits": "failures"})
    assert set(names(fight)) == ANY_UNIT | {
        "+1 to hit",
        "-1 to hit",
        "AP worse by 1",
        "-1 Damage",
        "one more Axe",
    }
    # What one weapon of two has is listed for the other.
    both = with_weapons(axe, "1x Fist: Melee A2 WS3+ S5 AP-1 D2")
    assert {"LETHAL HITS", "SUSTAINED HITS 1", "DEVASTATING WOUNDS", "re-roll wound rolls"} <= set(
        names(both)
    )


def test_what_no_attack_can_use_is_not_listed():
    flames = with_weapons("3x Flamer: AD6 S4 AP0 D1 [TORRENT, HEAVY]", conditions={"cover": True})
    assert not FOR_HITS & set(names(flames))
    assert not {"AP worse by 1", "-1 Damage"} & set(names(flames))
    assert set(names(flames)) >= ANY_UNIT
    # Sv2+ is 3+ against AP-1, 5+ against AP-3.
    assert "InSv 4+ of the target" not in names(FIGHT)
    assert "InSv 4+ of the target" in names(FIGHT.replaced(modifiers={"ap": 2}))
    assert "critical hits on 5+" not in names(FIGHT)
    assert "critical hits on 5+" in names(FIGHT.replaced(modifiers={"abilities": ["SUSTAINED HITS 1"]}))
    assert "-1 to hit" not in names(FIGHT.replaced(modifiers={"hit_roll": -1}))
    assert "LETHAL HITS" not in names(FIGHT.replaced(choices={"lethal_hits": "never"}))
    tough = FIGHT.replaced(target=WALL.replaced(abilities=["FEEL NO PAIN 4+"]))
    assert "FEEL NO PAIN 5+ of the target" not in names(tough)


def test_a_mode_that_may_be_chosen_counts():
    modes = ("1x Gun | low: AD6 S4 AP0 D1 [TORRENT]", "1x Gun | high: A2 BS4+ S8 AP-2 D2")
    assert "+1 to hit" not in names(with_weapons(*modes))
    assert "+1 to hit" in names(with_weapons(*modes, choices={"modes": {"Gun": "best"}}))
    assert "+1 to hit" in names(with_weapons(*modes, choices={"modes": {"Gun": "high"}}))


def test_what_is_not_listed_changes_nothing_and_can_still_be_asked_for():
    everything = FOR_HITS | ANY_UNIT - {"one more Shield"} | {"charged (LANCE)", "within half range"}
    left_out = 0
    for scenario in random_scenarios(12, seed=5):
        out = mh.solve(scenario)
        for name in sorted(everything - set(names(scenario))):
            changed = mh.solve(read_change(name, scenario).apply(scenario))
            assert changed.wounds_lost.pmf == pytest.approx(out.wounds_lost.pmf, abs=1e-12), (name, scenario)
            left_out += 1
    assert left_out > 20


@pytest.mark.parametrize(
    ("ability", "name", "conditions"),
    [
        ("RAPID FIRE 1", "within half range", {"half_range": True}),
        ("MELTA 2", "within half range", {"half_range": True}),
        ("HEAVY", "braced (HEAVY)", {"braced": True}),
        ("LANCE", "charged (LANCE)", {"charged": True}),
    ],
)
def test_circumstances_that_an_ability_waits_for(ability, name, conditions):
    gun = f"Gun: A2 BS4+ S5 AP-1 D2 [{ability}]"
    assert name not in names(FIGHT)
    assert name in names(with_weapons(gun))
    assert name not in names(with_weapons(gun, conditions=conditions))


def test_the_modes_of_a_weapon_are_one_weapon_more():
    fight = with_weapons(
        "2x Gun | low: A1 BS3+ S4 AP0 D1", "2x Gun | high: A1 BS3+ S9 AP0 D1", "0x Bow: A1 BS3+ S4 AP0 D1"
    )
    more = [change for change in usual_changes(fight) if change.name.startswith("one more")]
    assert [change.name for change in more] == ["one more Gun", "one more Shield"]
    assert [weapon.count for weapon in more[0].apply(fight).attacker.weapons] == [3, 3, 0]


def test_weapons_of_several_attackers_are_named_with_their_unit():
    fight = FIGHT.replaced(attacker=[GUNS, GUNS.replaced(name="Others")])
    assert {"one more Gun of Gunners", "one more Gun of Others"} <= set(names(fight))


def test_one_more_model_costs_its_points():
    (more,) = [change for change in usual_changes(FIGHT) if change.name == "one more Shield"]
    target = more.apply(FIGHT).target
    assert target.models[0].count == 4
    assert target.points_each == pytest.approx(WALL.points_each)


@pytest.mark.parametrize(
    ("points", "own", "costs"),
    [(100, [10, None], 120), (100, [None, 30], 120), (70, [10, 20], 80), (None, [10, 20], None)],
)
def test_one_more_model_leaves_the_points_of_the_others(points, own, costs):
    """A row without points of its own has an equal share of the unit's, here 100 / 5."""
    models = [
        {"name": name, "count": count, "T": 4, "Sv": 3, "W": 2, "points": each}
        for name, count, each in zip(("M", "N"), (3, 2), own, strict=True)
    ]
    unit = mh.Unit(name="Wall", points=points, models=models)
    fight = mh.Scenario(attacker=GUNS, target=unit)
    (more,) = [change for change in usual_changes(fight) if change.name == "one more M"]
    target = more.apply(fight).target
    assert target.points_each == pytest.approx(unit.points_each)
    assert target.points == costs


def test_modifiers_are_added_to_those_of_the_scenario():
    fight = FIGHT.replaced(
        modifiers={"hit_roll": -1, "reroll_hits": "failures", "abilities": ["LETHAL HITS"]}
    )
    better = read_change("+1 to hit", fight).apply(fight)
    assert (
        mh.solve(better).wounds_lost
        == mh.solve(
            fight.replaced(modifiers={"reroll_hits": "failures", "abilities": ["LETHAL HITS"]})
        ).wounds_lost
    )
    assert read_change("-1 to hit", fight).apply(fight).modifiers.hit_roll == -2
    kept = read_change("re-roll hit rolls of 1", fight).apply(fight).modifiers
    assert kept.reroll_hits == "failures"
    both = read_change("SUSTAINED HITS 1", fight).apply(fight).modifiers
    assert [str(ability) for ability in both.abilities] == ["LETHAL HITS", "SUSTAINED HITS 1"]


def test_critical_thresholds_combine_as_in_the_plan():
    need = mh.Modifiers(critical_hits_on=5, critical_hits_need_success=True)
    assert combined(need, mh.Modifiers(hit_roll=1)).critical_hits_need_success is True
    agreeing, rest = parted(mh.Modifiers(critical_hits_on=5, ap=1), need)
    assert (agreeing, rest) == (mh.Modifiers(ap=1), mh.Modifiers(critical_hits_on=5))
    plain = mh.Modifiers(critical_hits_need_success=False)
    assert combined(plain, mh.Modifiers(hit_roll=1)).critical_hits_need_success is False
    lower = mh.Modifiers(critical_hits_on=4, critical_hits_need_success=True)
    assert combined(need, lower) == lower
    fails = combined(mh.Modifiers(unmodified_wound_fails_to=3), mh.Modifiers(unmodified_wound_fails_to=2))
    assert fails.unmodified_wound_fails_to == 3


def test_who_ignores_bad_modifiers_keeps_the_good():
    fight = FIGHT.replaced(modifiers={"hit_roll": -1, "ignore_modifiers": ["hit_roll"]})
    changed = read_change("+1 to hit", fight).apply(fight)
    better = FIGHT.replaced(modifiers={"hit_roll": 1})
    assert mh.solve(changed).wounds_lost == mh.solve(better).wounds_lost


SIGNED = st.sampled_from((-2, -1, 0, 0, 1, 2))
MODIFIERS = st.builds(
    lambda critical, **others: mh.Modifiers(**critical, **others),
    st.sampled_from(
        (
            *({}, {}, {"critical_hits_on": 5}, {"critical_hits_on": 4}),
            {"critical_hits_on": 4, "critical_hits_need_success": True},
            {"critical_hits_on": 5, "critical_hits_need_success": True},
        )
    ),
    **dict.fromkeys(("hit_roll", "wound_roll", "skill", "damage", "ap", "attacks", "strength"), SIGNED),
    **dict.fromkeys(("save_roll", "armour_save", "toughness", "extra_ap_on_critical_wound"), SIGNED),
    **dict.fromkeys(
        ("reroll_hits", "reroll_wounds", "reroll_saves"),
        st.sampled_from((None, None, "one", "ones", "failures", "noncritical", "any")),
    ),
    reroll_damage=st.sampled_from((None, "one", "ones", "below_mean")),
    critical_wounds_on=st.sampled_from((None, 4, 5)),
    unmodified_wound_fails_to=st.sampled_from((None, 2, 3)),
    ignore_modifiers=st.sampled_from(((), (), ("skill",), ("hit_roll", "wound_roll"))),
    abilities=st.sampled_from(((), ("SUSTAINED HITS 2",), ("SUSTAINED HITS D3",), ("LETHAL HITS",))),
)
HALVING = WALL.replaced(
    models=[
        mh.Model(name="Shield", count=3, T=4, Sv="2+", W=3, halve_damage=True),
        mh.Model(name="Guard", count=2, T=5, Sv="5+", InSv="5+", W=2),
    ]
)


def numbers(scenario):
    return [(batch.dice, batch.rolls) for batch in make_plan(scenario).batches]


@given(one=MODIFIERS, two=MODIFIERS, three=MODIFIERS, psychic=st.booleans())
@settings(derandomize=True, max_examples=100, deadline=None)
def test_a_change_does_what_modifiers_of_another_place_would_do(one, two, three, psychic):
    # Modifiers of the scenario and of the target count alike: in the one fight each has a place to itself.
    gun = f"3x Gun: A2 BS4+ S5 AP-1 DD6+1 [BLAST{', PSYCHIC' if psychic else ''}]"
    squad = mh.Unit(name="Squad", weapons=[gun], modifiers=one)
    target = HALVING.replaced(modifiers_against=two)
    apart = mh.Scenario(attacker=squad, target=target, modifiers=three)
    there = mh.Scenario(attacker=squad, target=HALVING, modifiers=two)
    assert numbers(with_modifiers(there, three)) == numbers(apart)


@pytest.mark.parametrize(
    ("change", "scenario", "apart"),
    [
        (
            "critical hits on 5+",
            {"critical_hits_on": 4, "critical_hits_need_success": True, "hit_roll": -1},
            {"critical_hits_on": 5},
        ),
        ("-1 Damage", {"damage": 1}, {"damage": -1}),
        ("+1 Damage", {"damage": -2}, {"damage": 1}),
        ("+1 to hit", {"hit_roll": -1, "ignore_modifiers": ["hit_roll"]}, {"hit_roll": 1}),
        ("SUSTAINED HITS D3", {"abilities": ["SUSTAINED HITS 2"]}, {"abilities": ["SUSTAINED HITS D3"]}),
    ],
)
def test_what_is_not_one_sum_stays_apart(change, scenario, apart):
    guns = mh.Unit(name="Gunners", weapons=["10x Gun: A2 BS6+ S4 AP0 D5"])
    fight = mh.Scenario(attacker=guns, target=HALVING, modifiers=scenario)
    changed = read_change(change, fight).apply(fight)
    # Of equal duplicates the first listed is taken: the scenario's stand behind the target's (24.02).
    separate = mh.Scenario(
        attacker=guns, target=HALVING.replaced(modifiers_against=scenario), modifiers=apart
    )
    assert mh.solve(changed).wounds_lost == mh.solve(separate).wounds_lost


def test_damage_is_halved_between_the_bonus_and_the_malus():
    # D3 and 1 is 4, half of it 2, less 1 is 1: each of 20 attacks takes it with 2/3 x 1/2 x 1/2.
    target = mh.Unit(
        name="Wall", models=[mh.Model(name="Shield", count=10, T=4, Sv=4, W=9, halve_damage=True)]
    )
    guns = mh.Unit(name="Gunners", weapons=["10x Gun: A2 BS3+ S4 AP0 D3"])
    fight = mh.Scenario(attacker=guns, target=target, modifiers={"damage": 1})
    changed = read_change("-1 Damage", fight).apply(fight)
    assert mh.solve(changed).wounds_lost.mean == pytest.approx(10 / 3)


def test_a_psychic_weapon_keeps_the_bonus_whatever_stands_against_it():
    guns = mh.Unit(name="Seers", weapons=["3x Bolt: A2 BS4+ S5 AP-1 D2 [PSYCHIC]"])
    fight = mh.Scenario(
        attacker=guns,
        target=WALL.replaced(modifiers_against={"hit_roll": -1}),
        modifiers={"hit_roll": -1},
    )
    changed = read_change("+1 to hit", fight).apply(fight)
    alone = mh.Scenario(attacker=guns, target=WALL, modifiers={"hit_roll": 1})
    assert mh.solve(changed).wounds_lost == mh.solve(alone).wounds_lost


WORSE = mh.Modifiers(hit_roll=-1)


def everywhere_worse(*weapons):
    armed = [mh.Weapon.parse(weapon).replaced(modifiers=WORSE) for weapon in weapons]
    return mh.Scenario(
        attacker=[GUNS, mh.Unit(name="Others", weapons=armed, modifiers=WORSE)],
        target=WALL.replaced(modifiers_against=WORSE),
        modifiers=WORSE,
        conditions={"phase": "shooting"},
    )


def test_a_change_that_no_place_can_take_is_refused():
    fight = everywhere_worse("Bow: A2 BS4+ S4 AP0 D1")
    with pytest.raises(
        InvalidScenario, match=r"attacker\[1\].weapons\[0\].modifiers = .*hit_roll.: 1.*any place"
    ):
        read_change("+1 to hit", fight).apply(fight)


def test_a_weapon_of_the_other_phase_stands_in_no_way():
    melee = mh.Weapon.parse("Fist: Melee A2 WS4+ S4 AP0 D1").replaced(modifiers=WORSE)
    units = [GUNS, GUNS.replaced(name="Others", weapons=[*GUNS.weapons, melee], modifiers=WORSE)]
    fight = everywhere_worse("Bow: A2 BS4+ S4 AP0 D1").replaced(attacker=units)
    changed = read_change("+1 to hit", fight).apply(fight)
    assert changed.attackers[0].modifiers.hit_roll == 1
    assert [weapon.modifiers.hit_roll for weapon in changed.attackers[1].weapons] == [1, -1]


def test_attackers_of_one_name_are_told_apart():
    fight = FIGHT.replaced(attacker=[GUNS, GUNS])
    assert {"one more Gun of Gunners", "one more Gun of Gunners (2)"} <= set(names(fight))


def test_one_change_names_a_field_once():
    twice = Change("twice", fields={"target.models[0].Sv": 3, "target.models[0].save": 4})
    with pytest.raises(
        InvalidScenario, match=r"target.models\[0\].save\W*: changes target.models\[0\].Sv again"
    ):
        twice.apply(FIGHT)


@pytest.mark.parametrize(
    ("given", "name", "change"),
    [
        ("+1 To Hit", "+1 to hit", Change("", mh.Modifiers(hit_roll=1))),
        ("−1 to hit", "-1 to hit", Change("", mh.Modifiers(hit_roll=-1))),
        ("lethal hits", "LETHAL HITS", Change("", mh.Modifiers(abilities=["LETHAL HITS"]))),
        ("ANTI-INFANTRY 4+", "ANTI-INFANTRY 4+", Change("", mh.Modifiers(abilities=["ANTI-INFANTRY 4+"]))),
        ("conditions.cover=true", "conditions.cover=true", Change("", fields={"conditions.cover": True})),
        ({"target.models[0].T": 5}, "target.models[0].T = 5", Change("", fields={"target.models[0].T": 5})),
        (mh.Modifiers(ap=1, strength=2), "strength 2, ap 1", Change("", mh.Modifiers(ap=1, strength=2))),
        (("the banner", mh.Modifiers(hit_roll=1)), "the banner", Change("", mh.Modifiers(hit_roll=1))),
        (("in cover", "conditions.cover=true"), "in cover", Change("", fields={"conditions.cover": True})),
        (Change("x", fields={"conditions.cover": True}), "x", Change("", fields={"conditions.cover": True})),
    ],
)
def test_changes_as_they_are_written(given, name, change):
    read = read_change(given, FIGHT)
    assert read.name == name
    assert read.apply(FIGHT) == change.apply(FIGHT)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("+1 to hitt", 'did you mean "+1 to hit"'),
        ("LETHAL HIT", 'did you mean "LETHAL HITS"'),
        ("", "known are +1 to hit"),
        ("conditions.cover=true,false", "a change has one value"),
        ("conditions.cover=", "write values"),
        (3, "write a name"),
        (("a", "b", "c"), "write a name"),
    ],
)
def test_what_is_no_change_is_refused_with_the_nearest(given, said):
    with pytest.raises(InvalidScenario, match=re.escape(said)):
        read_change(given, FIGHT)
