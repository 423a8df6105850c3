"""`mh.attach`: leaders and support units join a bodyguard unit (19.02)."""

from __future__ import annotations

from collections.abc import Sequence

from mathhammer.abilities import fold
from mathhammer.errors import InvalidScenario
from mathhammer.unit_files import a_unit
from mathhammer.units import MODE, Model, Modifiers, Unit, Weapon


def attach(bodyguard: Unit, *leaders: Unit) -> Unit:
    """The attached unit of a bodyguard unit and its leaders.

    Parameters
    ----------
    bodyguard : Unit
    *leaders : Unit
        Leader and support units, in the order in which they shall be listed.

    Returns
    -------
    Unit
        The bodyguard models first, the others marked as `leader`. Every model keeps the keywords and the
        points of its own unit. An ability of one part only, such as STEALTH, does not hold for the whole:
        it is named in `not_modelled`; FEEL NO PAIN stays with the models of its part. ``modifiers_against`` of
        one part hold against the whole for as long as it stands.

    Raises
    ------
    InvalidScenario
        If a part is no unit or has no models, or parts have modifiers that cannot be combined.

    Notes
    -----
    Rule 19.02: attacks use the Toughness of the bodyguard models while one lives.

    Examples
    --------
    >>> guards = Unit(name="Guards", models=["5x Guard: T4 Sv3+ W2"])
    >>> boss = Unit(name="Boss", models=["1x Boss: T5 Sv2+ W5 [CHARACTER]"])
    >>> print(attach(guards, boss))
    Guards with Boss
      5x Guard: T4 Sv3+ W2
      1x Boss: T5 Sv2+ W5 [CHARACTER, LEADER]
    """
    parts = (
        a_unit(bodyguard, "bodyguard"),
        *(a_unit(leader, f"leaders[{index}]") for index, leader in enumerate(leaders)),
    )
    if not leaders:
        raise InvalidScenario.at("leaders", leaders, "name at least one leader or support unit")
    for part in parts:
        if not part.models:
            raise InvalidScenario.at("models", part.name, "a unit that is attached needs its models")
    shared = [word for word in bodyguard.keywords if all(fold(word) in _words(leader) for leader in leaders)]
    models: list[Model] = []
    weapons: list[Weapon] = []
    not_modelled: list[str] = []
    modifiers, into_weapons = _modifiers(parts)
    for part in parts:
        _add_models(models, part, leader=part is not bodyguard)
        own = part.modifiers if into_weapons else Modifiers()
        _add_weapons(weapons, part, own)
        not_modelled += part.not_modelled
    abilities, partial = _abilities(parts)
    points = [part.points for part in parts if part.points is not None]
    return Unit(
        name=f"{bodyguard.name} with {' and '.join(leader.name for leader in leaders)}",
        points=sum(points) if len(points) == len(parts) else None,
        keywords=shared,
        models=models,
        weapons=weapons,
        abilities=abilities,
        modifiers=modifiers,
        modifiers_against=_against(parts),
        not_modelled=list(dict.fromkeys([*not_modelled, *partial])),
    )


def _words(unit: Unit) -> set[str]:
    return set(map(fold, unit.keywords))


def _add_models(models: list[Model], part: Unit, *, leader: bool) -> None:
    pain = next((int(a.number[0]) for a in part.abilities if a.name == "FEEL NO PAIN"), None)
    for model, points in zip(part.models, part.points_each, strict=True):
        changes: dict[str, object] = {"keywords": list(dict.fromkeys([*part.keywords, *model.keywords]))}
        if leader:
            changes["leader"] = True
        if points is not None:
            changes["points"] = points
        if pain is not None and (model.feel_no_pain is None or pain < model.feel_no_pain):
            changes["feel_no_pain"] = pain
        taken = {fold(other.name) for other in models}
        changes["name"] = _free(model.name, part.name, taken)
        models.append(model.replaced(**changes))


def _free(name: str, of: str, taken: set[str]) -> str:
    free, number = name, 2
    while fold(free) in taken:
        free = f"{name} ({of})" if number == 2 else f"{name} ({of} {number - 1})"
        number += 1
    return free


def _add_weapons(weapons: list[Weapon], part: Unit, own: Modifiers) -> None:
    """A weapon with the name of another one is told apart, so that modes stay with their weapon."""
    taken = {fold(weapon.name.partition(MODE)[0]) for weapon in weapons}
    for weapon in part.weapons:
        title, bar, mode = weapon.name.partition(MODE)
        changes: dict[str, object] = {"name": _free(title, part.name, taken) + bar + mode}
        if own != Modifiers():
            if weapon.modifiers != Modifiers():
                remedy = (
                    f"{part.name} has modifiers of the unit and of a weapon: write them all on its weapons"
                )
                raise InvalidScenario.at("modifiers", weapon.name, remedy)
            changes["modifiers"] = own
        weapons.append(weapon.replaced(**changes))


def _modifiers(parts: Sequence[Unit]) -> tuple[Modifiers, bool]:
    """Modifiers of the whole if all parts have the same; otherwise each part's weapons get its own."""
    same = all(part.modifiers == parts[0].modifiers for part in parts)
    return (parts[0].modifiers, False) if same else (Modifiers(), True)


def _against(parts: Sequence[Unit]) -> Modifiers:
    given = [part.modifiers_against for part in parts if part.modifiers_against != Modifiers()]
    if len(given) > 1 and any(one != given[0] for one in given):
        remedy = "its parts have different ones: write them on the attached unit"
        raise InvalidScenario.at("modifiers_against", parts[0].name, remedy)
    return given[0] if given else Modifiers()


def _abilities(parts: Sequence[Unit]) -> tuple[list[str], list[str]]:
    """Abilities of the whole, and those that only a part has."""
    whole, partial = [], []
    for part in parts:
        for ability in part.abilities:
            everybody = all(any(other.name == ability.name for other in one.abilities) for one in parts)
            if ability.name == "FEEL NO PAIN":
                continue
            if ability.name == "STEALTH" and not everybody:
                partial.append(f"STEALTH of {part.name} alone")
            elif str(ability) not in whole:
                whole.append(str(ability))
    return whole, partial
