"""Two sources of noise in one score: answering a question anew, and ruling on one answer anew."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Within:
    """How far values of one group lie apart, over many groups."""

    variance: float
    """The mean square within groups."""
    freedom: int
    """Its degrees of freedom: values less groups."""


@dataclass(frozen=True)
class Parts:
    """Where the variance of one score comes from."""

    judge: float
    """The part of ruling anew, as it was given."""
    answer: float | None
    """The part of answering anew, at least 0; None where the whole is not known."""
    share: float | None
    """The judge's part of both, from 0 to 1; None where there is no variance or no whole."""


def within_groups(groups: Iterable[Sequence[float]]) -> Within | None:
    """Give the mean square within groups; None where no group has two values.

    sum_g sum_i (x_gi - mean_g)^2 / sum_g (n_g - 1), the residual mean square of a one-way analysis
    of variance: unbiased for the variance within a group, whatever the groups' sizes and means
    (Searle, Casella and McCulloch 1992, Variance Components, chapter 3).
    """
    squares, freedom = [], 0
    for values in groups:
        if len(values) > 1:
            mean = math.fsum(values) / len(values)
            squares += [(value - mean) ** 2 for value in values]
            freedom += len(values) - 1
    return Within(math.fsum(squares) / freedom, freedom) if freedom else None


def variance_parts(judge: float, whole: float | None) -> Parts:
    """Split the variance of one score into the judge's part and the answers'.

    `whole` is the mean square between scores of one case, and `judge` that part of it that comes
    from ruling anew: the mean square between rulings on one answer over the rulings that a score is
    the mean of. In the nested design (rulings in answers in cases) E[whole] = answer + judge, so
    the answers' part is estimated without bias by their difference (the same book, nested
    classifications); where that falls below 0 by chance it is shown as 0.
    """
    if whole is None:
        return Parts(judge, None, None)
    answer = max(0.0, whole - judge)
    both = judge + answer
    return Parts(judge, answer, judge / both if both > 0.0 else None)
