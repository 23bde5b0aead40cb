"""Cases that turned from always right to always wrong: a test that uses every repeat.

To the mean test a case that was right five times and is now wrong three times is one difference
among many. But under no change every answer of a case is as likely to be a new one as any other,
and then all of the wrong ones are new in 1 of 56 such cases only.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gate.stats.columns import Repeats
from gate.stats.run_labels import paired_runs

__all__ = ["GAP", "MIDDLE", "Turned", "turned_cases", "turned_in_columns"]

Column = tuple[Sequence[float], Sequence[int]]
"""The scores of all cases end to end, and where those of each end."""

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
    new: Sequence[Sequence[float]] | Repeats,
    base: Sequence[Sequence[float]] | Repeats,
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
    ValueError as `run_label_p` does.
    """
    fresh, known = paired_runs(new, base)
    wrong_new, wrong_base = (_wrong(side, middle) for side in (fresh, known))
    able = (wrong_new + wrong_base == fresh.counts) & _parted(fresh, known, fresh.counts, gap)
    mended = (wrong_new == 0) & (wrong_base == known.counts)
    mended &= _parted(fresh, known, known.counts, gap)
    broken: list[int] = np.flatnonzero(able & (wrong_new == fresh.counts)).tolist()
    sizes = zip(fresh.counts[able].tolist(), known.counts[able].tolist(), strict=True)
    chances = sorted(1.0 / math.comb(ours + theirs, ours) for ours, theirs in sizes)
    back = int(np.count_nonzero(mended))
    both_ways = len(broken) < BROKEN_FOR_EACH_MENDED * back
    p = 1.0 if both_ways else _at_least(len(broken), chances)
    return Turned(p, tuple(broken), back, len(chances))


def turned_in_columns(
    new: Column, base: Column, *, fewest: int, middle: float
) -> tuple[int, Turned]:
    """Do the same for cases end to end, with at least `fewest` scores on both sides.

    Gives how many cases have so many, and what turned among them; places are those of all cases.
    """
    fresh, known = (
        Repeats(np.asarray(values, dtype=np.float64), np.diff(np.asarray(ends), prepend=0))
        for values, ends in (new, base)
    )
    ready = np.minimum(fresh.counts, known.counts) >= fewest
    places: list[int] = np.flatnonzero(ready).tolist()
    if not places:
        return 0, Turned(1.0, (), 0, 0)
    found = turned_cases(fresh.take(ready), known.take(ready), middle=middle)
    return len(places), replace(found, broken=tuple(places[place] for place in found.broken))


def _wrong(side: Repeats, middle: float) -> NDArray[np.int64]:
    """Count the wrong answers of each case."""
    counts: NDArray[np.int64] = np.add.reduceat(
        (side.values < middle).astype(np.int64), side.starts
    )
    return counts


def _parted(new: Repeats, base: Repeats, wrong: NDArray[np.int64], gap: float) -> NDArray[np.bool_]:
    """Tell of each case whether its answers fall into so many low ones and, far above, the rest."""
    cases = np.concatenate([np.repeat(np.arange(len(side)), side.counts) for side in (new, base)])
    values = np.concatenate([new.values, base.values])
    pooled = values[np.lexsort((values, cases))]
    first_right = np.cumsum(new.counts + base.counts) - (new.counts + base.counts) + wrong
    apart: NDArray[np.bool_] = pooled[first_right] - pooled[first_right - 1] >= gap - _DUST
    return apart


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
