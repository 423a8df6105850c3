"""The models and the dice on the table, for the die-by-die player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from tests.naive_attack import Attack
from tests.naive_words import Roll, fold


@dataclass(eq=False)
class Figure:
    """A single model."""

    name: str
    wounds: int
    left: int
    row: Any
    keywords: frozenset[str]
    unit_no_pain: int
    group: tuple[int, ...]  # 05.03: a CHARACTER alone; the others by W, Sv and InSv
    character: bool

    @property
    def hurt(self) -> bool:
        return 0 < self.left < self.wounds

    def invulnerable(self, melee: bool) -> int:
        special = self.row.invulnerable_save_melee if melee else self.row.invulnerable_save_ranged
        return min(self.row.invulnerable_save or 7, special or 7)

    def no_pain(self, mortal: bool, psychic: bool) -> int:
        """24.12: the best of those that apply; 7 is none."""
        found = [self.row.feel_no_pain, self.unit_no_pain]
        found += [self.row.feel_no_pain_mortal] if mortal else []
        found += [self.row.feel_no_pain_psychic] if psychic else []
        return min(value or 7 for value in found)


class Body:
    """A unit on the table: its models, and the order in which its player prefers to lose them."""

    def __init__(self, unit: Any, preference: Iterable[str] | None = None) -> None:
        self.keywords = frozenset(map(fold, unit.keywords))
        self.figures: list[Figure] = []
        abilities = [str(ability).upper() for ability in unit.abilities]
        pain = min((int(text[-2]) for text in abilities if text.startswith("FEEL NO PAIN")), default=7)
        self.zeros = Counter()  # attacks that a row still sets to damage 0
        for row in unit.models:
            own = frozenset(map(fold, row.keywords or unit.keywords)) | (
                {"CHARACTER"} if row.character else set()
            )
            self.zeros[row.name] = row.damage_to_zero or 0
            special = (row.invulnerable_save_ranged, row.invulnerable_save_melee)
            saves = [min(row.invulnerable_save or 7, save or 7) for save in special]
            profile = (row.wounds, row.save, *saves)
            for i in range(row.count):
                group = (len(self.figures),) if row.character else profile
                left = row.wounds - (row.wounds_lost if i == 0 else 0)
                figure = Figure(row.name, row.wounds, left, row, own, pain, group, row.character)
                self.figures.append(figure)
        self.start = sum(figure.left for figure in self.figures)
        self.prefer(preference or ())

    def prefer(self, names: Iterable[str]) -> None:
        rank = {name: i for i, name in enumerate(map(fold, names))}
        preferred = (
            sorted(self.figures, key=lambda figure: rank.get(fold(figure.name), 99)) if rank else self.figures
        )
        self.preferred = list(dict.fromkeys(figure.group for figure in preferred))

    def living(self) -> list[Figure]:
        return [figure for figure in self.figures if figure.left]

    @property
    def wounds_lost(self) -> int:
        return self.start - sum(figure.left for figure in self.figures)

    def living_keywords(self) -> frozenset[str]:
        return self.keywords.union(*{figure.keywords for figure in self.living()})

    def toughness(self) -> int:
        """19.02: bodyguards before leaders, the highest of them."""
        living = self.living()
        bodyguard = [figure for figure in living if not figure.row.leader]
        return max(figure.row.toughness for figure in bodyguard or living)

    def declare(self) -> Order:
        """The preference made legal (05.03): CHARACTERs last, among equals a hurt group first."""
        groups: dict[tuple[int, ...], list[Figure]] = {group: [] for group in self.preferred}
        for figure in self.figures:
            if figure.left:
                groups[figure.group].append(figure)
        standing = [group for group in groups.values() if group]
        return sorted(standing, key=lambda g: (g[0].character, not any(figure.hurt for figure in g)))


Order = list[list[Figure]]
"""Living groups in a declared order."""


def front(group: list[Figure]) -> Figure | None:
    """Who suffers next in a group: a hurt model, else the first listed."""
    standing = [figure for figure in group if figure.left]
    return next((figure for figure in standing if figure.hurt), standing[0] if standing else None)


def current(order: Order, selected: Figure | None) -> Figure | None:
    """The model that the next attack is allocated to: of the group that is current now."""
    if selected is not None and selected.left:
        return selected
    return next((figure for group in order if (figure := front(group))), None)


def mortally_wounded(order: Order, selected: Figure | None = None) -> Figure | None:
    """06.02: hurt before unhurt, CHARACTERs after all others; PRECISION's model before all (24.28.01)."""
    if selected is not None and selected.left:
        return selected
    candidates = [figure for group in order if (figure := front(group))]
    return min(candidates, key=lambda figure: (figure.character, not figure.hurt), default=None)


class Source(Protocol):
    """Anything with `random()` in [0, 1)."""

    def random(self) -> float: ...


class Hand:
    """The dice of one activation, with what is left of its single re-rolls."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.singles = Counter({"hits": 1, "wounds": 1, "saves": 1, "damage": 1})

    def d6(self) -> int:
        return int(self.source.random() * 6) + 1

    def face(self, sides: int) -> int:
        return self.d6() if sides == 6 else (self.d6() + 1) // 2

    def roll(self, roll: Roll) -> int:
        return sum(self.face(roll.sides) for _ in range(roll.number)) + roll.plus

    def again(self, kind: str, policy: str | None, ones: bool, failure: bool, critical: bool) -> bool:
        """Whether a re-roll is made (01.05.02); "one" is spent on the first failure of the activation."""
        if policy == "one":
            spent = failure and self.singles[kind] > 0
            self.singles[kind] -= spent
            return spent
        return {None: False, "ones": ones, "noncritical": not critical}.get(policy, failure)

    def check(self, kind: str, policy: str | None, faces: dict[int, str | None]) -> str | None:
        """A hit or wound roll and what it comes to, by what each unmodified result is."""
        die = self.d6()
        if self.again(kind, policy, die == 1, faces[die] is None, faces[die] == "critical"):
            die = self.d6()
        return faces[die]

    def save(self, policy: str | None, good: Callable[[int], bool]) -> int:
        die = self.d6()
        return self.d6() if self.again("saves", policy, die == 1, not good(die), False) else die

    def damage(self, attack: Attack, row: Any = None) -> int:
        roll, policy = attack.damage, attack.damage_reroll
        faces = [self.face(roll.sides) for _ in range(roll.number)]
        below = roll.number > 0 and sum(faces) < roll.dice_mean
        replaced = row is not None and row.damage_becomes is not None
        if policy == "ones":
            faces = [self.face(roll.sides) if face == 1 else face for face in faces]
        elif self.again("damage", policy, False, below and not replaced, False):
            faces = [self.face(roll.sides) for _ in faces]
        return attack.damage_of(sum(faces) + roll.plus, row)


def lose(figure: Figure, damage: int, no_pain: int, hand: Hand) -> None:
    """24.12: FEEL NO PAIN for each wound about to be lost, until the model is gone."""
    for _ in range(damage):
        if figure.left and (no_pain > 6 or hand.d6() < no_pain):
            figure.left -= 1
