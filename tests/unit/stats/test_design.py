"""Weights by category and clusters: how cases count together."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.stats.design import Design, estimate
from gate.stats.paired import drop_p, sign_flip_p, t_interval
from gate.stats.run_labels import run_label_p
from gate.stats.seeded import stream
from gate.stats.stratified import stratified_mean

HALF = Design(strata=("a", "a", "b"), sizes={"a": 1.0, "b": 1.0})
"""Two cases stand for one half of the dataset, one for the other."""


def of(values: list[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A column of numbers."""
    return np.array(values, dtype=np.float64)


def test_design__weights_are_one_on_average() -> None:
    """W = W_h / n_h: the lonely case counts for twice as much as each of the other two."""
    weights = HALF.weights

    assert weights is not None
    assert [0.75, 0.75, 1.5] == weights.tolist()
    assert Design().weights is None
    assert (True, False) == (Design().plain, HALF.plain)


def test_mean__by_hand() -> None:
    """(0.2 + 0.4) / 2 for one half, 1.0 for the other."""
    assert 0.65 == pytest.approx(HALF.mean(of([0.2, 0.4, 1.0])))
    assert 0.5 == Design().mean(of([0.0, 1.0]))


def test_sums__whole_clusters() -> None:
    """One number a cluster, in an order that no input changes."""
    design = Design(clusters=("y", "x", "y"))

    assert [2.0, 5.0] == design.sums(of([1.0, 2.0, 4.0])).tolist()
    assert (2, None) == (design.units, Design().units)


def test_estimate__plain_is_the_paired_interval() -> None:
    """Without strata and clusters it is the plain mean with its t interval."""
    d = [0.1, -0.3, 0.0, -0.2, 0.05]
    found = estimate(of(d), Design())

    assert (found.low, found.high) == pytest.approx(t_interval(d))
    assert found.mean == pytest.approx(math.fsum(d) / 5)


def test_estimate__clusters_by_hand() -> None:
    """The example of the docstring: two clusters are two observations, however many cases."""
    found = estimate(of([0.0, 0.0, -0.3, -0.3]), Design(clusters=("a", "a", "b", "b")))

    assert (-0.15, 1.0) == (found.mean, found.df)
    assert found.se == pytest.approx(math.sqrt(0.0225))


def test_estimate__singletons_are_no_clusters() -> None:
    """Clusters of one case each give what no clusters give."""
    d = of([0.1, -0.3, 0.0, -0.2])

    assert estimate(d, Design(clusters=tuple("abcd"))).se == pytest.approx(estimate(d, Design()).se)


def test_estimate__no_more_clusters_than_strata_tells_no_error() -> None:
    """One cluster, or one for each stratum, has nothing to compare."""
    one = estimate(of([0.1, 0.2]), Design(clusters=("a", "a")))
    both = Design(strata=("h", "i"), sizes={"h": 1.0, "i": 2.0}, clusters=("a", "b"))

    assert (None, None, None, None) == (one.se, one.df, one.low, one.high)
    assert estimate(of([0.1, 0.2]), both).se is None


def test_estimate__strata_and_clusters() -> None:
    """Residuals are taken from the stratum's own mean, so a difference of strata is no error."""
    design = Design(
        strata=("h",) * 4 + ("i",) * 4,
        sizes={"h": 1.0, "i": 3.0},
        clusters=("a", "a", "b", "b", "c", "c", "d", "d"),
    )
    found = estimate(of([0.0] * 4 + [-0.4] * 4), design)

    assert found.mean == pytest.approx(-0.3)
    assert (0.0, 2.0) == (found.se, found.df)


def test_drop_p__clusters_are_flipped_as_wholes() -> None:
    """Eight cases that all fell are 2^-8 alone, and 2^-2 as two clusters."""
    new, base = [[0.5]] * 8, [[0.8]] * 8

    assert 2.0**-8 == drop_p(new, base).p
    assert 0.25 == drop_p(new, base, design=Design(clusters=("a",) * 4 + ("b",) * 4)).p


