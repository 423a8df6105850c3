"""Many outcomes at once, with joblib: on this machine, or wherever its current backend takes the work.

``with joblib.parallel_config(backend="dask"): mathhammer.compare(...)`` runs on a Dask cluster; the functions
of this package say nothing about backends.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

import joblib  # type: ignore[import-untyped]

from mathhammer.errors import InvalidScenario

__all__ = ["Lost", "Progress", "run_all", "threads_of_one"]

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = bool | Callable[[int, int], None] | None
"""None: a line after 2 s, on a terminal or in Jupyter; True or False; or ``callable(done, total)``."""

PATIENCE = 2.0
"""Seconds before the progress line appears."""


class Lost(Generic[Item]):
    """Stands for the result of an item whose worker was killed each time it was tried."""

    def __init__(self, item: Item, cause: str) -> None:
        self.item = item
        self.cause = cause


def threads_of_one(jobs: int | None) -> int | None:
    """Threads for one task: one when several tasks run at once, else the engine's own choice."""
    return 1 if joblib.effective_n_jobs(jobs) > 1 else None


def run_all(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int | None,
    progress: Progress,
    noun: str,
) -> list[Result | Lost[Item]]:
    """``work(item)`` for every item, in order.

    Parameters
    ----------
    work : callable
        A function of a module, so that it can be sent to other processes.
    items : sequence
    jobs : int or None
        As joblib's ``n_jobs``: None is the current configuration (one process unless set), -1 every core.
    progress : bool, callable or None
    noun : str
        What the items are called in the progress line.

    Returns
    -------
    list
        Where a worker was killed, what was finished is kept and the rest is run again, the last time one by
        one; an item that still has no result is a `Lost`.

    Raises
    ------
    InvalidScenario
        The first that ``work`` raised, in the order of the items.
    Exception
        What the backend raised, when not one item has a result.

    Examples
    --------
    >>> run_all(abs, [-1, 2, -3], jobs=1, progress=False, noun="numbers")
    [1, 2, 3]
    """
    if jobs == 0 or isinstance(jobs, bool) or not isinstance(jobs, int | None):
        raise InvalidScenario.at("jobs", jobs, "a number of processes; -1 is one for every core")
    found: dict[int, _Answer] = {}
    cause: Exception | None = None

    def missing() -> list[int]:
        return [index for index in range(len(items)) if index not in found]

    with _shown(progress, len(items), noun) as report:
        for one_by_one in (False, False, True):
            rest = missing()
            for group in [[index] for index in rest] if one_by_one else [rest] if rest else []:
                tasks = (joblib.delayed(_guarded)(work, index, items[index]) for index in group)
                try:
                    for index, answer in joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks):
                        found[index] = answer
                        report(len(found), len(items))
                except Exception as fault:
                    # `_guarded` returns what `work` raises, so this is the backend: a worker was killed.
                    cause = fault
    if cause is not None and not found:
        raise cause
    return [
        found[index].get() if index in found else Lost(items[index], str(cause))
        for index in range(len(items))
    ]


class _Answer:
    """The result of a task or what it raised, in a form that survives the way between processes."""

    def __init__(self, result: Any = None, fault: Exception | None = None) -> None:
        self.result = result
        # An exception is pickled by its message alone; ours are made again from what they found.
        self.invalid = (type(fault), fault.problems) if isinstance(fault, InvalidScenario) else None
        self.fault = fault if self.invalid is None else None

    def get(self) -> Any:
        if self.invalid is not None:
            kind, problems = self.invalid
            raise kind(problems)
        if self.fault is not None:
            raise self.fault
        return self.result


def _guarded(work: Callable[[Any], Any], index: int, item: Any) -> tuple[int, _Answer]:
    try:
        return index, _Answer(work(item))
    except Exception as fault:
        return index, _Answer(fault=fault)


@contextmanager
def _shown(progress: Progress, total: int, noun: str) -> Iterator[Callable[[int, int], None]]:
    """A function to call with (done, total), that shows it as asked for."""
    if callable(progress):
        yield progress
        return
    if progress is False or (progress is None and not (sys.stderr.isatty() or "ipykernel" in sys.modules)):
        yield lambda done, total: None
        return
    started = time.monotonic()
    written = False

    def line(done: int, total: int) -> None:
        nonlocal written
        if written or time.monotonic() - started >= PATIENCE:
            written = True
            sys.stderr.write(f"\r{done} of {total} {noun}")
            sys.stderr.flush()

    try:
        yield line
    finally:
        if written:
            sys.stderr.write("\n")
