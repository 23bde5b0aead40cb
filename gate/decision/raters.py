"""Several people: how far they agree with one another, and whether the judge stands among them.

A judge cannot be asked to agree with people better than people do. All of this is computed on the
answers that at least two people rated; models among the raters are no people and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from gate.decision.categories import categories_of, judge_said
from gate.stats.agreement import cohen_kappa, contingency, krippendorff_alpha_of_ratings
from gate.types import Bucket, CalibrationItem, CalibrationSet, RaterAgreement, Spread, Support

SLACK = 0.05
"""The judge is within the spread when its mean kappa is at most so far below that of people."""

_TWO = 2


def spread_of(labelled: CalibrationSet) -> Spread | None:
    """Give the agreement of people with each other and with the judge.

    None where nobody rated what another did. Raises ValueError for a judge's score outside [0, 1].
    """
    rated = [
        (item, ratings)
        for item in labelled.items
        if len(ratings := _of_people(item, labelled.models)) >= _TWO
    ]
    if not rated:
        return None
    words = categories_of(labelled.counts)
    names = sorted({name for _, ratings in rated for name in ratings})
    columns = {name: [ratings.get(name) for _, ratings in rated] for name in names}
    judge = [judge_said(item) for item, _ in rated]
    people = tuple(_beside_judge(name, columns[name], judge, words) for name in names)
    pairwise = _mean(
        [_kappa(columns[one], columns[other], words) for one, other in combinations(names, _TWO)]
    )
    mean = _mean([one.kappa for one in people])
    return Spread(
        people=people,
        n=len(rated),
        alpha=krippendorff_alpha_of_ratings(
            [[ratings.get(name) for name in names] for _, ratings in rated],
            words,
            "ordinal" if labelled.counts is None else "nominal",
        ),
        pairwise=pairwise,
        judge=mean,
        settled=sum(len(set(ratings.values())) > 1 for _, ratings in rated),
        within=None if mean is None or pairwise is None else mean >= pairwise - SLACK,
    )


def _of_people(item: CalibrationItem, models: Sequence[str]) -> Mapping[str, Bucket | Support]:
    return {name: said for name, said in item.ratings.items() if name not in models}


def _beside_judge(
    name: str,
    said: Sequence[str | None],
    judge: Sequence[str],
    words: Sequence[str],
) -> RaterAgreement:
    return RaterAgreement(
        rater=name, n=sum(one is not None for one in said), kappa=_kappa(said, judge, words)
    )


def _kappa(
    one: Sequence[str | None], other: Sequence[str | None], words: Sequence[str]
) -> float | None:
    """Give kappa on what both rated; None where that is nothing, or shows no variety."""
    both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    if not both:
        return None
    return cohen_kappa(contingency([a for a, _ in both], [b for _, b in both], words)).value


def _mean(kappas: Sequence[float | None]) -> float | None:
    known = [kappa for kappa in kappas if kappa is not None]
    return math.fsum(known) / len(known) if known else None
