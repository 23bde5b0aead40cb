"""How many cases it takes: what a run could have seen, could decide, and what would settle it."""

from __future__ import annotations

import math

from gate.stats.paired import PSEUDO_CASE, guarded_bound_of_moments
from gate.stats.student import normal_cdf, z_quantile


def _factor(confidence: float, power: float) -> float:
    """Give z of the one-sided level plus z of the power (2.486 at 95% and 80%)."""
    return z_quantile(confidence) + z_quantile(power)


def smallest_visible_drop(
    sd: float | None,
    n: int,
    confidence: float = 0.95,
    power: float = 0.80,
) -> float | None:
    """Give the drop, in score units, that a one-sided test of n cases finds with this power.

    (z_{1-a} + z_{1-b}) sd / sqrt(n), with `sd` the standard deviation of the paired differences.
    None when sd is unknown or there is no case.
    """
    if sd is None or n < 1:
        return None
    return _factor(confidence, power) * sd / math.sqrt(n)


def cases_needed(
    sd: float,
    drop: float,
    confidence: float = 0.95,
    power: float = 0.80,
) -> int:
    """Give the number of cases at which a drop of this size is found with this power, at least 1.

    Raises ValueError unless the drop is positive (it is given as a size, not as a change).
    """
    if not drop > 0.0:
        raise ValueError(f"give the drop as a positive size, not {drop!r}")
    return max(1, math.ceil((_factor(confidence, power) * sd / drop) ** 2))


def can_fail(n: int, tests: int, q: float) -> bool:
    """Tell whether n cases can fail any of so many tests at all: tests x 2^-n <= q.

    2^-n is the smallest p-value of a sign-flip test, and Benjamini-Hochberg multiplies the
    smallest of M by M.
    """
    return n > 0 and tests > 0 and math.ldexp(float(tests), -n) <= q


def can_pass(
    n: int,
    margin: float,
    *,
    pseudo: float = PSEUDO_CASE,
    confidence: float = 0.95,
) -> bool:
    """Tell whether n cases without any change would pass: their guarded bound is above -margin."""
    return n > 0 and guarded_bound_of_moments(0.0, 0.0, n, pseudo, confidence) > -margin


def pass_rate(
    sd: float,
    n: int,
    margin: float,
    *,
    pseudo: float = PSEUDO_CASE,
    confidence: float = 0.95,
) -> float:
    """Give the share of runs of n cases that pass when nothing has changed, from 0 to 1.

    `sd` is the standard deviation of the paired differences, taken as known, and the mean of n of
    them as normal around 0: good for a plan, some points off below 24 cases and for rare, large
    differences. A pass is a guarded bound above -margin.
    """
    if n < 1:
        return 0.0

    def passes(mean: float) -> bool:
        return guarded_bound_of_moments(mean, sd, n, pseudo, confidence) > -margin

    if sd == 0.0:
        return 1.0 if passes(0.0) else 0.0
    failing, passing = -margin, _HIGHEST_MEAN
    if not passes(passing):
        return 0.0
    for _ in range(_HALVINGS):
        middle = (failing + passing) / 2.0
        if passes(middle):
            passing = middle
        else:
            failing = middle
    return normal_cdf(-passing * math.sqrt(n) / sd)


_HIGHEST_MEAN = 1.0
"""No mean difference of scores on [0, 1] is larger."""
_HALVINGS = 50
"""Enough to find the mean that just passes to the last digit."""


def settling_cases(
    mean: float,
    sd: float,
    margin: float,
    max_n: int,
    *,
    pseudo: float = PSEUDO_CASE,
    confidence: float = 0.95,
) -> int | None:
    """Give the smallest number of cases at which this mean and this spread would pass.

    `sd` is the standard deviation of the differences. None when the mean itself is at or below
    -margin (more cases would not help), or when more than `max_n` cases would be needed.
    """
    if mean <= -margin:
        return None

    def passes(n: int) -> bool:
        return guarded_bound_of_moments(mean, sd, n, pseudo, confidence) > -margin

    if max_n < 1 or not passes(max_n):
        return None
    failing, passing = 0, max_n
    while passing - failing > 1:
        middle = (failing + passing) // 2
        if passes(middle):
            passing = middle
        else:
            failing = middle
    return passing
