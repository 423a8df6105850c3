"""One look for every chart: colours, titles, small print, and how numbers are written.

The colours are told apart by the colour-blind and keep different greys in print; lines also differ in marker
and dash, filled areas in hatching. Nothing here touches matplotlib's global settings.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.ticker import FuncFormatter, MaxNLocator

from mathhammer.errors import InvalidScenario
from mathhammer.plots.texts import BeforeDrawing, fitted, laid_out, size_of, width_of

INK = "#222222"
QUIET = "#666666"
FAINT = "#dddddd"
MAIN = "#004488"
PALE = "#a9c3e0"
ACCENT = "#bb5566"
COLOURS = ("#004488", "#bb5566", "#ddaa33", "#6699cc", "#997700", "#222222", "#ee99aa", "#44aa99")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_SIZES = {"*": 1.8, "X": 1.1, "P": 1.1}
"""How much larger a marker must be than a dot to look as large."""
DASHES = ("-", "--", "-.", (0, (5, 1, 1, 1, 1, 1)), ":", "-", "--", "-.")
HATCHES = ("", "///", "...", "\\\\\\", "xx", "++", "oo", "--")
SEQUENTIAL = LinearSegmentedColormap.from_list(
    "mathhammer", ["#f7f9fc", "#c6d8ec", "#7fa6d3", "#2f6bb0", "#00306a"]
)
TITLE, TEXT, LABEL, SMALL = 11.0, 9.0, 8.0, 6.8
"""Font sizes in points: title, axis names and legends, labels in the picture, small print."""

_METRICS = {
    "wounds_lost": "wounds lost",
    "models_destroyed": "models destroyed",
    "unit_destroyed": "chance to destroy the unit",
    "points_destroyed": "points destroyed",
    "attacker_wounds_lost": "wounds lost by the attacker",
    "attacker_models_destroyed": "models lost by the attacker",
    "attackers_used": "attacking units used",
}
Given = ParamSpec("Given")
Drawn = TypeVar("Drawn")
_PER_POINTS = "_per_100_points"


@dataclass(frozen=True)
class Look:
    """How one of several series is drawn."""

    colour: str
    marker: str
    size: float
    """How much larger than a dot the marker is drawn."""
    dash: Any
    hatch: str


def look(index: int) -> Look:
    """The look of series number ``index``; after eight, a colour comes back with another marker and dash.

    Examples
    --------
    >>> look(0).colour == look(8).colour, look(0).marker, look(8).marker
    (True, 'o', 's')
    """
    colour = index % len(COLOURS)
    other = (index + index // len(COLOURS)) % len(COLOURS)
    marker = MARKERS[other]
    return Look(COLOURS[colour], marker, _SIZES.get(marker, 1.0), DASHES[other], HATCHES[other])


def names_as_typed(draw: Callable[Given, Drawn]) -> Callable[Given, Drawn]:
    """For what draws names: a dollar sign in them begins no formula."""

    @wraps(draw)
    def drawn(*args: Given.args, **options: Given.kwargs) -> Drawn:
        # Not rc_context, which would also undo what the first figure of a notebook turns on.
        before = plt.rcParams["text.parse_math"]
        plt.rcParams["text.parse_math"] = False
        try:
            return draw(*args, **options)
        finally:
            plt.rcParams["text.parse_math"] = before

    return drawn


def new_axes(ax: Axes | None, size: tuple[float, float] = (6.4, 4.0)) -> Axes:
    """``ax``, or the axes of a new figure of that size in inches; white, cleared of box, grid and tick marks.

    Raises
    ------
    InvalidScenario
        For an ``ax`` that is none.
    """
    if ax is None:
        _, ax = plt.subplots(figsize=size, dpi=120, layout="constrained")
    elif not isinstance(ax, Axes):
        remedy = "give one Axes, such as plt.subplots() makes; of several, one of them"
        raise InvalidScenario.at("ax", ax, remedy)
    ax.set_facecolor("white")
    ax.grid(False)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(labelsize=TEXT, color=QUIET, labelcolor=INK, length=3)
    return ax


def finish(ax: Axes, title: str, subtitle: str = "", small_print: str = "", headroom: float = 0.0) -> Axes:
    """Title and subtitle above the axes, small print under them, each wrapped to the width of the axes.

    ``headroom`` points stay free between the axes and the title. What stands around the axes can be read on the
    figure, whatever its colour.
    """
    ink, quiet = ink_around(ax), quiet_around(ax)
    ax.tick_params(labelcolor=ink)
    for name in (ax.xaxis.label, ax.yaxis.label):
        name.set(color=ink, fontsize=TEXT)
    # Before the texts, whose new lines the layout then sees; it does not ask what is clipped to the axes.
    ax.add_artist(BeforeDrawing(lambda: fit())).set_clip_box(None)
    heading = ax.set_title("", loc="left")
    look: dict[str, Any] = {"textcoords": "offset points", "color": quiet}
    under = ax.annotate(
        "", (0, 1), (0, 5 + headroom), "axes fraction", fontsize=TEXT, va="bottom", gid="subtitle", **look
    )
    # Hung from the x axis' name, so that it stays under tick labels of any height.
    last = ax.annotate(
        "",
        (0, 0),
        (0, -5),
        (ax.transAxes, ax.xaxis.label),
        fontsize=SMALL,
        va="top",
        gid="small print",
        **look,
    )
    last.set_linespacing(1.3)
    written = {heading: "", under: "", last: ""}

    def fit() -> None:
        if any(text.get_text() != before for text, before in written.items()):
            return  # somebody else has written there
        wide = 0.98 * size_of(ax)[0]
        under.set_text(fitted(subtitle, TEXT, wide))
        last.set_text(fitted(small_print, SMALL, wide))
        words = fitted(title, TITLE, wide, "bold")
        pad = 8 + headroom + TEXT * 1.35 * (under.get_text().count("\n") + 1 if subtitle else 0)
        ax.set_title(words, loc="left", fontsize=TITLE, fontweight="bold", color=ink, pad=pad)
        written.update({text: text.get_text() for text in written})

    laid_out(ax)
    fit()
    return ax


def legend_beside(ax: Axes, own: bool) -> None:
    """The legend to the right of the axes, where it cannot cover anything; our ``own`` figure is as high as it."""
    legend = ax.legend(
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        borderaxespad=0,
        fontsize=TEXT,
        labelcolor=ink_around(ax),
        frameon=False,
        handlelength=3.0,
        labelspacing=0.8,
    )
    figure = ax.get_figure(root=True)
    if own and figure is not None:
        rows = [text.get_text().count("\n") + 1 for text in legend.get_texts()]
        points = TEXT * (1.2 * sum(rows) + 0.8 * len(rows))
        figure.set_figheight(max(figure.get_figheight(), 1.0 + points / 72))


def legend_above(ax: Axes) -> float:
    """The legend between the axes and the title, where it cannot cover anything; the points that it takes."""
    names = ax.get_legend_handles_labels()[1]
    widest = max(width_of(name, TEXT) for name in names) + 4.5 * TEXT
    columns = min(max(int(laid_out(ax)[0] / widest), 1), len(names))
    legend = ax.legend(
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.2,
        ncols=columns,
        fontsize=TEXT,
        labelcolor=ink_around(ax),
        frameon=False,
        borderpad=0.2,
        columnspacing=1.2,
        labelspacing=0.3,
    )
    legend.set_in_layout(False)  # the title above it is
    return TEXT * (0.6 + 1.4 * math.ceil(len(names) / columns))


def percent_axis(ax: Axes) -> None:
    """Write the ticks of a probability on the y axis as per cent."""
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * 100:.4g}%"))


def count_axis(ax: Axes) -> None:
    """Whole numbers only on the x axis, at most 14 of them."""
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=14, min_n_ticks=1))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))


def percent(p: float, error: float = 0.0) -> str:
    """A probability as text, as exact as its error and the eye allow.

    Examples
    --------
    >>> percent(0.5), percent(0.0213), percent(0.00001), percent(0.99999), percent(1.0), percent(0.0213, 0.01)
    ('50%', '2.1%', '<0.1%', '>99.9%', '100%', '2%')
    >>> percent(0.003, 0.003), percent(0.998, 0.0026)
    ('<1%', '>99%')
    """
    if p <= 0 or p >= 1:
        return "100%" if p >= 1 else "0%"
    fine = (p < 0.0995 or p > 0.985) and error < 0.0025
    least = 0.1 if fine else 1
    if p * 100 < least / 2:
        return f"<{least}%"
    if (1 - p) * 100 < least / 2:
        return f">{100 - least}%"
    return f"{p * 100:.1f}%" if fine else f"{p * 100:.0f}%"


def number(value: float, error: float = 0.0) -> str:
    """A mean as text: three digits, fewer where the standard error does not warrant them.

    What an exact engine leaves of 0 after adding and subtracting is 0.

    Examples
    --------
    >>> number(0.123456), number(12.345), number(1234.5), number(2.3456, 0.04), number(0.0), number(0.00001)
    ('0.123', '12.3', '1,234', '2.35', '0', '<0.001')
    >>> number(-1e-17), number(-0.00001), number(-2.5)
    ('0', '>−0.001', '−2.50')
    """
    if not math.isfinite(value):
        return "–"
    if abs(value) < 1e-12:
        return "0"
    if value < 0:
        return f"−{number(-value, error)}".replace("−<", ">−")
    digits = 2 - math.floor(math.log10(float(f"{abs(value):.3g}")))
    if error > 0:
        digits = min(digits, max(-math.floor(math.log10(error * 2)), 0))
    text = f"{value:,.{min(max(digits, 0), 3)}f}"
    return "<0.001" if text == "0.000" else text


def written(metric: str, value: float, error: float = 0.0) -> str:
    """A value of a metric as text: a chance in per cent, all else as a number.

    Examples
    --------
    >>> written("unit_destroyed", 0.25), written("unit_destroyed_per_100_points", 1.25), written("wounds_lost", 4.5)
    ('25%', '125%', '4.50')
    """
    if not math.isfinite(value):
        return "–"
    if is_chance(metric):
        return percent(value, error)
    if in_percent(metric):
        return f"{number(value * 100, error * 100)}%"
    return number(value, error)


def named(metric: str) -> str:
    """A metric's name in words.

    Examples
    --------
    >>> named("points_destroyed_per_100_points")
    'points destroyed per 100 points'
    """
    plain = metric.removesuffix(_PER_POINTS)
    words = _METRICS.get(plain, plain.replace("_", " "))
    return f"{words} per 100 points" if plain != metric else words


def headline(metric: str) -> str:
    """A metric's name as the title of a chart.

    Examples
    --------
    >>> headline("wounds_lost"), headline("unit_destroyed"), headline("chance to kill the Marshal")
    ('Expected wounds lost', 'Chance to destroy the unit', 'Chance to kill the Marshal')
    """
    words = named(metric)
    if in_percent(metric):
        return words[0].upper() + words[1:]
    return f"Expected {words}"


def is_chance(metric: str) -> bool:
    """Whether a metric is a probability: ``unit_destroyed``, or one of your own named "chance ...".

    Examples
    --------
    >>> is_chance("unit_destroyed"), is_chance("chance to kill the Marshal"), is_chance("wounds_lost")
    (True, True, False)
    """
    return metric == "unit_destroyed" or metric.startswith("chance")


def in_percent(metric: str) -> bool:
    """Whether a metric is written in per cent: a chance, or one for points spent, which may be over 100%.

    Examples
    --------
    >>> in_percent("unit_destroyed"), in_percent("unit_destroyed_per_100_points"), in_percent("wounds_lost")
    (True, True, False)
    """
    return is_chance(metric) or metric.startswith("unit_destroyed")


def at_most(error: float) -> str:
    """A standard error in two digits, rounded up.

    Examples
    --------
    >>> at_most(2.2361), at_most(0.05), at_most(123.4)
    ('2.3', '0.05', '130')
    """
    step = 10.0 ** (math.floor(math.log10(error)) - 1)
    return f"{math.ceil(error / step - 1e-9) * step:.6g}"


def ink_around(ax: Axes) -> str:
    """Dark or white text, whichever can be read beside the axes."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    return ink_on(to_rgb(figure.get_facecolor()))


def quiet_around(ax: Axes) -> str:
    """The ink beside the axes of what matters less."""
    ink = ink_around(ax)
    return QUIET if ink == INK else ink


def ink_on(colour: Any) -> str:
    """Dark or white text, whichever can be read on that colour.

    Examples
    --------
    >>> ink_on((0, 0, 0)), ink_on((1, 1, 1))
    ('white', '#222222')
    """
    red, green, blue = colour[:3]
    return "white" if 0.299 * red + 0.587 * green + 0.114 * blue < 0.56 else INK


def iso_values(lowest: float, highest: float) -> list[float]:
    """At most five round numbers around what lies between the two, for lines of equal worth.

    Examples
    --------
    >>> iso_values(0.08, 0.45)
    [0.05, 0.1, 0.2, 0.5]
    """
    if highest <= 0:
        return []
    start = math.floor(math.log10(max(lowest, highest / 20)))
    ladder = [step * 10.0**power for power in range(start, start + 3) for step in (1, 2, 5)]
    below = [value for value in ladder if value <= lowest][-1:]
    between = [value for value in ladder if lowest < value < highest]
    above = [value for value in ladder if value >= highest][:1]
    return [float(f"{value:.6g}") for value in (*below, *between, *above)][-5:]
