"""Defences that stand in the text of abilities: applied when unconditional, otherwise disclosed by name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mathhammer.datasheets.statline import plain_text

_LONGEST = 2000

_WHO = (
    r"(?P<who>this model|this unit|the bearer|(?:all |each )?models? in this unit|[^.,;]{1,60}?) (?:has|have)"
)
_SAVE = re.compile(
    rf"{_WHO} (?:a|the) (?P<what>[2-6])\+ invulnerable save(?P<rest>[^.]{{0,200}})", re.IGNORECASE
)
_PAIN = re.compile(
    rf"{_WHO} the feel no pain (?P<what>[2-6])\+ ability(?P<rest>[^.]{{0,200}})", re.IGNORECASE
)
_SAVES = {
    "": "invulnerable_save",
    "against ranged attacks": "invulnerable_save_ranged",
    "against ranged weapons": "invulnerable_save_ranged",
    "against melee attacks": "invulnerable_save_melee",
    "against melee weapons": "invulnerable_save_melee",
}
_PAINS = {
    "": "feel_no_pain",
    "against mortal wounds": "feel_no_pain_mortal",
    "against psychic attacks": "feel_no_pain_psychic",
}

_WHOSE = (
    {"this model": "model", "the bearer": "bearer"}
    | {
        f"{which}{models} in this unit": "unit"
        for which in ("", "all ", "each ")
        for models in ("model", "models")
    }
    | {"this unit": "unit"}
)
_CONDITIONS = (
    "while",
    "if ",
    "until",
    "when",
    "after",
    "once",
    "friendly",
    "models",
    "each",
    "all",
    "the bearer's",
)

_MATHS = re.compile(
    r"hit rolls?|wound rolls?|saving throw|save rolls?|invulnerable|feel no pain|re-?roll|mortal wound"
    r"|critical|lethal hits|sustained hits|devastating|\[[a-z]|attacks? characteristic|strength|toughness"
    r"|damage|armour pen|wounds characteristic|ballistic skill|weapon skill|benefit of cover|to hit|to wound"
    r"|save characteristic|hit on|can fly|lost wounds|hazardous|precision|anti-|twin-linked|ignores cover"
    r"|regain|\bheal|gains? [^ ]+ wounds?\b|modifiers|debuff|any rolls|per battle special|afflicted"
    r"|\bdestroy (?:all|one|\d|d\d)\b[^.]{0,60}?\bmodels?\b|\b(?:also|are) destroyed"
    r"|destroyed model|modify (?:the unit|this model)'s characteristics"
    r"|benefit from cover|removed from play|set up again|(?:shoot|fight) again|gains? the stealth"
    r"|is equipped with (?:an?|one|two|\d)\b",
    re.IGNORECASE,
)
"""Words of rules that change what an attack does; an ability with one of them is disclosed."""


@dataclass(frozen=True)
class Defence:
    """What a text gives.

    Attributes
    ----------
    keys : dict of str to int
        Keys of `Model`.
    whose : str
        `unit`, `model`, `bearer` (only the model that carries the thing), or the name of a model.
    """

    keys: dict[str, int] = field(default_factory=dict)
    whose: str = "unit"


def defence(text: str) -> tuple[Defence, bool]:
    """The unconditional defence in the text of an ability, and whether the text says more than that.

    Parameters
    ----------
    text : str
        As printed, markup and all.

    Returns
    -------
    defence : Defence
        Without keys if there is none.
    more : bool
        Whether the rest of the text changes the maths and is not in `defence`.

    Examples
    --------
    >>> defence("Models in this unit have a 4+ invulnerable save against ranged attacks.")
    (Defence(keys={'invulnerable_save_ranged': 4}, whose='unit'), False)
    >>> defence("While this model is leading a unit, models in it have a 5+ invulnerable save.")
    (Defence(keys={}, whose='unit'), True)
    """
    plain = plain_text(text[: _LONGEST * 2])
    if len(plain) > _LONGEST:
        return Defence(), True
    found, left = Defence(), []
    for sentence in re.split(r"(?<=[.!\n]) ", plain):
        one = _sentence(sentence)
        if one is not None and not found.keys:
            found = one
        else:
            left.append(sentence)
    return found, _MATHS.search(" ".join(left)) is not None


def changes_maths(text: str) -> bool:
    """Whether a rule's text speaks of anything that changes what an attack does."""
    return _MATHS.search(plain_text(text[: _LONGEST * 2])) is not None


def _sentence(sentence: str) -> Defence | None:
    for form, keys in ((_SAVE, _SAVES), (_PAIN, _PAINS)):
        match = form.match(sentence.strip())
        if match and (key := keys.get(match["rest"].strip(" .!)").lower())):
            who = match["who"]
            whose = _WHOSE.get(who.lower())
            if whose is None and who.lower().startswith(_CONDITIONS):
                return None
            return Defence({key: int(match["what"])}, whose or who)
    return None
