"""Rules that others decide by, on the same simulated scores: does each call it a regression?

Each takes the scores of a baseline and of a run (targets x dimensions x cases x repeats) and fails
a run when it fails any target. An answer passes when it passes all checks. McNemar's test compares
cases by the majority of their answers and takes equally many answers of each side: with five
against one it would compare two different things.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import comb

import numpy as np
from noise import Scores
from numpy.typing import NDArray

from gate.stats.student import t_quantile

THRESHOLD = 0.05
"""Of system 1's rule and of the floor under the baseline's pass rate."""

PASS_MARK = 0.5
"""From here on an answer passes a check: half way between a good and a bad one."""

MAJORITY = 0.5
"""A case passes when more than this share of its answers does."""

ALPHA = 0.05
"""Two-sided level of the tests."""

_DUST = 1e-9


def mean_drop(base: Scores, new: Scores) -> bool:
    """Fail on a mean drop larger than 0.05 in any dimension: system 1's rule."""
    change = new.mean(axis=(2, 3)) - base.mean(axis=(2, 3))
    return bool((change < -THRESHOLD - _DUST).any())


def paired_t(base: Scores, new: Scores) -> bool:
    """Fail on a drop with a two-sided paired t test of p <= 0.05 in any dimension."""
    d = new.mean(axis=3) - base.mean(axis=3)
    cases = d.shape[2]
    se = d.std(axis=2, ddof=1) / np.sqrt(cases)
    return bool((d.mean(axis=2) < -t_quantile(1 - ALPHA / 2, cases - 1) * se - _DUST).any())


def mcnemar(base: Scores, new: Scores) -> bool:
    """Fail on an exact two-sided McNemar test of p <= 0.05; a case passes all checks or fails."""
    answers = min(base.shape[3], new.shape[3])
    before, now = (_passes(side)[..., :answers].mean(axis=2) > MAJORITY for side in (base, new))
    broken = (before & ~now).sum(axis=1).tolist()
    mended = (~before & now).sum(axis=1).tolist()
    return any(
        b > m and _binomial_tail(b + m, b) <= ALPHA / 2 for b, m in zip(broken, mended, strict=True)
    )


def pass_rate_floor(base: Scores, new: Scores) -> bool:
    """Fail when the share of answers that pass all checks is 5 points under the baseline's."""
    change = _passes(new).mean(axis=(1, 2)) - _passes(base).mean(axis=(1, 2))
    return bool((change < -THRESHOLD - _DUST).any())


RIVALS: Mapping[str, Callable[[Scores, Scores], bool]] = {
    "mean drop > 0.05": mean_drop,
    "paired t, p <= .05": paired_t,
    "McNemar on pass/fail": mcnemar,
    "pass-rate floor -5 points": pass_rate_floor,
}
"""Name in tables -> rule."""


def _passes(scores: Scores) -> NDArray[np.bool_]:
    """Tell of each target, case and answer whether it passes all checks."""
    return np.asarray((scores >= PASS_MARK).all(axis=1), dtype=np.bool_)


@lru_cache(maxsize=4_096)
def _binomial_tail(trials: int, at_least: int) -> float:
    """Give the chance of at least so many heads of a fair coin."""
    ways: int = sum(comb(trials, k) for k in range(at_least, trials + 1))
    return ways / 2**trials
