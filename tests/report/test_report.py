"""The page that is sent to a friend: it holds everything, says the numbers, and trusts no name."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.pyplot as plt
import pytest
import typer
from typer.testing import CliRunner

from mathhammer.analysis import compare
from mathhammer.cli.report import report as command
from mathhammer.errors import InvalidScenario
from mathhammer.report_page import report
from mathhammer.unit_files import write_units
from mathhammer.units import Modifiers, Unit

matplotlib.use("Agg")

RIFLES = Unit(name="Rifle squad", points=80, weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
LANCES = Unit(name="Lances", points=100, weapons=["2x Lance: A1 BS3+ S12 AP-3 DD6+1"])
TARGETS = ["chaff", "tank"]


class Page(HTMLParser):
    """The tags that were opened and not closed, the tables, and what is loaded from elsewhere."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "img"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.links += [value or "" for key, value in attrs if key in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def text() -> str:
    return report([RIFLES, LANCES], TARGETS)


def test_the_page_is_whole_and_needs_no_network(text: str) -> None:
    page = Page(text)
    assert page.open == []
    assert page.links
    assert all(link.startswith("data:image/svg+xml;base64,") for link in page.links)
    assert not re.search(r"<script|@import|url\(", text)


def test_the_pictures_are_drawn_and_closed(text: str) -> None:
    pictures = [b64decode(link.partition(",")[2]) for link in Page(text).links]
    # Two heat maps; for each of two targets the kill curves and the efficiency.
    assert len(pictures) == 2 + 2 * 2
    assert all(b"<svg" in picture for picture in pictures)
    assert plt.get_fignums() == []


def test_the_tables_hold_the_values_of_compare(text: str) -> None:
    frame = compare([RIFLES, LANCES], TARGETS, "wounds_lost").set_index(["attacker", "target"])
    rows = Page(text).rows
    assert rows[0] == ["", *TARGETS]
    for row in rows[1:3]:
        shown = [float(cell) for cell in row[1:]]
        assert shown == pytest.approx([frame.loc[(row[0], t), "value"] for t in TARGETS], abs=0.006)


def test_the_page_names_the_best_against_each_target(text: str) -> None:
    assert "Against <b>chaff</b>: <b>Rifle squad</b>" in text
    assert "Against <b>tank</b>: <b>Lances</b>" in text


def test_monte_carlo_says_trials_seed_and_error() -> None:
    text = report(RIFLES, "marines", engine="monte-carlo", trials=2000, seed=5)
    assert "2,000 trials each, seed 5" in text
    assert "±" in text
    assert text == report(RIFLES, "marines", engine="monte-carlo", trials=2000, seed=5)


def test_names_are_text_not_markup() -> None:
    hostile = Unit(name="<script>alert('x')</script>", weapons=['1x "A" & <B>: A1 BS3+ S4 AP0 D1'])
    text = report(hostile, Unit(name="<img src=x>", models=["1x <i>M</i>: T4 Sv3+ W2"]), title="a < b")
    assert "<script" not in text
    assert "<img src=x" not in text
    assert "<i>" not in text
    assert "<title>a &lt; b</title>" in text
    assert Page(text).open == []


def test_without_points_wounds_decide() -> None:
    text = report(Unit(name="Gun", weapons=RIFLES.weapons), Unit(name="Foe", models=["5x Foe: T4 Sv4+ W1"]))
    assert "wounds lost, " in text
    assert "points_destroyed: 1 of 1 without points" in text


def test_what_is_not_modelled_is_said() -> None:
    text = report(RIFLES.replaced(not_modelled=["Oath of the Wall"]), "marines")
    assert re.search("Not modelled: [^<]*Oath of the Wall", text)


def test_a_unit_with_both_kinds_of_weapon_shoots_and_the_page_says_so() -> None:
    both = Unit(name="Both", points=50, weapons=[*RIFLES.weapons, "10x Fist: Melee A1 WS3+ S4 AP0 D1"])
    assert "Both attacks with its ranged weapons" in report(both, "marines")


def test_a_note_may_stand_alone_and_one_of_a_thing_is_no_plural() -> None:
    text = report(RIFLES, ["chaff", "tank"], notes="As of tonight")
    assert "<li>As of tonight</li>" in text
    assert '<p class="lead">1 attacker, 2 targets · exact probabilities</p>' in text


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidScenario, match="cannot be written"):
        report(RIFLES, "chaff", tmp_path / "none" / "page.html")


def test_modifiers_of_one_attacker_are_those_of_its_pictures_too() -> None:
    better = Modifiers(damage=3, hit_roll=1)
    text = report([(RIFLES, better), RIFLES], ["tank"])
    frame = compare([(RIFLES, better), RIFLES], ["tank"], "wounds_lost")
    shown = [float(row[1]) for row in Page(text).rows[1:3]]
    assert shown == pytest.approx(frame["value"].tolist(), abs=0.006)
    assert text != report([RIFLES, RIFLES], ["tank"])
    same = report(RIFLES, ["tank"], modifiers=better)
    pictures = [link for link in Page(same).links if link.startswith("data")]
    assert pictures[-1] == Page(report((RIFLES, better), ["tank"])).links[-1]


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        ((RIFLES, ["marine"]), {}, r'targets\[0\] = "marine": is no standard target'),
        ((RIFLES, None), {}, "targets = None: write a Unit"),
        ((None, "tank"), {}, "attackers = None: write a Unit"),
        ((RIFLES, "tank"), {"conditions": {"foo": 1}}, "conditions.foo = 1"),
        ((RIFLES, "tank"), {"modifiers": {"foo": 1}}, "modifiers.foo = 1"),
        ((RIFLES, "tank"), {"choices": 3}, "choices = 3"),
        ((RIFLES, "tank", 3), {}, "path = 3: give the path of a file"),
        ((RIFLES, "tank"), {"title": 3}, "title = 3: write a text"),
        ((RIFLES, "tank"), {"notes": None}, "notes = None: write a list of texts"),
        ((RIFLES, "tank"), {"notes": ["a", None]}, r"notes\[1\] = None: write a text"),
        ((RIFLES, "tank"), {"engine": ["exact"]}, r"engine = \['exact'\]: one of"),
        ((RIFLES, "tank"), {"jobs": 1.5}, r"jobs = 1\.5: a number of processes"),
    ],
)
def test_what_is_wrong_is_named_by_its_argument(arguments: Any, options: Any, said: str) -> None:
    with pytest.raises(InvalidScenario, match=f"^{said}"):
        report(*arguments, **options)


@pytest.fixture
def run(tmp_path: Path) -> Any:
    (tmp_path / "army.toml").write_text(write_units([RIFLES, LANCES]), encoding="utf-8")
    app = typer.Typer()
    app.command()(command)
    return lambda *args: CliRunner().invoke(app, [str(tmp_path / "army.toml"), *args])


def test_the_command_writes_the_page(run: Any, tmp_path: Path) -> None:
    done = run("--against", "tank", "--out", str(tmp_path / "page.html"), "--title", "Tonight")
    assert done.exit_code == 0
    assert done.stdout == ""
    assert "<h1>Tonight</h1>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_the_command_writes_only_the_page_to_stdout(run: Any) -> None:
    done = run("--against", "marines", "-o", "-")
    assert done.stdout.startswith("<!doctype html>")
    assert done.stdout.endswith("</html>\n")
