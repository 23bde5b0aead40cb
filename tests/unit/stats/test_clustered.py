"""Kappa of clustered items: by hand, a jackknife over clusters, statsmodels, simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats as scipy_stats
from statsmodels.stats.inter_rater import cohens_kappa

from gate.stats.agreement import Kappa, cohen_kappa
from gate.stats.clustered import clustered_kappa, design_effect, tables_by_cluster
from gate.stats.seeded import stream

RIGHT = [[2, 0], [0, 2]]
FIVE = [RIGHT, RIGHT, RIGHT, [[1, 2], [0, 1]], [[1, 0], [2, 1]]]
ONE_EACH = [[7, 1, 2], [0, 4, 2], [3, 0, 11]]


def tables_of(size: int) -> st.SearchStrategy[list[list[list[int]]]]:
    """Some clusters of small square tables of counts, many of their cells empty."""
    row = st.lists(st.sampled_from([0, 0, 1, 2, 5]), min_size=size, max_size=size)
    return st.lists(st.lists(row, min_size=size, max_size=size), min_size=1, max_size=9)


TABLES = st.sampled_from([2, 3]).flatmap(tables_of)


def one_item_each(table: list[list[int]]) -> NDArray[np.int64]:
    """Each item of a table as a cluster of its own."""
    size = len(table)
    single = np.eye(size * size, dtype=np.int64).reshape(size * size, size, size)
    return np.repeat(single, np.array(table).ravel(), axis=0)


def draw(
    samples: int,
    clusters: int,
    kappa: float,
    shares: list[float],
    alike: tuple[float, float],
) -> NDArray[np.int64]:
    """Draw samples of clusters of 3 to 8 items whose true kappa is known.

    The judge repeats the human's label with a probability of mean `kappa`, and draws from `shares`
    otherwise: kappa of all items. Each cluster has its own mix of categories (Dirichlet) and its
    own such probability (Beta); the smaller the two numbers of `alike`, the more alike the items
    of a cluster.
    """
    draws = np.random.Generator(stream("gate-v1", "clustered-samples"))
    size, every = len(shares), samples * clusters
    mix = draws.dirichlet(np.array(shares) * alike[0], every).cumsum(axis=1)
    sure = draws.beta(kappa * alike[1], (1 - kappa) * alike[1], (every, 1))
    human = (draws.random((every, 8))[:, :, None] > mix[:, None, :-1]).sum(axis=2)
    judge = np.where(
        draws.random((every, 8)) < sure, human, draws.choice(size, (every, 8), p=shares)
    )
    cluster, item = np.nonzero(np.arange(8) < draws.integers(3, 9, every)[:, None])
    cell = (cluster * size + human[cluster, item]) * size + judge[cluster, item]
    counts = np.bincount(cell, minlength=every * size * size)
    return counts.reshape(samples, clusters, size, size)


def jackknife_se(tables: NDArray[np.int64]) -> float:
    """Leave each cluster out in turn: no linearised term, only kappa itself."""
    count = len(tables)
    rest = [cohens_kappa(tables.sum(axis=0) - one, return_results=False) for one in tables]
    return math.sqrt((count - 1) * float(np.var(rest)))


def test_clustered_kappa__by_hand() -> None:
    """Five clusters of four items.

    Summed [[8, 2], [2, 8]]: observed 16/20, expected 1/2, kappa 0.6. Each margin is 1/2, so an
    item agreed on has u = (1 - 1 * 0.4 - (0.6 - 0.5 * 0.4)) / 0.5 = 0.4, another
    u = (0 - 0.4 - 0.4) / 0.5 = -1.6. Sums by cluster: 1.6 three times, 0.8 - 3.2 = -2.4 twice;
    squares 3 * 2.56 + 2 * 5.76 = 19.2; se^2 = 5/4 * 19.2 / 400 = 0.06. Student's t with 4 degrees
    of freedom: 2.131847 (one-sided), 2.776445 (two-sided). On the log scale one error is
    sqrt(0.06) / 0.4 = 0.612372: low 1 - 0.4 * exp(1.700220) is below -1,
    high 1 - 0.4 * exp(-1.700220), bound 1 - 0.4 * exp(1.305485).
    """
    kappa = clustered_kappa(FIVE)
    assert (20, 0.8, 0.5) == (kappa.n, kappa.observed, kappa.expected)
    assert pytest.approx([0.6, math.sqrt(0.06)]) == [kappa.value, kappa.se]
    expected = [-1.0, 1 - 0.4 * math.exp(-1.700220), 1 - 0.4 * math.exp(1.305485)]
    assert pytest.approx(expected, abs=3e-6) == [kappa.low, kappa.high, kappa.lower_one_sided]
    assert pytest.approx(-0.475791, abs=3e-6) == kappa.lower_one_sided


def test_clustered_kappa__nears_the_jackknife() -> None:
    """With 150 clusters, leaving each out in turn gives the same standard error within 2%."""
    tables = draw(1, 150, 0.6, [0.5, 0.3, 0.2], (1.0, 2.0))[0]
    se = clustered_kappa(tables).se
    assert pytest.approx(jackknife_se(tables), rel=0.02) == se
    # It is the clusters that this measures: items taken as independent are far from it.
    assert (cohen_kappa(tables.sum(axis=0)).se or 0.0) < 0.75 * (se or 0.0)


def test_clustered_kappa__one_item_a_cluster_is_statsmodels() -> None:
    """The value, and the standard error but for n / (n - 1)."""
    oracle = cohens_kappa(np.array(ONE_EACH))
    kappa = clustered_kappa(one_item_each(ONE_EACH))
    expected = [oracle.kappa, oracle.std_kappa * math.sqrt(30 / 29)]
    assert pytest.approx(expected, abs=1e-12) == [kappa.value, kappa.se]
    assert 30 == kappa.n


@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=3, max_size=3))
@settings(deadline=None, max_examples=60)
def test_clustered_kappa__one_item_a_cluster_is_cohen_kappa(table: list[list[int]]) -> None:
    """Any table: the standard error but for n / (n - 1); where it is 0, the whole result."""
    assume(sum(map(sum, table)) > 1)
    plain, kappa = cohen_kappa(table), clustered_kappa(one_item_each(table))
    if not plain.se:
        assert plain == kappa
        assert design_effect(one_item_each(table)) is None
        return
    n = plain.n
    assert pytest.approx([plain.value, plain.se * math.sqrt(n / (n - 1))]) == [
        kappa.value,
        kappa.se,
    ]
    assert pytest.approx(n / (n - 1)) == design_effect(one_item_each(table))


@given(TABLES)
@settings(deadline=None, max_examples=100)
def test_clustered_kappa__properties(tables: list[list[list[int]]]) -> None:
    """Ends lie in order; order of clusters, swapped raters and empty clusters change nothing."""
    cells = np.array(tables)
    assume(cells.sum() > 0)
    kappa = clustered_kappa(cells)
    turned = clustered_kappa(cells[::-1].transpose(0, 2, 1))
    assert pytest.approx(figures(turned)) == figures(kappa)
    padded = clustered_kappa(np.concatenate([cells, np.zeros_like(cells[:2])]))
    assert pytest.approx(figures(padded)) == figures(kappa)
    known = [number for number in figures(kappa)[:5] if number is not None]
    if len(known) == 5:
        value, _, low, high, bound = known
        assert -1.0 <= low <= value + 1e-12
        assert value - 1e-12 <= high <= 1.0
        assert -1.0 <= bound <= value + 1e-12


def figures(kappa: Kappa) -> list[float | None]:
    """Every number of a result."""
    interval = [kappa.low, kappa.high, kappa.lower_one_sided]
    return [kappa.value, kappa.se, *interval, kappa.n, kappa.observed, kappa.expected]


def test_clustered_kappa__copies_of_an_item_add_nothing() -> None:
    """Each item three times over in its cluster: the interval of one item a cluster."""
    once, thrice = one_item_each(ONE_EACH), 3 * one_item_each(ONE_EACH)
    expected, kappa = clustered_kappa(once), clustered_kappa(thrice)
    assert 90 == kappa.n
    assert pytest.approx(figures(expected)[:5]) == figures(kappa)[:5]
    assert pytest.approx(3 * 30 / 29) == design_effect(thrice)


def test_clustered_kappa__less_confidence_is_narrower() -> None:
    """The lower end of a 90% interval is the one-sided 95% bound, checked against scipy's t."""
    tables = FIVE * 4
    kappa = clustered_kappa(tables, confidence=0.90)
    assert pytest.approx(kappa.low) == clustered_kappa(tables).lower_one_sided
    assert kappa.value is not None
    assert kappa.se is not None
    reach = float(scipy_stats.t.ppf(0.95, 19)) * kappa.se / (1 - kappa.value)
    expected = [1 - 0.4 * math.exp(reach), 1 - 0.4 * math.exp(-reach)]
    assert pytest.approx(expected) == [kappa.low, kappa.high]


