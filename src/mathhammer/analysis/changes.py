"""Changes of a scenario, named in words: a stratagem, an ability, cover, one more weapon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from mathhammer.abilities import fold, parse_abilities
from mathhammer.analysis.fights import labels
from mathhammer.analysis.modifiers import with_modifiers
from mathhammer.analysis.paths import check_apart, read_values, replaced
from mathhammer.dice import plain
from mathhammer.errors import InvalidScenario, nearest
from mathhammer.plan import Roll, make_plan
from mathhammer.rules import SUCCESS, Faces
from mathhammer.scenario import Scenario
from mathhammer.unit_abilities import UnitAbility
from mathhammer.units import Modifiers, Weapon

__all__ = ["Change", "read_change", "usual_changes"]


@dataclass(frozen=True)
class Change:
    """A named change.

    Parameters
    ----------
    name : str
    modifiers : Modifiers
        For every attack, beside those that there are.
    fields : mapping of str to object
        Path -> value, as in `mathhammer.analysis.paths.replaced`.

    Examples
    --------
    >>> Change("in the open", fields={"conditions.cover": False}).name
    'in the open'
    """

    name: str
    modifiers: Modifiers = field(default_factory=Modifiers)
    fields: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, scenario: Scenario) -> Scenario:
        """The scenario with the change made.

        Raises
        ------
        InvalidScenario
            When it cannot be made here.
        """
        check_apart(scenario, list(self.fields))
        scenario = with_modifiers(scenario, self.modifiers)
        for path, value in self.fields.items():
            scenario = replaced(scenario, path, value)
        return scenario


_EVERYWHERE = {
    "+1 to hit": Modifiers(hit_roll=1),
    "re-roll hit rolls of 1": Modifiers(reroll_hits="ones"),
    "re-roll hit rolls": Modifiers(reroll_hits="failures"),
    "+1 to wound": Modifiers(wound_roll=1),
    "re-roll wound rolls of 1": Modifiers(reroll_wounds="ones"),
    "re-roll wound rolls": Modifiers(reroll_wounds="failures"),
    "+1 Attacks": Modifiers(attacks=1),
    "+1 Strength": Modifiers(strength=1),
    "+1 AP": Modifiers(ap=1),
    "+1 Damage": Modifiers(damage=1),
    "critical hits on 5+": Modifiers(critical_hits_on=5),
    "LETHAL HITS": Modifiers(abilities=["LETHAL HITS"]),
    "SUSTAINED HITS 1": Modifiers(abilities=["SUSTAINED HITS 1"]),
    "DEVASTATING WOUNDS": Modifiers(abilities=["DEVASTATING WOUNDS"]),
    "IGNORES COVER": Modifiers(abilities=["IGNORES COVER"]),
}
_DEFENCES = {
    "-1 to hit": Modifiers(hit_roll=-1),
    "-1 to wound": Modifiers(wound_roll=-1),
    "AP worse by 1": Modifiers(ap=-1),
    "-1 Damage": Modifiers(damage=-1),
    "re-roll save rolls of 1": Modifiers(reroll_saves="ones"),
}


_CIRCUMSTANCES = {
    "within half range": "half_range",
    "braced (HEAVY)": "braced",
    "charged (LANCE)": "charged",
    "cover for the target": "cover",
}


def usual_changes(scenario: Scenario) -> list[Change]:
    """What a player could buy or play in this scenario; what it already has or cannot use is not listed.

    A change that leaves all numbers of the plan as they are is not listed; one that cannot be made here is.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> [change.name for change in usual_changes(fight)][-2:]
    ['FEEL NO PAIN 5+ of the target', 'one more Shield']
    """
    before = _numbers(scenario)
    return [change for change in _known(scenario) if _after(change, scenario) != before]


def _known(scenario: Scenario) -> list[Change]:
    """The usual changes, also those that would change nothing."""
    return [
        *(Change(name, modifiers) for name, modifiers in _EVERYWHERE.items()),
        *(Change(name, fields={f"conditions.{key}": True}) for name, key in _CIRCUMSTANCES.items()),
        *_more_weapons(scenario),
        *(Change(name, modifiers) for name, modifiers in _DEFENCES.items()),
        *_of_the_target(scenario),
    ]


def _after(change: Change, scenario: Scenario) -> object:
    try:
        return _numbers(change.apply(scenario))
    except InvalidScenario:
        return None


def _numbers(scenario: Scenario) -> object:
    """What the plan says of target and dice; of a weapon whose mode is still to be chosen, with each of them."""
    from mathhammer.choosing.variants import modes, modes_of, playable

    ways = [scenario]
    for index, name in modes_of(scenario):
        if "best" in scenario.choices_of(scenario.attackers[index]).modes.values():
            ways += [variant for _, variant in modes(scenario, index, name)]
    plans = [make_plan(playable(way)) for way in ways]
    target = plans[0].target
    batches = [batch for plan in plans for batch in plan.batches]
    return [
        (target.groups, target.wounds, target.pain.tolist()),
        *((batch.dice, list(map(_that_count, batch.rolls))) for batch in batches),
    ]


def _that_count(roll: Roll) -> Roll:
    """A critical hit of which nothing follows is a hit."""
    if roll.lethal or len(roll.sustained) > 1:
        return roll
    return replace(roll, hit=cast("Faces", tuple(min(face, SUCCESS) for face in roll.hit)))


def _attacking(scenario: Scenario) -> Iterator[tuple[int, int, Weapon]]:
    """Attacker, index and weapon of every weapon of the phase."""
    for number, unit in enumerate(scenario.attackers):
        chosen = scenario.weapons_of(unit)
        for index, weapon in enumerate(unit.weapons):
            if weapon in chosen:
                yield number, index, weapon


def _more_weapons(scenario: Scenario) -> Iterator[Change]:
    """One more of each weapon; the modes of a weapon are one weapon."""
    owners = labels(scenario.attackers)
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for number, index, weapon in _attacking(scenario):
        if weapon.count:
            name = weapon.mode[0] if weapon.mode else weapon.name
            path = f"{scenario.path_of(number)}.weapons[{index}].count"
            rows.setdefault((number, name), {})[path] = weapon.count + 1
    for (number, name), fields in rows.items():
        owner = f" of {owners[number]}" if len(owners) > 1 else ""
        yield Change(f"one more {name}{owner}", fields=fields)


def _of_the_target(scenario: Scenario) -> Iterator[Change]:
    target = scenario.target
    saves = {
        f"target.models[{index}].invulnerable_save": 4
        for index, model in enumerate(target.models)
        if (model.invulnerable_save or 7) > 4
    }
    yield Change("InSv 4+ of the target", fields=saves)
    pain = [*target.abilities, UnitAbility("FEEL NO PAIN", "5+")]
    yield Change("FEEL NO PAIN 5+ of the target", fields={"target.abilities": pain})
    for index, (model, points) in enumerate(zip(target.models, target.points_each, strict=True)):
        if not model.character:
            fields: dict[str, Any] = {f"target.models[{index}].count": model.count + 1}
            if target.points is not None and points is not None:
                # Rows without points of their own share those of the unit: their share stays as it was.
                shared = any(row.points is None for row in target.models)
                more = target.points / target.model_count if shared else points
                fields["target.points"] = target.points + more
            yield Change(f"one more {model.name}", fields=fields)
            return


def read_change(given: Any, scenario: Scenario) -> Change:
    """A change from what a user writes.

    Parameters
    ----------
    given : str, Modifiers, mapping, (str, Modifiers or mapping), or Change
        A text is the name of a usual change (``"+1 to hit"``), ``"PATH=VALUE"``, or a weapon ability
        (``"ANTI-INFANTRY 4+"``); a mapping is path -> value; a pair names either.
    scenario : Scenario

    Raises
    ------
    InvalidScenario
        For something else; says the nearest name.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> fight = Scenario(
    ...     attacker=Unit(name="Gunners", weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"]),
    ...     target=Unit(name="Wall", models=["3x Shield: T4 Sv2+ W3"]))
    >>> read_change("+1 To Hit", fight).modifiers.hit_roll
    1
    >>> dict(read_change("attacker.weapons[0].AP=-2", fight).fields)
    {'attacker.weapons[0].AP': -2}
    """
    if isinstance(given, Change):
        return given
    if isinstance(given, str):
        return _read_text(given, scenario)
    if isinstance(given, Modifiers):
        return Change(
            ", ".join(f"{key} {value}" for key, value in given.to_dict().items()) or "no change", given
        )
    if isinstance(given, Mapping):
        name = ", ".join(f"{path} = {getattr(value, 'name', value)}" for path, value in given.items())
        return Change(name or "no change", fields=dict(given))
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        inner = read_change(given[1], scenario)
        return Change(given[0], inner.modifiers, inner.fields)
    remedy = (
        'write a name such as "+1 to hit", Modifiers, a mapping of path to value, or (name, one of these)'
    )
    raise InvalidScenario.at("", given, remedy)


def _read_text(text: str, scenario: Scenario) -> Change:
    path, equals, values = text.partition("=")
    if equals:
        path = path.strip()
        read = read_values(values, path)
        if len(read) != 1:
            raise InvalidScenario.at("", text, "a change has one value; write another change for the next")
        return Change(text.strip(), fields={path: read[0]})
    known = {_folded(change.name): change for change in _known(scenario)}
    if _folded(text) in known:
        return known[_folded(text)]
    try:
        abilities = parse_abilities(text)
    except InvalidScenario:
        abilities = ()
    if not abilities:
        names = [change.name for change in known.values()]
        hint = nearest(text, names) or f"; known are {', '.join(names)}"
        raise InvalidScenario.at("", text, f"is no change, weapon ability or PATH=VALUE{hint}")
    return Change(text.strip(), Modifiers(abilities=abilities))


def _folded(name: str) -> str:
    """For comparison; the sign at the front counts, unlike in a keyword."""
    text = plain(name)
    return (text[0] if text.startswith(("+", "-")) else "") + fold(text)
