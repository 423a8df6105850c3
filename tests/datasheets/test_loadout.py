"""Load-outs as typed."""

from __future__ import annotations

import pytest

from mathhammer import InvalidScenario
from mathhammer.datasheets import parse_loadout
from mathhammer.datasheets.loadout import loadout


@pytest.mark.parametrize(
    "text", ["Shoota:", "Shoota:abc", ":3", "Shoota:-1", "Shoota:0", "Shoota:9,,Slugga", "A:1.5"]
)
def test_what_cannot_be_read_is_quoted(text: str) -> None:
    with pytest.raises(InvalidScenario) as caught:
        parse_loadout(text)
    assert isinstance(caught.value, ValueError)
    assert text.split(",")[-1 if ",," not in text else 1].strip() in str(caught.value)


def test_names_and_counts() -> None:
    assert parse_loadout("Shoota:9,Slugga:1") == (("Shoota", 9), ("Slugga", 1))
    assert parse_loadout("Choppa") == (("Choppa", 1),)
    assert parse_loadout("Gun: heavy:2") == (("Gun: heavy", 2),)
    assert parse_loadout("") == ()


def test_mappings() -> None:
    assert loadout({"Shoota": 9}) == (("Shoota", 9),)
    assert loadout(None) is None
    assert loadout("") is None
    for count in (0, -1, 1.5, True, "3"):
        with pytest.raises(InvalidScenario, match="whole number"):
            loadout({"Shoota": count})
