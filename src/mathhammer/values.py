"""How single values are written, and what is said when they are not: ``3+``, ``-1``, ``D6+3``, ``-``.

The types of this module are pydantic fields; `Record` is the frozen model that all objects share. It turns
pydantic's findings into one `InvalidScenario` that names path, value and way out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, NoReturn, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainValidator, ValidationError

from mathhammer.abilities import Ability, parse_abilities
from mathhammer.dice import Dice, plain
from mathhammer.errors import MISSING, InvalidScenario, Problem, UnsupportedScenario, nearest
from mathhammer.unit_abilities import UnitAbility, parse_unit_abilities

MODE = " | "
"""Between the name of a weapon and the name of its mode."""
_NONE = ("", "-", "N/A", "n/a")


def _refuse(value: Any, remedy: str) -> NoReturn:
    raise InvalidScenario.at("", value, remedy)


def _whole(value: Any, low: int, high: int, remedy: str, tail: str = "") -> int:
    """``value`` as a whole number from ``low`` to ``high``; text may carry ``tail`` at its end."""
    if isinstance(value, str):
        text = plain(value)
        if tail and text.endswith(tail):
            text = text[: -len(tail)].rstrip()
        if not re.fullmatch(r"[+-]?\d{1,9}", text):
            _refuse(value, remedy)
        whole = int(text)
    elif isinstance(value, int) and not isinstance(value, bool):
        whole = value
    else:
        _refuse(value, remedy)
    if not low <= whole <= high:
        _refuse(value, remedy)
    return whole


def _roll(low: int, high: int, remedy: str, none: int | None = None) -> Callable[[Any], int | None]:
    def read(value: Any) -> int | None:
        if value is None or (isinstance(value, str) and plain(value) in _NONE):
            return none
        return _whole(value, low, high, remedy, tail="+")

    return read


def number(low: int, high: int, remedy: str) -> Callable[[Any], int]:
    """A reader of a whole number from ``low`` to ``high``."""
    return lambda value: _whole(value, low, high, remedy)


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    _refuse(value, "write true or false, without quotes")


def _name(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > 200:
        _refuse(value, "a name is a text of 1 to 200 characters")
    name = " ".join(value.split())
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        _refuse(value, "a name holds no control characters")
    return name


def _weapon_name(value: Any) -> str:
    """A name; around the bar before a mode the spaces do not matter."""
    if not isinstance(value, str) or "|" not in value:
        return _name(value)
    parts = [part.strip() for part in value.split("|")]
    if not all(parts):
        _refuse(value, 'a bar stands between a weapon and its mode, "NAME | MODE": name both')
    return _name(MODE.join(parts))


def texts(value: Any, example: str = '["FIRST", "SECOND"]') -> tuple[str, ...]:
    """A list of names."""
    if not isinstance(value, list | tuple):
        _refuse(value, f"write a list of texts, such as {example}")
    return tuple(map(_name, value))


def _keywords(value: Any) -> tuple[str, ...]:
    return tuple(word.upper() for word in texts(value, '["INFANTRY", "FLY"]'))


def _ap(value: Any) -> int:
    if isinstance(value, str) and plain(value) == "-":
        return 0
    return _whole(value, -20, 0, "AP is written as on the datasheet: 0, or negative such as -1")


def _strength(value: Any) -> int:
    if isinstance(value, str) and "D" in value.upper():
        _refuse(value, "a Strength that is rolled is not modelled: write its most likely number")
    return _whole(value, 1, 99, "a Strength is a whole number from 1 to 99")


def _dice(value: Any) -> Dice:
    return _held_dice(value) if isinstance(value, Dice) else _read_dice(value)


@lru_cache(maxsize=1024)
def _held_dice(made: Dice) -> Dice:
    """Dice that were made by hand, if they can be written and read."""
    dice = _read_dice(str(made))
    if (dice.lowest, dice.highest) != (made.lowest, made.highest):
        _refuse(repr(made), "dice that can be written, such as D6+1")
    return dice


def _read_dice(value: Any) -> Dice:
    dice = Dice.parse(value)
    if dice.highest < 1 or dice.lowest < 0:
        _refuse(value, "at least 1")
    return dice


def _points(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100_000:
        _refuse(value, "points are a number from 0 to 100000")
    return value


def one_of(*names: str) -> Callable[[Any], Any]:
    """A reader of one of these words."""

    def read(value: Any) -> Any:
        if value not in names:
            hint = nearest(value, names) if isinstance(value, str) else ""
            _refuse(value, "one of " + ", ".join(f'"{name}"' for name in names) + hint)
        return value

    return read


def optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same reader, with None allowed and kept."""
    return lambda value: None if value is None else read(value)


