"""Has a judge drifted? Flips beyond its own wavering, and shifts beyond luck."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from gate.stats.drift import DriftTest, drift_test, is_flip

FAR = 0.05
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


@pytest.mark.parametrize(
    ("value", "rulings", "flip"),
    [
        (0.75, (0.75, 0.75, 0.75), False),
        (0.5, (0.75, 0.75, 0.75), True),
        (0.5, (0.75, 0.5, 0.75), False),
        (1.0, (0.75, 0.75, 0.75), True),  # the same third, and far off
        (0.80, (0.75, 0.75, 0.75), False),  # exactly as far as may be
        (0.66, (0.67, 0.67, 0.67), True),  # near, and another third
    ],
)
def test_is_flip__another_third_or_too_far_off(
    value: float, rulings: tuple[float, ...], *, flip: bool
) -> None:
    """None of the stored rulings leads to expect it."""
    assert flip == is_flip(value, rulings, far=FAR)


QUIET = DriftTest(n=8, flipped=0, rate=0.04, flip_p=1.0, shift=0.0, shift_p=1.0, far=FAR)


@pytest.mark.parametrize(
    ("flipped", "flip_p", "flips"), [(2, 0.01, True), (1, 0.0001, False), (2, 0.011, False)]
)
def test_flips__two_of_them_and_one_in_a_hundred(
    flipped: int, flip_p: float, *, flips: bool
) -> None:
    """Both bounds are still within; one flip is none, however unlikely."""
    assert flips == replace(QUIET, flipped=flipped, flip_p=flip_p).flips


@pytest.mark.parametrize(
    ("shift", "shift_p", "shifts"),
    [
        (0.55 - 0.60, 0.02, True),
        (0.65 - 0.60, 0.02, True),
        (0.049, 0.001, False),
        (0.05, 0.021, False),
    ],
)
def test_shifts__as_far_as_counts_and_one_in_fifty(
    shift: float, shift_p: float, *, shifts: bool
) -> None:
    """Both bounds are still within, the distance but for its last digits."""
    assert shifts == replace(QUIET, shift=shift, shift_p=shift_p).shifts


def test_drift_test__one_flip_is_none() -> None:
    """However sure the judge was of the others."""
    rulings = [(0.75,) * 3] * 8
    found = drift_test([0.25, *[0.75] * 7], rulings, far=FAR)

    assert (1, 8, 1 / 26) == (found.flipped, found.n, found.rate)
    assert not found.flips
    assert not found.drifted


def test_drift_test__three_flips_of_a_steady_judge() -> None:
    """Binomial at one in 26: 56 / 26^3 and a little more."""
    found = drift_test([0.5] * 3 + [0.75] * 5, [(0.75,) * 3] * 8, far=FAR)

    exact = sum(
        count * (1 / 26) ** k * (25 / 26) ** (8 - k)
        for k, count in {3: 56, 4: 70, 5: 56, 6: 28, 7: 8, 8: 1}.items()
    )
    assert exact == pytest.approx(found.flip_p)
    assert found.flips
    assert found.drifted


@pytest.mark.parametrize("rulings", [(0.25, 0.75, 0.75), (0.75, 0.25, 0.75), (0.75, 0.75, 0.25)])
def test_drift_test__each_old_ruling_is_held_against_the_others(rulings: tuple[float, ...]) -> None:
    """One of three is unlike the other two, wherever it stands: (1 + 1) / (3 + 2)."""
    assert 2 / 5 == drift_test([0.75], [rulings], far=FAR).rate


def test_drift_test__all_of_them_flipped() -> None:
    """Three of three, at one in eleven each."""
    found = drift_test([0.25] * 3, [(0.75,) * 3] * 3, far=FAR)

    assert (1 / 11) ** 3 == pytest.approx(found.flip_p)


@pytest.mark.parametrize("n", range(1, 40))
def test_drift_test__chances_are_at_most_one(n: int) -> None:
    """Where nothing moved, both p are all there is, whatever the rounding of the terms."""
    found = drift_test([0.75] * n, [(0.75,) * 3] * n, far=FAR)

    assert 1.0 == pytest.approx(found.flip_p)
    assert found.flip_p <= 1.0
    assert 1.0 == found.shift_p


def test_drift_test__flips_of_a_judge_that_flips_anyway() -> None:
    """Its own rulings are as unlike each other, so nothing follows from two."""
    rulings = [(0.25, 0.75, 0.75)] * 6 + [(0.75,) * 3] * 2
    found = drift_test([0.25, 0.25, 0.25, *[0.75] * 3, 0.25, 0.25], rulings, far=FAR)

    assert 2 == found.flipped
    assert 0.01 < found.flip_p
    assert not found.drifted


@pytest.mark.parametrize("way", [-1, 1])
def test_drift_test__a_shift_of_a_wavering_judge(way: int) -> None:
    """Each new ruling lies a little to one side: 2 of 2^8 patterns of signs are as extreme."""
    rulings = [(0.40, 0.50, 0.60)] * 8
    found = drift_test([0.50 + way * 0.06] * 8, rulings, far=FAR)

    assert 0 == found.flipped
    assert way * 0.06 == pytest.approx(found.shift)
    assert 2 / 2**8 == found.shift_p
    assert found.shifts
    assert not found.flips


def test_drift_test__a_shift_too_small_to_matter() -> None:
    """Sure, and below what can be a regression."""
    found = drift_test([0.47] * 8, [(0.40, 0.50, 0.60)] * 8, far=FAR)

    assert 2 / 2**8 == found.shift_p
    assert not found.shifts


def test_drift_test__refuses() -> None:
    """Nothing to test, and columns that do not belong together."""
    with pytest.raises(ValueError, match="at least one difference"):
        drift_test([], [], far=FAR)
    with pytest.raises(ValueError, match="argument"):
        drift_test([0.5], [], far=FAR)


def test_drift_test__so_many_answers_that_a_coefficient_is_no_float() -> None:
    """Two thousand answers, none of which flipped."""
    assert 1.0 == pytest.approx(drift_test([0.5] * 2000, [(0.5,) * 3] * 2000, far=FAR).flip_p)


Judge = Callable[[random.Random, float], float]


def wavering(sd: float, shift: float = 0.0) -> Judge:
    """A judge whose rulings spread around the truth."""
    return lambda chance, true: min(1.0, max(0.0, true + shift + chance.gauss(0.0, sd)))


def levels(flips: float, step: float = 0.0) -> Judge:
    """A judge of levels that lands on a neighbouring one now and then."""

    def ruling(chance: random.Random, true: float) -> float:
        moved = true + step + (chance.choice((-0.25, 0.25)) if chance.random() < flips else 0.0)
        return min(1.0, max(0.0, moved))

    return ruling


def share_drifted(before: Judge, now: Judge, *, runs: int) -> float:
    """Share of runs that find drift in both rounds, in one dimension of eight control answers."""
    chance, hits = random.Random(17), 0
    for _ in range(runs):
        truths = [chance.choice(LEVELS) for _ in range(8)]
        rulings = [[before(chance, true) for _ in range(3)] for true in truths]
        rounds: list[DriftTest] = [
            drift_test([now(chance, true) for true in truths], rulings, far=FAR) for _ in range(2)
        ]
        same = (rounds[0].shift < 0) == (rounds[1].shift < 0)
        hits += all(one.drifted for one in rounds) and same
    return hits / runs


@pytest.mark.parametrize("judge", [wavering(0.0), wavering(0.05), wavering(0.1), levels(0.05)])
def test_drift_test__cries_wolf_seldom(judge: Judge) -> None:
    """A judge that is what it was: below one run in a hundred, however it wavers."""
    assert 0.01 >= share_drifted(judge, judge, runs=300)


@pytest.mark.parametrize(
    ("before", "now", "at_least"),
    [
        (wavering(0.0), wavering(0.0, -0.10), 0.95),
        (wavering(0.05), wavering(0.05, -0.20), 0.95),
        (levels(0.0), levels(0.0, -0.25), 0.95),
        (levels(0.05), levels(0.05, -0.25), 0.9),
        (levels(0.05), levels(0.05, 0.25), 0.9),
    ],
)
def test_drift_test__sees_a_judge_that_moved(before: Judge, now: Judge, at_least: float) -> None:
    """Stricter or milder by a level, or by 0.20 where it wavers."""
    assert at_least <= share_drifted(before, now, runs=60)
