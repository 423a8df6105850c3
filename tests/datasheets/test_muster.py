"""Who of a unit uses which weapon."""

from __future__ import annotations

import pytest

from mathhammer import Model, Weapon
from mathhammer.datasheets.muster import Arm, Group, muster


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A4 WS3+ S5 AP0 D1", "A5 WS3+ S4 AP0 D1"),
        ("A4 WS3+ S8 AP0 D1", "A4 WS3+ S7 AP0 D1"),
        ("A3 WS3+ S3 AP0 D1", "A3 WS3+ S2 AP0 D1"),
        ("A2 WS3+ S4 AP-1 D1", "A2 WS3+ S4 AP0 D1"),
    ],
)
def test_of_two_melee_weapons_the_one_that_takes_more_wounds_is_the_default(one: str, other: str) -> None:
    """Against T4, 3+."""
    arms = [
        Arm(name, (("", Weapon.parse(f"{name}: Melee {profile}")),), 1)
        for name, profile in (("Weak", other), ("Strong", one))
    ]
    made = muster("Duellist", [Group(Model.parse("1x Duellist: T4 Sv3+ W3"), tuple(arms))])
    assert [weapon.name for weapon in made.weapons] == [
        "Strong or Weak | Strong",
        "Strong or Weak | Weak",
    ]
