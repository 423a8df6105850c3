"""What a command shows and says when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["interruptible", "so_far"]


@contextmanager
def interruptible() -> Iterator[None]:
    """Around a command, as a decorator: the option parser would end it without a word."""
    try:
        yield
    except KeyboardInterrupt as stop:
        typer.echo(f"mathhammer: {str(stop) or 'interrupted'}", err=True)
        raise typer.Exit(130) from None


def so_far(make: Callable[[], pd.DataFrame]) -> tuple[pd.DataFrame, KeyboardInterrupt | None]:
    """The table, or what there is of it and the interruption, to be raised when that is shown."""
    from mathhammer.analysis import InterruptedTable

    try:
        return make(), None
    except InterruptedTable as stop:
        return stop.frame, stop
