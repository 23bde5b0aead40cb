"""Which cases a person should look at first: those that changed, worst first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from heapq import nsmallest

from gate.types import CaseStory, Comparison, Result

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
    changes = _changes(comparison, set(keys))
    return tuple(_story(key, changes[key], by_cell.get(key), keep_text=keep_text) for key in keys)


def moved_cells(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """Return target and case of the stories, in their order: 20 at most, the largest fall first."""
    worst: dict[tuple[str, str], float] = {}
    for row in comparison.rows:
        for case, baseline, current in () if row.watched else row.differences.ends():
            delta = current - baseline
            if abs(delta) >= SMALLEST:
                key = row.target, case
                known = worst.get(key)
                if known is None or delta < known:
                    worst[key] = delta
    first = nsmallest(MOST, ((delta, *key) for key, delta in worst.items()))
    return tuple((target, case) for _, target, case in first)


def _changes(
    comparison: Comparison, keys: Collection[tuple[str, str]]
) -> dict[tuple[str, str], list[tuple[str, float, float]]]:
    """Give what moved in these cells, worst first."""
    moved: dict[tuple[str, str], list[tuple[str, float, float]]] = defaultdict(list)
    for row in comparison.rows:
        for case, baseline, current in () if row.watched else row.differences.ends():
            if abs(current - baseline) >= SMALLEST and (row.target, case) in keys:
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
