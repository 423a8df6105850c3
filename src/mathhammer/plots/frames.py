"""Reading the long tables that charts draw: which metric, which rows, what the small print says."""

from __future__ import annotations

from collections.abc import Sequence

from pandas import DataFrame
from pandas.api.types import is_numeric_dtype

from mathhammer.errors import InvalidScenario, nearest
from mathhammer.plots import style
from mathhammer.plots.texts import credited
from mathhammer.units import Model, Weapon


def chosen(frame: DataFrame, metric: str | None, needed: Sequence[str]) -> tuple[str, DataFrame]:
    """The rows of one metric, after a check that the frame has the columns to draw.

    Raises
    ------
    InvalidScenario
        For what is no table, a missing column, no values or texts for them, a metric that is not there, or none
        named of several.

    Examples
    --------
    >>> frame = DataFrame({"metric": ["wounds_lost"], "value": [1.0], "standard_error": [0.0]})
    >>> chosen(frame, None, ())[0]
    'wounds_lost'
    """
    if not isinstance(frame, DataFrame):
        raise InvalidScenario.at("frame", frame, "give a table such as compare, sweep or what_if makes")
    for column in (*needed, "metric", "value", "standard_error"):
        if column not in frame.columns:
            known = list(map(str, frame.columns))
            remedy = f"the table has no such column{nearest(column, known) or '; it has ' + ', '.join(known)}"
            raise InvalidScenario.at("frame", column, remedy)
    metrics = list(dict.fromkeys(frame["metric"]))
    if not metrics:
        raise InvalidScenario.at("frame", "no rows", "there is nothing to draw")
    if metric is None and len(metrics) > 1:
        raise InvalidScenario.at("metric", None, f"the table has several, name one: {', '.join(metrics)}")
    metric = metrics[0] if metric is None else metric
    if metric not in metrics:
        hint = nearest(str(metric), metrics) or f"; it has {', '.join(metrics)}"
        raise InvalidScenario.at("metric", metric, f"the table does not hold it{hint}")
    rows = frame[frame["metric"] == metric]
    for column in {*needed, "value", "standard_error"} & {"value", "difference", "standard_error"}:
        if not is_numeric_dtype(rows[column]):
            raise InvalidScenario.at(
                "frame", column, "holds no numbers: draw the table as it was made, not rounded"
            )
    if rows["value"].isna().all():
        raise InvalidScenario.at("frame", "no values", "there is nothing to draw")
    return metric, rows


def one_each(rows: DataFrame, places: Sequence[str]) -> None:
    """Refuse rows of which two have one place in the chart, where the last would hide the others.

    Raises
    ------
    InvalidScenario
        Names the column that tells the rows of one place apart, if there is one.

    Examples
    --------
    >>> one_each(DataFrame({"attacker": ["Gun", "Bow"], "value": [1.0, 2.0]}), ["attacker"])
    """
    places = list(places)
    twice = rows[rows.duplicated(places, keep=False)]
    if twice.empty:
        return
    for column in twice.columns.drop([*places, "metric", "value", "standard_error"]):
        if (twice.groupby(places, sort=False, dropna=False)[column].nunique(dropna=False) > 1).any():
            several = ", ".join(map(str, twice[column].unique()[:4]))
            remedy = f"the chart has one place for rows of several ({several}): take the rows of one {column}"
            raise InvalidScenario.at("frame", str(column), remedy)
    place = ", ".join(str(value) for value in twice[places].iloc[0])
    remedy = (
        "several rows have this place in the chart and no column tells them apart: draw one table at a time"
    )
    raise InvalidScenario.at("frame", place, f"{remedy} (sweep also takes a mapping of names to tables)")


def frame_source(rows: DataFrame, note: str = "") -> str:
    """The small print of a table: engines, the largest standard error, a note."""
    engines = list(dict.fromkeys(rows["engine"])) if "engine" in rows.columns else []
    trials = f", {rows.attrs['trials']:,} trials each" if rows.attrs.get("trials") else ""
    trials += f", seed {rows.attrs['seed']}" if rows.attrs.get("seed") is not None else ""
    words = {
        "exact": "exact probabilities",
        "monte-carlo": f"Monte Carlo{trials}",
        "lost": "some not computed",
    }
    parts = [" and ".join(words.get(engine, engine) for engine in engines)]
    error = float(rows["standard_error"].max())
    if error > 0:
        percent = style.in_percent(str(rows["metric"].iloc[0]))
        shown = f"{style.at_most(error * 100)} percentage points" if percent else style.at_most(error)
        parts.append(f"standard error at most {shown}")
    return credited([*parts, note])


_COLUMNS = {"attacker", "target", "metric", "value", "standard_error", "engine", "trials", "seed"}
_FIELDS = {
    "attacks": ("attacks (A)", ""),
    "skill": ("skill (BS or WS)", "+"),
    "strength": ("strength (S)", ""),
    "ap": ("AP", ""),
    "damage": ("damage (D)", ""),
    "toughness": ("toughness (T)", ""),
    "save": ("save (Sv)", "+"),
    "invulnerable_save": ("invulnerable save (InSv)", "+"),
    "wounds": ("wounds (W)", ""),
    "feel_no_pain": ("feel no pain (FNP)", "+"),
    "count": ("count", ""),
}
_SHORT = {**Weapon.SPELLINGS, **Model.SPELLINGS}


def swept(frame: DataFrame) -> list[str]:
    """The columns of a sweep that are paths of the scenario.

    Raises
    ------
    InvalidScenario
        When there is none.

    Examples
    --------
    >>> swept(DataFrame({"conditions.cover": [True], "metric": ["wounds_lost"], "value": [1.0]}))
    ['conditions.cover']
    """
    paths = frame.attrs.get("axes") or [str(column) for column in frame.columns if column not in _COLUMNS]
    if not paths:
        known = ", ".join(map(str, frame.columns))
        raise InvalidScenario.at("frame", known, "no column is a path of a scenario: draw a table of sweep")
    return paths


def field_of(path: str) -> str:
    """The field that a path ends in, by its long name.

    Examples
    --------
    >>> field_of("target.models[0].Sv")
    'save'
    """
    last = path.rpartition(".")[2]
    return _SHORT.get(last, last)


def axis_name(path: str) -> str:
    """What an axis over that path is called.

    Examples
    --------
    >>> axis_name("target.models[0].save"), axis_name("attacker.modifiers.hit_roll")
    ('save (Sv)', 'hit roll')
    """
    field = field_of(path)
    return _FIELDS.get(field, (field.replace("_", " "), ""))[0]


def axis_value(path: str, value: object) -> str:
    """A value of that path as it is printed on a datasheet.

    Examples
    --------
    >>> axis_value("target.models[0].save", 3), axis_value("conditions.cover", True)
    ('3+', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    tail = _FIELDS.get(field_of(path), ("", ""))[1]
    if tail and isinstance(value, int):
        return "–" if value >= 7 else f"{value}{tail}"
    return "none" if value is None else getattr(value, "name", None) or str(value)
