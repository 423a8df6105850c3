"""``unit``, ``import`` and ``roster``: datasheets and army lists on the command line."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mathhammer.cli.files import check_places, save_chart, write_text
from mathhammer.cli.interruption import so_far
from mathhammer.errors import InvalidScenario

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table
    from rich.text import Text

    from mathhammer.analysis.army import Phase
    from mathhammer.analysis.question import Engine
    from mathhammer.rosters import Roster
    from mathhammer.units import Unit

__all__ = ["import_list", "roster", "unit"]

_Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="FILE|FOLDER",
        help="Datasheets: a TOML file of units, a folder of Wahapedia CSV or Game-Datacards JSON; "
        "default wh40kdc.",
    ),
]


_Attach = Annotated[
    list[str] | None,
    typer.Option(
        "--attach",
        metavar='"GUARDS + LEADER"',
        help="Leaders that join a unit, by their names; may stand several times.",
    ),
]


def unit(
    name: Annotated[str, typer.Argument(metavar="NAME", help="As on the datasheet, or nearly.")],
    count: Annotated[int | None, typer.Option("--count", help="Models; default the smallest unit.")] = None,
    weapons: Annotated[
        str | None,
        typer.Option(
            "--weapons", metavar='"A:9,B:1"', help="All weapons of the unit; default its datasheet's."
        ),
    ] = None,
    faction: Annotated[str, typer.Option("--faction", help="Where several have a unit of that name.")] = "",
    source: _Source = None,
    toml: Annotated[bool, typer.Option("--toml", help="As TOML, to be used in files.")] = False,
) -> None:
    """A unit from its datasheet."""
    from mathhammer.datasheets import datasheets
    from mathhammer.datasheets import unit as by_name
    from mathhammer.unit_files import write_units

    sheets = datasheets(source)
    found = by_name(name, count, weapons, faction=faction, source=sheets)
    sys.stdout.write(write_units([found]) if toml else f"{found}\n")
    _say([f"datasheets: {sheets.label}", *_not_modelled([found])])


def import_list(
    file: Annotated[str, typer.Argument(metavar="LIST", help="An army list, whatever program wrote it.")],
    to: Annotated[
        str, typer.Option("--to", metavar="FILE.toml", help="Where to write it; - is stdout.")
    ] = "-",
    attached: Annotated[
        bool, typer.Option("--attached", help="Leaders joined to the bodyguard units that the list names.")
    ] = False,
    attach: _Attach = None,
    source: _Source = None,
) -> None:
    """Write an army list in our own notation, to be seen, corrected and used again."""
    check_places(to=to)
    army = _joined(_read(file, source), attach)
    together = attached or bool(attach)
    units = army.formations if together else army.units
    _say(_remarks(army))
    write_text("--to", to, army.to_toml(attached=together))
    _say([f"{len(units)} units{f' written to {to}' if to != '-' else ''}"])


def roster(
    file: Annotated[str, typer.Argument(metavar="LIST", help="An army list, whatever program wrote it.")],
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="NAME|LIST,...", help="Standard targets, all, files of units, lists."
        ),
    ] = None,
    other: Annotated[
        str | None, typer.Option("--versus", metavar="LIST", help="Another army, and what it does back.")
    ] = None,
    phase: Annotated[str | None, typer.Option("--phase", help="shooting or fight; default both.")] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            help="unit_destroyed, ..., also with _per_100_points; default points_destroyed.",
        ),
    ] = None,
    sort: Annotated[str | None, typer.Option("--sort", metavar="TARGET", help="Best attacker first.")] = None,
    kill: Annotated[
        str | None,
        typer.Option("--kill", metavar="NAME,...", help="With --versus: the units that shall die."),
    ] = None,
    engine: Annotated[
        str | None, typer.Option("--engine", help="auto (exact where it can), exact, or monte-carlo.")
    ] = None,
    trials: Annotated[int | None, typer.Option("--trials", help="Of each Monte Carlo answer.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of Monte Carlo; default a fresh one.")] = None,
    jobs: Annotated[int | None, typer.Option("--jobs", help="Processes; -1 is one for every core.")] = None,
    csv: Annotated[str | None, typer.Option("--csv", help="Write the tidy table; - is stdout.")] = None,
    plot: Annotated[str | None, typer.Option("--plot", help="Write a heat map: .png, .svg or .pdf.")] = None,
    attach: _Attach = None,
    source: _Source = None,
) -> None:
    """Read an army list; with --against or --versus, what its units do to others."""
    from mathhammer.analysis import army as armies

    if against is not None and other is not None:
        raise InvalidScenario.at("--versus", other, "give either --against or --versus")
    tables = {"--metric": metric, "--sort": sort, "--phase": phase, "--csv": csv, "--plot": plot}
    numbers = {"--engine": engine, "--trials": trials, "--seed": seed, "--jobs": jobs}
    if against is None and other is None:
        _refuse(
            {**tables, **numbers, "--kill": kill, "--attach": attach or None},
            "there is nobody to attack: give --against or --versus",
        )
    elif other is None:
        _refuse({"--kill": kill}, "names units of another army: give --versus")
    check_places(plot, csv=csv)
    army = _joined(_read(file, source), attach)
    if against is None and other is None:
        sys.stdout.write(f"{army}\n")
        _say(_not_modelled(army.units))
        return
    _say(_remarks(army))
    said = [army]
    shown = metric or "points_destroyed"
    metrics = tuple(dict.fromkeys([shown, *armies.METRICS]))
    phases = cast("Sequence[Phase]", [phase] if phase else armies.PHASES)
    asked: dict[str, Any] = {"phases": phases, "seed": seed, "jobs": jobs}
    asked |= {"trials": trials} if trials is not None else {}
    asked |= {"engine": cast("Engine", engine)} if engine is not None else {}
    own = _armed(army.formations)
    if other is None:
        targets = _targets(str(against), source)
        frame, stop = so_far(lambda: armies.army_table(own, targets, metrics, **asked))
    else:
        opponent = _read(other, source)
        _say(_remarks(opponent))
        said.append(opponent)
        frame, stop = so_far(lambda: armies.versus(own, opponent.formations, metrics, **asked))
    frame.attrs["not_modelled"] = _not_said_yet(frame.attrs["not_modelled"], said)
    _deliver(frame, shown, sort, kill, csv, plot)
    if stop:
        raise stop


def _refuse(options: Mapping[str, object], remedy: str) -> None:
    """Options that would change nothing."""
    for option, value in options.items():
        if value is not None:
            raise InvalidScenario.at(option, value, remedy)


def _read(file: str, source: str | None) -> Roster:
    from mathhammer.rosters import read_roster

    return read_roster(Path(file), source)


def _joined(army: Roster, attach: Sequence[str] | None) -> Roster:
    """The list with the leaders attached that the command names."""
    for text in attach or ():
        guards, *leaders = (name.strip() for name in text.split("+"))
        try:
            army = army.joined(guards, *leaders)
        except InvalidScenario as fault:
            raise fault.under("--attach") from None
    return army


def _targets(against: str, source: str | None) -> list[Unit]:
    """Standard targets and files of units by their names, and the units of other army lists."""
    from mathhammer import targets as standard

    units: list[Unit] = []
    for name in (part.strip() for part in against.split(",")):
        if Path(name).is_file() and not name.lower().endswith(".toml"):
            units += _read(name, source).formations
            continue
        try:
            units += standard.resolve(name)
        except InvalidScenario as fault:
            raise fault.under("--against") from None
    return units


def _armed(units: Iterable[Unit]) -> list[Unit]:
    return [one for one in units if one.weapons]


def _remarks(army: Roster) -> list[str]:
    """What a reader should know about a list before trusting any number of it."""
    return [*army.remarks, *_not_modelled(army.units)]


def _not_modelled(units: Iterable[Unit]) -> list[str]:
    """A line for each name: what one unit of it has, another may lack."""
    names: dict[str, dict[str, None]] = {}
    for one in units:
        words = [*one.not_modelled, *(f"{w.name}: {text}" for w in one.weapons for text in w.not_modelled)]
        if words:
            names.setdefault(one.name, {}).update(dict.fromkeys(words))
    return [f"not modelled: {name}: {', '.join(words)}" for name, words in names.items()]


def _not_said_yet(words: Sequence[str], armies: Iterable[Roster]) -> list[str]:
    """What is not modelled, without what the remarks about these armies have said."""
    units = [one for army in armies for one in army.units]
    texts = {text for one in units for text in one.not_modelled}
    texts |= {text for one in units for weapon in one.weapons for text in weapon.not_modelled}
    return [word for word in words if not word.endswith(tuple(f": {text}" for text in texts))]


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, file=sys.stderr)


def _deliver(
    frame: pd.DataFrame, metric: str, sort: str | None, kill: str | None, csv: str | None, plot: str | None
) -> None:
    """The files asked for; on stdout the CSV, or else a table for each side and phase."""
    from rich.text import Text

    from mathhammer.cli.tables import matrix, show

    parts = _parts(frame, sort, metric)
    notes = _orders(frame, kill)
    if csv != "-":
        tables: list[Table | Text] = []
        for title, part in parts.items():
            tables += [Text(f"{title}:"), *matrix(part, metric, "attacker", "target")]
        show(frame, tables, notes)
    if csv is not None:
        write_text("--csv", csv, frame.to_csv(index=False))
    if plot is not None:
        from mathhammer import plots

        title, part = next(iter(parts.items()))
        save_chart("--plot", plot, plots.heat_map(part, metric))
        if len(parts) > 1:
            _say([f"{plot} shows {title} alone: --phase chooses another"])


def _parts(frame: pd.DataFrame, sort: str | None, metric: str) -> dict[str, pd.DataFrame]:
    """The rows of each side and phase, the best attacker of the sorted target first."""
    if metric not in set(frame["metric"]):
        raise InvalidScenario.at(
            "--metric", metric, f"has no value here; {'; '.join(frame.attrs['left_out'])}"
        )
    targets = list(frame["target"].unique())
    if sort is not None and sort not in targets:
        raise InvalidScenario.at("--sort", sort, f"is no target; they are {', '.join(targets)}")
    parts = {}
    for keys, rows in frame.groupby([key for key in ("side", "phase") if key in frame], sort=False):
        values = rows[(rows["metric"] == metric) & (rows["target"] == sort)]
        best_first = list(values.sort_values("value", ascending=False)["attacker"])
        if best_first:
            rows = rows.sort_values("attacker", key=lambda names: names.map(best_first.index), kind="stable")
        parts[", ".join(map(str, keys))] = rows
    return parts


def _orders(frame: pd.DataFrame, kill: str | None) -> list[str]:
    """Who should attack whom, in words; on my side the named units shall die, if any are named."""
    from mathhammer.analysis.army import MINE, assign

    if "side" not in frame:
        return []
    lines = []
    for side, phase in frame[["side", "phase"]].drop_duplicates().itertuples(index=False):
        named = [name.strip() for name in kill.split(",")] if kill and side == MINE else None
        metric = "unit_destroyed" if named else "points_destroyed"
        if metric not in set(frame["metric"]):
            continue
        best = assign(frame, metric, phase=phase, side=side, targets=named)
        lines.append(
            f"Best {phase} of {side}: {best.attrs['total']:.1f} {'kills' if named else 'points'} expected"
        )
        for attacker, target, _, value in best.itertuples(index=False):
            lines.append(f"  {attacker} -> {target}: {f'{value:.0%}' if named else f'{value:.1f}'}")
    return lines
