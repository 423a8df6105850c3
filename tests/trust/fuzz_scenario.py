"""By hand: ``python -m tests.trust.fuzz_scenario -max_total_time=120`` (needs ``pip install atheris``).

Scenario files: bytes as TOML, and bytes that decide how a valid scenario is spoiled.
"""

import random
import sys

import atheris

with atheris.instrument_imports(
    include=["mathhammer.units", "mathhammer.values", "mathhammer.scenario", "tomllib"]
):
    from tests.trust import broken


def one_input(data: bytes) -> None:
    if data[:1] < b"\x80":
        broken.scenario_text(data.decode("utf-8", "replace"))
    else:
        broken.scenario(broken.broken_scenario(random.Random(data)))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
