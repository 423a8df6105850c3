"""Cells of a heat map: the values given, the best of them framed, names beside them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from tests.plots.drawn import compared
from tests.plots.test_drawn_data import NAMES, cut, marked, overlapping, small_print, ticks

from mathhammer import plots
from mathhammer.plots import style


def test_cells_of_a_heat_map_hold_the_values_and_frame_the_best() -> None:
    frame = compared({"Gun": {"chaff": 4.5, "tank": 0.5}, "Lance": {"chaff": 1.0, "tank": 7.25}})
    ax = plots.heat_map(frame)
    assert [text.get_text() for text in ax.texts[:4]] == ["4.50", "0.500", "1.00", "7.25"]
    assert np.asarray(ax.images[0].get_array()).tolist() == [[4.5, 0.5], [1.0, 7.25]]
    assert ax.images[0].get_clim() == (0, 7.25)
    framed = [(round(box.get_x() + 0.46), round(box.get_y() + 0.44)) for box in marked(ax, "best")]
    assert framed == [(0, 0), (1, 1)]


def framed(frame: pd.DataFrame) -> list[tuple[int, int]]:
    """Column and line of each framed cell."""
    return [
        (round(box.get_x() + 0.46), round(box.get_y() + 0.44))
        for box in marked(plots.heat_map(frame), "best")
    ]


@pytest.mark.parametrize(
    ("values", "error", "lines"),
    [
        ([2.0, 2.0 + 4e-16, 1.0], 0.0, [0, 1]),
        ([2.0, 2.0 + 4e-16, 2.0], 0.0, []),
        ([2.0, 2.01, 1.0], 0.0, [1]),
        ([2.0, 2.27, 1.0], 0.1, [0, 1]),
        ([2.0, 2.29, 1.0], 0.1, [1]),
        ([2.0, 2.1, 2.2], 0.1, []),
        ([2.0, 1.0, np.nan], 0.0, [0]),
        ([2.0, np.nan, np.nan], 0.0, []),
    ],
)
def test_the_best_are_all_that_cannot_be_told_from_the_largest(
    values: list[float], error: float, lines: list[int]
) -> None:
    table = compared({name: {"tank": value} for name, value in zip("ABC", values, strict=True)}, error=error)
    assert framed(table) == [(0, line) for line in lines]
    said = small_print(plots.heat_map(table))
    assert ("framed: the best" in said) == bool(lines)
    assert ("within two standard errors" in said) == bool(lines and error)


def test_a_frame_can_be_seen_in_grey_on_every_colour_of_a_cell() -> None:
    def grey(colour: object) -> float:
        return float(np.dot(plt.matplotlib.colors.to_rgb(colour), (0.299, 0.587, 0.114)))  # type: ignore[arg-type]

    (box,) = marked(plots.heat_map(compared({"A": {"tank": 2.0}, "B": {"tank": 1.0}})), "best")
    (halo,) = box.get_path_effects()
    lines = [grey(box.get_edgecolor()[:3]), grey(halo._gc["foreground"])]
    assert halo._gc["linewidth"] >= box.get_linewidth() + 2
    for share in np.linspace(0, 1, 200):
        cell = grey(style.SEQUENTIAL(share)[:3])
        assert max(abs(line - cell) for line in lines) > 0.4


def test_a_cell_without_a_value_shows_a_dash() -> None:
    frame = compared({"Gun": {"chaff": 4.5, "tank": 0.5}, "Lance": {"chaff": 1.0, "tank": float("nan")}})
    assert plots.heat_map(frame).texts[3].get_text() == "–"


def test_a_heat_map_of_chances_runs_to_certainty() -> None:
    ax = plots.heat_map(compared({"Gun": {"chaff": 0.25, "tank": 0.01}}, "unit_destroyed"))
    assert ax.images[0].get_clim() == (0, 1)
    assert [text.get_text() for text in ax.texts[:2]] == ["25%", "1.0%"]


@pytest.mark.parametrize("targets", [2, 8, 20])
def test_names_around_a_heat_map_do_not_overlap(targets: int) -> None:
    names = [f"{word} of the long road {index}" for index, word in enumerate(["Knights", "Riders"] * 10)][
        :targets
    ]
    ax = plots.heat_map(compared({gun: dict.fromkeys(names, 1.0) for gun in NAMES}))
    assert not overlapping(ticks(ax, "y"))
    if targets < 10:
        assert not overlapping(ticks(ax))
    assert not cut(ax)
