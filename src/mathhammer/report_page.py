"""One HTML page of a comparison, fit to send to a friend: tables and pictures inside, no network."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from io import BytesIO
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from pandas import DataFrame

from mathhammer import plots
from mathhammer.analysis.compare import (
    LOST,
    Comparison,
    InterruptedTable,
    comparisons_of,
    table_of_fights,
    whole,
)
from mathhammer.analysis.fights import Attackers, Fights, Targets, fights_of
from mathhammer.analysis.parallel import Lost, run_all
from mathhammer.analysis.question import TRIALS, Engine, answer_from, run
from mathhammer.arguments import items_of
from mathhammer.errors import InvalidScenario
from mathhammer.outcome import Outcome
from mathhammer.plots.style import COLOURS, headline, number, written
from mathhammer.saving import save_text
from mathhammer.scenario import METRICS, Choices, Conditions
from mathhammer.units import Modifiers

__all__ = ["report"]

_PAGE = Template(Path(__file__).with_name("report_page.html").read_text(encoding="utf-8"))
_RATE = "points_destroyed_per_100_points"
SHOWN = (*METRICS, _RATE)
MOST_CURVES = len(COLOURS)


def report(
    attackers: Attackers,
    targets: Targets,
    path: str | PathLike[str] | None = None,
    *,
    title: str | None = None,
    engine: Engine = "auto",
    conditions: Conditions | Mapping[str, Any] | None = None,
    modifiers: Modifiers | Mapping[str, Any] | None = None,
    choices: Choices | Mapping[str, Any] | None = None,
    trials: int = TRIALS,
    seed: int | None = None,
    jobs: int | None = None,
    notes: str | Sequence[str] = (),
) -> str:
    """A page that compares attackers against targets.

    Parameters
    ----------
    attackers, targets
        As in `mathhammer.compare`.
    path : path, optional
        Where to write the page.
    title : str, optional
        Default: the attackers' names.
    engine, conditions, modifiers, choices, trials, seed, jobs
        As in `mathhammer.compare`.
    notes : str or sequence of str
        Said at the end of the page, with the readings and choices used.

    Returns
    -------
    str
        The HTML text: one file, with everything inside.

    Raises
    ------
    InvalidScenario
        For anything that cannot fight, or a path that cannot be written.
    InterruptedTable
        On Ctrl-C, as from `mathhammer.compare`; the page of what there is has been written.

    Examples
    --------
    >>> from mathhammer.units import Unit
    >>> rifles = Unit(name="Rifles", points=80, weapons=["10x Rifle: A2 BS3+ S4 AP-1 D1"])
    >>> page = report(rifles, ["chaff", "marines"])
    >>> page.startswith("<!doctype html>"), "http" in page.split("<body>")[1]
    (True, False)
    """
    if title is not None and not isinstance(title, str):
        raise InvalidScenario.at("title", title, "write a text")
    if path is not None and not isinstance(path, str | PathLike):
        raise InvalidScenario.at("path", path, "give the path of a file")
    said = _texts(notes)
    fights = fights_of(attackers, targets, conditions, modifiers, choices)
    comparisons = comparisons_of(fights, SHOWN, engine, trials, seed, jobs)
    found = run_all(_outcome_of, comparisons, jobs=jobs, progress=None, noun="comparisons")
    answers = [each if isinstance(each, Lost) else answer_from(each, SHOWN) for each in found]
    frame = table_of_fights(fights, comparisons[0], answers)
    stop = None
    try:
        whole(frame, answers)
    except InterruptedTable as interrupted:
        stop, said = interrupted, [str(interrupted), *said]
    cells = [
        Cell(**label, outcome=each)
        for label, each in zip(fights.labels, found, strict=True)
        if not isinstance(each, Lost)
    ]
    text = _page(title, frame, cells, fights, [*frame.attrs["assumed"], *said])
    if path is not None:
        try:
            save_text(path, text)
        except OSError as fault:
            remedy = f"cannot be written ({fault.strerror or fault})"
            raise InvalidScenario.at("path", str(path), remedy) from None
    if stop:
        raise stop
    return text


def _texts(notes: Any) -> list[str]:
    texts: list[str] = items_of(notes, str, "notes", "write a list of texts")
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise InvalidScenario.at(f"notes[{index}]", text, "write a text")
    return texts


def _outcome_of(comparison: Comparison) -> Outcome:
    return run(comparison.question())


@dataclass(frozen=True)
class Cell:
    """One attacker against one target, by their labels in the table."""

    attacker: str
    target: str
    outcome: Outcome


def _page(
    title: str | None,
    frame: DataFrame,
    cells: Sequence[Cell],
    fights: Fights,
    notes: Sequence[str],
) -> str:
    names = list(dict.fromkeys(frame["attacker"]))
    shown = ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:2])} and {len(names) - 2} more"
    words = {"exact": "exact probabilities", "monte-carlo": "Monte Carlo", LOST: "some not computed"}
    how = " and ".join(words[engine] for engine in dict.fromkeys(frame["engine"]))
    outs = [cell.outcome for cell in cells]
    said = [*notes, *(word for out in outs for word in out.assumed)]
    left_out = [word for out in outs for word in out.not_modelled]
    heading = title or f"{shown}: what to shoot at what"
    return _PAGE.substitute(
        title=escape(heading),
        lead=escape(f"{_count(names, 'attacker')}, {_count(fights.targets, 'target')} · {how}"),
        verdicts="".join(f"<li>{line}</li>" for line in _verdicts(frame)),
        heat_maps="".join(_heat_maps(frame)),
        tables="".join(_table(frame, metric) for metric in SHOWN if _values(frame, metric)),
        by_target="".join(_by_target(frame, cells)),
        attackers="".join(f"<pre>{escape(str(unit))}</pre>" for unit in fights.attackers),
        targets="".join(f"<pre>{escape(str(unit))}</pre>" for unit in fights.targets),
        small_print="".join(_small_print(frame, said, left_out)),
    )


def _count(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {noun}{'s' * (len(things) != 1)}"


def _values(frame: DataFrame, metric: str) -> dict[tuple[str, str], tuple[float, float]]:
    """(attacker, target) -> value and standard error, of the cells that have one."""
    rows = frame[(frame["metric"] == metric) & frame["value"].notna()]
    keys = zip(rows["attacker"], rows["target"], strict=True)
    return dict(zip(keys, zip(rows["value"], rows["standard_error"], strict=True), strict=True))


def _worth(frame: DataFrame) -> str:
    """The metric that decides: points for points where they are known."""
    return _RATE if _values(frame, _RATE) else "wounds_lost"


def _verdicts(frame: DataFrame) -> Iterator[str]:
    """For each target, who does most to it: for its points where they are known, else at all."""
    metric = _worth(frame)
    unit = "points destroyed for 100 spent" if metric == _RATE else "wounds lost"
    values, chances = _values(frame, metric), _values(frame, "unit_destroyed")
    for target in dict.fromkeys(frame["target"]):
        own = {attacker: value for (attacker, against), value in values.items() if against == target}
        if own:
            best = max(own, key=lambda attacker: own[attacker][0])
            yield (
                f"Against <b>{escape(target)}</b>: <b>{escape(best)}</b>, {number(*own[best])} {unit}, "
                f"{written('unit_destroyed', *chances[best, target])} to destroy the unit."
            )


def _heat_maps(frame: DataFrame) -> Iterator[str]:
    for metric in ("unit_destroyed", _worth(frame)):
        yield _picture(plots.heat_map(frame, metric), headline(metric))


def _by_target(frame: DataFrame, cells: Sequence[Cell]) -> Iterator[str]:
    for target in dict.fromkeys(cell.target for cell in cells):
        own = {cell.attacker: cell.outcome for cell in cells if cell.target == target}
        strongest = sorted(own, key=lambda name: -own[name].wounds_lost.mean)[:MOST_CURVES]
        drawn = {name: out for name, out in own.items() if name in strongest}
        yield f"<section><h3>{escape(target)}</h3>"
        if len(drawn) == 1:
            yield _picture(plots.outcome(next(iter(drawn.values()))), f"Outcome against {target}")
        else:
            yield _picture(plots.kill_curve(drawn), f"Kill curves against {target}")
        priced = {name: out for name, out in drawn.items() if out.attacker_points and out.points_destroyed}
        if len(priced) > 1:
            yield _picture(plots.efficiency(priced), f"Points spent and destroyed against {target}")
        if len(own) > len(drawn):
            yield f"<p class=small>Drawn are the {len(drawn)} of {len(own)} that take most wounds.</p>"
        yield "</section>"


def _picture(ax: Axes, alt: str) -> str:
    """The chart as an SVG inside the page, the same bytes each time; its figure is closed."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    held = BytesIO()
    with plt.rc_context({"svg.hashsalt": "mathhammer"}):
        figure.savefig(held, format="svg", metadata={"Date": None})
    plt.close(figure)
    data = b64encode(held.getvalue()).decode("ascii")
    return f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{escape(alt)}"></figure>'


