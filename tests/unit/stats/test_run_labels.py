"""The within-case permutation of run labels."""

from __future__ import annotations

import itertools
import math
import statistics
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.stats.paired import sign_flip_p
from gate.stats.run_labels import run_label_p
from gate.stats.seeded import stream

RUNS = st.lists(st.integers(0, 10).map(lambda x: x / 10), min_size=1, max_size=3)
CASES = st.lists(st.tuples(RUNS, RUNS), min_size=1, max_size=6)


def noise(purpose: str) -> np.random.Generator:
    """A seeded source of noise for one simulation."""
    return np.random.Generator(stream("gate-v1", purpose))


def every_relabelling(new: list[list[float]], base: list[list[float]]) -> float:
    """The exact p: every way to call runs new in every case."""

    def differences(fresh: list[float], known: list[float]) -> list[float]:
        pool = [*fresh, *known]
        ways = itertools.combinations(range(len(pool)), len(fresh))
        return [
            statistics.fmean(pool[i] for i in way)
            - statistics.fmean(pool[i] for i in range(len(pool)) if i not in way)
            for way in ways
        ]

    cases = [differences(fresh, known) for fresh, known in zip(new, base, strict=True)]
    # The first way is the one that was observed.
    observed = sum(case[0] for case in cases)
    sums = [sum(combination) for combination in itertools.product(*cases)]
    return sum(total <= observed + 1e-9 for total in sums) / len(sums)


@pytest.mark.parametrize(
    ("new", "base"),
    [
        ([[0.5], [0.2], [0.9]], [[0.7, 0.6], [0.4, 0.1], [0.9, 0.8]]),
        ([[0.5, 0.4, 0.1], [0.2]], [[0.7], [0.4, 0.1, 0.6, 0.9]]),
        ([[1.0], [0.0], [1.0], [0.0]], [[1.0, 1.0], [1.0, 0.0], [1.0, 1.0], [1.0, 1.0]]),
    ],
)
def test_run_label_p__comes_near_the_full_count(
    new: list[list[float]],
    base: list[list[float]],
) -> None:
    """Within four standard errors of every relabelling counted."""
    exact = every_relabelling(new, base)
    error = math.sqrt(exact * (1 - exact) / 10_000)
    assert abs(run_label_p(new, base) - exact) <= 4 * error + 1e-4


def test_run_label_p__one_run_each_is_a_sign_flip() -> None:
    """With one run on each side, swapping labels flips the sign."""
    draw = noise("one-run")
    new, base = draw.random(14), draw.random(14) + 0.1
    flip = sign_flip_p((new - base).tolist()).p
    labels = run_label_p([[x] for x in new.tolist()], [[x] for x in base.tolist()])
    assert pytest.approx(flip, abs=0.02) == labels


