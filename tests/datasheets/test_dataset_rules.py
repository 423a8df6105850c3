"""What becomes of the abilities of the dataset, on an invented record of its shape."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mathhammer import read_roster
from mathhammer.datasheets import Datasheets
from mathhammer.datasheets.datasheet import Datasheet, Entry
from mathhammer.datasheets.fortykdc import _changes, _datasheet


def ability(name: str, text: str) -> Any:
    raw = {"effect": {"type": "other"}, "scope": {}, "behavior": "triggered"}
    return SimpleNamespace(name=name, raw=raw, describe=lambda: text)


def gear(name: str, reach: int | str) -> Any:
    skill = "WS" if reach == "Melee" else "BS"
    stats = {"A": 2, skill: 3, "S": 4, "AP": 0, "D": 1}
    raw = {"name": name, "faction_id": "f", "profiles": [{"name": name, "range": reach, "stats": stats}]}
    return SimpleNamespace(id=name, name=name, raw=raw)


def record(*abilities: Any) -> Datasheet:
    """Ambushers: a captain and their men, who have the name of an ability."""
    weapons = [gear("Long rifle", 24), gear("Boots", "Melee")]
    unit = SimpleNamespace(
        name="Ambusher Squad",
        raw={},
        faction=None,
        faction_keywords=["Wall Folk"],
        keywords=["Infantry"],
        weapons=weapons,
        abilities=list(abilities),
        wargear_options=[],
        profiles=[{"name": "Ambusher", "T": 4, "Sv": 3, "W": 2}],
        model_count={"min": 5, "max": 5},
        points=[{"models": 5, "cost": 100}],
    )
    models = [
        {"name": "Ambush Captain", "min": 1, "max": 1, "is_leader_model": True},
        {"name": "Ambusher", "min": 4, "max": 4},
    ]
    dataset = SimpleNamespace(
        unit_composition_of=lambda raw: {"models": models},
        wargear=SimpleNamespace(all=[]),
        weapon_keywords={},
    )
    return _datasheet(unit, dataset)


def test_a_model_that_an_ability_is_named_after_is_a_model() -> None:
    sheet = record(ability("Ambushers", "It comes late."), ability("Slow March", "It is late."))
    source = Datasheets("invented", (Entry(sheet.name, ("Wall Folk",), lambda: sheet),))
    text = (
        "My wall (100 points)\n\nWall Folk\nStrike Force (2000 points)\n\nOTHER DATASHEETS\n\n"
        "Ambusher Squad (100 points)\n• 1x Ambush Captain\n• 1x Boots\n• 1x Long rifle\n"
        "• 4x Ambusher\n• 4x Boots\n• 4x Long rifle\n• 1x Slow March\n"
    )
    roster = read_roster(text, source)
    assert roster.unresolved == ()
    assert [(model.name, model.count) for model in roster.units[0].models] == [
        ("Ambush Captain", 1),
        ("Ambusher", 4),
    ]
    assert {weapon.name: weapon.count for weapon in roster.units[0].weapons} == {"Boots": 5, "Long rifle": 5}


@pytest.mark.parametrize(
    "text",
    [
        "The unit gains the Wall Crew Embarked Model Attack Scaling 2 ability.",
        "This model gains the Bonus Healing D3 ability.",
        "The unit gains the Issue Orders ability.",
        "The unit gains the Odd Dice Value Set 6 ability.",
        "When a model in the unit is destroyed, destroy all WALL CREW models in the unit.",
        "Roll one D6: on a 1, destroy 1 model in the unit.",
        "When the last Warden is destroyed, its hounds are destroyed.",
        "During the Command phase, you gain 3 Wounds.",
        "This model heals 2.",
        "Until your next turn, the unit is marked as afflicted.",
    ],
)
def test_what_changes_attacks_wounds_or_models_is_disclosed(text: str) -> None:
    assert _changes(text)
    assert record(ability("Odd Blessing", text)).not_modelled == ("Odd Blessing",)


@pytest.mark.parametrize(
    "text",
    [
        "The unit gains the Rapid Disembark for Embarked Units ability.",
        "The unit gains the Attached Unit Eligibility ability.",
        "The unit gains the Extended Order Range ability.",
        "When an enemy unit is destroyed, you gain 1CP.",
        "When destroyed by a ranged attack, the unit can make a Normal move of up to D6 inches.",
        "Enemy units nearby must take a Battle-shock test.",
    ],
)
def test_what_moves_units_or_holds_objectives_is_not(text: str) -> None:
    assert not _changes(text)
    assert record(ability("Odd Blessing", text)).not_modelled == ()
