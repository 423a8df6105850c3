"""The four attacks that everything is measured on, and the families of attacks that growth is measured on."""

from __future__ import annotations

from itertools import product
from typing import Any

import mathhammer as mh

__all__ = ["CASES", "by_batches", "by_dice", "by_groups", "by_models", "many_targets", "many_weapons"]


def _fight(weapons: list[str], models: list[str], **attacker: Any) -> mh.Scenario:
    return mh.Scenario(
        attacker=mh.Unit(name="Attackers", weapons=weapons, **attacker),
        target=mh.Unit(name="Target", keywords=["INFANTRY"], models=models),
    )


CASES: dict[str, mh.Scenario] = {
    "bolters": _fight(["10x Rifle: A2 BS3+ S4 AP-1 D1"], ["10x Trooper: T4 Sv3+ W2"]),
    "horde": _fight(["30x Shooter: A4 BS3+ S4 AP-1 D1"], ["20x Fighter: T4 Sv4+ W2"]),
    "mixed": _fight(
        [
            "5x Storm rifle: A2 BS3+ S5 AP-1 D1 [SUSTAINED HITS 1, LETHAL HITS]",
            "2x Siege gun: AD6+1 BS3+ S8 AP-2 DD3 [DEVASTATING WOUNDS]",
            "1x Long rifle: A3 BS2+ S6 AP-2 DD3 [PRECISION]",
        ],
        [
            "2x Shield: T4 Sv2+ InSv4+ W3 FNP5+",
            "8x Warden: T4 Sv3+ W2 FNP5+",
            "1x Captain: T4 Sv3+ InSv4+ W5 FNP5+ [CHARACTER, LEADER]",
        ],
        modifiers=mh.Modifiers(reroll_hits="ones"),
    ),
    "knight": _fight(["6x Lance: A2 BS3+ S12 AP-3 DD6+2"], ["1x Walker: T12 Sv3+ InSv5+ W26"]),
}


def by_dice(dice: int) -> mh.Scenario:
    """So many attack dice into twenty models."""
    attacks = -(-dice // 1000)
    return _fight([f"{dice // attacks}x Rifle: A{attacks} BS3+ S4 AP-1 D1"], ["20x Trooper: T4 Sv3+ W2"])


def by_models(models: int) -> mh.Scenario:
    """120 attack dice into so many models."""
    return _fight(["120x Rifle: A1 BS3+ S4 AP-1 D1"], [f"{models}x Trooper: T4 Sv3+ W2"])


def by_groups(groups: int) -> mh.Scenario:
    """Sixty attack dice into twelve models in so many allocation groups, told apart by their Sv."""
    rows = [f"{12 // groups}x Row {sv}: T4 Sv{sv}+ W2" for sv in range(2, 2 + groups)]
    return _fight(["60x Rifle: A1 BS3+ S4 AP-1 D1"], rows)


def by_batches(batches: int) -> mh.Scenario:
    """Sixty-four attack dice in so many batches, told apart by their S, into ten models."""
    weapons = [f"{64 // batches}x Rifle {s}: A1 BS3+ S{s} AP-1 D1" for s in range(4, 4 + batches)]
    return _fight(weapons, ["10x Trooper: T6 Sv3+ W2"])


def many_weapons(count: int) -> list[mh.Unit]:
    """Up to 200 units that differ in A, S, AP and D."""
    profiles = product((1, 2, 3, 4), (3, 4, 5, 8, 12), (0, -1, -2, -3, -4), ("1", "D3"))
    return [
        mh.Unit(name=f"Unit {n}", weapons=[f"10x Weapon: A{a} BS3+ S{s} AP{ap} D{d}"])
        for n, (a, s, ap, d) in zip(range(count), profiles, strict=False)
    ]


def many_targets(count: int) -> list[mh.Unit]:
    """Up to 20 targets that differ in T, Sv, W and number."""
    profiles = product((3, 4, 5, 9), (3, 5), ((10, 2), (20, 1), (1, 12)))
    return [
        mh.Unit(name=f"Target {n}", models=[f"{models}x Model: T{t} Sv{sv}+ W{w}"])
        for n, (t, sv, (models, w)) in zip(range(count), profiles, strict=False)
    ]
