"""Does the judge agree with people? Cohen's kappa with its uncertainty, and what stands beside it.

Kappa compares agreement with what two raters with the same habits would reach by chance. It says
nothing about how the labels came about: labels of only the flagged cases, or labels drafted by the
judge itself, give a kappa that means little.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gate.stats.checked import share
from gate.stats.coefficients import (
    Metric,
    gwet_ac1,
    krippendorff_alpha,
    krippendorff_alpha_of_ratings,
    pabak,
)
from gate.stats.seeded import stream, uniforms
from gate.stats.student import z_quantile
from gate.stats.tables import (
    Bucket,
    Weights,
    agreement_weights,
    bucket,
    contingency,
    off_modal,
    percent_agreement,
    square,
)

__all__ = [
    "Bucket",
    "Kappa",
    "Metric",
    "Weights",
    "bootstrap_kappa",
    "bucket",
    "cohen_kappa",
    "contingency",
    "gwet_ac1",
    "kappas_of",
    "krippendorff_alpha",
    "krippendorff_alpha_of_ratings",
    "off_modal",
    "pabak",
    "percent_agreement",
    "smoothed_kappa",
]

_NO_VARIETY = 1e-12
"""Chance agreement this near to 1 is 1: both raters gave one and the same label throughout."""

_NO_SPREAD = 1e-14
"""A variance this small is zero but for float noise."""

_RESAMPLES_AT_ONCE = 1_000_000
"""Bounds the memory of the bootstrap: labels drawn at a time."""


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa and how sure it is; None where it is undefined (both raters constant)."""

    value: float | None
    """Kappa, in [-1, 1]."""
    se: float | None
    """Its large-sample standard error (Fleiss, Cohen and Everitt 1969), or the cluster-robust one
    of `clustered_kappa`; 0 when degenerate."""
    low: float | None
    """Lower end of the two-sided interval, clipped to [-1, 1]."""
    high: float | None
    """Upper end of the two-sided interval, clipped to [-1, 1]."""
    lower_one_sided: float | None
    """One-sided lower bound, at least -1; that of the smoothed table when `se` is 0."""
    n: int
    """Labelled items."""
    observed: float
    """Observed agreement (weighted, where weights were given), in [0, 1]."""
    expected: float
    """Agreement expected by chance, in [0, 1]."""


def cohen_kappa(table: ArrayLike, weights: Weights = "none", confidence: float = 0.95) -> Kappa:
    """Give Cohen's kappa of a q x q table of counts (rows human, columns judge).

    With se 0 (perfect agreement, or one constant rater) the one-sided bound is taken from the table
    smoothed by 1/q^2 a cell, since a handful of equal labels proves little. Raises ValueError for a
    table that is not square, is empty or has a negative cell.
    """
    cells = square(table)
    n = round(float(cells.sum()))
    return _kappa(cells, n, weights, confidence)


def smoothed_kappa(table: ArrayLike, weights: Weights = "none", confidence: float = 0.95) -> Kappa:
    """Give Cohen's kappa after adding 1/q^2 to each cell: always defined, drawn towards zero.

    The standard error counts the one label so added; `n` does not. Raises as `cohen_kappa` does.
    """
    cells = square(table)
    n = round(float(cells.sum()))
    return _kappa(cells + 1.0 / cells.size, n, weights, confidence)


def _kappa(cells: NDArray[np.float64], n: int, weights: Weights, confidence: float) -> Kappa:
    """Give kappa of a checked table that may have been smoothed."""
    two_sided = z_quantile(0.5 + share(confidence, "confidence") / 2.0)
    w = agreement_weights(len(cells), weights)
    shares = cells / cells.sum()
    rows, columns = shares.sum(axis=1), shares.sum(axis=0)
    observed = float((w * shares).sum())
    by_chance = rows[:, None] * w * columns[None, :]  # no matrix product: its digits vary by CPU
    expected = float(by_chance.sum())
    if 1.0 - expected < _NO_VARIETY:
        return Kappa(None, None, None, None, None, n, observed, expected)
    value = (observed - expected) / (1.0 - expected)
    by_row, by_column = (w * columns[None, :]).sum(axis=1), (rows[:, None] * w).sum(axis=0)
    spread = w - (by_row[:, None] + by_column[None, :]) * (1.0 - value)
    centre = value - expected * (1.0 - value)
    variance = float((shares * spread**2).sum()) - centre**2
    se = 0.0
    if variance > _NO_SPREAD:
        se = float(np.sqrt(variance / cells.sum())) / (1.0 - expected)
        bound: float | None = max(-1.0, value - z_quantile(confidence) * se)
    else:
        smooth = _kappa(cells + 1.0 / cells.size, n, weights, confidence)
        bound = smooth.lower_one_sided
    low, high = max(-1.0, value - two_sided * se), min(1.0, value + two_sided * se)
    return Kappa(value, se, low, high, bound, n, observed, expected)


def bootstrap_kappa(
    table: ArrayLike,
    seed: str = "gate-v1",
    resamples: int = 2_000,
    weights: Weights = "none",
    confidence: float = 0.95,
) -> tuple[float | None, float | None]:
    """Give the percentile bootstrap interval of kappa, resampling labelled items.

    Resamples on which kappa is undefined are left out; (None, None) when it is undefined on all of
    them. Raises ValueError when a cell is not a whole number, and as `cohen_kappa` does.
    """
    cells = square(table)
    if (cells != np.rint(cells)).any():
        raise ValueError("the bootstrap draws whole labels: give a table of whole counts")
    edge = share(confidence, "confidence")
    n, size = int(cells.sum()), len(cells)
    ends = np.cumsum(cells.ravel())
    source = stream(seed, "bootstrap-kappa")
    at_once = max(1, _RESAMPLES_AT_ONCE // n)
    values: list[NDArray[np.float64]] = []
    for start in range(0, resamples, at_once):
        rounds = min(at_once, resamples - start)
        labels = np.floor(uniforms(source, rounds * n) * n)
        drawn = np.searchsorted(ends, labels, side="right")
        numbered = drawn + np.repeat(np.arange(rounds) * cells.size, n)
        counts = np.bincount(numbered, minlength=rounds * cells.size)
        values.append(kappas_of(counts.reshape(rounds, size, size) / n, weights))
    kappas = np.concatenate(values)
    if len(kappas) == 0:
        return None, None
    low, high = np.quantile(kappas, [0.5 - edge / 2.0, 0.5 + edge / 2.0])
    return float(low), float(high)


def kappas_of(shares: NDArray[np.float64], weights: Weights) -> NDArray[np.float64]:
    """Give kappa of each of many tables of shares, leaving out those where it is undefined.

    `shares` has shape (tables, q, q), each table summing to 1.
    """
    w = agreement_weights(shares.shape[1], weights)
    observed = (w * shares).sum(axis=(1, 2))
    rows, columns = shares.sum(axis=2), shares.sum(axis=1)
    expected = (rows[:, :, None] * w * columns[:, None, :]).sum(axis=(1, 2))
    defined = 1.0 - expected >= _NO_VARIETY
    values: NDArray[np.float64] = (observed - expected)[defined] / (1.0 - expected)[defined]
    return values
