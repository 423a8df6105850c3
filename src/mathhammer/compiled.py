"""Compiled functions that are kept on disk where that is possible, and work where it is not.

numba refuses to define a cached function when no folder for it can be written, and fails when the disk is full
or a file of the cache is broken. Here each of these costs time and one warning, never the answer.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache, NullCache

from mathhammer.errors import MathhammerWarning
from mathhammer.unbroken import unbroken

__all__ = ["WITHIN", "compiled"]

WITHIN: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of functions that only compiled ones call: without a way in from Python they are compiled in less time."""
FROM_PYTHON: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Of all others: nothing calls them as functions of C."""


@cache
def _announce() -> None:
    """Say that it takes a while, once in a process."""
    print(
        "mathhammer: compiling, which takes up to half a minute the first time ...",
        file=sys.stderr,
        flush=True,
    )


@cache
def _warn_once() -> None:
    warnings.warn(
        "compiled code cannot be kept, every start will take longer: make a folder that can be written and name "
        "it in the environment variable NUMBA_CACHE_DIR",
        MathhammerWarning,
        stacklevel=2,
    )


def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Changes whenever a source file of the folder does."""
    found = [(file.name, file.stat()) for file in sorted(folder.glob("*.py"))]
    return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)


class _Cache:
    """The cache of one function; what cannot be read is compiled again, what cannot be written is not kept."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._kept: Any = NullCache()
        on_disk: Any = FunctionCache
        try:
            self._kept = on_disk(function)
            # numba asks only whether the function's own file has changed: constants and parts come from others.
            self._kept._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
        except RuntimeError:
            # "no locator available": neither beside the source nor in the user's cache can be written.
            _warn_once()

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        try:
            found = self._kept.load_overload(signature, target_context)
        except Exception:
            # Half a file, or one of another version: there is no list of what unpickling it can raise.
            found = None
            self._save(self._kept.flush)
        if found is None:
            _announce()
        return found

    def save_overload(self, signature: Any, data: Any) -> None:
        self._save(self._kept.save_overload, signature, data)

    def _save(self, save: Callable[..., None], *data: Any) -> None:
        try:
            save(*data)
        except OSError:
            _warn_once()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept, name)


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator: ``numba.njit(cache=True, **options)`` that survives without a cache.

    Nothing is compiled before the first call.

    Parameters
    ----------
    **options
        Of `numba.njit`, without ``cache``.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        made: Any = njit(**FROM_PYTHON, **options)(function)
        if hasattr(made, "_compile_for_args"):
            # Ctrl-C in the middle of it is lost, or leaves half a library that every later call stumbles over.
            made._compile_for_args = unbroken()(made._compile_for_args)
        if hasattr(made, "enable_caching"):
            made._cache = _Cache(function)
        return made

    return decorate
