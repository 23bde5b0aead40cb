"""The test of one category: pooled spread, checked by run labels."""

from __future__ import annotations

import math
import random

import pytest

from gate.stats.categories import category_tests
from gate.stats.columns import Repeats
from gate.stats.run_labels import run_label_p
from gate.stats.student import t_cdf

BEFORE = [[0.8, 0.9, 0.85, 0.9, 0.8]] * 16
SPLIT = ["a"] * 8 + ["b"] * 8


def sides(new: list[float]) -> tuple[Repeats, Repeats]:
    """Single new scores against five old ones."""
    return Repeats.of([[one] for one in new]), Repeats.of(BEFORE)


def test_category_tests__pooled_t_by_hand() -> None:
    """s^2 is the sum of squares within both categories over 14."""
    new = [0.85, 0.75] * 4 + [0.95, 0.85] * 4
    (a, b) = category_tests(*sides(new), SPLIT, fewest=8)
    s = math.sqrt(16 * 0.05**2 / 14)

    assert ("a", tuple(range(8)), 8) == (a.category, a.places, a.units)
    by_t = t_cdf(-0.05 / (s / math.sqrt(8)), 14)
    label = run_label_p(*(side.take([True] * 8 + [False] * 8) for side in sides(new)))
    assert a.p == pytest.approx(max(by_t, label))
    # Above its own answers by as much: no drop, and no shuffling.
    assert b.p == pytest.approx(t_cdf(0.05 / (s / math.sqrt(8)), 14))


def test_category_tests__half_of_a_category_that_broke_is_seen() -> None:
    """Four of eight cases lose 0.6: by sign flips 1/16 at best, here far less."""
    new = [0.25] * 4 + [0.85] * 12
    (a, b) = category_tests(*sides(new), SPLIT, fewest=8)

    assert a.p < 0.002
    assert b.p > 0.1


def test_category_tests__flaky_category_is_no_drop() -> None:
    """Cases that failed before as often as now: the run labels know."""
    flaky = [[0.9, 0.3, 0.9, 0.3, 0.9]] * 8
    quiet = [[0.9] * 5] * 8
    new = Repeats.of([[0.3], [0.9]] * 3 + [[0.3], [0.3]] + [[0.9]] * 8)
    (a, _) = category_tests(new, Repeats.of(flaky + quiet), SPLIT, fewest=8)

    assert a.p > 0.1


def test_category_tests__only_with_enough_cases() -> None:
    """Seven cases are not tested, and count in the spread all the same."""
    found = category_tests(*sides([0.85] * 16), ["a"] * 7 + ["b"] * 9, fewest=8)

    assert ["b"] == [one.category for one in found]


@pytest.mark.parametrize("categories", [["a"] * 16, [f"c{i}" for i in range(16)]])
def test_category_tests__nothing_to_tell(categories: list[str]) -> None:
    """One category is all cases; one case each has no spread."""
    assert [] == category_tests(*sides([0.85] * 16), categories, fewest=1)


def test_category_tests__no_spread_at_all() -> None:
    """Where nothing varies, a drop of all is certain by t and left to the labels; none is none."""
    steady = Repeats.of([[0.9] * 3] * 16)
    fell = Repeats.of([[0.5]] * 8 + [[0.9]] * 8)
    (a, b) = category_tests(fell, steady, SPLIT, fewest=8)

    assert a.p < 0.001
    assert 1.0 == b.p


def test_category_tests__no_spread_and_no_drop_is_not_shuffled() -> None:
    """Each mean is what it was, or better: p is 1, though some labels would give more."""
    base = Repeats.of([[0.25, 0.75]] * 16)
    (a, b) = category_tests(Repeats.of([[0.5]] * 8 + [[0.625]] * 8), base, SPLIT, fewest=8)

    assert (1.0, 1.0) == (a.p, b.p)


def test_category_tests__clusters_count_as_one() -> None:
    """Eight cases of two sources are two units, too few to be tested."""
    clusters = ["x"] * 4 + ["y"] * 4 + [f"z{i}" for i in range(8)]
    found = category_tests(*sides([0.85] * 16), SPLIT, clusters=clusters, fewest=8)

    assert [("b", 8)] == [(one.category, one.units) for one in found]


