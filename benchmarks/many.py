"""Thousands of exact solutions: on one core, on two with joblib, on a local Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
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


def many_scenarios(effort: Effort) -> Section:
    """200 weapons against 20 targets; workers are started before the clock is."""
    weapons, targets = many_weapons(40 if effort.quick else 200), many_targets(10 if effort.quick else 20)
    table = partial(mh.compare, weapons, targets, "models_destroyed", engine="exact", progress=False)
    answers: dict[str, pd.DataFrame] = {}
    repeats = min(effort.repeats, 5)

    def work(name: str, jobs: int) -> None:
        answers[name] = table(jobs=jobs)

    def in_halves() -> None:
        half = len(weapons) // JOBS
        parts = [weapons[:half], weapons[half:]]
        joblib.Parallel(JOBS)(joblib.delayed(_one_part)(part, targets) for part in parts)

    works = {"one process": partial(work, "one process", 1), "joblib": partial(work, "joblib", JOBS)}
    times = in_turn({**works, HALVES: in_halves}, repeats)
    with _cluster():
        dask = in_turn({"Dask": partial(work, "Dask", JOBS)}, repeats)["Dask"]
    for name, frame in answers.items():
        pd.testing.assert_frame_equal(frame, answers["one process"], obj=name)
    count, one = len(weapons) * len(targets), times["one process"]
    gains = {name: times_faster(one, taken) for name, taken in times.items()}
    gains["Dask"] = median(one) / median(dask)
    rows = [
        (name, in_ms(median(taken)), rate(count / median(taken)), gains[name])
        for name, taken in {**times, "Dask": dask}.items()
    ]
    claims = [
        Claim(f"{count:,} comparisons, {name} on two cores", gains[name], GAIN, at_least=True)
        for name in ("joblib", "Dask")
    ]
    words = (
        f"{len(weapons)} weapons against {len(targets)} targets, exactly, as one table of `compare`; two workers, "
        f"started before. All give the same table. {HALVES.capitalize()}, which have nothing to do with each other, "
        "are what the machine itself allows."
    )
    return Section("Many scenarios", words, [Table(("where", "time", "scenarios/s", "gain"), rows)], claims)


def _one_part(weapons: list[mh.Unit], targets: list[mh.Unit]) -> None:
    mh.compare(weapons, targets, "models_destroyed", engine="exact", progress=False)


@contextmanager
def _cluster() -> Iterator[None]:
    """A local Dask cluster, as joblib's backend."""
    from distributed import Client, LocalCluster

    with (
        TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=JOBS, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        yield
