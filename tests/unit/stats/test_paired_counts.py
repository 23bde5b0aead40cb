"""Rises of errors and empty answers, against scipy."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from gate.stats.columns import Repeats
from gate.stats.paired_counts import mcnemar_rise_p, turned


@pytest.mark.parametrize(
    ("worse", "better", "expected"),
    [
        (0, 0, 1.0),
        (1, 0, 0.5),
        (5, 0, 0.03125),
        (6, 0, 0.015625),
        (0, 6, 1.0),
        (7, 1, 9 / 256),
        (1, 1, 0.75),
        (10, 2, 79 / 4096),
    ],
)
def test_mcnemar_rise_p__by_hand(worse: int, better: int, expected: float) -> None:
    """Small binomial tails, exactly."""
    assert expected == mcnemar_rise_p(worse, better)


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_rise_p__agrees_with_scipy(worse: int, better: int) -> None:
    """The upper tail of a fair binomial."""
    changed = worse + better
    oracle = binomtest(worse, changed, 0.5, alternative="greater").pvalue if changed else 1.0
    assert pytest.approx(oracle, rel=1e-9) == mcnemar_rise_p(worse, better)


def test_mcnemar_rise_p__whole_numbers_beyond_any_float() -> None:
    """600 each way: half of everything, and half of the middle term, whose ways are near 2^1195."""
    middle = Fraction(math.comb(1_200, 600), 2**1_200)

    assert float((1 + middle) / 2) == mcnemar_rise_p(600, 600)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_rise_p__both_directions_share_what_was_seen(worse: int, better: int) -> None:
    """A fair coin is symmetric: both tails cover everything, and the count seen twice."""
    changed = worse + better
    both = mcnemar_rise_p(worse, better) + mcnemar_rise_p(better, worse)
    assert pytest.approx(1.0 + math.comb(changed, worse) / 2**changed) == both


@pytest.mark.parametrize(("worse", "better"), [(-1, 0), (0, -1)])
def test_mcnemar_rise_p__refuses_negative_counts(worse: int, better: int) -> None:
    """Counts are counts."""
    with pytest.raises(ValueError, match="cannot be negative"):
        mcnemar_rise_p(worse, better)


def test_turned__most_of_the_repeats() -> None:
    """Half is not most; a case without a flag on one side cannot be told."""
    sides: list[tuple[list[float | None], list[float | None]]] = [
        ([1.0], [0.0]),
        ([1.0, 0.0], [0.0]),
        ([1.0, 1.0, 0.0], [0.0, 1.0]),
        ([0.0], [1.0]),
        ([None], [0.0]),
        ([], [1.0]),
        ([1.0], [1.0]),
        ([1.0, None], [0.0]),
        ([1.0], []),
    ]
    now, before = zip(*sides, strict=True)
    found = turned(Repeats.of(now), Repeats.of(before))

    assert ([0, 2, 7], 1, 6) == (found.worse, found.better, found.told)
    none = turned(Repeats.of([]), Repeats.of([]))
    assert ([], 0, 0) == (none.worse, none.better, none.told)
