"""Lists that people exported: units, models and weapons counted by hand. Skipped where they are not at hand.

The lists stand beside the repository and are not part of it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mathhammer import RosterError, Unit, read_roster, read_units

LISTS = Path(__file__).resolve().parents[3] / "shared" / "rosters"
pytestmark = pytest.mark.skipif(not LISTS.is_dir(), reason="the lists are not at hand")

SELF_CONTAINED = {
    # file: units, models, weapons, points
    "bs_tau_1000_10e.rosz": (13, 44, 137, 995),
    "bs_ultramarines_10e.rosz": (10, 22, 58, 810),
    "newrecruit_dark_angels_handtrimmed_11e.json": (3, 9, 12, None),
    "newrecruit_simple_10e.json": (1, 10, 20, 80),
    "newrecruit_space_wolves_10e.json": (9, 36, 87, 1020),
    "newrecruit_tiny_nids_10e.json": (3, 14, 25, 300),
}
TEXT = {
    # file: units, models, lines of weapons, points that the units make, models and lines without a datasheet
    "app10e_flat_imperialagents.txt": (21, 104, 95, 2000, 0, 0),
    "app10e_nested_necrons.txt": (12, 25, 23, 1995, 0, 0),
    "app10e_nested_orks.txt": (17, 104, 64, 1990, 1, 11),
    "app11e_attached_blacktemplars.txt": (15, 26, 62, 1995, 0, 5),
    "app11e_attached_votann.txt": (18, 56, 60, 1995, 0, 0),
    "app11e_bullets_admech.txt": (13, 59, 55, 1985, 0, 0),
    "app11e_french_chaos_knights.txt": (7, 9, 25, 1700, 0, 0),
    "app11e_imperialknights.txt": (6, 6, 22, 2000, 0, 0),
    "app11e_tau.txt": (16, 51, 72, 2000, 0, 0),
    "chaos_daemons_GT2023.txt": (15, 60, 34, 1990, 0, 0),
    "listforge_gk_banishers.json": (3, 12, 8, 585, 0, 0),
    "nr_fk_bullets_tyranids.txt": (18, 82, 27, 1995, 0, 0),
    "nr_fk_char_csm.txt": (16, 34, 45, 2000, 0, 2),
    "nr_markdown_pts_votann.txt": (14, 65, 69, 2000, 0, 0),
    "nr_wtc_compact_chaos_knights.txt": (4, 6, 10, 485, 0, 0),
    "nr_wtcfull_sororitas.txt": (19, 72, 64, 2000, 0, 1),
}
ATTACHED = {"app11e_attached_blacktemplars.txt": 3, "app11e_attached_votann.txt": 4, "app11e_tau.txt": 1}


def carried(unit: Unit) -> int:
    """How many weapons the models of a unit carry: modes are one weapon, alternatives are several."""
    counts = {}
    for weapon in unit.weapons:
        name, mode = weapon.mode or (weapon.name, "")
        alternative = mode.partition(" - ")[0] if weapon.melee and " or " in name else ""
        counts[name, alternative, weapon.melee] = weapon.count
    return sum(counts.values())


@pytest.mark.parametrize("name", SELF_CONTAINED)
def test_a_self_contained_roster_is_read_whole(name: str) -> None:
    units, models, weapons, points = SELF_CONTAINED[name]
    roster = read_roster(LISTS / name)
    assert len(roster.units) == units
    assert sum(unit.model_count for unit in roster.units) == models
    assert sum(map(carried, roster.units)) == weapons
    assert roster.points == points
    assert sum(unit.points or 0 for unit in roster.units) == (points or 0)
    assert roster.unresolved == ()
    assert all(unit.weapons and unit.models for unit in roster.units)


@pytest.mark.parametrize("name", TEXT)
def test_a_text_list_is_read_whole(name: str) -> None:
    pytest.importorskip("wh40kdc")
    units, models, _, points, no_model, unknown = TEXT[name]
    roster = read_roster(LISTS / name)
    assert len(roster.units) == units
    assert sum(unit.model_count for unit in roster.units) == models - no_model
    assert sum(unit.points or 0 for unit in roster.units) == points
    assert len(roster.unresolved) == no_model + unknown
    assert all(one.where.startswith(("line ", "selection ")) for one in roster.unresolved)
    assert len(roster.attached) == ATTACHED.get(name, 0)
    assert sum(unit.points or 0 for unit in roster.formations) == points


def test_nearly_all_weapons_of_text_lists_are_resolved() -> None:
    pytest.importorskip("wh40kdc")
    lines = sum(row[2] for row in TEXT.values())
    unknown = sum(row[5] for row in TEXT.values())
    assert unknown / lines < 0.05


@pytest.mark.parametrize("name", [*SELF_CONTAINED, *TEXT])
def test_what_was_read_survives_our_own_notation(name: str) -> None:
    pytest.importorskip("wh40kdc")
    roster = read_roster(LISTS / name)
    assert read_units(roster.to_toml()) == roster.units
    assert read_units(roster.to_toml(attached=True)) == roster.formations
    assert read_roster(LISTS / name) == roster


def test_the_tenth_edition_is_warned_of_once_and_the_ninth_refused() -> None:
    for name in SELF_CONTAINED:
        warned = [w for w in read_roster(LISTS / name).warnings if "10th edition" in w]
        assert len(warned) == ("10e" in name)
    with pytest.raises(RosterError, match="9th Edition"):
        read_roster(LISTS / "bs_9e_refuse.ros")


def test_every_list_at_hand_is_counted_here() -> None:
    names = {path.name for path in LISTS.iterdir()} - {"README.md", "bs_9e_refuse.ros"}
    assert names == {*SELF_CONTAINED, *TEXT}
