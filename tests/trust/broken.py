"""Input that is almost right, for the fuzzers: what a hand, a program or an enemy could get wrong.

Every reader here swallows the errors that are ours and nothing else.
"""

from __future__ import annotations

import contextlib
import copy
import random
from collections.abc import Callable
from typing import Any

from tests.rosters import invented
from tests.rosters.invented_lists import NESTED
from tests.strategies import random_dict

import mathhammer as mh
from mathhammer.abilities import parse_abilities
from mathhammer.unit_abilities import parse_unit_abilities

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**6, 10**30, -(10**30), 0.5, 1e308, float("nan"), float("inf"), 3.0),
    *("", " ", "-", "–", "+", "3+", "+3", "3 +", "7+", "1+", "٣", "²", "½", "３", "1_0", "0x10", "1e3", "-0"),
    *("D6", "d6", "D7", "99D6", "60D6", "0D6", "D6-9", "D6+9999", "DD", "D", "2D3+1", "D6+D3", "D6*2"),
    *(
        "x" * 201,
        "x" * 100_000,
        "\n",
        "\0",
        "\ud800",
        "\u202e",
        "💥",
        "a\tb",
        "[[units]]",
        "=1+1",
        "<b>",
        "{}",
    ),
    *(
        "best",
        "listed",
        "first",
        "none",
        "Row 0",
        "row 0",
        "ROW-0",
        "Row 1",
        "noncritical",
        "one",
        "shooting",
    ),
    *(
        "TORRENT",
        "SUSTAINED HITS",
        "SUSTAINED HITS 99D6",
        "ANTI-",
        "ANTI-X 4+",
        "BLAST D6",
        "MELTA 101",
        ":::",
    ),
    *(
        "LETHAL HITS: NON-",
        "LETHAL HITS:",
        "RAPID FIRE -1",
        "FEEL NO PAIN 5+",
        "[",
        "]",
        "[HEAVY",
        "HEAVY,,HEAVY",
    ),
    *([], {}, [[]], [{}], [None], {"": None}, [1, "a"], {"name": "x"}, {1: 2}, b"bytes", {"a"}, (), object()),
)
"""Values for any place."""
KEYS = (
    *(
        "",
        "name",
        "count",
        "A",
        "attacks",
        "BS",
        "WS",
        "skill",
        "S",
        "AP",
        "D",
        "abilities",
        "melee",
        "modifiers",
    ),
    *(
        "T",
        "Sv",
        "InSv",
        "W",
        "FNP",
        "character",
        "leader",
        "wounds_lost",
        "points",
        "keywords",
        "models",
        "x",
    ),
    *("weapons", "conditions", "choices", "phase", "modes", "precision", "allocation_order", "batch_order"),
    *("damage_to_zero", "halve_damage", "models_at_select_targets", "self", "cls", "data", "model_config"),
)
LETTERS = "0123456789dDxX×+-–−:;,.[]()/| \n\t\"'#=ABSWPTvInFNP∞²٣é\0"


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a tree of dicts and lists."""
    found: list[tuple[Any, Any]] = []
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        found.append((value, key))
        if isinstance(value[key], dict | list):
            found += places(value[key])
    return found


def spoiled(rng: random.Random, tree: Any) -> Any:
    """The tree with one to three things in it changed, taken away, doubled or put elsewhere."""
    tree = copy.deepcopy(tree)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        holes = places(tree)
        if not holes:
            break
        container, key = rng.choice(holes)
        deed = rng.randrange(5)
        if deed == 0:
            del container[key]
        elif deed == 1:
            other, place = rng.choice(holes)
            container[key] = copy.deepcopy(other[place])
        elif deed == 2 and isinstance(container, dict):
            container[rng.choice(KEYS)] = rng.choice(ODD)
        elif deed == 2:
            container.append(copy.deepcopy(container[key]))
        else:
            container[key] = rng.choice(ODD)
    return tree


def scribbled(rng: random.Random, text: str) -> str:
    """The text with some characters, words or lines changed, lost, doubled or swapped."""
    for _ in range(rng.choice((1, 1, 2, 4, 9))):
        at, to = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        deed = rng.randrange(6)
        if deed == 0:
            text = text[:at] + text[min(to, at + 20) :]
        elif deed == 1:
            text = text[:at] + rng.choice(LETTERS) + text[at:]
        elif deed == 2:
            text = text[:at] + text[at : at + 30] * rng.choice((2, 3, 50)) + text[at + 30 :]
        elif deed == 3:
            lines = text.splitlines(keepends=True)
            rng.shuffle(lines[: len(lines) // 2])
            text = "".join(lines)
        elif deed == 4:
            text = text[:at] + str(rng.choice([odd for odd in ODD if isinstance(odd, str)]))[:300] + text[to:]
        else:
            text = text[:at] + rng.choice(LETTERS) + text[at + 1 :]
    return text


def ours(read: Callable[[Any], Any], value: Any) -> Any:
    """What a reader makes of a value; None where it refuses it, in one line that is not endless."""
    try:
        return read(value)
    except mh.InvalidScenario as fault:
        said = [str(problem) for problem in fault.problems]
    assert said
    assert all(text and len(text) < 3000 and text.isprintable() for text in said), said
    return None


def play(scenario: mh.Scenario | None) -> None:
    """What can be made can be explained and simulated, or is refused by us."""
    if scenario is not None:
        with contextlib.suppress(mh.InvalidScenario):
            mh.explain(scenario)
            str(mh.simulate(scenario, 3, seed=0, threads=1))


def scenario(data: Any) -> None:
    play(ours(mh.Scenario.from_dict, data))


def scenario_text(text: str) -> None:
    play(ours(mh.Scenario.from_toml, text + "\n"))


def units_text(text: str) -> None:
    units = ours(mh.read_units, text + "\n")
    if units is not None:
        assert mh.read_units(mh.write_units(units)) == units


def weapon(line: str) -> None:
    made = ours(mh.Weapon.parse, line)
    if made is not None:
        assert mh.Weapon.parse(str(made)) == made


def model(line: str) -> None:
    made = ours(mh.Model.parse, line)
    if made is not None:
        assert mh.Model.parse(str(made)) == made


def dice(text: Any) -> None:
    made = ours(mh.Dice.parse, text)
    if made is not None:
        assert mh.Dice.parse(str(made)) == made
        assert abs(made.pmf.sum() - 1) < 1e-9


def abilities(text: str) -> None:
    made = ours(parse_abilities, text)
    if made is not None:
        assert parse_abilities([str(ability) for ability in made]) == made
    made = ours(parse_unit_abilities, text)
    if made is not None:
        assert parse_unit_abilities([str(ability) for ability in made]) == made


def roster(text: str) -> None:
    read = ours(lambda value: mh.read_roster(value, source=invented.DATASHEETS), text + "\n")
    if read is not None and read.units:
        # What was read can be written and read again.
        assert mh.read_units(read.to_toml() + "\n") == read.units


WEAPON_LINES = (
    '4x Long rifle: 24" A2 BS3+ S4 AP-1 D1 [ASSAULT, HEAVY]',
    "1x Sword: Melee AD6+1 WS3+ S5 AP-2 DD3 [ANTI-INFANTRY 4+, SUSTAINED HITS D3: NON-MONSTER/VEHICLE]",
    '2x Flamer | hot: 12" AD6 S4 AP0 D1 [TORRENT]',
)
MODEL_LINES = ("5x Trooper: T4 Sv3+ InSv5+ W2 FNP6+", "Captain: T4 Sv- W6 [CHARACTER, LEADER]")
ABILITIES = (
    "RAPID FIRE D6+3, ANTI-INFANTRY 4+",
    "[SUSTAINED HITS 2: MONSTER/VEHICLE] [BLAST]",
    'STEALTH, SCOUTS 6"',
)
DICE = ("2D6+3", "D3", "12", "D6−1")
LISTS = (NESTED, invented.as_json(invented.roster(invented.wardens())))


def broken_scenario(rng: random.Random) -> Any:
    return spoiled(rng, random_dict(rng))


def broken_toml(rng: random.Random) -> str:
    import tomli_w

    return scribbled(rng, tomli_w.dumps(mh.Scenario.from_dict(random_dict(rng)).to_dict()))


def broken_units(rng: random.Random) -> str:
    return scribbled(rng, invented.DATASHEETS)


def broken_tree(rng: random.Random) -> str:
    """A roster as JSON whose tree is spoiled, not its syntax."""
    import json

    tree = spoiled(rng, invented.roster(invented.wardens()))
    return json.dumps({"roster": tree}, default=str, skipkeys=True)


def broken_line(*lines: str) -> Callable[[random.Random], str]:
    return lambda rng: scribbled(rng, rng.choice(lines))


FUZZED: dict[str, tuple[Callable[[random.Random], Any], Callable[[Any], None]]] = {
    "scenario": (broken_scenario, scenario),
    "scenario text": (broken_toml, scenario_text),
    "units text": (broken_units, units_text),
    "weapon": (broken_line(*WEAPON_LINES), weapon),
    "model": (broken_line(*MODEL_LINES), model),
    "dice": (broken_line(*DICE), dice),
    "abilities": (broken_line(*ABILITIES), abilities),
    "roster text": (broken_line(*LISTS), roster),
    "roster tree": (broken_tree, roster),
}
"""Name -> how to make broken input, and what reads it."""
