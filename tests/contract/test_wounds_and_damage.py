"""Rule by rule, wound rolls, saves, damage and mortal wounds, each number worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.contract.statements import Question, check, gun, model, says, sure

import mathhammer as mh

HALF = {"half_range": True}
DEVASTATING = "DEVASTATING WOUNDS"
ONLY_SIXES = {"unmodified_wound_fails_to": 5}
"""So that every wound is a critical one, by an unmodified 6."""
VEHICLE = {"keywords": ["VEHICLE"]}
INFANTRY = {"keywords": ["Infantry"]}

WOUNDS = [
    *(
        says(f"S{s} against T{t}", sure(s), "wounds", faces / 6, model(T=t))
        for s, t, faces in (
            *((8, 4, 5), (9, 4, 5), (7, 4, 4), (5, 4, 4), (4, 4, 3), (3, 4, 2), (2, 4, 1), (1, 4, 1)),
            *((3, 5, 2), (1, 3, 1), (3, 6, 1), (4, 7, 2), (1, 1, 3), (2, 1, 5)),
        )
    ),
    says("wound modifiers are limited to -1", sure(4), "wounds", 2 / 6, modifiers={"wound_roll": -3}),
    says("a 1 never wounds", sure(), "wounds", 5 / 6, modifiers={"wound_roll": 3}),
    says("a 6 always wounds", sure(1), "wounds", 1 / 6, model(T=9), modifiers={"wound_roll": -1}),
    says(
        "ignoring wound modifiers",
        sure(4),
        "wounds",
        4 / 6,
        modifiers={"wound_roll": -1, "ignore_modifiers": ["wound_roll"]},
        own={"modifiers": {"wound_roll": 1}},
    ),
    says("TWIN-LINKED", sure(4, can="TWIN-LINKED"), "wounds", 3 / 4),
    says("LANCE, charged", sure(4, can="LANCE"), "wounds", 4 / 6, conditions={"charged": True}),
    says("LANCE, not charged", sure(4, can="LANCE"), "wounds", 3 / 6),
    says(
        "LANCE is under the limit",
        sure(4, can="LANCE"),
        "wounds",
        4 / 6,
        conditions={"charged": True},
        modifiers={"wound_roll": 1},
    ),
    says("unmodified 1-3 fail", sure(), "wounds", 3 / 6, modifiers={"unmodified_wound_fails_to": 3}),
    says(
        "1-3 fail before ANTI",
        sure(1, can="ANTI-INFANTRY 2+"),
        "critical_wounds",
        3 / 6,
        foe=INFANTRY,
        modifiers={"unmodified_wound_fails_to": 3},
    ),
    says("critical wounds on 4+ wound", sure(1), "wounds", 3 / 6, modifiers={"critical_wounds_on": 4}),
    says("ANTI with two keywords", sure(1, can="ANTI-MONSTER/VEHICLE 3+"), "wounds", 4 / 6, foe=VEHICLE),
    says("ANTI-NON-VEHICLE", sure(1, can="ANTI-NON-VEHICLE 3+"), "wounds", 4 / 6, foe=INFANTRY),
    says("ANTI-NON-VEHICLE at a VEHICLE", sure(1, can="ANTI-NON-VEHICLE 3+"), "wounds", 1 / 6, foe=VEHICLE),
    says(
        "LETHAL and SUSTAINED: the extra hits are ordinary",
        gun(s=1, can="SUSTAINED HITS D3, LETHAL HITS"),
        "wounds",
        1 / 6 + (3 / 6 + 2 / 6) / 6,
        model(T=9),
    ),
    says("a tie wounds automatically", gun("2+", s=8, can="LETHAL HITS"), "wounds", 4 / 6 * 5 / 6 + 1 / 6),
    says(
        "an automatic wound is never critical",
        gun("2+", s=8, can=f"LETHAL HITS, {DEVASTATING}"),
        "critical_wounds",
        4 / 36,
        model(Sv=2),
        choices={"lethal_hits": "always"},
    ),
    says(
        "LETHAL HITS is declined when it pays",
        gun("2+", s=8, d="3", can=f"LETHAL HITS, {DEVASTATING}"),
        "critical_wounds",
        5 / 36,
        model(Sv=2, InSv=2),
    ),
]
SAVES_AND_DAMAGE = [
    says("AP worsens the armour save", sure(ap=-1), "unsaved", 5 / 12, model(Sv=3)),
    says("AP leaves InSv alone", sure(ap=-3), "unsaved", 5 / 12, model(Sv=2, InSv=4)),
    says(
        "save_roll helps both",
        sure(ap=-3),
        "unsaved",
        5 / 6 * 2 / 6,
        model(Sv=2, InSv=4),
        modifiers={"save_roll": 1},
    ),
    says(
        "armour_save leaves InSv alone",
        sure(ap=-3),
        "unsaved",
        5 / 12,
        model(Sv=2, InSv=4),
        modifiers={"armour_save": -3},
    ),
    says(
        "armour_save is not bound by 2+",
        sure(ap=-2),
        "unsaved",
        5 / 18,
        model(Sv=2),
        modifiers={"armour_save": 1},
    ),
    says("an unmodified 1 never saves", sure(), "unsaved", 5 / 36, model(Sv=2), modifiers={"save_roll": 3}),
    says("Sv7+ and +1", sure(), "unsaved", 25 / 36, model(Sv=7), modifiers={"armour_save": 1}),
    says("re-rolled saves", sure(), "unsaved", 5 / 24, model(Sv=4), modifiers={"reroll_saves": "failures"}),
    says(
        "re-rolled saves of 1",
        sure(),
        "unsaved",
        5 / 6 * 5 / 12,
        model(Sv=4),
        foe={"modifiers_against": {"reroll_saves": "ones"}},
    ),
    says("InSv against ranged attacks", sure(ap=-6), "unsaved", 5 / 12, model(invulnerable_save_ranged=4)),
    says(
        "not against melee ones",
        "Axe: Melee A1 S8 AP-6 D1 [TORRENT]",
        "unsaved",
        5 / 6,
        model(invulnerable_save_ranged=4),
    ),
    says(
        "InSv against melee attacks",
        "Axe: Melee A1 S8 AP-6 D1 [TORRENT]",
        "unsaved",
        5 / 12,
        model(invulnerable_save_melee=4),
    ),
    says(
        "critical wounds have +1 AP",
        sure(4),
        "unsaved",
        2 / 6 * 2 / 6 + 1 / 6 * 3 / 6,
        model(Sv=3),
        modifiers={"extra_ap_on_critical_wound": 1},
    ),
    says("a model that starts wounded", sure(d="3"), "wounds_lost", 5 / 6 * 2, model(wounds_lost=58)),
    says(
        "the first unsaved attack does nothing",
        sure(a="2", d="3"),
        "wounds_lost",
        25 / 36 * 3,
        model(damage_to_zero=1),
    ),
    says(
        "re-rolled damage dice of 1",
        sure(d="D6"),
        "wounds_lost",
        5 / 6 * 23.5 / 6,
        modifiers={"reroll_damage": "ones"},
    ),
    says(
        "each die of 2D3",
        sure(d="2D3"),
        "wounds_lost",
        5 / 6 * 2 * 7 / 3,
        modifiers={"reroll_damage": "ones"},
    ),
    says(
        "damage below its mean",
        sure(d="D6"),
        "wounds_lost",
        5 / 6 * 25.5 / 6,
        modifiers={"reroll_damage": "below_mean"},
    ),
    says(
        "a mean roll is kept",
        sure(d="D3"),
        "wounds_lost",
        5 / 6 * 7 / 3,
        modifiers={"reroll_damage": "below_mean"},
    ),
    says(
        "one damage roll",
        sure(d="D6", a="2"),
        "wounds_lost",
        35 / 6 + 1.5 * (5 / 36 + 75 / 144),
        modifiers={"reroll_damage": "one"},
    ),
    says(
        "FEEL NO PAIN for each wound",
        sure(d="3"),
        "models_destroyed",
        5 / 6 * 20 / 27,
        model(W=2, FNP=5, count=9),
    ),
    says("against mortal wounds only", sure(), "wounds_lost", 5 / 6, model(feel_no_pain_mortal=4)),
    says(
        "against psychic attacks", sure(can="PSYCHIC"), "wounds_lost", 5 / 12, model(feel_no_pain_psychic=4)
    ),
    says("against psychic attacks only", sure(), "wounds_lost", 5 / 6, model(feel_no_pain_psychic=4)),
]
MORTAL = [
    says(
        "ANTI makes critical wounds",
        sure(can=f"ANTI-INFANTRY 4+, {DEVASTATING}"),
        "mortal_wounds",
        1 / 2,
        model(Sv=2),
        foe=INFANTRY,
    ),
    says("no save", sure(d="2", can=DEVASTATING), "wounds_lost", 1 / 6 * 2 + 4 / 36 * 2, model(Sv=2, InSv=2)),
    says(
        "one model",
        sure(d="5", can=DEVASTATING),
        "wounds_lost",
        2 / 6,
        model(W=2, count=9),
        modifiers=ONLY_SIXES,
    ),
    says(
        "the whole D is in the funnel",
        sure(d="5", can=DEVASTATING),
        "damage",
        5 / 6,
        model(W=2, count=9),
        modifiers=ONLY_SIXES,
    ),
    says(
        "FEEL NO PAIN for each of the D",
        sure(d="3", can=DEVASTATING),
        "models_destroyed",
        1 / 6 * 20 / 27,
        model(W=2, FNP=5, count=9),
        modifiers=ONLY_SIXES,
    ),
    says("D as modified", sure(d="2", can=DEVASTATING), "wounds_lost", 5 / 6 * 3, modifiers={"damage": 1}),
    says(
        "with MELTA",
        sure(d="4", can=f"{DEVASTATING}, MELTA 2"),
        "wounds_lost",
        1,
        conditions=HALF,
        modifiers=ONLY_SIXES,
    ),
    says(
        "not what is for allocated attacks",
        sure(d="4", can=DEVASTATING),
        "wounds_lost",
        4 / 6,
        model(halve_damage=True, damage_reduction=1),
        modifiers=ONLY_SIXES,
    ),
    says(
        "not a replacement by 0", sure(d="3", can=DEVASTATING), "wounds_lost", 3 / 6, model(damage_becomes=0)
    ),
    says(
        "not damage_to_zero",
        sure(d="3", can=DEVASTATING),
        "wounds_lost",
        3 / 6,
        model(damage_to_zero=9),
        modifiers=ONLY_SIXES,
    ),
    says(
        "FEEL NO PAIN against mortal wounds",
        sure(d="2", can=DEVASTATING),
        "wounds_lost",
        1 / 6,
        model(feel_no_pain_mortal=4),
        modifiers=ONLY_SIXES,
    ),
    says(
        "the best of all",
        sure(can=f"PSYCHIC, {DEVASTATING}"),
        "wounds_lost",
        2 / 36,
        model(feel_no_pain=6, feel_no_pain_psychic=5, feel_no_pain_mortal=3),
        modifiers=ONLY_SIXES,
    ),
]


@pytest.mark.parametrize(
    ("weapons", "models", "more", "question", "expected"),
    [*WOUNDS, *SAVES_AND_DAMAGE, *MORTAL],
)
def test_statement(
    weapons: Any, models: Any, more: dict[str, Any], question: Question, expected: float
) -> None:
    check(weapons, models, more, question, expected)


@pytest.mark.parametrize(("key", "on_odd"), [("damage_becomes", 1), ("damage_to_zero", 0)])
def test_the_single_re_roll_of_damage_is_not_spent_where_it_changes_nothing(key: str, on_odd: int) -> None:
    """01.05: a D that is replaced, or set to 0, cannot be made better: the re-roll stays for the next attack."""
    guns = [f"Gun {strength}: AP-9 A1 S{strength} DD6 [TORRENT]" for strength in (20, 19)]
    models = [{"name": "Odd", "T": 1, "Sv": "-", "W": 1, key: 1}, "Big: T1 Sv- W40"]
    attacker = {"name": "A", "weapons": guns, "modifiers": {"reroll_damage": "one"}}
    fight = mh.Scenario.from_dict({"attacker": attacker, "target": {"name": "T", "models": models}})
    # A D6 with a re-roll below its mean is 4.25 on average; where the first fails to wound, Odd is next again.
    expected = 5 / 6 * (5 / 6 * 4.25 + 1 / 6 * on_odd)
    assert mh.solve(fight).by_weapon[1]["damage"] == pytest.approx(expected)
    simulated = mh.simulate(fight, trials=200_000, seed=2, progress=False).by_weapon[1]["damage"]
    assert simulated == pytest.approx(expected, abs=0.03)  # six standard errors
