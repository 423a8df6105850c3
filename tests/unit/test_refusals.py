"""What cannot be meant is refused, and the message says what would be right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import mathhammer as mh
from mathhammer import plots
from mathhammer.datasheets.loadout import parse_loadout
from mathhammer.unit_files import LARGEST_FILE

GUN: dict[str, Any] = {"name": "Gun", "A": 2, "BS": "3+", "S": 4, "AP": -1, "D": 1}
MODES = [GUN | {"name": f"Plasma | {mode}"} for mode in ("low", "high")]
WALL = {"name": "Wall", "models": ["5x Shield: T4 Sv3+ W2"]}


def weapon(**keys: Any) -> mh.Weapon:
    return mh.Weapon.from_dict(GUN | keys)


def fight(**keys: Any) -> mh.Scenario:
    return mh.Scenario.from_dict({"attacker": {"name": "A", "weapons": [GUN]}, "target": WALL} | keys)


def with_ability(text: str) -> Callable[[], Any]:
    return lambda: weapon(abilities=[text])


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a number that is too large": (lambda: weapon(A="2001"), "at most"),
    "ANTI without a keyword": (with_ability("ANTI 4+"), "ANTI-INFANTRY 4+"),
    "HUNTER without a keyword": (with_ability("HUNTER"), "name the keywords"),
    "a number for an ability that has none": (with_ability("TWIN-LINKED 2"), "takes no number"),
    "an ability without its number": (with_ability("SUSTAINED HITS"), "SUSTAINED HITS 1"),
    "a plus behind a number that is no roll": (with_ability("SUSTAINED HITS 1+"), "without the plus"),
    "TORRENT for some targets, and no BS for the others": (
        lambda: weapon(BS=None, abilities=["TORRENT: VEHICLE"]),
        "give the BS for the others",
    ),
    "a file of units with another table": (lambda: mh.read_units("[unit]\nname = 'A'\n"), "only [[units]]"),
    "a file of units without units": (lambda: mh.read_units("units = []\n"), "at least one"),
    "a mode of no weapon": (
        lambda: fight(choices={"modes": {"Plasma": "high"}}),
        'no weapon "Plasma | MODE" is listed',
    ),
    "a mode that the weapon has not": (
        lambda: fight(attacker={"name": "A", "weapons": MODES}, choices={"modes": {"Plasma": "medium"}}),
        "its modes are low, high",
    ),
    "two modes of one weapon": (
        lambda: fight(
            attacker={"name": "A", "weapons": MODES}, choices={"modes": {"Plasma": "low", "PLASMA": "high"}}
        ),
        'choices.modes.PLASMA = "high": stands twice',
    ),
    "a mode that the unit's own weapon has not": (
        lambda: fight(
            attacker=[
                {"name": "A", "weapons": MODES},
                {"name": "B", "weapons": [GUN, MODES[0]], "choices": {"modes": {"Plasma": "high"}}},
            ]
        ),
        'attacker[1].choices.modes.Plasma = "high": its modes are low',
    ),
    "an order of batches that the unit does not make": (
        lambda: fight(
            attacker=[
                {"name": "A", "weapons": MODES},
                {"name": "B", "weapons": [GUN], "choices": {"batch_order": ["Plasma | low"]}},
            ]
        ),
        "attacker[1].choices.batch_order[0]",
    ),
    "two metrics for one search": (
        lambda: fight(
            attacker=[
                {"name": "A", "weapons": [GUN]},
                {"name": "B", "weapons": [GUN], "choices": {"metric": "models_destroyed"}},
            ]
        ),
        'attacker[1].choices.metric = "models_destroyed": the attackers together look at one metric',
    ),
    "a phase in which nobody attacks": (
        lambda: fight(
            attacker=[{"name": name, "weapons": [GUN]} for name in "AB"], conditions={"phase": "fight"}
        ),
        "the attackers have no melee weapon",
    ),
    "more dice than can be worked out": (
        lambda: mh.solve(fight(attacker={"name": "A", "weapons": [MODES[0], GUN | {"count": 1000, "A": 4, "S": 5}]})),
        "attacker.weapons[1].count = 1000: at most 3000 attack dice and 60000 hits in a batch, not 4000 and 4000",
    ),
    "a unit without a name": (lambda: mh.unit(" ", source="/nowhere"), "name a unit"),
    "no scenario to count weapons for": (lambda: mh.needed("fight.toml", "Gun", 0.5), "make one with Scenario"),  # type: ignore[arg-type]
    "no scenario to choose in": (lambda: mh.best_play(None), "make one with Scenario"),  # type: ignore[arg-type]
    "no phase to compare in": (
        lambda: mh.army_table(fight().attackers, ["tank"], phases=[]),
        "name at least one",
    ),
    "no table to draw": (
        lambda: plots.tornado(pd.DataFrame(columns=["change", "difference", "metric", "value", "standard_error"])),
        "there is nothing to draw",
    ),
    "a count without a weapon": (lambda: parse_loadout(":3"), ":3"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    made, way_out = REFUSED[name]
    with pytest.raises(mh.InvalidScenario) as caught:
        made()
    assert way_out in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_scenario_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "fight.toml"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(mh.InvalidScenario, match="a file has at most"):
        mh.Scenario.from_toml(path)
