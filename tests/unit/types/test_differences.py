"""Compared cases in columns: as if they were a tuple of records."""

from __future__ import annotations

import pytest

from gate.types import Difference, Differences, Row

RECORDS = tuple(
    Difference(case_id=case, category="x", baseline=0.5, current=now, new=(now,) * 2, base=base)
    for case, now, base in (("a", 0.25, (0.5,)), ("b", 0.75, (0.5, 0.25, 0.75)), ("c", 0.5, (0.5,)))
)


def test_differences__give_back_what_was_put_in() -> None:
    """One by one, from the end, in slices and as a whole."""
    found = Differences.of(RECORDS)

    assert RECORDS == tuple(found) == found[:]
    assert (RECORDS[1], RECORDS[-1], RECORDS[1:]) == (found[1], found[-1], found[1:])
    assert found == list(RECORDS)
    assert found != RECORDS[:2]
    assert found != "abc"
    with pytest.raises(IndexError):
        found[3]


def test_differences__columns() -> None:
    """Means without records, and the fewest repeats of the baseline."""
    found = Differences.of(RECORDS)
    assert [("a", 0.5, 0.25), ("b", 0.5, 0.75), ("c", 0.5, 0.5)] == list(found.ends())
    assert (1, None) == (found.fewest_repeats, Differences().fewest_repeats)


def test_row__takes_records_and_columns() -> None:
    """A row holds columns, whatever it was given, and comes back from its own dump."""
    blank = {"target": "t", "dimension": "d", "judged": True, "direction_known": True}
    none = dict.fromkeys(("baseline", "current", "delta", "signed"))
    row = Row.model_validate({**blank, **none, "differences": RECORDS})
    assert isinstance(row.differences, Differences)
    assert row.differences == RECORDS
    assert row == Row.model_validate(row.model_dump(mode="json"))
