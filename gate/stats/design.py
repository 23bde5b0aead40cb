"""How cases count together: by the size of their category, and as wholes where they hang together.

In a sample that holds another share of a category than the dataset, each case counts for as many as
it stands for. Cases that share a source or a template rise and fall together: a cluster of them is
one observation, flipped as a whole, and the error of the mean is counted over clusters.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gate.stats.stratified import Estimate, stratified_mean
from gate.stats.student import t_quantile

Deltas = NDArray[np.float64]
"""Differences, one a case."""


@dataclass(frozen=True, eq=False)
class Design:
    """What is known of some cases besides their scores, case by case in their order."""

    strata: Sequence[str] | None = None
    """The stratum of each; None where each counts as one."""
    sizes: Mapping[str, float] = field(default_factory=dict)
    """Stratum -> cases of the whole dataset in it, above 0."""
    clusters: Sequence[str] | None = None
    """The cluster of each; None where each is a cluster of its own."""

    @property
    def plain(self) -> bool:
        """Whether every case counts as one, by itself."""
        return self.strata is None and self.clusters is None

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """What each case counts for, 1 on average; None where all count alike.

        w = W_h / n_h, with W_h the stratum's share of those that are there.
        """
        if self.strata is None:
            return None
        there = Counter(self.strata)
        total = math.fsum(self.sizes[name] for name in sorted(there))
        n = len(self.strata)
        of = {name: n * self.sizes[name] / total / count for name, count in there.items()}
        return np.array([of[name] for name in self.strata], dtype=np.float64)

    @property
    def units(self) -> int | None:
        """How many clusters there are; None where each case is one."""
        return None if self.clusters is None else len(set(self.clusters))

    def mean(self, values: NDArray[np.float64]) -> float:
        """Average values of the cases, each by what it counts for; sums are exact."""
        weights = self.weights
        weighted = values if weights is None else values * weights
        return math.fsum(weighted.tolist()) / len(values)

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add up values by cluster, each by what its case counts for: one number a cluster."""
        weights = self.weights
        weighted = values if weights is None else values * weights
        if self.clusters is None:
            return weighted
        parts: dict[str, list[float]] = defaultdict(list)
        for cluster, value in zip(self.clusters, weighted.tolist(), strict=True):
            parts[cluster].append(value)
        return np.array([math.fsum(parts[name]) for name in sorted(parts)], dtype=np.float64)


def estimate(d: NDArray[np.float64], design: Design, *, confidence: float = 0.90) -> Estimate:
    """Estimate the mean difference over the dataset, with a two-sided t interval.

    Without clusters it is the stratified mean (`stratified_mean`). With clusters the squared error
    is the sum over clusters of the squared sums of their weighted residuals over n^2, times
    G / (G - H), with df = G - H: G clusters, H strata, 1 where there are none (cluster-robust,
    Miller 2024 for H = 1; residuals are taken from the mean of the stratum). By hand: differences
    0, 0 and -0.3, -0.3 in two clusters have mean -0.15, residual sums 0.3 and -0.3, and
    se^2 = 2 (0.09 + 0.09) / 16 = 0.0225, where cases taken as independent would give 0.0075.
    None for error and ends where there are not more clusters than strata. Raises ValueError as
    `stratified_mean` does.
    """
    strata = design.strata or [""] * len(d)
    groups: dict[str, list[float]] = defaultdict(list)
    for name, value in zip(strata, d.tolist(), strict=True):
        groups[name].append(value)
    sizes = design.sizes if design.strata is not None else {"": 1.0}
    if design.clusters is None:
        return stratified_mean(groups, sizes, confidence=confidence)
    mean = design.mean(d)
    centres = {name: math.fsum(values) / len(values) for name, values in groups.items()}
    residuals = d - np.array([centres[name] for name in strata], dtype=np.float64)
    sums = design.sums(residuals)
    df = len(sums) - len(groups)
    if df < 1:
        return Estimate(mean, None, None, None, None)
    squares = math.fsum((sums**2).tolist()) / len(d) ** 2
    se = math.sqrt(squares * len(sums) / df)
    half = t_quantile(0.5 + confidence / 2.0, float(df)) * se
    return Estimate(mean, se, float(df), mean - half, mean + half)
