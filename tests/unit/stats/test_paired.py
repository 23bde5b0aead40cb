"""Tests for a drop: published vectors, scipy, and simulation."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from gate.stats.paired import (
    drop_p,
    guarded_bound_of_moments,
    guarded_lower_bound,
    paired_differences,
    run_label_p,
    sign_flip_p,
    t_interval,
    t_quantile,
)
from gate.stats.seeded import stream

G1 = [0.0, 0.0, 0.0, -0.5, 0.0, 0.0]
G2 = [-0.05, 0.0, -0.6, -0.4, 0.0, -0.55, 0.05, 0.0]
G3 = [0.0] * 12
G4 = [-0.1, -0.2, 0.0, -0.3, -0.05, -0.15, 0.0, 0.05, -0.25, -0.1, 0.0, -0.2]

HUNDREDTHS = st.lists(st.integers(-100, 100).map(lambda x: x / 100), min_size=1, max_size=12)


def noise(purpose: str) -> np.random.Generator:
    """A seeded source of noise for one simulation."""
    return np.random.Generator(stream("gate-v1", purpose))


def exact_share(units: list[int]) -> float:
    """The sign-flip p by counting every sum, one difference after another, in whole numbers."""
    ways = Counter({0: 1})
    for unit in units:
        following: Counter[int] = Counter()
        for total, count in ways.items():
            following[total + unit] += count
            following[total - unit] += count
        ways = following
    hits = sum(count for total, count in ways.items() if total <= sum(units))
    return float(Fraction(hits, 2 ** len(units)))


# ---- sign flips


@pytest.mark.parametrize(
    ("d", "p", "method", "nonzero"),
    [
        (G1, 0.5, "exact", 1),
        (G2, 0.09375, "exact", 5),
        (G3, 1.0, "none", 0),
        (G4, 0.005859375, "exact", 9),
        ([0.0], 1.0, "none", 0),
        ([0.3], 1.0, "exact", 1),
        ([-1.0] * 6, 0.015625, "exact", 6),
        ([-1.0] * 16, 2.0**-16, "exact", 16),
    ],
)
def test_sign_flip_p__published_vectors(
    d: list[float],
    p: float,
    method: str,
    nonzero: int,
) -> None:
    """Enumerated p-values, to the last digit: they are counts over a power of two."""
    flip = sign_flip_p(d)
    assert (p, method, nonzero) == (flip.p, flip.method, flip.nonzero)


@pytest.mark.parametrize("name", ["G1", "G2", "G3", "G4"])
def test_gate_vectors__from_the_file(data_dir: Path, name: str) -> None:
    """The stored vectors: p, the two ends of the 90% interval, the guarded bound."""
    vector = json.loads((data_dir / "stat-vectors" / "gate_vectors.json").read_text())[name]
    low, high = t_interval(vector["d"])
    expected = [vector[key] for key in ("p_signflip_exact", "t_lower", "t_upper", "guarded_lower")]
    actual = [sign_flip_p(vector["d"]).p, low, high, guarded_lower_bound(vector["d"])]
    assert pytest.approx(expected, abs=1e-6) == actual


@given(HUNDREDTHS)
@example([-0.54, -0.68, 0.22, 1.0])
@settings(max_examples=60, deadline=None)
def test_sign_flip_p__agrees_with_counting_and_with_scipy(d: list[float]) -> None:
    """The exact p is a count of sign patterns, and scipy's permutation test finds the same.

    scipy is given whole hundredths: it takes sums that differ in their last bit alone for
    different ones where the observed sum is nearly zero.
    """
    flip = sign_flip_p(d)
    hundredths = [round(x * 100) for x in d]
    assert exact_share([x for x in hundredths if x]) == flip.p
    if len(d) > 1:
        oracle = scipy_stats.permutation_test(
            (np.array(hundredths, dtype=float),),
            lambda x, axis: np.sum(x, axis=axis),
            permutation_type="samples",
            alternative="less",
            n_resamples=np.inf,
            vectorized=True,
        )
        assert pytest.approx(float(oracle.pvalue)) == flip.p


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=14))
@settings(max_examples=60, deadline=None)
def test_sign_flip_p__bounds_and_mirror(d: list[float]) -> None:
    """P lies in (0, 1]; a drop and the mirrored rise cannot both look unlikely."""
    down, up = sign_flip_p(d).p, sign_flip_p([-x for x in d]).p
    assert 0.0 < down <= 1.0
    assert down + up >= 1.0


@given(
    st.lists(st.integers(-20, 20).map(lambda x: x / 20), min_size=1, max_size=40),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None)
def test_sign_flip_p__does_not_depend_on_the_order(d: list[float], random: Random) -> None:
    """Not even above 16 differences, where flips are drawn; zeros change nothing either."""
    shuffled = [*d, 0.0]
    random.shuffle(shuffled)
    assert sign_flip_p(d, flips=500).p == sign_flip_p(shuffled, flips=500).p


def test_sign_flip_p__thirds_tie_whatever_their_rounding() -> None:
    """-1/3 - 1/3 + 2/3 is zero, and so are its mirror image and the other zero sum."""
    d = [-1 / 3, -1 / 3, 2 / 3]
    assert 5 / 8 == sign_flip_p(d).p == sign_flip_p([-x for x in d]).p


def test_sign_flip_p__float_dust_is_zero() -> None:
    """Means of equal scores that differ in the last digit did not change."""
    dust = (0.1 + 0.2) - 0.3
    assert dust != 0.0
    assert 1 == sign_flip_p([dust, -0.5, dust]).nonzero


def test_sign_flip_p__large_and_tiny_units() -> None:
    """Milliseconds, tokens and dollars are tested as scores are."""
    for unit in (1e-5, 1.0, 1e4, 1e12):
        assert 0.005859375 == sign_flip_p([x * unit for x in G4]).p


def test_sign_flip_p__sampled_flips_come_near_the_count() -> None:
    """Above 16 differences: within four standard errors of the exact share."""
    units = noise("near-the-count").integers(-100, 60, 24).tolist()
    exact = exact_share(units)
    flip = sign_flip_p([unit / 100 for unit in units])
    assert "sampled" == flip.method
    assert abs(flip.p - exact) <= 4 * math.sqrt(exact * (1 - exact) / 20_000)


def test_sign_flip_p__sampled_flips_are_never_zero() -> None:
    """One is added to both counts."""
    flip = sign_flip_p([-0.5] * 40, flips=999)
    assert pytest.approx(1 / 1000) == flip.p


def test_sign_flip_p__seed_decides_the_flips() -> None:
    """The same seed gives the same p, another one a slightly different one."""
    d = noise("seed-decides").normal(-0.05, 0.3, 30).tolist()
    assert sign_flip_p(d) == sign_flip_p(d, seed="gate-v1")
    assert sign_flip_p(d).p != sign_flip_p(d, seed="gate-v2").p


def test_sign_flip_p__is_pinned() -> None:
    """A fixed input and seed: a change here changes verdicts."""
    assert 0.24358782060896955 == sign_flip_p([-0.1, -0.3, 0.2, -0.05, 0.1] * 4).p


def test_sign_flip_p__normal_limit_above_two_thousand() -> None:
    """The limit takes over without a jump, and is the z test of the signed sum."""
    d = noise("normal-limit").normal(-0.004, 0.2, 2_001)
    limit, sampled = sign_flip_p(d.tolist()), sign_flip_p(d[:2_000].tolist())
    z = d.sum() / math.sqrt((d**2).sum())
    assert ("normal", 2_001, "sampled") == (limit.method, limit.nonzero, sampled.method)
    assert pytest.approx(float(scipy_stats.norm.cdf(z)), abs=1e-6) == limit.p
    assert abs(limit.p - sampled.p) < 0.03


def test_sign_flip_p__normal_limit_is_never_zero() -> None:
    """A p-value of zero would say the impossible."""
    assert 0.0 < sign_flip_p([-1.0] * 3_000).p < 1e-300


def test_sign_flip_p__weights_scale_the_differences() -> None:
    """Weights of 1 and 3 are as if the heavier differences were three times as large."""
    d, w = [-0.2, 0.1, -0.3, 0.25, -0.1], [1.0, 3.0, 1.0, 1.0, 3.0]
    assert exact_share([-20, 30, -30, 25, -30]) == sign_flip_p(d, weights=w).p
    assert sign_flip_p(d, weights=w) == sign_flip_p(d, weights=[x * 1e-12 for x in w])


def test_sign_flip_p__equal_weights_change_nothing() -> None:
    """Not the exact p, and not the drawn one."""
    d = noise("equal-weights").integers(-10, 8, 25).tolist()
    assert sign_flip_p(d) == sign_flip_p(d, weights=[0.04] * 25)
    assert sign_flip_p(G4) == sign_flip_p(G4, weights=[2.0] * 12)


@pytest.mark.parametrize("weights", [[1.0], [0.0, 0.0], [1.0, -1.0]])
def test_sign_flip_p__refuses_weights_that_do_not_weigh(weights: list[float]) -> None:
    """Too few, none, or negative."""
    with pytest.raises(ValueError, match="need 2 weights"):
        sign_flip_p([0.1, -0.2], weights=weights)


def test_sign_flip_p__refuses_nothing_and_nan() -> None:
    """No differences is no test, and NaN is no difference."""
    with pytest.raises(ValueError, match="at least one difference"):
        sign_flip_p([])
    with pytest.raises(ValueError, match="differences: every number must be finite"):
        sign_flip_p([0.1, math.nan])


def test_sign_flip_p__two_thousand_differences_within_a_second() -> None:
    """The slowest case: as many sampled flips as there ever are."""
    d = noise("speed").normal(0.0, 0.3, 2_000).tolist()
    started = time.perf_counter()
    assert "sampled" == sign_flip_p(d).method
    assert time.perf_counter() - started < 1.0


@pytest.mark.parametrize(
    ("n", "flaky"),
    [(12, False), (12, True), (24, True)],
)
def test_sign_flip_p__false_alarms_near_five_percent(n: int, *, flaky: bool) -> None:
    """No change, 1,500 gates: about 5% of p at most 0.05 (fewer where few cases move)."""
    draw = noise(f"false-alarms {n} {flaky}")
    jitter = draw.normal(0.0, 0.05, (1_500, n)).round(3)
    if flaky:
        flips = draw.choice([-0.6, 0.0, 0.6], (1_500, n), p=[0.1, 0.8, 0.1])
        jitter = np.where(draw.random((1_500, n)) < 0.4, jitter, 0.0) + flips
    alarms = sum(sign_flip_p(row, flips=1_000).p <= 0.05 for row in jitter.tolist()) / 1_500
    assert 0.03 <= alarms <= 0.066


# ---- both tests together


def test_paired_differences__means_of_repeats() -> None:
    """Repeats are averaged before anything is compared."""
    expected = [-0.25, 0.5]
    assert pytest.approx(expected) == paired_differences([[0.5, 0.0], [1.0]], [[0.5], [0.25, 0.75]])


def test_drop_p__equal_repeats_need_one_test() -> None:
    """With as many repeats before as after in every case, the sign-flip p is the p."""
    drop = drop_p([[0.5, 0.7], [0.1]], [[0.8, 0.8], [0.4]])
    assert (0.25, "exact", 0.25, None) == (drop.p, drop.method, drop.sign_flip_p, drop.run_label_p)


def test_drop_p__unequal_repeats_take_the_larger_p() -> None:
    """Both p-values are kept, and the larger one counts, whichever it is."""
    draw = noise("unequal")
    larger = set()
    for _ in range(8):
        new, base = draw.random((10, 1)).tolist(), draw.random((10, 3)).tolist()
        drop = drop_p(new, base)
        assert drop.run_label_p == run_label_p(new, base)
        assert drop.sign_flip_p == sign_flip_p(paired_differences(new, base)).p
        assert drop.run_label_p is not None
        assert max(drop.sign_flip_p, drop.run_label_p) == drop.p
        larger.add(drop.run_label_p > drop.sign_flip_p)
    assert {True, False} == larger


@pytest.mark.parametrize("base", [[[0.8], [0.4, 0.4]], [[0.8, 0.8], [0.4, 0.4]]])
def test_drop_p__one_case_with_other_repeats_is_unequal(base: list[list[float]]) -> None:
    """Equal totals are not equal repeats, nor is it enough that some cases have as many."""
    drop = drop_p([[0.5, 0.5], [0.1]], base)
    assert drop.run_label_p is not None


def test_drop_p__refuses_no_cases() -> None:
    """No case in common is no comparison."""
    with pytest.raises(ValueError, match="at least one"):
        drop_p([], [])


# ---- intervals


@pytest.mark.parametrize(
    ("d", "low", "high"),
    [
        (G1, -0.251254, 0.084587),
        (G2, -0.377574, -0.009926),
        (G3, 0.0, 0.0),
        (G4, -0.166645, -0.050021),
    ],
)
def test_t_interval__published_vectors(d: list[float], low: float, high: float) -> None:
    """The 90% interval, whose ends are one-sided 95% bounds."""
    assert pytest.approx((low, high), abs=1e-6) == t_interval(d)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=40), st.sampled_from([0.8, 0.9, 0.95]))
@settings(deadline=None)
def test_t_interval__agrees_with_scipy(d: list[float], confidence: float) -> None:
    """The textbook interval from scipy's t quantile."""
    half = scipy_stats.t.ppf(0.5 + confidence / 2, len(d) - 1) * np.std(d, ddof=1) / len(d) ** 0.5
    expected = (np.mean(d) - half, np.mean(d) + half)
    assert pytest.approx(expected, abs=1e-9) == t_interval(d, confidence)


