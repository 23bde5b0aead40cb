"""Did a score drop? Tests and intervals on paired differences, one a case.

A difference is the mean of a case's new repeats minus the mean of its baseline repeats: the case is
the unit, and repeats are averaged before anything else. Negative means worse. Numbers whose larger
values are worse are turned round by the caller. Cases are taken as independent: cases that share a
source or a template make these tests too sure.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gate.stats.checked import finite, share
from gate.stats.columns import Repeats
from gate.stats.design import Design
from gate.stats.run_labels import differences_of, paired_runs, run_label_p
from gate.stats.seeded import random_bytes, stream
from gate.stats.stratified import Estimate, stratified_mean
from gate.stats.student import normal_cdf, t_quantile, z_quantile

__all__ = [
    "PSEUDO_CASE",
    "DropTest",
    "Estimate",
    "Method",
    "SignFlip",
    "drop_p",
    "guarded_bound_of_moments",
    "guarded_lower_bound",
    "paired_differences",
    "run_label_p",
    "sign_flip_p",
    "stratified_mean",
    "t_interval",
    "t_quantile",
    "z_quantile",
]

Method = Literal["exact", "sampled", "normal", "none"]
"""How a sign-flip p came about: all flips, seeded flips, the normal limit, or nothing to flip."""

PSEUDO_CASE = -0.5
"""The difference of the one invented case that guards the pass rule, for scores on [0, 1]."""

EXACT_UP_TO = 16
"""All 2^k flips are counted up to so many non-zero differences."""

NORMAL_ABOVE = 2_000
"""Above so many non-zero differences the normal limit is used."""

_GRID = 1e9
"""Differences become whole numbers of 1e-9: equal sums then tie on every machine."""

_LARGEST_SUM = 2.0**60
"""The grid is made coarser when the sum of the sizes would come near the end of 64 bits."""

_FEWEST_FOR_SPREAD = 2
_BITS = 8
_FLIPS_AT_ONCE = 2_000
"""Bounds the memory of the sampled test."""


@dataclass(frozen=True)
class SignFlip:
    """The outcome of a sign-flip test."""

    p: float
    """One-sided p-value of a drop, in (0, 1]."""
    method: Method
    """How it was found."""
    nonzero: int
    """Differences that are not zero: the others say nothing either way."""


@dataclass(frozen=True)
class DropTest:
    """The outcome of the test for a drop that the gate uses."""

    p: float
    """One-sided p-value of a drop: the larger one when two tests were made."""
    method: Method
    """How the sign-flip p was found."""
    sign_flip_p: float
    """The sign-flip p-value."""
    run_label_p: float | None
    """The run-label p-value; None when every case has equal repeats on both sides."""


def sign_flip_p(
    d: Sequence[float] | NDArray[np.float64],
    *,
    weights: Sequence[float] | None = None,
    seed: str = "gate-v1",
    flips: int = 20_000,
) -> SignFlip:
    """Test H1: the (weighted) mean difference is below zero, by flipping signs.

    p = share of sign patterns whose sum is at most the one observed; exact up to 16 non-zero
    differences, else from seeded flips with one added to both counts, else (above 2,000) the normal
    limit. Exact under exchangeability of old and new in each case, which needs equal repeats.
    The result does not depend on the order of the differences. Only the ratios of `weights` matter.
    Raises ValueError for no differences, numbers that are not finite, or weights that are negative,
    all zero or of another number.
    """
    units = _whole(finite(d, "differences"), weights)
    count = len(units)
    if count == 0:
        return SignFlip(1.0, "none", 0)
    if count > NORMAL_ABOVE:
        steps = units.astype(np.float64)
        p = normal_cdf(math.fsum(steps.tolist()) / math.sqrt(math.fsum((steps**2).tolist())))
        return SignFlip(max(p, sys.float_info.min), "normal", count)
    # Rounding moved each difference by half a unit at most: sums this close are ties.
    limit = int(units.sum()) + count
    sums = _SignedSums(units)
    if count <= EXACT_UP_TO:
        patterns = np.arange(1 << count, dtype="<u2").view(np.uint8).reshape(-1, 2)
        hits = int(np.count_nonzero(sums.of(patterns[:, : sums.groups]) <= limit))
        return SignFlip(hits / (1 << count), "exact", count)
    source = stream(seed, "sign-flip")
    hits = 0
    for start in range(0, flips, _FLIPS_AT_ONCE):
        drawn = random_bytes(source, min(_FLIPS_AT_ONCE, flips - start), sums.groups)
        hits += int(np.count_nonzero(sums.of(drawn) <= limit))
    return SignFlip((1 + hits) / (1 + flips), "sampled", count)


def _whole(d: NDArray[np.float64], weights: Sequence[float] | None) -> NDArray[np.int64]:
    """Put the (weighted) differences on the grid, leave out zeros, and sort."""
    if len(d) == 0:
        raise ValueError("a test needs at least one difference")
    if weights is not None:
        w = finite(weights, "weights")
        if len(w) != len(d) or w.min() < 0.0 or w.sum() == 0.0:
            raise ValueError(f"need {len(d)} weights, none negative and not all zero")
        d = d * (w / w.mean())
    size = max(float(np.abs(d).sum()), 1.0)
    units = np.rint(d * min(_GRID, _LARGEST_SUM / size)).astype(np.int64)
    return np.sort(units[units != 0])


class _SignedSums:
    """Sums of whole numbers under many sign patterns, eight signs at a look-up."""

    def __init__(self, units: NDArray[np.int64]) -> None:
        """Tabulate, for each group of eight numbers, the sum under each of the 256 patterns."""
        self.groups = -(-len(units) // _BITS)
        padded = np.zeros(self.groups * _BITS, dtype=np.int64)
        padded[: len(units)] = units
        codes = np.arange(1 << _BITS, dtype=np.uint8)
        signs = 1 - 2 * np.unpackbits(codes[:, None], axis=1, bitorder="little").astype(np.int64)
        self._table = padded.reshape(self.groups, _BITS) @ signs.T

    def of(self, patterns: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Give the sum under each row of patterns; a set bit is a flipped sign."""
        sums: NDArray[np.int64] = self._table[np.arange(self.groups), patterns].sum(axis=1)
        return sums


