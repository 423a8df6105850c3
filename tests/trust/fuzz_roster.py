"""By hand: ``python -m tests.trust.fuzz_roster -max_total_time=120`` (needs ``pip install atheris``).

Army lists: pasted text and files of any bytes, and bytes that decide how a valid list is spoiled.
"""

import random
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["mathhammer.rosters"]):
    from tests.rosters import invented
    from tests.trust import broken

    import mathhammer as mh

MAKERS = (broken.broken_tree, broken.FUZZED["roster text"][0])
FILE = Path(tempfile.mkdtemp()) / "list"


def one_input(data: bytes) -> None:
    way, rest = data[:1], data[1:]
    if way < b"\x40":
        broken.roster(rest.decode("utf-8", "replace"))
    elif way < b"\x80":
        FILE.write_bytes(rest)
        broken.ours(lambda path: mh.read_roster(path, source=invented.DATASHEETS), FILE)
    else:
        broken.roster(MAKERS[way[0] % 2](random.Random(rest)))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
