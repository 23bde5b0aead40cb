"""Which answers become control answers: few, over the categories, and rated low, middle and high.

A judge that drifts may do so at one end of the scale only, so each end of each dimension should be
among them, as far as the run has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.stats.sampling import order_key
from gate.stats.tables import bucket
from gate.types import Metric, Result

__all__ = ["Candidate", "candidate_of", "choose_controls", "rated_dimensions"]

FRACTION = "fraction"


@dataclass(frozen=True)
class Candidate:
    """An answer that could be a control answer, without its text."""

    target: str
    """System under test."""
    case_id: str
    """The case."""
    attempt: int
    """Repeat number from 0."""
    category: str
    """The case's category."""
    digest: str
    """SHA-256 of the answer."""
    thirds: tuple[tuple[str, str], ...]
    """Dimension, and the third of the scale in which the answer was rated."""


def rated_dimensions(metrics: Iterable[Metric]) -> tuple[str, ...]:
    """Name the dimensions that control answers are about: judged ones on [0, 1]."""
    return tuple(one.name for one in metrics if one.judged and one.unit == FRACTION)


def candidate_of(
    result: Result, dimensions: Sequence[str], cases: Mapping[str, str]
) -> Candidate | None:
    """Return what is to be known of an answer; None for one that cannot be a control answer.

    `cases` maps the cases of the dataset to their digests: an answer to another text is none.
    """
    if result.answer_digest is None or cases.get(result.case_id) != result.case_digest:
        return None
    wanted = set(dimensions)
    thirds = tuple(
        (score.metric, bucket(float(score.value)))
        for score in result.scores
        if score.metric in wanted and isinstance(score.value, float | int)
    )
    if not thirds:
        return None
    return Candidate(
        target=result.target,
        case_id=result.case_id,
        attempt=result.attempt,
        category=result.category,
        digest=result.answer_digest,
        thirds=thirds,
    )


def choose_controls(candidates: Iterable[Candidate], most: int) -> tuple[Candidate, ...]:
    """Return at most `most` answers, one a case, sorted by case.

    One after the other, the answer is taken that has most of what is rarest so far (a third of a
    dimension), of several such one of the rarest category, of several such the first by hash.
    """
    left = sorted(candidates, key=_lot)
    chosen: list[Candidate] = []
    thirds, categories = Counter[tuple[str, str]](), Counter[str]()
    while left and len(chosen) < most:
        best = min(
            left,
            key=lambda one: (
                -sum(1.0 / (1 + thirds[third]) ** 2 for third in one.thirds),
                categories[one.category],
            ),
        )
        chosen.append(best)
        thirds.update(best.thirds)
        categories[best.category] += 1
        left = [one for one in left if one.case_id != best.case_id]
    return tuple(sorted(chosen, key=lambda one: one.case_id))


def _lot(one: Candidate) -> bytes:
    return order_key("control answers", f"{one.case_id}\x1f{one.digest}\x1f{one.attempt}")
