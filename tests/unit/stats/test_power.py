"""What a run can see, decide and settle."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.stats.paired import guarded_lower_bound, sign_flip_p
from gate.stats.power import (
    can_fail,
    can_pass,
    cases_needed,
    pass_rate,
    settling_cases,
    smallest_visible_drop,
)
from gate.stats.seeded import stream

SIZES = [6, 12, 24, 48, 100, 400]


@pytest.mark.parametrize(
    ("sd", "expected"),
    [
        (0.05, [0.051, 0.036, 0.025, 0.018, 0.012, 0.006]),
        (0.12, [0.122, 0.086, 0.061, 0.043, 0.030, 0.015]),
        (0.25, [0.254, 0.179, 0.127, 0.090, 0.062, 0.031]),
        (0.40, [0.406, 0.287, 0.203, 0.144, 0.099, 0.050]),
    ],
)
def test_smallest_visible_drop__published_table(sd: float, expected: list[float]) -> None:
    """One-sided 5%, power 80%."""
    assert pytest.approx(expected, abs=5.1e-4) == [smallest_visible_drop(sd, n) for n in SIZES]


@pytest.mark.parametrize(
    ("sd", "expected"),
    [(0.05, [7, 2, 1]), (0.12, [36, 9, 3]), (0.25, [155, 39, 10]), (0.40, [396, 99, 25])],
)
def test_cases_needed__published_table(sd: float, expected: list[int]) -> None:
    """For drops of 0.05, 0.10 and 0.20."""
    assert expected == [cases_needed(sd, drop) for drop in (0.05, 0.10, 0.20)]


@pytest.mark.parametrize(("sd", "n"), [(None, 24), (0.1, 0), (None, 0)])
def test_smallest_visible_drop__unknown(sd: float | None, n: int) -> None:
    """Without a spread or without cases nothing can be said."""
    assert smallest_visible_drop(sd, n) is None


def test_smallest_visible_drop__no_noise_sees_everything() -> None:
    """Without noise any drop is visible."""
    assert 0.0 == smallest_visible_drop(0.0, 5)


@given(st.floats(0.01, 1.0), st.floats(0.01, 0.5))
def test_cases_needed__is_the_inverse_of_the_visible_drop(sd: float, drop: float) -> None:
    """With so many cases the drop is visible; with one fewer it is not."""
    n = cases_needed(sd, drop)
    assert (smallest_visible_drop(sd, n) or 0.0) <= drop + 1e-9
    assert n == 1 or (smallest_visible_drop(sd, n - 1) or 0.0) > drop - 1e-9


def test_cases_needed__at_least_one() -> None:
    """Without noise one case would do."""
    assert 1 == cases_needed(0.0, 0.05)


@pytest.mark.parametrize("drop", [0.0, -0.05, math.nan])
def test_cases_needed__refuses_a_drop_that_is_none(drop: float) -> None:
    """A drop is given as a size."""
    with pytest.raises(ValueError, match="positive size"):
        cases_needed(0.1, drop)


@pytest.mark.parametrize(
    ("n", "tests", "expected"),
    [
        (3, 1, False),
        (4, 1, True),
        (7, 18, False),
        (8, 18, True),
        (5_000, 18, True),
        (0, 1, False),
        (24, 0, False),
    ],
)
def test_can_fail__at_ten_percent(n: int, tests: int, *, expected: bool) -> None:
    """Eighteen tests need eight cases, one test four."""
    assert expected is can_fail(n, tests, 0.10)


@pytest.mark.parametrize(("n", "expected"), [(0, False), (1, True)])
def test_can_fail__takes_a_case(n: int, *, expected: bool) -> None:
    """One case reaches 1/2, which is within 1/2; none reaches nothing, not even where all fails."""
    assert expected is can_fail(n, 1, 0.5)
    assert expected is can_fail(n, 1, 1.0)


@pytest.mark.parametrize("n", range(2, 12))
def test_can_fail__is_what_the_test_can_reach(n: int) -> None:
    """The rule agrees with the smallest p of n cases that all got worse."""
    assert can_fail(n, 6, 0.10) is (6 * sign_flip_p([-0.5] * n).p <= 0.10)


@pytest.mark.parametrize(
    ("n", "margin", "expected"),
    [(0, 0.10, False), (1, 0.10, False), (12, 0.10, False), (13, 0.10, True), (13, 0.05, False)],
)
def test_can_pass__thirteen_cases_at_a_margin_of_a_tenth(
    n: int,
    margin: float,
    *,
    expected: bool,
) -> None:
    """Twelve unchanged cases do not exclude a drop of 0.10, thirteen do."""
    assert expected is can_pass(n, margin)


@pytest.mark.parametrize("n", [1, 5, 12, 13, 26, 27, 60])
def test_can_pass__is_the_guarded_bound_of_zeros(n: int) -> None:
    """The rule agrees with the pass rule itself."""
    assert can_pass(n, 0.05) is ((guarded_lower_bound([0.0] * n) or 0.0) > -0.05)


def test_can_pass__one_case_within_a_wide_margin() -> None:
    """Its bound is -1/4 - t/4 with t = 6.314 at one degree of freedom: -1.83."""
    assert can_pass(1, 1.9)
    assert 1.0 == pass_rate(0.0, 1, 1.9)
    assert 1 == settling_cases(0.0, 0.0, 1.9, 1)
    assert 1 == settling_cases(0.0, 0.0, 1.9, 10)
    assert not can_pass(1, 1.8)


def test_can_pass__a_bound_at_the_margin_is_not_above_it() -> None:
    """Of thirteen unchanged cases: at their very bound they fail, a hair below it they pass."""
    bound = guarded_lower_bound([0.0] * 13)
    assert bound is not None
    wider = math.nextafter(-bound, 1.0)

    assert (False, True) == (can_pass(13, -bound), can_pass(13, wider))
    assert (0.0, 1.0) == (pass_rate(0.0, 13, -bound), pass_rate(0.0, 13, wider))
    assert (14, 13) == tuple(settling_cases(0.0, 0.0, margin, 99) for margin in (-bound, wider))


def test_settling_cases__unchanged_cases() -> None:
    """Twelve zeros need a thirteenth."""
    assert 13 == settling_cases(0.0, 0.0, 0.10, 1_000)


@pytest.mark.parametrize(("mean", "sd"), [(-0.1, 0.0), (-0.1, 0.14), (-0.2, 0.1)])
def test_settling_cases__a_mean_at_the_margin_never_settles(mean: float, sd: float) -> None:
    """More of the same would not pass."""
    assert settling_cases(mean, sd, 0.10, 10**9) is None


def test_settling_cases__a_lenient_bound_does_not_settle_it_either() -> None:
    """Whatever the guard and the confidence: a mean at the margin is not within it."""
    assert settling_cases(-0.1, 0.0, 0.10, 1_000, pseudo=0.0, confidence=0.6) is None


@pytest.mark.parametrize("most", [0, 12])
def test_settling_cases__too_many(most: int) -> None:
    """More cases than there are."""
    assert settling_cases(0.0, 0.0, 0.10, most) is None


@given(
    st.lists(st.integers(-30, 40).map(lambda x: x / 100), min_size=2, max_size=20),
    st.sampled_from([0.05, 0.10, 0.20]),
)
@settings(deadline=None)
def test_settling_cases__is_the_turning_point(d: list[float], margin: float) -> None:
    """With the present mean and spread, so many cases pass and one fewer do not."""
    n = settling_cases(float(np.mean(d)), float(np.std(d, ddof=1)), margin, 10**7)
    if n is None:
        assert np.mean(d) <= -margin + 1e-3
    elif n > 2:
        assert of_size(n, d) > -margin
        assert of_size(n - 1, d) <= -margin
    else:
        assert of_size(2, d) > -margin


def of_size(n: int, d: list[float]) -> float:
    """The guarded bound of n made-up differences with the mean and the sample sd of d."""
    shape = np.arange(n) - (n - 1) / 2 if n < 10**5 else np.tile([-1.0, 1.0], n // 2 + 1)[:n]
    shape = shape - shape.mean()
    made = np.mean(d) + shape / np.std(shape, ddof=1) * np.std(d, ddof=1)
    return guarded_lower_bound(made.tolist()) or 0.0


def test_smallest_visible_drop__is_found_four_times_of_five() -> None:
    """1,000 runs with exactly that drop: about 80% of one-sided 5% tests find it."""
    drop = smallest_visible_drop(0.2, 30)
    assert drop is not None
    draw = np.random.Generator(stream("gate-v1", "power"))
    runs = draw.normal(-drop, 0.2, (1_000, 30)).tolist()
    found = sum(sign_flip_p(d, flips=1_000).p <= 0.05 for d in runs) / 1_000
    assert 0.76 <= found <= 0.84


@pytest.mark.parametrize(
    ("sd", "n", "expected"),
    [(0.13, 24, 0.82), (0.13, 48, 0.99), (0.245, 24, 0.48), (0.245, 48, 0.78), (0.40, 100, 0.77)],
)
def test_pass_rate__near_the_published_simulation(sd: float, n: int, expected: float) -> None:
    """Unchanged runs at a margin of 0.10, simulated with many ties and rare flips of answers."""
    assert pytest.approx(expected, abs=0.08) == pass_rate(sd, n, 0.10)


@pytest.mark.parametrize("sd", [0.05, 0.15, 0.3])
@pytest.mark.parametrize("n", [13, 24, 60])
def test_pass_rate__is_what_normal_differences_do(sd: float, n: int) -> None:
    """Simulated with the very bound that decides."""
    rng = np.random.Generator(stream("pass-rate", f"{sd} {n}"))
    draws = rng.normal(0.0, sd, (2_000, n))
    bounds = [guarded_lower_bound(row.tolist()) for row in draws]
    share = sum(bound is not None and bound > -0.10 for bound in bounds) / len(bounds)

    assert pytest.approx(share, abs=0.05) == pass_rate(sd, n, 0.10)


@pytest.mark.parametrize(("n", "expected"), [(0, 0.0), (1, 0.0), (12, 0.0), (13, 1.0), (48, 1.0)])
def test_pass_rate__without_noise(n: int, expected: float) -> None:
    """All or nothing: thirteen cases are the least that pass."""
    assert expected == pass_rate(0.0, n, 0.10)


def test_pass_rate__rises_with_the_cases() -> None:
    """And falls with the noise."""
    rates = [pass_rate(0.2, n, 0.10) for n in SIZES]

    assert sorted(rates) == rates
    assert pass_rate(0.3, 48, 0.10) < pass_rate(0.1, 48, 0.10)


def test_pass_rate__noise_that_no_rise_outweighs() -> None:
    """Two cases that jump by fifty: no mean of scores on [0, 1] would pass.

    Of thirteen, a mean of 1 would pass up to a spread of 2.14: (12.5 - 1.77 x 14 se) / 14 > -0.10.
    """
    assert 0.0 == pass_rate(50.0, 2, 0.10)
    assert 0.0 < pass_rate(2.14, 13, 0.10) < 0.05
    assert 0.0 == pass_rate(2.15, 13, 0.10)
