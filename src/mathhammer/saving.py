"""Files are written beside their place and moved there: no half of one ever stands under its name."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

__all__ = ["check_place", "replacing", "save_text"]


@contextmanager
def replacing(target: str | PathLike[str]) -> Iterator[Path]:
    """A path to write to, with the suffix of ``target``, that takes its place when all went well.

    A device or a pipe cannot be replaced: there the path is the target itself.

    Raises
    ------
    OSError
    """
    if _is_device(target):
        yield Path(target)
        return
    place = Path(os.path.realpath(target))
    beside = place.with_name(f".{place.stem[:40]}-{secrets.token_hex(4)}{place.suffix}")
    beside.touch(exist_ok=False)
    try:
        yield beside
        if place.is_file():
            beside.chmod(stat.S_IMODE(place.stat().st_mode))
        beside.replace(place)
    finally:
        beside.unlink(missing_ok=True)


def _is_device(target: str | PathLike[str]) -> bool:
    place = Path(target)
    return place.exists() and not place.is_file() and not place.is_dir()


def save_text(target: str | PathLike[str], text: str) -> None:
    """Write a text file, whole or not at all.

    Raises
    ------
    OSError
    """
    with replacing(target) as path:
        path.write_text(text, encoding="utf-8")


def check_place(target: str | PathLike[str]) -> None:
    """Fail before the work is done, where the folder of ``target`` is not there or cannot be written to.

    Raises
    ------
    OSError
    """
    place = Path(os.path.realpath(target))
    if place.is_dir():
        raise IsADirectoryError(f"{target} is a folder")
    if not _is_device(target):
        with tempfile.TemporaryFile(dir=place.parent):
            pass
