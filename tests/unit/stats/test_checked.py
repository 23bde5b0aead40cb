"""What a statistic refuses to take in."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gate.stats.checked import finite, share


def test_finite__gives_a_float_vector() -> None:
    """Whole numbers come out as floats."""
    assert np.dtype(np.float64) == finite([1, 2], "scores").dtype


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_finite__names_what_was_not(bad: float) -> None:
    """The error names the argument and says what to do."""
    with pytest.raises(ValueError, match="scores: every number must be finite; leave out"):
        finite([0.0, bad], "scores")


def test_share__gives_the_number_back() -> None:
    """A number inside (0, 1) passes through."""
    assert pytest.approx(0.95) == share(0.95, "confidence")


@pytest.mark.parametrize("bad", [0.0, 1.0, 95.0, math.nan])
def test_share__refuses_percents(bad: float) -> None:
    """95 is not 0.95."""
    with pytest.raises(ValueError, match="confidence must lie between 0 and 1"):
        share(bad, "confidence")
