"""The same calls on a local Dask cluster, by joblib's backend."""

import joblib
import pytest

import mathhammer as mh
from mathhammer.analysis import compare

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_compare_runs_on_the_cluster_unchanged(cluster):
    squad = mh.Unit(name="Squad", points=80, weapons=["5x Rifle: A2 BS3+ S4 AP-1 D1"])
    here = compare(squad, ["chaff", "marines"], "wounds_lost", seed=1)
    with joblib.parallel_config(backend="dask"):
        there = compare(squad, ["chaff", "marines"], "wounds_lost", seed=1)
    assert there.equals(here)
