"""The bootstrap over cases: whole clusters are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from gate.stats.agreement import bootstrap_kappa, cohen_kappa
from gate.stats.resampled import bootstrap_clustered_kappa
from gate.stats.seeded import stream, uniforms

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

    assert bootstrap_clustered_kappa(tables) == bootstrap_clustered_kappa(tables, resamples=2_000)
    assert bootstrap_clustered_kappa(tables) != bootstrap_clustered_kappa(tables, seed="other")


@pytest.mark.parametrize("at_once", [10**6, 30 * 20, 30, 7])
def test_bootstrap_clustered_kappa__draw_by_draw(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The quantiles of kappas of single draws, however many clusters are drawn at once."""
    monkeypatch.setattr("gate.stats.resampled._DRAWS_AT_ONCE", at_once)
    tables = np.array(alone([[4, 2, 1], [1, 5, 2], [0, 3, 12]]))

    found = bootstrap_clustered_kappa(tables, resamples=50, confidence=0.8)

    places = (uniforms(stream("gate-v1", "bootstrap-clustered-kappa"), 50 * 30) * 30).astype(int)
    drawn = places.reshape(50, 30).tolist()
    kappas = np.array([cohen_kappa(tables[own].sum(axis=0)).value for own in drawn], dtype=float)
    assert np.quantile(kappas, [0.1, 0.9]).tolist() == pytest.approx(found)


def test_bootstrap_clustered_kappa__no_variety() -> None:
    """Where both raters are constant nothing is defined on any draw."""
    assert (None, None) == bootstrap_clustered_kappa([[[0, 0], [0, 3]], [[0, 0], [0, 1]]])
