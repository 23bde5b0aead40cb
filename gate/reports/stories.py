"""Which cases a person should look at first: those that changed, worst first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gate.reports.once import once
from gate.stats.falls import largest_falls
from gate.types import CaseStory, Comparison, Differences, Result, Row

MOST = 20
"""Stories kept; the comment shows as many as fit."""

SMALLEST = 0.05
"""A mean that moved by less is no story."""


def stories(
    comparison: Comparison, results: Sequence[Result], *, keep_text: bool
) -> tuple[CaseStory, ...]:
    """Return the cases that moved in a dimension, the largest fall first, 20 at most.

    What is only watched tells no story: it has a scale of its own, and moves with every answer.

    `keep_text` False leaves answers and reasons out: then a report holds scores only.
    """
    by_cell: Mapping[tuple[str, str], Result] = {
        (result.target, result.case_id): result for result in results if result.attempt == 0
    }
    keys = moved_cells(comparison)
    changes = changes_of(comparison.rows, keys)
    return tuple(_story(key, changes[key], by_cell.get(key), keep_text=keep_text) for key in keys)


@once
def moved_cells(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """Return target and case of the stories, in their order: 20 at most, the largest fall first."""
    rows = told_rows(comparison.rows)
    return largest_falls(rows, least=SMALLEST, most=MOST).first


def told_rows(rows: Iterable[Row]) -> Iterator[tuple[str, Differences]]:
    """Give target and cases of the rows that stories are told of."""
    return ((row.target, row.differences) for row in rows if not row.watched)


def changes_of(
    rows: Iterable[Row], keys: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], list[tuple[str, float, float]]]:
    """Give what moved in these cells, worst first: dimension, baseline mean, current mean."""
    wanted: dict[str, set[str]] = defaultdict(set)
    for target, case in keys:
        wanted[target].add(case)
    moved: dict[tuple[str, str], list[tuple[str, float, float]]] = defaultdict(list)
    for row in rows:
        own = wanted[row.target]
        for case, baseline, current in row.differences.ends() if own and not row.watched else ():
            if case in own and abs(current - baseline) >= SMALLEST:
                moved[row.target, case].append((row.dimension, baseline, current))
    return {key: sorted(changes, key=_change) for key, changes in moved.items()}


def _change(change: tuple[str, float, float]) -> float:
    return change[2] - change[1]


def _story(
    key: tuple[str, str],
    changes: Sequence[tuple[str, float, float]],
    result: Result | None,
    *,
    keep_text: bool,
) -> CaseStory:
    target, case_id = key
    reasons: dict[str, str] = {}
    if result is not None and keep_text:
        # One justification often serves several dimensions: it is told once, with the one that
        # fell most. Why a dimension is as it was is no story.
        said = {score.metric: score.reason for score in result.scores}
        for dimension, _, _ in changes:
            reason = said.get(dimension)
            if reason and reason not in reasons.values():
                reasons[dimension] = reason
    return CaseStory(
        case_id=case_id,
        target=target,
        question="" if result is None else result.question,
        answer=result.answer.text if result is not None and keep_text else "",
        changes=tuple(changes),
        reasons=tuple(reasons.items()),
    )
