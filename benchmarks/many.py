"""Thousands of exact solutions: on one core, on two with joblib, on a local Dask cluster."""

from __future__ import annotations

from functools import partial
from statistics import median
from tempfile import TemporaryDirectory

import joblib
import pandas as pd

import mathhammer as mh
from benchmarks.cases import many_targets, many_weapons
from benchmarks.clock import Effort, seconds
from benchmarks.page import Claim, Section, Table, in_ms, rate

__all__ = ["many_scenarios"]

JOBS = 2
GAIN = 1.7


def many_scenarios(effort: Effort) -> Section:
    """200 weapons against 20 targets; workers are started before the clock is."""
    weapons, targets = many_weapons(40 if effort.quick else 200), many_targets(10 if effort.quick else 20)
    table = partial(mh.compare, weapons, targets, "models_destroyed", engine="exact", progress=False)
    answers: dict[str, pd.DataFrame] = {}
    repeats = min(effort.repeats, 3)

    def measured(name: str, jobs: int) -> float:
        def work() -> None:
            answers[name] = table(jobs=jobs)

        return median(seconds(work) for _ in range(repeats))

    mh.compare(weapons[:4], targets[:4], "models_destroyed", engine="exact", jobs=JOBS, progress=False)
    taken = {"one process": measured("one process", 1), "joblib": measured("joblib", JOBS)}
    taken["Dask"] = _on_dask(partial(measured, "Dask", JOBS), weapons, targets)
    for name, frame in answers.items():
        pd.testing.assert_frame_equal(frame, answers["one process"], obj=name)
    count = len(weapons) * len(targets)
    rows = [
        (name, in_ms(each), rate(count / each), taken["one process"] / each) for name, each in taken.items()
    ]
    claims = [
        Claim(
            f"{count:,} comparisons, {name} on two cores",
            taken["one process"] / taken[name],
            GAIN,
            at_least=True,
        )
        for name in ("joblib", "Dask")
    ]
    words = (
        f"{len(weapons)} weapons against {len(targets)} targets, exactly, as one table of `compare`; two workers, "
        "started before. All give the same table."
    )
    return Section("Many scenarios", words, [Table(("where", "time", "scenarios/s", "gain"), rows)], claims)


def _on_dask(measure: partial[float], weapons: list[mh.Unit], targets: list[mh.Unit]) -> float:
    from distributed import Client, LocalCluster

    with (
        TemporaryDirectory() as folder,
        LocalCluster(
            n_workers=JOBS, threads_per_worker=1, dashboard_address=None, local_directory=folder
        ) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        mh.compare(weapons[:4], targets[:4], "models_destroyed", engine="exact", jobs=JOBS, progress=False)
        return measure()