def test_clustered_kappa__a_bound_out_of_reach_is_minus_one() -> None:
    """Two clusters at a high confidence: e to the power of thousands is no overflow."""
    kappa = clustered_kappa([RIGHT, [[1, 3], [2, 1]]], confidence=0.99999)
    assert (-1.0, -1.0) == (kappa.low, kappa.lower_one_sided)
    assert 1.0 == kappa.high


@pytest.mark.parametrize("empty", [[], [[[0, 0], [0, 0]]] * 3])
def test_clustered_kappa__one_cluster_has_no_interval(empty: list[list[list[int]]]) -> None:
    """However many items: nothing shows how clusters differ. Empty clusters are none."""
    kappa = clustered_kappa([[[20, 2], [3, 30]], *empty])
    assert pytest.approx(cohen_kappa([[20, 2], [3, 30]]).value) == kappa.value
    assert [None] * 4 == [kappa.se, kappa.low, kappa.high, kappa.lower_one_sided]
    assert 55 == kappa.n
    assert design_effect([[[20, 2], [3, 30]], *empty]) is None


def test_clustered_kappa__both_raters_constant_is_undefined() -> None:
    """One label throughout: no kappa, but the agreement is told."""
    kappa = clustered_kappa([[[3, 0], [0, 0]], [[5, 0], [0, 0]]])
    assert Kappa(None, None, None, None, None, 8, 1.0, 1.0) == kappa
    assert design_effect([[[3, 0], [0, 0]], [[5, 0], [0, 0]]]) is None


