"""A scenario written down as numbers: `make_plan` reads the rules so that the engines need not.

The engines read only the plan. What depends on who of the target still lives (Toughness, keywords) is there
once per *look*: one class of living rows that are alike in Toughness, keywords and having a CHARACTER.
"""

from mathhammer.plan.damage import DAMAGE_REROLLS
from mathhammer.plan.make import make_plan
from mathhammer.plan.numbers import Attack, AttackDice, Batch, Look, Plan, Roll

__all__ = ["DAMAGE_REROLLS", "Attack", "AttackDice", "Batch", "Look", "Plan", "Roll", "make_plan"]
