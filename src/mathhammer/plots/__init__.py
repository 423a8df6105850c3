"""Charts of outcomes and tables: each takes ``ax=None`` and returns the Axes; none computes or shows.

In a figure of your own give it ``layout="constrained"``: titles and small print stand around the axes.
"""

from mathhammer.plots.bars import distribution, outcome
from mathhammer.plots.breakpoints import breakpoint_map
from mathhammer.plots.cells import heat_map
from mathhammer.plots.curves import kill_curve
from mathhammer.plots.funnels import funnel
from mathhammer.plots.lines import sweep
from mathhammer.plots.panels import small_multiples
from mathhammer.plots.scatter import efficiency
from mathhammer.plots.swings import tornado

__all__ = [
    "breakpoint_map",
    "distribution",
    "efficiency",
    "funnel",
    "heat_map",
    "kill_curve",
    "outcome",
    "small_multiples",
    "sweep",
    "tornado",
]
