"""Self-contained rosters: the one tree of BattleScribe, New Recruit and ListForge, stat lines inside.

Counts in it are totals of the unit; profiles may stand on a model, on the unit, or on what wraps them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from mathhammer.datasheets.names import fold
from mathhammer.errors import MISSING, RosterError
from mathhammer.rosters.envelope import Node
from mathhammer.rosters.roster import Roster, Unresolved
from mathhammer.rosters.selection import WEAPONS, UnreadableUnit, number_of, read_selection
from mathhammer.rosters.skeleton import Line, ListSkeleton, UnitLines
from mathhammer.units import Unit

_EDITIONS = {
    "sys-352e-adc2-7639-d610": "11th",
    "sys-352e-adc2-7639-d6a9": "10th",
    "28ec-711c-d87f-3aeb": "9th",
}
_NINTH = ("Weapon", "Model")


@dataclass
class _Found:
    units: list[Unit] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    bare: list[UnitLines] = field(default_factory=list)


def read_tree(root: Node) -> tuple[Roster, ListSkeleton | None]:
    """The units of a roster tree.

    Parameters
    ----------
    root : Node
        The `roster` element.

    Returns
    -------
    roster : Roster
    skeleton : ListSkeleton or None
        The units that stand in the tree without stat lines and need datasheets.

    Raises
    ------
    RosterError
        If the roster is of an edition that cannot be read, or holds no unit.
    """
    edition = _edition(root)
    found = _Found()
    if edition == "10th":
        found.warnings.append("a 10th edition list: its stat lines are those of that edition")
    forces = list(_forces(root))
    for selection in (selection for force in forces for selection in force.all("selections")):
        _read(selection, found)
    if not found.units and not found.bare and not found.unresolved:
        raise RosterError.at("army list", MISSING, "holds no unit: export it again with all selections")
    stated = root.points if any(cost.get("name") == "pts" for cost in root.all("costs")) else None
    summed = sum(_points_of(selection) for force in forces for selection in force.all("selections"))
    if stated is not None and abs(stated - summed) > 1e-6:
        found.warnings.append(f"the list states {stated:g} points, its selections make {summed:g}")
    found.warnings += _same_names(found.units)
    detachments = tuple(
        chosen.get("name")
        for force in forces
        for selection in force.all("selections")
        if selection.get("name") in ("Detachment", "Detachment Choice")
        for chosen in selection.all("selections")
    )
    catalogues = [force.get("catalogueName").rpartition(" - ")[2] for force in forces]
    faction = next(filter(None, catalogues), "")
    roster = Roster(
        name=root.get("name"),
        faction=faction,
        units=tuple(found.units),
        points=stated if stated is not None else summed or None,
        form="self-contained roster",
        edition=edition,
        warnings=tuple(dict.fromkeys(found.warnings)),
        detachments=detachments,
        unresolved=tuple(found.unresolved),
    )
    if not found.bare:
        return roster, None
    bare = ListSkeleton(
        name=root.get("name"),
        factions=(faction or _faction_keyword(forces),),
        points=stated if not found.units else None,
        units=tuple(found.bare),
        form="roster without stat lines",
        edition=edition,
    )
    return roster, bare


def _points_of(selection: Node) -> float:
    """The points of a selection and all below it."""
    return sum(node.points for node in selection.walk())


def _edition(root: Node) -> str:
    edition = _EDITIONS.get(root.get("gameSystemId"), "")
    named = root.get("gameSystemName")
    edition = edition or next((e for e in _EDITIONS.values() if e in named), "")
    kinds = {profile.get("typeName") for node in _below(root) for profile in node.all("profiles")}
    old = edition == "9th" or (not kinds & {"Unit", *WEAPONS} and kinds.issuperset(_NINTH))
    if old or (not edition and named and "40" not in named):
        raise RosterError.at(
            "army list",
            named or "an old edition",
            "only lists of the 11th and 10th edition can be read: export it anew",
        )
    return edition


def _forces(node: Node) -> Iterator[Node]:
    for force in node.all("forces"):
        yield force
        yield from _forces(force)


def _below(node: Node) -> Iterator[Node]:
    yield node
    for children in node.children.values():
        for child in children:
            yield from _below(child)


def _categories(node: Node) -> set[str]:
    return {category.get("name") for category in node.all("categories")}


def _faction_keyword(forces: list[Node]) -> str:
    words = Counter(
        word.removeprefix("Faction: ")
        for force in forces
        for selection in force.all("selections")
        for word in _categories(selection)
        if word.startswith("Faction: ")
    )
    return words.most_common(1)[0][0] if words else ""


def _read(selection: Node, found: _Found) -> None:
    kinds = {profile.get("typeName") for node in _below(selection) for profile in node.all("profiles")}
    configured = "Configuration" in _categories(selection)
    if not configured and kinds & {"Unit", *WEAPONS}:
        try:
            unit, warnings, unresolved = read_selection(selection, _points_of(selection))
            found.units.append(unit)
            found.warnings += warnings
            found.unresolved += unresolved
        except UnreadableUnit as error:
            found.unresolved.append(Unresolved(error.where, selection.get("name"), error.why))
    elif not configured and selection.get("type") in ("unit", "model"):
        try:
            found.bare.append(_bare(selection))
        except UnreadableUnit as error:
            found.unresolved.append(Unresolved(error.where, selection.get("name"), error.why))


def _bare(selection: Node) -> UnitLines:
    """A unit without stat lines, as the lines that a text list would have."""
    name = selection.get("name")
    lines: list[Line] = []
    notes = []
    for node in selection.walk():
        if node is selection:
            continue
        where = f"selection {name} > {node.get('name')}"
        if node.get("type") == "model":
            lines.append(Line(node.get("name"), number_of(node, name), where, model=True))
        elif node.points:
            notes.append(f"Enhancement: {node.get('name')}")
        elif not node.all("selections") and fold(node.get("name")) != "warlord":
            lines.append(Line(node.get("name"), number_of(node, name), where, model=False))
    return UnitLines(
        name=name,
        where=f"selection {name}",
        points=_points_of(selection) or None,
        lines=tuple(lines),
        count=number_of(selection, name) if selection.get("type") == "model" else None,
        notes=tuple(notes),
    )


def _same_names(units: list[Unit]) -> list[str]:
    counts = Counter(unit.name for unit in units)
    return [
        f"{count} units are named {name}: tables number them" for name, count in counts.items() if count > 1
    ]
