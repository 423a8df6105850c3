"""Datasheets of the public dataset in the package `wh40kdc`; nothing of it is copied here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.metadata import metadata, version
from typing import Any

from mathhammer.datasheets.datasheet import Datasheet, Datasheets, Entry, ModelRow, Price, Size
from mathhammer.datasheets.defences import Defence, changes_maths
from mathhammer.datasheets.extra import need
from mathhammer.datasheets.muster import Arm
from mathhammer.datasheets.names import containing, find, fold
from mathhammer.datasheets.statline import model, weapon
from mathhammer.dice import plain
from mathhammer.errors import InvalidScenario
from mathhammer.unit_abilities import parse_unit_abilities
from mathhammer.units import Weapon

_PAINS = {None: "feel_no_pain", "psychic": "feel_no_pain_psychic", "mortal": "feel_no_pain_mortal"}
_PAINS |= {"mortal-wounds": "feel_no_pain_mortal", "mortal-wound": "feel_no_pain_mortal"}
_WHOSE = {"unit": "unit", "self": "model"}
_STATS = {("W", "set"): "wounds", ("W", "add"): "+wounds", ("Sv", "set"): "save", ("T", "set"): "toughness"}
_ROLES = {"leader": "leader", "support": "support"}
_GRANTED = re.compile(r"gains? the ([^.;]{1,80}) ability", re.IGNORECASE)
_MOVES = re.compile(
    r"\A(?!.*attack).*(?:advance|manoeuvre|\bmove|fall ?back|charge|deep strike|deploy|reserves|reinforcements"
    r"|ingress|infiltrat|scouts|embark|passenger|passthrough|coherency|split|squads|section|attach"
    r"|lone operative|heroic|tank shock|warlord|army|metadata|mutual|capacity|battle.?shock|leadership|shaken"
    r"|pinned|order range|stratagem|action eligib|and shoot eligib|eligible to fight and|shadow of chaos|ritual)",
    re.IGNORECASE,
)
"""Abilities that the data name and do not explain: those with such a word change no attack."""


@lru_cache(maxsize=1)
def fortykdc() -> Datasheets:
    """The datasheets of the installed `wh40kdc`, with version and licence in the label.

    Raises
    ------
    RosterError
        If the extra `data` is not installed.
    """
    package: Any = need("wh40kdc", "looking up a datasheet")
    licence = metadata("wh40kdc")["License-Expression"] or "licence unstated"
    dataset = package.Dataset.embedded()
    entries = tuple(
        Entry(one.name, _factions(one), partial(_datasheet, one, dataset)) for one in dataset.units.all
    )
    return Datasheets(
        label=f"wh40kdc {version('wh40kdc')} ({licence})",
        entries=entries,
        armoury=partial(_armoury, dataset=dataset),
        wargear=_wargear(dataset),
    )


def _factions(unit: Any) -> tuple[str, ...]:
    named = [unit.faction.name] if unit.faction else []
    return tuple(dict.fromkeys([*named, *unit.faction_keywords]))


def _wargear(dataset: Any) -> tuple[str, ...]:
    """What may be carried and is no weapon anywhere; some weapons are listed among it."""
    weapons = {fold(one.name) for one in dataset.weapons.all}
    return tuple(one["name"] for one in dataset.wargear.all if fold(one["name"]) not in weapons)


@lru_cache(maxsize=8)
def _armoury(faction: str, dataset: Any) -> dict[str, list[Arm]]:
    """The weapons of a faction by name, or of all factions; every different profile of them."""
    known = {one.name: one.id for one in dataset.factions.all}
    wanted = find(faction, known, guess=False)
    by_name: dict[str, list[Arm]] = {}
    for one in dataset.weapons.all:
        if faction and one.raw["faction_id"] != wanted:
            continue
        try:
            arms = _arms_of(one.raw, dataset)
        except InvalidScenario:
            continue  # not usable by anybody; the datasheets that have it disclose it
        for arm in arms:
            same = by_name.setdefault(fold(arm.name), [])
            if not any(arm.modes == other.modes for other in same):
                same.append(arm)
    return by_name


def _datasheet(unit: Any, dataset: Any) -> Datasheet:
    raw = unit.raw
    composition = dataset.unit_composition_of(raw) or {}
    arms, unread = _arms(unit, dataset)
    names = {one.id: one.name for one in unit.weapons}
    names |= {one["id"]: one["name"] for one in dataset.wargear.all}
    rules = _rules(unit, composition, names)
    rows, notes = _rows(unit, composition, names, rules.keys)
    return Datasheet(
        name=unit.name,
        faction=_factions(unit)[0] if _factions(unit) else "",
        rows=rows,
        arms=arms,
        keywords=(*unit.keywords, *unit.faction_keywords),
        abilities=tuple(rules.abilities),
        not_modelled=tuple(dict.fromkeys([*rules.disclosed, *notes, *unread])),
        sizes=_sizes(composition, rows),
        prices=_prices(unit.points),
        wargear=rules.wargear,
        harmless=frozenset(rules.harmless),
        costs={
            names.get(one["item_id"], one["item_id"].replace("-", " ")): one["cost"]
            for one in raw.get("wargear_costs") or ()
        },
        role=_ROLES.get(raw.get("attachment_role"), ""),
    )


def _arms(unit: Any, dataset: Any) -> tuple[tuple[Arm, ...], list[str]]:
    arms: list[Arm] = []
    unread = []
    for one in unit.weapons:
        try:
            new = _arms_of(one.raw, dataset)
        except InvalidScenario as error:
            unread.append(f"{one.name} ({error})")
            continue
        arms += [arm for arm in new if arm not in arms]
    return tuple(arms), unread


def _arms_of(raw: Mapping[str, Any], dataset: Any) -> list[Arm]:
    """The weapon, as two where it shoots and fights."""
    kinds: dict[bool, list[tuple[str, Weapon]]] = {False: [], True: []}
    for profile in raw["profiles"]:
        reach = profile.get("range")
        melee = reach == "Melee" or "WS" in profile["stats"]
        cells = {"Range": f'{reach}"' if isinstance(reach, int) else reach, **profile["stats"]}
        words = [
            _keyword(one, dataset) for one in profile.get("keywords") or [] if one["keyword_id"] != "hunter"
        ]
        if hunted := _hunted(profile):
            words.append(f"HUNTER: {'/'.join(hunted)}")
        read, _ = weapon(raw["name"], cells, words, melee=melee)
        kinds[melee].append((_mode(raw["name"], profile["name"]), read))
    used = [modes for modes in kinds.values() if modes]
    return [Arm(raw["name"], tuple(modes) if len(modes) > 1 else (("", modes[0][1]),)) for modes in used]


def _mode(weapon: str, profile: str) -> str:
    """The mode that a profile is of: some profiles repeat the name of their weapon before it."""
    title, dash, mode = plain(profile).partition(" - ")
    return mode if dash and fold(title) == fold(weapon) else profile


def _hunted(profile: Mapping[str, Any]) -> list[str]:
    """The keywords of the only units that a weapon may target: in the data they stand in two places."""
    limits = profile.get("target_restrictions") or {}
    words = [
        (one.get("parameters") or {}).get("target_keyword", "?")
        for one in profile.get("keywords") or []
        if one["keyword_id"] == "hunter"
    ]
    return list(dict.fromkeys([*(limits.get("required_keywords_any") or ()), *words]))


def _keyword(reference: Mapping[str, Any], dataset: Any) -> str:
    """`{"keyword_id": "anti", "parameters": {...}}` as it stands on a datasheet."""
    parameters = reference.get("parameters") or {}
    catalogued = dataset.weapon_keywords.get(reference["keyword_id"])
    name = catalogued.name if catalogued else reference["keyword_id"].replace("-", " ")
    wanted = parameters.get("required_target_keywords_any")
    excluded = parameters.get("excluded_target_keywords")
    only = f": {'/'.join(wanted)}" if wanted else f": non-{'/'.join(excluded)}" if excluded else ""
    if "threshold" in parameters:
        return f"Anti-{parameters['target_keyword']} {parameters['threshold']}+{only}"
    if "target_keyword" in parameters:
        return f"{name}: {parameters['target_keyword']}"
    return f"{name} {parameters.get('value', '')}".strip() + only


def _rows(
    unit: Any, composition: Mapping[str, Any], names: Mapping[str, str], keys: Mapping[str, int]
) -> tuple[tuple[ModelRow, ...], list[str]]:
    profiles = {profile["name"]: profile for profile in unit.profiles}
    count = unit.model_count or {"min": 1, "max": 1}
    listed = composition.get("models") or [{"name": unit.name, **count}]
    leaders = any(row.get("is_leader_model") for row in listed)
    rows: list[ModelRow] = []
    notes = []
    for row in listed:
        named = row.get("profile_name") or row["name"]
        line = (find(named, profiles) or containing(named, profiles)) if len(profiles) > 1 else None
        if line is None:
            line = unit.profiles[0]
            if len(profiles) > 1:
                notes.append(f"{row['name']}: the data name no profile of it; that of {line['name']} is used")
        saves = {
            "invulnerable_save_ranged": line.get("invuln_sv_ranged"),
            "invulnerable_save_melee": line.get("invuln_sv_melee"),
        }
        more: dict[str, Any] = {key: value for key, value in saves.items() if value} | dict(keys)
        character = "Character" in unit.keywords and (not leaders or bool(row.get("is_leader_model")))
        if character:
            more["character"] = True
        if (profiled := line.get("invuln_sv")) and profiled <= more.get("invulnerable_save", 7):
            more["invulnerable_save"] = profiled
        read, _ = model(row["name"], {key: line[key] for key in ("T", "Sv", "W")}, **more)
        gear = tuple(names.get(one, one.replace("-", " ")) for one in row.get("default_weapon_ids") or ())
        if not gear and len(listed) == len(unit.weapons) == 1:
            gear = tuple(one.name for one in unit.weapons)
        _add(rows, ModelRow(read, row.get("min", 0), row.get("max", 1), gear))
    return tuple(rows), notes


def _add(rows: list[ModelRow], row: ModelRow) -> None:
    """Rows of the same model with the same gear are one row."""
    for at, other in enumerate(rows):
        if (other.profile, other.gear) == (row.profile, row.gear):
            rows[at] = ModelRow(row.profile, other.least + row.least, other.most + row.most, row.gear)
            return
    rows.append(row)


def _sizes(composition: Mapping[str, Any], rows: Sequence[ModelRow]) -> tuple[Size, ...]:
    sizes = []
    for tier in composition.get("tiers") or ():
        bounds: dict[str, tuple[int, int]] = {}
        for part in tier["models"]:
            least, most = bounds.get(fold(part["name"]), (0, 0))
            bounds[fold(part["name"])] = (least + part["min"], most + part["max"])
        if set(bounds) <= {fold(row.name) for row in rows}:
            sizes.append(tuple(bounds.get(fold(row.name), (0, 0)) for row in rows))
    return tuple(sizes)


def _prices(points: Sequence[Mapping[str, Any]]) -> tuple[Price, ...]:
    """Points of a first unit: the surcharge for later ones is the list's business."""
    first = [tier for tier in points if (tier.get("unit_count_min") or 1) == 1]
    return tuple(Price(t["models"], t.get("models_max") or t["models"], t["cost"]) for t in first)


