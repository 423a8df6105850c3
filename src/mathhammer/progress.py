"""A progress bar on stderr for whatever takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mathhammer.errors import InvalidScenario

__all__ = ["Progress", "ProgressBar", "progress_bar"]

Progress = Callable[[int, int], object]
PATIENCE = 2.0
"""Seconds of silence before a bar appears by itself."""


def _watched() -> bool:
    """Whether somebody sees stderr: a terminal, or a notebook; a program without a console has none."""
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


class ProgressBar:
    """Called with ``(done, total)``; draws a rich bar once there is a reason to."""

    def __init__(self, label: str, patience: float) -> None:
        self._label, self._patience = label, patience
        self._began = time.monotonic()
        self._bar: object | None = None

    def __call__(self, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        if self._bar is None:
            if time.monotonic() - self._began < self._patience:
                return
            self._bar = Bar(console=Console(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=total)
        assert isinstance(self._bar, Bar)
        self._bar.update(self._task, completed=done, total=total)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()  # type: ignore[attr-defined]


@contextmanager
def progress_bar(progress: bool | Progress | None, label: str) -> Iterator[Progress | None]:
    """What to call with ``(done, total)``.

    Parameters
    ----------
    progress : bool or callable, optional
        None: a bar after two seconds on a terminal or in Jupyter; True: at once; False: none; a callable is
        called itself.

    Raises
    ------
    InvalidScenario
        For anything else.

    Examples
    --------
    >>> with progress_bar(False, "simulating") as report:
    ...     report is None
    True
    """
    if not callable(progress) and not isinstance(progress, bool | None):
        raise InvalidScenario.at("progress", progress, "None, True, False, or a function of (done, total)")
    if callable(progress):
        yield progress
    elif progress is False or (progress is None and not _watched()):
        yield None
    else:
        bar = ProgressBar(label, 0.0 if progress else PATIENCE)
        try:
            yield bar
        finally:
            bar.close()
