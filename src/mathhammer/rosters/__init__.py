"""Army lists: `read_roster` reads whatever program wrote them, and names what it could not read."""

from mathhammer.rosters.reading import read_roster
from mathhammer.rosters.roster import Roster, Unresolved

__all__ = ["Roster", "Unresolved", "read_roster"]
