"""Datasheets of the installed dataset, compared with its own records: nothing of it stands here."""

from __future__ import annotations

import pytest

from mathhammer import InvalidScenario, unit
from mathhammer.datasheets import datasheets
from mathhammer.datasheets.fortykdc import _changes, _mode

wh40kdc = pytest.importorskip("wh40kdc")
DATASET = wh40kdc.Dataset.embedded()
TEN = [one for one in DATASET.units.all if one.weapons and DATASET.unit_composition_of(one.raw)][::110]


def test_the_label_names_version_and_licence() -> None:
    assert datasheets().label.startswith("wh40kdc ")
    assert "MIT" in datasheets().label


@pytest.mark.parametrize("view", TEN, ids=lambda view: view.id)
def test_profiles_weapons_and_abilities_are_those_of_the_record(view) -> None:
    made = unit(view.name, faction=view.faction.name)
    lines = {(line["T"], line["Sv"], line["W"]) for line in view.profiles}
    assert {(model.toughness, model.save, model.wounds) for model in made.models} <= lines
    named = {weapon.name.casefold(): weapon for weapon in view.weapons}
    for weapon in made.weapons:
        profiles = [
            (p["stats"]["S"], p["stats"]["AP"], str(p["stats"]["A"]), str(p["stats"]["D"]))
            for record in named.values()
            for p in record.profiles
        ]
        assert (weapon.strength, weapon.ap, str(weapon.attacks), str(weapon.damage)) in profiles
    least = DATASET.unit_composition_of(view.raw)["models"]
    assert made.model_count >= sum(row["min"] for row in least) > 0
    assert made.points is None or made.points in [tier["cost"] for tier in view.points]
    assert {word.upper() for word in view.keywords} <= set(made.keywords)


def test_every_datasheet_can_be_made_into_a_unit_and_is_found_by_its_name() -> None:
    source = datasheets()
    for entry in source.entries:
        sheet = entry.read()
        assert sheet.rows, entry.name
        assert source.find(entry.name, entry.factions[0]).name == entry.name


def test_a_name_of_several_factions_asks_for_one() -> None:
    counts: dict[str, set[str]] = {}
    for entry in datasheets().entries:
        counts.setdefault(entry.name, set()).add(entry.factions[0])
    name, factions = next((name, of) for name, of in counts.items() if len(of) > 1)
    with pytest.raises(InvalidScenario, match="several factions"):
        unit(name)
    assert all(unit(name, faction=faction).name == name for faction in factions)


def test_weapon_keywords_come_with_their_parameters() -> None:
    words = {
        str(ability)
        for entry in datasheets().entries[::7]
        for arm in entry.read().arms
        for _, weapon in arm.modes
        for ability in weapon.abilities
    }
    assert any(word.startswith("ANTI-") and word.endswith("+") for word in words)
    assert any(word.startswith("RAPID FIRE ") for word in words)
    assert any(word.startswith("SUSTAINED HITS ") for word in words)


def test_wargear_that_brings_a_weapon_is_disclosed_and_what_changes_no_attack_is_not() -> None:
    changes = {"This model gains the Weapon ability.", "The unit gains the Odd Blessing ability."}
    harmless = {"The unit gains the Scouts 6 ability.", "This model gains the Leader ability."}
    assert all(map(_changes, changes))
    assert not any(map(_changes, harmless))


def test_a_mode_does_not_repeat_the_name_of_its_weapon() -> None:
    assert _mode("Sun Gun", "Sun gun \u2013 Low") == "Low"
    assert _mode("Sun Gun", "Low") == "Low"
    assert _mode("Sun Gun", "Moon - Low") == "Moon - Low"


def test_weapons_that_cost_more_are_paid_for_each_of_them() -> None:
    paid = next(
        (view, one)
        for view in DATASET.units.all
        for one in view.raw.get("wargear_costs") or ()
        if one["item_id"] in {weapon.id for weapon in view.weapons} and view.points[0]["models"] > 1
    )
    view, cost = paid
    name = next(weapon.name for weapon in view.weapons if weapon.id == cost["item_id"])
    count = view.points[0]["models"]
    few, more = (unit(view.name, count, {name: n}, faction=view.faction.name).points for n in (1, 3))
    assert few == view.points[0]["cost"] + cost["cost"]
    assert more == few + 2 * cost["cost"]
