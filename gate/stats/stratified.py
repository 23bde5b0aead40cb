"""A weighted mean over categories, with an interval that knows how few cases each one has."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.stats.checked import finite
from gate.stats.student import t_quantile

SMALL_STRATUM = 5
"""Categories with fewer cases share one estimate of the variance."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its uncertainty; the last four are None where one case a category is all."""

    mean: float
    """The weighted mean, in score units."""
    se: float | None
    """Its standard error, in score units."""
    df: float | None
    """Degrees of freedom of the standard error (Satterthwaite)."""
    low: float | None
    """Lower end of the two-sided t interval."""
    high: float | None
    """Upper end of the two-sided t interval."""


def stratified_mean(
    groups: Mapping[str, Sequence[float]],
    weights: Mapping[str, float],
    *,
    confidence: float = 0.90,
) -> Estimate:
    """Estimate the mean over all categories from a sample of each.

    `groups` holds the sampled differences by category, `weights` a positive weight for each of
    these (the numbers of cases in the whole dataset, usually); weights are scaled to sum to 1 over
    the groups given. mean = sum W_h dbar_h; variance = sum W_h^2 s_h^2 / n_h without a finite
    correction: the dataset itself is taken as a sample. Categories below five cases share the
    variance pooled over them (over all categories, when they have one case each), and
    df = (sum g)^2 / sum(g^2 / df_g), the pooled categories being one term (Satterthwaite 1946).
    Raises ValueError for no group, an empty group, or a weight that is missing or not positive.
    """
    if not groups or not all(groups.values()):
        raise ValueError(
            "need at least one category, and at least one case in each; leave out empty ones"
        )
    if not all(weights.get(name, 0.0) > 0.0 for name in groups):
        raise ValueError(f"give a positive weight for each of the categories {sorted(groups)}")
    total = math.fsum(weights[name] for name in groups)
    strata = [_stratum(values, weights[name] / total) for name, values in sorted(groups.items())]
    mean = math.fsum(s.share * s.mean for s in strata)
    own = [s for s in strata if s.n >= SMALL_STRATUM]
    shared = [s for s in strata if s.n < SMALL_STRATUM]
    if all(s.n == 1 for s in shared):
        own, shared = ([], strata) if shared else (own, [])
    terms = [s.term for s in own]
    if shared:
        df_shared = sum(s.n - 1 for s in shared)
        if df_shared == 0:
            return Estimate(mean, None, None, None, None)
        variance = math.fsum(s.squares for s in shared) / df_shared
        terms.append((variance * math.fsum(s.share**2 / s.n for s in shared), df_shared))
    squared_se = math.fsum(g for g, _ in terms)
    below = math.fsum(g * g / df for g, df in terms)
    # No spread anywhere: the interval is a point, and any degrees of freedom say so.
    df = squared_se**2 / below if below > 0.0 else float(sum(df for _, df in terms))
    se = math.sqrt(squared_se)
    half = t_quantile(0.5 + confidence / 2.0, df) * se
    return Estimate(mean, se, df, mean - half, mean + half)


@dataclass(frozen=True)
class _Stratum:
    """One category's sample."""

    share: float
    n: int
    mean: float
    squares: float

    @property
    def term(self) -> tuple[float, int]:
        """Its part of the squared standard error, and the degrees of freedom of that part."""
        return self.share**2 * self.squares / (self.n - 1) / self.n, self.n - 1


def _stratum(values: Sequence[float], weight: float) -> _Stratum:
    """Sum up one category."""
    array = finite(values, "differences")
    mean = math.fsum(array) / len(array)
    return _Stratum(weight, len(array), mean, math.fsum((array - mean) ** 2))
