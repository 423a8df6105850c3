"""Mortal wounds that come from no attack: Explosives, Crushing Impact, Deadly Demise, hazard rolls (06.02)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mathhammer.dice import Dice, convolve, plain
from mathhammer.errors import InvalidScenario, UnsupportedScenario
from mathhammer.exact.hazards import losses, suffer
from mathhammer.outcome import Outcome
from mathhammer.sides import Side, make_side
from mathhammer.units import Unit

__all__ = ["mortal_wounds"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST = 5000
Trigger = int | str | Mapping[int | str, int | str]
_FACES = re.compile(r"([1-6])(?:(\+)|-([1-6]))?\Z")


def mortal_wounds(
    unit: Unit,
    dice: int | str,
    on: Trigger,
    each: int | str = 1,
    maximum: int | None = None,
    *,
    itself: Unit | None = None,
    on_itself: Trigger = "1",
    each_itself: int | str = 1,
    maximum_itself: int | None = None,
) -> Outcome:
    """What dice that cause mortal wounds do to a unit, exactly.

    Parameters
    ----------
    unit : Unit
        Suffers the mortal wounds.
    dice : int or str
        How many D6 are rolled: ``6``, ``"D3"``.
    on : int, str or dict
        What they must show: ``4`` or ``"4+"`` is 4 or more, ``"1"`` is exactly 1, ``"1-2"`` is 1 or 2. A dict
        gives the mortal wounds of each trigger, ``{5: 1, 6: "D3"}``: of the triggers that a die meets the last
        one counts.
    each : int or str
        Mortal wounds of each such die.
    maximum : int, optional
        At most so many mortal wounds in all.
    itself : Unit, optional
        The unit that rolls, if the same dice hurt it too.
    on_itself, each_itself, maximum_itself
        As `on`, `each`, `maximum`, for `itself`.

    Returns
    -------
    Outcome
        The losses of `itself` are those of the attacker.

    Raises
    ------
    InvalidScenario
        For a unit without models, or dice that cannot be read.

    Notes
    -----
    Mortal wounds are allocated by 06.02: wounded models first, CHARACTERs last, otherwise as listed; they spill
    over, and FEEL NO PAIN against mortal wounds is rolled for each. Explosives are six dice on 4+; Crushing
    Impact is T dice, 5+ for the enemy and 1 for the unit itself, at most 6 each; Deadly Demise X is one die on
    a 6, X mortal wounds for each unit near.

    Examples
    --------
    >>> squad = Unit(name="Squad", models=["10x Grunt: T4 Sv3+ W2"])
    >>> mortal_wounds(squad, dice=6, on="4+").wounds_lost.mean
    3.0
    >>> tank = Unit(name="Tank", models=["Tank: T10 Sv3+ W11"])
    >>> impact = mortal_wounds(squad, 10, "5+", maximum=6, itself=tank, on_itself="1", maximum_itself=6)
    >>> round(impact.wounds_lost.mean, 4), round(impact.attacker_wounds_lost.mean, 4)
    (3.3099, 1.6664)
    """
    rolled = _dice(dice, "dice")
    number = _number(rolled, on, each, maximum, ("on", "each", "maximum"))
    side = _side(unit, "unit")
    left, weights, wounds, models = _losses(side, number)
    own_wounds, own_models, names = np.ones(1), np.ones(1), [f"{rolled} dice"]
    if itself is not None:
        paths = ("on_itself", "each_itself", "maximum_itself")
        own = _side(itself, "itself")
        number_itself = _number(rolled, on_itself, each_itself, maximum_itself, paths)
        _, _, own_wounds, own_models = _losses(own, number_itself)
        names = [itself.name]
    lost, destroyed = (float(pmf @ np.arange(len(pmf))) for pmf in (wounds, models))
    gone = float(models[-1])
    return Outcome(
        engine="exact",
        attackers=(*names,),
        target=unit.name,
        names=side.names,
        start=side.start,
        start_wounds=side.total_wounds,
        alive=side.rows_left(left),
        wounds_left=left.sum(axis=1),
        weights=weights,
        used=np.array([0.0, 1.0]),
        attacker_wounds=own_wounds,
        attacker_models=own_models,
        by_weapon=(),
        after_attacker=(
            {
                "attacker": names[0],
                "unit_destroyed": gone,
                "models_destroyed": destroyed,
                "wounds_lost": lost,
            },
        ),
        assumed=("mortal wounds: wounded models first, CHARACTERs last, otherwise as listed",),
        not_modelled=(*unit.not_modelled, *(itself.not_modelled if itself else ())),
        points_each=side.points_each,
        attacker_points=None if itself is None else itself.points,
    )


def _side(unit: Any, path: str) -> Side:
    if not isinstance(unit, Unit) or not unit.models:
        raise InvalidScenario.at(path, getattr(unit, "name", unit), "needs a Unit with models")
    return make_side(unit, path)


def _dice(value: Any, path: str) -> Dice:
    try:
        return Dice.parse(value)
    except InvalidScenario as fault:
        raise fault.under(path) from None


def _number(dice: Dice, on: Any, each: Any, maximum: int | None, paths: tuple[str, str, str]) -> Floats:
    """Distribution of the number of mortal wounds."""
    if not isinstance(on, int | str | Mapping):
        raise InvalidScenario.at(
            paths[0], on, 'write "4+" (4 or more), "1" (exactly 1), "1-2", or a dict of these'
        )
    triggers = on if isinstance(on, Mapping) else {on: each}
    if not triggers:
        raise InvalidScenario.at(paths[0], {}, "name what the dice must show")
    shown: dict[int, Dice] = {}
    for trigger, caused in triggers.items():
        wounds = _dice(caused, f"{paths[0]}.{trigger}" if isinstance(on, Mapping) else paths[1])
        shown |= dict.fromkeys(_faces(trigger, paths[0]), wounds)
    if maximum is not None and (isinstance(maximum, bool) or not isinstance(maximum, int) or maximum < 0):
        raise InvalidScenario.at(paths[2], maximum, "a whole number of mortal wounds, or None")
    one = np.zeros(max(caused.highest for caused in shown.values()) + 1)
    one[0] = 1 - len(shown) / 6
    for caused in shown.values():
        one[: len(caused.pmf)] += caused.pmf / 6
    if dice.highest * (len(one) - 1) > MOST:
        raise UnsupportedScenario.at("dice", str(dice), f"at most {MOST} mortal wounds in all")
    total = np.zeros(dice.highest * (len(one) - 1) + 1)
    for count in np.flatnonzero(dice.pmf).tolist():
        rolled = convolve(one, count)
        total[: len(rolled)] += dice.pmf[count] * rolled
    if maximum is not None and maximum + 1 < len(total):
        total[maximum] += total[maximum + 1 :].sum()
        total = total[: maximum + 1].copy()
    return total


def _faces(trigger: Any, path: str) -> range:
    """The unmodified rolls that meet a trigger."""
    text = plain(
        f"{trigger}+" if isinstance(trigger, int) and not isinstance(trigger, bool) else str(trigger)
    )
    form = _FACES.match(text.replace(" ", ""))
    if form is None or (form[3] and form[3] < form[1]):
        raise InvalidScenario.at(path, trigger, 'write "4+" (4 or more), "1" (exactly 1) or "1-2"')
    return range(int(form[1]), (6 if form[2] else int(form[3] or form[1])) + 1)


def _losses(side: Side, number: Floats) -> tuple[Integers, Floats, Floats, Floats]:
    """Wounds left by group in each state reached, its probability, and wounds and models lost."""
    chain, reached = suffer(side, number)
    left = np.array(chain.states, np.int64)[:, : len(side.groups)]
    return left, reached, *losses(side, left, reached)
