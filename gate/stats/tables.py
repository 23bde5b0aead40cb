"""Labels of two raters as a square table: rows are the people, columns the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Weights = Literal["none", "linear", "quadratic"]
"""What a near miss counts: nothing, or the more the nearer the two categories are in order."""

Bucket = Literal["low", "med", "high"]
"""A score's third of the scale."""

Table = NDArray[np.int64]
"""Counts, q x q."""

_FEWEST_CATEGORIES = 2
_FIRST_THIRD = 1.0 / 3.0
_SECOND_THIRD = 2.0 / 3.0


def bucket(value: float, shift: float = 0.0) -> Bucket:
    """Give the third of [0, 1] in which a score lies: below 1/3 low, below 2/3 med, else high.

    Exactly 1/3 is med and exactly 2/3 is high. `shift` moves both edges, to see whether an
    agreement hangs on them. Raises ValueError for a score outside [0, 1].
    """
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"a score lies between 0 and 1, not {value!r}")
    if value < _FIRST_THIRD + shift:
        return "low"
    return "med" if value < _SECOND_THIRD + shift else "high"


def places(categories: Sequence[str]) -> dict[str, int]:
    """Number the categories in order; raises ValueError below two, or where one comes twice."""
    place = {name: position for position, name in enumerate(categories)}
    if len(place) != len(categories) or len(place) < _FEWEST_CATEGORIES:
        raise ValueError(f"need two different categories or more, not {list(categories)}")
    return place


def contingency(
    human: Sequence[str],
    judge: Sequence[str],
    categories: Sequence[str],
) -> Table:
    """Count the pairs of labels: entry [i, j] is how often people said i where the judge said j.

    Raises ValueError for no labels, lists of different lengths, a label outside `categories`, or
    fewer than two different categories.
    """
    if not human or len(human) != len(judge):
        raise ValueError(
            "need one human and one judge label for each item, at least one: "
            f"{len(human)} human, {len(judge)} judge"
        )
    place = places(categories)
    unknown = sorted({*human, *judge} - place.keys())
    if unknown:
        raise ValueError(f"labels outside the categories {list(categories)}: {', '.join(unknown)}")
    table = np.zeros((len(place), len(place)), dtype=np.int64)
    for (row, column), count in Counter(zip(human, judge, strict=True)).items():
        table[place[row], place[column]] = count
    return table


def square(table: ArrayLike) -> NDArray[np.float64]:
    """Give a table as floats, checked.

    Cells may be fractional: labels weighted by how they were sampled. Raises ValueError unless it
    is square with two categories or more, no cell negative or not finite, and some cell positive.
    """
    cells = np.atleast_1d(np.asarray(table, dtype=np.float64))
    if cells.shape != (len(cells), len(cells)) or len(cells) < _FEWEST_CATEGORIES:
        raise ValueError(
            f"need a square table of two categories or more, not of shape {cells.shape}"
        )
    if not np.isfinite(cells).all() or cells.min() < 0.0 or cells.sum() == 0.0:
        raise ValueError(
            "a table's cells are counts: finite, none negative, and at least one label"
        )
    return cells


def agreement_weights(size: int, weights: Weights) -> NDArray[np.float64]:
    """Give the size x size matrix of what each pair of categories counts as agreement.

    none: 1 on the diagonal; linear: 1 - |i-j|/(q-1); quadratic: 1 - ((i-j)/(q-1))^2.
    """
    if weights == "none":
        return np.eye(size)
    places = np.arange(size, dtype=np.float64)
    apart: NDArray[np.float64] = np.abs(places[:, None] - places[None, :]) / (size - 1)
    return 1.0 - (apart if weights == "linear" else apart**2)


def percent_agreement(table: ArrayLike) -> float:
    """Give the share of items on which both raters said the same, in [0, 1]."""
    cells = square(table)
    return float(np.trace(cells) / cells.sum())


def off_modal(table: ArrayLike) -> int:
    """Give the number of labels off the fullest (human, judge) cell: those that inform kappa."""
    cells = square(table)
    return round(float(cells.sum() - cells.max()))
