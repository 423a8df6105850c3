"""`mh.read_roster`: which form a list has, by its content, and the roster in it."""

from __future__ import annotations

import re
from dataclasses import replace
from os import PathLike
from pathlib import Path

from mathhammer.datasheets.sources import Source, datasheets
from mathhammer.errors import MISSING, InvalidScenario, RosterError
from mathhammer.rosters.app_text import read_app_text
from mathhammer.rosters.envelope import Node, open_list
from mathhammer.rosters.listforge_text import FORM, read_listforge
from mathhammer.rosters.resolve import resolve
from mathhammer.rosters.roster import Roster
from mathhammer.rosters.skeleton import POINTS, ListSkeleton
from mathhammer.rosters.tournament_text import read_fenced, read_markdown
from mathhammer.rosters.tree import read_tree
from mathhammer.unit_files import read_units

MOST_UNITS = 1000
"""Each that no datasheet has is searched for among all names."""
_KEYED = re.compile(r"^\+? ?(?:FACTION KEYWORD|TOTAL ARMY POINTS) ?:|^\+ ?DETACHMENT ?:", re.I | re.M)
_GEAR_IN_LINE = re.compile(
    r"^Char ?\d{1,2}: |\(\d[\d.,]{0,8} ?pts\) ?: ?\S|^[ \t]*[•*]? ?\d{1,3}x? [^:\n]{1,120}: ?\d{1,3} with ",
    re.I | re.M,
)
_FORMS = (
    (_KEYED, read_fenced),
    (re.compile(r"\[\d[\d.,]{0,8} ?pts\]", re.I), read_markdown),
    (_GEAR_IN_LINE, read_fenced),
    (FORM, read_listforge),
    (re.compile(rf"\(\d[\d., \xa0]{{0,8}} ?{POINTS}\.?\)[ \t]*$", re.I | re.M), read_app_text),
    (re.compile(r"^[ \t]*[•◦▪‣] ?\d{1,3} ?x", re.I | re.M), read_app_text),
)
_OWN = re.compile(r"^[ \t]*\[\[ ?units ?\]\]", re.MULTILINE)


def read_roster(path_or_text: str | PathLike[str], source: Source = None) -> Roster:
    """Read an army list, whatever program wrote it.

    Parameters
    ----------
    path_or_text : str or path
        A file, or a pasted list. The form is found by content: BattleScribe and New Recruit `.rosz`, `.ros`
        and JSON, ListForge JSON, share addresses and text, the game app's text, `+ FACTION KEYWORD` text,
        Markdown, and `[[units]]` TOML of our own.
    source : Datasheets, str or path, optional
        Datasheets for lists without stat lines: a TOML file of `[[units]]`, a folder of Wahapedia CSV or
        Game-Datacards JSON files; default the installed `wh40kdc`.

    Returns
    -------
    Roster
        Everything in the list is in `units`, or named in `unresolved`, `warnings` or the `not_modelled` of
        a unit.

    Raises
    ------
    RosterError
        If nothing can be read, the file is damaged or beyond bounds, or a package is missing.

    Examples
    --------
    >>> datasheets = '''
    ... [[units]]
    ... name = "Wall Guards"
    ... models = ["3x Guard: T4 Sv2+ W3"]
    ... weapons = ['3x Pike: Melee A2 WS3+ S5 AP-1 D1']
    ... '''
    >>> army = '''
    ... My list (90 points)
    ...
    ... BATTLELINE
    ...
    ... Wall Guards (90 points)
    ...   • 3x Guard
    ...      • 3x Pike
    ... '''
    >>> print(read_roster(army, source=datasheets).units[0])
    Wall Guards (90 points)
      3x Guard: T4 Sv2+ W3
      3x Pike: Melee A2 WS3+ S5 AP-1 D1
    """
    try:
        if not isinstance(path_or_text, str | PathLike):
            raise RosterError.at("army list", path_or_text, "give a file or a pasted list")
        content = open_list(path_or_text if isinstance(path_or_text, str) else Path(path_or_text))
        if isinstance(content, Node):
            return _from_tree(content, source)
        if _OWN.search(content):
            return _own(content)
        return _resolved(_skeleton(content), source)
    except RosterError:
        raise
    except InvalidScenario as error:
        raise RosterError(error.problems) from error
    except RecursionError as error:
        raise RosterError.at("army list", MISSING, "is nested too deeply to be one") from error


def _skeleton(text: str) -> ListSkeleton:
    for form, read in _FORMS:
        if form.search(text):
            return read(text)
    remedy = "is of no known form: export it from its app as text, .rosz or JSON, or write [[units]] TOML"
    raise RosterError.at("army list", text.strip().splitlines()[0][:60], remedy)


def _from_tree(root: Node, source: Source) -> Roster:
    roster, bare = read_tree(root)
    if bare is None:
        return roster
    rest = _resolved(bare, source)
    return replace(
        roster,
        faction=roster.faction or rest.faction,
        units=(*roster.units, *rest.units),
        warnings=(*roster.warnings, *(w for w in rest.warnings if w not in roster.warnings)),
        unresolved=(*roster.unresolved, *rest.unresolved),
        source=rest.source,
        form=roster.form if roster.units else rest.form,
    )


def _resolved(skeleton: ListSkeleton, source: Source) -> Roster:
    if not skeleton.units:
        raise RosterError.at(
            "army list", MISSING, "holds no line such as `Name (100 points)`: export it again"
        )
    if len(skeleton.units) > MOST_UNITS:
        remedy = f"a list has at most {MOST_UNITS:,} units: that is no army list"
        raise RosterError.at("army list", len(skeleton.units), remedy)
    return resolve(skeleton, datasheets(source))


def _own(text: str) -> Roster:
    units = read_units(f"{text}\n")
    return Roster(
        name="",
        faction="",
        units=units,
        points=float(sum(unit.points or 0 for unit in units)) or None,
        form="units in our own notation",
        edition="",
    )
