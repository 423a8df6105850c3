"""What a module of the tests prints as JSON, in a process in which numba compiles nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["printed_without_compiling"]


def printed_without_compiling(module: str) -> list[Any]:
    """The list that ``python -m module`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", module],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))