@given(CASES, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_run_label_p__order_changes_nothing(
    cases: list[tuple[list[float], list[float]]],
    random: Random,
) -> None:
    """Neither the order of cases nor that of repeats; and p lies in (0, 1]."""
    first = run_label_p([c[0] for c in cases], [c[1] for c in cases], shuffles=200)
    turned = [(fresh[::-1], known[::-1]) for fresh, known in cases]
    random.shuffle(turned)
    second = run_label_p([c[0] for c in turned], [c[1] for c in turned], shuffles=200)
    assert first == second
    assert 0.0 < first <= 1.0


def test_run_label_p__nothing_moved() -> None:
    """Equal runs everywhere: nothing to shuffle, no evidence."""
    assert 1.0 == run_label_p([[0.5], [1.0]], [[0.5, 0.5], [1.0, 1.0, 1.0]])


def test_run_label_p__a_clear_drop_reaches_the_smallest_p() -> None:
    """One is added to both counts, so p is never zero."""
    assert pytest.approx(1 / 1000) == run_label_p([[0.0]] * 12, [[1.0] * 5] * 12, shuffles=999)


def test_run_label_p__seed_decides_the_shuffles() -> None:
    """The same seed gives the same p, another one a slightly different one."""
    draw = noise("label-seed")
    new, base = draw.random((15, 1)).tolist(), draw.random((15, 3)).tolist()
    assert run_label_p(new, base) == run_label_p(new, base, seed="gate-v1", shuffles=10_000)
    assert run_label_p(new, base) != run_label_p(new, base, seed="gate-v2")


def test_run_label_p__many_repeats_agree_with_the_normal_limit() -> None:
    """Ten runs against eight have 43,758 ways: they are drawn, and come out as the limit says."""
    draw = noise("many-repeats")
    new, base = draw.random((40, 10)), draw.random((40, 8)) + 0.03
    pools = np.concatenate([new, base], axis=1)
    variance = (pools.var(axis=1, ddof=1) * (1 / 10 + 1 / 8)).sum()
    z = (new.mean(axis=1) - base.mean(axis=1)).sum() / math.sqrt(variance)
    limit = statistics.NormalDist().cdf(z)
    assert 0.01 < limit < 0.99
    assert pytest.approx(limit, abs=0.02) == run_label_p(new.tolist(), base.tolist())


def test_run_label_p__normal_limit_takes_over_without_a_jump() -> None:
    """Above 2,000 moving cases the limit is used, and agrees with shuffles just below."""
    draw = noise("limit")
    new, base = draw.random((2_001, 1)).tolist(), (draw.random((2_001, 3)) + 0.005).tolist()
    limit, shuffled = run_label_p(new, base), run_label_p(new[:-1], base[:-1])
    assert 0.01 < limit < 0.99
    assert abs(limit - shuffled) < 0.03


def test_run_label_p__normal_limit_equals_that_of_sign_flips() -> None:
    """One run on each side: both limits are the same z test."""
    draw = noise("same-limit")
    new, base = draw.random(2_500), draw.random(2_500) + 0.01
    labels = run_label_p([[x] for x in new.tolist()], [[x] for x in base.tolist()])
    assert pytest.approx(sign_flip_p((new - base).tolist()).p, abs=1e-6) == labels


@pytest.mark.parametrize(
    ("new", "base", "message"),
    [
        ([], [], "0 new, 0 base"),
        ([[0.1]], [[0.1], [0.2]], "1 new, 2 base"),
        ([[0.1], []], [[0.1], [0.2]], "a score on both sides"),
        ([[0.1], [0.2]], [[], [0.2]], "a score on both sides"),
        ([[math.nan]], [[0.1]], "new scores: every number must be finite"),
        ([[0.1]], [[math.inf]], "baseline scores: every number must be finite"),
    ],
)
def test_run_label_p__refuses_what_cannot_be_compared(
    new: list[list[float]],
    base: list[list[float]],
    message: str,
) -> None:
    """Cases are paired, and each has scores on both sides."""
    with pytest.raises(ValueError, match=message):
        run_label_p(new, base)


@pytest.mark.parametrize(("k_base", "k_new"), [(1, 3), (5, 1)])
def test_run_label_p__false_alarms_near_five_percent(k_base: int, k_new: int) -> None:
    """Unequal repeats, no change, flaky cases: about 5% of 1,000 gates."""
    draw = noise(f"label-alarms {k_base} {k_new}")
    alarms = 0
    for _ in range(1_000):
        flaky = draw.beta(0.3, 1.2, (16, 1))
        new = 1.0 - 0.6 * (draw.random((16, k_new)) < flaky) - 0.02 * draw.random((16, k_new))
        base = 1.0 - 0.6 * (draw.random((16, k_base)) < flaky) - 0.02 * draw.random((16, k_base))
        alarms += run_label_p(new.tolist(), base.tolist(), shuffles=400) <= 0.05
    assert 0.03 <= alarms / 1_000 <= 0.07


def test_run_label_p__weights_scale_the_normal_limit_too() -> None:
    """A case that counts for next to nothing says nothing, however much it varies."""
    base = [[0.4, 0.5, 0.6]] * 2_100
    new = [[0.5]] * 2_040 + [[0.4]] * 60
    counts = np.array([*[1.0] * 2_100, 1e-9])
    alone = run_label_p(new, base)
    beside = run_label_p([*new, [0.0]], [*base, [0.0, 1e6, -1e6]], weights=counts)

    assert 0.0 < alone < 0.2
    assert alone == pytest.approx(beside, abs=0.001)