def test_category_tests__a_p_above_a_tenth_is_left_as_it_is() -> None:
    """Four of eight cases lose 0.4, four gain 0.2: labels give 0.34, and nothing hangs on it."""
    new = Repeats.of([[0.3]] * 4 + [[0.9]] * 12)
    base = Repeats.of([[0.9, 0.9, 0.3]] * 8 + [[0.9] * 3] * 8)
    half = [True] * 8 + [False] * 8
    (a, _) = category_tests(new, base, SPLIT, fewest=8)

    by_t = t_cdf(-0.1 / (math.sqrt(8 * 0.3**2 / 14) / math.sqrt(8)), 14)
    assert by_t == pytest.approx(a.p)
    assert 0.1 < by_t < 0.12
    assert 0.3 < run_label_p(new.take(half), base.take(half))


def test_category_tests__do_not_cry_wolf() -> None:
    """300 unchanged rows of six noisy categories: about one in twenty p at most is below 0.05."""
    rng = random.Random(7)
    found = total = 0
    for _ in range(300):
        rates = [rng.betavariate(0.4, 2.7) for _ in range(48)]
        new = Repeats.of([[1.0 - 0.6 * (rng.random() < rate)] for rate in rates])
        base = Repeats.of([[1.0 - 0.6 * (rng.random() < rate) for _ in range(5)] for rate in rates])
        tests = category_tests(new, base, [f"c{i % 6}" for i in range(48)], fewest=8)
        total += len(tests)
        found += sum(one.p <= 0.05 for one in tests)

    assert 1_800 == total
    assert found <= 0.06 * total


def test_category_tests__in_the_order_of_their_names() -> None:
    """Whatever comes first in the file."""
    found = category_tests(*sides([0.85] * 16), ["b"] * 8 + ["a"] * 8, fewest=8)

    assert ["a", "b"] == [one.category for one in found]


def test_category_tests__one_degree_of_freedom_is_enough() -> None:
    """Three cases of two categories: one of them has a spread."""
    new, base = Repeats.of([[0.9], [0.8], [0.9]]), Repeats.of([[0.8], [0.9], [0.9]])

    assert ["a", "b"] == [one.category for one in category_tests(new, base, list("aab"), fewest=1)]


def test_category_tests__clusters_weigh_by_their_means() -> None:
    """Four sources of two cases each, whose differences rise by the means 0.02, 0, 0.02, 0."""
    d = [0.04, 0.0, 0.02, -0.02] * 4
    new = Repeats.of([[0.8 + one] for one in d])
    base = Repeats.of([[0.8]] * 16)
    clusters = [f"s{place // 2}" for place in range(16)]
    (a, _) = category_tests(new, base, SPLIT, clusters=clusters, fewest=4)

    s = math.sqrt(8 * 0.01**2 / 6)
    assert a.p == pytest.approx(t_cdf(0.01 / (s / math.sqrt(4)), 6))


def test_category_tests__the_seed_goes_to_the_labels() -> None:
    """Where labels are drawn, by the seed that was asked for."""
    new = Repeats.of([[0.3]] * 8 + [[0.9]] * 8)
    base = Repeats.of([[0.9, 0.3, 0.9, 0.3, 0.9]] * 8 + [[0.9] * 5] * 8)
    half = [True] * 8 + [False] * 8
    found = {seed: category_tests(new, base, SPLIT, fewest=8, seed=seed)[0].p for seed in "xy"}

    labels = {seed: run_label_p(new.take(half), base.take(half), seed=seed) for seed in "xy"}
    assert labels == found
    assert found["x"] != found["y"]


def test_category_tests__clusters_of_unequal_size_count_by_their_means() -> None:
    """One case, two and one: means 0.04, 0.01 and 0.01; beside them three that moved alike."""
    d = [0.04, 0.03, -0.01, 0.01, 0.02, 0.02, 0.02]
    new, base = Repeats.of([[0.8 + one] for one in d]), Repeats.of([[0.8]] * 7)
    (a, _) = category_tests(new, base, list("aaaabbb"), clusters=list("xyyzuvw"), fewest=1)

    s = math.sqrt((0.02**2 + 2 * 0.01**2) / 4)
    assert a.p == pytest.approx(t_cdf(0.02 / (s / math.sqrt(3)), 4))
