"""Adjusted p-values against scipy, statsmodels and their definitions."""

from __future__ import annotations

import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from statsmodels.stats.multitest import multipletests

from gate.stats.correction import benjamini_hochberg, holm
from gate.stats.seeded import stream, uniforms

PS = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=25)


@pytest.mark.parametrize("adjust", [benjamini_hochberg, holm])
def test_adjust__nothing_tested(adjust: object) -> None:
    """No tests, no adjusted p-values."""
    assert callable(adjust)
    assert [] == adjust([])


def test_benjamini_hochberg__worked_example() -> None:
    """Four tests: each p times 4 over its rank, kept rising from the top."""
    expected = [0.04, 0.2, 0.053333, 0.053333]
    assert pytest.approx(expected, abs=1e-6) == benjamini_hochberg([0.01, 0.2, 0.04, 0.03])


def test_holm__worked_example() -> None:
    """Four tests: 4, 3, 2, 1 times the p-values, kept rising from the bottom."""
    assert pytest.approx([0.04, 0.2, 0.09, 0.09]) == holm([0.01, 0.2, 0.04, 0.03])


@given(PS)
def test_benjamini_hochberg__agrees_with_scipy(ps: list[float]) -> None:
    """Same values as scipy's false_discovery_control, in the order given."""
    expected = false_discovery_control(ps, method="bh").tolist()
    assert pytest.approx(expected, abs=1e-12) == benjamini_hochberg(ps)


@given(PS)
@settings(max_examples=25, deadline=None)
def test_holm__agrees_with_statsmodels(ps: list[float]) -> None:
    """Same values as statsmodels' multipletests, in the order given."""
    expected = multipletests(ps, method="holm")[1].tolist()
    assert pytest.approx(expected, abs=1e-12) == holm(ps)


@given(PS)
def test_adjust__orders_and_bounds(ps: list[float]) -> None:
    """Neither p falls, Holm is never below BH, and both keep the order of the p-values."""
    bh, strict = benjamini_hochberg(ps), holm(ps)
    assert all(
        p <= b + 1e-12 and b <= s + 1e-12 and s <= 1.0
        for p, b, s in zip(ps, bh, strict, strict=True)
    )
    for adjusted in (bh, strict):
        by_p = [a for _, a in sorted(zip(ps, adjusted, strict=True))]
        assert sorted(by_p) == by_p


@given(PS, st.randoms(use_true_random=False))
def test_adjust__follows_its_test_through_a_shuffle(ps: list[float], random: Random) -> None:
    """The order of the tests changes nothing but the order of the answers."""
    order = list(range(len(ps)))
    random.shuffle(order)
    shuffled = [ps[i] for i in order]
    assert [benjamini_hochberg(ps)[i] for i in order] == benjamini_hochberg(shuffled)
    assert [holm(ps)[i] for i in order] == holm(shuffled)


@pytest.mark.parametrize("bad", [-0.01, 1.01, math.nan])
def test_adjust__refuses_what_is_no_p_value(bad: float) -> None:
    """A test that did not run is left out, not handed on as NaN."""
    with pytest.raises(ValueError, match="leave out tests that did not run"):
        holm([0.5, bad])
    with pytest.raises(ValueError, match="leave out tests that did not run"):
        benjamini_hochberg([0.5, bad])


def test_benjamini_hochberg__without_any_effect_fails_as_often_as_it_says() -> None:
    """The global null: the smallest adjusted p is at most q = 0.10 in about 10% of 4,000 gates."""
    gates = uniforms(stream("gate-v1", "global-null"), 4_000 * 6).reshape(4_000, 6).tolist()
    false_alarms = sum(min(benjamini_hochberg(ps)) <= 0.10 for ps in gates) / len(gates)
    assert 0.085 <= false_alarms <= 0.115
