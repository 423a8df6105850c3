"""`import mathhammer` is light: what is heavy loads when needed; nothing is compiled before its first call."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numba", "scipy", "pandas", "matplotlib", "seaborn", "joblib", "rich", "wh40kdc", "dask")


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def loaded(code: str) -> str:
    return python(f"import sys\n{code}\nprint(*(name for name in {HEAVY} if name in sys.modules))")


def test_import_loads_nothing_heavy() -> None:
    assert loaded("import mathhammer") == ""


def test_nor_do_scenarios_targets_and_explanations() -> None:
    assert (
        loaded(
            "import mathhammer as mh\n"
            "fight = mh.Scenario(attacker=mh.Unit(name='A', weapons=['Gun: A2 BS3+ S4 AP-1 D1']),"
            " target=mh.targets.resolve('all')[0])\n"
            "mh.explain(fight)"
        )
        == ""
    )


def test_nor_does_the_command_line() -> None:
    assert loaded("import mathhammer.cli") == ""


def test_solving_needs_no_pandas() -> None:
    names = loaded(
        "import mathhammer as mh\n"
        "fight = mh.Scenario.from_dict({'attacker': {'name': 'A', 'weapons': ['Gun: A2 BS3+ S4 AP-1 D1']},"
        " 'target': {'name': 'B', 'models': ['Grunt: T4 Sv3+ W2']}})\n"
        "str(mh.solve(fight))\n"
        "import mathhammer.montecarlo, mathhammer.exact"
    )
    assert not {"pandas", "matplotlib", "seaborn", "wh40kdc"} & set(names.split())


def test_importing_the_engines_compiles_nothing() -> None:
    code = (
        "from mathhammer.montecarlo import kernels, blocks, in_step, tables, chains, engine\n"
        "from mathhammer.exact import kernels as exact, engine\n"
        "made = [f for m in (kernels, blocks, in_step, tables, chains, exact) for f in vars(m).values()"
        " if hasattr(f, 'signatures')]\n"
        "print(len(made) > 5, sum(len(f.signatures) for f in made))"
    )
    assert python(code) == "True 0"
