"""Quantiles of the normal and of Student's t distribution, without scipy.

The normal quantile is the standard library's (Wichura 1988, algorithm AS 241). The t tail is the
regularised incomplete beta function, by Lentz's continued fraction (Abramowitz and Stegun 26.5.8
and 26.7.1; Press et al., Numerical Recipes, 6.4), and is inverted by Newton's method. Both agree
with scipy to 1e-8 or better over the range that they accept.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

from gate.stats.checked import share

SMALLEST_TAIL = 1e-12
"""Quantiles farther out than this are refused: no test here needs them."""

_SERIES_FROM_DF = 1e5
"""Above so many degrees of freedom the expansion in 1/df is more exact than the fraction."""

_FRACTION_TOLERANCE = 1e-15
_NEWTON_TOLERANCE = 1e-13
_TINY = 1e-300
"""Stands for a zero denominator in Lentz's method."""


def z_quantile(p: float) -> float:
    """Give the standard normal quantile at p; raises ValueError unless 0 < p < 1."""
    return NormalDist().inv_cdf(share(p, "a quantile's probability"))


def normal_cdf(z: float) -> float:
    """Give the standard normal probability below z, with its relative accuracy kept in the tail."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def t_cdf(t: float, df: float) -> float:
    """Give Student's t probability below t with df degrees of freedom.

    Raises ValueError when df is not positive.
    """
    if not df > 0.0:
        raise ValueError(f"degrees of freedom must be positive, not {df!r}")
    tail = _upper_tail(abs(t), df)
    return tail if t < 0.0 else 1.0 - tail


def t_quantile(p: float, df: float) -> float:
    """Give Student's t quantile at p with df degrees of freedom (df need not be whole).

    Raises ValueError when df is not positive, or when p or 1 - p is below `SMALLEST_TAIL`.
    """
    if not df > 0.0:
        raise ValueError(f"degrees of freedom must be positive, not {df!r}")
    tail = min(p, 1.0 - p)
    if not tail >= SMALLEST_TAIL:
        raise ValueError(f"a t quantile needs a probability inside (0, 1), not {p!r}")
    distance = _far_df(tail, df) if df > _SERIES_FROM_DF else _newton(tail, df)
    return math.copysign(distance, p - 0.5)


def _far_df(tail: float, df: float) -> float:
    """Expand the quantile in 1/df (Abramowitz and Stegun 26.7.5, first two terms)."""
    z = -z_quantile(tail)
    first = (z**3 + z) / 4.0
    second = (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / 96.0
    return z + first / df + second / df**2


@lru_cache(maxsize=4_096)
def _newton(tail: float, df: float) -> float:
    """Solve upper_tail(t) = tail for t >= 0.

    The tail is convex and falling there, so Newton's steps from 0 rise to the root and cannot
    jump over it; a step that is no longer a rise is rounding, and ends the search.
    """
    scale = math.lgamma((df + 1.0) / 2.0) - math.lgamma(df / 2.0) - 0.5 * math.log(df * math.pi)
    t = 0.0
    step = math.inf
    while step > _NEWTON_TOLERANCE * t:
        density = math.exp(scale - 0.5 * (df + 1.0) * math.log1p(t * t / df))
        step = (_upper_tail(t, df) - tail) / density
        t += step
    return t


def _upper_tail(t: float, df: float) -> float:
    """Give P(T > t) for t >= 0."""
    if t == 0.0:
        return 0.5
    square = t * t
    outside, inside = df / (df + square), square / (df + square)
    a, b = df / 2.0, 0.5
    if outside < (a + 1.0) / (a + b + 2.0):
        return 0.5 * _incomplete_beta(a, b, outside, inside)
    return 0.5 - 0.5 * _incomplete_beta(b, a, inside, outside)


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Give I_x(a, b), with y = 1 - x handed in unrounded."""
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(y),
    )
    c = 1.0
    d = 1.0 / _off_zero(1.0 - (a + b) * x / (a + 1.0))
    fraction = d
    factor = math.inf
    m = 0
    while abs(factor - 1.0) > _FRACTION_TOLERANCE:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        factor = 1.0
        for term in (even, odd):
            d = 1.0 / _off_zero(1.0 + term * d)
            c = _off_zero(1.0 + term / c)
            factor *= d * c
        fraction *= factor
    return front * fraction / a


def _off_zero(value: float) -> float:
    """Keep a denominator of Lentz's method away from zero."""
    return math.copysign(max(abs(value), _TINY), value)
