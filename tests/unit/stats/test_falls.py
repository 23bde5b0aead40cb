"""Who fell most: the very order of a loop over all cases."""

from __future__ import annotations

import random
from heapq import nsmallest

import pytest

from gate.stats.falls import fell_most, largest_falls
from gate.types import Difference, Differences

LEAST = 0.05


def moved(rng: random.Random, cases: int) -> Differences:
    """Some of so many cases, in any order, many of which move alike."""
    ids = rng.sample(range(cases), k=rng.randrange(cases + 1))
    return Differences.of(
        Difference(
            case_id=f"case-{one:03d}",
            category="x",
            baseline=rng.choice([0.0, 1 / 3, 0.6667, 1.0]),
            current=rng.choice([0.0, 0.3333, 2 / 3, 1.0]),
            new=(),
            base=(),
        )
        for one in ids
    )


@pytest.mark.parametrize("most", [1, 7, 1_000])
def test_largest_falls__as_a_loop_finds_them(most: int) -> None:
    """Over several dimensions and groups, ties in the order of groups and ids."""
    rng = random.Random(most)
    for _ in range(30):
        rows = [(rng.choice("ab"), moved(rng, 40)) for _ in range(rng.randrange(6))]
        without = {("a", "case-003"), ("b", "case-039"), ("c", "case-001")}
        worst: dict[tuple[str, str], float] = {}
        for group, ends in rows:
            for case, baseline, current in ends.ends():
                key, delta = (group, case), current - baseline
                if abs(delta) >= LEAST and key not in without:
                    worst[key] = min(delta, worst.get(key, delta))
        first = nsmallest(most, ((delta, *key) for key, delta in worst.items()))

        found = largest_falls(rows, least=LEAST, most=most, without=without)

        assert len(worst) == found.count
        assert tuple((group, case) for _, group, case in first) == found.first


def test_fell_most__as_a_loop_finds_them() -> None:
    """Only falls, rounded as the table rounds them, ties in the order of the ids."""
    rng = random.Random(3)
    for _ in range(50):
        ends = moved(rng, 40)
        fallen = (
            (round(current - baseline, 9) + 0.0, case)
            for case, baseline, current in ends.ends()
            if current < baseline
        )
        assert tuple(case for _, case in nsmallest(5, fallen)) == fell_most(ends, 5, 9)


@pytest.mark.parametrize("order", ["worst first", "worst last", "in and out"])
def test_fell_most__however_many_are_asked_for(order: str) -> None:
    """Three hundred cases, no two of which fell alike: the first so many in the order of falls."""
    falls = [1.0 - place / 1_000 for place in range(300)]
    if order == "worst last":
        falls.reverse()
    if order == "in and out":
        falls = [*falls[::2], *falls[1::2][::-1]]
    ends = Differences.of(
        Difference(case_id=f"{n}", category="x", baseline=fall, current=0.0, new=(), base=())
        for n, fall in enumerate(falls)
    )
    by_fall = sorted(range(300), key=lambda n: -falls[n])

    found = [fell_most(ends, most, 9) for most in range(1, 301)]

    assert [tuple(map(str, by_fall[:most])) for most in range(1, 301)] == found


def test_largest_falls__a_move_of_exactly_the_least_counts() -> None:
    """As a drop of exactly the smallest effect does."""
    moved_by = {"a": 0.25, "b": 0.24}
    ends = Differences.of(
        Difference(case_id=name, category="x", baseline=0.5, current=0.5 - d, new=(), base=())
        for name, d in moved_by.items()
    )

    assert (("t", "a"),) == largest_falls([("t", ends)], least=0.25, most=5).first
