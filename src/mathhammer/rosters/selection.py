"""One unit of a self-contained roster: its models, their stat lines, what they carry, what defends them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile

from mathhammer.datasheets.defences import Defence, changes_maths, defence
from mathhammer.datasheets.muster import Arm, Group, muster
from mathhammer.datasheets.names import find, fold, stem
from mathhammer.datasheets.statline import keyword_list, model, weapon
from mathhammer.errors import InvalidScenario
from mathhammer.rosters.envelope import Node
from mathhammer.rosters.roster import Unresolved
from mathhammer.unit_abilities import UnitAbility, parse_unit_abilities
from mathhammer.units import Model, Unit

WEAPONS = {"Ranged Weapons": False, "Melee Weapons": True}
"""Kinds of profile that are weapons, and whether they are melee weapons."""
_COUNTED = re.compile(r"(\d{1,2}) ?x? +(\D.*)")
_BARE_SAVE = re.compile(r"([2-6])\+\.?")


class UnreadableUnit(Exception):
    """A unit that cannot be read: where, and why."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(why)
        self.where, self.why = where, why


@dataclass
class _Row:
    """A row of models: its node (None for the weapons of the unit itself), profile, weapons, defences.

    `unsaid` is a save whose condition the stat line does not say.
    """

    node: Node | None
    model: Model | None
    unsaid: tuple[str, ...] = ()
    arms: list[Arm] = field(default_factory=list)
    keys: dict[str, int] = field(default_factory=dict)


@dataclass
class _Reading:
    unit: Node
    rows: list[_Row] = field(default_factory=list)
    abilities: list[UnitAbility] = field(default_factory=list)
    not_modelled: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.unit.get("name")

    @cached_property
    def profiled(self) -> dict[str, Node]:
        """The profiles of all weapons of the unit, by the stem of their names."""
        profiles = (p for node in self.unit.walk() for kind in WEAPONS for p in _profiles(node, kind))
        return {stem(_clean(profile.get("name"))): profile for profile in profiles}

    def where(self, node: Node) -> str:
        path = [self.name, node.get("name")]
        return "selection " + " > ".join(dict.fromkeys(path))


def read_selection(unit: Node, points: float) -> tuple[Unit, list[str], list[Unresolved]]:
    """The unit of a selection.

    Parameters
    ----------
    unit : Node
        The selection, with stat lines below it.
    points : float
        Of the selection and all below it.

    Returns
    -------
    unit : Unit
    warnings : list of str
    unresolved : list of Unresolved
        Weapons that could not be read; they are not in the unit.

    Raises
    ------
    UnreadableUnit
        If a count or a stat line is missing or impossible.
    """
    reading = _Reading(unit)
    if unit.get("type") == "unit" and number_of(unit, reading.name) != 1:
        raise UnreadableUnit(
            reading.where(unit), f"stands there {unit.get('number')} times: list each unit by itself"
        )
    nodes = [node for node in unit.walk() if node.get("type") == "model"] or [unit]
    lines = _stat_lines([unit, *_own(unit)])
    for node in nodes:
        reading.rows.append(_Row(node, *_model_of(node, unit, lines, reading)))
    if not any(map(_words, (unit, *nodes))):
        reading.warnings.append(f"{reading.name}: the list states no keywords of it")
    _characters(reading)
    for row in reading.rows:
        assert row.node is not None
        carried = [row.node, *_own(row.node)]
        row.arms = _arms(carried, reading)
        for node in carried:
            _abilities(node, row, reading)
    if unit not in nodes:
        loose = list(_own(unit))
        reading.rows.append(_Row(None, None, arms=_arms(loose, reading)))
        for node in (unit, *loose):
            _abilities(node, None, reading)
    return _mustered(reading, points), reading.warnings, reading.unresolved


def number_of(node: Node, unit: str) -> int:
    """How many there are, as the list states it.

    Raises
    ------
    UnreadableUnit
        If the list states none, or less than one.
    """
    number = node.get("number")
    if not re.fullmatch(r"\d{1,4}(\.0)?", number) or float(number) < 1:
        raise UnreadableUnit(
            f"selection {unit} > {node.get('name')}",
            f"has the number {number or 'nothing'}: a count is 1 or more",
        )
    return int(float(number))


def _own(node: Node) -> Iterator[Node]:
    """What is below a selection, nested models and what is theirs aside."""
    for child in node.all("selections"):
        if child.get("type") != "model":
            yield child
            yield from _own(child)


def _profiles(node: Node, kind: str) -> Iterator[Node]:
    return (profile for profile in node.all("profiles") if profile.get("typeName") == kind)


def _cells(profile: Node) -> dict[str, str]:
    return {cell.get("name"): cell.text for cell in profile.all("characteristics")}


def _stat_lines(nodes: Iterable[Node]) -> dict[str, Node]:
    return {profile.get("name"): profile for node in nodes for profile in _profiles(node, "Unit")}


