"""What a rule returns."""

from __future__ import annotations

from dataclasses import dataclass

STEPS = 4
"""Levels run from 0 to this."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A level with its reason."""

    level: float
    """0 (worst) to 4, not yet rounded."""
    because: str
    """One short sentence."""


def bounded(level: float, because: str) -> Rating:
    """Return a rating within 0 and 4."""
    return Rating(min(float(STEPS), max(0.0, level)), because)
