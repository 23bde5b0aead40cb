"""All cases that changed, also those that nobody tells a story of."""

from __future__ import annotations

from dataclasses import dataclass

from gate.reports.once import once
from gate.reports.stories import SMALLEST, changes_of, told_rows
from gate.stats.falls import largest_falls
from gate.types import Report, Row

MOST_LISTED = 30_000
"""Cases that are kept: a page of more lines than this, each of 30 bytes at least, fits nowhere."""


@dataclass(frozen=True)
class ChangedCase:
    """One case of one target, in numbers only."""

    target: str
    """System under test."""
    case_id: str
    """The case."""
    changes: tuple[tuple[str, float, float], ...]
    """Dimension, baseline mean, current mean; worst first."""


@dataclass(frozen=True)
class Untold:
    """The cases that changed as much as a story needs and have none."""

    count: int
    """How many there are."""
    keys: tuple[tuple[str, str], ...]
    """Target and case of the worst of them, worst first, as many as a page can hold."""
    rows: tuple[Row, ...]
    """The rows that say how they changed."""

    def first(self, most: int) -> tuple[ChangedCase, ...]:
        """Give the worst of them, worst first, no more than `most`."""
        keys = self.keys[:most]
        changes = changes_of(self.rows, keys)
        return tuple(ChangedCase(*key, tuple(changes[key])) for key in keys)


@once
def untold(report: Report) -> Untold:
    """Find the cases that changed as much as a story needs and have none."""
    told = {(one.target, one.case_id) for one in report.stories}
    rows = () if report.comparison is None else report.comparison.rows
    found = largest_falls(told_rows(rows), least=SMALLEST, most=MOST_LISTED, without=told)
    return Untold(found.count, found.first, rows)
