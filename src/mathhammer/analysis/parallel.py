"""Many outcomes at once, with joblib: on this machine, or wherever its current backend takes the work.

``with joblib.parallel_config(backend="dask"): mathhammer.compare(...)`` runs on a Dask cluster; the functions
of this package say nothing about backends.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar, cast

import joblib

from mathhammer.arguments import is_whole
from mathhammer.errors import InvalidScenario, NoAnswer
from mathhammer.progress import Progress, progress_bar

__all__ = ["Lost", "ShowProgress", "run_all", "threads_of_one", "unfinished"]

Item = TypeVar("Item")
Result = TypeVar("Result")
ShowProgress = bool | Progress | None
"""None: a bar after 2 s, on a terminal or in Jupyter; True or False; or ``callable(done, total)``."""
FIRST_PORTION = 16
SECONDS_OF_A_TASK = 0.25
TASKS_OF_A_WORKER = 8
INTERRUPTED = "interrupted"


class Lost(Generic[Item]):
    """Stands for the result of an item whose worker was killed each time it was tried, or that was interrupted."""

    def __init__(self, item: Item, cause: str) -> None:
        self.item = item
        self.cause = cause

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C came first."""
        return self.cause == INTERRUPTED


def unfinished(results: Iterable[object]) -> int:
    """How many have no result because of Ctrl-C."""
    return sum(isinstance(result, Lost) and result.interrupted for result in results)


def threads_of_one(jobs: int | None) -> int | None:
    """Threads for one task: one when several tasks run at once, else the engine's own choice.

    Raises
    ------
    InvalidScenario
        For a number of jobs that is none.
    """
    if jobs is not None and (not is_whole(jobs) or jobs == 0):
        raise InvalidScenario.at("jobs", jobs, "a number of processes; -1 is one for every core")
    return 1 if joblib.effective_n_jobs(jobs) > 1 else None


def run_all(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int | None,
    progress: ShowProgress,
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
        What the items are called beside the progress bar.

    Returns
    -------
    list
        Where a worker was killed, what was finished is kept and the rest is run again, the last time one by
        one; an item that still has no result is a `Lost`. So are, after Ctrl-C, those that have none yet: who
        calls this must look for them with `unfinished`.

    Raises
    ------
    InvalidScenario
        The first that ``work`` raised, in the order of the items.
    NoAnswer
        When not one item has a result; its cause is what the backend raised.
    KeyboardInterrupt
        When not one item had a result before Ctrl-C.

    Examples
    --------
    >>> run_all(abs, [-1, 2, -3], jobs=1, progress=False, noun="numbers")
    [1, 2, 3]
    """
    found: dict[int, Result | _Raised] = {}
    causes: list[Exception] = []
    processes = joblib.effective_n_jobs(jobs)
    portions = _Portions(len(items), processes)
    stopped = False
    try:
        with progress_bar(progress, noun) as report:
            for one_by_one in (False, False, True):
                rest = [index for index in range(len(items)) if index not in found]
                for group in [[index] for index in rest] if one_by_one else [rest] if rest else []:
                    tasks = (
                        _task(work, {index: items[index] for index in portion}, processes > 1)
                        for portion in portions.of(group)
                    )
                    for answers, seconds in _until_a_worker_dies(tasks, jobs, causes):
                        found |= answers
                        portions.took(len(answers), seconds)
                        if report is not None:
                            report(len(found), len(items))
    except KeyboardInterrupt:
        if not found:
            raise
        stopped = True
    if causes and not found:
        raise NoAnswer(f"no worker came back: {str(causes[-1]).partition(chr(10))[0]}") from causes[-1]
    for answer in map(found.get, range(len(items))):
        if isinstance(answer, _Raised):
            raise answer.fault
    return [
        cast(Result, found[index])
        if index in found
        else Lost(item, INTERRUPTED if stopped else str(causes[-1]))
        for index, item in enumerate(items)
    ]


class _Portions:
    """How many items go to a worker at a time: what a fraction of a second is enough for.

    What items have in common is sent once a task, and a task costs some milliseconds by itself; but each worker
    gets several, so that all are done at about the same time, and little is lost with one that is killed.
    """

    def __init__(self, items: int, jobs: int) -> None:
        self.most = 1 if jobs == 1 else max(1, items // (TASKS_OF_A_WORKER * jobs))
        self.size = min(FIRST_PORTION, self.most)

    def took(self, items: int, seconds: float) -> None:
        """The last task is the measure: the first ones load what they need."""
        enough = items * SECONDS_OF_A_TASK / max(seconds, 1e-9)
        self.size = max(1, min(self.most, int(enough)))

    def of(self, group: Sequence[int]) -> Iterator[Sequence[int]]:
        """Taken one by one while results come in."""
        first = 0
        while first < len(group):
            last = first + self.size
            yield group[first:last]
            first = last


def _until_a_worker_dies(
    tasks: Iterable[Any], jobs: int | None, causes: list[Exception]
) -> Iterator[tuple[dict[int, Any], float]]:
    """The results as they come; what the backend raises ends them and goes to ``causes``."""
    try:
        yield from joblib.Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")(tasks)
    except Exception as fault:
        # What the work itself raises, `_answers` has returned as a result.
        causes.append(fault)


class _Raised(NamedTuple):
    """What the work raised instead of an answer."""

    fault: Exception


def _task(work: Callable[[Any], Any], items: dict[int, Any], packed: bool) -> Any:
    """A portion of the work, for joblib.

    What goes to another process is packed here: the scheduler of a cluster would unpack arguments, look through
    them for futures, and pack them again.
    """
    if packed:
        return joblib.delayed(_unpacked)(pickle.dumps((work, items)))
    return joblib.delayed(_answers)(work, items)


def _unpacked(packed: bytes) -> tuple[dict[int, Any], float]:
    return _answers(*pickle.loads(packed))


def _answers(work: Callable[[Any], Any], items: dict[int, Any]) -> tuple[dict[int, Any], float]:
    """The results, and the seconds that they took."""
    start = perf_counter()
    answers = {}
    for index, item in items.items():
        try:
            answers[index] = work(item)
        except Exception as fault:
            answers[index] = _Raised(fault)
    return answers, perf_counter() - start
