"""Agreement beside kappa: AC1, PABAK and alpha. Shown to explain a kappa, never to replace it.

AC1 and PABAK stay high for a judge that always gives the common label, so they cannot license one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gate.stats.tables import (
    Weights,
    agreement_weights,
    percent_agreement,
    places,
    square,
)

Metric = Literal["nominal", "ordinal", "interval"]
"""How far apart two categories are for alpha: all alike, by ranks, or by place."""

_FEWEST_LABELS = 2
"""An item needs two labels to show whether raters agree."""


def gwet_ac1(table: ArrayLike, weights: Weights = "none") -> float:
    """Give Gwet's AC1, or AC2 where weights are given (Gwet 2008; 2014, chapter 4).

    Chance agreement is T_w / (q (q - 1)) sum pi_k (1 - pi_k), with pi_k the mean of both raters'
    shares of category k and T_w the sum of the weights. It is always below 1, so AC is defined for
    constant raters too.
    """
    cells = square(table)
    size = len(cells)
    w = agreement_weights(size, weights)
    shares = cells / cells.sum()
    common = (shares.sum(axis=0) + shares.sum(axis=1)) / 2.0
    chance = float(w.sum() / (size * (size - 1)) * (common * (1.0 - common)).sum())
    return (float((w * shares).sum()) - chance) / (1.0 - chance)


def pabak(table: ArrayLike) -> float:
    """Give the prevalence- and bias-adjusted kappa, (q po - 1) / (q - 1) (Byrt et al. 1993)."""
    size = len(square(table))
    return (size * percent_agreement(table) - 1.0) / (size - 1.0)


def krippendorff_alpha(table: ArrayLike, metric: Metric = "nominal") -> float | None:
    """Give Krippendorff's alpha of two raters from their table; None where nothing varies."""
    cells = square(table)
    return _alpha(cells + cells.T, metric)


def krippendorff_alpha_of_ratings(
    ratings: Sequence[Sequence[str | None]],
    categories: Sequence[str],
    metric: Metric = "nominal",
) -> float | None:
    """Give Krippendorff's alpha of any number of raters, some of whom skipped items.

    `ratings` holds one row an item with one entry a rater, None where there is no label; items with
    fewer than two labels say nothing. `categories` are in order. None where no item has two labels
    or where all labels are the same. Raises ValueError for a label outside `categories`, and as
    `contingency` does for the categories themselves.
    """
    place = places(categories)
    pairs = np.zeros((len(place), len(place)))
    for item in ratings:
        labels = [label for label in item if label is not None]
        if not place.keys() >= set(labels):
            raise ValueError(f"labels outside the categories {list(categories)}: {labels}")
        if len(labels) >= _FEWEST_LABELS:
            counts = np.bincount([place[label] for label in labels], minlength=len(place))
            pairs += (np.outer(counts, counts) - np.diag(counts)) / (len(labels) - 1)
    return _alpha(pairs, metric)


def _alpha(pairs: NDArray[np.float64], metric: Metric) -> float | None:
    """Give 1 - Do/De of a coincidence matrix (Krippendorff 2011, Computing alpha-reliability)."""
    totals = pairs.sum(axis=0)
    apart = _squared_distances(totals, metric)
    expected = float((np.outer(totals, totals) * apart).sum())
    if expected == 0.0:
        return None
    return 1.0 - float((totals.sum() - 1.0) * (pairs * apart).sum()) / expected


def _squared_distances(totals: NDArray[np.float64], metric: Metric) -> NDArray[np.float64]:
    """Give the squared distance of each pair of categories under a metric."""
    places = np.arange(len(totals), dtype=np.float64)
    if metric == "nominal":
        return 1.0 - np.eye(len(totals))
    # Ordinal distance counts the labels from one category to the other, half of each end.
    at = places if metric == "interval" else np.cumsum(totals) - totals / 2.0
    squared: NDArray[np.float64] = (at[:, None] - at[None, :]) ** 2
    return squared
