"""What a file is, by its content, and its content within bounds.

A list is often a stranger's file: archives that swell, XML that expands itself, deep nesting and
endless lines are refused here, before any reader sees them.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import math
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mathhammer.datasheets.extra import need
from mathhammer.errors import MISSING, Problem, RosterError

LARGEST = 32 * 2**20
DEEPEST = 64
LONGEST_LINE = 4000
MOST_LINES = 20_000
"""Bounds of what is read: bytes unpacked, levels of nesting, characters in a line, lines."""

_SHARED = re.compile(r"H4sI[A-Za-z0-9+/_=-]+")
_ZIP_ENCRYPTED = 0x1
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\xad\ufeff"))


@dataclass(frozen=True)
class Node:
    """An element of the roster tree: the same from XML and from JSON.

    Attributes
    ----------
    attributes : dict of str to str
        The XML attributes, or the plain JSON values.
    children : dict of str to tuple of Node
        By the name of the collection: `selections`, `profiles`, `costs`, ...
    text : str
        The text of the element, `$text` in JSON.
    """

    attributes: dict[str, str]
    children: dict[str, tuple[Node, ...]] = field(default_factory=dict)
    text: str = ""

    def get(self, key: str) -> str:
        """An attribute, or the empty string."""
        return self.attributes.get(key, "")

    def all(self, collection: str) -> tuple[Node, ...]:
        """The children of one collection."""
        return self.children.get(collection, ())

    def walk(self) -> Iterator[Node]:
        """It, and all selections below it, from the outside in."""
        yield self
        for selection in self.all("selections"):
            yield from selection.walk()

    @property
    def points(self) -> float:
        """Its own points, without those of anything below it.

        Raises
        ------
        RosterError
            If they are no number.
        """
        total = 0.0
        for cost in self.all("costs"):
            if cost.get("name") == "pts":
                try:
                    total += float(cost.get("value") or 0)
                except ValueError:
                    total = math.nan
                if not math.isfinite(total):
                    raise RosterError.at(self.get("name"), cost.get("value"), "points are a number")
        return total


def open_list(source: str | Path) -> Node | str:
    """The content of an army list: the tree of a self-contained roster, or lines of text.

    Parameters
    ----------
    source : str or Path
        A file, or the text itself (of more than one line, or JSON, XML or a share address).

    Raises
    ------
    RosterError
        If the file cannot be read, is empty, unknown, damaged, or beyond the bounds.
    """
    data = _bytes_of(source)
    if data.startswith(b"PK"):
        data = _unzip(data)
        if data.startswith(b"PK"):
            raise _refused("the archive holds another archive: unpack it and give the .ros file")
    elif data.startswith(b"\x1f\x8b"):
        data = _gunzip(data)
    text = _decode(data).lstrip("\ufeff").strip()
    if not text:
        raise _refused("the list is empty: export it again, or paste its text")
    if text[0] == "<":
        return _xml_tree(text)
    if shared := _shared(text):
        text = _decode(_gunzip(shared)).strip()
    if text[0] == "{":
        return _json_tree(text)
    return _lines(text)


def _refused(why: str) -> RosterError:
    return RosterError([Problem("army list", MISSING, why)])


def _bytes_of(source: str | Path) -> bytes:
    if isinstance(source, str):
        if not source.strip():
            raise _refused("the list is empty: give a file or a pasted list")
        looks_like_text = (
            len(source.splitlines()) > 1 or source.lstrip()[:1] in ("{", "<") or _shared(source) is not None
        )
        if looks_like_text:
            return source.encode("utf-8", "surrogatepass")
    path = Path(source)
    try:
        size = path.stat().st_size
        if size > LARGEST:
            raise _refused(
                f"{path.name}: {size:,} bytes are more than an army list has ({LARGEST:,} at most)"
            )
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise _refused(
            f"{str(source)[:80]!r} cannot be read: {_reason(error)}; give a file or a pasted list"
        ) from error


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _unzip(data: bytes) -> bytes:
    """The one `.ros` member, read with a bound of its own: a stated size is not trusted."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [m for m in archive.infolist() if m.filename.lower().endswith(".ros")]
            if len(members) == 1 and not members[0].flag_bits & _ZIP_ENCRYPTED:
                with archive.open(members[0]) as member:
                    return _bounded(member.read(LARGEST + 1))
    except RosterError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise _refused(f"the archive is damaged ({error}): export the list again") from error
    if len(members) != 1:
        raise _refused(f"the archive holds {len(members)} .ros files, not one: export the list again")
    raise _refused("the archive is encrypted: export the list again without a password")


