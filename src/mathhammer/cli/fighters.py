"""Who attacks whom on the command line: units and scenarios from files, targets by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mathhammer import targets as standard
from mathhammer.abilities import fold
from mathhammer.analysis import one_weapon
from mathhammer.analysis.changes import combined, parted
from mathhammer.cli.scenario_file import read_scenario
from mathhammer.errors import MISSING, InvalidScenario
from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
from mathhammer.unit_files import read_toml, read_units
from mathhammer.units import Unit

__all__ = ["Fighters", "read_fighters"]


@dataclass(frozen=True)
class Fighters:
    """Attackers and targets, and what was left out on the way, in words."""

    attackers: tuple[Unit, ...]
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
    attackers: list[Unit] = []
    for file, scenario in scenarios:
        own = targets == (scenario.target,)
        attackers += (_with_circumstances(scenario, unit, own, file, notes) for unit in scenario.attackers)
    for unit in units:
        if any(phase is None or weapon.melee == (phase == "fight") for weapon in unit.weapons):
            attackers.append(unit)
        else:
            notes.append(f"Left out: {unit.name} has no weapons{f' for the {phase} phase' if phase else ''}.")
    if not attackers:
        raise InvalidScenario.at("FILE", ", ".join(files), "holds no unit with weapons")
    if by_weapon:
        attackers = [one for unit in attackers for one in _each_weapon(unit, phase)]
    if phase is not None:
        attackers = [_in_phase(unit, phase) for unit in attackers]
    return Fighters(tuple(attackers), targets, tuple(dict.fromkeys(notes)))


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
    """The unit with all that the scenario says about its attack; what names the target's models stays."""
    conditions, choices = scenario.conditions_of(unit), scenario.choices_of(unit)
    if not own:
        conditions, choices, dropped = _for_others(conditions, choices)
        notes += [f"Not used against other targets: {name} of {file}." for name in dropped]
    agreeing, opposing = parted(scenario.modifiers, unit.modifiers)
    changed: dict[str, Any] = {
        "conditions": conditions,
        "choices": choices,
        "modifiers": combined(agreeing, unit.modifiers),
    }
    if opposing.model_fields_set:
        changed["weapons"] = tuple(
            weapon.replaced(modifiers=combined(opposing, weapon.modifiers)) for weapon in unit.weapons
        )
    return Attacker(**{**{key: getattr(unit, key) for key in unit.model_fields_set}, **changed})


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
    if not isinstance(one, Attacker):
        return one
    modes = {key: mode for key, mode in one.choices.modes.items() if fold(key) == fold(name)}
    return one.replaced(choices=one.choices.replaced(batch_order="listed", modes=modes))


def _in_phase(unit: Unit, phase: str) -> Unit:
    if not isinstance(unit, Attacker):
        return unit
    return unit.replaced(conditions=unit.conditions.replaced(phase=phase))
