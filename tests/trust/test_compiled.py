"""Compiled functions with a cache, without one, and with a broken or a full one: the same answer, one warning."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import event
from numba.core.caching import NullCache

from mathhammer.compiled import compiled

PROGRAM = """
from mathhammer.compiled import compiled


@compiled(nogil=True)
def double(number):
    return 2 * number


@compiled()
def after(number):
    return double(number) + 1


print(after(20))
"""
COMPILING = "mathhammer: compiling, which takes up to half a minute the first time ...\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def full() -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def told(program: Path, **more: object) -> str:
    """What the program says on stderr, its answer being right."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    if "preexec_fn" in more:
        # A measurement of coverage would write a large file of its own.
        environment = {key: value for key, value in environment.items() if not key.startswith("COVERAGE_")}
    if nowhere := more.pop("nowhere", None):
        environment |= {"XDG_CACHE_HOME": str(nowhere), "HOME": str(nowhere)}
    done = subprocess.run(
        [sys.executable, str(program)], env=environment, capture_output=True, text=True, timeout=120, **more
    )  # type: ignore[call-overload]
    assert done.stdout == "41\n", done.stderr
    return str(done.stderr)


def test_kept(program: Path) -> None:
    assert told(program) == COMPILING
    assert told(program) == ""


def test_broken(program: Path) -> None:
    told(program)
    for index in program.parent.rglob("*double*.nbi"):
        index.write_bytes(b"")
    for data in program.parent.rglob("*after*.nbc"):
        data.write_bytes(data.read_bytes()[:100])
    assert told(program) == COMPILING
    assert told(program) == ""


def test_no_place(program: Path) -> None:
    blocked = program.parent / "__pycache__"
    blocked.touch()
    err = told(program, nowhere=blocked)
    assert err.count("MathhammerWarning") == 1
    assert err.count(COMPILING) == 1


def test_a_full_disk(program: Path) -> None:
    err = told(program, preexec_fn=full)
    assert err.count("MathhammerWarning: compiled code cannot be kept") == 1
    assert err.count(COMPILING) == 1
    assert not list(program.parent.rglob("*.tmp*"))


class Press(event.Listener):
    """Ctrl-C at the beginning of a compilation."""

    ended = 0

    def on_start(self, event: event.Event) -> None:
        signal.raise_signal(signal.SIGINT)

    def on_end(self, event: event.Event) -> None:
        self.ended += 1


def test_ctrl_c_waits_for_the_end_of_a_compilation() -> None:
    @compiled()
    def triple(number: int) -> int:
        return 3 * number

    triple._cache = NullCache()  # what an earlier run has kept would not be compiled
    listener = Press()
    with event.install_listener("numba:compile", listener), pytest.raises(KeyboardInterrupt):
        triple(2)
    assert listener.ended == 1
    assert triple(2) == 6
