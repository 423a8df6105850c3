"""What is printed: sections of a page, each with tables, and the claims that they bear out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Claim", "Curve", "Section", "Table", "in_ms", "page", "rate", "summary", "table_text"]


@dataclass(frozen=True)
class Claim:
    """A measured number and the most (or with ``at_least`` the least) that it should be."""

    words: str
    measured: float
    aim: float
    unit: str = ""
    at_least: bool = False

    @property
    def holds(self) -> bool:
        return self.measured >= self.aim if self.at_least else self.measured <= self.aim

    def row(self) -> tuple[str, str, str, str]:
        bound = "at least" if self.at_least else "at most"
        holds = "yes" if self.holds else "**no**"
        return (
            self.words,
            f"{_short(self.measured)} {self.unit}".strip(),
            f"{bound} {self.aim:g} {self.unit}".strip(),
            holds,
        )


@dataclass(frozen=True)
class Table:
    head: Sequence[str]
    rows: Sequence[Sequence[object]]


@dataclass(frozen=True)
class Curve:
    """Something that grows with something: a panel of the chart, one line for each name."""

    along: str
    up: str
    x: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    logarithmic_x: bool = True
    logarithmic_y: bool = True


@dataclass(frozen=True)
class Section:
    title: str
    words: str
    tables: Sequence[Table]
    claims: Sequence[Claim] = ()
    curves: Sequence[Curve] = ()

    def text(self) -> str:
        parts = (f"## {self.title}", self.words.strip(), *map(table_text, self.tables))
        return "\n\n".join(part for part in parts if part)


def table_text(table: Table) -> str:
    """Markdown; numbers with three digits, columns of one width."""
    rows = [[_cell(value) for value in row] for row in (table.head, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    rule = "| " + " | ".join("-" * width for width in widths) + " |"
    return "\n".join([lines[0], rule, *lines[1:]])


def summary(sections: Iterable[Section]) -> Section:
    """What was aimed at and what came out."""
    claims = [claim.row() for section in sections for claim in section.claims]
    return Section("Summary", "", [Table(("what", "measured", "aim", "holds"), claims)])


def page(title: str, words: str, sections: Sequence[Section]) -> str:
    """The whole page: the summary first."""
    texts = (section.text() for section in (summary(sections), *sections))
    return "\n\n".join([f"# {title}", words.strip(), *texts]) + "\n"


def in_ms(seconds: float) -> str:
    """A time, in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{_short(seconds / size)} {unit}"
    return f"{_short(seconds / 1e-9)} ns"


def rate(per_second: float) -> str:
    """So many a second, in millions where there are millions."""
    return f"{_short(per_second / 1e6)} M" if per_second >= 1e6 else f"{per_second:,.0f}"


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return _short(value) if isinstance(value, float) else str(value)