def test_clustered_kappa__perfect_agreement_counts_clusters() -> None:
    """Twelve clusters of four items count as twelve items.

    [[6, 0], [0, 6]] with 1/4 a cell: n 13, observed 12.5/13, kappa 12/13, and as the margins are
    even se^2 = observed * (1 - observed) / (13 * 0.5^2).
    """
    kappa = clustered_kappa([RIGHT] * 12)
    assert (1.0, 0.0, 1.0, 1.0) == (kappa.value, kappa.se, kappa.low, kappa.high)
    se = math.sqrt(12.5 / 13 * 0.5 / 13 / (13 * 0.25))
    assert pytest.approx(12 / 13 - 1.644854 * se, abs=1e-6) == kappa.lower_one_sided
    assert (kappa.lower_one_sided or 0.0) < (cohen_kappa([[24, 0], [0, 24]]).lower_one_sided or 0.0)
    assert design_effect([RIGHT] * 12) is None


def test_clustered_kappa__clusters_all_alike_are_not_certain() -> None:
    """Eight times the same table with a disagreement in it: no spread, but a bound below kappa.

    The summed table [[16, 8], [0, 16]] counts as eight items, with 1/4 a cell.
    """
    kappa = clustered_kappa([[[2, 1], [0, 2]]] * 8)
    assert (0.0, kappa.value, kappa.value) == (kappa.se, kappa.low, kappa.high)
    assert pytest.approx(8 / 13) == kappa.value
    oracle = cohens_kappa(np.array([[3.45, 1.85], [0.25, 3.45]]))
    bound = oracle.kappa - 1.644854 * oracle.std_kappa
    assert pytest.approx(bound, abs=1e-6) == kappa.lower_one_sided
    assert design_effect([[[2, 1], [0, 2]]] * 8) is None


def test_clustered_kappa__one_constant_rater_is_zero() -> None:
    """The judge never says the second label: kappa 0, and a bound below it."""
    kappa = clustered_kappa([[[4, 0], [1, 0]], [[2, 0], [0, 0]], [[1, 0], [2, 0]]])
    assert pytest.approx([0.0] * 4, abs=1e-12) == [kappa.value, kappa.se, kappa.low, kappa.high]
    assert (kappa.lower_one_sided or 0.0) < -0.1


def test_clustered_kappa__weighted_items_may_be_fractions() -> None:
    """Scaling every cell changes only the number of items."""
    half = clustered_kappa(np.array(FIVE) / 2)
    assert 10 == half.n
    assert pytest.approx(figures(clustered_kappa(FIVE))[:5]) == figures(half)[:5]


def test_design_effect__by_hand() -> None:
    """Variance 0.06 by cluster; (16 * 0.4^2 + 4 * 1.6^2) / 20^2 = 0.032 by item."""
    assert pytest.approx(0.06 / 0.032) == design_effect(FIVE)