def _model_of(
    node: Node, unit: Node, shared: dict[str, Node], reading: _Reading
) -> tuple[Model, tuple[str, ...]]:
    lines = _stat_lines([node, *_own(node)]) or shared
    name = node.get("name")
    if not lines:
        raise UnreadableUnit(reading.where(node), "has no stat line: export the list with its profiles")
    line = next(iter(lines.values())) if len(lines) == 1 else find(name, lines, guess=False)
    if line is None:
        raise UnreadableUnit(reading.where(node), f"is named like none of the stat lines {', '.join(lines)}")
    try:
        read, unsaid = model(name, _cells(line), count=number_of(node, reading.name))
    except InvalidScenario as error:
        raise UnreadableUnit(reading.where(node), f"has a stat line that cannot be: {error}") from error
    own = _words(node) if node is not unit else []
    keywords = list(dict.fromkeys([*_words(unit), *own])) if own else []
    return read.replaced(keywords=keywords) if keywords else read, unsaid


def _words(node: Node) -> list[str]:
    words = (category.get("name").removeprefix("Faction: ") for category in node.all("categories"))
    return list(dict.fromkeys(word for word in words if word and word != "Warlord"))


def _characters(reading: _Reading) -> None:
    """CHARACTER stands on one of the models, or else on the unit for all of them."""
    rows = [row for row in reading.rows if row.node is not None]
    marked = [
        row
        for row in rows
        if row.node is not reading.unit and "Character" in _words(row.node or reading.unit)
    ]
    if not marked and "Character" in _words(reading.unit):
        marked = rows
    for row in marked:
        row.keys["character"] = True


def _arms(nodes: Sequence[Node], reading: _Reading) -> list[Arm]:
    arms = []
    for node in nodes:
        profiles = [profile for kind in WEAPONS for profile in _profiles(node, kind)]
        unprofiled = not node.all("profiles") and not node.all("selections") and node.get("type") == "upgrade"
        if unprofiled and not profiles:
            profiles = _borrowed(node, reading)
        for kind, melee in WEAPONS.items():
            of_kind = [profile for profile in profiles if profile.get("typeName") == kind]
            if of_kind:
                arms += _arm(node, of_kind, melee, reading)
    return arms


def _borrowed(node: Node, reading: _Reading) -> list[Node]:
    """The profile of a weapon that has none here, from a weapon of that name elsewhere in the unit."""
    name = node.get("name")
    everywhere = reading.profiled
    same = everywhere.get(stem(name))
    if same:
        reading.warnings.append(
            f"{reading.name}: {name} has no profile; taken from the same name in the unit"
        )
    elif any("Weapon" in category.get("name") for category in node.all("categories")):
        known = tuple(_clean(profile.get("name")) for profile in everywhere.values())
        reading.unresolved.append(
            Unresolved(reading.where(node), name, "is a weapon without a profile", known[:5])
        )
    elif not node.points and fold(name) != "warlord":
        reading.not_modelled.append(f"{name} (the list has no profile of it)")
    return [same] if same else []


def _clean(name: str) -> str:
    return " ".join(name.replace("➤", " ").split())


def _arm(node: Node, profiles: Sequence[Node], melee: bool, reading: _Reading) -> list[Arm]:
    names = [_clean(profile.get("name")) for profile in profiles]
    title, modes = _titles(_clean(node.get("name")), names)
    count = number_of(node, reading.name) if node is not reading.unit or node.get("number") else 1
    counted = _COUNTED.fullmatch(node.get("name"))
    if counted and count == 1 and stem(counted[2]) == stem(title):
        count = int(counted[1])
        reading.warnings.append(f"{reading.name}: {node.get('name')} counted as {count} weapons")
    elif len(names) == 1 and stem(title) != stem(node.get("name")) and node.get("type") == "upgrade":
        reading.warnings.append(f"{reading.name}: {node.get('name')} has the profile of {title}")
    read = []
    for mode, profile in zip(modes, profiles, strict=True):
        cells = _cells(profile)
        keywords = keyword_list(cells.pop("Keywords", ""))
        try:
            one, notes = weapon(title, cells, keywords, melee=melee)
        except InvalidScenario as error:
            text = " ".join(f"{key} {value}" for key, value in cells.items())
            why = f"cannot be used ({error}); its profile is {text}"
            reading.unresolved.append(Unresolved(reading.where(node), _clean(profile.get("name")), why))
            reading.not_modelled.append(f"{_clean(profile.get('name'))} ({error})")
            continue
        read.append((mode, one))
        reading.warnings += [f"{reading.name}: {note}" for note in notes]
    return [Arm(title, tuple(read), count)] if read else []


