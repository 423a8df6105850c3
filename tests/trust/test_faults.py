"""What happens around the program: Ctrl-C, full disks, closed pipes, folders that cannot be written to."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from tests.cli.test_errors import GOOD, answer

import mathhammer as mh
from mathhammer import front
from mathhammer.montecarlo import engine
from mathhammer.montecarlo.engine import BLOCK
from mathhammer.saving import replacing, save_text

COMMAND = [sys.executable, "-m", "mathhammer"]
FIGHT = mh.Scenario.from_toml(GOOD)
SOURCE = Path(mh.__file__).parent
pytestmark = pytest.mark.usefixtures("nothing_left_to_compile")


def small_files() -> None:
    """In the child: a disk that is full after 1000 bytes of each file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.fixture
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so short that a run of several takes no time."""
    monkeypatch.setattr(engine, "BLOCK", 1 << 8)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("blocks", [0, 1, 5])
def test_interrupted_runs_keep_what_they_have(threads: int, blocks: int) -> None:
    calls = 0

    def interrupt(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if done >= blocks * BLOCK:
            raise KeyboardInterrupt

    with pytest.raises(mh.Interrupted) as caught:
        mh.simulate(FIGHT, 10**9, seed=4, threads=threads, progress=interrupt)
    outcome = caught.value.outcome
    if outcome is None:
        assert (threads, blocks) == (2, 0)
        return
    assert outcome.trials is not None
    assert outcome.trials >= blocks * BLOCK
    assert outcome.trials % BLOCK == 0
    assert outcome.seed == 4
    assert outcome.wounds_lost.pmf.sum() == pytest.approx(1)
    str(outcome)


def test_an_interrupted_run_of_one_thread_is_the_beginning_of_it() -> None:
    def interrupt(done: int, total: int) -> None:
        if done >= 3 * BLOCK:
            raise KeyboardInterrupt

    with pytest.raises(mh.Interrupted) as caught:
        mh.simulate(FIGHT, 10**9, seed=4, threads=1, progress=interrupt)
    assert caught.value.outcome is not None
    assert caught.value.outcome.to_dict() == mh.simulate(FIGHT, 3 * BLOCK, seed=4).to_dict()


class PressAt:
    """Presses Ctrl-C when the engine comes to its ``count``-th line."""

    def __init__(self, count: int) -> None:
        self.count, self.lines, self.before = count, 0, sys.gettrace()

    def __enter__(self) -> PressAt:
        sys.settrace(self.enter)
        return self

    def __exit__(self, *fault: object) -> None:
        sys.settrace(self.before)

    def enter(self, frame: FrameType, event: str, argument: object) -> Any:
        return self.line if frame.f_globals.get("__name__") == engine.__name__ else None

    def line(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            self.lines += 1
            if self.lines == self.count:
                signal.raise_signal(signal.SIGINT)
        return self.line


CERTAIN = {"weapons": ["10x Rifle: A2 BS3+ S4 AP-1 D1"], "models": ["9x Trooper: T4 Sv3+ W2"]}
IN_STEP = {
    "weapons": ["6x Gun: A2 BS3+ S6 AP-1 DD3"],
    "models": ["3x Shield: T4 Sv2+ W3", "5x Man: T4 Sv3+ W2"],
}
BY_TRIALS = {"weapons": ["2x Mortar: AD6 BS4+ S5 AP0 D1 [BLAST]"], "models": ["9x Man: T4 Sv3+ W2"]}


@pytest.mark.parametrize("kind", [CERTAIN, IN_STEP, BY_TRIALS], ids=["certain", "in step", "by trials"])
def test_ctrl_c_at_any_line_of_the_engine_leaves_a_whole_outcome(kind: dict[str, Any], fewer: None) -> None:
    scenario = mh.Scenario.from_dict(
        {
            "attacker": {"name": "A", "weapons": kind["weapons"]},
            "target": {"name": "T", "models": kind["models"]},
        }
    )
    whole = {
        blocks * engine.BLOCK: mh.simulate(scenario, blocks * engine.BLOCK, seed=4, threads=1).to_dict()
        for blocks in (1, 2)
    }
    kept, count = [], 1
    while True:
        try:
            with PressAt(count):
                mh.simulate(scenario, 2 * engine.BLOCK, seed=4, threads=1)
        except KeyboardInterrupt as pressed:
            outcome = pressed.outcome if isinstance(pressed, mh.Interrupted) else None
            kept.append(outcome.trials if outcome else 0)
            if outcome is not None:
                assert outcome.to_dict() == whole[outcome.trials]
        else:
            break
        count += 1
    assert set(kept) == {0, *whole}
    assert kept == sorted(kept)


def interrupted(words: list[str], after: float) -> tuple[int, str, str, float]:
    """Exit code, stdout, stderr of a command that gets Ctrl-C, and how long it took to end."""
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err, time.monotonic() - sent


@pytest.mark.parametrize("blocks", [0, 2])
def test_ctrl_c_prints_what_there_is(
    fight: str, blocks: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(done: int, total: int) -> None:
        if done >= blocks * BLOCK:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(front, "simulate", partial(front.simulate, progress=press))
    code, out, err = answer(capsys, "run", fight, "--trials", "100000000", "--threads", "1", "--json", "-")
    assert code == 130
    trials = json.loads(out)["trials"]
    assert trials == max(blocks, 1) * BLOCK
    assert err == f"mathhammer: interrupted after {trials:,} trials\n"


@pytest.mark.large
@pytest.mark.parametrize("after", [0.3, 0.8, 1.5, 6.0])
def test_ctrl_c_at_any_moment_is_130(fight: str, after: float) -> None:
    code, _, err, waited = interrupted(["run", fight, "--trials", "100000000000"], after)
    # Before the program has begun, Python itself ends by the signal.
    assert code in (130, -signal.SIGINT) or "KeyboardInterrupt" in err
    assert waited < 10  # A second on an idle machine.


@pytest.mark.parametrize("words", [["run", "--exact"], ["explain"]])
def test_a_full_disk_behind_stdout(fight: str, words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, words[0], fight, *words[1:]],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert done.returncode == 2
    assert done.stderr == "mathhammer: output: No space left on device\n"


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_a_full_disk_behind_a_file(fight: str, tmp_path: Path, option: str) -> None:
    path = tmp_path / "out.svg"
    path.write_text("old", encoding="utf-8")
    # A measurement of coverage would write a large file of its own.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run(
        [*COMMAND, "run", fight, "--exact", option, str(path)],
        preexec_fn=small_files, env=environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert f'mathhammer: {option} = "{path}": cannot be written (File too large)' in done.stderr
    assert "Exact distribution." in done.stdout
    assert path.read_text(encoding="utf-8") == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["fight.toml", "out.svg"]


def test_a_closed_pipe_ends_quietly(fight: str) -> None:
    for words in (["run", fight, "--exact", "--csv", "-"], ["explain", fight]):
        with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 0


def test_devices_are_written_to_not_replaced() -> None:
    save_text("/dev/null", "gone")
    with pytest.raises(OSError, match="No space left"):
        save_text("/dev/full", "too much")
    for device in ("/dev/null", "/dev/full"):
        assert Path(device).is_char_device()


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    with suppress(LookupError), replacing(path) as beside:
        beside.write_text("half", encoding="utf-8")
        raise LookupError
    assert list(tmp_path.iterdir()) == []
    save_text(path, "whole")
    assert path.read_text(encoding="utf-8") == "whole"
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()
    path.chmod(0o600)
    save_text(path, "again")
    assert path.stat().st_mode & 0o777 == 0o600
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    save_text(link, "by its link")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "by its link"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


ANSWER = (
    "import mathhammer as mh, sys; fight = mh.Scenario.from_toml(sys.argv[1]);"
    "print(mh.simulate(fight, 5000, seed=1).wounds_lost.mean, mh.solve(fight).wounds_lost.mean)"
)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The package somewhere else, with nothing compiled yet."""
    place = tmp_path / "installed"
    shutil.copytree(SOURCE, place / "mathhammer", ignore=shutil.ignore_patterns("__pycache__"))
    return place


