"""A model marked `character` is a CHARACTER for ANTI-CHARACTER and for keyword forms (24.01, 24.03)."""

import pytest

import mathhammer as mh


@pytest.mark.parametrize("ability", ["ANTI-CHARACTER 2+", "ANTI-NON-CHARACTER 2+"])
def test_anti_character_meets_a_marked_model(ability: str) -> None:
    fight = mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": [f"Blade: Melee A6 S1 AP0 D1 [TORRENT, {ability}]"]},
            "target": {"name": "B", "models": ["20x Guard: T9 Sv- W1", "Hero: T9 Sv- W4 [CHARACTER]"]},
        }
    )
    wounds = mh.solve(fight).by_weapon[0]["wounds"]
    assert wounds == pytest.approx(5.0 if ability == "ANTI-CHARACTER 2+" else 1.0)
