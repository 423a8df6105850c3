"""A text list meets datasheets: names become profiles, or are named as not resolved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mathhammer.datasheets.datasheet import Datasheet, Datasheets, ModelRow, NoSuchUnit
from mathhammer.datasheets.equip import NO_ARMS, Equipped, composition, default_gear, equip, own_name
from mathhammer.datasheets.muster import Arm, Group, muster
from mathhammer.datasheets.names import containing, find, fold, nearest, stem
from mathhammer.errors import InvalidScenario
from mathhammer.rosters.roster import Roster, Unresolved
from mathhammer.rosters.skeleton import Line, ListSkeleton, UnitLines
from mathhammer.units import Unit


@dataclass
class _Notes:
    warnings: list[str] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)


def resolve(skeleton: ListSkeleton, source: Datasheets) -> Roster:
    """The roster of a text list.

    Parameters
    ----------
    skeleton : ListSkeleton
    source : Datasheets

    Returns
    -------
    Roster
        Units whose name is not known, and weapons that no datasheet explains, stand in `unresolved`.
    """
    notes = _Notes()
    faction = faction_of(skeleton, source)
    units: list[Unit] = []
    groups: dict[str, list[tuple[str, int]]] = {}
    for lines in skeleton.units:
        sheet = _sheet(lines, source, faction, notes)
        unit = _unit(lines, sheet, source, notes) if sheet else None
        if unit is None:
            continue
        if lines.attached:
            groups.setdefault(lines.attached, []).append((lines.role, len(units)))
        units.append(unit)
    why = "is no line that a unit can have"
    notes.unresolved += [Unresolved(one.where, one.name, why) for one in skeleton.unread]
    if skeleton.edition == "10th":
        notes.warnings.append("a 10th edition list, read with the datasheets of today")
    stated = skeleton.points
    summed = sum(lines.points or 0 for lines in skeleton.units)
    if stated is not None and stated != summed:
        notes.warnings.append(f"the list states {stated:g} points, its units make {summed:g}")
    attached = tuple(_attached(of, notes, label) for label, of in groups.items() if len(of) > 1)
    factions = {name: name for entry in source.entries for name in entry.factions}
    return Roster(
        name=skeleton.name,
        faction=faction or next(iter(skeleton.factions), ""),
        units=tuple(units),
        points=stated if stated is not None else summed or None,
        form=skeleton.form,
        edition=skeleton.edition,
        warnings=tuple(dict.fromkeys(notes.warnings)),
        unresolved=tuple(sorted(notes.unresolved, key=_line_number)),
        source=source.label,
        attached=attached,
        detachments=tuple(name for name in skeleton.detachments if not find(name, factions, guess=False)),
    )


def _line_number(one: Unresolved) -> int:
    kind, _, number = one.where.partition(" ")
    return int(number) if kind == "line" and number.isdecimal() else 0


def faction_of(skeleton: ListSkeleton, source: Datasheets) -> str:
    """The faction that the heading names, or else the one that most units are of."""
    known = {name: name for entry in source.entries for name in entry.factions}
    for named in reversed(skeleton.factions):
        if found := find(named, known, guess=False):
            return found
    votes: Counter[str] = Counter()
    by_name: dict[str, list[str]] = {}
    for entry in source.entries:
        by_name.setdefault(entry.name, []).extend(entry.factions[:1])
    for lines in skeleton.units:
        votes.update(set(find(lines.name, by_name, guess=False) or ()))
    return votes.most_common(1)[0][0] if votes else ""


def _attached(members: Sequence[tuple[str, int]], notes: _Notes, label: str) -> tuple[int, ...]:
    """Indices of an attached unit, the bodyguard first."""
    guards = [at for role, at in members if role == "bodyguard"]
    if len(guards) != 1:
        notes.warnings.append(
            f"attached unit {label}: {len(guards)} bodyguard units named; the first is taken"
        )
    first = guards[0] if guards else members[0][1]
    return (first, *(at for _, at in members if at != first))


def _sheet(lines: UnitLines, source: Datasheets, faction: str, notes: _Notes) -> Datasheet | None:
    try:
        sheet = _found(lines.name, source, faction)
    except NoSuchUnit:
        near = nearest(lines.name, dict.fromkeys(entry.name for entry in source.entries))
        why = f"is no unit of {source.label}"
        notes.unresolved.append(Unresolved(lines.where, lines.name, why, near))
        return None
    except InvalidScenario as error:
        problem = error.problems[0]
        why = problem.remedy if problem.path == "unit" else f"has a datasheet that cannot be: {error}"
        notes.unresolved.append(Unresolved(lines.where, lines.name, why))
        return None
    if stem(sheet.name) != stem(lines.name):
        notes.warnings.append(f"{lines.where}: {lines.name} read as {sheet.name}")
    return sheet


def _found(name: str, source: Datasheets, faction: str) -> Datasheet:
    """The datasheet of a name; some programs write the faction in front of it."""
    try:
        return source.find(name, faction)
    except NoSuchUnit:
        bare = name[len(faction) :].strip()
        if not faction or not bare or fold(name) != f"{fold(faction)} {fold(bare)}":
            raise
        return source.find(bare, faction)


def _unit(lines: UnitLines, sheet: Datasheet, source: Datasheets, notes: _Notes) -> Unit | None:
    try:
        groups, not_modelled = _groups(lines, sheet, source, notes)
        if not any(group.model for group in groups):
            known = tuple(row.name for row in sheet.rows)
            notes.unresolved.append(
                Unresolved(lines.where, lines.name, "has no model of its datasheet", known[:5])
            )
            return None
        if not any(group.arms for group in groups):
            why = "the list names none of the datasheet" if sheet.arms else NO_ARMS
            not_modelled.append(f"the weapons of {lines.name} ({why})")
        unit = muster(
            sheet.name,
            groups,
            points=lines.points,
            keywords=sheet.keywords,
            abilities=sheet.abilities,
            not_modelled=tuple(dict.fromkeys([*sheet.not_modelled, *not_modelled, *lines.notes])),
        )
        if lines.points is None:
            notes.warnings.append(f"{lines.where}: the list states no points of {lines.name}")
        if lines.count not in (None, unit.model_count):
            stated = f"the list states {lines.count} models of {lines.name}"
            notes.warnings.append(f"{lines.where}: {stated}, {unit.model_count} were read")
        return unit
    except InvalidScenario as error:
        notes.unresolved.append(Unresolved(lines.where, lines.name, f"cannot be: {error}"))
        return None


def _groups(
    lines: UnitLines, sheet: Datasheet, source: Datasheets, notes: _Notes
) -> tuple[list[Group], list[str]]:
    loose, models = _sorted_out(lines.lines, sheet)
    groups: list[Group] = []
    not_modelled: list[str] = []
    met: set[str] = set()
    for line, carried in models:
        row = _row(line.name, sheet)
        if row is None:
            known = tuple(one.name for one in sheet.rows)
            why = f"is no model of {sheet.name}; its {len(carried)} weapons are left out"
            notes.unresolved.append(Unresolved(line.where, line.name, why, known[:5]))
            continue
        met.add(row.name)
        model = row.profile.replaced(name=line.name, count=line.count)
        part = equip(sheet, model, line.count, _counts(carried, line.count, sheet, source, notes))
        _take(groups, not_modelled, part, carried, line.count, notes)
    counts = _counts_of_rows(lines, loose, sheet) if not models else _unmet(sheet, met, loose)
    rows = [(row, count) for row, count in zip(sheet.rows, counts, strict=True) if count]
    if len(rows) == 1:
        only, count = rows[0]
        gear = _counts(loose, count, sheet, source, notes)
        part = equip(sheet, only.profile.replaced(count=count), count, gear)
        _take(groups, not_modelled, part, loose, count, notes)
    else:
        groups += [Group(row.profile.replaced(count=count)) for row, count in rows]
        bearers = sum(count for _, count in rows) or sum(line.count for line, _ in models)
        part = equip(sheet, None, bearers, _counts(loose, bearers, sheet, source, notes))
        _take(groups, not_modelled, part, loose, bearers, notes)
    return _armed(groups, sheet, source, notes, not_modelled), not_modelled


@dataclass(frozen=True)
class _Unknown(Group):
    """Gear that the datasheet does not know, to be looked up elsewhere."""

    lines: tuple[Line, ...] = ()


def _take(
    groups: list[Group],
    not_modelled: list[str],
    part: Equipped,
    carried: Sequence[Line],
    bearers: int,
    notes: _Notes,
) -> None:
    groups += part.groups
    not_modelled += part.not_modelled
    for line in carried:
        if line.name in part.guessed:
            notes.warnings.append(f"{line.where}: {line.name} read as {part.guessed[line.name]}")
    unknown = tuple(line for line in carried if line.name in part.unknown)
    if unknown:
        groups.append(_Unknown(None, (), bearers, unknown))


def _armed(
    groups: Sequence[Group], sheet: Datasheet, source: Datasheets, notes: _Notes, not_modelled: list[str]
) -> list[Group]:
    """The groups, with what the datasheet does not know taken from the weapons of its faction."""
    known: list[Group] = []
    wargear = {name: name for name in source.wargear}
    for group in groups:
        if not isinstance(group, _Unknown):
            known.append(group)
            continue
        for line in group.lines:
            arms, several = _elsewhere(line.name, sheet.faction, source)
            if arms:
                why = f"is not on the datasheet of {sheet.name}; another unit's is taken"
                notes.warnings.append(f"{line.where}: {line.name} {why}")
                for arm in arms:
                    known.append(_join(known, replace(arm, count=line.count), group.bearers))
            elif find(line.name, wargear, guess=False):
                not_modelled.append(line.name)
            else:
                near = nearest(line.name, dict.fromkeys(arm.name for arm in sheet.arms))
                why = f"is no weapon of {sheet.name}{several}"
                notes.unresolved.append(Unresolved(line.where, line.name, why, near))
    return known


def _elsewhere(name: str, faction: str, source: Datasheets) -> tuple[list[Arm], str]:
    """A weapon of this name that other units have: of the faction, or else of any, if all have the same."""
    for whose in (faction, ""):
        arms = find(name, source.armoury(whose), guess=False) or []
        if arms and len(arms) == len({arm.melee for arm in arms}):
            return list(arms), ""
        if arms:
            return [], f"; units of {whose or 'other factions'} have {len(arms)} different ones"
    return [], ""


def _join(known: list[Group], arm: Arm, bearers: int | None) -> Group:
    """The arm with the group before it, so that one melee weapon a model stays true."""
    last = known.pop() if known else Group(None, (), bearers)
    return replace(last, arms=(*last.arms, arm))


def _counts(
    lines: Sequence[Line], bearers: int, sheet: Datasheet, source: Datasheets, notes: _Notes
) -> list[tuple[str, int]]:
    """Names and counts, in the words of the datasheet where its plural may be a pair of what is listed."""
    gear = []
    for line in lines:
        name, count, note = own_name(sheet, source, line.name, line.count, bearers)
        notes.warnings += [f"{line.where}: {note}"] if note else []
        gear.append((name, count))
    return gear


def _sorted_out(lines: Sequence[Line], sheet: Datasheet) -> tuple[list[Line], list[tuple[Line, list[Line]]]]:
    """Gear of the unit, and models with what they carry."""
    loose: list[Line] = []
    models: list[tuple[Line, list[Line]]] = []
    for line in lines:
        if _is_model(line, sheet):
            models.append((line, []))
        elif not line.heads:
            (models[-1][1] if models else loose).append(line)
    return loose, models


def _is_model(line: Line, sheet: Datasheet) -> bool:
    if line.model is not None:
        return line.model
    named = find(line.name, {row.name: True for row in sheet.rows}, guess=False) is not None
    gear = bool(sheet.arms_named(line.name, guess=False)) or bool(
        find(line.name, dict.fromkeys(sheet.wargear, True), guess=False)
    )
    several = sum(row.most for row in sheet.rows) > 1
    return (line.likely and (several or not line.heads)) if named == gear else named


def _row(name: str, sheet: Datasheet) -> ModelRow | None:
    rows = {row.name: row for row in reversed(sheet.rows)}
    found = find(name, rows) or containing(name, rows)
    if found is not None:
        return found
    bare = {row.profile.replaced(name="any") for row in sheet.rows if not row.profile.character}
    return sheet.rows[-1] if len({str(one) for one in bare}) == 1 else None


def _unmet(sheet: Datasheet, met: set[str], loose: Sequence[Line]) -> tuple[int, ...]:
    """Rows that a list does not name because their model is the unit's name: they carry the unit's gear."""
    missing = [row.name not in met and stem(row.name) == stem(sheet.name) for row in sheet.rows]
    return tuple(row.least if loose and unmet else 0 for row, unmet in zip(sheet.rows, missing, strict=True))


def _counts_of_rows(lines: UnitLines, loose: Sequence[Line], sheet: Datasheet) -> tuple[int, ...]:
    """How many models there are if the list names none: as stated, as gear tells, or the smallest unit."""
    told = [lines.count] if lines.count else []
    for row in sheet.rows:
        each = dict(default_gear(row, 1))
        for line in loose:
            name = find(line.name, {name: name for name in each}, guess=False)
            told += [line.count // each[name]] if name else []
    for count in sorted(told, reverse=True):
        try:
            return composition(sheet, count)
        except InvalidScenario:
            continue
    return composition(sheet, None)
