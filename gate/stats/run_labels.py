"""Shuffling run labels inside each case: a test that stays exact when repeats are unequal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gate.stats.checked import finite
from gate.stats.columns import Repeats
from gate.stats.seeded import stream, uniforms
from gate.stats.student import normal_cdf

NORMAL_ABOVE_CASES = 2_000
"""With more moving cases than this the normal limit replaces the shuffles."""

_LISTED_SUBSETS = 1_000
"""Up to so many ways to pick the new runs they are listed; above, picks are drawn by sorting."""

_TOLERANCE = 1e-12
"""Two means closer than this, relative to the size of the scores, are a tie."""


def run_label_p(
    new: Sequence[Sequence[float]] | Repeats,
    base: Sequence[Sequence[float]] | Repeats,
    *,
    weights: NDArray[np.float64] | None = None,
    seed: str = "gate-v1",
    shuffles: int = 10_000,
) -> float:
    """Give the one-sided p-value of a drop when the labels new and base are shuffled in each case.

    `new[i]` and `base[i]` are the repeats of case i. For each case the runs are pooled and a random
    subset of the same size is called new; p = (1 + #{mean* <= mean}) / (1 + shuffles). It is exact
    for any numbers of repeats when nothing changed in any case. Above 2,000 cases whose runs
    differ, the normal limit with the permutation variance is used. 1.0 when no case's runs differ.
    `weights` are what each case counts for, 1 on average; None is 1 for each.
    The result does not depend on the order of cases or repeats.
    Raises ValueError for no case, unequal numbers of cases, or a case without a run on one side.
    """
    fresh, known = paired_runs(new, base)
    # Added up case by case, as a running sum does.
    counts_for = np.ones(len(fresh)) if weights is None else weights
    observed = float(np.cumsum(differences_of(fresh, known) * counts_for)[-1])
    differ = _differing(fresh, known)
    count = int(np.count_nonzero(differ))
    if count == 0:
        return 1.0
    fresh, known = fresh.take(differ), known.take(differ)
    counts_for = counts_for[differ]
    sizes = np.abs(np.concatenate([fresh.values, known.values]))
    slack = _TOLERANCE * math.fsum(sizes.tolist()) * float(counts_for.max())
    if count > NORMAL_ABOVE_CASES:
        variances = _variances(fresh, known) * counts_for**2
        spread = math.sqrt(math.fsum(variances.tolist()))
        return normal_cdf((observed + slack) / spread)
    pools = sorted(
        (tuple(sorted((*one, *other))), len(one), weight)
        for one, other, weight in zip(
            fresh.lists(), known.lists(), counts_for.tolist(), strict=True
        )
    )
    source = stream(seed, "run-label")
    shuffled = np.zeros(shuffles)
    for pool, taken, weight in pools:
        shuffled += weight * _shuffled_differences(np.array(pool), taken, shuffles, source)
    return float(1 + np.count_nonzero(shuffled <= observed + slack)) / (1 + shuffles)


def paired_runs(
    new: Sequence[Sequence[float]] | Repeats,
    base: Sequence[Sequence[float]] | Repeats,
) -> tuple[Repeats, Repeats]:
    """Give the repeats of all cases on both sides, checked.

    Raises ValueError for no case, unequal numbers of cases, a case without a run on one side, or
    a score that is not finite.
    """
    if not len(new) or len(new) != len(base):
        raise ValueError(
            f"need the same cases on both sides, at least one: {len(new)} new, {len(base)} base"
        )
    fresh, known = _column(new, "new scores"), _column(base, "baseline scores")
    if not (fresh.counts.all() and known.counts.all()):
        raise ValueError("every case needs a score on both sides; leave out the cases without one")
    return fresh, known


def _column(side: Sequence[Sequence[float]] | Repeats, what: str) -> Repeats:
    if isinstance(side, Repeats):
        return side
    for scores in side:
        finite(scores, what)
    return Repeats.of(side)


def differences_of(new: Repeats, base: Repeats) -> NDArray[np.float64]:
    """Give each case's mean over new repeats minus its mean over baseline repeats."""
    differences: NDArray[np.float64] = new.averages() - base.averages()
    return differences


def _differing(new: Repeats, base: Repeats) -> NDArray[np.bool_]:
    """Tell which cases have two runs that differ."""
    ends = [
        (
            np.minimum.reduceat(side.values, side.starts),
            np.maximum.reduceat(side.values, side.starts),
        )
        for side in (new, base)
    ]
    differ: NDArray[np.bool_] = np.minimum(ends[0][0], ends[1][0]) < np.maximum(
        ends[0][1], ends[1][1]
    )
    return differ


@lru_cache(maxsize=64)
def _subsets(size: int, taken: int) -> NDArray[np.intp]:
    """List every way to take `taken` of `size` runs."""
    return np.array(list(itertools.combinations(range(size), taken)), dtype=np.intp)


def _shuffled_differences(
    pool: NDArray[np.float64],
    taken: int,
    shuffles: int,
    source: np.random.PCG64,
) -> NDArray[np.float64]:
    """Draw one case's new-minus-base difference under shuffled labels, once a shuffle."""
    size = len(pool)
    if math.comb(size, taken) <= _LISTED_SUBSETS:
        ways = pool[_subsets(size, taken)].sum(axis=1)
        sums = ways[(uniforms(source, shuffles) * len(ways)).astype(np.intp)]
    else:
        keys = uniforms(source, shuffles * size).reshape(shuffles, size)
        sums = pool[np.argsort(keys, axis=1)[:, :taken]].sum(axis=1)
    left = size - taken
    differences: NDArray[np.float64] = sums * (1.0 / taken + 1.0 / left) - pool.sum() / left
    return differences


def _variances(new: Repeats, base: Repeats) -> NDArray[np.float64]:
    """Give the variance of each case's shuffled difference (sampling without replacement)."""
    size = new.counts + base.counts
    mean = (_sums(new, new.values) + _sums(base, base.values)) / size
    squares = np.zeros(len(size))
    for side in (new, base):
        squares += _sums(side, (side.values - np.repeat(mean, side.counts)) ** 2)
    variances: NDArray[np.float64] = squares / (size - 1) * (1.0 / new.counts + 1.0 / base.counts)
    return variances


def _sums(side: Repeats, values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = np.add.reduceat(values, side.starts)
    return sums
