"""What each change is worth: `tornado`."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter
from pandas import DataFrame

from mathhammer.arguments import whole_of
from mathhammer.plots import style, texts
from mathhammer.plots.frames import chosen, frame_source
from mathhammer.printed import shortened


@style.names_as_typed
def tornado(frame: DataFrame, metric: str | None = None, *, most: int = 16, ax: Axes | None = None) -> Axes:
    """Draw the difference that each change makes, the largest at the top.

    Parameters
    ----------
    frame : DataFrame
        Of `mathhammer.what_if`: columns ``change, metric, value, difference, standard_error, engine``;
        ``standard_error`` is that of the difference.
    metric : str, optional
        Needed when the frame holds several.
    most : int, default 16
        Smaller differences than so many are not drawn; the small print counts them.
    ax : Axes, optional

    Returns
    -------
    Axes

    Raises
    ------
    InvalidScenario
        For a missing column, a metric that the frame does not hold, or ``most`` below 1.

    Notes
    -----
    A whisker is two standard errors; a bar that its whisker takes across zero is pale: it may be chance.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"change": ["+1 to hit", "cover"], "metric": "wounds_lost", "value": [3.0, 1.5],
    ...                       "difference": [1.0, -0.5], "standard_error": 0.0, "engine": "exact"})
    >>> [label.get_text() for label in tornado(frame).get_yticklabels()]
    ['+1 to hit', 'cover']
    """
    metric, rows = chosen(frame, metric, ("change", "difference"))
    most = whole_of(most, 1, "most")
    rows = rows[rows["difference"].notna()]
    left_out = max(len(rows) - most, 0)
    shown = rows.iloc[np.argsort(-rows["difference"].abs().to_numpy(), kind="stable")[:most]]
    values = shown["difference"].to_numpy(dtype=np.float64)
    errors = shown["standard_error"].to_numpy(dtype=np.float64)
    ax = style.new_axes(ax, (6.8, 1.7 + 0.3 * len(shown)))
    places = np.arange(len(shown))
    for sign, colour in ((1, style.MAIN), (-1, style.ACCENT)):
        of_sign = np.sign(values) == sign
        sure = np.abs(values) > 2 * errors
        for part, alpha in ((of_sign & sure, 1.0), (of_sign & ~sure, 0.35)):
            ax.barh(places[part], values[part], height=0.72, color=colour, alpha=alpha, zorder=2)
    if errors.any():
        ax.errorbar(
            values, places, xerr=2 * errors, fmt="none", ecolor=style.INK, elinewidth=1, capsize=2, zorder=3
        )
    engines = shown["engine"] if "engine" in shown.columns else [""] * len(shown)
    sizes = [
        _signed(metric, float(value), float(error), engine == "monte-carlo")
        for value, error, engine in zip(values, errors, engines, strict=True)
    ]
    for place, value, error, size in zip(places, values, errors, sizes, strict=True):
        reach = value + np.sign(value or 1) * 2 * error
        ax.annotate(
            size,
            (reach, place),
            (4 if value >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if value >= 0 else "right",
            va="center",
            fontsize=style.LABEL,
            color=style.INK,
        )
    ax.axvline(0, color=style.INK, lw=1, zorder=4)
    ax.set_yticks(places, [texts.wrapped(shortened(str(name), 64), 34) for name in shown["change"]])
    ax.set_ylim(len(shown) - 0.4, -0.6)
    low, high = min((values - 2 * errors).min(initial=0), 0), max((values + 2 * errors).max(initial=0), 0)
    wide = texts.laid_out(ax)[0]
    lengths = np.array([texts.width_of(size, style.LABEL) + 10 for size in sizes]) / wide
    left, right = (lengths[side].max(initial=0) for side in (values < 0, values >= 0))
    span = ((high - low) or 1) / max(1 - left - right, 0.25)
    ax.set_xlim(low - left * span, high + right * span)
    ax.grid(axis="x", color=style.FAINT, lw=0.7)
    ax.set_axisbelow(True)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    if style.in_percent(metric):
        ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value * 100:.4g}"))
        unit = "percentage points" if style.is_chance(metric) else "percentage points per 100 points"
    else:
        unit = style.named(metric)
    ax.set_xlabel(f"difference in {unit}", fontsize=style.TEXT, color=style.INK)
    note = texts.joined(
        [
            "whiskers: two standard errors" if errors.any() else "",
            f"{left_out} smaller differences not drawn" if left_out else "",
        ]
    )
    title = f"What each change is worth: {style.named(metric)}"
    return style.finish(ax, title, _base(metric, rows), frame_source(rows, note))


def _base(metric: str, rows: DataFrame) -> str:
    """The value that the changes start from, if all start from the same."""
    bases = (rows["value"] - rows["difference"]).to_numpy(dtype=np.float64)
    if not bases.size or not np.allclose(bases, bases[0], rtol=1e-9, atol=1e-12):
        return ""
    base = float(bases[0])
    error = float(rows["value_error"].max()) if "value_error" in rows else 0.0
    return f"without any change: {style.written(metric, base, error)}"


def _signed(metric: str, value: float, error: float, simulated: bool) -> str:
    if value == 0:
        return "none seen" if simulated else "no difference"
    if style.in_percent(metric):
        digits = 1 if abs(value) < 0.0995 and error < 0.005 else 0
        size = f"{abs(value) * 100:.{digits}f}"
    else:
        size = style.number(abs(value), error)
    return size if size == "0" else ("+" if value > 0 else "−") + size
