"""``report``: a comparison as one HTML page."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from mathhammer.cli.files import check_places

if TYPE_CHECKING:
    from mathhammer.analysis.question import Engine

__all__ = ["report"]


def report(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Scenario files, or files of units.")],
    out: Annotated[
        str, typer.Option("-o", "--out", metavar="FILE.html", help="Where to write the page; - is stdout.")
    ],
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME|FILE,...", help="Standard targets, all, or files of units."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Over the page.")] = None,
    by_weapon: Annotated[bool, typer.Option("--by-weapon", help="Each weapon on its own.")] = False,
    phase: Annotated[str | None, typer.Option("--phase", help="shooting or fight.")] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="auto (exact where it can), exact, or monte-carlo.")
    ] = "auto",
    trials: Annotated[int, typer.Option("--trials", help="Of each Monte Carlo answer.")] = 100_000,
    seed: Annotated[int | None, typer.Option("--seed", help="Of Monte Carlo; default a fresh one.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", help="Processes; -1 is one for every core.")] = None,
) -> None:
    """A page that compares attackers against targets: tables and pictures in one file, to send to a friend.

    The units of scenario files keep their conditions, modifiers and choices; without --against they attack
    the targets of their files. Interrupted, the page holds what was finished.
    """
    from mathhammer.analysis import InterruptedTable
    from mathhammer.cli.fighters import read_fighters
    from mathhammer.report_page import report as page_of

    check_places(out=out)
    fighters = read_fighters(files, against, phase, by_weapon)
    written = f"wrote {out}" if out != "-" else ""
    try:
        page = page_of(
            fighters.attackers,
            fighters.targets,
            None if out == "-" else out,
            title=title,
            engine=cast("Engine", engine),
            conditions={"phase": phase} if phase else None,
            trials=trials,
            seed=seed,
            jobs=jobs,
            notes=fighters.notes,
        )
    except InterruptedTable as stop:
        raise KeyboardInterrupt(", ".join(filter(None, [str(stop), written]))) from None
    if written:
        print(written, file=sys.stderr)
    else:
        sys.stdout.write(page)
