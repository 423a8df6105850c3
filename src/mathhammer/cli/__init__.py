"""The command line: thin, over the public functions."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper

import typer

from mathhammer.cli import best, run
from mathhammer.cli.interruption import interruptible
from mathhammer.errors import InvalidScenario, NoAnswer

__all__ = ["app", "main"]

MOST_PROBLEMS = 20
"""Shown behind the first."""

app = typer.Typer(
    name="mathhammer",
    help="What will this attack do? Whole distributions of damage and kills (Warhammer 40,000, unofficial).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _command in (run.demo, run.run, run.explain, best.best, best.needed):
    app.command()(interruptible()(_command))


def _add_tables() -> None:
    from mathhammer.cli import analysis, lists, report

    for command in (
        analysis.compare,
        analysis.sweep,
        analysis.what_if,
        lists.unit,
        lists.roster,
        report.report,
    ):
        app.command()(interruptible()(command))
    app.command("import")(interruptible()(lists.import_list))


_add_tables()


def main() -> None:
    """The entry point: errors are one line on stderr with exit code 2, a closed pipe ends quietly."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        # None where it was closed by whoever started us (``>&-``).
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # Letters that the encoding lacks are escaped, not an error in the middle of the output.
                stream.reconfigure(errors="backslashreplace")
        sys.exit(_exit_code())


def _exit_code() -> int:
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except InvalidScenario as fault:
        first, *others = fault.problems
        _say(f"mathhammer: {first}", *(f"            {problem}" for problem in others[:MOST_PROBLEMS]))
        if len(others) > MOST_PROBLEMS:
            _say(f"            and {len(others) - MOST_PROBLEMS} more")
        code = 2
    except NoAnswer as fault:
        _say(f"mathhammer: {fault}")
        code = 1
    except typer.Abort:
        code = 130
    except KeyboardInterrupt:
        _say("mathhammer: interrupted")
        code = 130
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has gone; nothing but a closed pipe makes the option parser exit by itself.
        _drop_output()
        code = 0
    except OSError as fault:
        _drop_output()
        _say(f"mathhammer: {fault.filename or 'output'}: {fault.strerror or fault}")
        code = 2
    except Exception as fault:
        # What the option parser raises knows how to show itself.
        if not hasattr(fault, "show") or not hasattr(fault, "exit_code"):
            raise
        fault.show()
        code = fault.exit_code
    return code or 0


def _say(*lines: str) -> None:
    """On stderr, where anybody can hear it: the exit code tells the rest."""
    with suppress(OSError):
        for line in lines:
            typer.echo(line, err=True)


def _drop_output() -> None:
    """What Python would still flush to stdout at its end goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
