"""Army lists of invented units, built in every envelope from one tree."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from typing import Any
from xml.sax.saxutils import quoteattr

ELEVENTH = "sys-352e-adc2-7639-d610"
TENTH = "sys-352e-adc2-7639-d6a9"
NINTH = "28ec-711c-d87f-3aeb"

Node = dict[str, Any]


def stat_line(name: str, t: int = 4, sv: str = "3+", w: int = 2, insv: str = "-") -> Node:
    cells = {"M": '6"', "T": str(t), "Sv": sv, "W": str(w), "LD": "6+", "OC": "1", "InSv": insv}
    return profile(name, "Unit", cells)


def ranged(
    name: str, a: str = "2", bs: str = "3+", s: str = "4", ap: str = "-1", d: str = "1", words: str = "-"
) -> Node:
    cells = {"Range": '24"', "A": a, "BS": bs, "S": s, "AP": ap, "D": d, "Keywords": words}
    return profile(name, "Ranged Weapons", cells)


def melee(
    name: str, a: str = "3", ws: str = "3+", s: str = "4", ap: str = "0", d: str = "1", words: str = "-"
) -> Node:
    cells = {"Range": "Melee", "A": a, "WS": ws, "S": s, "AP": ap, "D": d, "Keywords": words}
    return profile(name, "Melee Weapons", cells)


def ability(name: str, text: str) -> Node:
    return profile(name, "Abilities", {"Description": text})


def profile(name: str, kind: str, cells: dict[str, str]) -> Node:
    characteristics = [{"name": key, "$text": value} for key, value in cells.items()]
    return {"name": name, "typeName": kind, "characteristics": characteristics}


def selection(name: str, kind: str, number: Any = 1, *inside: Node, **lists: Any) -> Node:
    points = lists.pop("points", 0)
    costs = [{"name": "pts", "value": points}] if points else []
    categories = [{"name": word, "primary": False} for word in lists.pop("words", ())]
    return {
        "name": name,
        "type": kind,
        "number": number,
        "selections": list(inside),
        "costs": costs,
        "categories": categories,
        **lists,
    }


def weapon(name: str, number: int, *profiles: Node) -> Node:
    return selection(name, "upgrade", number, profiles=list(profiles))


def wardens(**more: Any) -> Node:
    """Five Wardens: four with one stat line of the unit, a captain with another one."""
    return selection(
        "Wardens",
        "unit",
        1,
        selection(
            "Warden",
            "model",
            4,
            weapon("Long rifle", 4, ranged("Long rifle", words="Rapid Fire 1, Heavy")),
            weapon("Boots", 4, melee("Boots")),
        ),
        selection(
            "Warden Captain",
            "model",
            1,
            weapon(
                "Glow pistol",
                1,
                ranged("➤ Glow pistol - low"),
                ranged("➤ Glow pistol - high", s="8", words="Hazardous"),
            ),
            weapon("Boots", 1, melee("Boots")),
            weapon("Great axe", 1, melee("Great axe", s="7", ap="-2", d="2")),
            profiles=[stat_line("Warden Captain", w=3)],
        ),
        profiles=more.pop("profiles", [stat_line("Warden")]),
        words=["Infantry", "Faction: Wall Folk"],
        points=100,
        **more,
    )


def roster(*units: Node, system: str = ELEVENTH, points: float | None = None) -> Node:
    configured = selection("Battle Size", "upgrade", 1, words=["Configuration"])
    force = {"catalogueName": "Folk - Wall Folk", "selections": [configured, *units]}
    total = {"costs": [{"name": "pts", "value": points}]} if points is not None else {}
    return {"name": "My list", "gameSystemId": system, "forces": [force], **total}


def as_json(tree: Node) -> str:
    return json.dumps({"roster": tree})


def as_xml(tree: Node) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_element("roster", tree)}'


def as_zip(tree: Node, name: str = "list.ros") -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, as_xml(tree))
    return packed.getvalue()


def as_address(tree: Node) -> str:
    packed = base64.urlsafe_b64encode(gzip.compress(as_json(tree).encode(), mtime=0)).decode()
    return f"https://listforge.example/listforge/{packed}"


_ONE = {
    "forces": "force",
    "selections": "selection",
    "costs": "cost",
    "categories": "category",
    "profiles": "profile",
    "characteristics": "characteristic",
    "rules": "rule",
}


def _element(tag: str, node: Node) -> str:
    plain = {key: value for key, value in node.items() if not isinstance(value, list) and key != "$text"}
    space = ' xmlns="http://www.battlescribe.net/schema/rosterSchema"' if tag == "roster" else ""
    attributes = "".join(f" {key}={quoteattr(str(value))}" for key, value in plain.items())
    inside = "".join(
        f"<{key}>{''.join(_element(_ONE[key], child) for child in value)}</{key}>"
        for key, value in node.items()
        if isinstance(value, list) and value
    )
    return f"<{tag}{space}{attributes}>{inside}{node.get('$text', '')}</{tag}>"


DATASHEETS = """
[[units]]
name = "Wall Wardens"
points = 100
keywords = ["INFANTRY"]
models = ["1x Warden Captain: T4 Sv3+ W3", "9x Warden: T4 Sv3+ W2"]
weapons = [
  '9x Long rifle: 24" A2 BS3+ S4 AP-1 D1 [RAPID FIRE 1]',
  '1x Glow pistol | Low: 12" A1 BS3+ S6 AP-2 D1',
  '1x Glow pistol | High: 12" A1 BS3+ S8 AP-3 D2 [HAZARDOUS]',
  '10x Boots: Melee A3 WS3+ S4 AP0 D1',
  '1x Great axe: Melee A3 WS3+ S7 AP-2 D2',
]

[[units]]
name = "Grüt the Old"
points = 80
keywords = ["INFANTRY", "CHARACTER"]
models = ["1x Grüt the Old: T5 Sv2+ InSv4+ W6 [CHARACTER]"]
weapons = ['1x Stone axe: Melee A6 WS2+ S8 AP-2 D2', '1x Sling: 18" A2 BS3+ S4 AP0 D1']

[[units]]
name = "Stone Crawler"
points = 150
keywords = ["VEHICLE"]
models = ["1x Stone Crawler: T11 Sv2+ W14"]
weapons = ['2x Boulder gun: 36" A3 BS3+ S10 AP-2 D3', '1x Treads: Melee A4 WS4+ S7 AP0 D1']
"""
"""Datasheets for text lists."""