@dataclass
class _Rules:
    """What the abilities of a unit come to.

    `keys` are defences of every model, `abilities` those of the unit; the rest is as in `Datasheet`.
    """

    keys: dict[str, int] = field(default_factory=dict)
    abilities: list[str] = field(default_factory=list)
    wargear: dict[str, Defence | None] = field(default_factory=dict)
    harmless: set[str] = field(default_factory=set)
    disclosed: list[str] = field(default_factory=list)


def _rules(unit: Any, composition: Mapping[str, Any], names: Mapping[str, str]) -> _Rules:
    armed = {one.id for one in unit.weapons}
    carried = sorted(_optional(unit, composition) - armed)
    rules = _Rules(wargear={names.get(one, one.replace("-", " ")): None for one in carried})
    shown = {fold(name): name for name in rules.wargear}
    models = [row["name"] for row in composition.get("models") or [{"name": unit.name}]]
    for ability in unit.abilities:
        name = shown.get(fold(ability.name), ability.name)
        optional = name in rules.wargear
        given = _defence(ability)
        maths = _changes(ability.describe())
        if find(name, dict.fromkeys(models, True), guess=False) is None:
            rules.wargear.setdefault(name, None)
        if not maths:
            rules.harmless.add(name)
        if optional:
            rules.wargear[name] = given
        elif given is not None and not _is_change(given) and (given.whose == "unit" or len(models) == 1):
            rules.keys |= given.keys
            rules.harmless.add(name)
        elif _known(ability.name):
            rules.abilities.append(ability.name)
            rules.harmless.add(name)
        elif maths:
            rules.disclosed.append(ability.name)
    return rules