def asked(place: Path, fight: str, **changed: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1", **changed}
    environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.Popen(
        [sys.executable, "-c", ANSWER, fight],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def expected() -> str:
    simulated, exact = mh.simulate(FIGHT, 5000, seed=1), mh.solve(FIGHT)
    return f"{simulated.wounds_lost.mean} {exact.wounds_lost.mean}\n"


@pytest.mark.large
def test_two_processes_compile_at_once(copied: Path, fight: str) -> None:
    both = [asked(copied, fight) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=300)
        assert out == expected()
        assert err.count("mathhammer: compiling") == len(err.splitlines()) == 1
    third = asked(copied, fight)
    assert third.communicate(timeout=120) == (expected(), "")


@pytest.mark.large
def test_without_a_place_for_compiled_code(copied: Path, fight: str, tmp_path: Path) -> None:
    # A file where a folder should be cannot be written to, not even by root.
    for folder in ("montecarlo", "exact"):
        (copied / "mathhammer" / folder / "__pycache__").touch()
    nowhere = tmp_path / "nowhere"
    nowhere.touch()
    process = asked(copied, fight, XDG_CACHE_HOME=str(nowhere), HOME=str(nowhere))
    out, err = process.communicate(timeout=300)
    assert out == expected()
    assert err.count("MathhammerWarning") == 1
    assert err.count("mathhammer: compiling") == 1
    assert "NUMBA_CACHE_DIR" in err


@pytest.mark.large
def test_a_broken_cache_is_made_again(copied: Path, fight: str) -> None:
    assert asked(copied, fight).communicate(timeout=300)[0] == expected()
    kept = [*copied.rglob("*.nbi"), *copied.rglob("*.nbc")]
    assert kept
    for index, path in enumerate(kept):
        path.write_bytes(path.read_bytes()[: 40 * (index % 3)])
    out, err = asked(copied, fight).communicate(timeout=300)
    assert out == expected()
    assert "Traceback" not in err
    assert asked(copied, fight).communicate(timeout=300) == (expected(), "")
