"""Outcomes as text."""

from __future__ import annotations

import mathhammer as mh


def test_weapons_whose_names_differ_at_the_end_differ_in_print() -> None:
    long = "Very long name of a weapon that fits into no column of eighty "
    out = mh.solve(
        mh.Scenario(
            attacker=mh.Unit(
                name="Gunners",
                weapons=[f"2x {long}{mode}: A1 BS3+ S{s} AP0 D1" for mode, s in (("low", 4), ("high", 8))],
            ),
            target=mh.Unit(name="Wall", models=["5x Shield: T4 Sv3+ W2"]),
        )
    )
    rows = [line.partition("  ")[0] for line in str(out).splitlines() if line.startswith("2x ")]
    assert len(set(rows)) == 2
    assert [row.endswith(mode) for row, mode in zip(rows, ("low", "high"), strict=True)] == [True, True]
