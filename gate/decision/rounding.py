"""How exact a number is when it decides: a baseline on disk and a fresh run must tie."""

from __future__ import annotations

SCORE_PLACES = 4
"""Decimals of a score on [0, 1], in baseline.json and in every comparison."""

OTHER_DIGITS = 6
"""Significant digits of a number of another unit, such as seconds or tokens."""

RESULT_PLACES = 9
"""Decimals on which differences, averages and thresholds are compared: float noise is below."""


def score(value: float, unit: str = "fraction") -> float:
    """Round a score as baseline.json stores it, so that both sides of a comparison are alike.

    Without this, 2/3 in the run and 0.6667 in the file would count as a case that got worse.
    """
    if unit == "fraction":
        return round(value, SCORE_PLACES) + 0.0
    return float(f"{value:.{OTHER_DIGITS}g}") + 0.0


def result(value: float) -> float:
    """Round a difference or an average to 1e-9; minus zero becomes zero."""
    return round(value, RESULT_PLACES) + 0.0
