"""Weighted means over categories, against scipy's two-sample intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gate.stats.paired import t_interval
from gate.stats.seeded import stream
from gate.stats.stratified import Estimate, stratified_mean

BIG_A = [0.1, -0.2, 0.0, -0.3, 0.05, -0.1, 0.2]
BIG_B = [-0.5, -0.4, 0.1, -0.6, -0.2]
SMALL_A = [0.1, -0.3, 0.05]
SMALL_B = [-0.5, -0.4, 0.1, -0.2]


def test_stratified_mean__one_category_is_the_t_interval() -> None:
    """With one category there is nothing to weigh."""
    estimate = stratified_mean({"only": BIG_A}, {"only": 40.0})
    low, high = t_interval(BIG_A)
    assert pytest.approx((low, high, 6.0)) == (estimate.low, estimate.high, estimate.df)


def test_stratified_mean__large_categories_are_welch() -> None:
    """Half of the difference of two means, with its own variance each: Welch's interval, halved."""
    estimate = stratified_mean({"a": BIG_A, "b": [-x for x in BIG_B]}, {"a": 10.0, "b": 10.0})
    welch = scipy_stats.ttest_ind(BIG_A, BIG_B, equal_var=False)
    interval = welch.confidence_interval(0.90)
    assert pytest.approx(welch.df) == estimate.df
    assert pytest.approx(interval.low / 2.0) == estimate.low
    assert pytest.approx(interval.high / 2.0) == estimate.high


def test_stratified_mean__small_categories_share_their_variance() -> None:
    """Below five cases each: Student's pooled interval, halved."""
    estimate = stratified_mean({"a": SMALL_A, "b": [-x for x in SMALL_B]}, {"a": 10.0, "b": 10.0})
    student = scipy_stats.ttest_ind(SMALL_A, SMALL_B, equal_var=True)
    interval = student.confidence_interval(0.90)
    assert pytest.approx(student.df) == estimate.df
    assert pytest.approx(interval.low / 2.0) == estimate.low
    assert pytest.approx(interval.high / 2.0) == estimate.high


def test_stratified_mean__weights_by_hand() -> None:
    """Three quarters of the weight on one category."""
    estimate = stratified_mean({"a": BIG_A, "b": BIG_B}, {"a": 30.0, "b": 10.0, "unused": 5.0})
    expected = 0.75 * float(np.mean(BIG_A)) + 0.25 * float(np.mean(BIG_B))
    squared = 0.75**2 * np.var(BIG_A, ddof=1) / 7 + 0.25**2 * np.var(BIG_B, ddof=1) / 5
    assert pytest.approx((expected, math.sqrt(squared))) == (estimate.mean, estimate.se)


@pytest.mark.parametrize(("large", "small"), [(BIG_A, SMALL_B), (BIG_B, SMALL_A)])
def test_stratified_mean__a_large_and_a_small_category(
    large: list[float], small: list[float]
) -> None:
    """One term each, from five cases on: the small one's pooled variance is its own here."""
    estimate = stratified_mean({"a": large, "b": [-x for x in small]}, {"a": 1.0, "b": 1.0})
    welch = scipy_stats.ttest_ind(large, small, equal_var=False)
    assert pytest.approx(welch.df) == estimate.df


def test_stratified_mean__single_cases_borrow_from_the_others() -> None:
    """Categories of one case have no spread of their own: all categories are pooled."""
    estimate = stratified_mean(
        {"a": BIG_A, "b": [0.0], "c": [-0.1]}, {"a": 1.0, "b": 1.0, "c": 1.0}
    )
    variance = float(np.var(BIG_A, ddof=1))
    expected = math.sqrt(variance * (1 / 7 + 1 + 1) / 9)
    assert pytest.approx((6.0, expected)) == (estimate.df, estimate.se)


def test_stratified_mean__a_single_case_borrows_from_small_categories_first() -> None:
    """Beside one of three cases it has their variance, and the large category keeps its own."""
    estimate = stratified_mean(
        {"a": BIG_A, "b": [0.0], "c": SMALL_A}, {"a": 1.0, "b": 1.0, "c": 1.0}
    )
    own = float(np.var(BIG_A, ddof=1)) / 7 / 9
    shared = float(np.var(SMALL_A, ddof=1)) * (1 + 1 / 3) / 9

    assert math.sqrt(own + shared) == pytest.approx(estimate.se)
    assert (own + shared) ** 2 / (own**2 / 6 + shared**2 / 2) == pytest.approx(estimate.df)


def test_stratified_mean__one_case_a_category_gives_no_interval() -> None:
    """A mean can be had, its uncertainty cannot."""
    estimate = stratified_mean({"a": [0.5], "b": [0.0]}, {"a": 1.0, "b": 3.0})
    assert Estimate(0.125, None, None, None, None) == estimate


def test_stratified_mean__no_spread_is_a_point() -> None:
    """All differences equal: the interval is the mean."""
    estimate = stratified_mean({"a": [0.0] * 6, "b": [0.0] * 3}, {"a": 1.0, "b": 1.0})
    assert Estimate(0.0, 0.0, 7.0, 0.0, 0.0) == estimate


@pytest.mark.parametrize("groups", [{}, {"a": []}, {"a": [0.1], "b": []}])
def test_stratified_mean__refuses_empty_categories(groups: dict[str, list[float]]) -> None:
    """A category nobody sampled cannot be estimated."""
    with pytest.raises(ValueError, match="at least one case in each"):
        stratified_mean(groups, {"a": 1.0, "b": 1.0})


@pytest.mark.parametrize("weights", [{}, {"a": 0.0}, {"a": -1.0}, {"a": math.nan}])
def test_stratified_mean__refuses_categories_without_weight(weights: dict[str, float]) -> None:
    """Each category needs its weight."""
    with pytest.raises(ValueError, match="positive weight"):
        stratified_mean({"a": [0.1, 0.2]}, weights)


@pytest.mark.parametrize("cases", [(4, 4, 4), (12, 6, 3)])
def test_stratified_mean__covers_as_often_as_it_says(cases: tuple[int, int, int]) -> None:
    """90% intervals hold the true weighted mean in about 90% of 2,000 samples."""
    weights = {"a": 0.5, "b": 0.3, "c": 0.2}
    means = {"a": 0.0, "b": -0.2, "c": 0.1}
    truth = sum(weights[name] * means[name] for name in weights)
    noise = np.random.Generator(stream("gate-v1", "stratified")).normal(0, 0.2, (2_000, sum(cases)))
    hits = 0
    for row in noise:
        parts = np.split(row, np.cumsum(cases)[:-1])
        groups = {n: (means[n] + part).tolist() for n, part in zip(weights, parts, strict=True)}
        estimate = stratified_mean(groups, weights)
        assert estimate.low is not None
        assert estimate.high is not None
        hits += estimate.low <= truth <= estimate.high
    assert 0.88 <= hits / 2_000 <= 0.92


def test_stratified_mean__refuses_one_category_without_weight_among_others() -> None:
    """All of them need one."""
    with pytest.raises(ValueError, match="positive weight"):
        stratified_mean({"a": [0.1, 0.2], "b": [0.1, 0.2]}, {"a": 1.0, "b": 0.0})
