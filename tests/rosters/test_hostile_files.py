"""Files from strangers: refused with a message, never a traceback, a hang or half a list in silence."""

from __future__ import annotations

import contextlib
import gzip
import io
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.rosters import invented as inv

from mathhammer import RosterError, read_roster
from mathhammer.rosters import envelope


def refused(tmp_path: Path, content: bytes, name: str = "list.rosz") -> str:
    path = tmp_path / name
    path.write_bytes(content)
    started = time.perf_counter()
    with pytest.raises(RosterError) as caught:
        read_roster(path, source=inv.DATASHEETS)
    assert time.perf_counter() - started < 10
    assert "\n" not in str(caught.value)
    return str(caught.value)


def archive(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "."), content)
    return packed.getvalue()


@pytest.mark.parametrize("nothing", [None, 3, b"list.rosz", ["list.rosz"]])
def test_what_is_no_file_and_no_text_is_refused(nothing: Any) -> None:
    with pytest.raises(RosterError, match=r"army list = .*: give a file or a pasted list"):
        read_roster(nothing)


@pytest.mark.parametrize("nothing", ["", " ", " \n\n "])
def test_an_empty_text_is_an_empty_list(nothing: str) -> None:
    with pytest.raises(RosterError, match="the list is empty: give a file or a pasted list"):
        read_roster(nothing)


def test_an_archive_that_swells_is_bounded(tmp_path: Path) -> None:
    assert "unpacks to more" in refused(tmp_path, archive(a__ros=b" " * (envelope.LARGEST + 10)))


def test_a_packed_list_that_swells_is_bounded(tmp_path: Path) -> None:
    assert "unpacks to more" in refused(tmp_path, gzip.compress(b" " * (envelope.LARGEST + 10)))


def test_an_archive_has_one_list(tmp_path: Path) -> None:
    assert "0 .ros files" in refused(tmp_path, archive(a__txt=b"x"))
    assert "2 .ros files" in refused(tmp_path, archive(a__ros=b"x", b__ros=b"x"))


def test_an_archive_with_a_password_is_refused(tmp_path: Path) -> None:
    packed = bytearray(archive(a__ros=b"x"))
    for signature, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        packed[packed.find(signature) + flags] |= 1
    assert "without a password" in refused(tmp_path, bytes(packed))


def test_a_packed_list_that_ends_early_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(np.random.default_rng(1).bytes(1000))
    assert "cut off" in refused(tmp_path, whole[:-400])
    assert "damaged" in refused(tmp_path, whole[:20] + b"\xff" * 40 + whole[60:])


def test_a_file_larger_than_any_list_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "list.ros"
    with path.open("wb") as file:
        file.truncate(envelope.LARGEST + 1)
    with pytest.raises(RosterError, match="more than an army list has"):
        read_roster(path)


@pytest.mark.parametrize("value", ["many", "nan", "inf"])
def test_points_that_are_no_number_are_refused(tmp_path: Path, value: str) -> None:
    odd = inv.as_json(inv.roster(inv.wardens(costs=[{"name": "pts", "value": value}])))
    assert "points are a number" in refused(tmp_path, odd.encode(), "list.json")


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    inner = inv.as_zip(inv.roster(inv.wardens()))
    assert "another archive" in refused(tmp_path, archive(a__ros=inner))


def test_a_path_in_an_archive_writes_nothing(tmp_path: Path) -> None:
    content = inv.as_zip(inv.roster(inv.wardens()), name="../../evil.ros")
    (tmp_path / "list.rosz").write_bytes(content)
    assert len(read_roster(tmp_path / "list.rosz").units) == 1
    assert [path.name for path in tmp_path.parent.glob("**/evil*")] == []


@pytest.mark.parametrize("cut", [3, 30, 200])
def test_a_truncated_archive_is_refused(tmp_path: Path, cut: int) -> None:
    assert "damaged" in refused(tmp_path, inv.as_zip(inv.roster(inv.wardens()))[:-cut])


