"""Quantiles against scipy."""

from __future__ import annotations

import math

import pytest
from scipy import stats as scipy_stats

from gate.stats.student import _far_df, normal_cdf, t_cdf, t_quantile, z_quantile

DEGREES = [0.2, 0.5, 1, 1.5, 2, 3, 4.7, 11, 23, 99, 1_000, 9_999.5, 99_999, 100_001, 1e6, 1e8]
PROBABILITIES = [1e-12, 1e-6, 1e-3, 0.05, 0.2, 0.49999, 0.5, 0.6, 0.9, 0.95, 0.975, 0.999, 1 - 1e-9]


@pytest.mark.parametrize("df", DEGREES)
def test_t_quantile__agrees_with_scipy(df: float) -> None:
    """Every quantile is within 1e-9 of scipy's, from Cauchy tails to nearly normal ones."""
    expected = [float(scipy_stats.t.ppf(p, df)) for p in PROBABILITIES]
    assert pytest.approx(expected, rel=1e-9, abs=1e-9) == [t_quantile(p, df) for p in PROBABILITIES]


@pytest.mark.parametrize(
    ("p", "df", "expected"),
    [(0.95, 5, 2.015048), (0.95, 12, 1.782288), (0.975, 23, 2.068658), (0.75, 1, 1.0)],
)
def test_t_quantile__printed_tables(p: float, df: float, expected: float) -> None:
    """The values that printed t tables give."""
    assert pytest.approx(expected, abs=5e-7) == t_quantile(p, df)


def test_t_quantile__is_symmetric() -> None:
    """The lower quantile mirrors the upper one."""
    assert t_quantile(0.25, 7) == -t_quantile(0.75, 7)


def test_t_quantile__the_series_takes_over_without_a_jump() -> None:
    """On both sides of the switch at 100,000 degrees of freedom the values meet."""
    assert pytest.approx(t_quantile(0.95, 1e5), abs=1e-9) == t_quantile(0.95, 1e5 + 1)


def test_far_df__two_terms_of_the_series() -> None:
    """Where the third term is 1e-12 the series is as near to scipy: no term is off by a little."""
    expected = float(scipy_stats.t.ppf(0.95, 1e4))
    assert pytest.approx(expected, abs=1e-11) == _far_df(0.05, 1e4)


@pytest.mark.parametrize("p", [0.0, 1.0, -0.1, 1.1, math.nan, 1e-13, 9.9e-13])
def test_t_quantile__refuses_what_is_no_probability(p: float) -> None:
    """A probability off (0, 1), or in a tail nobody needs, is refused."""
    with pytest.raises(ValueError, match="probability inside"):
        t_quantile(p, 5)


@pytest.mark.parametrize("df", [0.0, -1.0, math.nan])
def test_t_quantile__refuses_no_degrees_of_freedom(df: float) -> None:
    """Degrees of freedom must be positive."""
    with pytest.raises(ValueError, match="must be positive"):
        t_quantile(0.9, df)


@pytest.mark.parametrize("p", [1e-12, 0.05, 0.5, 0.95, 0.975])
def test_z_quantile__agrees_with_scipy(p: float) -> None:
    """The normal quantile is scipy's."""
    assert pytest.approx(float(scipy_stats.norm.ppf(p)), rel=1e-12) == z_quantile(p)


@pytest.mark.parametrize("p", [0.0, 1.0, math.nan])
def test_z_quantile__refuses_what_is_no_probability(p: float) -> None:
    """The message names what was asked for."""
    with pytest.raises(ValueError, match="a quantile's probability must lie between 0 and 1"):
        z_quantile(p)


@pytest.mark.parametrize("z", [-30.0, -9.0, -1.0, 0.0, 2.0])
def test_normal_cdf__keeps_its_precision_in_the_tail(z: float) -> None:
    """Far out the probability is small, not zero."""
    assert pytest.approx(float(scipy_stats.norm.cdf(z)), rel=1e-12, abs=0.0) == normal_cdf(z)


@pytest.mark.parametrize("t", [-40.0, -2.5, -0.5, 0.0, 0.5, 1.3])
@pytest.mark.parametrize("df", [0.5, 3.0, 7.0, 42.0])
def test_t_cdf__agrees_with_scipy(t: float, df: float) -> None:
    """Both tails, far out as well."""
    assert float(scipy_stats.t.cdf(t, df)) == pytest.approx(t_cdf(t, df), rel=1e-9)


def test_t_cdf__needs_degrees_of_freedom() -> None:
    """None is no distribution."""
    with pytest.raises(ValueError, match="must be positive"):
        t_cdf(1.0, 0.0)
