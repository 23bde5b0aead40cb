"""All cases that changed, also those that nobody tells a story of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from heapq import nsmallest

from gate.reports.once import once
from gate.reports.stories import SMALLEST
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
    worst: dict[tuple[str, str], float] = {}
    for row in rows:
        for case, baseline, current in () if row.watched else row.differences.ends():
            delta = current - baseline
            if abs(delta) >= SMALLEST:
                key = row.target, case
                if key not in told:
                    worst[key] = min(delta, worst.get(key, delta))
    first = nsmallest(MOST_LISTED, ((delta, *key) for key, delta in worst.items()))
    moved: dict[tuple[str, str], list[tuple[str, float, float]]] = defaultdict(list)
    kept = {(t, c) for _, t, c in first}
    for row in rows:
        for case, baseline, current in () if row.watched else row.differences.ends():
            if abs(current - baseline) >= SMALLEST and (row.target, case) in kept:
                moved[row.target, case].append((row.dimension, baseline, current))
    return Untold(
        len(worst),
        tuple(
            ChangedCase(target, case, tuple(sorted(moved[target, case], key=_fall)))
            for _, target, case in first
        ),
    )


def _fall(change: tuple[str, float, float]) -> float:
    return change[2] - change[1]
