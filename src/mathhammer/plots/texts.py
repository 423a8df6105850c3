"""Texts in pictures: how wide they are, where their lines break, how they are told apart."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path


def laid_out(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, as the layout of the figure has them with what stands there now."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)  # the names of the ticks decide how wide the axes are
    return size_of(ax)


def size_of(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, as they stand now."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    inside = ax.get_window_extent()
    return 72 * inside.width / figure.dpi, 72 * inside.height / figure.dpi


class BeforeDrawing(Artist):
    """Draws nothing: has ``fit`` adapt texts to their axes, before the figure is laid out and before it is drawn."""

    zorder = -1000

    def __init__(self, fit: Callable[[], None]) -> None:
        super().__init__()
        self._fit = fit

    def get_tightbbox(self, renderer: RendererBase | None = None) -> None:
        self._fit()

    def draw(self, renderer: RendererBase) -> None:
        self._fit()


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """How many points wide one line of text is."""
    font = FontProperties(size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def fitted(text: str, size: float, points: float, weight: str = "normal") -> str:
    """The text in lines of at most that many points; only a word that is longer, and of over 12 letters, is cut.

    Examples
    --------
    >>> fitted("Squad of very long names", 9.0, 60.0).splitlines()
    ['Squad of', 'very long', 'names']
    """
    points = max(points, 12 * 0.56 * size)
    lines = []
    for part in text.split("\n"):
        line = ""
        for word in part.split(" "):
            if line and width_of(f"{line} {word}", size, weight) > points:
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}" if line else word
            while (letters := _letters_that_fit(line, size, points, weight)) < len(line):
                lines.append(line[:letters])
                line = line[letters:]
        lines.append(line)
    return "\n".join(lines)


def _letters_that_fit(word: str, size: float, points: float, weight: str) -> int:
    letters = len(word)
    while letters > 1 and width_of(word[:letters], size, weight) > points:
        letters -= 1
    return letters


def wrapped(text: str, width: int) -> str:
    """The text in lines of at most ``width`` characters; words longer than that are cut.

    Examples
    --------
    >>> wrapped("Squad of very long names", 12).splitlines()
    ['Squad of', 'very long', 'names']
    """
    return "\n".join(line for part in text.split("\n") for line in (textwrap.wrap(part, width=width) or [""]))


def joined(parts: Iterable[str]) -> str:
    """The parts that are not empty with dots between them, none of which begins a line.

    Examples
    --------
    >>> joined(["exact probabilities", "", "a note"])
    'exact probabilities\\xa0· a note'
    """
    return "\u00a0· ".join(filter(None, parts))


def credited(parts: Iterable[str]) -> str:
    """The small print of these parts, with the project's name before them.

    Examples
    --------
    >>> credited(["exact probabilities"]), credited([])
    ('mathhammer: exact probabilities', 'mathhammer')
    """
    return ": ".join(filter(None, ["mathhammer", joined(parts)]))
