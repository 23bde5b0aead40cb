"""How noisy is each category? Told by the baseline's repeats, before a sample is drawn. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence

from gate.decision.rows import FRACTION
from gate.decision.sides import scored
from gate.stats.sampling import shrunk_spreads
from gate.types import Baseline, Case

ENOUGH_REPEATS = 3
"""A spread of fewer repeats tells nothing of a category."""


def spreads_of(
    baseline: Baseline | None, cases: Sequence[Case], dimensions: Collection[str]
) -> dict[str, float] | None:
    """Give the spread of the differences in each category of the cases that are sampled.

    S_h = sqrt(2) times the spread of repeats within a case, its square averaged over the cases of
    a category and over the scores in [0, 1] among `dimensions`, drawn towards the spread of all.
    Chosen so, a case is taken for its noise and never for a low or high score, which would make
    differences look better or worse than they are. None where no case has three repeats.
    """
    if baseline is None:
        return None
    units = {metric.name: metric.unit for metric in baseline.metrics}
    names = [name for name in sorted(dimensions) if units.get(name) == FRACTION]
    sampled = {case.id: case.category for case in cases if not case.must_include}
    squares: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for cell in baseline.cells:
        for name in names:
            values = scored(cell, name)
            if cell.case_id in sampled and len(values) >= ENOUGH_REPEATS:
                mean = math.fsum(values) / len(values)
                squares[sampled[cell.case_id]].append(
                    (math.fsum((value - mean) ** 2 for value in values), len(values) - 1)
                )
    if not squares:
        return None
    return shrunk_spreads(
        {category: _variance(squares[category], len(names)) for category in sampled.values()}
    )


def _variance(squares: Sequence[tuple[float, int]], dimensions: int) -> tuple[float, int]:
    """Give the variance of a difference, and its degrees of freedom.

    Dimensions of one answer move together, so together they count for one.
    """
    freedom = sum(nu for _, nu in squares)
    if not freedom:
        return 0.0, 0
    return 2.0 * math.fsum(sum_ for sum_, _ in squares) / freedom, freedom // dimensions
