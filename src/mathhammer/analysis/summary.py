"""The numbers of outcomes as a table, and tables as they should be read."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mathhammer.analysis.question import checked_frame
from mathhammer.arguments import named_items, probabilities_of
from mathhammer.distribution import Distribution
from mathhammer.labels import numbered
from mathhammer.outcome import Outcome

__all__ = ["rounded", "summary", "written"]

_QUANTITIES = (
    "wounds_lost",
    "models_destroyed",
    "attacker_wounds_lost",
    "attacker_models_destroyed",
    "attackers_used",
)


def summary(
    outcomes: Outcome | Sequence[Outcome] | Mapping[str, Outcome],
    *,
    quantiles: Sequence[float] = (0.1, 0.5, 0.9),
) -> pd.DataFrame:
    """What one or many outcomes say, a row a quantity.

    Parameters
    ----------
    outcomes : Outcome, sequence of Outcome, or mapping of label to Outcome
    quantiles : sequence of float
        Probabilities; each gives a column, ``q10`` for 0.1.

    Returns
    -------
    DataFrame
        Columns ``outcome`` (the label; default "attacker > target", numbered where it stands twice),
        ``quantity``, ``mean``, ``sd``, ``standard_error``, the quantiles, ``engine``, ``trials``. Quantities:
        wounds_lost and models_destroyed (counts), unit_destroyed (a probability), points_destroyed where
        points are known, the attacker's losses where it can have any, attackers_used where there are several.
        sd and quantiles are missing (NaN) for unit_destroyed and points_destroyed. Values are raw; `rounded`
        is for reading.

    Raises
    ------
    InvalidScenario
        For something that is no outcome, for none at all, or a quantile outside 0..1.

    Examples
    --------
    >>> import mathhammer as mh
    >>> out = mh.solve(mh.Scenario(
    ...     attacker=mh.Unit(name="Gun crew", weapons=["1x Gun: A2 S9 AP-6 D1 [TORRENT]"]),
    ...     target=mh.Unit(name="Wall", models=["2x Shield: T4 Sv6+ W1"])))
    >>> summary(out).set_index("quantity").loc["wounds_lost", "mean"].round(3)
    np.float64(1.667)
    """
    wanted = probabilities_of(quantiles, "quantiles")
    named = named_items(outcomes, Outcome, "outcomes", "give an outcome of simulate or solve")
    given = [label for label, _ in named]
    if not isinstance(outcomes, Mapping):
        given = numbered([f"{' + '.join(out.attackers)} > {out.target}" for _, out in named])
    rows = [row for label, (_, out) in zip(given, named, strict=True) for row in _rows(label, out, wanted)]
    return pd.DataFrame(rows).astype({"trials": "Int64"})


def _rows(label: str, out: Outcome, quantiles: Sequence[float]) -> Iterator[dict[str, Any]]:
    def row(quantity: str, mean: float, error: float, spread: Distribution | None = None) -> dict[str, Any]:
        return {
            "outcome": label,
            "quantity": quantity,
            "mean": mean,
            "sd": spread.sd if spread else math.nan,
            "standard_error": error,
            **{f"q{100 * q:g}": spread.quantile(q) if spread else math.nan for q in quantiles},
            "engine": out.engine,
            "trials": out.trials,
        }

    for quantity in _QUANTITIES:
        spread: Distribution = getattr(out, quantity)
        if not (quantity.startswith("attacker") and _is_idle(quantity, out)):
            yield row(quantity, spread.mean, spread.standard_error, spread)
        if quantity == "models_destroyed":
            yield row("unit_destroyed", out.unit_destroyed, out.error_of(out.unit_destroyed))
            if out.points_destroyed is not None:
                points = out.points_destroyed
                yield row("points_destroyed", points.value, points.standard_error)


def _is_idle(quantity: str, out: Outcome) -> bool:
    """Whether an attacker's quantity has nothing to say: no hazards, a single attacker."""
    if quantity == "attackers_used":
        return len(out.attackers) == 1
    return not getattr(out, quantity).pmf[1:].any()


def written(value: float, error: float = 0.0, *, percent: bool = False) -> str:
    """A number with the digits that its error warrants.

    Parameters
    ----------
    value, error : float
        Digits go down to the first one of the error. An error of 0 is that of an exact value: four digits, at
        most three decimals (of a percentage one, two below 1%).
    percent : bool
        Written as a percentage.

    Returns
    -------
    str

    Examples
    --------
    >>> written(3.14159, 0.004), written(3.14159), written(0.51234, 0.0007, percent=True), written(0.00001)
    ('3.142', '3.142', '51.23%', '<0.001')
    """
    if math.isnan(value):
        return ""
    unit = "%" if percent else ""
    if percent:
        value, error = 100 * value, 100 * error
    if error > 0:
        decimals = -math.floor(math.log10(error))
    else:
        digits = 3 - math.floor(math.log10(abs(value))) if value else 3
        decimals = min(digits, (1 if abs(value) >= 1 else 2) if percent else 3)
    text = f"{value:.{max(decimals, 0)}f}"
    if error == 0 and value != 0 and float(text) == 0:
        return f"{'<' if value > 0 else '>-'}{10.0**-decimals:g}{unit}"
    return text + unit


def rounded(frame: pd.DataFrame) -> pd.DataFrame:
    """A table of this package as it should be read: a copy in which numbers are texts.

    Parameters
    ----------
    frame : DataFrame
        Of `summary`, `compare`, `sweep` or `what_if`.

    Returns
    -------
    DataFrame
        Of the same shape: estimates with the digits that their errors warrant, chances as percentages, errors
        with two digits.

    Raises
    ------
    InvalidScenario
        For what is no such table.

    Examples
    --------
    >>> frame = pd.DataFrame({"metric": ["unit_destroyed"], "value": [0.51234], "standard_error": [0.0007]})
    >>> rounded(frame).to_dict("records")
    [{'metric': 'unit_destroyed', 'value': '51.23%', 'standard_error': '0.070%'}]
    """
    names = checked_frame(frame, "metric", "quantity")["metric" if "metric" in frame else "quantity"]
    chances = [str(name).startswith("unit_destroyed") for name in names]
    text = frame.copy()
    for column in _ESTIMATES:
        if column in frame:
            own = "value_error" if column == "value" and "value_error" in frame else "standard_error"
            text[column] = [
                written(float(value), float(error), percent=chance)
                for value, error, chance in zip(frame[column], frame[own], chances, strict=True)
            ]
    if "difference" in frame:
        text["difference"] = [
            f"+{shown}" if value > 0 and shown[0] != "<" else shown
            for value, shown in zip(frame["difference"], text["difference"], strict=True)
        ]
    for column in ("standard_error", "value_error"):
        if column in frame:
            text[column] = [
                _error_written(float(error), chance)
                for error, chance in zip(frame[column], chances, strict=True)
            ]
    if "sd" in frame:
        text["sd"] = [written(float(sd)) for sd in frame["sd"]]
    return text


_ESTIMATES = ("mean", "value", "difference")


def _error_written(error: float, percent: bool) -> str:
    if math.isnan(error) or error == 0:
        return "" if math.isnan(error) else "0"
    scaled = 100 * error if percent else error
    decimals = max(1 - math.floor(math.log10(scaled)), 0)
    return f"{scaled:.{decimals}f}{'%' if percent else ''}"
