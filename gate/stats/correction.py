"""Adjusted p-values, for when several tests are read together."""

from __future__ import annotations

from collections.abc import Sequence


def _ascending(ps: Sequence[float]) -> list[int]:
    """Give the positions of the p-values from smallest to largest; raises ValueError off [0, 1]."""
    for p in ps:
        if not 0.0 <= p <= 1.0:
            raise ValueError(
                f"a p-value lies between 0 and 1, not {p!r}; leave out tests that did not run"
            )
    return sorted(range(len(ps)), key=lambda position: ps[position])


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Give the adjusted p-values that control the false discovery rate, in the order given.

    adj p_(i) = min over j >= i of min(1, M p_(j) / j) (Benjamini and Hochberg 1995). An empty
    input gives an empty list. Raises ValueError for a p outside [0, 1].
    """
    adjusted = [0.0] * len(ps)
    smallest = 1.0
    for rank, position in reversed(list(enumerate(_ascending(ps), start=1))):
        smallest = min(smallest, len(ps) * ps[position] / rank)
        adjusted[position] = smallest
    return adjusted


def holm(ps: Sequence[float]) -> list[float]:
    """Give the adjusted p-values that control any false alarm at all, in the order given.

    adj p_(i) = max over j <= i of min(1, (M - j + 1) p_(j)) (Holm 1979). An empty input gives an
    empty list. Raises ValueError for a p outside [0, 1].
    """
    adjusted = [0.0] * len(ps)
    largest = 0.0
    for passed, position in enumerate(_ascending(ps)):
        largest = max(largest, min(1.0, (len(ps) - passed) * ps[position]))
        adjusted[position] = largest
    return adjusted