def _ignorable(value: Any) -> tuple[str, ...]:
    read = one_of("skill", "hit_roll", "wound_roll")
    return tuple(read(item) for item in texts(value, '["skill", "hit_roll"]'))


_SAVE = 'a save is 2+ to 7+, or "-" for none'
_INVULNERABLE = (
    'an invulnerable save is 2+ to 6+, or "-" for none; '
    "one with a condition is invulnerable_save_ranged or invulnerable_save_melee"
)
_FNP = 'FEEL NO PAIN is 2+ to 6+, or "-" for none'

Name = Annotated[str, BeforeValidator(_name)]
WeaponName = Annotated[str, BeforeValidator(_weapon_name)]
Texts = Annotated[tuple[str, ...], BeforeValidator(texts)]
KeywordList = Annotated[tuple[str, ...], BeforeValidator(_keywords)]
Flag = Annotated[bool, BeforeValidator(_flag)]
DiceValue = Annotated[Dice, BeforeValidator(_dice)]
AbilityList = Annotated[tuple[Ability, ...], BeforeValidator(parse_abilities)]
UnitAbilityList = Annotated[tuple[UnitAbility, ...], BeforeValidator(parse_unit_abilities)]
Points = Annotated[float | int | None, BeforeValidator(_points)]
Skill = Annotated[int | None, BeforeValidator(_roll(2, 6, 'a skill is 2+ to 6+, or "-" with TORRENT'))]
Strength = Annotated[int, BeforeValidator(_strength)]
ArmourPenetration = Annotated[int, BeforeValidator(_ap)]
Toughness = Annotated[int, BeforeValidator(number(1, 99, "a Toughness is a whole number from 1 to 99"))]
Wounds = Annotated[int, BeforeValidator(number(1, 999, "wounds are a whole number from 1 to 999"))]
Save = Annotated[int, BeforeValidator(_roll(2, 7, _SAVE, none=7))]
InvulnerableSave = Annotated[int | None, BeforeValidator(_roll(2, 6, _INVULNERABLE))]
FeelNoPain = Annotated[int | None, BeforeValidator(_roll(2, 6, _FNP))]
WeaponCount = Annotated[int, BeforeValidator(number(0, 1000, "a weapon stands 0 to 1000 times"))]
ModelCount = Annotated[int, BeforeValidator(number(1, 1000, "a model stands 1 to 1000 times"))]
Few = Annotated[int, BeforeValidator(number(0, 999, "a whole number from 0 to 999"))]
Replacement = Annotated[int | None, BeforeValidator(optional(number(0, 999, "a whole number from 0 to 999")))]
Bonus = Annotated[int, BeforeValidator(number(-20, 20, "a modifier is a whole number from -20 to 20"))]
Critical = Annotated[
    int | None, BeforeValidator(optional(_roll(2, 6, "an unmodified 2+ to 6+ (a 1 always fails)")))
]
FailsTo = Annotated[int | None, BeforeValidator(optional(number(1, 6, "an unmodified roll from 1 to 6")))]
Ignorable = Annotated[tuple[Literal["skill", "hit_roll", "wound_roll"], ...], BeforeValidator(_ignorable)]


