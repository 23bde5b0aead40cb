"""All cases that changed, also those that nobody tells a story of."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from gate.reports.stories import SMALLEST
from gate.types import Report


@dataclass(frozen=True)
class ChangedCase:
    """One case of one target, in numbers only."""

    target: str
    """System under test."""
    case_id: str
    """The case."""
    changes: tuple[tuple[str, float, float], ...]
    """Dimension, baseline mean, current mean; worst first."""


def untold(report: Report) -> tuple[ChangedCase, ...]:
    """Return the cases that changed as much as a story needs and have none, worst first."""
    told = {(one.target, one.case_id) for one in report.stories}
    moved: dict[tuple[str, str], dict[str, tuple[float, float]]] = defaultdict(dict)
    for row in () if report.comparison is None else report.comparison.rows:
        for one in () if row.watched else row.differences:
            key = row.target, one.case_id
            if abs(one.delta) >= SMALLEST and key not in told:
                moved[key][row.dimension] = (one.baseline, one.current)
    found = [
        ChangedCase(
            target,
            case,
            tuple(sorted(((name, *ends) for name, ends in changes.items()), key=_fall)),
        )
        for (target, case), changes in moved.items()
    ]
    return tuple(sorted(found, key=lambda one: (_fall(one.changes[0]), one.target, one.case_id)))


def _fall(change: tuple[str, float, float]) -> float:
    return change[2] - change[1]
