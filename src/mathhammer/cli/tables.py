"""Tidy tables as readable ones, at most 100 columns wide; rounding is done here and nowhere before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mathhammer.analysis.summary import written

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["by_metric", "matrix", "named", "show", "with_error"]

NARROWEST, WIDEST = 80, 100
"""Columns of a table, however narrow or wide the terminal is."""

_NAMES = {"unit_destroyed": "chance to destroy"}


def named(metric: str) -> str:
    """A metric in words.

    Examples
    --------
    >>> named("unit_destroyed_per_100_points")
    'chance to destroy per 100 points'
    """
    plain = metric.removesuffix("_per_100_points")
    words = _NAMES.get(plain, plain.replace("_", " "))
    return words if plain == metric else f"{words} per 100 points"


def plain_number(metric: str, value: float, error: float, engine: str) -> str:
    """A value of a metric: a chance as a percentage, digits as far as the error allows.

    A simulated chance of 0 or 1, or mean of 0, is only what was seen.

    Examples
    --------
    >>> [plain_number("unit_destroyed", 0.0, 0.0, engine) for engine in ("exact", "monte-carlo")]
    ['0.00%', 'never seen']
    """
    chance = metric.startswith("unit_destroyed")
    seen = _SEEN[chance] if engine == "monte-carlo" and error == 0 else {}
    return seen.get(value) or written(value, error, percent=chance)


_SEEN = {False: {0.0: "none seen"}, True: {0.0: "never seen", 1.0: "always seen"}}


def with_error(metric: str, value: float, error: float, engine: str) -> str:
    """A value of a metric, with its error where it has one.

    Examples
    --------
    >>> with_error("wounds_lost", 4.19, 0.076, "monte-carlo")
    '4.19 ±0.08'
    """
    text = plain_number(metric, value, error, engine)
    return f"{text} ±{plain_number(metric, error, error, engine)}" if error else text


def _signed_number(metric: str, value: float, error: float, engine: str) -> str:
    """A difference, with its error where it has one; a simulated 0 is only what was seen."""
    if value == 0 and engine == "monte-carlo" and not error:
        return "none seen"
    text = with_error(metric, value, error, engine)
    return f"+{text}" if value > 0 and text[0] != "<" else text


def _label(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _width() -> int:
    return min(max(Console().width, NARROWEST), WIDEST)


def matrix(frame: pd.DataFrame, metric: str, down: str, across: str) -> list[Table | Text]:
    """One metric over two columns of the table, in as many tables as the width needs.

    The longer of the two runs down.
    """
    rows = frame[frame["metric"] == metric]
    cells: dict[tuple[str, str], str] = {}
    for one, other, *estimate in zip(
        rows[down], rows[across], rows["value"], rows["standard_error"], rows["engine"], strict=True
    ):
        cells[_label(one), _label(other)] = plain_number(metric, *estimate) or "lost"
    lines, columns = (list(dict.fromkeys(pair[side] for pair in cells)) for side in (0, 1))
    if len(columns) > len(lines):
        down, across, lines, columns = across, down, columns, lines
        cells = {(other, one): text for (one, other), text in cells.items()}
    first = min(max(map(len, (*lines, down))), 34)
    made: list[Table | Text] = []
    wide = {
        name: min(max(map(len, [*name.split(), *(cells.get((line, name), "-") for line in lines)])), 24) + 2
        for name in columns
    }
    for part in _fitting(wide, _width() - first - 2):
        table = Table(box=SIMPLE_HEAD)
        table.add_column(Text(down), min_width=first, max_width=first, overflow="fold")
        for name in part:
            table.add_column(Text(name), justify="right", vertical="bottom", overflow="fold")
        for line in lines:
            table.add_row(Text(line), *(cells.get((line, name), "-") for name in part))
        made += [Text(f"{named(metric)}: {down} by {across}"), table]
    return made


def _fitting(wide: Mapping[str, int], room: int) -> list[list[str]]:
    """The columns, of that width each, in groups that fit beside each other.

    Examples
    --------
    >>> _fitting({"a": 4, "b": 5, "c": 2}, 8)
    [['a'], ['b', 'c']]
    """
    parts: list[list[str]] = [[]]
    left = room
    for name, needed in wide.items():
        if needed > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(name)
        left -= needed
    return parts


def by_metric(frame: pd.DataFrame, keys: Sequence[str], metrics: Sequence[str], column: str) -> list[Table]:
    """A line for every combination of the key columns, a column for every metric, in as many tables as needed."""
    held = [metric for metric in metrics if metric in set(frame["metric"])]
    write = _signed_number if column == "difference" else plain_number
    lines: dict[tuple[str, ...], dict[str, str]] = {}
    for row in frame.to_dict("records"):
        key = tuple(_label(row[name]) for name in keys)
        text = write(row["metric"], row[column], row["standard_error"], row["engine"])
        lines.setdefault(key, {})[row["metric"]] = "lost" if math.isnan(row[column]) else text
    headings = [name if len(keys) == 1 else name.rpartition(".")[2] for name in keys]
    longest = [max(len(texts.get(metric, "")) for texts in lines.values()) for metric in held]
    first = [
        max(len(heading), *map(len, column))
        for heading, column in zip(headings, zip(*lines, strict=True), strict=True)
    ]
    wide = {
        metric: max(width, *map(len, named(metric).split())) + 3
        for metric, width in zip(held, longest, strict=True)
    }
    made = []
    for part in _fitting(wide, _width() - 1 - sum(min(width, NARROWEST // 4) + 3 for width in first)):
        table = Table(box=SIMPLE_HEAD)
        spare = _width() - 1 - sum(width + 3 for width in first) - sum(wide[metric] for metric in part)
        for heading in headings:
            # Numbers are never cut: where there is no room for all, the names beside them go on in the next line.
            table.add_column(Text(heading), overflow="fold", no_wrap=spare >= 0)
        for metric in part:
            width = max(min(wide[metric] - 3 + spare, len(named(metric))), wide[metric] - 3)
            spare -= width + 3 - wide[metric]
            table.add_column(named(metric), justify="right", vertical="bottom", width=width)
        for key, texts in lines.items():
            table.add_row(*map(Text, key), *(texts.get(metric, "-") for metric in part))
        made.append(table)
    return made


def show(frame: pd.DataFrame, tables: Sequence[Table | Text], notes: Sequence[str]) -> None:
    """Print the tables, what was assumed, and where the numbers come from."""
    console = Console(width=_width(), highlight=False)
    for table in tables:
        console.print(table)
    said = frame.attrs
    unmodelled = said.get("not_modelled", ())
    for note in (
        *notes,
        *(f"Assumed: {words}" for words in said.get("assumed", ())),
        *(f"Not modelled: {words}" for words in unmodelled if isinstance(unmodelled, list)),
        *(f"Left out: {words}" for words in _gathered(said["left_out"])),
        source(frame),
    ):
        console.print(Text(note))


def _gathered(left_out: Sequence[str]) -> list[str]:
    """What is left out for the same reason in one line.

    Examples
    --------
    >>> _gathered(["wounds_lost: without points", "unit_destroyed: without points"])
    ['wounds_lost, unit_destroyed: without points']
    """
    names: dict[str, list[str]] = {}
    for line in left_out:
        name, _, reason = line.partition(": ")
        names.setdefault(reason, []).append(name)
    return [f"{', '.join(several)}: {reason}" for reason, several in names.items()]


def source(frame: pd.DataFrame) -> str:
    """Which engine, and how sure the numbers are."""
    engines = set(frame["engine"])
    if "monte-carlo" not in engines:
        return "Exact probabilities."
    share = "Partly Monte Carlo" if "exact" in engines else "Monte Carlo"
    return f"{share}: {frame.attrs['trials']} trials each, seed {frame.attrs['seed']}."
