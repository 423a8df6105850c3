"""`Scenario`: who attacks what, under which conditions, and how both players choose."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from mathhammer import values as v
from mathhammer.abilities import fold
from mathhammer.errors import InvalidScenario, Problem, nearest
from mathhammer.unchangeable import Unchangeable
from mathhammer.unit_files import read_toml
from mathhammer.units import Model, Modifiers, Unit, Weapon

__all__ = ["Attacker", "Choices", "Conditions", "Metric", "Scenario", "checked_scenario"]

Metric = Literal["wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed"]
METRICS: tuple[Metric, ...] = ("wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed")


class Conditions(v.Record):
    """The circumstances of the attack.

    Parameters
    ----------
    phase : {"shooting", "fight"}
        Only weapons of that kind attack; default the kind there is.
    half_range, cover, plunging_fire, braced, charged : bool
        Within half range; the target has the benefit of cover; plunging fire; HEAVY applies; LANCE applies.
    engaged, target_engaged : bool
        Attacker and target are engaged with each other; the target is engaged with another unit.
    split_attacks : bool
        Not all attacks of a CLEAVE weapon go to this unit.
    characters_visible : bool, default True
        For PRECISION.
    models_at_select_targets : int
        For BLAST and CLEAVE, of the first attacker; default the models of the target.
    shooting : {"normal", "indirect", "indirect_spotted", "snap"}
        Indirect shooting touches INDIRECT FIRE weapons only.

    Examples
    --------
    >>> Conditions(cover=True).cover
    True
    """

    phase: Annotated[
        Literal["shooting", "fight"] | None, BeforeValidator(v.optional(v.one_of("shooting", "fight")))
    ] = None
    half_range: v.Flag = False
    cover: v.Flag = False
    plunging_fire: v.Flag = False
    braced: v.Flag = False
    charged: v.Flag = False
    engaged: v.Flag = False
    target_engaged: v.Flag = False
    split_attacks: v.Flag = False
    characters_visible: v.Flag = True
    models_at_select_targets: Annotated[
        int | None, BeforeValidator(v.optional(v.number(1, 1000, "a number of models from 1 to 1000")))
    ] = None
    shooting: Annotated[
        Literal["normal", "indirect", "indirect_spotted", "snap"],
        BeforeValidator(v.one_of("normal", "indirect", "indirect_spotted", "snap")),
    ] = "normal"


def _order(value: Any) -> Any:
    if isinstance(value, str):
        return v.one_of("listed", "best")(value)
    return v.texts(value)


class Modes(Unchangeable[str]):
    """A table weapon -> mode, so that scenarios can be compared by their hashes."""

    HOW = "choices cannot be changed: make others with replaced(modes=...)"

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def _modes(value: Any) -> Modes:
    if not isinstance(value, Mapping) or not all(isinstance(x, str) for pair in value.items() for x in pair):
        raise InvalidScenario.at("", value, 'write a table {weapon = "mode"}; "best" is the best one')
    named: dict[str, str] = {}
    seen: set[str] = set()
    for name, mode in value.items():
        if fold(name) in seen:
            raise InvalidScenario.at(name, mode, "stands twice: give the weapon one mode")
        seen.add(fold(name))
        named[name] = "best" if fold(mode) == "BEST" else mode
    return Modes(named)


class Choices(v.Record):
    """What the players decide; the first value named is the default.

    Parameters
    ----------
    allocation_order : "listed", "best" or list of model names
        The defender's preference, made legal before each batch with the fewest changes (05.03).
    batch_order : "listed", "best" or list of weapon names
        The attacker's; weapons not named follow as listed. The second weapon listed under a name may be told
        from the first as "NAME (2)", and so on.
    lethal_hits : {"best", "always", "never"}
        "best": decided once per batch, by the wounds that one critical hit takes from an unhurt model of the
        group that would be first; ties: automatic.
    precision : "first", "none", "best" or the name of a CHARACTER model
    rerolls : {"listed", "best"}
        "best" re-rolls successes too, where a full re-roll allows it and it pays.
    modes : dict
        Weapon -> mode, for weapons named ``NAME | MODE``; default the first; "best" searches.
    metric : {"wounds_lost", "models_destroyed", "unit_destroyed", "points_destroyed"}
        What "best" looks at.

    Examples
    --------
    >>> Choices(precision="none").metric
    'wounds_lost'
    """

    allocation_order: Annotated[str | tuple[str, ...], BeforeValidator(_order)] = "listed"
    batch_order: Annotated[str | tuple[str, ...], BeforeValidator(_order)] = "listed"
    lethal_hits: Annotated[
        Literal["best", "always", "never"], BeforeValidator(v.one_of("best", "always", "never"))
    ] = "best"
    precision: v.Name = "first"
    rerolls: Annotated[Literal["listed", "best"], BeforeValidator(v.one_of("listed", "best"))] = "listed"
    modes: Annotated[dict[str, str], PlainValidator(_modes)] = Field(default_factory=Modes)
    metric: Annotated[Metric, BeforeValidator(v.one_of(*METRICS))] = "wounds_lost"


def _own_conditions(value: Any) -> Conditions:
    own = value if isinstance(value, Conditions) else Conditions.from_dict(value)
    remedy = "an attacker cannot take back what the scenario says: give a value, or leave it out"
    if nothing := [key for key in own.model_fields_set if getattr(own, key) is None]:
        raise InvalidScenario([Problem(key, None, remedy) for key in sorted(nothing)])
    return own


class Attacker(Unit):
    """An attacking unit that holds conditions or choices of its own: keys given here replace the scenario's.

    Notes
    -----
    Of ``choices.modes`` each weapon is a key of its own. Two attackers are equal when the keys that they give
    are equal as well; one that gives none equals a plain `Unit`.

    Examples
    --------
    >>> gun = "Gun: A1 BS4+ S4 AP0 D1"
    >>> Attacker(name="Gunners", weapons=[gun], conditions={"cover": True}).conditions.cover
    True
    """

    conditions: Annotated[Conditions, PlainValidator(_own_conditions)] = Conditions()
    choices: Annotated[Choices, v.record(Choices)] = Field(default_factory=Choices)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Unit):
            return NotImplemented
        alike = all(getattr(self, name) == getattr(other, name) for name in Unit.model_fields)
        return alike and _own_keys(self) == _own_keys(other)

    def __hash__(self) -> int:
        return Unit.__hash__(self)


def _own_keys(unit: Unit) -> tuple[dict[str, Any], dict[str, Any]]:
    """Conditions and choices that an attacker gives itself."""
    return (unit.conditions.to_dict(), unit.choices.to_dict()) if isinstance(unit, Attacker) else ({}, {})


def _attacker(value: Any) -> Unit:
    return value if isinstance(value, Unit) else Attacker.from_dict(value)


def _attackers(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return _attacker(value)
    if not value:
        raise InvalidScenario.at("", value, "needs at least one attacking unit")
    units: list[Unit] = []
    problems: list[Problem] = []
    for index, item in enumerate(value):
        try:
            units.append(_attacker(item))
        except InvalidScenario as fault:
            problems += fault.under(f"[{index}]").problems
    if problems:
        raise InvalidScenario(problems)
    return tuple(units)


def _target(value: Any) -> Unit:
    return value if isinstance(value, Unit) else Unit.from_dict(value)


class Scenario(v.Record):
    """One attack, or several units attacking one target in a row.

    Parameters
    ----------
    attacker : Unit or list of Unit
        Units attack one after another until the target is gone.
    target : Unit
    conditions : Conditions
    modifiers : Modifiers
        For every attack.
    choices : Choices

    Raises
    ------
    InvalidScenario
        With every problem found, each with its path.

    Examples
    --------
    >>> rifles = Unit(name="Rifles", weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
    >>> boyz = Unit(name="Boyz", models=["9x Boy: T5 Sv5+ W1"])
    >>> Scenario(attacker=rifles, target=boyz).phase_of(rifles)
    'shooting'
    """

    attacker: Annotated[Unit | tuple[Unit, ...], PlainValidator(_attackers)]
    target: Annotated[Unit, PlainValidator(_target)]
    conditions: Annotated[Conditions, v.record(Conditions)] = Conditions()
    modifiers: Annotated[Modifiers, v.record(Modifiers)] = Modifiers()
    choices: Annotated[Choices, v.record(Choices)] = Field(default_factory=Choices)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        problems = [
            *_target_problems(self.target),
            *(problem for index in range(len(self.attackers)) for problem in self._attacker_problems(index)),
        ]
        if problems:
            raise InvalidScenario(problems)
        return self

    @classmethod
    def from_toml(cls, source: str | PathLike[str]) -> Self:
        """Read a scenario file; a text with a line break is taken as the file's content.

        Raises
        ------
        InvalidScenario
            When the file is not there, is not TOML, or says something impossible.

        Examples
        --------
        >>> text = '''
        ... attacker = {name = "Gunners", weapons = ["3x Gun: A2 BS4+ S5 AP-1 D2"]}
        ... target = {name = "Wall", models = ["3x Shield: T4 Sv2+ W3"]}
        ... '''
        >>> Scenario.from_toml(text).target.name
        'Wall'
        """
        return cls.from_dict(read_toml(source))

    @property
    def attackers(self) -> tuple[Unit, ...]:
        """The attacking units in order, also when there is one."""
        return self.attacker if isinstance(self.attacker, tuple) else (self.attacker,)

    def path_of(self, index: int) -> str:
        """``attacker`` or ``attacker[index]``, as the user wrote it."""
        return f"attacker[{index}]" if isinstance(self.attacker, tuple) else "attacker"

    def conditions_of(self, unit: Unit) -> Conditions:
        """The conditions of one attacker: its own keys, over the scenario's."""
        return _over(self.conditions, unit.conditions) if isinstance(unit, Attacker) else self.conditions

    def choices_of(self, unit: Unit) -> Choices:
        """The choices for the attack of one attacker: its own keys, over the scenario's."""
        return _over(self.choices, unit.choices) if isinstance(unit, Attacker) else self.choices

    def phase_of(self, unit: Unit) -> Literal["shooting", "fight"]:
        """The phase in which one attacker attacks: as given, else by the weapons it has."""
        phase = self.conditions_of(unit).phase
        if phase is None:
            phase = "fight" if unit.weapons and all(weapon.melee for weapon in unit.weapons) else "shooting"
        return phase

    def weapons_of(self, unit: Unit) -> tuple[Weapon, ...]:
        """The weapons of one attacker that are of the phase's kind, all modes."""
        melee = self.phase_of(unit) == "fight"
        return tuple(weapon for weapon in unit.weapons if weapon.melee == melee)

    def _attacker_problems(self, index: int) -> list[Problem]:
        unit, path = self.attackers[index], self.path_of(index)
        problems: list[Problem] = []
        if not unit.weapons:
            problems.append(Problem(f"{path}.weapons", list(unit.weapons), "an attacker needs weapons"))
        kinds = {weapon.melee for weapon in unit.weapons}
        phase = self.conditions_of(unit).phase
        if phase is None and len(kinds) == 2:
            way = 'set conditions.phase to "shooting" or "fight", or leave the weapons of the other kind out'
            problems.append(Problem(f"{path}.weapons", "ranged and melee", way))
        elif index == 0 and phase is not None and kinds and not any(map(self.weapons_of, self.attackers)):
            who = "the attacker has" if len(self.attackers) == 1 else "the attackers have"
            wanted = "melee" if phase == "fight" else "ranged"
            problems.append(Problem("conditions.phase", phase, f"{who} no {wanted} weapon"))
        given = unit.conditions.models_at_select_targets if isinstance(unit, Attacker) else None
        if index and given is not None:
            where = f"{path}.conditions.models_at_select_targets"
            problems.append(
                Problem(where, given, "is for the first attacker: later ones count who still lives")
            )
        return [*problems, *self._choice_problems(index)]

    def _choice_problems(self, index: int) -> list[Problem]:
        """What is wrong with the choices of one attacker, and with the common ones at the first."""
        unit, path = self.attackers[index], self.path_of(index)
        places = [(self.choices, "choices", self.attackers)] if index == 0 else []
        if isinstance(unit, Attacker):
            places.append((unit.choices, f"{path}.choices", (unit,)))
        problems: list[Problem] = []
        for choices, where, units in places:
            problems += _order_problems(choices.allocation_order, self.target, where)
            problems += _precision_problems(choices.precision, self.target, where)
            pairs = [weapon.mode for each in units for weapon in each.weapons if weapon.mode]
            problems += _mode_problems(choices.modes, pairs, f"{where}.modes")
            if not isinstance(choices.batch_order, str):
                names = [name for each in units for name in each.weapon_names]
                problems += _name_problems(choices.batch_order, names, f"{where}.batch_order", "weapon")
        metric = self.choices_of(self.attackers[0]).metric
        own = isinstance(unit, Attacker) and "metric" in unit.choices.model_fields_set
        if own and (found := self.choices_of(unit).metric) != metric:
            remedy = f'the attackers together look at one metric, here "{metric}": set it in choices.metric'
            problems.append(Problem(f"{path}.choices.metric", found, remedy))
        return problems


def _mode_problems(modes: Mapping[str, str], pairs: list[tuple[str, str]], where: str) -> list[Problem]:
    problems = []
    for name, mode in modes.items():
        known = [pair[1] for pair in pairs if fold(pair[0]) == fold(name)]
        if not known:
            remedy = f'no weapon "{name} | MODE" is listed{nearest(name, [pair[0] for pair in pairs])}'
            problems.append(Problem(f"{where}.{name}", mode, remedy))
        elif mode != "best" and fold(mode) not in map(fold, known):
            remedy = f'its modes are {", ".join(dict.fromkeys(known))}, or "best"'
            problems.append(Problem(f"{where}.{name}", mode, remedy))
    return problems


def checked_scenario(given: object) -> Scenario:
    """What was given where a scenario is asked for.

    Raises
    ------
    InvalidScenario
        When it is none.
    """
    if not isinstance(given, Scenario):
        raise InvalidScenario.at("scenario", given, "make one with Scenario(...), from_dict or from_toml")
    return given


def _over(base: Any, own: Any) -> Any:
    if not own.model_fields_set:
        return base
    given = {key: getattr(own, key) for key in own.model_fields_set}
    if "modes" in given:
        chosen = set(map(fold, own.modes))
        common = {name: mode for name, mode in base.modes.items() if fold(name) not in chosen}
        given["modes"] = {**common, **own.modes}
    return base.replaced(**given)


def _target_problems(target: Unit) -> list[Problem]:
    if isinstance(target, Attacker) and {"conditions", "choices"} & target.model_fields_set:
        return [Problem("target", target.name, "only an attacker holds conditions or choices of its own")]
    if not target.models:
        return [Problem("target.models", [], "a target needs models")]
    return []


def _name_problems(names: tuple[str, ...], known: list[str], path: str, noun: str) -> list[Problem]:
    folded = set(map(fold, known))
    problems, seen = [], set()
    for index, name in enumerate(names):
        if fold(name) not in folded:
            remedy = (
                f"names no {noun}{nearest(name, known) or '; known are ' + ', '.join(dict.fromkeys(known))}"
            )
            problems.append(Problem(f"{path}[{index}]", name, remedy))
        elif fold(name) in seen:
            problems.append(Problem(f"{path}[{index}]", name, "stands twice: name it once"))
        seen.add(fold(name))
    return problems


def _order_problems(order: str | tuple[str, ...], target: Unit, where: str) -> list[Problem]:
    if isinstance(order, str):
        return []
    path = f"{where}.allocation_order"
    problems = _name_problems(order, [model.name for model in target.models], path, "model of the target")
    if problems:
        return problems
    models = {fold(model.name): model for model in target.models}
    named: list[Model] = [models[fold(name)] for name in order]
    for index, model in enumerate(named):
        if model.character and not all(later.character for later in named[index:]):
            remedy = "a CHARACTER cannot stand before other models (05.03): name it after them"
            return [Problem(f"{path}[{index}]", order[index], remedy)]
    return []


def _precision_problems(precision: str, target: Unit, where: str) -> list[Problem]:
    if precision in ("first", "none", "best"):
        return []
    characters = [model.name for model in target.models if model.character]
    if fold(precision) in map(fold, characters):
        return []
    known = f'"first", "none", "best"{"".join(f", {name!r}" for name in characters)}'
    return [Problem(f"{where}.precision", precision, f"names no CHARACTER of the target: write {known}")]