def test_design_effect__items_that_balance_out_are_worth_more() -> None:
    """Each cluster with its share of disagreements: below 1."""
    balanced = [[[3, 1], [0, 3]], [[3, 0], [1, 3]], [[3, 1], [1, 4]], [[4, 1], [1, 3]]]
    effect = design_effect(balanced)
    assert effect is not None
    assert 0.0 < effect < 0.5


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([[8, 2], [2, 8]], r"shape \(clusters, q, q\), not \(2, 2\)"),
        ([], r"shape \(clusters, q, q\), not \(0,\)"),
        ([[[1, 2, 3], [4, 5, 6]]], "square table"),
        ([[[5]], [[4]]], "two categories or more"),
        ([[[2, 0], [0, 2]], [[-1, 0], [0, 2]]], "none negative"),
        ([[[2, 0], [0, -math.inf]], [[math.inf, 0], [0, 2]]], "none negative"),
        ([[[math.nan, 0], [0, 2]]], "finite"),
        ([[[math.inf, 0], [0, 2]]], "finite"),
        ([[[0, 0], [0, 0]], [[0, 0], [0, 0]]], "at least one label"),
        (np.zeros((0, 2, 2)), "at least one label"),
    ],
)
@pytest.mark.parametrize("function", [clustered_kappa, design_effect])
def test_clustered_kappa__refuses(function: object, tables: object, message: str) -> None:
    """What is no list of square tables of counts; a negative cell even where the sum hides it."""
    assert callable(function)
    with pytest.raises(ValueError, match=message):
        function(tables)


@pytest.mark.parametrize("tables", [FIVE, FIVE[:1]])
def test_clustered_kappa__refuses_percents(tables: list[list[list[int]]]) -> None:
    """95 is not 0.95, even where no interval is given."""
    with pytest.raises(ValueError, match="confidence"):
        clustered_kappa(tables, confidence=95)


@pytest.mark.parametrize(
    ("clusters", "kappa", "shares", "alike"),
    [
        (12, 0.8, [0.25] * 4, (0.5, 0.7)),
        (18, 0.65, [0.7, 0.1, 0.1, 0.1], (0.5, 0.7)),
        (24, 0.8, [0.7, 0.1, 0.1, 0.1], (2.0, 2.0)),
    ],
)
def test_clustered_kappa__covers_with_few_clusters(
    clusters: int,
    kappa: float,
    shares: list[float],
    alike: tuple[float, float],
) -> None:
    """The one-sided bound holds true kappa as often as it says; with items as clusters it does not.

    Where it is undefined there is no bound, and nothing to hold.
    """
    samples = draw(500, clusters, kappa, shares, alike)
    bounds = [clustered_kappa(sample).lower_one_sided for sample in samples]
    blind = [cohen_kappa(sample.sum(axis=0)).lower_one_sided for sample in samples]
    assert 0.93 <= held(bounds, kappa) <= 0.99
    assert held(blind, kappa) < 0.93


def held(bounds: list[float | None], kappa: float) -> float:
    """The share of bounds that are not above true kappa."""
    return sum(bound is None or bound <= kappa for bound in bounds) / len(bounds)


def test_clustered_kappa__nears_what_it_says_with_many_clusters() -> None:
    """With 150 clusters both the interval and the bound hold true kappa about 95% of the time."""
    samples = draw(500, 150, 0.6, [0.5, 0.3, 0.2], (1.0, 2.0))
    kappas = [clustered_kappa(sample) for sample in samples]
    inside = sum((k.low or 0.0) <= 0.6 <= (k.high or 0.0) for k in kappas) / 500
    assert 0.93 <= inside <= 0.97
    assert 0.935 <= held([k.lower_one_sided for k in kappas], 0.6) <= 0.98


def test_tables_by_cluster__no_item_at_all() -> None:
    """It is said there, and not only where kappa is asked for."""
    with pytest.raises(ValueError, match="at least one"):
        tables_by_cluster([[[0, 0], [0, 0]]])


def test_clustered_kappa__the_bound_of_perfect_agreement_by_its_confidence() -> None:
    """More confidence, a lower bound, where nothing varies and the smoothed table stands in."""
    low, lower = (
        clustered_kappa([RIGHT] * 5, confidence=one).lower_one_sided for one in (0.8, 0.95)
    )

    assert low is not None
    assert lower is not None
    assert lower < low