def _gunzip(data: bytes) -> bytes:
    reader = zlib.decompressobj(wbits=31)
    try:
        content = reader.decompress(data, LARGEST + 1)
    except zlib.error as error:
        raise _refused(f"the packed list is damaged ({error}): export or copy it again") from error
    if not reader.eof and len(content) <= LARGEST:
        raise _refused("the packed list is cut off: export or copy it again")
    return _bounded(content)


def _bounded(content: bytes) -> bytes:
    if len(content) > LARGEST:
        raise _refused(f"the list unpacks to more than {LARGEST:,} bytes: that is no army list")
    return content


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if b"\0" in data:
        raise _refused("the file is not text, JSON, XML or a .rosz archive: export the list again")
    return data.decode("cp1252", "replace")


def _shared(text: str) -> bytes | None:
    """The packed list inside a share address (or standing alone)."""
    if "H4sI" not in text or ("/listforge/" not in text and not text.lstrip().startswith("H4sI")):
        return None
    found = _SHARED.search(text)
    if found is None:
        return None
    packed = found[0].rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    except binascii.Error as error:
        raise _refused(f"the share address is damaged ({error}): copy it again") from error


def _xml_tree(text: str) -> Node:
    tree: Any = need("defusedxml.ElementTree", "reading a .ros or .rosz file")
    common: Any = need("defusedxml.common", "reading a .ros or .rosz file")
    encoded = re.sub(r"^<\?xml[^>]*\?>", "", text).encode("utf-8", "replace")
    try:
        root = tree.fromstring(encoded, forbid_dtd=True)
    except common.DefusedXmlException as error:
        raise _refused("the XML defines entities, as no roster does: refused") from error
    except (tree.ParseError, RecursionError, ValueError) as error:
        raise _refused(f"the XML is damaged ({error}): export the list again") from error
    if _local(root.tag) != "roster":
        raise _refused(
            f"the XML is a <{_local(root.tag)}>, not a <roster>: export the list, not the catalogue"
        )
    return _from_xml(root, 0)


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _from_xml(element: Any, depth: int) -> Node:
    if depth > DEEPEST:
        raise _refused(f"the list is nested more than {DEEPEST} deep: that is no army list")
    children = {
        _local(collection.tag): tuple(_from_xml(child, depth + 1) for child in collection)
        for collection in element
        if len(collection)
    }
    attributes = {key: _printable(value) for key, value in element.attrib.items()}
    return Node(attributes, children, _printable(element.text or ""))


def _json_tree(text: str) -> Node:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(f"the JSON is damaged ({error}): export the list again") from error
    roster = document.get("roster")
    if not isinstance(roster, dict) or not isinstance(roster.get("forces"), list):
        raise _refused(
            'the JSON has no "roster" with "forces": export the list as New Recruit or ListForge JSON'
        )
    # ListForge states the game system beside the roster, not in it.
    beside = {key: value for key, value in document.items() if isinstance(value, str)}
    return _from_json(beside | roster, 0)


def _from_json(value: dict[str, Any], depth: int) -> Node:
    if depth > DEEPEST:
        raise _refused(f"the list is nested more than {DEEPEST} deep: that is no army list")
    plain = ((k, v) for k, v in value.items() if isinstance(v, (str, int, float)) and k != "$text")
    attributes = {key: _printable(str(v)) for key, v in plain}
    children = {
        k: tuple(_from_json(child, depth + 1) for child in v if isinstance(child, dict))
        for k, v in value.items()
        if isinstance(v, list)
    }
    return Node(attributes, children, _printable(str(value.get("$text", ""))))


def _printable(text: str) -> str:
    """A text that no terminal acts on: what takes no place is gone, all spaces are plain ones."""
    seen = text.translate(_INVISIBLE)
    return (seen if seen.isprintable() else "".join(c if c.isprintable() else " " for c in seen)).strip()


def _lines(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise _refused(f"the text has {len(lines):,} lines: that is no army list")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            raise _refused(f"line {number} has {len(line):,} characters: that is no army list")
    return "\n".join(f"{line[: len(line) - len(line.lstrip())]}{_printable(line)}" for line in lines)
