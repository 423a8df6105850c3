"""Units from datasheets: by name from an installed dataset, a file of one's own or a folder of CSV files.

`unit` makes a unit, `attach` joins leaders to it, `datasheets` opens a source. Nothing of any dataset is kept
in this package.
"""

from mathhammer.datasheets.attached import attach
from mathhammer.datasheets.by_name import unit
from mathhammer.datasheets.datasheet import Datasheet, Datasheets
from mathhammer.datasheets.loadout import parse_loadout
from mathhammer.datasheets.sources import datasheets

__all__ = ["Datasheet", "Datasheets", "attach", "datasheets", "parse_loadout", "unit"]
