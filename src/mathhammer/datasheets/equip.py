"""Datasheet plus choices: how many models, and what each row of them carries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mathhammer.datasheets.datasheet import Datasheet, Datasheets, ModelRow
from mathhammer.datasheets.defences import Defence
from mathhammer.datasheets.muster import Arm, Group
from mathhammer.datasheets.names import find, fold, stem
from mathhammer.errors import InvalidScenario
from mathhammer.units import Model, Weapon

NO_ARMS = "the datasheet lists none that can be used"
"""Why a unit stands without weapons."""


@dataclass(frozen=True)
class Equipped:
    """What came of the choices: groups of models with weapons, and what was left over.

    Attributes
    ----------
    groups : tuple of Group
    unknown : tuple of str
        Names that the datasheet does not know.
    not_modelled : tuple of str
        Wargear that changes the maths and could not be applied.
    guessed : dict of str to str
        Names that the datasheet spells otherwise, and what they were read as.
    """

    groups: tuple[Group, ...]
    unknown: tuple[str, ...] = ()
    not_modelled: tuple[str, ...] = ()
    guessed: Mapping[str, str] = field(default_factory=dict)


def composition(sheet: Datasheet, count: int | None) -> tuple[int, ...]:
    """How many models of each row a unit of `count` models has; None means the smallest unit.

    Raises
    ------
    InvalidScenario
        If the datasheet knows no unit of that size.
    """
    sizes = sheet.sizes or (tuple((row.least, row.most) for row in sheet.rows),)
    if count is None:
        return tuple(least for least, _ in sizes[0])
    for size in sizes:
        missing = count - sum(least for least, _ in size)
        if missing < 0 or count > sum(most for _, most in size):
            continue
        counts = [least for least, _ in size]
        for at in sorted(range(len(size)), key=lambda i: size[i][0] - size[i][1]):
            more = min(missing, size[at][1] - size[at][0])
            counts[at] += more
            missing -= more
        return tuple(counts)
    bounds = [(sum(least for least, _ in size), sum(most for _, most in size)) for size in sizes]
    legal = " or ".join(dict.fromkeys(f"{a}" if a == b else f"{a} to {b}" for a, b in bounds))
    raise InvalidScenario.at("count", count, f"{sheet.name} has {legal} models")


def default_gear(row: ModelRow, count: int) -> tuple[tuple[str, int], ...]:
    """What so many models of a row carry by default."""
    return tuple((name, each * count) for name, each in Counter(row.gear).items())


def pick(sheet: Datasheet, name: str) -> tuple[Arm, ...]:
    """The weapons that a name means, in all modes, or in one if `NAME | MODE` or `NAME - MODE` says so."""
    if found := sheet.arms_named(name, guess=False):
        return found
    for mark in (" | ", " - ", " – ", ": "):
        title, cut, mode = name.partition(mark)
        for arm in sheet.arms_named(title) if cut else ():
            modes = {named: (named, weapon) for named, weapon in arm.modes if named}
            if one := find(mode, modes):
                return (Arm(f"{arm.name} - {one[0]}", (("", one[1]),)),)
    return sheet.arms_named(name)


def own_name(
    sheet: Datasheet, source: Datasheets, name: str, count: int, bearers: int
) -> tuple[str, int, str]:
    """What the datasheet calls a weapon in the plural that was written in the singular, and how many that are.

    Parameters
    ----------
    sheet : Datasheet
    source : Datasheets
    name : str
        As written.
    count : int
        As written, over all bearers.
    bearers : int

    Returns
    -------
    name, count : str, int
        As they came, unless other units of the faction have a weapon of exactly that name and of other
        numbers. Then the plural of the datasheet may be a pair: two for each bearer are read as one.
    note : str
        What was read as what, empty if nothing was.
    """
    own = sheet.arms_named(name, guess=False)
    if not own or stem(own[0].name) != stem(name) or len(fold(own[0].name)) <= len(fold(name)):
        return name, count, ""
    known = own[0].name
    others = source.armoury(sheet.faction).get(fold(name), ())
    if not others or any(_numbers(arm) == _numbers(own[0]) for arm in others):
        return name, count, ""
    each = max([1, *(row.gear.count(known) for row in sheet.rows)])
    number = count // 2 if count == 2 * each * bearers else count
    return known, number, f"{count} {name} read as {number} {known}: other units have another {name}"


def _numbers(arm: Arm) -> list[Weapon]:
    return [weapon.replaced(name="any") for _, weapon in arm.modes]


def is_wargear(sheet: Datasheet, name: str) -> bool:
    """Whether a name means something that is carried and is no weapon."""
    return not pick(sheet, name) and find(name, dict.fromkeys(sheet.wargear, True)) is not None


def equip(sheet: Datasheet, model: Model | None, bearers: int, gear: Iterable[tuple[str, int]]) -> Equipped:
    """Give gear to a group of models.

    Parameters
    ----------
    sheet : Datasheet
    model : Model or None
        The group, with its count; None to arm a unit whose models stand elsewhere.
    bearers : int
        How many models share the gear.
    gear : iterable of (str, int)
        Names, and counts over the whole group.

    Returns
    -------
    Equipped
        Models whose wargear gives them another defence are a group of their own.
    """
    arms: list[Arm] = []
    unknown: list[str] = []
    not_modelled: list[str] = []
    guessed: dict[str, str] = {}
    models = [model] if model else []
    for name, count in gear:
        if found := pick(sheet, name):
            arms += [replace(arm, count=count) for arm in found]
            _compare(name, found[0].name, guessed)
            continue
        worn = {known: (known, given) for known, given in sheet.wargear.items()}
        match = find(name, worn)
        if match is None:
            unknown.append(name)
            continue
        _compare(name, match[0], guessed)
        if match[1] is not None:
            models, given = _protected(models, match[0], match[1], count)
            not_modelled += [] if given else [match[0]]
        elif match[0] not in sheet.harmless:
            not_modelled.append(match[0])
    groups = [Group(one) for one in models]
    if len(groups) == 1:
        groups[0] = replace(groups[0], arms=tuple(arms))
    elif arms:
        groups.append(Group(None, tuple(arms), bearers))
    return Equipped(tuple(groups), tuple(unknown), tuple(not_modelled), guessed)


def _compare(written: str, known: str, guessed: dict[str, str]) -> None:
    """Note a name that is not the known one in some spelling of it: spaces and endings do not matter."""
    if stem(known).replace(" ", "") not in stem(written).replace(" ", ""):
        guessed[written] = known


def _protected(models: Sequence[Model], name: str, given: Defence, count: int) -> tuple[list[Model], bool]:
    """Some of the models with what they wear; the others stay as they are."""
    for at, model in enumerate(models):
        if model.count < count:
            continue
        with_it = model.replaced(**_better(model, given), count=count)
        if model.count > count:
            with_it = with_it.replaced(name=f"{model.name} with {name}")
            rest = [model.replaced(count=model.count - count)]
        else:
            rest = []
        return [*models[:at], *rest, with_it, *models[at + 1 :]], True
    return list(models), False


def _better(model: Model, given: Defence) -> dict[str, int]:
    """The keys that a defence changes: `+wounds` adds, a save that is no better changes nothing."""
    keys = {}
    for key, value in given.keys.items():
        if key.startswith("+"):
            keys[key[1:]] = getattr(model, key[1:]) + value
        elif "save" not in key or value < (getattr(model, key) or 7):
            keys[key] = value
    return keys
