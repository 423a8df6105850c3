"""The exact engine."""

from mathhammer.exact.engine import solve_plan

__all__ = ["solve_plan"]
