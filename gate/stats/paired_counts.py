"""Yes-or-no outcomes of the same cases in two runs: did errors, or empty answers, rise?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.stats.columns import Repeats


@dataclass(frozen=True)
class Turned:
    """Which of many cases turned, told by whether most of their repeats are bad."""

    worse: list[int]
    """Places of the cases that went from fine to bad."""
    better: int
    """How many went from bad to fine."""
    told: int
    """How many could be told, since they have a repeat on both sides."""


def turned(now: Repeats, before: Repeats) -> Turned:
    """Compare flags of the same cases on two sides, 1 for each bad repeat and 0 for each fine one.

    A case is bad on a side when more than half of its repeats are.
    """
    told = (now.counts > 0) & (before.counts > 0)
    bad_now, bad_before = _mostly(now), _mostly(before)
    return Turned(
        worse=np.flatnonzero(told & bad_now & ~bad_before).tolist(),
        better=int(np.count_nonzero(told & bad_before & ~bad_now)),
        told=int(np.count_nonzero(told)),
    )


def _mostly(flags: Repeats) -> NDArray[np.bool_]:
    cases = np.repeat(np.arange(len(flags)), flags.counts)
    bad = np.bincount(cases, weights=flags.values, minlength=len(flags))
    mostly: NDArray[np.bool_] = 2.0 * bad > flags.counts
    return mostly


def mcnemar_rise_p(worse: int, better: int) -> float:
    """Give the one-sided exact McNemar p-value of a rise.

    `worse` counts the cases that went from fine to bad, `better` those from bad to fine; cases
    that stayed as they were say nothing. p = P(Bin(worse + better, 1/2) >= worse) (McNemar 1947),
    summed in whole numbers; 1.0 when no case changed. Raises ValueError for a negative count.
    """
    if worse < 0 or better < 0:
        raise ValueError(f"counts cannot be negative: worse={worse}, better={better}")
    changed = worse + better
    ways = total = 1
    for above in range(better):
        ways = ways * (changed - above) // (above + 1)
        total += ways
    return total / (1 << changed)
