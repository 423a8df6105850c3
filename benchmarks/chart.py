"""The curves of all sections in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.page import Curve

__all__ = ["draw"]

ACROSS = 3


def draw(curves: Sequence[Curve], to: Path) -> None:
    """Write the picture: a panel for each curve."""
    from matplotlib.figure import Figure

    down = -(-len(curves) // ACROSS)
    figure = Figure(figsize=(4 * ACROSS, 2.8 * down), layout="constrained")
    for place, curve in enumerate(curves):
        axes = figure.add_subplot(down, ACROSS, place + 1)
        for name, values in curve.lines.items():
            axes.plot(curve.x, values, marker="o", markersize=3, label=name)
        if curve.logarithmic_x:
            axes.set_xscale("log")
        if curve.logarithmic_y:
            axes.set_yscale("log")
        else:
            axes.set_ylim(bottom=0)
        axes.set_xlabel(curve.along)
        axes.set_ylabel(curve.up)
        axes.legend(fontsize="small", frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(to, dpi=100)
