"""The bootstrap over cases: whole clusters are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from gate.stats.agreement import bootstrap_kappa
from gate.stats.resampled import bootstrap_clustered_kappa

SEED_TABLE = [[2, 0, 0], [0, 0, 0], [1, 1, 20]]
"""System 1's correctness, T1 of the reference vectors."""


def alone(table: list[list[int]]) -> list[np.ndarray]:
    """One cluster for each label of a table."""
    made = []
    for row, counts in enumerate(table):
        for column, count in enumerate(counts):
            one = np.zeros((len(table), len(table)))
            one[row, column] = 1
            made += [one] * count
    return made


def test_bootstrap_clustered_kappa__single_labels() -> None:
    """With one label a cluster it is the interval of labels: 0 to 1 on the reference table."""
    assert (0.0, 1.0) == bootstrap_clustered_kappa(alone(SEED_TABLE))
    assert (0.0, 1.0) == bootstrap_kappa(SEED_TABLE)


def test_bootstrap_clustered_kappa__labels_of_few_cases_say_less() -> None:
    """The same labels in four cases that hang together give a wider interval."""
    good, bad = [[5, 0], [0, 5]], [[1, 4], [4, 1]]
    together = bootstrap_clustered_kappa([good, good, good, bad])
    apart = bootstrap_clustered_kappa(alone([[16, 4], [4, 16]]))
    assert together[0] is not None
    assert together[1] is not None
    assert apart[0] is not None
    assert apart[1] is not None

    assert together[1] - together[0] > 1.5 * (apart[1] - apart[0])


def test_bootstrap_clustered_kappa__same_seed_same_interval() -> None:
    """The seed decides, and the order in which memory allows the draws does not."""
    tables = alone([[8, 2, 1], [1, 9, 2], [0, 3, 30]])

    assert bootstrap_clustered_kappa(tables) == bootstrap_clustered_kappa(tables)
    assert bootstrap_clustered_kappa(tables) != bootstrap_clustered_kappa(tables, seed="other")


def test_bootstrap_clustered_kappa__in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws that do not fit at once are drawn in parts, from the same stream."""
    tables = alone(SEED_TABLE)
    whole = bootstrap_clustered_kappa(tables, resamples=50)
    monkeypatch.setattr("gate.stats.resampled._DRAWS_AT_ONCE", 24 * 20)

    assert whole == bootstrap_clustered_kappa(tables, resamples=50)


def test_bootstrap_clustered_kappa__no_variety() -> None:
    """Where both raters are constant nothing is defined on any draw."""
    assert (None, None) == bootstrap_clustered_kappa([[[0, 0], [0, 3]], [[0, 0], [0, 1]]])
