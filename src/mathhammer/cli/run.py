"""``demo``, ``run`` and ``explain``: one scenario."""

from __future__ import annotations

import csv as csv_writer
import io
import sys
from collections.abc import Iterator
from importlib.resources import as_file, files
from typing import Annotated, Any

import typer

from mathhammer.cli.files import check_places, json_of, save_chart, write_text
from mathhammer.cli.scenario_file import read_scenario
from mathhammer.errors import InvalidScenario
from mathhammer.outcome import Interrupted, Outcome
from mathhammer.scenario import Scenario

__all__ = ["csv_of", "demo", "explain", "run"]

_Trials = Annotated[
    int | None,
    typer.Option(
        "--trials", help="Attack sequences, default 1,000,000; with --tolerance the most, default 10^9."
    ),
]
_Tolerance = Annotated[
    float | None,
    typer.Option(
        "--tolerance",
        help="Simulate until the standard errors of the mean of models destroyed and of every chance about "
        "the target are below, such as 0.001.",
    ),
]
_Threads = Annotated[int | None, typer.Option("--threads", help="Default: all cores.")]
_Json = Annotated[str | None, typer.Option("--json", metavar="-|FILE", help="Write the outcome as JSON.")]
_Csv = Annotated[
    str | None, typer.Option("--csv", metavar="-|FILE", help="Write the distributions as a table.")
]
_Plot = Annotated[
    str | None, typer.Option("--plot", metavar="FILE", help="Write a chart: .png, .svg or .pdf.")
]

DEMO_SEED = 1


def demo(
    trials: _Trials = None,
    tolerance: _Tolerance = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the random numbers, default 1.")] = None,
    threads: _Threads = None,
    exact: Annotated[bool, typer.Option("--exact", help="The exact distribution.")] = False,
    json: _Json = None,
    csv: _Csv = None,
    plot: _Plot = None,
) -> None:
    """Heavy bolters against an attached unit: an embedded example, no file needed."""
    with as_file(files("mathhammer") / "scenarios" / "attached_unit.toml") as path:
        scenario = Scenario.from_toml(path)
    seed = DEMO_SEED if seed is None and not exact else seed
    _answer(scenario, exact, trials, tolerance, seed, threads, json, csv, plot)


def run(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file (TOML).")],
    exact: Annotated[
        bool, typer.Option("--exact", help="The exact distribution instead of a simulation.")
    ] = False,
    trials: _Trials = None,
    tolerance: _Tolerance = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Default: a fresh one, reported.")] = None,
    threads: _Threads = None,
    phase: Annotated[
        str | None, typer.Option("--phase", help="shooting or fight, over that of the file.")
    ] = None,
    json: _Json = None,
    csv: _Csv = None,
    plot: _Plot = None,
) -> None:
    """What does this attack do?"""
    _answer(
        read_scenario(file, phase),
        exact,
        trials,
        tolerance,
        seed,
        threads,
        json,
        csv,
        plot,
    )


def explain(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file (TOML).")],
    phase: Annotated[
        str | None, typer.Option("--phase", help="shooting or fight, over that of the file.")
    ] = None,
) -> None:
    """How the scenario is read, batch by batch, with rule numbers; and what is not modelled."""
    from mathhammer.explanation import explain as words

    typer.echo(words(read_scenario(file, phase)))


def _answer(
    scenario: Scenario,
    exact: bool,
    trials: int | None,
    tolerance: float | None,
    seed: int | None,
    threads: int | None,
    json: str | None,
    csv: str | None,
    plot: str | None,
) -> None:
    from mathhammer import front

    check_places(plot, json=json, csv=csv)
    if exact:
        given = {"--trials": trials, "--tolerance": tolerance, "--seed": seed, "--threads": threads}
        for option, value in given.items():
            if value is not None:
                raise InvalidScenario.at(
                    option, value, "is for simulations: leave it out, or leave --exact out"
                )
        _write(front.solve(scenario), json, csv, plot)
        return
    try:
        outcome = front.simulate(scenario, trials, seed, threads, tolerance=tolerance)
    except Interrupted as interrupt:
        if interrupt.outcome is not None:
            _write(interrupt.outcome, json, csv, plot)
            trials_done = f"after {interrupt.outcome.trials:,} trials"
        else:
            trials_done = "before the first block of trials was finished"
        typer.echo(f"mathhammer: interrupted {trials_done}", err=True)
        raise typer.Exit(130) from None
    _write(outcome, json, csv, plot)


def _write(outcome: Outcome, json: str | None, csv: str | None, plot: str | None) -> None:
    """First what cannot be lost, then the files."""
    if "-" not in (json, csv):
        sys.stdout.write(str(outcome) + "\n")
    if json is not None:
        write_text("--json", json, json_of(outcome.to_dict(), json))
    if csv is not None:
        write_text("--csv", csv, csv_of(outcome))
    if plot is not None:
        from mathhammer import plots

        save_chart("--plot", plot, plots.outcome(outcome))


def csv_of(outcome: Outcome) -> str:
    """The distributions of an outcome as CSV with columns ``quantity,value,probability,at_least``."""
    text = io.StringIO()
    writer = csv_writer.writer(text, lineterminator="\n")
    writer.writerow(["quantity", "value", "probability", "at_least"])
    writer.writerows(_csv_rows(outcome))
    return text.getvalue()


def _csv_rows(outcome: Outcome) -> Iterator[list[Any]]:
    named = (
        "wounds_lost",
        "models_destroyed",
        "attacker_wounds_lost",
        "attacker_models_destroyed",
        "attackers_used",
    )
    for name, distribution in (
        *((name, getattr(outcome, name)) for name in named),
        *((f"by_model.{name}", each) for name, each in outcome.by_model.items()),
    ):
        for k, p in enumerate(distribution.pmf):
            yield [name, k, float(p), distribution.at_least(k)]
