"""All cases that changed, also those that nobody tells a story of."""

from __future__ import annotations

from dataclasses import dataclass

from gate.reports.once import once
from gate.reports.stories import SMALLEST, changes_of, told_rows
from gate.stats.falls import largest_falls
from gate.types import Report

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
    first: tuple[ChangedCase, ...]
    """The worst of them, worst first, as many as a page can hold."""


@once
def untold(report: Report) -> Untold:
    """Find the cases that changed as much as a story needs and have none."""
    told = {(one.target, one.case_id) for one in report.stories}
    rows = () if report.comparison is None else report.comparison.rows
    found = largest_falls(told_rows(rows), least=SMALLEST, most=MOST_LISTED, without=told)
    changes = changes_of(rows, found.first)
    return Untold(
        found.count,
        tuple(ChangedCase(*key, tuple(changes[key])) for key in found.first),
    )