def test_a_bit_flip_in_an_archive_is_refused(tmp_path: Path) -> None:
    content = bytearray(inv.as_zip(inv.roster(inv.wardens())))
    content[len(content) // 2] ^= 0xFF
    assert refused(tmp_path, bytes(content))


ENTITIES = """<?xml version="1.0"?>
<!DOCTYPE roster [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<roster name="&b;"><forces/></roster>"""


@pytest.mark.parametrize(
    "text",
    [ENTITIES, ENTITIES.replace('"aaaaaaaaaa"', 'SYSTEM "file:///etc/passwd"'), "<!DOCTYPE roster><roster/>"],
)
def test_entities_are_refused(tmp_path: Path, text: str) -> None:
    assert "refused" in refused(tmp_path, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "<roster>" + "<selections>" * 5000,
        "<roster>" + "<forces><force>" * 3000 + "</force></forces>" * 3000 + "</roster>",
        '{"roster": {"forces": ' + '[{"selections": ' * 400 + "[]" + "}]" * 400 + "}}",
        "[" * 100_000,
        '{"roster": {"forces": ' + "[" * 100_000,
    ],
)
def test_deep_nesting_is_refused(tmp_path: Path, text: str) -> None:
    assert refused(tmp_path, text.encode())


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        '{"roster": []}',
        '{"roster": {"forces": {}}}',
        '{"roster": {"forces": []}}',
        '{"roster": {"forces": [{"selections": "many"}]}}',
        '{"units": [',
        "<catalogue/>",
        "<roster/>",
        "<roster",
        "<",
        "{",
        "PK",
        "H4sI",
        "listforge/H4sIAAAA",
        "+ FACTION KEYWORD: X\n",
        "[100 pts]\n",
        "[[units]]\n",
        "[[units]]\nname = 3\n",
    ],
)
def test_what_is_no_list_is_refused(tmp_path: Path, text: str) -> None:
    assert refused(tmp_path, text.encode())


def test_the_empty_file_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    assert "empty" in refused(tmp_path, b"")
    assert "empty" in refused(tmp_path, b"\xef\xbb\xbf \r\n ")
    for path in (tmp_path, tmp_path / "missing.rosz", "missing\0.rosz"):
        with pytest.raises(RosterError, match="cannot be read"):
            read_roster(path)


@pytest.mark.parametrize("seed", range(3))
def test_ten_megabytes_of_noise_are_refused(tmp_path: Path, seed: int) -> None:
    noise = np.random.default_rng(seed)
    content = (
        noise.bytes(10_000_000),
        noise.integers(32, 127, 10_000_000, dtype=np.uint8).tobytes(),
        b"\n".join([b"noise (12 points) x" * 3] * 150_000),
    )[seed]
    assert refused(tmp_path, content)


PADDED = {
    "spaces before points": "a" + " " * 3900 + "(100 points",
    "brackets": "(" * 3900,
    "digits": "1" * 3900 + "x",
    "bullets": "• " * 1900,
    "dashes": "- " * 1900 + "(1 points)",
    "colons": "a: " * 1300,
    "keyword": "+ FACTION KEYWORD:" + " " * 3900 + "x",
    "counts": "1x " * 1300,
    "markdown": "a [" * 1300,
}


@pytest.mark.parametrize("line", PADDED.values(), ids=PADDED.keys())
def test_padded_lines_do_not_make_the_reader_crawl(line: str) -> None:
    text = "\n".join(["List (100 points)", "", "CHARACTERS", "", "Grüt the Old (80 points)", *[line] * 40])
    started = time.perf_counter()
    for form in (text, "+ FACTION KEYWORD: X\n" + text, "# X [10 pts]\n" + text):
        with contextlib.suppress(RosterError):
            read_roster(form, source=inv.DATASHEETS)
    assert time.perf_counter() - started < 10


def test_a_line_beyond_the_bound_is_named(tmp_path: Path) -> None:
    assert "line 2 has" in refused(tmp_path, b"a\n" + b"x" * 5000, "list.txt")


def test_wrong_encodings_are_read_or_refused(tmp_path: Path) -> None:
    text = "List (80 points)\n\nCHARACTERS\n\nGrüt the Old (80 points)\n• 1x Stone axe\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        content = text.replace("•", "*").encode(encoding)
        (tmp_path / "list.txt").write_bytes(content)
        assert read_roster(tmp_path / "list.txt", source=inv.DATASHEETS).units[0].weapons[0].count == 1
    assert refused(tmp_path, text.encode("utf-16-le"))


def test_nothing_but_a_roster_error_comes_of_damaged_lists(tmp_path: Path) -> None:
    noise = np.random.default_rng(11)
    tree = inv.roster(inv.wardens(), points=100)
    for whole in (inv.as_zip(tree), inv.as_xml(tree).encode(), inv.as_json(tree).encode()):
        for _ in range(60):
            damaged = bytearray(whole)
            for at in noise.integers(0, len(damaged), 3):
                damaged[at] = noise.integers(0, 256)
            (tmp_path / "list").write_bytes(bytes(damaged))
            try:
                read_roster(tmp_path / "list", source=inv.DATASHEETS)
            except RosterError:
                continue


def test_more_units_than_any_army_has_are_refused(tmp_path: Path) -> None:
    units = "".join(f"Nobody {number} (5 points)\n• 1x Stick\n" for number in range(1001))
    said = refused(tmp_path, f"List (5005 points)\n\n{units}".encode(), "list.txt")
    assert "army list = 1001: a list has at most 1,000 units" in said
