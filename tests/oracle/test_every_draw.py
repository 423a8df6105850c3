"""The Monte Carlo kernels without chance: all that they can draw, weighted, is what the exact engine says."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest
from numba import config
from tests.oracle import parts
from tests.oracle.agreement import means
from tests.oracle.every_draw import every_draw
from tests.oracle.plain_python import printed_without_compiling
from tests.strategies import random_scenarios

import mathhammer as mh
from mathhammer.front import plan_of
from mathhammer.montecarlo import chains, tables
from mathhammer.montecarlo.arrays import Arrays
from mathhammer.plan import make_plan

LINE = [f"Row {row}: T4 Sv{6 - row}+ W{1 + row % 2}" for row in range(4)]
LEADERS = [f"Leader {row}: T4 Sv3+ InSv{4 + row}+ W2 [CHARACTER]" for row in range(2)]
RANK = ["2x Grunt: T4 Sv5+ W2", "Guard: T4 Sv3+ W2"]
DEVASTATING = "A2 S5 AP-1 D2 [TORRENT, DEVASTATING WOUNDS]"
HAZARD = "Gun: A1 BS6+ S1 AP0 D1 [HAZARDOUS]"
GUN = "A1 S4 AP-6 D1 [TORRENT]"
REROLLED = {"name": "Other", "attacks": 1, "skill": None, "strength": 9, "ap": -6, "damage": "D3"}
REROLLED |= {"abilities": ["TORRENT"], "modifiers": {"reroll_damage": "one"}}
SKILLED = {"name": "Gun", "attacks": 1, "skill": 4, "strength": 4, "ap": -1, "damage": 1}
SKILLED |= {"modifiers": {"reroll_hits": "one", "reroll_wounds": "one"}}
MANY_DRAWS = (4, 8, 55, 57)


MOST_FIVES = 3
"""Of the models that random conditions say there are at Select Targets."""


def few(scenario: mh.Scenario, attacks: int) -> mh.Scenario:
    """The same with so few dice and models that everything that can happen is soon counted."""
    keys = json.loads(json.dumps(scenario.to_dict()))
    units = keys["attacker"] if isinstance(keys["attacker"], list) else [keys["attacker"]]
    for unit in units:
        for weapon in unit["weapons"]:
            weapon["count"] = min(1, weapon["count"])
            weapon["attacks"] = attacks if isinstance(weapon["attacks"], int) else 1
        for row in unit.get("models", ()):
            row["count"] = min(2, row["count"])
    for row in keys["target"]["models"]:
        row["count"] = 1
    return mh.Scenario.from_dict(keys)


def is_small(scenario: mh.Scenario) -> bool:
    """One unit with at most four hits, fewer of a random D."""
    hits = damage = 0
    for batch in make_plan(scenario).batches:
        dice = max(len(batch.attack_dice(look, MOST_FIVES)) - 1 for look in range(len(batch.rolls)))
        own = dice * max(len(roll.sustained) for roll in batch.rolls)
        hits, damage = hits + own, damage + own * len(batch.rolls[0].damage[0])
    return len(scenario.attackers) == 1 and hits <= 4 and damage <= 16


def fight(weapons: list[Any], models: list[Any], **more: Any) -> mh.Scenario:
    target = {"name": "Target", "models": models}
    return mh.Scenario.from_dict({"attacker": {"name": "A", "weapons": weapons}, "target": target, **more})


@lru_cache
def scenarios() -> dict[str, mh.Scenario]:
    """Each part alone, random ones of one attacker, and those that need a rare way through the kernels."""
    drawn = list(filter(is_small, (few(each, 1) for each in random_scenarios(150, seed=17))))
    squad = ["Sergeant: T4 Sv3+ W2 FNP5+ [CHARACTER]", "2x Bearer: T4 Sv3+ W2", "Shield: T4 Sv2+ W1"]
    squad_first = {
        "attacker": {"name": "A", "weapons": ["3x Gun: A1 BS6+ S1 AP0 D1 [HAZARDOUS]"], "models": squad}
    }
    squads = [
        {"name": "One", "weapons": [HAZARD], "models": ["Man: T4 Sv3+ W1", "Shield: T4 Sv2+ W2"]},
        {"name": "Two", "weapons": [f"2x {HAZARD}"]},
    ]
    hurt = {"name": "Shield", "T": 4, "Sv": 2, "W": 3, "wounds_lost": 1}
    squads[1]["models"] = ["Sergeant: T4 Sv3+ W2 FNP5+ [CHARACTER]", "Bearer: T4 Sv3+ W1", hurt]
    guns = ["Gun: A1 S5 AP-1 D2 [TORRENT]", "Long: A1 S6 AP-1 D2 [TORRENT, PRECISION]"]
    orders = {"Leader 1": ["Row 1", "Row 0"], "Leader 0": ["Row 0", "Row 1"]}
    choosy = [
        {"name": f"Before {name}", "weapons": guns, "choices": {"allocation_order": order, "precision": name}}
        for name, order in orders.items()
    ]
    one_by_one = [
        {"name": "First", "weapons": ["Gun: A1 S9 AP-6 D1 [TORRENT, PRECISION]"]},
        {
            "name": "Second",
            "weapons": [f"Gun: {GUN}", f"Long: {GUN[:-1]}, PRECISION]", f"Mortar: {GUN[:-1]}, BLAST 1]"],
        },
    ]
    beasts = [{"name": "Beast", "T": 8, "Sv": 3, "W": 2, "keywords": ["MONSTER"]}]
    units = [{"name": name, "weapons": [f"Gun: {DEVASTATING}"]} for name in ("One", "Two", "Three")]
    pools = {"extra_ap_on_critical_wound": 1, "reroll_saves": "one"}
    return {
        **{" ".join(names): few(parts.scenario(*names), 2) for names in parts.alone()},
        **{f"random {index}": each for index, each in enumerate(drawn[:60]) if index not in MANY_DRAWS},
        "more groups than a table of orders holds": fight([f"Gun: {DEVASTATING}"], [*LINE, *LEADERS]),
        "and one wounded": fight(
            ["Gun: A2 S5 AP-1 D1 [TORRENT, PRECISION]", f"Other: {DEVASTATING}"],
            [*LINE[:3], {"name": "Hurt", "T": 4, "Sv": 4, "W": 3, "wounds_lost": 1}, *LEADERS],
        ),
        "a hurt model gone, another group hurt": fight(
            [f"Gun: {DEVASTATING}"],
            [
                {"name": "Guard", "count": 2, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
                {"name": "Shield", "T": 4, "Sv": 3, "W": 4, "wounds_lost": 1},
            ],
        ),
        "both hurt models gone, then the first in the order": fight(
            ["Gun: A3 S5 AP-1 D2 [TORRENT, DEVASTATING WOUNDS]"],
            [
                {"name": "Guard", "count": 3, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
                {"name": "Shield", "count": 2, "T": 4, "Sv": 3, "W": 3, "wounds_lost": 1},
            ],
        ),
        "a hurt model gone, the group before a CHARACTER hurt": fight(
            [f"Gun: {DEVASTATING}"],
            [
                {"name": "Guard", "count": 2, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
                "Grunt: T4 Sv5+ W2",
                {"name": "Shield", "T": 4, "Sv": 3, "W": 3, "wounds_lost": 1},
                "Leader: T4 Sv2+ W1 [CHARACTER]",
            ],
        ),
        "a hurt model gone, another group with one wound left": fight(
            [f"Gun: {DEVASTATING}"],
            [
                {"name": "Guard", "count": 2, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
                {"name": "Shield", "T": 4, "Sv": 3, "W": 2, "wounds_lost": 1},
            ],
        ),
        "a hurt model gone before a CHARACTER, another group hurt": fight(
            [f"Gun: {DEVASTATING}"],
            [
                {"name": "Shield", "T": 4, "Sv": 3, "W": 3, "wounds_lost": 1},
                {"name": "Guard", "count": 2, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
                "Leader: T4 Sv2+ W1 [CHARACTER]",
            ],
            choices={"allocation_order": ["Guard", "Shield"]},
        ),
        "hazards of a mixed unit": fight([], RANK, **squad_first),
        "hazards beyond the last model": fight(
            [], RANK, attacker={"name": "A", "weapons": ["2x Gun: A1 BS6+ S1 AP0 D1 [HAZARDOUS]"], "models": beasts}
        ),
        "hazards of a second unit, one of it wounded": fight([], RANK[:1], attacker=squads),
        "no CHARACTER left to select": fight(
            [f"Gun: {DEVASTATING.replace(']', ', PRECISION]')}", "Other: A1 S6 AP-1 D2 [TORRENT, PRECISION]"],
            [RANK[1], *LEADERS],
            choices={"precision": "Leader 1"},
        ),
        "the next CHARACTER once the first is gone": fight(
            ["Gun: A1 S9 AP-6 D2 [TORRENT, PRECISION]", "Other: A1 S8 AP-6 D1 [TORRENT, PRECISION]"],
            [RANK[1], *LEADERS],
        ),
        "the chosen CHARACTER is gone": fight(
            ["Gun: A1 S9 AP-6 D2 [TORRENT, PRECISION]", "Other: A1 S8 AP-6 D1 [TORRENT, PRECISION]"],
            [RANK[1], "Grunt: T4 Sv5+ W1", *LEADERS],
            choices={"precision": "Leader 1", "allocation_order": ["Grunt", "Guard"]},
        ),
        "a hurt CHARACTER behind an unhurt model": fight(
            [f"Gun: {DEVASTATING}"],
            [RANK[1], {"name": "Leader", "T": 4, "Sv": 3, "W": 3, "wounds_lost": 1, "character": True}],
        ),
        "the selected CHARACTER gone, then a hurt model": fight(
            ["Gun: A3 S5 AP-1 D2 [TORRENT, DEVASTATING WOUNDS, PRECISION]"],
            [
                {"name": "Guard", "count": 2, "T": 4, "Sv": 4, "W": 2, "wounds_lost": 1},
                {"name": "Shield", "T": 4, "Sv": 3, "W": 4, "wounds_lost": 1},
                "Leader: T4 Sv3+ W1 [CHARACTER]",
            ],
        ),
        "gathered once the CHARACTER is gone": fight(
            [], [RANK[1], "Leader: T4 Sv3+ W1 [CHARACTER]"], attacker=one_by_one
        ),
        "BLAST at five models or four": fight([], ["5x Grunt: T4 Sv5+ W1"], attacker=one_by_one),
        "four attacks on a large model": fight(
            ["Gun: A4 S5 AP-1 D1 [TORRENT, DEVASTATING WOUNDS]"], ["Giant: T4 Sv5+ W6", RANK[1]]
        ),
        "four attacks with PRECISION": fight(
            ["Gun: A4 S5 AP-1 D1 [TORRENT, DEVASTATING WOUNDS, PRECISION]"],
            ["Grunt: T4 Sv5+ W1", "Guard: T4 Sv3+ W1", "Leader: T4 Sv3+ W5 [CHARACTER]"],
        ),
        "batches of other damage": fight(["Gun: A2 S5 AP-1 D1 [TORRENT]", "Other: A1 S4 AP-1 DD3 [TORRENT]"], RANK),
        "one damage re-roll and devastating wounds": fight(
            ["Gun: A2 S5 AP-1 DD3 [TORRENT, DEVASTATING WOUNDS]", "Other: A1 S4 AP-1 DD3 [TORRENT]"],
            RANK,
            modifiers={"reroll_damage": "one"},
        ),
        "a last wound of the group that comes last": fight(
            ["Gun: A2 S5 AP-1 D2 [TORRENT]"], LINE[:2], choices={"allocation_order": ["Row 1", "Row 0"]}
        ),
        "many dice": fight(["Gun: AD6+1 BS4+ S5 AP-6 D1"], ["9x Grunt: T4 Sv5+ W1"]),
        "many dice and a hit re-roll": fight(
            ["Gun: AD6+1 BS4+ S5 AP-6 D1"], ["9x Grunt: T4 Sv5+ W1"], modifiers={"reroll_hits": "one"}
        ),
        **{
            f"pools of a second batch, {which} re-rolled": fight(
                ["Gun: A1 S9 AP-6 D1 [TORRENT]", "Other: A1 S4 AP-1 D2 [TORRENT]"],
                RANK[:1],
                modifiers={"extra_ap_on_critical_wound": 1, "reroll_saves": which},
            )
            for which in ("one", "ones")
        },
        "saves of 1 re-rolled by two groups": fight(
            ["Gun: A1 S1 AP-6 D1 [TORRENT]", "Other: A2 S4 AP0 D1 [TORRENT]"],
            ["Trooper: T4 Sv3+ W1", "Veteran: T4 Sv2+ W2"],
            modifiers={"reroll_saves": "ones"},
        ),
        "saves of 1 re-rolled in a second batch": fight(
            ["Gun: A1 S1 AP-6 D1 [TORRENT]", "Other: A2 S4 AP0 D1 [TORRENT]"],
            ["Veteran: T4 Sv2+ W2", "Trooper: T4 Sv3+ W1"],
            modifiers={"reroll_saves": "ones"},
            choices={"allocation_order": ["Trooper", "Veteran"]},
        ),
        "saves of 1 re-rolled against 4+, then 3+": fight(
            ["Gun: A2 S4 AP0 D1 [TORRENT]"],
            ["Grunt: T4 Sv4+ W1", "Guard: T4 Sv3+ W2"],
            modifiers={"reroll_saves": "ones"},
            choices={"allocation_order": ["Grunt", "Guard"]},
        ),
        "PRECISION at the first group": fight(
            ["Gun: A3 S5 AP-1 D1 [TORRENT, PRECISION]"], ["Leader: T4 Sv3+ W2 [CHARACTER]", RANK[1]]
        ),
        **{
            f"to each its order and CHARACTER, of {rows + 2} groups": fight(
                [], [*LINE[:rows], *LEADERS], attacker=choosy
            )
            for rows in (2, 4)
        },
        **{
            f"pools, {which} saves re-rolled": fight(
                ["Gun: A1 S5 AP0 D2 [TORRENT]"],
                ["Veteran: T4 Sv2+ W2", RANK[1]],
                modifiers={"extra_ap_on_critical_wound": 1, "reroll_saves": which},
            )
            for which in ("ones", "noncritical")
        },
        "DEVASTATING WOUNDS of a second batch": fight(
            ["Gun: A1 S4 AP-6 D1 [TORRENT]", f"Other: {DEVASTATING}"], [RANK[1], "Grunt: T4 Sv5+ W3"]
        ),
        "D of 0 for the second row alone": fight(
            ["Gun: A3 S9 AP-6 D1 [TORRENT]"],
            ["Guard: T4 Sv3+ W1", {"name": "Idol", "T": 4, "Sv": 4, "W": 2, "damage_to_zero": 1}],
        ),
        **{
            f"a single re-roll of {rolls} for two batches": fight(
                ["Gun: A1 BS4+ S5 AP-6 D1", "Other: A1 BS3+ S4 AP-6 D2"],
                RANK[:1],
                modifiers={f"reroll_{rolls}": "one"},
            )
            for rolls in ("hits", "wounds")
        },
        "a damage re-roll of the second batch alone": fight(
            [f"Gun: {GUN}", REROLLED], [RANK[1], "Grunt: T4 Sv5+ W3"]
        ),
        "a save re-roll spent and one of damage left": fight(
            ["Gun: A1 S5 AP-1 DD3 [TORRENT]"],
            ["Grunt: T4 Sv5+ W4"],
            modifiers={"extra_ap_on_critical_wound": 1, "reroll_saves": "one", "reroll_damage": "one"},
        ),
        "all re-rolls spent but that of damage": fight(
            [SKILLED, REROLLED], RANK[:1], modifiers={"reroll_saves": "one"}
        ),
        **{
            f"pools of two batches and a hit re-roll, {len(models)} groups": fight(
                ["Gun: A1 BS4+ S5 AP-1 D1", "Other: A1 BS4+ S4 AP-2 D2"],
                models,
                modifiers={"extra_ap_on_critical_wound": 1, "reroll_hits": "one"},
            )
            for models in (RANK[:1], ["Grunt: T4 Sv5+ W1", RANK[1]])
        },
        "pools that go on to a worse save": fight(
            ["Gun: A2 S5 AP0 D2 [TORRENT]"],
            ["Guard: T4 Sv3+ W1", "Grunt: T4 Sv6+ W2"],
            modifiers={"extra_ap_on_critical_wound": 1},
            choices={"allocation_order": ["Guard", "Grunt"]},
        ),
        **{
            f"faces of two batches, AP {ap}": fight(
                [f"Gun: A2 S9 AP{ap} D1 [TORRENT]", f"Other: A2 S8 AP{ap} D1 [TORRENT]"],
                [f"Row {save}: T4 Sv{save}+ W{4 if save == saves[-1] else 1}" for save in saves],
                choices={"allocation_order": [f"Row {save}" for save in saves]},
            )
            for ap, saves in ((0, (6, 5, 2, 3)), (-6, (6, 5, 4, 3)))
        },
        "three units": fight([], ["Grunt: T4 Sv5+ W2", "Guard: T4 Sv3+ W3"], attacker=units),
        "pools and a single re-roll": fight(["Gun: A2 S5 AP-1 D2 [TORRENT]"], [*RANK, LEADERS[0]], modifiers=pools),
        "the worse pool first": fight(
            ["Gun: A2 S5 AP-1 D2 [TORRENT]"], RANK, modifiers=pools | {"extra_ap_on_critical_wound": -1}
        ),
    }  # fmt: skip


IN_PIECES = ("SUSTAINED HITS 1", "one hit re-roll", "DEVASTATING WOUNDS", "random attacks", "many dice")
"""Played also with the tables of single dice that large batches are made of."""
STEP_BY_STEP = (
    *("DEVASTATING WOUNDS", "FEEL NO PAIN", "wounded guard", "random damage", "PRECISION"),
    *("four attacks on a large model", "four attacks with PRECISION", "batches of other damage"),
)
"""Played also with attacks resolved step by step, and by chains of one or two."""


@lru_cache
def cases() -> list[tuple[str, str]]:
    """Names of scenarios, and of what is to be small for them."""
    found = [(name, "") for name in scenarios()]
    in_step = [name for name, each in scenarios().items() if Arrays(plan_of(each)).in_step]
    assert len(in_step) > 30
    found += [(name, "batch by batch") for name in in_step]
    found += [(name, "tables") for name in IN_PIECES]
    found += [(name, "single dice") for name in ("one hit re-roll", "many dice")]
    found += [("many dice and a hit re-roll", "pairs of dice")]
    found += [(name, which) for name in STEP_BY_STEP for which in ("no chains", "short chains")]
    return found + [(name, "short chains, batch by batch") for name in STEP_BY_STEP if name in in_step]


def deviation(name: str, small: str) -> float:
    """The largest difference between all draws and the exact engine, of a mean or a probability."""
    by_batches = small.endswith("batch by batch")
    with pytest.MonkeyPatch.context() as patch:
        if small == "tables":
            patch.setattr(tables, "LARGEST_TABLE", 1)
        elif small == "single dice":
            patch.setattr(tables, "LARGEST_TABLE", 1)
            patch.setattr(tables, "LARGEST_PIECE", 1)
        elif small == "pairs of dice":
            patch.setattr(tables, "LARGEST_TABLE", 1)
            patch.setattr(tables, "LARGEST_PIECE", 6)
        elif small == "no chains":
            patch.setattr(chains, "LARGEST", 1)
        elif small.startswith("short chains"):
            patch.setattr(chains, "MOST_AT_A_TIME", 1 if by_batches else 2)
        drawn = every_draw(scenarios()[name], by_batches)
    exact = mh.solve(scenarios()[name])
    seen, known = means(drawn), means(exact)
    largest = max(abs(seen[key] - known[key]) for key in known)
    for quantity in ("wounds_lost", "models_destroyed", "attacker_wounds_lost", "attackers_used"):
        one, other = getattr(drawn, quantity).pmf, getattr(exact, quantity).pmf
        largest = max(largest, float(abs(one - other).max()))
    return largest


@pytest.fixture(scope="module")
def uncompiled() -> list[float]:
    """The deviations, from a process that compiles nothing; none where this process is one."""
    if config.DISABLE_JIT:
        return []
    return printed_without_compiling("tests.oracle.test_every_draw")


@pytest.mark.parametrize("index", range(len(cases())), ids=[" ".join(case).strip() for case in cases()])
def test_all_draws(uncompiled: list[float], index: int) -> None:
    found = uncompiled[index] if uncompiled else deviation(*cases()[index])
    assert found < 1e-12


if __name__ == "__main__":
    print(json.dumps([deviation(*case) for case in cases()]))
