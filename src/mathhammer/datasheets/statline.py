"""Stat lines as datasheets and lists write them, made into weapons and models: read or disclosed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from mathhammer.abilities import Torrent, parse_abilities
from mathhammer.dice import plain
from mathhammer.errors import InvalidScenario
from mathhammer.units import Model, Weapon

_MARKUP = re.compile(r"<[^<>]{0,300}>|\*\*|\^\^")
_NOTHING = ("", "-", "N/A", "NONE")
_ROLL = re.compile(r"(\d)\s?\++(.*)", re.DOTALL)


def plain_text(text: str) -> str:
    """A text without HTML, Markdown and typographic quotes, dashes and spaces.

    Examples
    --------
    >>> plain_text("<b>Models</b> have a **4+**\\xa0save")
    'Models have a 4+ save'
    """
    return " ".join(plain(_MARKUP.sub("", text)).replace("’", "'").split())


def keyword_list(text: str) -> tuple[str, ...]:
    """The words of a keyword string: commas, semicolons and brackets separate.

    Examples
    --------
    >>> keyword_list("[Assault], [Heavy]; -")
    ('Assault', 'Heavy')
    """
    words = re.split(r"[,;\[\]]", plain_text(text))
    return tuple(word.strip() for word in words if word.strip() not in _NOTHING)


def weapon(
    name: str, stats: Mapping[str, Any], keywords: Iterable[str], *, melee: bool
) -> tuple[Weapon, tuple[str, ...]]:
    """A weapon from the cells of its profile.

    Parameters
    ----------
    name : str
        Name of the weapon, with `NAME | MODE` for a mode.
    stats : mapping of str to value
        `Range`, `A`, `BS` or `WS`, `S`, `AP`, `D`, as printed (keys in any case).
    keywords : iterable of str
        One ability a word. Unknown ones go to `Weapon.not_modelled`.
    melee : bool
        Whether it is a melee weapon.

    Returns
    -------
    weapon : Weapon
    notes : tuple of str
        What was read in another way than it stands.

    Raises
    ------
    InvalidScenario
        If the profile is incomplete, or one that cannot be simulated (a dice S).
    """
    cells = {key.upper(): _cell(value) for key, value in stats.items()}
    abilities, unknown = _abilities(keywords)
    notes = []
    ap = cells.get("AP", "")
    if re.fullmatch(r"\d", ap) and ap != "0":
        notes.append(f"{name}: AP {ap} read as -{ap}")
        ap = f"-{ap}"
    skill: str | None = cells.get("WS" if melee else "BS", "")
    if str(skill).upper() in _NOTHING or any(isinstance(a, Torrent) and not a.only.words for a in abilities):
        skill = None
    read = Weapon(
        name=name,
        attacks=cells.get("A", ""),
        skill=skill,
        strength=cells.get("S", ""),
        ap=0 if ap in _NOTHING else ap,
        damage=cells.get("D", ""),
        abilities=abilities,
        melee=melee,
        range=None if melee else cells.get("RANGE") or None,
        not_modelled=unknown,
    )
    return read, tuple(notes)


def model(name: str, stats: Mapping[str, Any], **more: Any) -> tuple[Model, tuple[str, ...]]:
    """A model from the cells of its profile: `T`, `Sv`, `W`, `InSv`, and whatever else is known.

    Returns
    -------
    model : Model
    not_modelled : tuple of str
        An invulnerable save whose condition (`5+*`) the profile does not say.

    Raises
    ------
    InvalidScenario
        If a characteristic is missing or impossible.
    """
    cells = {key.upper(): _cell(value) for key, value in stats.items()}
    save = cells.get("SV", "")
    invulnerable, unsaid = invulnerable_save(cells.get("INSV", ""))
    read = Model(
        **{
            "name": name,
            "toughness": cells.get("T", "").rstrip("*"),
            "save": None if save in _NOTHING else save,
            "wounds": cells.get("W", ""),
        }
        | invulnerable
        | more
    )
    return read, unsaid


def invulnerable_save(cell: str) -> tuple[dict[str, int], tuple[str, ...]]:
    """An InSv cell: the keys of `Model` that it sets, and what is conditional and so left out.

    Examples
    --------
    >>> invulnerable_save("5+ (Ranged)")
    ({'invulnerable_save_ranged': 5}, ())
    >>> invulnerable_save("4+*")
    ({}, ('invulnerable save 4+*',))
    """
    if cell.upper() in _NOTHING:
        return {}, ()
    form = _ROLL.match(cell if not cell[:1].isdigit() or len(cell) > 1 else cell + "+")
    if form is None:
        raise InvalidScenario.at("InSv", cell, 'an invulnerable save is "4+", "5+ (Ranged)" or "-"')
    value, condition = int(form[1]), form[2].strip(" ()").lower()
    if condition in ("", "+"):
        return {"invulnerable_save": value}, ()
    if condition in ("ranged", "melee"):
        return {f"invulnerable_save_{condition}": value}, ()
    return {}, (f"invulnerable save {cell}",)


def _cell(value: Any) -> str:
    return "" if value is None else plain(str(value))


def _abilities(keywords: Iterable[str]) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    known: list[Any] = []
    unknown: list[str] = []
    for word in keywords:
        try:
            known.extend(parse_abilities(word))
        except InvalidScenario:
            unknown.append(word)
    return tuple(known), tuple(unknown)
