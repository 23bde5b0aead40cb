"""How sure a weighted or clustered mean is, and the bound that a pass goes by."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gate.decision.spread import Spread, spread_of
from gate.stats.design import Design

T_OF_3 = 2.353363
"""95% quantile of Student's t with three degrees of freedom, from a table."""


def test_spread_of__clusters_in_strata_by_hand() -> None:
    """Four clusters in two strata have two degrees of freedom, and the extra case adds one.

    Strata of one size, of two clusters each: means -0.1 and -0.3, residual sums of the clusters
    0.2, -0.2, 0.4 and -0.4. se^2 = 4 / 2 x (0.04 + 0.04 + 0.16 + 0.16) / 64 = 0.0125.
    """
    design = Design(
        strata=["x"] * 4 + ["y"] * 4,
        sizes={"x": 10.0, "y": 10.0},
        clusters=["a", "a", "b", "b", "c", "c", "d", "d"],
    )
    delta = np.array([0.0, 0.0, -0.2, -0.2, -0.1, -0.1, -0.5, -0.5])

    found = spread_of(delta, design, -0.5, 0.05)

    squares = 3 * 4 * 0.0125 + 4 / 5 * (-0.2 + 0.5) ** 2
    bound = (4 * -0.2 - 0.5) / 5 - T_OF_3 * math.sqrt(squares / 4 / 5)
    assert found.guarded == pytest.approx(bound, abs=1e-6)
    assert found.sd == pytest.approx(math.sqrt(8 * 0.0125))


def test_spread_of__where_nothing_moved_every_unit_counts() -> None:
    """Twenty clusters of two calm cases are as sure as twenty calm cases."""
    strata = ["x"] * 20 + ["y"] * 20
    clusters = [f"source-{case // 2}" for case in range(40)]
    design = Design(strata=strata, sizes={"x": 1.0, "y": 1.0}, clusters=clusters)

    clustered = spread_of(np.zeros(40), design, -0.5, 0.05)
    plain = spread_of(np.zeros(20), Design(), -0.5, 0.05)

    assert clustered.guarded == pytest.approx(plain.guarded)
    assert (0.0, 0.0, 0.0) == (clustered.low, clustered.high, clustered.sd)


def test_spread_of__one_cluster_tells_no_error() -> None:
    """Nothing says how far another cluster would lie."""
    found = spread_of(np.array([0.1, -0.2]), Design(clusters=["a", "a"]), -0.5, 0.05)

    assert Spread(None, None, None, None) == found
