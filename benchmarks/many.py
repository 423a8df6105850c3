"""Thousands of exact solutions: on one core, on two with joblib, on a local Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from statistics import median
from tempfile import TemporaryDirectory

import joblib
import pandas as pd

import mathhammer as mh
from benchmarks.cases import many_targets, many_weapons
from benchmarks.clock import Effort, in_turn, times_faster
from benchmarks.page import Claim, Section, Table, in_ms, rate

__all__ = ["many_scenarios"]

JOBS = 2
GAIN = 1.7
HALVES = "two processes with half of it each"
BESIDE = "one process, beside the cluster"


def many_scenarios(effort: Effort) -> Section:
    """200 weapons against 20 targets; workers are started before the clock is."""
    weapons, targets = many_weapons(40 if effort.quick else 200), many_targets(10 if effort.quick else 20)
    compare = partial(mh.compare, weapons, targets, "models_destroyed", engine="exact", progress=False)
    answers: dict[str, pd.DataFrame] = {}
    repeats = min(effort.repeats, 5)

    def work(name: str, jobs: int) -> None:
        answers[name] = compare(jobs=jobs)

    def in_halves() -> None:
        half = len(weapons) // JOBS
        parts = [weapons[:half], weapons[half:]]
        joblib.Parallel(JOBS)(joblib.delayed(_one_part)(part, targets) for part in parts)

    def on_dask(what: Callable[[], None]) -> None:
        with joblib.parallel_config(backend="dask"):
            what()

    alone = {
        "one process": partial(work, "one process", 1),
        "joblib": partial(work, "joblib", JOBS),
        HALVES: in_halves,
    }
    beside = {BESIDE: partial(work, BESIDE, 1), "Dask": partial(on_dask, partial(work, "Dask", JOBS))}
    counting = {"one process": partial(_count, 1), "Dask": partial(on_dask, partial(_count, JOBS))}
    rounds = [in_turn(alone, repeats)]
    with _cluster():
        rounds += [in_turn(beside, repeats), in_turn(counting, repeats)]
    for name, frame in answers.items():
        pd.testing.assert_frame_equal(frame, answers["one process"], obj=name)
    count = len(weapons) * len(targets)
    *tables, counted = (_gains(times) for times in rounds)
    gains = {name: gain for table in tables for name, _, gain in table}
    rows = [
        (name, in_ms(taken), rate(count / taken), gain) for table in tables for name, taken, gain in table
    ]
    claims = [
        Claim(f"{count:,} comparisons, {name} on two cores", gains[name], GAIN, at_least=True)
        for name in ("joblib", "Dask")
    ]
    words = (
        f"{len(weapons)} weapons against {len(targets)} targets, exactly, as one table of `compare`; two workers, "
        f"started before. All give the same table. {HALVES.capitalize()}, which have nothing to do with each other, "
        "are what the machine itself allows. The second table is what a Dask cluster allows on it: 24 tasks that do "
        "nothing but count. Gains are over the one process of the same rounds."
    )
    compared = Table(("where", "time", "scenarios/s", "gain"), rows)
    counted_rows = [(name, in_ms(taken), gain) for name, taken, gain in counted]
    return Section(
        "Many scenarios", words, [compared, Table(("counting", "time", "gain"), counted_rows)], claims
    )


def _gains(times: dict[str, list[float]]) -> list[tuple[str, float, float]]:
    """Each name, its median seconds, and how much faster than the first it was."""
    first = next(iter(times.values()))
    return [(name, median(taken), times_faster(first, taken)) for name, taken in times.items()]


def _count(jobs: int) -> None:
    joblib.Parallel(jobs, batch_size=1)(joblib.delayed(sum)(range(3_000_000)) for _ in range(24))


def _one_part(weapons: list[mh.Unit], targets: list[mh.Unit]) -> None:
    mh.compare(weapons, targets, "models_destroyed", engine="exact", progress=False)


@contextmanager
def _cluster() -> Iterator[None]:
    """A local Dask cluster."""
    from distributed import Client, LocalCluster

    with (
        TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=JOBS, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
        Client(cluster),
    ):
        yield
