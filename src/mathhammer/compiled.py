"""Compiled functions that are kept on disk where that is possible, and work where it is not.

numba refuses to define a cached function when no folder for it can be written, and fails when the disk is full
or a file of the cache is broken. Here each of these costs time and one warning, never the answer.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache, NullCache
from numba.core.dispatcher import Dispatcher

from mathhammer.errors import MathhammerWarning

__all__ = ["compiled"]


@cache
def _announce() -> None:
    """Say that it takes a while, once in a process."""
    print(
        "mathhammer: compiling for this machine, once; up to half a minute ...", file=sys.stderr, flush=True
    )


@cache
def _warn_once() -> None:
    warnings.warn(
        "compiled code cannot be kept, every start will take longer: make a folder that can be written and name "
        "it in the environment variable NUMBA_CACHE_DIR",
        MathhammerWarning,
        stacklevel=2,
    )


class _Kept(FunctionCache):  # type: ignore[misc]
    """The cache of one function; what cannot be read is compiled again, what cannot be written is not kept."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:
            # Half a file, or one of another version: there is no list of what unpickling it can raise.
            found = self._emptied()
        if found is None:
            _announce()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:
            _warn_once()

    def _emptied(self) -> None:
        try:
            self.flush()
        except OSError:
            _warn_once()


class _NotKept(NullCache):  # type: ignore[misc]
    """Stands for the cache where there is no place for one."""

    def load_overload(self, sig: Any, target_context: Any) -> None:
        _announce()


def _cache_of(function: Callable[..., Any]) -> Any:
    try:
        return _Kept(function)
    except RuntimeError:
        # "no locator available": neither beside the source nor in the user's cache can be written.
        _warn_once()
        return _NotKept()


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """A decorator: ``numba.njit(cache=True, **options)`` that survives without a cache.

    Nothing is compiled before the first call.

    Parameters
    ----------
    **options
        Of `numba.njit`, without ``cache``.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        made = njit(**options)(function)
        if isinstance(made, Dispatcher):
            made._cache = _cache_of(function)
        return made

    return decorate
