"""How an outcome looks: a table of at most 80 columns, and the same in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import fill
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mathhammer.distribution import Distribution
    from mathhammer.outcome import Outcome

__all__ = ["html_of", "percent", "rounded", "shortened", "text_of"]

WIDTH = 80
MOST_CHANCES = 10
"""Lines of "k or more models": of more, every second or third is shown, and so on."""

_FUNNEL = (
    ("attacks", "attacks"),
    ("hits", "hits"),
    ("wounds", "wounds"),
    ("unsaved", "unsaved"),
    ("mortal_wounds", "mortal"),
    ("damage", "damage"),
    ("wounds_lost", "lost"),
    ("models_destroyed", "killed"),
)


def rounded(value: float, error: float = 0.0) -> str:
    """A mean with as many digits as its standard error warrants (two of the error's), at most six.

    Examples
    --------
    >>> rounded(3.33331, 0.0012), rounded(3.33331), rounded(0.0)
    ('3.3333', '3.3333', '0')
    """
    if value == 0:
        return "0"
    digits = 4
    if error:
        while digits < 6 and error * 10**digits < 10:
            digits += 1
        while digits > 1 and error * 10**digits >= 100:
            digits -= 1
    return f"{value:.{digits}f}".rstrip("0").rstrip(".")


def percent(p: float) -> str:
    """A probability in per cent; what is possible is never shown as 0, what is not certain never as 100.

    Examples
    --------
    >>> percent(0.12345), percent(1e-9), percent(1 - 1e-9), percent(0.0)
    ('12.3 %', '<0.1 %', '>99.9 %', '0 %')
    """
    if p in (0.0, 1.0):
        return f"{p * 100:.0f} %"
    if p < 0.0005:
        return "<0.1 %"
    return ">99.9 %" if p > 0.9995 else f"{p * 100:.1f} %"


def shortened(text: str, most: int) -> str:
    """The text in at most ``most`` characters; of a longer one the middle is left out: names differ at the end, too.

    Examples
    --------
    >>> shortened("Heavy bolter", 8)
    'Heav…ter'
    """
    if len(text) <= most:
        return text
    end = (most - 1) // 2
    return f"{text[: most - 1 - end].rstrip()}…{text[-end:].lstrip()}"


def text_of(outcome: Outcome) -> str:
    """The outcome as text, at most `WIDTH` columns wide."""
    parts = [fill(_title(outcome), WIDTH), ""]
    for title, head, rows in _tables(outcome):
        parts += [title, *_columns(head, rows), ""]
    for title, words in _notes(outcome):
        parts += [
            f"{title}:",
            *(fill(word, WIDTH, initial_indent="  - ", subsequent_indent="    ") for word in words),
        ]
    parts.append(_source(outcome))
    return "\n".join(parts)


def html_of(outcome: Outcome) -> str:
    """The outcome as HTML, the same tables."""
    parts = [f"<p><b>{escape(_title(outcome))}</b></p>"]
    for title, head, rows in _tables(outcome):
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        parts.append(
            f"<table><caption>{escape(title)}</caption><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
        )
    for title, words in _notes(outcome):
        items = "".join(f"<li>{escape(word)}</li>" for word in words)
        parts.append(f"<p>{escape(title)}:</p><ul>{items}</ul>")
    parts.append(f"<p><small>{escape(_source(outcome))}</small></p>")
    return "".join(parts)


def _title(outcome: Outcome) -> str:
    names = list(dict.fromkeys(outcome.attackers))
    return f"{', then '.join(names)} against {outcome.target}"


def _source(outcome: Outcome) -> str:
    if outcome.engine == "exact":
        return "Exact distribution."
    return f"Monte Carlo: {outcome.trials:,} trials, seed {outcome.seed}; +- is one standard error."


def _tables(outcome: Outcome) -> list[tuple[str, list[str], list[list[str]]]]:
    tables = [
        ("Means, weapon by weapon", ["weapon", *(short for _, short in _FUNNEL)], _funnel(outcome)),
        ("Results", ["", "mean", "+-", "sd", "10 %", "50 %", "90 %"], _results(outcome)),
        ("Chances", ["to destroy", "chance", "+-"], _chances(outcome)),
    ]
    if len(outcome.attackers) > 1:
        tables.append(("After each attacker", ["attacker", "destroyed", "models", "wounds"], _after(outcome)))
    return tables


def _funnel(outcome: Outcome) -> list[list[str]]:
    return [
        [f"{row['count']}x {row['weapon']}", *(f"{row[key]:.2f}" for key, _ in _FUNNEL)]
        for row in outcome.by_weapon
    ]


def _result(name: str, distribution: Distribution) -> list[str]:
    error = distribution.standard_error
    quantiles = (str(distribution.quantile(q)) for q in (0.1, 0.5, 0.9))
    shown = f"{error:.2g}" if error else "0"
    return [name, rounded(distribution.mean, error), shown, f"{distribution.sd:.2f}", *quantiles]


def _results(outcome: Outcome) -> list[list[str]]:
    rows = [
        _result("wounds lost", outcome.wounds_lost),
        _result("models destroyed", outcome.models_destroyed),
    ]
    if len(outcome.by_model) > 1:
        rows += [_result(f"  {name}", each) for name, each in outcome.by_model.items()]
    if outcome.attacker_wounds_lost.mean > 0:
        rows += [
            _result("attacker: wounds lost", outcome.attacker_wounds_lost),
            _result("attacker: models destroyed", outcome.attacker_models_destroyed),
        ]
    if len(outcome.attackers) > 1:
        rows.append(_result("attackers used", outcome.attackers_used))
    return rows


def _chances(outcome: Outcome) -> list[list[str]]:
    models = int(outcome.start.sum())
    likely = [k for k in range(1, models) if outcome.models_destroyed.at_least(k) >= 0.0005]
    step = max(1, -(-len(likely) // MOST_CHANCES))
    rows = [(f"{k} or more models", outcome.models_destroyed.at_least(k)) for k in likely[::step]]
    rows.append(("the unit", outcome.unit_destroyed))
    return [[name, _chance(outcome, p), _points(outcome.error_of(p))] for name, p in rows]


def _chance(outcome: Outcome, p: float) -> str:
    """Simulated chances of 0 or 1 are only what was seen."""
    return {0.0: "never seen", 1.0: "always seen"}.get(p, percent(p)) if outcome.trials else percent(p)


def _points(error: float) -> str:
    return f"{error * 100:.2g} %" if error else "0"


def _after(outcome: Outcome) -> list[list[str]]:
    return [
        [
            row["attacker"],
            percent(row["unit_destroyed"]),
            f"{row['models_destroyed']:.2f}",
            f"{row['wounds_lost']:.2f}",
        ]
        for row in outcome.after_attacker
    ]


def _notes(outcome: Outcome) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (title, words)
        for title, words in (("Assumed", outcome.assumed), ("Not modelled", outcome.not_modelled))
        if words
    ]


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows in columns, the first to the left and cut to what the others leave of the width."""
    rest = [max(map(len, column)) for column in zip(*(line[1:] for line in (head, *rows)), strict=True)]
    room = WIDTH - sum(rest) - 2 * len(rest)
    first = min(room, max(len(line[0]) for line in (head, *rows)))
    lines = []
    for line in (head, *rows):
        name = shortened(line[0], first)
        cells = (cell.rjust(width) for cell, width in zip(line[1:], rest, strict=True))
        lines.append("  ".join((name.ljust(first), *cells)).rstrip())
    return lines
