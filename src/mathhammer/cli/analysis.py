"""``compare``, ``sweep`` and ``what-if``: the tables of `mathhammer.analysis` on the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from mathhammer.cli.files import as_json, check_places, save_chart, write_text
from mathhammer.cli.interruption import so_far
from mathhammer.errors import InvalidScenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from rich.table import Table
    from rich.text import Text

    from mathhammer.analysis.question import Engine

__all__ = ["compare", "sweep", "what_if"]

_Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        help="wounds_lost, models_destroyed, unit_destroyed, points_destroyed; or one of "
        "these with _per_100_points. May be given several times.",
    ),
]
_Phase = Annotated[str | None, typer.Option("--phase", help="shooting or fight, over that of the file.")]
_EngineName = Annotated[
    str, typer.Option("--engine", help="auto (exact where it can), exact, or monte-carlo.")
]
_Trials = Annotated[int, typer.Option("--trials", help="Of each Monte Carlo answer.")]
_Seed = Annotated[int | None, typer.Option("--seed", help="Of Monte Carlo; default a fresh one, reported.")]
_Jobs = Annotated[int | None, typer.Option("--jobs", help="Processes; -1 is one for every core.")]
_Csv = Annotated[str | None, typer.Option("--csv", help="Write the tidy table with raw values; - is stdout.")]
_Json = Annotated[str | None, typer.Option("--json", help="The same as JSON; - is stdout.")]
_Plot = Annotated[str | None, typer.Option("--plot", help="Write a chart: .png, .svg or .pdf.")]
_TRIALS = 100_000
"""The default of `mathhammer.analysis`, which is imported only when a command runs: ``--help`` needs no pandas."""


def compare(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Scenario files, or files of units.")],
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME|FILE,...", help="Standard targets, all, or files of units."),
    ] = None,
    by_weapon: Annotated[bool, typer.Option("--by-weapon", help="Each weapon on its own.")] = False,
    phase: _Phase = None,
    metric: _Metrics = None,
    engine: _EngineName = "auto",
    trials: _Trials = _TRIALS,
    seed: _Seed = None,
    jobs: _Jobs = None,
    csv: _Csv = None,
    json: _Json = None,
    plot: _Plot = None,
) -> None:
    """Every attacker against every target.

    The units of scenario files keep their conditions, modifiers and choices; without --against they attack
    the targets of their files.
    """
    from mathhammer.analysis import compare as compare_all
    from mathhammer.analysis.question import ALL_METRICS
    from mathhammer.cli import tables
    from mathhammer.cli.fighters import read_fighters

    check_places(plot, csv=csv, json=json)
    fighters = read_fighters(files, against, phase, by_weapon)
    frame, stop = so_far(
        lambda: compare_all(
            fighters.attackers,
            fighters.targets,
            metric or ALL_METRICS,
            conditions={"phase": phase} if phase else None,
            engine=cast("Engine", engine),
            trials=trials,
            seed=seed,
            jobs=jobs,
        )
    )
    everywhere = "wounds_lost" if frame.attrs["left_out"] else "points_destroyed"
    shown = list(metric or [everywhere])
    made = [table for name in shown for table in tables.matrix(frame, name, "attacker", "target")]
    _deliver(frame, made, csv, json, plot, lambda plots: plots.heat_map(frame, shown[0]), fighters.notes)
    if stop:
        raise stop


def sweep(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file.")],
    axes: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH=V,V,...",
            help="A field by its path and its values: target.models[0].save=2+,3+ conditions.cover=true",
        ),
    ],
    phase: _Phase = None,
    metric: _Metrics = None,
    engine: _EngineName = "auto",
    trials: _Trials = _TRIALS,
    seed: _Seed = None,
    jobs: _Jobs = None,
    csv: _Csv = None,
    json: _Json = None,
    plot: _Plot = None,
) -> None:
    """A scenario with fields of it changed through all their values."""
    from mathhammer.analysis import sweep as sweep_all
    from mathhammer.analysis.paths import read_values
    from mathhammer.analysis.question import ALL_METRICS
    from mathhammer.cli import tables
    from mathhammer.cli.scenario_file import read_scenario
    from mathhammer.scenario import METRICS

    pairs: list[Any] = []
    for text in axes:
        path, equals, values = text.partition("=")
        if not equals:
            raise InvalidScenario.at("", text, "write PATH=V,V,... such as target.models[0].save=2+,3+,4+")
        pairs += [path.strip(), read_values(values, path.strip())]
    check_places(plot, csv=csv, json=json)
    scenario = read_scenario(file, phase)
    frame, stop = so_far(
        lambda: sweep_all(
            scenario,
            *pairs,
            metrics=metric or ALL_METRICS,
            engine=cast("Engine", engine),
            trials=trials,
            seed=seed,
            jobs=jobs,
        )
    )
    paths = frame.attrs["axes"]
    shown = list(metric or METRICS)
    if len(paths) > 2:
        shown = list(metric or ["wounds_lost", "unit_destroyed"])
    if len(paths) == 2:
        shown = list(metric or ["unit_destroyed"])
        made = [table for name in shown for table in tables.matrix(frame, name, *paths)]
    else:
        made = [*tables.by_metric(frame, paths, shown, "value")]
    _deliver(frame, made, csv, json, plot, lambda plots: plots.sweep(frame, shown[0]))
    if stop:
        raise stop


def what_if(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file.")],
    change: Annotated[
        list[str] | None,
        typer.Option(
            "--change",
            metavar="TEXT",
            help='A name of the usual list ("+1 to hit"), PATH=VALUE, or a weapon ability; default the list.',
        ),
    ] = None,
    phase: _Phase = None,
    metric: _Metrics = None,
    engine: _EngineName = "auto",
    trials: _Trials = _TRIALS,
    seed: _Seed = None,
    jobs: _Jobs = None,
    csv: _Csv = None,
    json: _Json = None,
    plot: _Plot = None,
) -> None:
    """What each improvement is worth: +1 to hit, a re-roll, an ability, cover, one more weapon ..."""
    from mathhammer.analysis import what_if as what_if_each
    from mathhammer.cli import tables
    from mathhammer.cli.scenario_file import read_scenario
    from mathhammer.scenario import METRICS

    check_places(plot, csv=csv, json=json)
    scenario = read_scenario(file, phase)
    frame, stop = so_far(
        lambda: what_if_each(
            scenario,
            change,
            metrics=metric or METRICS,
            engine=cast("Engine", engine),
            trials=trials,
            seed=seed,
            jobs=jobs,
        )
    )
    shown = [name for name in metric or METRICS[:3] if name in frame.attrs["before"]]
    largest = frame[frame["metric"] == shown[0]].sort_values("difference", ascending=False, kind="stable")
    ordered = frame.set_index("change").loc[list(largest["change"])].reset_index()
    made = tables.by_metric(ordered, ["change"], shown, "difference")
    values, errors = frame.attrs["before"], frame.attrs["before_error"]
    known = "exact" if "exact" in set(frame["engine"]) else "monte-carlo"
    before = ", ".join(
        f"{tables.named(name)} {tables.with_error(name, values[name], errors[name], known)}" for name in shown
    )
    notes = [f"As it stands: {before}. Differences of a chance are percentage points."]
    _deliver(frame, made, csv, json, plot, lambda plots: plots.tornado(frame, shown[0]), notes)
    if stop:
        raise stop


def _deliver(
    frame: pd.DataFrame,
    tables: Sequence[Table | Text],
    csv: str | None,
    json: str | None,
    plot: str | None,
    draw: Callable[[Any], Axes],
    notes: Sequence[str] = (),
) -> None:
    """First the readable tables, unless a file goes to stdout; then the files asked for."""
    from mathhammer.cli.tables import show

    if "-" not in (csv, json):
        show(frame, tables, notes)
    if csv is not None:
        write_text("--csv", csv, frame.to_csv(index=False))
    if json is not None:
        write_text("--json", json, as_json(frame, json))
    if plot is not None:
        from mathhammer import plots

        save_chart("--plot", plot, draw(plots))