def _titles(selection: str, names: Sequence[str]) -> tuple[str, list[str]]:
    """The name of a weapon and those of its modes, from the names of its profiles."""
    if len(names) == 1:
        return names[0], [""]
    common = "".join(c for c, *_ in takewhile(_same, zip(*map(str.lower, names), strict=False)))
    cut = max(common.rfind(mark) for mark in (" - ", " – ", ": "))
    if cut <= 0:
        return selection, list(names)
    return names[0][:cut], [name[cut:].strip(" -–:") or name for name in names]


def _same(letters: Sequence[str]) -> bool:
    return len(set(letters)) == 1


def _abilities(node: Node, row: _Row | None, reading: _Reading) -> None:
    armed = any(True for kind in WEAPONS for _ in _profiles(node, kind))
    carried = node.get("type") == "upgrade"
    # What is paid for and is no weapon is an enhancement.
    label = "Enhancement: " if carried and node.points and not armed else ""
    for rule in () if armed else node.all("rules"):
        _rule(rule, node, row, carried, reading)
    used = False
    for profile in node.all("profiles"):
        kind = profile.get("typeName")
        if kind not in ("Unit", *WEAPONS, "Transport"):
            name, text = _clean(profile.get("name")), " ".join(_cells(profile).values())
            disclosed, applied = _ability(name, text, node, row, reading)
            used |= applied
            if disclosed or kind != "Abilities":
                reading.not_modelled.append(label + name)
    if label and not used:
        reading.not_modelled.append(label + node.get("name"))


def _rule(rule: Node, node: Node, row: _Row | None, carried: bool, reading: _Reading) -> None:
    name = rule.get("name")
    try:
        known = parse_unit_abilities(name)
    except InvalidScenario:
        known = ()
        if fold(name) == "feel no pain":
            reading.not_modelled.append("Feel No Pain (the list does not say on what roll)")
        elif not (carried and node.all("profiles")) and (
            not rule.get("description") or changes_maths(f"{name}: {rule.get('description')}")
        ):
            reading.not_modelled.append(name)
    for ability in known:
        if ability.name == "FEEL NO PAIN":
            whose = "bearer" if carried else "model" if row and len(reading.rows) > 1 else "unit"
            given = Defence({"feel_no_pain": int(ability.number[0])}, whose)
            if not _defend(given, node, row, reading):
                reading.not_modelled.append(str(ability))
        elif not carried or ability.name == "STEALTH":
            reading.abilities.append(ability)


def _ability(name: str, text: str, node: Node, row: _Row | None, reading: _Reading) -> tuple[bool, bool]:
    """Apply the defence that a text gives; whether to disclose it, and whether it gave one."""
    if name in ("Leader", "Support", "Transport"):
        return False, False
    bare = _BARE_SAVE.fullmatch(text.strip())
    if bare and name.lower().startswith("invulnerable save"):
        whose = name.partition(":")[2].strip() or ("model" if row else "unit")
        given, more = Defence({"invulnerable_save": int(bare[1])}, whose), False
    else:
        given, more = defence(text)
    applied = bool(given.keys) and _defend(given, node, row, reading)
    return more or bool(given.keys) != applied or not text.strip(), applied


def _defend(given: Defence, node: Node, row: _Row | None, reading: _Reading) -> bool:
    """Give a defence to the models that have it; False if the list does not say which."""
    rows = [one for one in reading.rows if one.model is not None]
    if given.whose == "unit":
        chosen = rows
    elif given.whose == "model":
        chosen = [row] if row else rows if len(rows) == 1 else []
    elif given.whose == "bearer":
        one = row or (rows[0] if len(rows) == 1 else None)
        every = one is not None and one.model is not None and number_of(node, reading.name) == one.model.count
        chosen = [one] if one is not None and every else []
    else:
        named = {one.model.name: one for one in rows if one.model is not None}
        found = find(given.whose, named, guess=False)
        chosen = [found] if found else rows if stem(given.whose) == stem(reading.name) else []
    for one in chosen:
        for key, value in given.keys.items():
            one.keys[key] = min(value, one.keys.get(key, value))
    return bool(chosen)


def _mustered(reading: _Reading, points: float) -> Unit:
    groups = []
    for row in reading.rows:
        if row.model is None:
            groups.append(Group(None, tuple(row.arms)))
            continue
        if not any(key.startswith("invulnerable_save") for key in row.keys):
            reading.not_modelled += [f"{row.model.name}: {text}" for text in row.unsaid]
        better = {
            key: value
            for key, value in row.keys.items()
            if key == "character" or (getattr(row.model, key) or value) >= value
        }
        groups.append(Group(row.model.replaced(**better) if better else row.model, tuple(row.arms)))
    try:
        return muster(
            reading.name,
            groups,
            points=points or None,
            keywords=_words(reading.unit),
            abilities=list(dict.fromkeys(reading.abilities)),
            not_modelled=list(dict.fromkeys(reading.not_modelled)),
        )
    except InvalidScenario as error:
        raise UnreadableUnit(reading.where(reading.unit), f"cannot be: {error}") from error