def paired_differences(
    new: Sequence[Sequence[float]] | Repeats,
    base: Sequence[Sequence[float]] | Repeats,
) -> list[float]:
    """Give each case's mean over new repeats minus its mean over baseline repeats.

    Raises ValueError as `run_label_p` does.
    """
    differences: list[float] = differences_of(*paired_runs(new, base)).tolist()
    return differences


def drop_p(
    new: Sequence[Sequence[float]] | Repeats,
    base: Sequence[Sequence[float]] | Repeats,
    *,
    design: Design | None = None,
    seed: str = "gate-v1",
) -> DropTest:
    """Test for a drop of the mean over cases, given each case's repeats on both sides.

    With equal repeats in every case it is the sign-flip test, otherwise the larger of its p and the
    run-label p: the first is too sure when the baseline has fewer repeats, the second when cases
    move up and down with zero mean. Under a `design`, cases count by their weights and clusters are
    flipped as wholes; run labels are shuffled case by case all the same, so only the first test
    knows of clusters. Raises ValueError as `run_label_p` does.
    """
    fresh, known = paired_runs(new, base)
    counting = design or Design()
    flip = sign_flip_p(counting.sums(differences_of(fresh, known)), seed=seed)
    if (fresh.counts == known.counts).all():
        return DropTest(flip.p, flip.method, flip.p, None)
    label_p = run_label_p(fresh, known, weights=counting.weights, seed=seed)
    return DropTest(max(flip.p, label_p), flip.method, flip.p, label_p)


def t_interval(
    d: Sequence[float] | NDArray[np.float64],
    confidence: float = 0.90,
) -> tuple[float | None, float | None]:
    """Give the two-sided paired t interval of the mean difference; (None, None) below two cases.

    At 90% its ends match one-sided tests at 5%. Raises ValueError for numbers that are not finite.
    """
    array = finite(d, "differences")
    quantile = 0.5 + share(confidence, "confidence") / 2.0
    n = len(array)
    if n < _FEWEST_FOR_SPREAD:
        return None, None
    mean = math.fsum(array.tolist()) / n
    se = math.sqrt(math.fsum(((array - mean) ** 2).tolist()) / (n - 1) / n)
    half = t_quantile(quantile, n - 1) * se
    return mean - half, mean + half


def guarded_lower_bound(
    d: Sequence[float] | NDArray[np.float64],
    pseudo: float = PSEUDO_CASE,
    confidence: float = 0.95,
) -> float | None:
    """Give the one-sided lower t bound of the differences with one extra case of `pseudo`.

    The extra case stands for the rare hard failure that a small sample has not met: without it, a
    quiet sample would prove too much. None when there is no difference.
    Raises ValueError for numbers that are not finite.
    """
    array = finite(d, "differences")
    n = len(array)
    if n == 0:
        return None
    mean = math.fsum(array.tolist()) / n
    squares = math.fsum(((array - mean) ** 2).tolist())
    sd = math.sqrt(squares / (n - 1)) if n > 1 else 0.0
    return guarded_bound_of_moments(mean, sd, n, pseudo, confidence)


def guarded_bound_of_moments(
    mean: float,
    sd: float,
    n: int,
    pseudo: float = PSEUDO_CASE,
    confidence: float = 0.95,
    df: float | None = None,
) -> float:
    """Give the guarded bound of n >= 1 differences of which only mean and sample sd are known.

    Of a weighted mean `sd` is its standard error times the root of n, and `df` are the degrees of
    freedom of that error together with the one of the extra case; they are n where all count alike.
    """
    share(confidence, "confidence")
    squares = (n - 1) * sd**2 + n / (n + 1) * (mean - pseudo) ** 2
    se = math.sqrt(squares / n / (n + 1))
    return (n * mean + pseudo) / (n + 1) - t_quantile(confidence, df or n) * se
