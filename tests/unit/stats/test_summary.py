"""Mean, middle and spread."""

from __future__ import annotations

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats.summary import lower_median, mean_or_none, sd_or_none

VALUES = st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30)


@pytest.mark.parametrize("function", [mean_or_none, lower_median, sd_or_none])
@pytest.mark.parametrize("values", [[], [None], [None, None]])
def test_summary__nothing_measured(function: object, values: list[float | None]) -> None:
    """Nothing measured is None, never zero."""
    assert callable(function)
    assert function(values) is None


def test_mean_or_none__leaves_out_what_is_missing() -> None:
    """A missing score is no zero."""
    assert pytest.approx(0.75) == mean_or_none([0.5, None, 1.0])


def test_mean_or_none__does_not_depend_on_the_order() -> None:
    """Sums are exact: big numbers do not swallow small ones."""
    assert mean_or_none([1e16, 1.0, -1e16]) == mean_or_none([1.0, 1e16, -1e16]) == 1.0 / 3.0


@pytest.mark.parametrize(
    ("values", "expected"),
    [([7.0], 7.0), ([2.0, 1.0], 1.0), ([3.0, 1.0, 2.0], 2.0), ([4.0, None, 3.0, 1.0, 2.0], 2.0)],
)
def test_lower_median__is_the_lower_of_two_middles(
    values: list[float | None],
    expected: float,
) -> None:
    """Index (n - 1) // 2 of the sorted values."""
    assert pytest.approx(expected) == lower_median(values)


def test_sd_or_none__one_value_has_no_spread() -> None:
    """One value leaves the spread unknown."""
    assert sd_or_none([0.5, None]) is None


@given(VALUES)
def test_summary__agrees_with_the_standard_library(values: list[float]) -> None:
    """Mean, lower median and sample sd are those of the statistics module."""
    assert pytest.approx(statistics.fmean(values), abs=1e-9) == mean_or_none(values)
    assert statistics.median_low(values) == lower_median(values)
    assert pytest.approx(statistics.stdev(values), abs=1e-9) == sd_or_none(values)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_summary__refuses_numbers_that_are_none(bad: float) -> None:
    """NaN is not how a missing score is told."""
    with pytest.raises(ValueError, match="hand in None where it is missing"):
        mean_or_none([0.5, bad])
