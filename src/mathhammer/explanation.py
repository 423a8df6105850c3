"""The plan in words, batch by batch, with rule numbers: to check the reading before believing the number.

The plan has the numbers; the scenario, asked again, has the names of what made them so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.front import has_open_choices
from mathhammer.plan import Attack, AttackDice, Batch, Look, Plan, Roll, make_plan
from mathhammer.plan.circumstances import Circumstances, best, has
from mathhammer.plan.damage import DAMAGE_REROLLS
from mathhammer.scenario import Scenario, checked_scenario
from mathhammer.units import Model, Modifiers, Weapon

__all__ = ["explain"]

_RULES = {
    "cover": "13.08",
    "plunging fire": "22.05",
    "engaged MONSTER/VEHICLE": "10.06, 17.03",
}
"""Of modifiers that come from conditions; those of abilities stand with the ability."""
_REROLLED = {
    "ones": "1s re-rolled",
    "failures": "failures re-rolled",
    "any": "failures re-rolled",
    "noncritical": "all re-rolled",
    "one": "one failure of the activation re-rolled",
}
_REROLLED_DAMAGE = {
    "ones": "each die that shows 1 re-rolled",
    "below_mean": "rolls below the mean re-rolled",
    "one": "one roll of the activation re-rolled, if below the mean",
}
_DONE_BY_MODEL = {
    "damage_becomes": "replaced by {}",
    "halve_damage": "halved",
    "damage_reduction": "reduced by {}, to 1 at least",
}
_CHOSEN: dict[type[ab.Ability], tuple[str, str]] = {
    ab.LethalHits: ("lethal", "lethal_hits"),
    ab.Precision: ("precision", "precision"),
}
"""Of abilities that need not be used: what a `Roll` does if they are, and the choice."""
_FLOORS = {"indirect": 5, "indirect_spotted": 3}


def explain(scenario: Scenario) -> str:
    """Say how a scenario is read: every number with what makes it differ from the datasheet.

    Raises
    ------
    InvalidScenario, UnsupportedScenario

    Examples
    --------
    >>> print(explain(Scenario.from_dict({
    ...     "attacker": {"name": "Gunners", "weapons": ["3x Gun: A2 BS4+ S8 AP-1 D2 [HEAVY]"]},
    ...     "target": {"name": "Wall", "models": ["3x Shield: T4 Sv2+ InSv5+ W3"]},
    ...     "conditions": {"braced": True}})))
    Gunners against Wall
    Gun (3 weapons)
      attack dice: 3 x A2 = 6 [04.03]
      hits on 3+ (BS 4+; HEAVY +1 to the roll), critical on 6 [05.01]
      wounds on 2+ (S8 against T4), critical on 6 [05.02]
      saves: Shield on 3+ by Sv2+ (AP-1) [05.04]
      damage: 2 [05.04]
      HEAVY: 24.16
    """
    asked = scenario
    chosen: tuple[str, ...] = ()
    if has_open_choices(checked_scenario(scenario)):
        from mathhammer.choosing import settle

        scenario, chosen = settle(asked)
    plan = make_plan(scenario)
    lines = []
    for index, attack in enumerate(plan.attacks):
        of = Circumstances(scenario, index, plan.target)
        lines += [
            f"{attack.name} against {plan.target.name}",
            *_attack(plan, of, attack, asked.attackers[index].weapons),
        ]
    for title, words in (("Assumed", (*chosen, *plan.assumed)), ("Not modelled", plan.not_modelled)):
        if words:
            lines += [f"{title}:", *(f"  - {word}" for word in words)]
    return "\n".join(lines)


def _attack(plan: Plan, of: Circumstances, attack: Attack, asked: Sequence[Weapon]) -> Iterator[str]:
    first = attack.schedule[0][plan.target.total_models >= 5]
    for number in first:
        yield from _Reading(plan, of, attack, plan.batches[number], asked).lines()
    if any(batch.attacker == of.index and b not in first for b, batch in enumerate(plan.batches)):
        yield "  once models are lost, weapons are gathered into other batches [04.03]"
    if attack.hazard_rolls[0]:
        rolls = attack.hazard_rolls[0]
        yield (
            f"  {rolls} hazard roll{'s' * (rolls > 1)} after the attacks: on 1-2 the unit suffers "
            f"{attack.hazard_wounds} mortal wound{'s' * (attack.hazard_wounds > 1)} [24.15, 06.03]"
        )


class _Reading:
    """The lines about one batch: the numbers are those of its first weapon, and so are who makes them so."""

    def __init__(
        self, plan: Plan, of: Circumstances, attack: Attack, batch: Batch, asked: Sequence[Weapon]
    ) -> None:
        self.plan, self.of, self.attack, self.batch = plan, of, attack, batch
        self.weapons = batch.weapons
        self.weapon = self.weapons[0]
        # As the user wrote it: to fish with a re-roll is written on the weapon, which does not give it.
        place = next(i for i, own in enumerate(of.unit.weapons) if own is self.weapon)
        self.sources = of.sources(asked[place])

    def lines(self) -> Iterator[str]:
        yield f"{self.batch.name} ({self.batch.count} weapon{'s' * (self.batch.count != 1)})"
        whole, *later = (list(self._of_look(place)) for place in range(len(self.plan.looks)))
        yield from (f"  {line}" for line in whole)
        changes: dict[tuple[str, ...], list[str]] = {}
        for look, lines in zip(self.plan.looks[1:], later, strict=True):
            changed = tuple(line for line in lines if line not in whole)
            changes.setdefault(changed, []).append(f"T{look.toughness}{_words(look.keywords)}")
        for changed, left in changes.items():
            if changed:
                yield f"  when only models of {', or of '.join(left)} are left:"
            yield from (f"    {line}" for line in changed)
        yield from (f"  {line}" for line in self._abilities())

    # ---- who gives what

    def _given(self, key: str) -> list[tuple[str, Any]]:
        """Who gives a modifier to the first weapon, and its value."""
        nothing = Modifiers.model_fields[key].default
        return [(name, getattr(own, key)) for name, own in self.sources if getattr(own, key) != nothing]

    def _sum(self, key: str) -> int:
        return sum(getattr(own, key) for _, own in self.of.sources(self.weapon))

    def _steps(self, key: str, what: str) -> list[str]:
        return _steps(self._given(key), what)

    def _characteristic(self, key: str, what: str, printed: int, now: int, limit: str) -> list[str]:
        """What changes a characteristic, and its limit where that was met (02.02.01)."""
        limited = abs(now - printed) != abs(self._sum(key))
        return [*self._steps(key, what), *([limit] if limited else [])]

    def _rerolling(self, key: str, also: Sequence[str] = ()) -> str:
        """Who gives the re-roll that is used, the widest."""
        given = [*((name, "any") for name in also), *self._given(key)]
        used = rules.widest(policy for _, policy in given)
        return ", ".join(dict.fromkeys(name for name, policy in given if policy == used))

    def _ignoring(self, *keys: str) -> list[str]:
        return [
            f"{name} ignores modifiers of {key} that are bad for it"
            for name, value in self._given("ignore_modifiers")
            for key in keys
            if key in value
        ]

    # ---- attack dice (04.03)

    def _dice(self, place: int) -> str:
        found, look = self.batch.dice[place], self.plan.looks[place]
        pairs = zip(self.weapons, found, strict=True)
        parts = [self._dice_of(weapon, dice, look) for weapon, dice in pairs if dice.weapons]
        if not parts:
            return "none"
        mean = float(sum(k * p for k, p in enumerate(self.batch.attack_dice(place, self._models() // 5))))
        fixed = all(dice.attacks.fixed for dice in found)
        steps = [
            (name, own.attacks)
            for weapon in self.weapons
            for name, own in self.of.sources(weapon)
            if own.attacks
        ]
        words = _steps(list(dict.fromkeys(steps)), "A")
        if self.batch.by_fives and self.of.index:
            words.append(f"if all {self._models()} models still live when this unit attacks")
        return f"{' + '.join(parts)} = {'' if fixed else 'on average '}{mean:g}{_because(words)}"

    def _models(self) -> int:
        """Of the target, at Select Targets."""
        many = self.attack.models_at_select_targets
        return self.plan.target.total_models if many is None else many

    def _dice_of(self, weapon: Weapon, dice: AttackDice, look: Look) -> str:
        inner = f"A{dice.attacks}" + (f"{dice.modifier:+d}" if dice.modifier else "")
        least = dice.attacks.lowest + dice.modifier < 1
        extras = [f"{dice.added} at half range (RAPID FIRE)"] if dice.added else []
        applying = self.of.that_apply(weapon, look, five=True)
        kinds = [kind for kind in (ab.Blast, ab.Cleave) if has(applying, kind)]
        for each, kind in zip(dice.per_five, kinds, strict=True):
            models = self._models()
            extras.append(f"{models // 5} x {each} for every five models of {models} ({kind.NAME})")
        inner = " + ".join([f"{inner}, at least 1" if least else inner, *extras])
        return f"{dice.weapons} x ({inner})" if extras or least else f"{dice.weapons} x {inner}"

    # ---- the rolls of one attack

    def _of_look(self, place: int) -> Iterator[str]:
        look, roll = self.plan.looks[place], self.batch.rolls[place]
        yield f"attack dice: {self._dice(place)} [04.03]"
        yield self._hits(roll)
        yield f"{self._wounds(look, roll)} [05.02]"
        if roll.unsaved_critical is not None:
            pools = "first" if roll.ap_critical < roll.ap else "last"
            because = _because(self._steps("extra_ap_on_critical_wound", "AP"))
            saves = self._groups(roll.unsaved_critical, roll.ap_critical)
            yield (
                f"critical wounds are a pool of their own with AP{roll.ap_critical}{because}, resolved {pools}: "
                f"{saves} [05.03.02]"
            )
        yield f"saves: {self._saves(roll)} [05.04]"
        yield f"damage: {self._damage(roll)} [05.04]"

    def _hits(self, roll: Roll) -> str:
        snap = not self.of.melee and self.of.conditions.shooting == "snap"
        if roll.automatic:
            return f"hits automatically{', in snap shooting too [24.37, 15.09]' if snap else ' [24.37]'}"
        given_rerolls = self._given("reroll_hits")
        does = _sustained(roll) + ("; a critical hit wounds automatically" if roll.lethal else "")
        if snap:
            lost = "; hit re-rolls are not allowed" if given_rerolls else ""
            return f"hits on an unmodified 6 alone (snap shooting{lost}), critical on 6{does} [05.01, 15.09]"
        words, numbers = self._skill(roll), ["05.01", *_rules_of(roll.skill_modifiers, roll.hit_modifiers)]
        words += _limited(roll.hit_modifiers)
        if has(roll.abilities, ab.Psychic):
            words.append("PSYCHIC ignores modifiers that are bad for it")
        words += self._ignoring("skill", "hit_roll")
        if self.of.indirect(roll.abilities):
            words.append(f"indirect shooting: unmodified 1-{_FLOORS[self.of.conditions.shooting]} fails")
            words += ["hit re-rolls are not allowed"] if given_rerolls else []
            numbers.append("10.07")
        words += [
            f"{name}: unmodified {own.critical_hits_on}+ is critical"
            f"{' if it hits' if own.critical_hits_need_success else ''}"
            for name, own in self.sources
            if own.critical_hits_on
        ]
        rerolls = _rerolls(roll.hit_reroll, roll.hit_one, self._rerolling("reroll_hits"))
        return (
            f"hits {_needs(roll.hit)}{_because(words)}, {_critical(roll.hit)}{rerolls}{does} "
            f"[{', '.join(numbers)}]"
        )

    def _skill(self, roll: Roll) -> list[str]:
        """BS or WS as modified, and why."""
        name = "WS" if self.of.melee else "BS"
        printed, steps = self.weapon.skill or 0, roll.skill_modifiers
        limited = roll.skill != printed - sum(step for _, step in steps)
        words = [f"{name} {roll.skill}+{' as modified' if steps else ''}", *_steps(steps, name)]
        if not self.of.conditions.cover:
            why = "STEALTH" if self.of.stealth else "indirect shooting"
            words = [word.replace("cover -1", f"cover ({why}) -1", 1) for word in words]
        return [*words, *(["limited to 2+..6+"] if limited else [])]

    def _wounds(self, look: Look, roll: Roll) -> str:
        mixed = len({model.toughness for model in self.of.target.models}) > 1
        attached = any(model.leader for model in self.of.target.models)
        of_unit = f" of the unit, {'19.02' if attached else '05.02.01'}" if mixed else ""
        words = [f"S{roll.strength} against T{roll.toughness}{of_unit}"]
        words += self._characteristic("strength", "S", self.weapon.strength, roll.strength, "at least 1")
        words += self._characteristic("toughness", "T", look.toughness, roll.toughness, "at least 1")
        words += _limited(roll.wound_modifiers)
        words += self._ignoring("wound_roll")
        words += [f"{name}: unmodified 1-{to} fails" for name, to in self._given("unmodified_wound_fails_to")]
        words += [f"{name}: unmodified {on}+ is critical" for name, on in self._given("critical_wounds_on")]
        words += [
            str(ability)
            for ability in dict.fromkeys(roll.abilities)
            if isinstance(ability, ab.Anti) and ability.against.match(look.keywords)
        ]
        twin = ["TWIN-LINKED"] if has(roll.abilities, ab.TwinLinked) else []
        rerolls = _rerolls(roll.wound_reroll, roll.wound_one, self._rerolling("reroll_wounds", twin))
        devastating = "; a critical wound becomes mortal wounds" if roll.devastating else ""
        return f"wounds {_needs(roll.wound)}{_because(words)}, {_critical(roll.wound)}{rerolls}{devastating}"

    def _saves(self, roll: Roll) -> str:
        words = [f"AP{roll.ap}"]
        words += self._characteristic("ap", "AP", self.weapon.ap, roll.ap, "never worse than 0")
        words += [*self._steps("save_roll", "the roll"), *self._steps("armour_save", "the armour save")]
        policy = rules.widest(policy for _, policy in self._given("reroll_saves"))
        again = f"; {_REROLLED[policy]} ({self._rerolling('reroll_saves')})" if policy else ""
        return f"{self._groups(roll.unsaved, roll.ap)}{_because(words)}{again}"

    def _groups(self, unsaved: Sequence[int], ap: int) -> str:
        """What each group needs, and the characteristic that saves it."""
        roll, armour = self._sum("save_roll"), self._sum("armour_save")
        parts = []
        for group, failing in enumerate(unsaved):
            model = self.of.target.models[self.of.side.groups[group][0]]
            invulnerable = failing < rules.unsaved_faces(model.save, None, ap, roll, armour)
            by = f"InSv{self.of.invulnerable_save(model)}+" if invulnerable else f"Sv{model.save}+"
            needed = f"on {failing + 1}+ by {by}" if failing < 6 else "none"
            parts.append(f"{self.of.side.group_name(group)} {needed}")
        return ", ".join(dict.fromkeys(parts))

    def _damage(self, roll: Roll) -> str:
        side, kind = self.of.side, roll.kind
        kinds: dict[str, list[str]] = {}
        changed = False
        for row, model in enumerate(self.of.target.models):
            does = [
                words.format(getattr(model, key))
                for key, words in _DONE_BY_MODEL.items()
                if getattr(model, key) != Model.model_fields[key].default
            ]
            changed |= bool(does)
            pain = int(side.pain[row, kind])
            does += [f"FEEL NO PAIN {pain}+ against each wound (24.12)"] if pain < 7 else []
            does += [f"the first {model.damage_to_zero} become 0"] if model.damage_to_zero else []
            words = ", ".join([_mean(roll.damage[roll.damage_class[row]]), *does])
            kinds.setdefault(words, []).append(model.name)
        alone = len(kinds) == 1
        text = "; ".join(words if alone else f"{', '.join(names)}: {words}" for words, names in kinds.items())
        if roll.devastating:
            mortal = {int(side.pain[row, kind + 2]) for row in range(len(side.names))} - {7}
            pain_words = "".join(f", FEEL NO PAIN {each}+" for each in sorted(mortal))
            text += f"; mortal wounds of a critical wound: {_mean(roll.damage[-1])}{pain_words} (24.10)"
        because = self._damage_changes(roll)
        return text + _because([f"D{self.weapon.damage}", *because] if because or changed else [])

    def _damage_changes(self, roll: Roll) -> list[str]:
        words = self._steps("damage", "D")
        if any(step < 0 for _, step in self._given("damage")):
            words.append("at least 1")
        melta = best(roll.abilities, ab.Melta)
        if melta and self.of.conditions.half_range and not self.of.melee:
            words.append(f"MELTA +{melta.extra} to D at half range")
        if not self.weapon.damage.fixed:
            rerolls = self._given("reroll_damage")
            used = max((policy for _, policy in rerolls), key=DAMAGE_REROLLS.index, default=None)
            words += [f"{name}: {_REROLLED_DAMAGE[policy]}" for name, policy in rerolls if policy == used]
        return words

    def _abilities(self) -> Iterator[str]:
        """All that the weapons have and are given, whomever it is for."""
        borne = [
            [*weapon.abilities, *(given for _, own in self.of.sources(weapon) for given in own.abilities)]
            for weapon in self.weapons
        ]
        for ability in dict.fromkeys(each for found in borne for each in found):
            bearers = [weapon for weapon, found in zip(self.weapons, borne, strict=True) if ability in found]
            words = [*self._borne_by(ability, bearers), *self._used(ability, bearers)]
            yield f"{ability}: {ability.RULE}{_because(words)}"

    def _borne_by(self, ability: ab.Ability, bearers: Sequence[Weapon]) -> Iterator[str]:
        if len(bearers) < len(self.weapons):
            yield f"{' and '.join(dict.fromkeys(weapon.name for weapon in bearers))} alone"
        if not any(ability in weapon.abilities for weapon in bearers):
            sources = [source for weapon in bearers for source in self.of.sources(weapon)]
            givers = dict.fromkeys(name for name, own in sources if ability in own.abilities)
            yield f"given by {', '.join(givers)}"

    def _used(self, ability: ab.Ability, bearers: Sequence[Weapon]) -> Iterator[str]:
        """What an ability limits, and why it changes no dice where it does not."""
        whole, *_ = looks = self.plan.looks
        five = self._models() >= 5
        meets = [any(ability in self.of.that_apply(own, look, five) for own in bearers) for look in looks]
        limits = (
            "" if isinstance(ability, ab.IndirectFire) and self.of.indirect([ability]) else ability.LIMITS
        )
        if limits:
            yield limits
        part, choice = _CHOSEN.get(type(ability), ("", ""))
        changes_dice = not (limits or isinstance(ability, ab.Hazardous)) or isinstance(ability, ab.Blast)
        if meets[0]:
            if part and not getattr(self.batch.rolls[0], part):
                yield f"not used, by choices.{choice}"
        elif any(meets):
            yield "not against the whole unit"
        elif changes_dice or not ability.only.match(whole.keywords):
            yield "does not apply here"


def _words(keywords: frozenset[str]) -> str:
    return f" ({', '.join(sorted(keywords))})" if keywords else ""


def _because(words: Sequence[str]) -> str:
    return f" ({'; '.join(words)})" if words else ""


def _needs(faces: Sequence[int]) -> str:
    good = [face for face, result in enumerate(faces, start=1) if result != rules.FAIL]
    return f"on {good[0]}{'+' * (len(good) > 1)}" if good else "never"


def _critical(faces: Sequence[int]) -> str:
    good = [face for face, result in enumerate(faces, start=1) if result == rules.CRITICAL]
    return f"critical on {good[0]}{'+' * (len(good) > 1)}" if good else "never critical"


def _rerolls(mask: Sequence[bool], one: bool, by: str) -> str:
    if one:
        return f", one failure of the activation re-rolled ({by})"
    again = [str(face) for face, rerolled in enumerate(mask, start=1) if rerolled]
    return f", re-rolling {', '.join(again)} ({by})" if again else ""


def _steps(steps: Sequence[tuple[str, int]], what: str) -> list[str]:
    return [f"{name} {step:+d} to {what}" for name, step in steps]


def _limited(steps: Sequence[tuple[str, int]]) -> list[str]:
    """Modifiers of a hit or wound roll: their sum is limited (01.05)."""
    limited = abs(sum(step for _, step in steps)) > 1
    return [*_steps(steps, "the roll"), *["limited to one (01.05)"] * limited]


def _rules_of(*modifiers: Sequence[tuple[str, int]]) -> list[str]:
    return [_RULES[name] for steps in modifiers for name, _ in steps if name in _RULES]


def _sustained(roll: Roll) -> str:
    if len(roll.sustained) == 1:
        return ""
    mean = sum(extra * p for extra, p in enumerate(roll.sustained))
    return f"; a critical hit is {mean:g} more hit{'s' * (mean != 1)}"


def _mean(pmf: Sequence[float]) -> str:
    values = [k for k, p in enumerate(pmf) if p]
    mean = sum(k * p for k, p in enumerate(pmf))
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}, on average {mean:g}"