@pytest.mark.parametrize("d", [[], [0.3]])
def test_t_interval__unknown_below_two_cases(d: list[float]) -> None:
    """One difference has no spread."""
    assert (None, None) == t_interval(d)


def test_t_interval__refuses_percents() -> None:
    """90 is not 0.90."""
    with pytest.raises(ValueError, match="confidence"):
        t_interval(G4, 90)


@pytest.mark.parametrize("n", [6, 24])
def test_t_interval__covers_as_often_as_it_says(n: int) -> None:
    """90% intervals hold the true mean in about 90% of 2,000 runs."""
    hits = 0
    for row in noise(f"coverage {n}").normal(-0.1, 0.2, (2_000, n)):
        low, high = t_interval(row.tolist())
        assert low is not None
        assert high is not None
        hits += low <= -0.1 <= high
    assert 0.88 <= hits / 2_000 <= 0.92


@pytest.mark.parametrize(
    ("d", "expected"),
    [(G1, -0.322045), (G2, -0.399017), (G3, -0.107011), (G4, -0.214073)],
)
def test_guarded_lower_bound__published_vectors(d: list[float], expected: float) -> None:
    """Twelve unchanged cases are no proof of a drop below 0.10."""
    assert pytest.approx(expected, abs=1e-6) == guarded_lower_bound(d)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.sampled_from([-1.0, -0.5, 0.0]))
