"""Rule by rule, characteristics, attack dice and hit rolls, each number worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.contract.statements import Question, check, gun, model, says, sure

HALF = {"half_range": True}
AXE = "Axe: A1 WS3+ S4 AP0 D1"
VEHICLE = {"keywords": ["VEHICLE"]}
MONSTER = {"keywords": ["monster"]}
INFANTRY = {"keywords": ["Infantry"]}

CHARACTERISTICS = [
    says("2D6+3 is 10 on average", gun(a="2D6+3"), "attacks", 10),
    says("a D3 is 2 on average", gun(a="D3"), "attacks", 2),
    says(
        "D6 and MELTA 2, halved, -1: rounded up once at the end",
        sure(d="D6", can="MELTA 2"),
        "wounds_lost",
        5 / 6 * sum(max(1, -(-(roll + 2) // 2) - 1) for roll in range(1, 7)) / 6,
        model(halve_damage=True, damage_reduction=1),
        conditions=HALF,
    ),
    says(
        "a replacement comes before MELTA",
        sure(d="D6", can="MELTA 2"),
        "wounds_lost",
        5 / 6 * 3,
        model(damage_becomes=1),
        conditions=HALF,
    ),
    says(
        "a replacement by 0 is final",
        sure(d="D6", can="MELTA 2"),
        "wounds_lost",
        0,
        model(damage_becomes=0),
        conditions=HALF,
    ),
    says("MELTA beyond half range does nothing", sure(can="MELTA 2"), "wounds_lost", 5 / 6),
    says("D is at least 1", sure(), "wounds_lost", 5 / 6, model(damage_reduction=3)),
    says("D is at least 1, modified", sure(d="2"), "wounds_lost", 5 / 6, modifiers={"damage": -5}),
    says("A is at least 1", gun(a="2"), "attacks", 1, modifiers={"attacks": -5}),
    says("S is at least 1", sure(2), "wounds", 1 / 2, model(T=1), modifiers={"strength": -5}),
    says("T is at least 1", sure(2), "wounds", 5 / 6, model(T=2), modifiers={"toughness": -5}),
    says("AP is never worse than 0", sure(ap=-1), "unsaved", 5 / 12, model(Sv=4), modifiers={"ap": -3}),
    says("+1 AP improves it", sure(ap=-1), "unsaved", 25 / 36, model(Sv=4), modifiers={"ap": 1}),
    says("BS is at best 2+", gun("2+"), "hits", 4 / 6, modifiers={"skill": 3, "hit_roll": -1}),
    says("BS is at worst 6+", gun("5+"), "hits", 2 / 6, modifiers={"skill": -3, "hit_roll": 1}),
    says(
        "of duplicates the larger mean is used",
        gun(can="SUSTAINED HITS 1, SUSTAINED HITS D3"),
        "hits",
        4 / 6 + 2 / 6,
    ),
    says(
        "a given ability never adds up with the weapon's own",
        gun(can="SUSTAINED HITS 1"),
        "hits",
        5 / 6,
        modifiers={"abilities": ["SUSTAINED HITS 1"]},
    ),
    says(
        "only those that apply count", gun(can="SUSTAINED HITS 1, SUSTAINED HITS 3: VEHICLE"), "hits", 5 / 6
    ),
    says(
        "one of the keywords is enough",
        gun(can="SUSTAINED HITS 3: VEHICLE/MONSTER"),
        "hits",
        7 / 6,
        foe=MONSTER,
    ),
    says(
        "NON- excludes all its keywords",
        gun(can="SUSTAINED HITS 1: NON-VEHICLE/MONSTER"),
        "hits",
        4 / 6,
        foe=MONSTER,
    ),
    says(
        "NON- includes the others",
        gun(can="SUSTAINED HITS 1: non-VEHICLE/MONSTER"),
        "hits",
        5 / 6,
        foe=INFANTRY,
    ),
    says(
        "the better FEEL NO PAIN is used",
        sure(),
        "wounds_lost",
        5 / 6 * 4 / 6,
        model(FNP="6+"),
        foe={"abilities": ["FEEL NO PAIN 5+"]},
    ),
]
ATTACK_DICE = [
    says("RAPID FIRE at half range", gun(can="RAPID FIRE 1"), "attacks", 2, conditions=HALF),
    says("RAPID FIRE beyond", gun(can="RAPID FIRE 1"), "attacks", 1),
    says("RAPID FIRE D3 per weapon", "3x " + gun(can="RAPID FIRE D3"), "attacks", 9, conditions=HALF),
    says(
        "added dice are no part of A",
        gun(can="RAPID FIRE 2"),
        "attacks",
        3,
        conditions=HALF,
        modifiers={"attacks": -1},
    ),
    says("BLAST 2 at 12 models", gun(a="3", can="BLAST 2"), "attacks", 7, model(W=1, count=12)),
    says("BLAST at 14 models", gun(a="3", can="BLAST"), "attacks", 5, model(W=1, count=14)),
    says("BLAST at 4 models", gun(a="3", can="BLAST"), "attacks", 3, model(W=1, count=4)),
    says(
        "BLAST by Select Targets",
        gun(a="3", can="BLAST"),
        "attacks",
        5,
        model(W=1, count=4),
        conditions={"models_at_select_targets": 10},
    ),
    says("CLEAVE 1 at 16 models", "Axe: A3 WS3+ S4 AP0 D1 [CLEAVE 1]", "attacks", 6, model(W=1, count=16)),
    says(
        "CLEAVE with split attacks",
        "Axe: A3 WS3+ S4 AP0 D1 [CLEAVE 1]",
        "attacks",
        3,
        model(W=1, count=16),
        conditions={"split_attacks": True},
    ),
    says("no weapon, no attack", "0x " + gun(), "attacks", 0),
]
HITS = [
    says(
        "hit modifiers are limited to +1",
        gun("5+"),
        "hits",
        3 / 6,
        modifiers={"hit_roll": 1},
        own={"modifiers": {"hit_roll": 1}},
    ),
    says(
        "limited after they are summed",
        gun("4+"),
        "hits",
        2 / 6,
        modifiers={"hit_roll": -1},
        own={"modifiers": {"hit_roll": 1}},
        foe={"modifiers_against": {"hit_roll": -1}},
    ),
    says("a 6 always hits", gun("6+"), "hits", 1 / 6, modifiers={"hit_roll": -1}),
    says("cover is BS worse by 1", gun(), "hits", 3 / 6, conditions={"cover": True}),
    says("STEALTH is cover", gun(), "hits", 3 / 6, foe={"abilities": ["STEALTH"]}),
    says(
        "cover is had once", gun(), "hits", 3 / 6, foe={"abilities": ["STEALTH"]}, conditions={"cover": True}
    ),
    says(
        "IGNORES COVER cancels both",
        gun(can="IGNORES COVER"),
        "hits",
        4 / 6,
        foe={"abilities": ["STEALTH"]},
        conditions={"cover": True},
    ),
    says("no cover in melee", AXE, "hits", 4 / 6, conditions={"cover": True}, foe={"abilities": ["STEALTH"]}),
    says(
        "cover and -1 are two layers",
        gun(),
        "hits",
        2 / 6,
        conditions={"cover": True},
        modifiers={"hit_roll": -1},
    ),
    says("cover with BS6+", gun("6+"), "hits", 1 / 6, conditions={"cover": True}),
    says("plunging fire is BS better by 1", gun("4+"), "hits", 4 / 6, conditions={"plunging_fire": True}),
    says(
        "plunging fire and cover", gun("4+"), "hits", 3 / 6, conditions={"plunging_fire": True, "cover": True}
    ),
    says("HEAVY, braced", gun("4+", can="HEAVY"), "hits", 4 / 6, conditions={"braced": True}),
    says("HEAVY, not braced", gun("4+", can="HEAVY"), "hits", 3 / 6),
    says(
        "HEAVY, engaged", gun("4+", can="HEAVY"), "hits", 3 / 6, conditions={"braced": True, "engaged": True}
    ),
    says(
        "HEAVY is under the limit",
        gun("4+", can="HEAVY"),
        "hits",
        4 / 6,
        conditions={"braced": True},
        modifiers={"hit_roll": 1},
    ),
    says("an engaged VEHICLE shoots", gun("4+"), "hits", 2 / 6, conditions={"engaged": True}, own=VEHICLE),
    says("an engaged MONSTER is shot", gun("4+"), "hits", 2 / 6, conditions={"engaged": True}, foe=MONSTER),
    says(
        "PISTOL, engaged", gun("4+", can="PISTOL"), "hits", 3 / 6, conditions={"engaged": True}, own=VEHICLE
    ),
    says(
        "CLOSE-QUARTERS, engaged",
        gun("4+", can="CLOSE-QUARTERS"),
        "hits",
        3 / 6,
        conditions={"engaged": True},
        foe=MONSTER,
    ),
    says(
        "PISTOL at a MONSTER engaged with others",
        gun("4+", can="PISTOL"),
        "hits",
        2 / 6,
        conditions={"target_engaged": True},
        foe=MONSTER,
    ),
    says("an unengaged VEHICLE", gun("4+"), "hits", 3 / 6, conditions={"target_engaged": True}, own=VEHICLE),
    says("no such -1 in melee", AXE, "hits", 4 / 6, conditions={"engaged": True}, own=VEHICLE),
    says(
        "PSYCHIC ignores what is bad",
        gun(can="PSYCHIC"),
        "hits",
        5 / 6,
        conditions={"cover": True},
        modifiers={"hit_roll": -1},
        own={"modifiers": {"hit_roll": 1}},
    ),
    says(
        "ignoring BS modifiers",
        gun(),
        "hits",
        3 / 6,
        conditions={"cover": True},
        modifiers={"hit_roll": -1, "ignore_modifiers": ["skill"]},
    ),
    says(
        "ignoring hit modifiers",
        gun(),
        "hits",
        3 / 6,
        conditions={"cover": True},
        modifiers={"hit_roll": -1, "ignore_modifiers": ["hit_roll"]},
    ),
    says(
        "indirect: 1-5 fail",
        gun("2+", can="INDIRECT FIRE"),
        "hits",
        1 / 6,
        conditions={"shooting": "indirect"},
    ),
    says(
        "spotted: 1-3 fail",
        gun("2+", can="INDIRECT FIRE"),
        "hits",
        3 / 6,
        conditions={"shooting": "indirect_spotted"},
    ),
    says(
        "indirect: the target has cover",
        gun("4+", can="INDIRECT FIRE"),
        "hits",
        2 / 6,
        conditions={"shooting": "indirect_spotted"},
    ),
    says(
        "indirect, ignoring cover",
        gun("4+", can="INDIRECT FIRE, IGNORES COVER"),
        "hits",
        3 / 6,
        conditions={"shooting": "indirect_spotted"},
    ),
    says(
        "indirect touches INDIRECT FIRE only", gun("4+"), "hits", 3 / 6, conditions={"shooting": "indirect"}
    ),
    says(
        "indirect: no re-rolls",
        gun("2+", can="INDIRECT FIRE"),
        "hits",
        3 / 6,
        conditions={"shooting": "indirect_spotted"},
        modifiers={"reroll_hits": "failures"},
    ),
    says(
        "the floor comes before criticals",
        gun("6+", can="INDIRECT FIRE"),
        "hits",
        3 / 6,
        conditions={"shooting": "indirect_spotted"},
        modifiers={"critical_hits_on": 3},
    ),
    says(
        "the floor, criticals on 5+",
        gun("2+", can="INDIRECT FIRE, SUSTAINED HITS 1"),
        "hits",
        2 / 6,
        conditions={"shooting": "indirect"},
        modifiers={"critical_hits_on": 5},
    ),
    says(
        "snap: a 6, whatever else",
        gun("2+", can="SUSTAINED HITS 1"),
        "hits",
        2 / 6,
        conditions={"shooting": "snap"},
        modifiers={"critical_hits_on": 5, "hit_roll": 1, "reroll_hits": "failures"},
    ),
    says("snap: TORRENT hits", sure(), "hits", 1, conditions={"shooting": "snap"}),
    says(
        "critical on 5+ hits whatever the BS", gun("6+"), "hits", 2 / 6, modifiers={"critical_hits_on": "5+"}
    ),
    says(
        "a successful 5+ must hit anyway",
        gun("6+"),
        "hits",
        1 / 6,
        modifiers={"critical_hits_on": 5, "critical_hits_need_success": True},
    ),
    says(
        "a successful 5+ that hits",
        gun("6+", can="SUSTAINED HITS 1"),
        "hits",
        4 / 6,
        modifiers={"critical_hits_on": 5, "critical_hits_need_success": True, "hit_roll": 1},
    ),
    says("criticals are unmodified", gun(can="SUSTAINED HITS 1"), "hits", 6 / 6, modifiers={"hit_roll": 1}),
    says("automatic hits trigger nothing", sure(can="SUSTAINED HITS 3, LETHAL HITS"), "hits", 1),
    says("TORRENT against its keyword only", gun(can="TORRENT: INFANTRY"), "hits", 4 / 6),
    says("TORRENT against its keyword", gun(can="TORRENT: INFANTRY"), "hits", 1, foe=INFANTRY),
    says("re-roll 1s", gun(), "hits", 7 / 9, modifiers={"reroll_hits": "ones"}),
    says(
        "failures are those as modified",
        gun(),
        "hits",
        3 / 4,
        modifiers={"reroll_hits": "failures", "hit_roll": -1},
    ),
    says(
        "any is played as failures", gun(), "critical_hits", 1 / 6 + 2 / 36, modifiers={"reroll_hits": "any"}
    ),
    says("fishing", gun(), "critical_hits", 1 / 6 + 5 / 36, modifiers={"reroll_hits": "noncritical"}),
    says(
        "one die of the activation",
        gun(a="3"),
        "hits",
        2 + (1 - (4 / 6) ** 3) * 4 / 6,
        modifiers={"reroll_hits": "one"},
    ),
    says(
        "one die of all weapons",
        [gun(), "Other: A1 BS3+ S5 AP0 D1"],
        "hits",
        4 / 3 + (1 - (4 / 6) ** 2) * 4 / 6,
        modifiers={"reroll_hits": "one"},
    ),
    says(
        "the widest re-roll wins",
        gun(),
        "hits",
        8 / 9,
        modifiers={"reroll_hits": "ones"},
        own={"modifiers": {"reroll_hits": "failures"}},
    ),
]


@pytest.mark.parametrize(
    ("weapons", "models", "more", "question", "expected"),
    [*CHARACTERISTICS, *ATTACK_DICE, *HITS],
)
def test_statement(
    weapons: Any, models: Any, more: dict[str, Any], question: Question, expected: float
) -> None:
    check(weapons, models, more, question, expected)
