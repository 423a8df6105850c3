"""Each chart against the picture of it that was looked at and found good (`pytest --mpl`).

After a change that is meant, make them anew and look at them:
``pytest tests/plots/test_pictures.py --mpl-generate-path=tests/plots/baseline``. The tolerance forgives other
versions of the font renderer, not another picture.
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import pytest
from matplotlib.figure import Figure
from tests.plots.drawn import binomial, changed, compared, row, swept_over

from mathhammer import plots
from mathhammer.rules import wound_target

T, SV = "target.models[0].toughness", "target.models[0].save"
looked_at: Callable[..., Callable[..., object]] = pytest.mark.mpl_image_compare(
    baseline_dir="baseline", style="default", backend="agg", tolerance=20, savefig_kwargs={"dpi": 55}
)


@looked_at
def test_distribution() -> Figure:
    return plots.distribution(binomial(models=10, p=0.45)).figure


@looked_at
def test_distribution_of_many() -> Figure:
    return plots.distribution(binomial(models=40, p=0.4, trials=10_000)).figure


@looked_at
def test_outcome() -> Figure:
    return plots.outcome(
        binomial("Rifle squad", "Shield wall", models=8, p=0.6, not_modelled=("Oath",))
    ).figure


@looked_at
def test_kill_curve() -> Figure:
    guns = [binomial("Rifles", p=0.3), binomial("Plasma guns", p=0.5), binomial("Melta", p=0.7, trials=2000)]
    return plots.kill_curve(guns).figure


@looked_at
def test_heat_map() -> Figure:
    values = {
        "Rifles": {"chaff": 8.9, "marines": 3.2, "tank": 0.12},
        "Plasma guns, overcharged": {"chaff": 4.4, "marines": 5.1, "tank": 2.6},
        "Lascannon": {"chaff": 1.1, "marines": 2.0, "tank": 4.9},
    }
    return plots.heat_map(compared(values)).figure


@looked_at
def test_efficiency() -> Figure:
    costs = {"Rifles": (80, 0.2), "Plasma guns": (110, 0.5), "Melta": (115, 0.5), "Lascannon": (180, 0.7)}
    return plots.efficiency([binomial(n, points=c, p=p, worth=15) for n, (c, p) in costs.items()]).figure


@looked_at
def test_funnel() -> Figure:
    rows = (row("Squad", "Rifle", 20.0), row("Squad", "Plasma gun | supercharge", 6.0, 2.0))
    return plots.funnel(binomial("Squad", by_weapon=rows)).figure


@looked_at
def test_sweep() -> Figure:
    guns = {"Heavy bolters": (5, 6.0, 0.0), "Plasma": (8, 4.6, 0.04), "Lascannon": (12, 3.0, 0.0)}
    return plots.sweep(
        {
            name: swept_over(T, {t: k * (7 - wound_target(s, t)) / 6 for t in range(3, 14)}, error=error)
            for name, (s, k, error) in guns.items()
        }
    ).figure


@looked_at
def test_tornado() -> Figure:
    return plots.tornado(
        changed({"+1 to hit": 0.52, "re-roll ones": 0.21, "cover": -0.5, "LETHAL HITS": 0.03}, error=0.02)
    ).figure


@looked_at
def test_small_multiples() -> Figure:
    targets = {
        "chaff": (20, 0.4),
        "marines": (10, 0.3),
        "knight": (22, 0.2),
        "hero": (1, 0.5),
        "tank": (12, 0.6),
    }
    return plots.small_multiples([binomial(target=n, models=m, p=p) for n, (m, p) in targets.items()]).figure


@looked_at
def test_breakpoint_map() -> Figure:
    frame = pd.concat(
        [
            swept_over(
                T, {t: (7 - wound_target(6, t)) / 6 * (s - 1) / 6 for t in range(3, 13)}, "unit_destroyed"
            ).assign(**{SV: s})
            for s in range(2, 8)
        ]
    )
    return plots.breakpoint_map(frame, strength=6).figure
