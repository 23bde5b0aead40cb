"""How sure a mean difference is, of weighted cases."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gate.decision.spread import spread_of
from gate.stats.design import Design
from gate.stats.paired import PSEUDO_CASE, guarded_lower_bound
from gate.stats.student import t_quantile

WEIGHTED = Design(strata=["a"] * 5 + ["b"] * 5, sizes={"a": 30.0, "b": 10.0})
"""Five cases of each category, of which one is three times as large as the other."""


def test_spread_of__weighted_cases_by_hand() -> None:
    """Only category a swings: se^2 = (3/4)^2 x 0.01 / 5 with 4 degrees of freedom.

    The invented case adds one, so t has 5; its own square is 10/11 x 0.5^2.
    """
    found = spread_of(
        np.array([0.1, -0.1, 0.1, -0.1, 0.0] + [0.0] * 5), WEIGHTED, PSEUDO_CASE, 0.05
    )

    se = math.sqrt(0.75**2 * 0.01 / 5)
    error = math.sqrt((9 * 10 * se**2 + 10 / 11 * 0.25) / 10 / 11)
    assert found.guarded == pytest.approx(-0.5 / 11 - t_quantile(0.95, 5.0) * error)
    assert found.sd == pytest.approx(se * math.sqrt(10))
    assert (found.low, found.high) == pytest.approx(
        (-t_quantile(0.95, 4.0) * se, t_quantile(0.95, 4.0) * se)
    )


def test_spread_of__weighted_cases_that_did_not_move() -> None:
    """All the spread is the invented case's, as where every case counts alike."""
    still = np.zeros(10)
    found = spread_of(still, WEIGHTED, PSEUDO_CASE, 0.05)

    assert found.guarded == pytest.approx(guarded_lower_bound(still))


def test_spread_of__never_more_degrees_of_freedom_than_cases() -> None:
    """Cases of one stratum have n - 1, and the invented one makes them n, as unweighted ones."""
    d = np.array([0.1, -0.1, 0.1, -0.1, 0.0, 0.2])
    alone = Design(strata=["a"] * 6, sizes={"a": 30.0})

    assert spread_of(d, alone, PSEUDO_CASE, 0.05).guarded == pytest.approx(guarded_lower_bound(d))


def test_spread_of__one_case_a_category_has_no_error() -> None:
    """Nothing tells how far it may be off, so nothing is said."""
    lonely = Design(strata=["a", "b"], sizes={"a": 30.0, "b": 10.0})
    found = spread_of(np.array([0.1, -0.1]), lonely, PSEUDO_CASE, 0.05)

    assert (None, None, None, None) == (found.low, found.high, found.sd, found.guarded)


@pytest.mark.parametrize("drop", [0.03, 0.05])
def test_spread_of__weighted_cases_that_fell_alike(drop: float) -> None:
    """Their error is float noise and no spread: the bound is that of as many plain cases."""
    sample = Design(
        strata=["a"] * 14 + ["b"] * 6 + ["c"] * 4, sizes={"a": 60.0, "b": 30.0, "c": 90.0}
    )
    fell = np.full(24, -drop)

    found = spread_of(fell, sample, PSEUDO_CASE, 0.05)

    assert found.guarded == pytest.approx(guarded_lower_bound(fell))
