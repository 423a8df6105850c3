"""What fights: `Weapon`, `Model`, `Unit`, and the `Modifiers` that change their dice.

All are immutable and checked when they are made. Values may be written as on a datasheet (``"3+"``, ``"-1"``,
``"D6+3"``), keys by their long names or by the datasheet's abbreviations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from pydantic import BeforeValidator, PlainValidator, model_validator

from mathhammer import values as v
from mathhammer.abilities import Torrent, fold
from mathhammer.errors import InvalidScenario, Problem
from mathhammer.one_line import is_range, model_line, weapon_line

__all__ = ["Model", "Modifiers", "Unit", "Weapon"]

Reroll = Literal["ones", "failures", "noncritical", "any", "one"]
DamageReroll = Literal["ones", "below_mean", "one"]
_RerollValue = Annotated[Reroll | None, BeforeValidator(v.optional(v.one_of(*get_args(Reroll))))]
_DamageRerollValue = Annotated[
    DamageReroll | None, BeforeValidator(v.optional(v.one_of(*get_args(DamageReroll))))
]
MODE = v.MODE
_WEAPON_LINE = ("name", "count", "attacks", "skill", "strength", "ap", "damage", "abilities", "melee")
_MODEL_LINE = (
    *("name", "count", "toughness", "save", "wounds", "invulnerable_save", "feel_no_pain"),
    *("character", "leader"),
)


class Modifiers(v.Record):
    """What changes an attack, beside the abilities of its weapon.

    Numbers are +1 for one better: for the attacker in all but ``save_roll``, ``armour_save`` and
    ``toughness``, which are the target's. All modifiers that apply to an attack are combined (rule 01.05).

    Parameters
    ----------
    hit_roll, wound_roll : int
        Summed, then limited to -1..+1.
    attacks, skill, strength, ap, damage : int
        To the characteristic; ``ap=-1`` is "worsen the AP by 1".
    save_roll, armour_save, toughness : int
        Help the target; ``armour_save`` leaves the invulnerable save alone.
    reroll_hits, reroll_wounds, reroll_saves : {"ones", "failures", "noncritical", "any", "one"}
        "one" is a single die of the unit's whole activation, spent on the first failure.
    reroll_damage : {"ones", "below_mean", "one"}
        "ones": each die that shows 1; "below_mean": the whole roll; "one": the first roll below its mean.
    abilities : list of str
        Weapon abilities given to every weapon that these modifiers apply to.
    critical_hits_on, critical_wounds_on : int
        An unmodified roll of this or more is critical.
    critical_hits_need_success : bool
        The lower threshold of ``critical_hits_on`` counts only for rolls that hit.
    unmodified_wound_fails_to : int
        Unmodified wound rolls up to this always fail.
    extra_ap_on_critical_wound : int
        1 is "critical wounds have +1 AP".
    ignore_modifiers : list of {"skill", "hit_roll", "wound_roll"}
        The attacker ignores those of these modifiers that are bad for it.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> Modifiers(hit_roll=-1, reroll_hits="ones").hit_roll
    -1
    """

    hit_roll: v.Bonus = 0
    wound_roll: v.Bonus = 0
    attacks: v.Bonus = 0
    skill: v.Bonus = 0
    strength: v.Bonus = 0
    ap: v.Bonus = 0
    damage: v.Bonus = 0
    save_roll: v.Bonus = 0
    armour_save: v.Bonus = 0
    toughness: v.Bonus = 0
    reroll_hits: _RerollValue = None
    reroll_wounds: _RerollValue = None
    reroll_saves: _RerollValue = None
    reroll_damage: _DamageRerollValue = None
    abilities: v.AbilityList = ()
    critical_hits_on: v.Critical = None
    critical_hits_need_success: v.Flag = False
    critical_wounds_on: v.Critical = None
    unmodified_wound_fails_to: v.FailsTo = None
    extra_ap_on_critical_wound: v.Bonus = 0
    ignore_modifiers: v.Ignorable = ()

    @model_validator(mode="after")
    def _needs_a_threshold(self) -> Self:
        if self.critical_hits_need_success and self.critical_hits_on is None:
            raise InvalidScenario.at(
                "critical_hits_need_success",
                True,
                "is about critical_hits_on: give that too, or leave it out",
            )
        return self


_ModifiersTable = Annotated[Modifiers, v.record(Modifiers)]


class Weapon(v.Record):
    """A weapon profile, and how many of it the unit uses.

    Parameters
    ----------
    name : str
        ``"NAME | MODE"`` for one of several modes; the spaces around the bar do not matter.
    count : int, default 1
        0 is legal and attacks with nothing.
    attacks, damage : int or str
        ``3``, ``"D6"``, ``"2D6+3"`` (A, D).
    skill : int or str
        ``"3+"`` (BS, or WS for a melee weapon); none with TORRENT.
    strength, ap : int
        S; AP as printed, 0 or negative.
    abilities : list of str
    melee : bool, default False
    modifiers : Modifiers
        For this weapon only.
    range : str
        For printing; ``"Melee"`` makes it a melee weapon.
    not_modelled : list of str
        Carried into the outcome.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> print(Weapon(name="Long rifle", count=4, A=2, BS="3+", S=4, AP=-1, D=1, abilities=["HEAVY"]))
    4x Long rifle: A2 BS3+ S4 AP-1 D1 [HEAVY]
    """

    SPELLINGS: ClassVar[Mapping[str, str]] = {
        **{"A": "attacks", "BS": "skill", "WS": "skill", "S": "strength", "AP": "ap", "D": "damage"}
    }

    name: v.WeaponName
    count: v.WeaponCount = 1
    attacks: v.DiceValue
    skill: v.Skill = None
    strength: v.Strength
    ap: v.ArmourPenetration
    damage: v.DiceValue
    abilities: v.AbilityList = ()
    melee: v.Flag = False
    modifiers: _ModifiersTable = Modifiers()
    range: v.Name | None = None
    not_modelled: v.Texts = ()

    @classmethod
    def _long_names(cls, data: dict[str, Any]) -> dict[str, Any]:
        reach = data.get("range")
        in_melee = isinstance(reach, str) and reach.strip().upper() == "MELEE"
        if in_melee or "WS" in data:
            if data.get("melee") is False:
                raise InvalidScenario.at(
                    "melee",
                    False,
                    "a weapon with WS is a melee weapon: write BS or skill"
                    if "WS" in data
                    else "a weapon of range Melee is a melee weapon: leave one of the two out",
                )
            data = {key: value for key, value in data.items() if key != "range" or not in_melee}
            data.setdefault("melee", True)
        if "BS" in data and "WS" not in data and data.get("melee") in (True, 1):
            raise InvalidScenario.at("BS", data["BS"], "a melee weapon has WS (or skill)")
        return super()._long_names(data)

    @model_validator(mode="after")
    def _skill_or_torrent(self) -> Self:
        always = any(isinstance(ability, Torrent) and not ability.only.words for ability in self.abilities)
        if self.skill is None and not any(isinstance(ability, Torrent) for ability in self.abilities):
            raise InvalidScenario.at("skill", None, 'a weapon without TORRENT needs BS or WS, such as "3+"')
        if self.skill is None and not always:
            raise InvalidScenario.at(
                "skill", None, "TORRENT against some targets only: give the BS for the others"
            )
        if self.skill is not None and always:
            raise InvalidScenario.at(
                "skill", f"{self.skill}+", 'a TORRENT weapon hits automatically: leave BS out, or write "-"'
            )
        return self

    @classmethod
    def parse(cls, text: str) -> Weapon:
        """Read a weapon as it stands on its datasheet; ``D6`` is a Damage of 6, a rolled one is ``DD6``.

        Parameters
        ----------
        text : str
            Count and "x", name, colon, range or "Melee", A, BS or WS, S, AP, D, abilities in brackets; as it is
            printed.

        Returns
        -------
        Weapon

        Raises
        ------
        InvalidScenario
            For what cannot be read, and for values that no weapon has.

        Examples
        --------
        >>> Weapon.parse('2x Flamer: 12" A D6 S4 AP0 D1 [TORRENT]').attacks
        Dice(count=1, sides=6, plus=0)
        """
        return cls(**weapon_line(text))

    @property
    def mode(self) -> tuple[str, str] | None:
        """``(weapon, mode)`` of a weapon named ``"NAME | MODE"``, else None."""
        name, bar, mode = self.name.partition(MODE)
        return (name, mode) if bar else None

    def __str__(self) -> str:
        in_line = not self.melee and is_range(self.range or "")
        reach = "Melee" if self.melee else self.range if in_line else ""
        beside = self.beside(*_WEAPON_LINE, *(("range",) if in_line else ()))
        skill = f"{'WS' if self.melee else 'BS'}{self.skill}+" if self.skill is not None else ""
        profile = [reach, f"A{self.attacks}", skill, f"S{self.strength}", f"AP{self.ap}", f"D{self.damage}"]
        abilities = f" [{', '.join(map(str, self.abilities))}]" if self.abilities else ""
        return f"{self.count}x {self.name}: {' '.join(part for part in profile if part)}{abilities}{beside}"


class Model(v.Record):
    """One row of models of a unit: ``count`` models with the same profile.

    Parameters
    ----------
    name : str
        Unique in its unit.
    count : int, default 1
    toughness, wounds : int
        T, W.
    save : int or str
        Sv, ``"3+"``; ``"-"`` (or 7) for no armour.
    invulnerable_save, invulnerable_save_ranged, invulnerable_save_melee : int or str
        InSv against everything, or against ranged or melee attacks only.
    character : bool
        A CHARACTER, as one with that keyword is: each such model is a group of its own.
    leader : bool
        Belongs to an attached leader or support unit (decides the Toughness, rule 19.02).
    wounds_lost : int
        Already lost by one of these models.
    feel_no_pain, feel_no_pain_mortal, feel_no_pain_psychic : int or str
        FNP against every wound, or only against mortal wounds or psychic attacks.
    damage_reduction : int
        Subtracted from the D of each attack.
    halve_damage : bool
    damage_becomes : int
        Replaces the D of each attack.
    damage_to_zero : int
        The D of the first so many unsaved attacks against these models is 0.
    points : float
        Each; default the unit's points shared equally.
    keywords : list of str
        Its own; none means the unit's.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> print(Model(name="Trooper", count=5, T=4, Sv="3+", InSv="5+", W=2, FNP="6+"))
    5x Trooper: T4 Sv3+ InSv5+ W2 FNP6+
    """

    SPELLINGS: ClassVar[Mapping[str, str]] = {
        **{"T": "toughness", "Sv": "save", "InSv": "invulnerable_save", "W": "wounds", "FNP": "feel_no_pain"}
    }

    name: v.Name
    count: v.ModelCount = 1
    toughness: v.Toughness
    save: v.Save
    wounds: v.Wounds
    invulnerable_save: v.InvulnerableSave = None
    invulnerable_save_ranged: v.InvulnerableSave = None
    invulnerable_save_melee: v.InvulnerableSave = None
    character: v.Flag = False
    leader: v.Flag = False
    wounds_lost: v.Few = 0
    feel_no_pain: v.FeelNoPain = None
    feel_no_pain_mortal: v.FeelNoPain = None
    feel_no_pain_psychic: v.FeelNoPain = None
    damage_reduction: v.Few = 0
    halve_damage: v.Flag = False
    damage_becomes: v.Replacement = None
    damage_to_zero: v.Few = 0
    points: v.Points = None
    keywords: v.KeywordList = ()

    @model_validator(mode="after")
    def _still_alive(self) -> Self:
        if self.wounds_lost >= self.wounds:
            raise InvalidScenario.at(
                "wounds_lost", self.wounds_lost, f"a living model of W{self.wounds} has lost fewer than that"
            )
        return self

    @model_validator(mode="after")
    def _keyword_and_mark_agree(self) -> Self:
        # A model with the keyword CHARACTER is one, and an allocation group of its own (05.03).
        if "CHARACTER" in self.keywords and not self.character:
            if "character" in self.model_fields_set:
                raise InvalidScenario.at(
                    "character", False, "its keywords say CHARACTER: take one of the two out"
                )
            self.__dict__["character"] = True
        return self

    @classmethod
    def parse(cls, text: str) -> Model:
        """Read a model as it stands on its datasheet.

        Parameters
        ----------
        text : str
            Count and "x", name, colon, T, Sv, InSv, W, FNP, roles in brackets; as it is printed.

        Returns
        -------
        Model

        Raises
        ------
        InvalidScenario
            For what cannot be read, and for values that no model has.

        Examples
        --------
        >>> Model.parse("Captain: T4 Sv3+ InSv4+ W5 [CHARACTER]").character
        True
        """
        return cls(**model_line(text))

    def __str__(self) -> str:
        invulnerable = f" InSv{self.invulnerable_save}+" if self.invulnerable_save else ""
        pain = f" FNP{self.feel_no_pain}+" if self.feel_no_pain else ""
        roles = [word for word, has in (("CHARACTER", self.character), ("LEADER", self.leader)) if has]
        save = f"Sv{self.save}+" if self.save < 7 else "Sv-"
        brackets = f" [{', '.join(roles)}]" if roles else ""
        profile = f"T{self.toughness} {save}{invulnerable} W{self.wounds}{pain}"
        return f"{self.count}x {self.name}: {profile}{brackets}{self.beside(*_MODEL_LINE)}"


def _row(kind: type[Weapon | Model]) -> PlainValidator:
    """A field that holds such an object, its line, or a table of its keys."""

    def read(value: Any) -> Any:
        if isinstance(value, kind):
            return value
        return kind.parse(value) if isinstance(value, str) else kind.from_dict(value)

    return PlainValidator(read)


def _rows(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        raise InvalidScenario.at("", value, "write a list of tables")
    return tuple(value)


_WeaponRow = Annotated[Weapon, _row(Weapon)]
_ModelRow = Annotated[Model, _row(Model)]


class Unit(v.Record):
    """A unit: its models, its weapons, and what changes its attacks and those made against it.

    Parameters
    ----------
    name : str
    points : float
        Of the whole unit.
    keywords : list of str
        Of the unit; its living models add their own.
    models : list of Model
        Needed by a target; by an attacker only for hazard rolls.
    weapons : list of Weapon
    abilities : list of str
        STEALTH, FEEL NO PAIN X+ for all its models, ...
    modifiers : Modifiers
        For the attacks that it makes.
    modifiers_against : Modifiers
        For the attacks made against it.
    not_modelled : list of str
        What its datasheet says and this object does not; carried into the outcome.

    Raises
    ------
    InvalidScenario

    Examples
    --------
    >>> Unit(name="Boyz", models=["9x Boy: T5 Sv5+ W1", "1x Boss: T5 Sv5+ W2"]).model_count
    10
    """

    name: v.Name
    points: v.Points = None
    keywords: v.KeywordList = ()
    models: Annotated[tuple[_ModelRow, ...], BeforeValidator(_rows)] = ()
    weapons: Annotated[tuple[_WeaponRow, ...], BeforeValidator(_rows)] = ()
    abilities: v.UnitAbilityList = ()
    modifiers: _ModifiersTable = Modifiers()
    modifiers_against: _ModifiersTable = Modifiers()
    not_modelled: v.Texts = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        problems = []
        seen: dict[str, int] = {}
        for index, model in enumerate(self.models):
            if fold(model.name) in seen:
                problems.append(
                    Problem(
                        f"models[{index}].name",
                        model.name,
                        "names of models are unique in a unit: add a word",
                    )
                )
            seen[fold(model.name)] = index
        if problems:
            raise InvalidScenario(problems)
        return self

    @property
    def model_count(self) -> int:
        """How many models it has."""
        return sum(model.count for model in self.models)

    @property
    def weapon_names(self) -> tuple[str, ...]:
        """Names of the weapons that tell rows apart: the second of a name is "NAME (2)", and so on.

        Examples
        --------
        >>> Unit(name="U", weapons=["Gun: A1 BS3+ S4 AP0 D1", "Gun: A1 BS3+ S8 AP0 D1"]).weapon_names
        ('Gun', 'Gun (2)')
        """
        before: Counter[str] = Counter()
        names = []
        for weapon in self.weapons:
            before[fold(weapon.name)] += 1
            number = before[fold(weapon.name)]
            names.append(weapon.name if number == 1 else f"{weapon.name} ({number})")
        return tuple(names)

    @property
    def all_keywords(self) -> frozenset[str]:
        """Its keywords and those of its models, folded for comparison."""
        return frozenset(
            map(fold, (*self.keywords, *(word for model in self.models for word in model.keywords)))
        )

    @property
    def points_each(self) -> tuple[float | None, ...]:
        """Points of one model of each row: the row's own, else an equal share of the unit's."""
        share = None if self.points is None or not self.models else self.points / self.model_count
        return tuple(share if model.points is None else model.points for model in self.models)

    def __str__(self) -> str:
        points = f" ({self.points:g} points)" if self.points is not None else ""
        return "\n".join([f"{self.name}{points}", *(f"  {row}" for row in (*self.models, *self.weapons))])
