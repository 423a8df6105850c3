"""Files that commands are tried on, and a way to run them."""

from typer.testing import CliRunner

from mathhammer.cli import app

FIGHT = """
[attacker]
name = "Gunners"
points = 90
weapons = ["3x Heavy gun: A3 BS4+ S5 AP-1 D2", "5x Rifle: A2 BS3+ S4 AP0 D1"]
[target]
name = "Wall"
points = 120
models = ["5x Shield: T4 Sv3+ InSv5+ W2", "1x Captain: T4 Sv2+ InSv4+ W5 [CHARACTER]"]
[conditions]
cover = true
[modifiers]
hit_roll = 1
[choices]
allocation_order = ["Shield", "Captain"]
"""
ARMY = """
[[units]]
name = "Squad"
points = 100
weapons = ["8x Rifle: A2 BS3+ S4 AP-1 D1", "9x Fist: Melee A1 WS3+ S4 AP0 D1"]
[[units]]
name = "Scouts"
models = ["5x Scout: T4 Sv4+ W1"]
"""


def run(*words):
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout
