"""Did one category fall? A t test on few cases, with the spread of all categories, and its check.

Eight cases are too few for a sign-flip test among many: its smallest p is 2^-8. So the mean of a
category is held against the spread within all categories of the row, pooled: a category in which
some cases broke for good has a large spread of its own, which would hide just that. What pooling
cannot see is a category that is noisier than the others. There the run labels know better, which
look at each case's own repeats: the larger p of both counts. Shuffled labels alone would not do,
since they take every lasting move of a case, up or down, for a change.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.stats.columns import Repeats
from gate.stats.design import Design
from gate.stats.run_labels import run_label_p
from gate.stats.student import t_cdf

CHECKED_UP_TO = 0.10
"""Run labels are shuffled where the t test says so little or less: a larger p fails nothing."""


@dataclass(frozen=True)
class CategoryTest:
    """The test of one category."""

    category: str
    """Its name."""
    places: tuple[int, ...]
    """Its cases, as places among all cases."""
    units: int
    """Independent units: cases, or clusters of them."""
    p: float
    """One-sided p of a drop."""


def category_tests(
    new: Repeats,
    base: Repeats,
    categories: Sequence[str],
    *,
    clusters: Sequence[str] | None = None,
    fewest: int,
    seed: str = "gate-v1",
) -> list[CategoryTest]:
    """Test each category of at least `fewest` units, in the order of their names.

    t = mean / (s / sqrt(n_h)) with s^2 the sum of squares within all categories over n - C, df the
    same; p is its lower tail, and the run-label p where that is larger. With clusters, each counts
    as one unit, by its mean. None is tested where there is one category only, which says what the
    row says.
    """
    differences = new.averages() - base.averages()
    groups: dict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(categories):
        groups[name].append(place)
    values = {
        name: _units(differences, places, clusters) for name, places in sorted(groups.items())
    }
    df = sum(map(len, values.values())) - len(values)
    if len(groups) < 2 or df < 1:  # noqa: PLR2004 - one category is all cases
        return []
    squares = math.fsum(
        (value - math.fsum(own) / len(own)) ** 2 for own in values.values() for value in own
    )
    return [
        CategoryTest(
            name,
            tuple(groups[name]),
            len(own),
            _p(new, base, groups[name], own, math.sqrt(squares / df), df, seed),
        )
        for name, own in values.items()
        if len(own) >= fewest
    ]


def _units(
    differences: NDArray[np.float64], places: Sequence[int], clusters: Sequence[str] | None
) -> list[float]:
    """Give the differences of a category's cases, or of its clusters."""
    own: NDArray[np.float64] = differences[list(places)]
    units = own
    if clusters is not None:
        design = Design(clusters=[clusters[place] for place in places])
        units = design.sums(own) / design.sums(np.ones(len(own)))
    means: list[float] = units.tolist()
    return means


def _p(
    new: Repeats,
    base: Repeats,
    places: Sequence[int],
    own: Sequence[float],
    s: float,
    df: int,
    seed: str,
) -> float:
    mean = math.fsum(own) / len(own)
    if s == 0.0:
        by_t = 1.0 if mean >= 0.0 else 0.0
    else:
        by_t = t_cdf(mean / (s / math.sqrt(len(own))), df)
    if by_t > CHECKED_UP_TO:
        return by_t
    kept = np.zeros(len(new), dtype=np.bool_)
    kept[list(places)] = True
    return max(by_t, run_label_p(new.take(kept), base.take(kept), seed=seed))
