"""The dice of one attack: hit roll, wound roll, save roll, damage, against one look of the target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mathhammer import abilities as ab
from mathhammer import rules
from mathhammer.abilities import Ability
from mathhammer.errors import InvalidScenario
from mathhammer.plan.circumstances import Circumstances, best, has, settled
from mathhammer.plan.damage import DAMAGE_REROLLS, Damage, expected_loss
from mathhammer.plan.numbers import Look, Named, Roll
from mathhammer.sides import NORMAL, PSYCHIC
from mathhammer.units import Modifiers, Weapon

__all__ = ["make_rolls"]

_LARGE = frozenset(("MONSTER", "VEHICLE"))
_ANY_HIT: rules.Faces = (rules.SUCCESS,) * 6


def make_rolls(of: Circumstances, weapon: Weapon, looks: Sequence[Look]) -> tuple[Roll, ...]:
    """The dice of one attack of a weapon against each look.

    Raises
    ------
    InvalidScenario
        When BLAST is to target an engaged unit.
    """
    rolls = [_make_roll(of, weapon, look) for look in looks]
    if not any(roll.lethal for roll in rolls):
        return tuple(rolls)
    # LETHAL HITS is decided once per batch: against an unhurt model of the group that would be first (24.23).
    taken = of.choices.lethal_hits == "always" or (of.choices.lethal_hits == "best" and _pays(of, rolls[0]))
    return tuple(rolls) if taken else tuple(replace(roll, lethal=False) for roll in rolls)


def _make_roll(of: Circumstances, weapon: Weapon, look: Look) -> Roll:
    found = of.abilities(weapon, look)
    sources = of.sources(weapon)
    mods = [source for _, source in sources]
    automatic = has(found, ab.Torrent)
    _check_blast(of, weapon, found)
    skill, skill_steps, hit_steps = (None, (), ()) if automatic else _to_hit(of, weapon, found, sources, look)
    hit, hit_policy = (_ANY_HIT, None) if automatic else _hit_roll(of, found, mods, skill or 6, hit_steps)
    strength = max(1, weapon.strength + sum(m.strength for m in mods))
    toughness = max(1, look.toughness + sum(m.toughness for m in mods))
    needed = rules.wound_target(strength, toughness)
    wound_steps = _to_wound(of, found, sources)
    wound = rules.wound_faces(
        needed,
        rules.clamped(step for _, step in wound_steps),
        critical_on=_critical_wounds_on(found, mods, look),
        fails_to=max((m.unmodified_wound_fails_to or 1 for m in mods), default=1),
    )
    twin = ["any"] if has(found, ab.TwinLinked) else []
    wound_policy = _played(of, rules.widest([*twin, *(m.reroll_wounds for m in mods)]))
    devastating = has(found, ab.DevastatingWounds)
    sustained = None if automatic else best(found, ab.SustainedHits)
    ap_steps = [m.ap for m in mods]
    ap = rules.armour_penetration(weapon.ap, ap_steps)
    extra = 0 if devastating else sum(m.extra_ap_on_critical_wound for m in mods)
    ap_critical = rules.armour_penetration(weapon.ap, [*ap_steps, extra])
    save_policy = rules.widest(m.reroll_saves for m in mods)
    damage, damage_class = _damage(of, weapon, found, mods)
    damage_policy = max(
        (m.reroll_damage for m in mods if m.reroll_damage), key=DAMAGE_REROLLS.index, default=None
    )
    damage_one = damage_policy == "one" and not weapon.damage.fixed
    return Roll(
        kind=_kind(found),
        automatic=automatic,
        hit=hit,
        hit_reroll=rules.rerolled_faces(hit_policy, hit),
        hit_one=hit_policy == "one",
        sustained=tuple(sustained.extra.pmf.tolist()) if sustained else (1.0,),
        lethal=has(found, ab.LethalHits) and not automatic,
        wound=wound,
        wound_reroll=rules.rerolled_faces(wound_policy, wound),
        wound_one=wound_policy == "one",
        devastating=devastating,
        precision=look.character and bool(of.selectable) and has(found, ab.Precision),
        unsaved=_unsaved(of, ap, mods),
        unsaved_critical=_unsaved(of, ap_critical, mods) if ap_critical != ap else None,
        ap_critical=ap_critical,
        save_reroll={"any": "failures", "one": None}.get(save_policy or "", save_policy),
        save_one=save_policy == "one",
        damage=tuple(kind.distribution(damage_policy) for kind in damage),
        damage_after_one=tuple(kind.after_one() for kind in damage) if damage_one else (),
        damage_class=damage_class,
        damage_one=damage_one,
        skill=skill,
        strength=strength,
        ap=ap,
        toughness=toughness,
        skill_modifiers=skill_steps,
        hit_modifiers=hit_steps,
        wound_modifiers=wound_steps,
        abilities=tuple(found),
    )


def _kind(found: Sequence[Ability]) -> int:
    return PSYCHIC if has(found, ab.Psychic) else NORMAL


def _check_blast(of: Circumstances, weapon: Weapon, found: Sequence[Ability]) -> None:
    engaged = [name for name in ("engaged", "target_engaged") if getattr(of.conditions, name)]
    if engaged and weapon.count and not of.melee and has(found, ab.Blast):
        remedy = (
            f"BLAST may not target an engaged unit: set its count to 0 or conditions.{engaged[0]} to false"
        )
        raise InvalidScenario.at(f"{of.path_of(weapon)}.abilities", weapon.name, remedy)


def _to_hit(
    of: Circumstances,
    weapon: Weapon,
    found: Sequence[Ability],
    sources: Sequence[tuple[str, Modifiers]],
    look: Look,
) -> tuple[int | None, Named, Named]:
    """BS or WS as modified, and the modifiers of both layers (05.01)."""
    steps = [(name, m.skill) for name, m in sources if m.skill]
    rolls = [(name, m.hit_roll) for name, m in sources if m.hit_roll]
    if not of.melee:
        if of.in_cover(found) and not has(found, ab.IgnoresCover):
            steps.append(("cover", -1))
        if of.conditions.plunging_fire:
            steps.append(("plunging fire", 1))
        if of.conditions.braced and not of.conditions.engaged and has(found, ab.Heavy):
            rolls.append(("HEAVY", 1))
        if _engaged_shooting(of, found, look):
            rolls.append(("engaged MONSTER/VEHICLE", -1))
    ignored = {word for _, m in sources for word in m.ignore_modifiers}
    if has(found, ab.Psychic):
        ignored |= {"skill", "hit_roll"}
    if "skill" in ignored:
        steps = [(name, step) for name, step in steps if step > 0]
    if "hit_roll" in ignored:
        rolls = [(name, step) for name, step in rolls if step > 0]
    skill = (
        None if weapon.skill is None else rules.skill_as_modified(weapon.skill, (step for _, step in steps))
    )
    return skill, tuple(steps), tuple(rolls)


def _engaged_shooting(of: Circumstances, found: Sequence[Ability], look: Look) -> bool:
    """An engaged MONSTER or VEHICLE shoots or is shot (10.06, 17.03)."""
    conditions = of.conditions
    if not (conditions.engaged or conditions.target_engaged):
        return False
    if conditions.engaged and has(found, ab.CloseQuarters):
        return False
    return bool(_LARGE & look.keywords) or (conditions.engaged and bool(_LARGE & of.unit.all_keywords))


def _hit_roll(
    of: Circumstances, found: Sequence[Ability], mods: Sequence[Modifiers], skill: int, steps: Named
) -> tuple[rules.Faces, str | None]:
    snap = not of.melee and of.conditions.shooting == "snap"
    indirect = of.indirect(found)
    policy = None if snap or indirect else _played(of, rules.widest(m.reroll_hits for m in mods))
    thresholds = [(m.critical_hits_on, m.critical_hits_need_success) for m in mods if m.critical_hits_on]
    faces = rules.hit_faces(
        skill,
        rules.clamped(step for _, step in steps),
        critical_on=min([6, *(on for on, need in thresholds if not need)]),
        critical_success_on=min([6, *(on for on, need in thresholds if need)]),
        fails_to={"indirect": 5, "indirect_spotted": 3}[of.conditions.shooting] if indirect else 1,
        snap=snap,
    )
    return faces, policy


def _played(of: Circumstances, policy: str | None) -> str | None:
    """A full re-roll ("any") fishes for criticals only where the search for the best play settled on that."""
    if policy == "any":
        settled(of.choices.rerolls, "choices.rerolls")
    return policy


def _to_wound(of: Circumstances, found: Sequence[Ability], sources: Sequence[tuple[str, Modifiers]]) -> Named:
    steps = [(name, m.wound_roll) for name, m in sources if m.wound_roll]
    if of.conditions.charged and has(found, ab.Lance):
        steps.append(("LANCE", 1))
    if any("wound_roll" in m.ignore_modifiers for _, m in sources):
        steps = [(name, step) for name, step in steps if step > 0]
    return tuple(steps)


def _critical_wounds_on(found: Sequence[Ability], mods: Sequence[Modifiers], look: Look) -> int:
    anti = [a.on for a in found if isinstance(a, ab.Anti) and a.against.match(look.keywords)]
    return min([6, *anti, *(m.critical_wounds_on for m in mods if m.critical_wounds_on)])


def _unsaved(of: Circumstances, ap: int, mods: Sequence[Modifiers]) -> tuple[int, ...]:
    save_roll, armour = sum(m.save_roll for m in mods), sum(m.armour_save for m in mods)
    faces = []
    for rows in of.side.groups:
        model = of.target.models[rows[0]]
        invulnerable = of.invulnerable_save(model)
        faces.append(rules.unsaved_faces(model.save, invulnerable, ap, save_roll, armour))
    return tuple(faces)


def _damage(
    of: Circumstances, weapon: Weapon, found: Sequence[Ability], mods: Sequence[Modifiers]
) -> tuple[list[Damage], tuple[int, ...]]:
    """D against each row of the target; the last is that of devastating wounds (24.10)."""
    melta = best(found, ab.Melta) if of.conditions.half_range and not of.melee else None
    add = sum(m.damage for m in mods if m.damage > 0) + (melta.extra.plus if melta else 0)
    subtract = -sum(m.damage for m in mods if m.damage < 0)
    kinds = [
        Damage(
            weapon.damage, add, subtract + model.damage_reduction, model.halve_damage, model.damage_becomes
        )
        for model in of.target.models
    ]
    distinct = list(dict.fromkeys(kinds))
    return [*distinct, Damage(weapon.damage, add, subtract)], tuple(map(distinct.index, kinds))


def _pays(of: Circumstances, roll: Roll) -> bool:
    """Whether a critical hit takes more wounds by wounding automatically than by rolling; ties: it does.

    Compared are the expected wounds lost by an unhurt model of the group that would be first, capped at its W,
    after FEEL NO PAIN.
    """
    first = of.selectable[0] if roll.precision else of.initial_order[0]
    row = int(of.side.next_row[first, of.side.wounds[first]])
    wounds = of.target.models[row].wounds
    lost = expected_loss(roll.damage[roll.damage_class[row]], wounds, int(of.side.pain[row, roll.kind]))
    automatic = _unsaved_chance(roll.save_reroll, roll.unsaved[first]) * lost
    if roll.devastating:
        critical = expected_loss(roll.damage[-1], wounds, int(of.side.pain[row, roll.kind + 2]))
    else:
        critical = _unsaved_chance(roll.save_reroll, (roll.unsaved_critical or roll.unsaved)[first]) * lost
    chances = rules.chances(roll.wound, roll.wound_reroll)
    return automatic >= chances[rules.SUCCESS] * automatic + chances[rules.CRITICAL] * critical - 1e-12


def _unsaved_chance(policy: str | None, failing: int) -> float:
    return sum(rules.save_rolls(policy, failing)[:failing])