class Record(BaseModel):
    """A frozen object that is checked when it is made.

    Unknown keys, two spellings of one key and impossible values raise `InvalidScenario` with every problem
    found, each with its path.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)
    SPELLINGS: ClassVar[Mapping[str, str]] = {}
    """Datasheet's abbreviation -> long name."""

    def __init__(self, /, **data: Any) -> None:
        try:
            super().__init__(**self._long_names(data))
        except ValidationError as found:
            raise _ours(found, type(self)) from None
        except UnicodeEncodeError as found:
            raise InvalidScenario.at("", found.object, "is no text: it holds half a character") from None

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        """Itself, as nothing in it changes: pydantic copies the default of a field for each new object."""
        return self

    @classmethod
    def _long_names(cls, data: dict[str, Any]) -> dict[str, Any]:
        """``data`` with the long spelling of every key."""
        if not any(key in cls.SPELLINGS for key in data):
            return data
        named: dict[str, Any] = {}
        spelled: dict[str, str] = {}
        for key, value in data.items():
            name = cls.SPELLINGS.get(key, key)
            if name in named:
                raise InvalidScenario.at(key, value, f"is {spelled[name]} in another spelling: give it once")
            named[name], spelled[name] = value, key
        return named

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Make one from a mapping with the keys of the scenario file.

        Raises
        ------
        InvalidScenario
            With every problem found.
        """
        if not isinstance(data, Mapping):
            raise InvalidScenario.at("", data, f"{_a(cls)} is a table of keys and values")
        return cls(**{str(key): value for key, value in data.items()})

    def to_dict(self) -> dict[str, Any]:
        """The keys that were given, with plain values: ``from_dict`` makes an equal object of them.

        Returns
        -------
        dict
        """
        given = {
            name: getattr(self, name) for name in type(self).model_fields if name in self.model_fields_set
        }
        return {name: _written(value) for name, value in given.items() if value is not None}

    def beside(self, *printed: str) -> str:
        """What differs from the defaults in other fields than those ``printed``, to stand behind a line.

        Returns
        -------
        str
            ``" (wounds_lost 1, halve_damage)"``; empty if there is nothing.
        """
        words = ", ".join(_words(self, "", printed))
        return f" ({words})" if words else ""

    def replaced(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked again.

        Raises
        ------
        InvalidScenario
        """
        kept = {key: getattr(self, key) for key in self.model_fields_set}
        return type(self)(**{**kept, **changes})


def record(kind: type[Record]) -> PlainValidator:
    """A field that holds such an object, or a table of its keys."""
    return PlainValidator(lambda value: value if isinstance(value, kind) else kind.from_dict(value))


def _words(record: Record, prefix: str, printed: Collection[str]) -> Iterator[str]:
    for name, field in type(record).model_fields.items():
        value = getattr(record, name)
        if name in printed or value == field.default:
            continue
        if isinstance(value, Record):
            yield from _words(value, f"{prefix}{name}.", ())
        elif value is True:
            yield f"{prefix}{name}"
        else:
            said = " + ".join(map(str, value)) if isinstance(value, tuple) else value
            yield f"{prefix}{name} {said}"


def _written(value: Any) -> Any:
    """``value`` with nothing but plain dicts, lists, texts, numbers and booleans in it."""
    if isinstance(value, Record):
        return value.to_dict()
    if isinstance(value, list | tuple):
        return [_written(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _written(item) for key, item in value.items()}
    if isinstance(value, Dice):
        return value.plus if value.fixed else str(value)
    return str(value) if isinstance(value, Ability | UnitAbility) else value


def _a(record: type[Record]) -> str:
    name = record.__name__
    return f"{'an' if name == 'Attacker' else 'a'} {name}"


def path_of(location: tuple[int | str, ...]) -> str:
    """``("models", 1, "save")`` as ``models[1].save``."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part}]"
        else:
            path += f".{part}" if path else part
    return path


def _ours(found: ValidationError, record: type[Record]) -> InvalidScenario:
    problems: list[Problem] = []
    unsupported = True
    for error in found.errors(include_url=False):
        path = path_of(error["loc"])
        cause = error.get("ctx", {}).get("error")
        if isinstance(cause, InvalidScenario):
            problems += [problem.under(path) for problem in cause.problems]
            unsupported &= isinstance(cause, UnsupportedScenario)
            continue
        unsupported = False
        if error["type"] == "extra_forbidden":
            known = [*record.model_fields, *record.SPELLINGS]
            hint = nearest(str(error["loc"][-1]), known) or f"; known are {', '.join(record.model_fields)}"
            problems.append(Problem(path, error["input"], f"is no key of {_a(record)}{hint}"))
        elif error["type"] == "missing":
            problems.append(Problem(path, MISSING, f"is missing: {_a(record)} needs it"))
        else:
            problems.append(Problem(path, error["input"], error["msg"][0].lower() + error["msg"][1:]))
    return (UnsupportedScenario if unsupported else InvalidScenario)(problems)
