"""Cases that turned from always right to always wrong: a test that uses every repeat.

To the mean test a case that was right five times and is now wrong three times is one difference
among many. But under no change every answer of a case is as likely to be a new one as any other,
and then all of the wrong ones are new in 1 of 56 such cases only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gate.stats.checked import finite

__all__ = ["GAP", "MIDDLE", "Turned", "turned_cases"]

MIDDLE = 0.5
"""Below it an answer is wrong, from it on it is right, for scores on [0, 1]."""

GAP = 0.25
"""The worst right answer of a case is better than its best wrong one by so much at least: else a
judge's wavering about the middle would turn cases."""

BROKEN_FOR_EACH_MENDED = 5
"""So many cases break for each one that is mended, at least: where cases go both ways, answers to
these very cases have changed, and the mean has to say whether for the worse."""

_DUST = 1e-9


@dataclass(frozen=True)
class Turned:
    """What turned, and whether it is more than chance."""

    p: float
    """One-sided p: the chance of so many broken under shuffled labels; 1.0 where none broke, or
    too many were mended."""
    broken: tuple[int, ...]
    """Places of the cases right in every baseline answer and wrong in every new one."""
    mended: int
    """Cases wrong in every baseline answer and right in every new one."""
    able: int
    """Cases that some order of the labels would count: as many wrong answers as new ones."""


def turned_cases(
    new: Sequence[Sequence[float]],
    base: Sequence[Sequence[float]],
    *,
    middle: float = MIDDLE,
    gap: float = GAP,
) -> Turned:
    """Test whether more cases turned from always right to always wrong than chance would turn.

    `new[i]` and `base[i]` are the repeats of case i, signed so that higher is better. Given the
    answers of a case, its labels new and base are shuffled: a case with as many wrong answers as it
    has new ones turns with probability 1 / C(all, new), any other one never, and p is the chance of
    at least so many in all: exact, whatever the numbers of repeats. Where fewer than five broke for
    each that was mended, p is 1. Neither the order of cases nor that of repeats matters. Raises
    ValueError for unequal numbers of cases, a case without an answer on one side, or numbers that
    are not finite.
    """
    if len(new) != len(base):
        raise ValueError(f"need the same cases on both sides: {len(new)} new, {len(base)} base")
    broken: list[int] = []
    chances: list[float] = []
    mended = 0
    for place, (now, before) in enumerate(zip(new, base, strict=True)):
        if not (len(now) and len(before)):
            raise ValueError("every case needs a score on both sides; leave out the others")
        pool = sorted([*finite(now, "new scores"), *finite(before, "baseline scores")])
        if _parted(pool, len(now), middle, gap):
            chances.append(1.0 / math.comb(len(pool), len(now)))
            if max(now) < middle:
                broken.append(place)
        mended += max(before) < middle and _parted(pool, len(before), middle, gap)
    both_ways = len(broken) < BROKEN_FOR_EACH_MENDED * mended
    p = 1.0 if both_ways else _at_least(len(broken), sorted(chances))
    return Turned(p, tuple(broken), mended, len(chances))


def _parted(pool: Sequence[float], wrong: int, middle: float, gap: float) -> bool:
    """Tell whether so many of the sorted answers are wrong, and the others right and far above."""
    best_wrong, worst_right = pool[wrong - 1], pool[wrong]
    return best_wrong < middle <= worst_right and worst_right - best_wrong >= gap - _DUST


def _at_least(count: int, chances: Sequence[float]) -> float:
    """Give the chance that at least `count` of independent events happen."""
    if count == 0:
        return 1.0
    # The last place gathers everything from `count` on: sums of positive numbers keep their digits.
    found = np.zeros(count + 1)
    found[0] = 1.0
    for chance in chances:
        up = found[:-1] * chance
        found[:-1] *= 1.0 - chance
        found[1:] += up
    return min(1.0, float(found[-1]))
