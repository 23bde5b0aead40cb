"""Which cases a person should look at first: those that changed, worst first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from gate.types import CaseStory, Comparison, Result

MOST = 20
"""Stories kept; the comment shows as many as fit."""

SMALLEST = 0.05
"""A mean that moved by less is no story."""


def moved_cells(comparison: Comparison) -> tuple[tuple[str, str], ...]:
    """Return target and case of the stories that will be told, in their order."""
    told = stories(comparison, (), keep_text=False)
    return tuple((story.target, story.case_id) for story in told)


def stories(
    comparison: Comparison, results: Sequence[Result], *, keep_text: bool
) -> tuple[CaseStory, ...]:
    """Return the cases that moved in a dimension, the largest fall first, 20 at most.

    What is only watched tells no story: it has a scale of its own, and moves with every answer.

    `keep_text` False leaves answers and reasons out: then a report holds scores only.
    """
    moved: dict[tuple[str, str], list[tuple[str, float, float]]] = defaultdict(list)
    for row in comparison.rows:
        for one in () if row.watched else row.differences:
            if abs(one.delta) >= SMALLEST:
                moved[row.target, one.case_id].append((row.dimension, one.baseline, one.current))
    by_cell: Mapping[tuple[str, str], Result] = {
        (result.target, result.case_id): result for result in results if result.attempt == 0
    }
    told = [
        _story(key, sorted(changes, key=_change), by_cell.get(key), keep_text=keep_text)
        for key, changes in moved.items()
    ]
    return tuple(
        sorted(told, key=lambda one: (_change(one.changes[0]), one.target, one.case_id))[:MOST]
    )


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
