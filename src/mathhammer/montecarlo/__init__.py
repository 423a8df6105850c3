"""The Monte Carlo engine."""

from mathhammer.montecarlo.engine import BLOCK, run

__all__ = ["BLOCK", "run"]
