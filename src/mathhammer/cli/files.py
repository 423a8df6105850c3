"""Where the output of a command goes: stdout or a file, named by an option."""

from __future__ import annotations

import json
import math
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

__all__ = ["as_json", "check_chart", "check_text", "save_chart", "write_text"]

_FORMATS = ("png", "svg", "pdf")
"""Those that are always written; others may need a program that is not there."""


@contextmanager
def _naming(option: str, target: str) -> Iterator[None]:
    """What goes wrong with the file is said with the option that named it."""
    try:
        yield
    except OSError as fault:
        raise InvalidScenario.at(option, target, f"cannot be written ({fault.strerror or fault})") from None


def check_text(option: str, target: str | None) -> None:
    """Complain about a place that cannot be written to before the work is done.

    Raises
    ------
    InvalidScenario
    """
    if target not in (None, "-"):
        with _naming(option, str(target)):
            check_place(str(target))


def check_chart(option: str, target: str | None) -> None:
    """The same for a chart, and for a suffix that is no format.

    Raises
    ------
    InvalidScenario
    """
    if target is None:
        return
    if _format(target) not in _FORMATS:
        raise InvalidScenario.at(option, target, "name a chart .png, .svg or .pdf")
    check_text(option, target)


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


def as_json(frame: pd.DataFrame) -> str:
    """A table and what its ``attrs`` say, as one JSON object; a missing value is null.

    Examples
    --------
    >>> import pandas as pd
    >>> print(as_json(pd.DataFrame({"metric": ["wounds_lost"], "value": [1.5]})), end="")
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
    return json.dumps({"rows": rows, **frame.attrs}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _is_missing(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def save_chart(option: str, target: str, axes: Axes) -> None:
    """Save the figure of ``axes`` in the format that the suffix of ``target`` names.

    Raises
    ------
    InvalidScenario
        For a suffix that is no format, a place that cannot be written to, or a chart too large to be drawn.
    """
    from matplotlib import pyplot as plt

    figure = axes.get_figure(root=True)
    assert figure is not None
    try:
        check_chart(option, target)
        with _naming(option, target), replacing(target) as path:
            try:
                figure.savefig(path, format=_format(target), bbox_inches="tight")
            except (ValueError, RuntimeError, MemoryError) as fault:
                raise InvalidScenario.at(option, target, f"cannot be drawn ({_first_line(fault)})") from fault
    finally:
        plt.close(figure)


def _first_line(fault: Exception) -> str:
    return str(fault).strip().partition("\n")[0] or type(fault).__name__
