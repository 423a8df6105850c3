"""Output files: written beside their place and moved there, so that no half a file is ever left."""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mathhammer.errors import InvalidScenario

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["as_json", "replacing", "save_chart", "write_text"]


@contextmanager
def replacing(option: str, target: str) -> Iterator[Path]:
    """A path beside ``target``, with its suffix, to write to; moved to it when all went well.

    Raises
    ------
    InvalidScenario
        When the place cannot be written to; names the option.
    """
    path = Path(target)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem[:40]}-", suffix=path.suffix)
    except OSError as fault:
        raise _unwritable(option, target, fault) from None
    os.close(handle)
    try:
        yield Path(name)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as fault:
        raise _unwritable(option, target, fault) from None
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unwritable(option: str, target: str, fault: OSError) -> InvalidScenario:
    return InvalidScenario.at(option, target, f"cannot be written ({fault.strerror or fault})")


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
    with replacing(option, target) as path:
        path.write_text(text, encoding="utf-8")


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
        For a suffix that is no format, or a place that cannot be written to.
    """
    from matplotlib import pyplot as plt

    figure = axes.get_figure(root=True)
    assert figure is not None
    formats = figure.canvas.get_supported_filetypes()
    try:
        if Path(target).suffix[1:].lower() not in formats:
            raise InvalidScenario.at(option, target, "name a chart .png, .svg or .pdf")
        with replacing(option, target) as path:
            figure.savefig(path, bbox_inches="tight")
    finally:
        plt.close(figure)