def test_drop_p__weights_decide_which_case_matters() -> None:
    """Four cases that fell a little and one that rose: as one of five, or as half of all."""
    new, base = [[0.7]] * 4 + [[1.0]], [[0.8]] * 4 + [[0.8]]
    heavy = Design(strata=("a",) * 4 + ("b",), sizes={"a": 1.0, "b": 1.0})

    assert drop_p(new, base).p < drop_p(new, base, design=heavy).p


def test_run_label_p__weights_of_one_change_nothing() -> None:
    """Weights are relative to one."""
    rng = random.Random(1)
    new = [[round(rng.random(), 2)] for _ in range(6)]
    base = [[round(rng.random(), 2) for _ in range(5)] for _ in range(6)]

    assert run_label_p(new, base) == run_label_p(new, base, weights=np.ones(6))
    assert run_label_p(new, base) != run_label_p(new, base, weights=of([6.0, 0, 0, 0, 0, 0]))


@given(st.permutations(range(7)))
def test_design__order_does_not_matter(order: list[int]) -> None:
    """The same cases in another order: the same estimate and the same p."""
    d = of([-0.3, 0.1, -0.2, 0.0, -0.15, 0.05, -0.4])
    strata, clusters = "aabbbcc", "uvuwwxy"
    sizes = {"a": 3.0, "b": 5.0, "c": 2.0}
    first = Design(strata=tuple(strata), sizes=sizes, clusters=tuple(clusters))
    again = Design(
        strata=tuple(strata[i] for i in order),
        sizes=sizes,
        clusters=tuple(clusters[i] for i in order),
    )
    one, other = estimate(d, first), estimate(d[order], again)

    assert one.mean == pytest.approx(other.mean, abs=1e-15)
    assert one.se == pytest.approx(other.se, abs=1e-15)
    assert sign_flip_p(first.sums(d)) == sign_flip_p(again.sums(d[order]))


def test_estimate__clustered_interval_covers_as_often_as_it_says() -> None:
    """1,000 samples of 16 clusters of 3 cases that hang together (ICC 0.5), 90% intervals."""
    draw = np.random.Generator(stream("gate-v1", "clusters"))
    clusters = tuple(f"c{i // 3}" for i in range(48))
    design = Design(clusters=clusters)
    robust = naive = 0
    for _ in range(1_000):
        shared = np.repeat(draw.normal(0.0, 0.2, 16), 3)
        d = shared + draw.normal(0.0, 0.2, 48)
        found = estimate(d, design)
        plain = estimate(d, Design())
        robust += (found.low or 0.0) <= 0.0 <= (found.high or 0.0)
        naive += (plain.low or 0.0) <= 0.0 <= (plain.high or 0.0)

    assert 870 <= robust <= 930
    assert naive < 830


def test_drop_p__cases_of_a_cluster_do_not_cry_wolf() -> None:
    """The same samples: flipping wholes keeps 5%, flipping single cases does not."""
    draw = np.random.Generator(stream("gate-v1", "flips"))
    design = Design(clusters=tuple(f"c{i // 3}" for i in range(48)))
    wholes = singles = 0
    for _ in range(600):
        d = np.repeat(draw.normal(0.0, 0.2, 16), 3) + draw.normal(0.0, 0.2, 48)
        wholes += sign_flip_p(design.sums(d), flips=2_000).p <= 0.05
        singles += sign_flip_p(d, flips=2_000).p <= 0.05

    assert wholes <= 0.075 * 600
    assert singles > 0.08 * 600


def test_estimate__of_strata_alone_by_the_confidence_asked_for() -> None:
    """Two cases of one half, three of the other, at 80%."""
    design = Design(strata=tuple("aabbb"), sizes={"a": 1.0, "b": 1.0})
    d = [0.0, 0.2, 0.1, 0.3, 0.5]

    expected = stratified_mean({"a": d[:2], "b": d[2:]}, design.sizes, confidence=0.8)
    assert expected == estimate(of(d), design, confidence=0.8)
    assert expected != estimate(of(d), design)
