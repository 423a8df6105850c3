"""Who attacks whom: the attackers and targets of `compare`, and the fights between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mathhammer import targets as standard
from mathhammer.abilities import fold
from mathhammer.arguments import items_of, of_argument, record_of
from mathhammer.errors import InvalidScenario, Problem, nearest
from mathhammer.labels import numbered
from mathhammer.scenario import Attacker, Choices, Conditions, Scenario
from mathhammer.units import Modifiers, Unit

__all__ = [
    "Attackers",
    "Fight",
    "Fighter",
    "Fights",
    "Targets",
    "fights_of",
    "labels",
    "one_weapon",
    "seen_from",
    "targets_of",
]

Pair = tuple[Unit, str | Modifiers]
Attackers = Unit | Pair | Sequence[Unit | Pair]
Targets = Unit | str | Iterable[Unit | str]


class Fighter(NamedTuple):
    """An attacker, and modifiers for all its attacks beside its own."""

    unit: Unit
    modifiers: Modifiers | None = None


class Fight(NamedTuple):
    """One cell of a table: its scenario is made where it is answered, as that is a tenth of the work."""

    attacker: Unit
    target: Unit
    around: Mapping[str, Any]

    def scenario(self) -> Scenario:
        """Who attacks whom, with all that bears on it."""
        return Scenario(attacker=self.attacker, target=self.target, **self.around)


@dataclass(frozen=True)
class Fights:
    """Every attacker against every target.

    Attributes
    ----------
    attackers, targets : list of Unit
    cells : list of Fight
        Attacker by attacker.
    assumed : list of str
        Which phase was taken, in words.
    """

    attackers: list[Unit]
    targets: list[Unit]
    cells: list[Fight]
    assumed: list[str]

    @property
    def labels(self) -> list[dict[str, str]]:
        """Attacker and target of every cell by names that stand once."""
        return [
            {"attacker": attacker, "target": target}
            for attacker in labels(self.attackers)
            for target in labels(self.targets)
        ]

    def check(self) -> None:
        """Make the scenarios that can show a fault which no other shows.

        What is wrong with an attacker shows at any target, and what is wrong with a target at any attacker,
        unless the attacker has choices of its own that name models of the target.

        Raises
        ------
        InvalidScenario
            With the paths of the arguments: attackers[0], targets[1].
        """
        for index, cell in enumerate(self.cells):
            row, column = divmod(index, len(self.targets))
            if row == 0 or column == 0 or isinstance(cell.attacker, Attacker):
                try:
                    cell.scenario()
                except InvalidScenario as fault:
                    raise seen_from(fault, f"attackers[{row}]", f"targets[{column}]") from None


def fights_of(
    attackers: Attackers, targets: Targets, conditions: Any, modifiers: Any, choices: Any
) -> Fights:
    """The fights that the arguments of `compare` mean.

    Raises
    ------
    InvalidScenario
        For what is no attacker or target, and for modifiers in two places.
    """
    fighters, against = _fighters(attackers), targets_of(targets)
    common = {
        "conditions": record_of(Conditions, conditions, "conditions"),
        "modifiers": record_of(Modifiers, modifiers, "modifiers"),
        "choices": record_of(Choices, choices, "choices"),
    }
    assumed: list[str] = []
    cells = []
    for index, fighter in enumerate(fighters):
        around = _with_phase(fighter.unit, common, assumed)
        if fighter.modifiers is not None:
            if modifiers is not None:
                remedy = f"attackers[{index}] brings modifiers as well: give all of them in one place"
                raise InvalidScenario.at("modifiers", modifiers, remedy)
            around = {**around, "modifiers": fighter.modifiers}
        cells += [Fight(fighter.unit, target, around) for target in against]
    return Fights([fighter.unit for fighter in fighters], against, cells, assumed)


def one_weapon(unit: Unit, name: str) -> Unit:
    """The unit with one of its weapons only (all modes of it), named ``UNIT: WEAPON``.

    Parameters
    ----------
    unit : Unit
    name : str
        Of the weapon, without its mode.

    Returns
    -------
    Unit

    Raises
    ------
    InvalidScenario
        When the unit has no such weapon.

    Examples
    --------
    >>> squad = Unit(name="Squad", weapons=["4x Rifle: A2 BS3+ S4 AP-1 D1", "1x Gun: A3 BS4+ S5 AP-1 D2"])
    >>> print(one_weapon(squad, "gun"))
    Squad: Gun
      1x Gun: A3 BS4+ S5 AP-1 D2
    """
    if not isinstance(unit, Unit) or not isinstance(name, str):
        raise InvalidScenario.at("weapon", (unit, name), "write a Unit and the name of one of its weapons")
    chosen = [
        weapon
        for weapon in unit.weapons
        if fold(name) in (fold(weapon.name), fold(weapon.mode[0]) if weapon.mode else None)
    ]
    if not chosen:
        known = [weapon.name for weapon in unit.weapons]
        hint = nearest(name, known) or f"; it has {', '.join(known) or 'none'}"
        raise InvalidScenario.at("weapon", name, f"{unit.name} has no such weapon{hint}")
    same = {fold(weapon.name) for weapon in chosen}
    label = chosen[0].mode[0] if chosen[0].mode and len(same) > 1 else chosen[0].name
    return unit.replaced(name=f"{unit.name}: {label}", weapons=chosen)


_ATTACKER = "write a Unit, (Unit, weapon name), or (Unit, Modifiers for all its attacks)"
_TARGET = "write a Unit, or the name of a standard target"


def _fighters(given: Any) -> list[Fighter]:
    fighters = []
    items = [given] if _is_pair(given) else items_of(given, Unit, "attackers", _ATTACKER)
    for index, item in enumerate(items):
        path = f"attackers[{index}]"
        try:
            if isinstance(item, Unit):
                fighters.append(Fighter(item))
            elif not _is_pair(item):
                raise InvalidScenario.at("", item, _ATTACKER)
            elif isinstance(item[1], Modifiers):
                fighters.append(Fighter(*item))
            else:
                fighters.append(Fighter(one_weapon(*item)))
        except InvalidScenario as fault:
            raise fault.under(path) from None
    if not fighters:
        raise InvalidScenario.at("attackers", [], "needs at least one attacking unit")
    return fighters


def _is_pair(item: Any) -> bool:
    return (
        isinstance(item, tuple)
        and len(item) == 2
        and isinstance(item[0], Unit)
        and isinstance(item[1], str | Modifiers)
    )


def targets_of(given: Any) -> list[Unit]:
    """The units that an argument ``targets`` means.

    Raises
    ------
    InvalidScenario
        Names the argument, and which of several.

    Examples
    --------
    >>> [unit.name for unit in targets_of(["marines", "tank"])]
    ['marines', 'tank']
    """
    units: list[Unit] = []
    for index, item in enumerate(items_of(given, (Unit, str), "targets", _TARGET)):
        try:
            if not isinstance(item, Unit | str):
                raise InvalidScenario.at("", item, _TARGET)
            units += [item] if isinstance(item, Unit) else standard.resolve(item)
        except InvalidScenario as fault:
            raise fault.under(f"targets[{index}]") from None
    if not units:
        raise InvalidScenario.at("targets", [], "needs at least one target")
    return units


def _with_phase(attacker: Unit, around: Mapping[str, Any], assumed: list[str]) -> Mapping[str, Any]:
    """Where nothing says the phase of a unit with weapons of both kinds, it shoots."""
    conditions = around["conditions"]
    own = attacker.conditions.phase if isinstance(attacker, Attacker) else None
    if (own or conditions.phase) is None and len({weapon.melee for weapon in attacker.weapons}) == 2:
        assumed.append(
            f'{attacker.name} attacks with its ranged weapons; phase "fight" takes the melee weapons'
        )
        return {**around, "conditions": conditions.replaced(phase="shooting")}
    return around


def seen_from(fault: InvalidScenario, attacker: str, target: str) -> InvalidScenario:
    """What is wrong with one fight, with the paths of the arguments that it came from."""
    arguments = {"attacker": attacker, "target": target}
    return type(fault)(
        [
            of_argument(problem, arguments)
            or Problem(problem.path, problem.value, f"{problem.remedy} ({attacker}, {target})")
            for problem in fault.problems
        ]
    )


def labels(units: Sequence[Unit]) -> list[str]:
    """Names of units, `numbered`."""
    return numbered([unit.name for unit in units])
