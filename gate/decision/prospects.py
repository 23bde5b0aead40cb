"""What so many cases will be able to tell, before anything was measured. Pure.

Nobody knows a system's noise before its first runs, so these are prospects: the noise of an
unchanged search model, published by others, put into the formulas that decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.stats.power import pass_rate, smallest_visible_drop
from gate.types import Policy

__all__ = ["BASELINE_REPEATS", "SPREADS", "Prospect", "prospects", "together"]

SPREADS = {"relevance": 0.035, "correctness": 0.11, "source_quality": 0.23}
"""Dimension -> standard deviation of a case's difference between two single runs.

The middle of five pairs of runs of one model in gemini-search-mcp's published results, 24 cases
each: 0.02 to 0.05, 0.08 to 0.14, 0.18 to 0.28."""

BASELINE_REPEATS = 5
"""Answers a case in the baseline that is assumed."""


@dataclass(frozen=True)
class Prospect:
    """What so many cases tell of one dimension."""

    dimension: str
    """The dimension."""
    spread: float
    """Standard deviation of a case's difference to the baseline, in score units."""
    smallest_drop: float
    """Drop of the mean that four runs in five see, in score units."""
    pass_rate: float
    """Share of unchanged runs in which it passes, from 0 to 1."""


def prospects(cases: int, policy: Policy) -> tuple[Prospect, ...]:
    """Say it of each dimension of known noise, for one answer a case against five.

    All of the noise is taken to be between runs, so five answers a case make the baseline's part
    of it a fifth. `cases` is 1 or more.
    """
    shrink = math.sqrt((1.0 + 1.0 / BASELINE_REPEATS) / 2.0)
    return tuple(
        Prospect(
            dimension=name,
            spread=spread * shrink,
            smallest_drop=smallest_visible_drop(spread * shrink, cases) or 0.0,
            pass_rate=pass_rate(
                spread * shrink, cases, policy.margin, confidence=1.0 - policy.pass_level
            ),
        )
        for name, spread in SPREADS.items()
    )


def together(found: Sequence[Prospect]) -> float:
    """Give the share of unchanged runs in which all of them pass, as if they were independent."""
    return math.prod(one.pass_rate for one in found)
