"""What is changed as a whole or not at all, also when Ctrl-C is pressed in the middle of it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["unbroken"]


@contextmanager
def unbroken() -> Iterator[None]:
    """Let Ctrl-C wait until the body has ended.

    Only the main thread is ever interrupted: in others, and where the handler was not set from Python, nothing is
    changed.

    Examples
    --------
    >>> with unbroken():
    ...     whole = 1
    >>> whole
    1
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    pressed: list[Any] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if pressed:
        signal.raise_signal(signal.SIGINT)
