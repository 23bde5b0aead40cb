"""Shuffling run labels inside each case: a test that stays exact when repeats are unequal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gate.stats.checked import finite
from gate.stats.seeded import stream, uniforms
from gate.stats.student import normal_cdf

NORMAL_ABOVE_CASES = 2_000
"""With more moving cases than this the normal limit replaces the shuffles."""

_LISTED_SUBSETS = 1_000
"""Up to so many ways to pick the new runs they are listed; above, picks are drawn by sorting."""

_TOLERANCE = 1e-12
"""Two means closer than this, relative to the size of the scores, are a tie."""


def run_label_p(
    new: Sequence[Sequence[float]],
    base: Sequence[Sequence[float]],
    *,
    seed: str = "gate-v1",
    shuffles: int = 10_000,
) -> float:
    """Give the one-sided p-value of a drop when the labels new and base are shuffled in each case.

    `new[i]` and `base[i]` are the repeats of case i. For each case the runs are pooled and a random
    subset of the same size is called new; p = (1 + #{mean* <= mean}) / (1 + shuffles). It is exact
    for any numbers of repeats when nothing changed in any case. Above 2,000 cases whose runs
    differ, the normal limit with the permutation variance is used. 1.0 when no case's runs differ.
    The result does not depend on the order of cases or repeats.
    Raises ValueError for no case, unequal numbers of cases, or a case without a run on one side.
    """
    observed = 0.0
    pools: list[tuple[tuple[float, ...], int]] = []
    for fresh, known in paired_runs(new, base):
        observed += math.fsum(fresh) / len(fresh) - math.fsum(known) / len(known)
        pool = tuple(sorted((*fresh, *known)))
        if pool[0] < pool[-1]:
            pools.append((pool, len(fresh)))
    if not pools:
        return 1.0
    pools.sort()
    slack = _TOLERANCE * math.fsum(abs(score) for pool, _ in pools for score in pool)
    if len(pools) > NORMAL_ABOVE_CASES:
        spread = math.sqrt(math.fsum(_variance(pool, taken) for pool, taken in pools))
        return normal_cdf((observed + slack) / spread)
    source = stream(seed, "run-label")
    shuffled = np.zeros(shuffles)
    for pool, taken in pools:
        shuffled += _shuffled_differences(np.array(pool), taken, shuffles, source)
    return float(1 + np.count_nonzero(shuffled <= observed + slack)) / (1 + shuffles)


def paired_runs(
    new: Sequence[Sequence[float]],
    base: Sequence[Sequence[float]],
) -> list[tuple[list[float], list[float]]]:
    """Give each case's repeats on both sides, checked.

    Raises ValueError for no case, unequal numbers of cases, a case without a run on one side, or
    a score that is not finite.
    """
    if not new or len(new) != len(base):
        raise ValueError(
            f"need the same cases on both sides, at least one: {len(new)} new, {len(base)} base"
        )
    if not all(new) or not all(base):
        raise ValueError("every case needs a score on both sides; leave out the cases without one")
    return [
        (finite(fresh, "new scores").tolist(), finite(known, "baseline scores").tolist())
        for fresh, known in zip(new, base, strict=True)
    ]


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


def _variance(pool: tuple[float, ...], taken: int) -> float:
    """Give the variance of one case's shuffled difference (sampling without replacement)."""
    size = len(pool)
    mean = math.fsum(pool) / size
    spread = math.fsum((score - mean) ** 2 for score in pool) / (size - 1)
    return spread * (1.0 / taken + 1.0 / (size - taken))