def _table(frame: DataFrame, metric: str) -> str:
    values = _values(frame, metric)
    attackers, targets = (list(dict.fromkeys(frame[side])) for side in ("attacker", "target"))
    head = "".join(f"<th scope=col>{escape(target)}</th>" for target in targets)
    body = ""
    for attacker in attackers:
        body += f"<tr><th scope=row>{escape(attacker)}</th>"
        for target in targets:
            column = [values[a, target][0] for a in attackers if (a, target) in values]
            best = len(column) > 1 and values.get((attacker, target), (0.0, 0.0))[0] == max(column) > 0
            body += f"<td{' class=best' * best}>{_cell(metric, values.get((attacker, target)))}</td>"
        body += "</tr>"
    return (
        f"<h3>{escape(headline(metric))}</h3><div class=wide><table>"
        f"<thead><tr><th></th>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(metric: str, estimate: tuple[float, float] | None) -> str:
    if estimate is None:
        return "–"
    value, error = estimate
    shown = f"{error * 100:.2g}" if metric == "unit_destroyed" else f"{error:.2g}"
    return written(metric, value, error) + (f" <small>±{shown}</small>" if error > 0 else "")


def _small_print(frame: DataFrame, words: Sequence[str], left_out: Sequence[str]) -> Iterator[str]:
    if "monte-carlo" in set(frame["engine"]):
        yield (
            f"<li>Monte Carlo: {frame.attrs['trials']:,} trials each, seed {frame.attrs['seed']}; "
            "± is one standard error.</li>"
        )
    for word in dict.fromkeys(words):
        yield f"<li>{escape(word)}</li>"
    for word in frame.attrs["left_out"]:
        yield f"<li>Left out: {escape(word)}</li>"
    if left_out:
        yield f"<li>Not modelled: {escape('; '.join(dict.fromkeys(left_out)))}</li>"
    yield f"<li>Made with mathhammer {version('mathhammer')}, an unofficial analyser.</li>"
