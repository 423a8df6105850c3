"""Many results at once: order, faults, killed workers, progress."""

import os
from pathlib import Path

import pytest

import mathhammer as mh
from mathhammer.analysis import InterruptedTable
from mathhammer.analysis.parallel import Lost, _Portions, run_all, threads_of_one, unfinished
from mathhammer.errors import InvalidScenario, NoAnswer, UnsupportedScenario


def _double(number):
    return 2 * number


def _refuse_odd(number):
    if number % 2:
        raise UnsupportedScenario.at("number", number, "even numbers only")
    return number


def _die_once(item):
    number, mark = item
    if number == 3 and not Path(mark).exists():
        Path(mark).touch()
        os._exit(1)
    return number


def _always_die(number):
    os._exit(1)


def _die(number):
    if number == 3:
        os._exit(1)
    return number


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_results_come_in_the_order_of_the_items(jobs):
    assert run_all(_double, range(20), jobs=jobs, progress=False, noun="numbers") == list(range(0, 40, 2))


def test_no_items_give_no_results():
    assert run_all(_double, [], jobs=2, progress=False, noun="numbers") == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_the_work_raises_arrives_whole(jobs):
    with pytest.raises(UnsupportedScenario) as caught:
        run_all(_refuse_odd, [2, 4, 7, 9], jobs=jobs, progress=False, noun="numbers")
    assert str(caught.value) == "number = 7: even numbers only"
    assert caught.value.problems[0].path == "number"


def test_other_faults_are_raised_and_not_tried_again():
    with pytest.raises(TypeError):
        run_all(_double, [1, None], jobs=2, progress=False, noun="numbers")


def test_when_a_worker_is_killed_its_items_are_run_again(tmp_path):
    items = [(number, str(tmp_path / "mark")) for number in range(8)]
    assert run_all(_die_once, items, jobs=2, progress=False, noun="numbers") == list(range(8))


def test_an_item_that_kills_every_worker_is_lost_and_the_others_are_kept():
    found = run_all(_die, range(6), jobs=2, progress=False, noun="numbers")
    assert [item for item in found if not isinstance(item, Lost)] == [0, 1, 2, 4, 5]
    assert found[3].item == 3
    assert "terminated" in found[3].cause


@pytest.mark.parametrize(
    ("items", "jobs", "seconds", "expected"),
    [
        (4000, 2, 0.008, 250),  # a millisecond each: an eighth of a worker's share
        (4000, 2, 0.8, 2),  # a tenth of a second each: what a quarter of a second is enough for
        (4000, 2, 80, 1),
        (20, 2, 0.008, 1),
        (4000, 1, 0.008, 1),  # in one process each is reported by itself
    ],
)
def test_a_worker_gets_as_much_at_a_time_as_is_soon_done(items, jobs, seconds, expected):
    portions = _Portions(items, jobs)
    portions.took(8, seconds)
    assert portions.size == expected


def test_portions_grow_while_results_come_in():
    portions = _Portions(4000, 2)
    sizes = []
    for portion in portions.of(range(4000)):
        sizes.append(len(portion))
        portions.took(len(portion), 0.001 * len(portion))
    assert sizes[:3] == [16, 250, 250]
    assert sum(sizes) == 4000


@pytest.mark.parametrize("jobs", [0, True, 1.5, "all"])
def test_a_wrong_number_of_jobs_is_refused(jobs):
    with pytest.raises(InvalidScenario, match="jobs = "):
        threads_of_one(jobs)


def test_a_callable_is_told_of_every_result():
    calls = []
    run_all(_double, [1, 2, 3], jobs=1, progress=lambda *pair: calls.append(pair), noun="numbers")
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_a_bar_goes_to_stderr(capsys):
    run_all(_double, [1, 2], jobs=1, progress=True, noun="numbers")
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err != ""


def test_what_a_progress_callable_raises_is_not_taken_for_a_killed_worker():
    def stop(done, total):
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        run_all(_double, [1, 2], jobs=1, progress=stop, noun="numbers")


def _stop_at(count):
    def stop(done, total):
        if done == count:
            raise KeyboardInterrupt

    return stop


def test_what_was_finished_before_an_interruption_is_kept():
    found = run_all(_double, [1, 2, 3, 4], jobs=1, progress=_stop_at(2), noun="numbers")
    assert found[:2] == [2, 4]
    assert [lost.item for lost in found[2:]] == [3, 4]
    assert unfinished(found) == 2


def test_an_interruption_before_the_first_result_is_raised():
    def stop(number):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(stop, [1, 2], jobs=1, progress=False, noun="numbers")


def test_an_interrupted_table_is_raised_with_what_there_is():
    gun = mh.Unit(name="Gunners", points=90, weapons=["3x Gun: A2 BS4+ S5 AP-1 D2"])
    wall = mh.Unit(name="Wall", points=90, models=["3x Shield: T4 Sv2+ W3"])
    fight = mh.Scenario(attacker=gun, target=wall)
    tables = (
        lambda progress: mh.compare(gun, ["marines", "guard", "tank"], "wounds_lost", progress=progress),
        lambda progress: mh.army_table(
            gun, ["marines", "guard", "tank"], "wounds_lost", phases=["shooting"], progress=progress
        ),
        lambda progress: mh.sweep(
            fight, "target.models[0].Sv", [2, 3, 4], metrics="wounds_lost", progress=progress
        ),
    )
    for table in tables:
        whole = table(False)["value"].tolist()
        with pytest.raises(InterruptedTable, match="interrupted after 2 of 3") as stop:
            table(_stop_at(2))
        part = stop.value.frame
        assert part["value"].tolist()[:2] == whole[:2]
        assert part["value"].isna().tolist() == [False, False, True]
        assert part["engine"].tolist() == ["exact", "exact", "lost"]
    with pytest.raises(KeyboardInterrupt):
        mh.what_if(fight, ["+1 to hit", "+1 to wound"], progress=_stop_at(2))


def test_where_no_worker_comes_back_it_is_said_in_one_line():
    with pytest.raises(NoAnswer, match=r"no worker came back: A worker process .* terminated") as caught:
        run_all(_always_die, range(2), jobs=2, progress=False, noun="numbers")
    assert "\n" not in str(caught.value)
