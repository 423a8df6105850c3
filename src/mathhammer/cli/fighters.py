"""Who attacks whom on the command line: units and scenarios from files, targets by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mathhammer import targets as standard
from mathhammer.abilities import fold
from mathhammer.analysis import one_weapon
from mathhammer.cli.scenario_file import read_scenario
from mathhammer.errors import MISSING, InvalidScenario
from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
from mathhammer.unit_files import read_toml, read_units
from mathhammer.units import Modifiers, Unit

__all__ = ["Fighters", "read_fighters"]


@dataclass(frozen=True)
class Fighters:
    """Attackers, each with modifiers for all its attacks; targets; and what was left out on the way, in words."""

    attackers: tuple[tuple[Unit, Modifiers], ...]
    targets: tuple[Unit, ...]
    notes: tuple[str, ...]


def read_fighters(files: Sequence[str], against: str | None, phase: str | None, by_weapon: bool) -> Fighters:
    """Read the attackers of the files, and the targets meant by ``--against``.

    Parameters
    ----------
    files : sequence of str
        Scenario files, whose attackers keep their conditions, modifiers and choices; or files of units.
    against : str or None
        As `mathhammer.targets.resolve`; None takes the targets of the scenario files.
    phase : str or None
        Replaces that of the files.
    by_weapon : bool
        Each weapon of each unit on its own.

    Raises
    ------
    InvalidScenario
        When a file cannot be read, or there is no target.
    """
    units: list[Unit] = []
    scenarios: list[tuple[str, Scenario]] = []
    for file in files:
        if {"attacker", "target"} & read_toml(file).keys():
            scenarios.append((file, read_scenario(file, phase)))
        else:
            units += read_units(file)
    targets = _targets(scenarios, against)
    notes: list[str] = []
    attackers: list[tuple[Unit, Modifiers]] = []
    for file, scenario in scenarios:
        own = targets == (scenario.target,)
        for unit in scenario.attackers:
            if scenario.weapons_of(unit):
                attackers.append((_with_circumstances(scenario, unit, own, file, notes), scenario.modifiers))
            else:
                notes.append(_idle(unit, scenario.phase_of(unit)))
    for unit in units:
        if any(phase is None or weapon.melee == (phase == "fight") for weapon in unit.weapons):
            attackers.append((unit, Modifiers()))
        else:
            notes.append(_idle(unit, phase))
    if not attackers:
        raise InvalidScenario.at("FILE", ", ".join(files), "holds no unit with weapons")
    if by_weapon:
        attackers = [(one, modifiers) for unit, modifiers in attackers for one in _each_weapon(unit, phase)]
    return Fighters(tuple(attackers), targets, tuple(dict.fromkeys(notes)))


def _idle(unit: Unit, phase: str | None) -> str:
    return f"Left out: {unit.name} has no weapons{f' for the {phase} phase' if phase else ''}."


def _targets(scenarios: Sequence[tuple[str, Scenario]], against: str | None) -> tuple[Unit, ...]:
    if against is None:
        if not scenarios:
            raise InvalidScenario.at("--against", MISSING, 'name targets, such as "marines,tank", or "all"')
        targets: list[Unit] = []
        for _, scenario in scenarios:
            if scenario.target not in targets:
                targets.append(scenario.target)
        return tuple(targets)
    try:
        return standard.resolve(against)
    except InvalidScenario as fault:
        raise fault.under("--against") from None


def _with_circumstances(scenario: Scenario, unit: Unit, own: bool, file: str, notes: list[str]) -> Attacker:
    """The unit with the scenario's conditions and choices; what names the target's models stays behind."""
    conditions, choices = scenario.conditions_of(unit), _of_its_weapons(unit, scenario.choices_of(unit))
    if not own:
        conditions, choices, dropped = _for_others(conditions, choices)
        notes += [f"Not used against other targets: {name} of {file}." for name in dropped]
    given = {key: getattr(unit, key) for key in unit.model_fields_set}
    return Attacker(**{**given, "conditions": conditions.to_dict(), "choices": choices})


def _of_its_weapons(unit: Unit, choices: Choices) -> Choices:
    """The choices without what they say of the weapons of others."""
    weapons = set(map(fold, unit.weapon_names))
    pairs = [(fold(weapon.mode[0]), fold(weapon.mode[1])) for weapon in unit.weapons if weapon.mode]
    known = {*pairs, *((name, "BEST") for name, _ in pairs)}
    kept = {name: mode for name, mode in choices.modes.items() if (fold(name), fold(mode)) in known}
    if kept != choices.modes:
        choices = choices.replaced(modes=kept)
    if not isinstance(choices.batch_order, str):
        order = [name for name in choices.batch_order if fold(name) in weapons]
        choices = choices.replaced(batch_order=order or "listed")
    return choices


def _for_others(conditions: Conditions, choices: Choices) -> tuple[Conditions, Choices, list[str]]:
    dropped = []
    if conditions.models_at_select_targets is not None:
        conditions = conditions.replaced(models_at_select_targets=None)
        dropped.append("conditions.models_at_select_targets")
    if not isinstance(choices.allocation_order, str):
        choices = choices.replaced(allocation_order="listed")
        dropped.append("choices.allocation_order")
    if choices.precision not in ("first", "none", "best"):
        choices = choices.replaced(precision="first")
        dropped.append("choices.precision")
    return conditions, choices, dropped


def _each_weapon(unit: Unit, phase: str | None) -> list[Unit]:
    """The unit with each of its weapons (of the phase) alone; the modes of one are one weapon."""
    if isinstance(unit, Attacker):
        phase = phase or unit.conditions.phase
    names = [
        weapon.mode[0] if weapon.mode else weapon.name
        for weapon in unit.weapons
        if phase is None or weapon.melee == (phase == "fight")
    ]
    return [_alone(unit, name) for name in dict.fromkeys(names)]


def _alone(unit: Unit, name: str) -> Unit:
    """One weapon, without the choices that speak of the others."""
    one = one_weapon(unit, name)
    return one.replaced(choices=_of_its_weapons(one, one.choices)) if isinstance(one, Attacker) else one
