"""What was read from an army list, and what was not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from os import PathLike

from mathhammer.datasheets.attached import attach
from mathhammer.datasheets.names import nearest, stem
from mathhammer.errors import MISSING, InvalidScenario, RosterError
from mathhammer.saving import save_text
from mathhammer.unit_files import write_units
from mathhammer.units import Unit


@dataclass(frozen=True)
class Unresolved:
    """Something in the list that was not understood, so that it is in no unit.

    Attributes
    ----------
    where : str
        `line 12`, or the path of a selection in a self-contained roster.
    text : str
        As it stands there.
    why : str
    candidates : tuple of str
        The nearest known names, best first.
    """

    where: str
    text: str
    why: str
    candidates: tuple[str, ...] = ()

    def __str__(self) -> str:
        near = f"; nearest: {', '.join(self.candidates)}" if self.candidates else ""
        return f'{self.where}: "{self.text}" {self.why}{near}'


@dataclass(frozen=True)
class Roster:
    """An army list as units.

    Attributes
    ----------
    name, faction : str
        As stated; empty if not.
    units : tuple of Unit
    points : float or None
        The total that the list states.
    form : str
        Which form the list has, in words.
    edition : str
        `11th`, `10th`, or empty if the list does not say.
    warnings : tuple of str
        What was read with a reservation.
    unresolved : tuple of Unresolved
        What was not read at all.
    attached : tuple of tuple of int
        Attached units of the list, as indices into `units`, the bodyguard unit first.
    source : str
        The datasheets used, with version and licence; empty if the list brings its own.
    detachments : tuple of str
        As stated. Their rules change nothing in the units.
    """

    name: str
    faction: str
    units: tuple[Unit, ...]
    points: float | None
    form: str
    edition: str
    warnings: tuple[str, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    source: str = ""
    attached: tuple[tuple[int, ...], ...] = ()
    detachments: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know before trusting any number of it: source, warnings, and what was not read."""
        lines = [f"datasheets: {self.source}"] if self.source else []
        lines += [f"detachment, its rules not modelled: {one}" for one in self.detachments]
        lines += [f"warning: {warning}" for warning in self.warnings]
        return (*lines, *(f"not read: {one}" for one in self.unresolved))

    @property
    def formations(self) -> tuple[Unit, ...]:
        """The units as they fight: leaders joined to the bodyguard units that the list attaches them to.

        Raises
        ------
        InvalidScenario
            When `mathhammer.attach` cannot join them.
        """
        first = {group[0]: group for group in self.attached}
        joined = {at for group in self.attached for at in group[1:]}
        return tuple(
            attach(unit, *(self.units[other] for other in first[at][1:])) if at in first else unit
            for at, unit in enumerate(self.units)
            if at not in joined
        )

    def joined(self, bodyguard: str, *leaders: str) -> Roster:
        """The same list with leaders attached to a unit: few lists say who joins whom.

        Parameters
        ----------
        bodyguard : str
        *leaders : str
            Names of its units; the second of a name is ``NAME (2)``, as in tables.

        Raises
        ------
        InvalidScenario
            For a name that no unit has, and for a unit that is attached already.

        Examples
        --------
        >>> guards = Unit(name="Guards", models=["5x Guard: T4 Sv3+ W2"])
        >>> boss = Unit(name="Boss", models=["Boss: T5 Sv2+ W5"])
        >>> army = Roster("", "", (guards, boss), points=None, form="", edition="")
        >>> [unit.name for unit in army.joined("guards", "boss").formations]
        ['Guards with Boss']
        """
        if not leaders:
            raise InvalidScenario.at("leaders", leaders, "name at least one leader or support unit")
        group = tuple(map(self._place, (bodyguard, *leaders)))
        members = [at for other in (*self.attached, group) for at in other]
        twice = next((self.units[at].name for at in group if members.count(at) > 1), None)
        if twice is not None:
            raise InvalidScenario.at("units", twice, "is part of an attached unit already")
        return replace(self, attached=(*self.attached, group))

    def _place(self, name: str) -> int:
        seen: Counter[str] = Counter()
        places: dict[str, int] = {}
        for at, unit in enumerate(self.units):
            seen[unit.name] += 1
            places[f"{unit.name} ({seen[unit.name]})" if seen[unit.name] > 1 else unit.name] = at
        found = {stem(known): at for known, at in reversed(places.items())}.get(stem(name))
        if found is None:
            near = ", ".join(nearest(name, places)) or "none"
            raise InvalidScenario.at("units", name, f"is no unit of the list; nearest: {near}")
        return found

    def __str__(self) -> str:
        total = f", {self.points:g} points" if self.points is not None else ""
        lines = [f"{self.name or 'Army list'} ({self.faction or 'no faction'}{total}; {self.form})"]
        return "\n".join([*lines, *map(str, self.units), *self.remarks])

    def to_toml(self, path: str | PathLike[str] | None = None, *, attached: bool = False) -> str:
        """The list as `[[units]]`, in the notation of scenarios, with a heading of comments.

        Parameters
        ----------
        path : str or path, optional
            A file to write it to.
        attached : bool, default False
            Write `formations`, leaders joined to their bodyguard units, instead of `units`.

        Returns
        -------
        str
            The text, which `read_roster` and `read_units` read again as equal units.

        Raises
        ------
        RosterError
            If the file cannot be written, or there is no unit to write.
        """
        if not self.units:
            raise RosterError.at("army list", MISSING, "no unit of it could be read: its remarks say why")
        heading = [f"{self.name or 'Army list'} - {self.faction or 'no faction'} - read from: {self.form}"]
        heading += self.remarks
        for group in () if attached else self.attached:
            heading.append(f"attached: {' + '.join(self.units[at].name for at in group)}")
        comments = "".join(f"# {_one_line(line)}\n" for line in heading)
        text = f"{comments}\n{write_units(self.formations if attached else self.units)}"
        if path is not None:
            if not isinstance(path, str | PathLike) or path == "":
                raise RosterError.at("path", path, "name the file to write")
            try:
                save_text(path, text)
            except OSError as error:
                raise RosterError.at(str(path), MISSING, f"cannot be written: {error.strerror}") from error
        return text


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)