def _optional(unit: Any, composition: Mapping[str, Any]) -> set[str]:
    """The ids of all that its models may carry."""
    found: set[str] = set()
    for option in unit.wargear_options:
        found.update(option.get("replacement") or ())
        found.update(one for group in option.get("replacement_choice") or () for one in group)
    for row in composition.get("models") or ():
        found.update(row.get("default_weapon_ids") or ())
    for budget in unit.raw.get("wargear_budgets") or ():
        found.update(budget.get("items") or ())
    return found


def _defence(ability: Any) -> Defence | None:
    """The defence that an ability always gives, if that is all it does."""
    effect = ability.raw["effect"]
    lasting = ability.raw["scope"].get("duration") in ("permanent", "battle")
    if ability.raw["behavior"] != "passive" or not lasting or effect.get("target") not in _WHOSE:
        return None
    modifier = effect.get("modifier") or {}
    whose = _WHOSE[effect["target"]]
    if effect["type"] == "feel-no-pain" and modifier.get("scope") in _PAINS:
        return Defence({_PAINS[modifier.get("scope")]: modifier["threshold"]}, whose)
    if effect["type"] == "invulnerable-save" and set(modifier) == {"invuln_sv"}:
        return Defence({"invulnerable_save": modifier["invuln_sv"]}, whose)
    if effect["type"] == "damage-reduction" and set(modifier) == {"reduction"}:
        if modifier["reduction"] == "half":
            return Defence({"halve_damage": 1}, whose)
        if isinstance(modifier["reduction"], int):
            return Defence({"damage_reduction": modifier["reduction"]}, whose)
    if effect["type"] == "stat-modifier" and effect["target"] == "self":
        key = _STATS.get((str(modifier.get("stat")), str(modifier.get("operation"))))
        return Defence({key: modifier["value"]}, whose) if key else None
    return None


def _is_change(given: Defence) -> bool:
    """Whether it changes a characteristic: without knowing who wears what, that is not applied."""
    return bool(given.keys.keys() & set(_STATS.values()))


def _changes(text: str) -> bool:
    """Whether it changes attacks, or gives something, such as a weapon, of which the data do not say what."""
    granted = (name for name in _GRANTED.findall(text) if not _MOVES.search(name) and not _known(name))
    return changes_maths(text) or any(granted)


def _known(name: str) -> bool:
    try:
        return all(ability.name != "FEEL NO PAIN" for ability in parse_unit_abilities(name))
    except InvalidScenario:
        return False