@settings(deadline=None)
def test_guarded_lower_bound__is_the_t_bound_with_one_more_case(
    d: list[float],
    pseudo: float,
) -> None:
    """The pseudo-case is a case: the 90% interval of the longer list starts at the bound."""
    expected = t_interval([*d, pseudo])[0]
    assert pytest.approx(expected, abs=1e-9) == guarded_lower_bound(d, pseudo=pseudo)


def test_guarded_lower_bound__nothing_measured() -> None:
    """No difference, no bound: a guess is not evidence."""
    assert guarded_lower_bound([]) is None


def test_guarded_bound_of_moments__by_the_degrees_of_freedom_that_are_given() -> None:
    """Weighted and clustered means have fewer than cases: the same error, a wider bound."""
    centre, many = ((-0.5 / 13), guarded_bound_of_moments(0.0, 0.2, 12))
    few = guarded_bound_of_moments(0.0, 0.2, 12, df=3.0)
    widths = [(centre - bound) / t_quantile(0.95, df) for bound, df in ((many, 12), (few, 3.0))]

    assert widths[0] == pytest.approx(widths[1])
    assert few < many


def test_guarded_bound_of_moments__refuses_percents() -> None:
    """95 is not 0.95."""
    with pytest.raises(ValueError, match="confidence"):
        guarded_bound_of_moments(0.0, 0.1, 10, confidence=95)


def test_guarded_lower_bound__rare_hard_failures_do_not_pass() -> None:
    """One case of twelve fails, a drop of 0.05: the plain bound often passes it, ours hardly."""
    draw = noise("hard-failures")
    failing = np.where(draw.random((2_000, 24)) < 1 / 12, -0.6, 0.0)
    rows = (failing + draw.normal(0.0, 0.02, (2_000, 24))).tolist()
    plain = sum((t_interval(d)[0] or 0.0) > -0.05 for d in rows) / 2_000
    guarded = sum((guarded_lower_bound(d) or 0.0) > -0.05 for d in rows) / 2_000
    assert plain > 0.10
    assert guarded < 0.02
