"""The plan in words, batch by batch, with rule numbers: to check the reading before believing the number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mathhammer import rules
from mathhammer.front import plan_of
from mathhammer.plan import Attack, AttackDice, Batch, Plan, Roll
from mathhammer.scenario import Scenario
from mathhammer.sides import Side

__all__ = ["explain"]


def explain(scenario: Scenario) -> str:
    """Say how a scenario is read.

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
      saves: Shield on 3+ (AP-1) [05.04]
      damage: 2 [05.04]
      HEAVY: 24.16
    """
    plan = plan_of(scenario)
    lines = []
    for index, attack in enumerate(plan.attacks):
        lines += [f"{attack.name} against {plan.target.name}", *_attack(plan, index, attack)]
    for title, words in (("Assumed", plan.assumed), ("Not modelled", plan.not_modelled)):
        if words:
            lines += [f"{title}:", *(f"  - {word}" for word in words)]
    return "\n".join(lines)


def _attack(plan: Plan, index: int, attack: Attack) -> Iterator[str]:
    first = attack.schedule[0][plan.target.total_models >= 5]
    for number in first:
        yield from _batch(plan, plan.batches[number], index)
    if any(batch.attacker == index and b not in first for b, batch in enumerate(plan.batches)):
        yield "  once models are lost, weapons are gathered into other batches [04.03]"
    if attack.hazard_rolls[0]:
        rolls = attack.hazard_rolls[0]
        yield (
            f"  {rolls} hazard roll{'s' * (rolls > 1)} after the attacks: on 1-2 the unit suffers "
            f"{attack.hazard_wounds} mortal wound{'s' * (attack.hazard_wounds > 1)} [24.15, 06.03]"
        )


def _batch(plan: Plan, batch: Batch, index: int) -> Iterator[str]:
    yield f"{batch.name} ({batch.count} weapon{'s' * (batch.count != 1)})"
    models = plan.attacks[index].models_at_select_targets
    yield f"  attack dice: {_dice(batch, plan.target.total_models if models is None else models)} [04.03]"
    skill = "WS" if any(weapon.melee for weapon in plan.attacks[index].weapons) else "BS"
    seen: list[str] = []
    for look, roll in zip(plan.looks, batch.rolls, strict=True):
        lines = list(_roll(plan.target, batch, roll, skill))
        if not seen:
            yield from lines
        else:
            changed = [line for line in lines if line not in seen]
            if changed:
                yield f"  when only models of T{look.toughness}{_words(look.keywords)} are left:"
                yield from (f"  {line}" for line in changed)
        seen += lines
    yield from _abilities(batch)


def _words(keywords: frozenset[str]) -> str:
    return f" ({', '.join(sorted(keywords))})" if keywords else ""


def _dice(batch: Batch, models: int) -> str:
    parts = [_dice_of(dice, models // 5) for dice in batch.dice if dice.weapons]
    if not parts:
        return "none"
    mean = float(sum(k * p for k, p in enumerate(batch.attack_dice(models // 5))))
    fixed = all(dice.attacks.fixed for dice in batch.dice)
    return f"{' + '.join(parts)} = {'' if fixed else 'on average '}{mean:g}"


def _dice_of(dice: AttackDice, fives: int) -> str:
    modifier = f"{dice.modifier:+d}" if dice.modifier else ""
    extras = [f"{dice.added} at half range"] if dice.added else []
    extras += [f"{fives} x {each} for every five models" for each in dice.per_five]
    inner = f"A{dice.attacks}{modifier}" + "".join(f" + {extra}" for extra in extras)
    return f"{dice.weapons} x ({inner})" if extras else f"{dice.weapons} x {inner}"


def _roll(side: Side, batch: Batch, roll: Roll, skill: str) -> Iterator[str]:
    yield f"  {_hits(roll, skill)} [{'24.37' if roll.automatic else '05.01'}]"
    yield f"  {_wounds(roll)} [05.02]"
    if roll.unsaved_critical is not None:
        pools = "first" if roll.ap_critical < roll.ap else "last"
        yield f"  critical wounds are a pool of their own with AP{roll.ap_critical}, resolved {pools} [05.03.02]"
    yield f"  saves: {_saves(side, roll)} [05.04]"
    yield f"  damage: {_damage(side, batch, roll)} [05.04]"


def _needs(faces: Sequence[int]) -> str:
    good = [face for face, result in enumerate(faces, start=1) if result != rules.FAIL]
    return f"on {good[0]}+" if good else "never"


def _critical(faces: Sequence[int]) -> str:
    good = [face for face, result in enumerate(faces, start=1) if result == rules.CRITICAL]
    return f"critical on {good[0]}{'+' * (len(good) > 1)}" if good else "never critical"


def _rerolls(mask: Sequence[bool], one: bool) -> str:
    if one:
        return ", one failure of the activation re-rolled"
    again = [str(face) for face, rerolled in enumerate(mask, start=1) if rerolled]
    return f", re-rolling {', '.join(again)}" if again else ""


def _steps(steps: Sequence[tuple[str, int]], of: str) -> str:
    return "".join(f"; {name} {step:+d}{of}" for name, step in steps)


def _hits(roll: Roll, skill: str) -> str:
    if roll.automatic:
        return "hits automatically"
    because = f"{skill} {roll.skill}+{' as modified' if roll.skill_modifiers else ''}"
    because += _steps(roll.skill_modifiers, f" to {skill}") + _steps(roll.hit_modifiers, " to the roll")
    total = sum(step for _, step in roll.hit_modifiers)
    limited = ", limited to one" if abs(total) > 1 else ""
    sustained = ""
    if len(roll.sustained) > 1:
        mean = sum(extra * p for extra, p in enumerate(roll.sustained))
        sustained = f"; a critical hit is {mean:g} more hit{'s' * (mean != 1)}"
    lethal = "; a critical hit wounds automatically" if roll.lethal else ""
    rerolls = _rerolls(roll.hit_reroll, roll.hit_one)
    return f"hits {_needs(roll.hit)} ({because}{limited}), {_critical(roll.hit)}{rerolls}{sustained}{lethal}"


def _wounds(roll: Roll) -> str:
    because = f"S{roll.strength} against T{roll.toughness}" + _steps(roll.wound_modifiers, " to the roll")
    devastating = "; a critical wound becomes mortal wounds" if roll.devastating else ""
    rerolls = _rerolls(roll.wound_reroll, roll.wound_one)
    return f"wounds {_needs(roll.wound)} ({because}), {_critical(roll.wound)}{rerolls}{devastating}"


def _saves(side: Side, roll: Roll) -> str:
    parts = []
    for group, failing in enumerate(roll.unsaved):
        needed = f"on {failing + 1}+" if failing < 6 else "none"
        parts.append(f"{side.group_name(group)} {needed}")
    policy = {"ones": "1s", "failures": "failures", "noncritical": "all"}.get(roll.save_reroll or "")
    again = f"; re-rolling {policy}" if policy else ""
    again = "; one failure of the activation re-rolled" if roll.save_one else again
    return f"{', '.join(dict.fromkeys(parts))} (AP{roll.ap}){again}"


def _mean(pmf: Sequence[float]) -> str:
    values = [k for k, p in enumerate(pmf) if p]
    mean = sum(k * p for k, p in enumerate(pmf))
    return str(values[0]) if len(values) == 1 else f"{values[0]} to {values[-1]}, on average {mean:g}"


def _damage(side: Side, batch: Batch, roll: Roll) -> str:
    kinds: dict[str, list[str]] = {}
    for row, name in enumerate(side.names):
        pain = int(side.pain[row, batch.kind])
        words = _mean(roll.damage[roll.damage_class[row]])
        words += f", FEEL NO PAIN {pain}+ against each wound (24.12)" if pain < 7 else ""
        words += f", the first {side.to_zero[row]} become 0" if side.to_zero[row] else ""
        kinds.setdefault(words, []).append(name)
    text = (
        next(iter(kinds)) if len(kinds) == 1 else "; ".join(f"{', '.join(n)}: {w}" for w, n in kinds.items())
    )
    if roll.devastating:
        mortal = {int(side.pain[row, batch.kind + 2]) for row in range(len(side.names))} - {7}
        pain_words = "".join(f", FEEL NO PAIN {each}+" for each in sorted(mortal))
        text += f"; mortal wounds of a critical wound: {_mean(roll.damage[-1])}{pain_words} (24.10)"
    return text


def _abilities(batch: Batch) -> Iterator[str]:
    for ability in dict.fromkeys(batch.rolls[0].abilities):
        limits = f" ({ability.LIMITS})" if ability.LIMITS else ""
        yield f"  {ability}: {ability.RULE}{limits}"
