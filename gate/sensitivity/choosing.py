"""Which good answers are damaged: one a case, those to which most can be done."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gate.decision.sensitivity import GOOD, SEEN_BY
from gate.sensitivity.damages import Damaged, damage
from gate.types import Case, Damage, Metric, Result


class Good(NamedTuple):
    """A good answer, and all that can be done to it."""

    result: Result
    """The answer with its scores."""
    damages: Mapping[Damage, Damaged]
    """Damage -> the damaged answer."""


def choose_good(
    results: Iterable[Result], metrics: Sequence[Metric], cases: Mapping[str, Case], most: int
) -> tuple[Good, ...]:
    """Return at most `most` good answers, sorted by case.

    Good is an answer of which the judge rated every dimension of whole answers 2/3 or more. Of one
    case the answer to which most can be done is taken, of several such the first by hash; so are
    the cases.
    """
    whole = {metric.name for metric in metrics if metric.judged and metric.counts is None}
    best: dict[str, Good] = {}
    for result in results:
        case = cases.get(result.case_id)
        if case is None or result.answer_digest is None or not _is_good(result, whole):
            continue
        made = {kind: damage(kind, case, result.answer) for kind in SEEN_BY}
        good = Good(result, {kind: one for kind, one in made.items() if one and one.dimensions})
        known = best.get(case.id)
        if known is None or _place(good) < _place(known):
            best[case.id] = good
    chosen = sorted(best.values(), key=_place)[:most]
    return tuple(sorted(chosen, key=lambda one: one.result.case_id))


def _is_good(result: Result, whole: set[str]) -> bool:
    scores = [
        score.value
        for score in result.scores
        if score.metric in whole and isinstance(score.value, float | int)
    ]
    return bool(scores) and all(value >= GOOD for value in scores)


def _place(good: Good) -> tuple[int, str]:
    lot = f"good\x1f{good.result.case_id}\x1f{good.result.answer_digest}"
    seen = sum(len(made.dimensions) for made in good.damages.values())
    return -seen, hashlib.sha256(lot.encode()).hexdigest()
