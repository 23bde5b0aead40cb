"""Mean, middle and spread of a list of measured numbers; None where there is nothing to say.

A value of None is a missing measurement: it is left out, never counted as zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

_FEWEST_FOR_SPREAD = 2


def _measured(values: Iterable[float | None]) -> list[float]:
    """Leave out what is missing; raises ValueError where a number is NaN or infinite."""
    kept = [value for value in values if value is not None]
    if not all(map(math.isfinite, kept)):
        raise ValueError("a measurement must be finite; hand in None where it is missing")
    return kept


def mean_or_none(values: Iterable[float | None]) -> float | None:
    """Give the arithmetic mean of the measured values, or None where nothing was measured."""
    kept = _measured(values)
    return math.fsum(kept) / len(kept) if kept else None


def lower_median(values: Iterable[float | None]) -> float | None:
    """Give the measured value at sorted index (n - 1) // 2, or None where nothing was measured.

    With an even number it is the lower of the two middle ones, so that it is always a value that
    was really seen.
    """
    kept = sorted(_measured(values))
    return kept[(len(kept) - 1) // 2] if kept else None


def sd_or_none(values: Iterable[float | None]) -> float | None:
    """Give the sample standard deviation (divisor n - 1), or None below two measured values."""
    kept = _measured(values)
    if len(kept) < _FEWEST_FOR_SPREAD:
        return None
    mean = math.fsum(kept) / len(kept)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in kept) / (len(kept) - 1))
