"""Where the output of a command goes: stdout or a file, named by an option."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathhammer.errors import InvalidScenario
from mathhammer.saving import check_place, replacing, save_text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["as_json", "check_places", "json_of", "save_chart", "write_text"]

_FORMATS = ("png", "svg", "pdf")
"""Those that are always written; others may need a program that is not there."""


@contextmanager
def _naming(option: str, target: str) -> Iterator[None]:
    """What goes wrong with the file is said with the option that named it."""
    try:
        yield
    except OSError as fault:
        raise InvalidScenario.at(option, target, f"cannot be written ({fault.strerror or fault})") from None


def check_places(plot: str | None = None, **texts: str | None) -> None:
    """Complain before the work is done about a place that cannot be written to, or that two things would go to.

    Parameters
    ----------
    plot : str, optional
        What ``--plot`` names: a chart, so that the suffix is that of a format.
    **texts : str, optional
        What options for text name, such as ``csv="-"`` for ``--csv -``; ``-`` is stdout.

    Raises
    ------
    InvalidScenario
    """
    if plot is not None and _format(plot) not in _FORMATS:
        raise InvalidScenario.at("--plot", plot, "name a chart .png, .svg or .pdf")
    taken: dict[str, str] = {}
    for name, target in {**texts, "plot": plot}.items():
        if target is None:
            continue
        place = "stdout" if target == "-" else os.path.realpath(target)
        if place in taken:
            there = place if place == "stdout" else "one file"
            remedy = f"only one of --{taken[place]} and --{name} can go to {there}"
            raise InvalidScenario.at(f"--{name}", target, remedy)
        taken[place] = name
        if target != "-":
            with _naming(f"--{name}", target):
                check_place(target)


def _format(target: str) -> str:
    return Path(target).suffix[1:].lower()


def write_text(option: str, target: str, text: str) -> None:
    """Write ``text`` to a file, or to stdout for ``-``.

    Raises
    ------
    InvalidScenario
        When it cannot be written.
    """
    if target == "-":
        sys.stdout.write(text)
        return
    with _naming(option, target):
        save_text(target, text)


def json_of(value: Any, target: str) -> str:
    """A value as JSON for a place: a stdout that does not take every letter gets them escaped."""
    plain = target != "-" or (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(value, indent=1, ensure_ascii=not plain, allow_nan=False) + "\n"


def as_json(frame: pd.DataFrame, target: str) -> str:
    """For `json_of`: a table and what its ``attrs`` say, as one JSON object; a missing value is null.

    Examples
    --------
    >>> import pandas as pd
    >>> print(as_json(pd.DataFrame({"metric": ["wounds_lost"], "value": [1.5]}), "table.json"), end="")
    {
     "rows": [
      {
       "metric": "wounds_lost",
       "value": 1.5
      }
     ]
    }
    """
    rows = [
        {key: None if _is_missing(value) else value for key, value in row.items()}
        for row in frame.to_dict("records")
    ]
    return json_of({"rows": rows, **frame.attrs}, target)


def _is_missing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def save_chart(option: str, target: str, axes: Axes) -> None:
    """Save the figure of ``axes`` in the format that the suffix of ``target`` names.

    Raises
    ------
    InvalidScenario
        For a place that cannot be written to, or a chart too large to be drawn.
    """
    from matplotlib import pyplot as plt

    figure = axes.get_figure(root=True)
    assert figure is not None
    try:
        with _naming(option, target), replacing(target) as path:
            try:
                figure.savefig(path, format=_format(target), bbox_inches="tight")
            except (ValueError, RuntimeError, MemoryError) as fault:
                raise InvalidScenario.at(option, target, f"cannot be drawn ({_first_line(fault)})") from fault
    finally:
        plt.close(figure)


def _first_line(fault: Exception) -> str:
    return str(fault).strip().partition("\n")[0] or type(fault).__name__
