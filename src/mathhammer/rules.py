"""The rules that decide an attack, as pure functions with their numbers.

A roll is described by its six unmodified faces: for each of 1..6 whether it fails (0), succeeds (1) or is
critical (2). Everything that modifies, re-rolls or limits a roll ends in such a row of six.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations

__all__ = [
    "CRITICAL",
    "FAIL",
    "SUCCESS",
    "allocation_class",
    "armour_penetration",
    "chances",
    "clamped",
    "damage_as_modified",
    "hit_faces",
    "legal_order",
    "legal_orders",
    "rerolled_faces",
    "save_rolls",
    "skill_as_modified",
    "toughness_of_unit",
    "unsaved_faces",
    "widest",
    "wound_faces",
    "wound_target",
]

FAIL, SUCCESS, CRITICAL = 0, 1, 2
FACES = range(1, 7)
Faces = tuple[int, int, int, int, int, int]
Chances = tuple[float, float, float]
"""Of failing, of succeeding, of being critical."""

# Sizes beyond these are refused in words: nothing that is typed runs for hours or fills the memory.
MOST_DICE_IN_A_BATCH = 3000
MOST_MODELS = 1000
MOST_WOUNDS = 5000
MOST_ROWS = 12
MOST_BATCHES = 200
MOST_TRIALS = 10**11
REROLLS = ("one", "ones", "failures", "any", "noncritical")
"""Re-roll policies from the narrowest to the widest."""


def wound_target(strength: int, toughness: int) -> int:
    """The roll needed to wound (05.02).

    Examples
    --------
    >>> [wound_target(s, 4) for s in (8, 5, 4, 3, 2)]
    [2, 3, 4, 5, 6]
    """
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def clamped(modifiers: Iterable[int]) -> int:
    """The sum of modifiers to a hit or wound roll, limited to -1..+1 (01.05).

    Examples
    --------
    >>> clamped([1, 1]), clamped([-1, 1, -1])
    (1, -1)
    """
    return max(-1, min(1, sum(modifiers)))


def skill_as_modified(skill: int, improvements: Iterable[int]) -> int:
    """BS or WS after its modifiers, +1 for better, within 2+..6+ (02.02.01).

    Examples
    --------
    >>> skill_as_modified(4, [1, -1, -1]), skill_as_modified(2, [1])
    (5, 2)
    """
    return max(2, min(6, skill - sum(improvements)))


def armour_penetration(ap: int, improvements: Iterable[int]) -> int:
    """AP (0 or negative) after its modifiers, +1 for better, never worse than 0 (02.02.01).

    Examples
    --------
    >>> armour_penetration(-2, [1]), armour_penetration(-1, [-2])
    (-3, 0)
    """
    return min(0, ap - sum(improvements))


def damage_as_modified(
    rolled: int, add: int = 0, subtract: int = 0, halve: bool = False, becomes: int | None = None
) -> int:
    """D: replaced, added to, divided, subtracted from, in that order; rounded up once; at least 1 (02.02.01).

    A replacement by 0 is final.

    Examples
    --------
    >>> damage_as_modified(3, add=2, halve=True, subtract=1)
    2
    """
    if becomes == 0:
        return 0
    value = (rolled if becomes is None else becomes) + add
    if halve:
        # Rounding up once at the end: the subtraction is whole, so it may come after the rounding.
        value = -(-value // 2)
    return max(1, value - subtract)


@cache
def hit_faces(
    needed: int,
    modifier: int = 0,
    critical_on: int = 6,
    critical_success_on: int = 6,
    fails_to: int = 1,
    snap: bool = False,
) -> Faces:
    """What each unmodified hit roll does (05.01).

    Parameters
    ----------
    needed : int
        BS or WS as modified.
    modifier : int
        Of the hit roll, already limited.
    critical_on : int
        An unmodified roll of this or more is a critical hit and hits, whatever the BS; at most 6.
    critical_success_on : int
        An unmodified roll of this or more is a critical hit if it hits anyway.
    fails_to : int
        Unmodified rolls up to this fail: 1, or the floor of indirect shooting (10.07).
    snap : bool
        Only an unmodified 6 hits (15.09).

    Returns
    -------
    tuple of 6 int
        Of FAIL, SUCCESS and CRITICAL.

    Examples
    --------
    >>> hit_faces(4, modifier=1), hit_faces(6, critical_on=5), hit_faces(2, fails_to=5)
    ((0, 0, 1, 1, 1, 2), (0, 0, 0, 0, 2, 2), (0, 0, 0, 0, 0, 2))
    """
    if snap:
        return (FAIL, FAIL, FAIL, FAIL, FAIL, CRITICAL)

    def face(roll: int) -> int:
        if roll <= fails_to:
            return FAIL
        hits = roll + modifier >= needed
        if roll >= critical_on or (hits and roll >= critical_success_on):
            return CRITICAL
        return SUCCESS if hits else FAIL

    return tuple(map(face, FACES))  # type: ignore[return-value]


@cache
def wound_faces(needed: int, modifier: int = 0, critical_on: int = 6, fails_to: int = 1) -> Faces:
    """What each unmodified wound roll does (05.02); "always fails" is looked at before criticals.

    Parameters
    ----------
    needed : int
        The required roll, of `wound_target`.
    modifier : int
        Of the wound roll, already limited.
    critical_on : int
        An unmodified roll of this or more is a critical wound and wounds; at most 6.
    fails_to : int
        Unmodified rolls up to this fail.

    Returns
    -------
    tuple of 6 int
        Of FAIL, SUCCESS and CRITICAL.

    Examples
    --------
    >>> wound_faces(5, critical_on=4), wound_faces(2, fails_to=3)
    ((0, 0, 0, 2, 2, 2), (0, 0, 0, 1, 1, 2))
    """

    def face(roll: int) -> int:
        if roll <= fails_to:
            return FAIL
        if roll >= critical_on:
            return CRITICAL
        return SUCCESS if roll + modifier >= needed else FAIL

    return tuple(map(face, FACES))  # type: ignore[return-value]


@cache
def unsaved_faces(
    save: int, invulnerable: int | None, ap: int, save_roll: int = 0, armour_save: int = 0
) -> int:
    """How many of the six save rolls, from 1 upwards, do not stop an attack (05.04).

    An unmodified 1 never saves. AP and modifiers of the armour save leave the invulnerable save alone;
    modifiers of the save roll help both and are not limited (our reading: 01.05 limits hit and wound rolls).

    Examples
    --------
    >>> unsaved_faces(3, None, -1), unsaved_faces(3, 4, -3), unsaved_faces(2, None, -6)
    (3, 3, 6)
    """
    for roll in (2, 3, 4, 5, 6):
        if invulnerable is not None and roll + save_roll >= invulnerable:
            return roll - 1
        if roll + save_roll + armour_save + ap >= save:
            return roll - 1
    return 6


def widest(policies: Iterable[str | None]) -> str | None:
    """The re-roll policy that re-rolls most, of those that apply.

    Examples
    --------
    >>> widest(["ones", None, "failures"])
    'failures'
    """
    return max((policy for policy in policies if policy), key=REROLLS.index, default=None)


def rerolled_faces(policy: str | None, faces: Sequence[int]) -> tuple[bool, ...]:
    """Which unmodified rolls are re-rolled under a policy; "any" is played as "failures" (our reading).

    Examples
    --------
    >>> rerolled_faces("failures", (0, 0, 1, 1, 1, 2))
    (True, True, False, False, False, False)
    """
    if policy == "ones":
        return (True, False, False, False, False, False)
    if policy in ("failures", "any"):
        return tuple(face == FAIL for face in faces)
    if policy == "noncritical":
        return tuple(face != CRITICAL for face in faces)
    return (False,) * 6


def chances(faces: Sequence[int], reroll: Sequence[bool]) -> Chances:
    """Probabilities that a die fails, succeeds and is critical, after its re-roll (01.05).

    Examples
    --------
    >>> chances((0, 0, 1, 1, 1, 2), (True, True, False, False, False, False))
    (0.1111111111111111, 0.6666666666666666, 0.2222222222222222)
    """
    again = sum(reroll) / 6
    fail, success, critical = (
        sum(face == kind and not rerolled for face, rerolled in zip(faces, reroll, strict=True)) / 6
        + again * sum(face == kind for face in faces) / 6
        for kind in (FAIL, SUCCESS, CRITICAL)
    )
    return fail, success, critical


def save_rolls(policy: str | None, failing: int) -> tuple[float, ...]:
    """Probability of each unmodified save roll, after the re-rolls (05.04).

    Parameters
    ----------
    policy : str or None
        "ones", "failures", or "noncritical": every save, as none is critical.
    failing : int
        How many faces, from 1 upwards, "failures" re-rolls.

    Examples
    --------
    >>> [round(each * 36) for each in save_rolls("failures", 2)]
    [2, 2, 8, 8, 8, 8]
    """
    again = {None: 0, "ones": 1, "failures": failing, "noncritical": 6}[policy]
    return tuple((0.0 if face < again else 1 / 6) + again / 36 for face in range(6))


def toughness_of_unit(living: Iterable[tuple[int, bool]]) -> int:
    """The Toughness of a unit of models ``(toughness, of an attached leader)`` that still live (19.02).

    Examples
    --------
    >>> toughness_of_unit([(4, False), (6, False), (3, True)]), toughness_of_unit([(3, True)])
    (6, 3)
    """
    models = list(living)
    bodyguard = [toughness for toughness, leader in models if not leader]
    return max(bodyguard or [toughness for toughness, _ in models])


def allocation_class(character: bool, wounded: bool) -> int:
    """Where a group belongs in an allocation order: smaller before larger (05.03).

    Examples
    --------
    >>> allocation_class(False, True), allocation_class(False, False), allocation_class(True, True)
    (0, 1, 2)
    """
    return 2 * character + (not wounded)


def legal_order(
    preference: Sequence[int], character: Sequence[bool], wounded: Sequence[bool]
) -> tuple[int, ...]:
    """The preferred order of groups made legal with the fewest changes (05.03).

    Wounded groups first, CHARACTERs last, wounded CHARACTERs first among them; otherwise as preferred.

    Examples
    --------
    >>> legal_order([0, 1, 2], [False, False, True], [False, True, True])
    (1, 0, 2)
    """
    return tuple(sorted(preference, key=lambda group: allocation_class(character[group], wounded[group])))


def legal_orders(character: Sequence[bool], wounded: Sequence[bool]) -> Iterator[tuple[int, ...]]:
    """Every order of the groups that the defender may declare in this state (05.03).

    Examples
    --------
    >>> list(legal_orders([False, False, True], [False, False, False]))
    [(0, 1, 2), (1, 0, 2)]
    """
    classes = [allocation_class(one, other) for one, other in zip(character, wounded, strict=True)]
    blocks = [[group for group, own in enumerate(classes) if own == wanted] for wanted in range(4)]

    def after(block: int) -> Iterator[tuple[int, ...]]:
        if block == 4:
            yield ()
            return
        for first in permutations(blocks[block]):
            for rest in after(block + 1):
                yield first + rest

    return after(0)
