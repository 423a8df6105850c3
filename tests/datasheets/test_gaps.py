"""What a datasheet does not say is said: weapons, points, which of two alike names is meant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mathhammer import read_roster, unit
from mathhammer.datasheets import Datasheet, Datasheets
from mathhammer.datasheets.datasheet import Entry, ModelRow, Price
from mathhammer.datasheets.muster import Arm
from mathhammer.units import Model, Weapon


def arm(line: str) -> Arm:
    weapon = Weapon.parse(line)
    return Arm(weapon.name, (("", weapon),))


PAIR = arm('Wall guns: 24" A4 BS3+ S4 AP0 D1 [RAPID FIRE 4]')
SINGLE = arm('Wall gun: 24" A2 BS3+ S5 AP0 D1 [RAPID FIRE 2]')
ALIKE = arm('Wall gun: 24" A4 BS3+ S4 AP0 D1 [RAPID FIRE 4]')
CART = Datasheet(
    name="Stone Cart",
    faction="Wall Folk",
    rows=(ModelRow(Model.parse("Stone Cart: T9 Sv3+ W11"), 1, 1, ("Wall guns",)),),
    arms=(PAIR,),
    prices=(Price(1, 1, 80),),
)
LIST = "My wall (80 points)\n\nWall Folk\n\nOTHER DATASHEETS\n\nStone Cart (80 points)\n"


def source(sheet: Datasheet = CART, *others: Arm) -> Datasheets:
    entries = (Entry(sheet.name, ("Wall Folk",), lambda: sheet),)
    return Datasheets("invented", entries, armoury=lambda faction: {"wall gun": others} if others else {})


def test_two_of_a_weapon_that_the_datasheet_has_as_a_pair_are_the_pair() -> None:
    roster = read_roster(f"{LIST}• 2x Wall gun\n", source(CART, SINGLE))
    assert [str(weapon) for weapon in roster.units[0].weapons] == [str(PAIR.modes[0][1])]
    assert roster.warnings == ("line 8: 2 Wall gun read as 1 Wall guns: other units have another Wall gun",)
    made = unit("Stone Cart", weapons={"Wall gun": 2}, source=source(CART, SINGLE))
    assert made.weapons == roster.units[0].weapons
    assert made.not_modelled == ("2 Wall gun read as 1 Wall guns: other units have another Wall gun",)


@pytest.mark.parametrize("count", [1, 3, 4])
def test_any_other_number_is_kept_and_the_reading_said(count: int) -> None:
    roster = read_roster(f"{LIST}• {count}x Wall gun\n", source(CART, SINGLE))
    assert [(weapon.name, weapon.count) for weapon in roster.units[0].weapons] == [("Wall guns", count)]
    said = f"line 8: {count} Wall gun read as {count} Wall guns: other units have another Wall gun"
    assert roster.warnings == (said,)


@pytest.mark.parametrize(("written", "others"), [("gun", ()), ("gun", (SINGLE, ALIKE)), ("guns", (SINGLE,))])
def test_singular_and_plural_are_one_where_nothing_else_has_the_name(
    written: str, others: tuple[Arm, ...]
) -> None:
    roster = read_roster(f"{LIST}• 2x Wall {written}\n", source(CART, *others))
    assert [(weapon.name, weapon.count) for weapon in roster.units[0].weapons] == [("Wall guns", 2)]
    assert roster.warnings == ()


def test_a_datasheet_without_weapons_is_said() -> None:
    sheet = replace(CART, arms=(), rows=(replace(CART.rows[0], gear=()),))
    said = ("the weapons of Stone Cart (the datasheet lists none that can be used)",)
    assert unit("Stone Cart", source=source(sheet)).not_modelled == said
    assert read_roster(LIST, source(sheet)).units[0].not_modelled == said


def test_a_list_that_names_no_weapon_is_said() -> None:
    said = ("the weapons of Stone Cart (the list names none of the datasheet)",)
    assert read_roster(LIST, source()).units[0].not_modelled == said


def test_points_that_are_not_known_stay_so_whatever_the_gear_costs() -> None:
    for price, points in ((0, None), (80, 83)):
        sheet = replace(CART, prices=(Price(1, 1, price),), costs={"Wall guns": 3})
        assert unit("Stone Cart", source=source(sheet)).points == points
