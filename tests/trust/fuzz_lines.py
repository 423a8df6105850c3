"""By hand: ``python -m tests.trust.fuzz_lines -max_total_time=120`` (needs ``pip install atheris``).

Everything that is written in one line: weapons, models, dice, abilities.
"""

import sys

import atheris

with atheris.instrument_imports(
    include=["mathhammer.units", "mathhammer.values", "mathhammer.abilities", "mathhammer.dice"]
):
    from tests.trust import broken

READERS = (broken.weapon, broken.model, broken.dice, broken.abilities)


def one_input(data: bytes) -> None:
    text = data[1:].decode("utf-8", "replace")
    READERS[data[0] % len(READERS) if data else 0](text)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
