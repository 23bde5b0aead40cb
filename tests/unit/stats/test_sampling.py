"""Samples that a seed decides."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.stats.sampling import allocate, order_key, shrunk_spreads, stratified_sample

PUBLISHED = [
    ("us-president-current", "3c993f05d0d8595b", 0.236713),
    ("python-virtualenv", "80dce0299ea52b8a", 0.503370),
    ("go-latest-version", "8b7d299bfd9aac45", 0.544879),
    ("speed-of-light", "8d007b1b92710d50", 0.550789),
    ("git-undo-last-commit", "c309eaba28bb5364", 0.761870),
    ("tallest-mountain", "e9b0657ff05b680e", 0.912848),
]

SIZES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 40), min_size=1)
CASES = st.lists(
    st.tuples(st.text(max_size=6), st.sampled_from("abc")),
    max_size=40,
    unique_by=lambda case: case[0],
)


@pytest.mark.parametrize(("case_id", "key", "u"), PUBLISHED)
def test_order_key__published_vectors(case_id: str, key: str, u: float) -> None:
    """The first eight bytes, as they are and as a number on [0, 1)."""
    actual = order_key("gate-v1", case_id)
    assert 32 == len(actual)
    assert key == actual[:8].hex()
    assert pytest.approx(u, abs=1e-6) == int.from_bytes(actual[:8], "big") / 2**64


def test_stratified_sample__published_order() -> None:
    """All six cases come in hash order, whatever order they are given in."""
    cases = [
        (case_id, "facts") for case_id, _, _ in sorted(PUBLISHED, key=lambda case: case[1][::-1])
    ]
    assert [case_id for case_id, _, _ in PUBLISHED] == stratified_sample(cases, 6, "gate-v1")


def test_order_key__seed_and_id_do_not_run_together() -> None:
    """The separator keeps ("a", "bc") apart from ("ab", "c"); names need not be ASCII."""
    assert order_key("a", "bc") != order_key("ab", "c")
    assert order_key("graine", "été") != order_key("graine", "ete")


@pytest.mark.parametrize(
    ("sizes", "n", "expected"),
    [
        ({"a": 50, "b": 30, "c": 20}, 10, {"a": 5, "b": 3, "c": 2}),
        ({"a": 96, "b": 2, "c": 2}, 10, {"a": 6, "b": 2, "c": 2}),
        ({"a": 10, "b": 10, "c": 10}, 10, {"a": 4, "b": 3, "c": 3}),
        ({"b": 10, "a": 10}, 5, {"b": 2, "a": 3}),
        ({"a": 1, "b": 20}, 6, {"a": 1, "b": 5}),
        ({"a": 5, "b": 9, "c": 9}, 2, {"a": 0, "b": 1, "c": 1}),
        ({"a": 5, "b": 9, "c": 7}, 4, {"a": 1, "b": 2, "c": 1}),
        ({"a": 3, "b": 4}, 7, {"a": 3, "b": 4}),
        ({"a": 3, "b": 4}, 99, {"a": 3, "b": 4}),
        ({"a": 3, "b": 0}, 2, {"a": 2, "b": 0}),
        ({"a": 3}, 0, {"a": 0}),
        ({}, 4, {}),
    ],
)
def test_allocate__by_hand(sizes: dict[str, int], n: int, expected: dict[str, int]) -> None:
    """Proportions, floors of two, caps, ties by name, and samples too small for two each."""
    assert expected == allocate(sizes, n)


@given(SIZES, st.integers(0, 200))
def test_allocate__sums_floors_and_caps(sizes: dict[str, int], n: int) -> None:
    """All places are given; none beyond a category; two each as soon as there are enough."""
    places = allocate(sizes, n)
    assert min(n, sum(sizes.values())) == sum(places.values())
    assert all(0 <= places[name] <= size for name, size in sizes.items())
    floors = {name: min(2, size) for name, size in sizes.items()}
    if n >= sum(floors.values()):
        assert all(places[name] >= floors[name] for name in sizes)


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(20, 60), min_size=1), st.data())
def test_allocate__is_largest_remainder_where_no_floor_binds(
    sizes: dict[str, int],
    data: st.DataObject,
) -> None:
    """Whole quotas first, then the largest remainders, ties by name."""
    total = sum(sizes.values())
    n = data.draw(st.integers(math.ceil(total / 10), total))
    expected = {name: n * size // total for name, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda name: (-(n * sizes[name] % total), name))
    for name in by_remainder[: n - sum(expected.values())]:
        expected[name] += 1
    assert min(expected.values()) >= 2
    assert expected == allocate(sizes, n)


@given(SIZES, st.integers(0, 100))
def test_allocate__order_of_the_categories_changes_nothing(sizes: dict[str, int], n: int) -> None:
    """The mapping's order is only the order of the answer."""
    backwards = dict(reversed(sizes.items()))
    assert allocate(sizes, n) == allocate(backwards, n)


@pytest.mark.parametrize(
    ("sizes", "n", "floor"), [({"a": 3}, -1, 2), ({"a": 3, "b": -1}, 1, 2), ({"a": 3}, 1, -1)]
)
def test_allocate__refuses_negative_numbers(sizes: dict[str, int], n: int, floor: int) -> None:
    """Counts are counts."""
    with pytest.raises(ValueError, match="cannot be negative"):
        allocate(sizes, n, floor=floor)


def test_allocate__the_last_place_of_a_round_is_dealt_like_the_others() -> None:
    """Three places in the first round, two in the second: none is left to go by proportion."""
    assert {"a": 2, "b": 2, "c": 1} == allocate({"a": 100, "b": 3, "c": 3}, 5)


def test_allocate__whole_numbers_where_floats_would_tie() -> None:
    """One case more is a larger share, though 10^16 + 1 is no double."""
    assert {"a": 0, "b": 1} == allocate({"a": 10**16, "b": 10**16 + 1}, 1, floor=0)


def test_allocate__floor_of_each_category() -> None:
    """As asked for, as far as there is room; none is possible as well."""
    sizes = {"a": 90, "b": 8, "c": 2}

    assert {"a": 10, "b": 8, "c": 2} == allocate(sizes, 20, floor=8)
    assert {"a": 9, "b": 1, "c": 0} == allocate(sizes, 10, floor=0)
    assert {"a": 3, "b": 2, "c": 2} == allocate(sizes, 7, floor=50)


def test_allocate__neyman_halves_the_variance_of_the_references_example() -> None:
    """20% flaky cases (S .45), 80% stable (S .08): .0456/n in proportion, .0237/n by Neyman."""
    sizes, spreads = {"flaky": 2_000, "stable": 8_000}, {"flaky": 0.45, "stable": 0.08}

    def variance(places: dict[str, int]) -> float:
        shares = {name: size / 10_000 for name, size in sizes.items()}
        return sum((shares[name] * spreads[name]) ** 2 / places[name] for name in sizes)

    assert pytest.approx(0.0456 / 1_000, rel=0.01) == variance(allocate(sizes, 1_000))
    assert pytest.approx(0.0237 / 1_000, rel=0.01) == variance(
        allocate(sizes, 1_000, spreads=spreads)
    )


def test_allocate__neyman_keeps_floors_and_caps() -> None:
    """A category is never asked beyond its cases, and what is left goes to the others."""
    spreads = {"a": 0.9, "b": 0.05, "c": 0.05}

    assert {"a": 5, "b": 13, "c": 2} == allocate({"a": 5, "b": 80, "c": 5}, 20, spreads=spreads)
    assert {"a": 50, "b": 40} == allocate({"a": 50, "b": 40}, 90, spreads=spreads)


def test_allocate__neyman_needs_every_spread() -> None:
    """A category without one would never be asked."""
    with pytest.raises(ValueError, match="spread above 0: b, c"):
        allocate({"c": 5, "b": 5, "a": 5}, 6, spreads={"a": 0.1, "c": 0.0})


def test_allocate__what_a_full_category_cannot_use_is_shared_in_proportion() -> None:
    """All five of the first are taken; the other sixteen places go 60 to 20: twelve and four."""
    sizes, spreads = {"a": 5, "b": 60, "c": 20}, {"a": 0.9, "b": 0.1, "c": 0.1}

    assert {"a": 5, "b": 12, "c": 4} == allocate(sizes, 21, floor=0, spreads=spreads)


@pytest.mark.parametrize("names", ["abc", "cba"])
def test_allocate__full_categories_are_filled_by_name(names: str) -> None:
    """Shares 4.5 to 4.5 to 1: two are full, and of the one place beyond the floors a has it."""
    sizes, spreads = {"a": 5, "b": 5, "c": 100}, {"a": 0.9, "b": 0.9, "c": 0.01}

    found = allocate({name: sizes[name] for name in names}, 13, floor=4, spreads=spreads)

    assert {"a": 5, "b": 4, "c": 4} == found


def test_allocate__a_share_of_just_all_cases_is_filled_first() -> None:
    """Of seven places 1 to 3 to 3: three are all of c, which has the one beyond the floors."""
    spreads = {"a": 0.1, "b": 0.1, "c": 0.2}

    assert {"a": 2, "b": 2, "c": 3} == allocate({"a": 2, "b": 6, "c": 3}, 7, spreads=spreads)


@pytest.mark.parametrize(
    ("spreads", "expected"),
    [
        ({"a": 1e-6, "b": 2e-6}, {"a": 4, "b": 8}),
        ({"a": 1.4e-6, "b": 1e-6}, {"a": 6, "b": 6}),
        ({"a": 1e-9, "b": 1e-6}, {"a": 6, "b": 6}),
    ],
)
def test_allocate__spreads_are_whole_millionths(
    spreads: dict[str, float], expected: dict[str, int]
) -> None:
    """One to two, one to one after rounding, and at least one each."""
    assert expected == allocate({"a": 50, "b": 50}, 12, floor=0, spreads=spreads)


@pytest.mark.parametrize(
    ("sizes", "spreads"),
    [
        ({"a": 10, "b": 30}, {"a": 0.6, "b": 0.2}),
        ({"a": 30, "b": 10}, {"a": 0.2, "b": 0.6}),
    ],
)
def test_allocate__equal_products_of_size_and_spread_tie(
    sizes: dict[str, int], spreads: dict[str, float]
) -> None:
    """Ten at 0.6 are as much as thirty at 0.2, though not in floats: the first name has it."""
    assert {"a": 1, "b": 0} == allocate(sizes, 1, floor=0, spreads=spreads)


def test_shrunk_spreads__drawn_to_the_pooled_one_and_never_below_the_least() -> None:
    """By hand: pooled (8 x .09 + 4 x .01) / 12, then (nu s2 + 4 pooled) / (nu + 4)."""
    pooled = (8 * 0.09 + 4 * 0.01) / 12

    found = shrunk_spreads({"a": (0.09, 8), "b": (0.01, 4), "new": (0.0, 0)})

    assert pytest.approx(math.sqrt((8 * 0.09 + 4 * pooled) / 12)) == found["a"]
    assert pytest.approx(math.sqrt((4 * 0.01 + 4 * pooled) / 8)) == found["b"]
    assert pytest.approx(math.sqrt(pooled)) == found["new"]
    assert {"quiet": 0.05, "new": 0.05} == shrunk_spreads({"quiet": (0.0, 9), "new": (0.0, 0)})
    assert {"new": 0.05} == shrunk_spreads({"new": (0.0, 0)})


@given(CASES, st.integers(0, 45), st.text(max_size=4), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_stratified_sample__does_not_depend_on_the_file_order(
    cases: list[tuple[str, str]],
    n: int,
    seed: str,
    random: Random,
) -> None:
    """Shuffling the file changes nothing; the sample has its size and comes in hash order."""
    sample = stratified_sample(cases, n, seed)
    shuffled = list(cases)
    random.shuffle(shuffled)
    assert sample == stratified_sample(shuffled, n, seed)
    assert min(n, len(cases)) == len(sample) == len(set(sample))
    assert sorted(sample, key=lambda case_id: order_key(seed, case_id)) == sample


@given(CASES, st.integers(0, 40))
@settings(deadline=None)
def test_stratified_sample__keeps_a_category_that_keeps_its_places(
    cases: list[tuple[str, str]],
    n: int,
) -> None:
    """A larger sample holds all cases of each category that did not lose a place."""
    small, large = stratified_sample(cases, n, "s"), stratified_sample(cases, n + 1, "s")
    for category in "abc":
        members = {case_id for case_id, own in cases if own == category}
        kept, grown = members & set(small), members & set(large)
        assert kept <= grown or len(grown) < len(kept)


def test_stratified_sample__adding_a_case_disturbs_one_pick_at_most() -> None:
    """A newcomer takes one place, or none."""
    cases = [(f"case-{i}", "facts") for i in range(40)]
    before = set(stratified_sample(cases, 12, "gate-v1"))
    disturbed = {
        len(before - set(stratified_sample([*cases, (f"new-{i}", "facts")], 12, "gate-v1")))
        for i in range(20)
    }
    assert {0, 1} == disturbed


def test_stratified_sample__seeds_take_turns() -> None:
    """Over many seeds every case is sampled about as often as any other."""
    cases = [(f"case-{i}", "facts") for i in range(20)]
    counts = dict.fromkeys((case_id for case_id, _ in cases), 0)
    for week in range(1_000):
        for case_id in stratified_sample(cases, 5, f"week-{week}"):
            counts[case_id] += 1
    assert all(190 <= count <= 310 for count in counts.values())


def test_stratified_sample__refuses_an_id_that_comes_twice() -> None:
    """The message names it."""
    cases = [("two", "a"), ("one", "a"), ("three", "a"), ("two", "a"), ("one", "b")]
    with pytest.raises(ValueError, match=r"more than once: one, two$"):
        stratified_sample(cases, 2, "gate-v1")


@pytest.mark.parametrize(
    ("floor", "spreads", "expected"),
    [
        (2, None, {"a": 6, "b": 2}),
        (0, None, {"a": 7, "b": 1}),
        (4, None, {"a": 4, "b": 4}),
        (0, {"a": 0.1, "b": 0.7}, {"a": 4, "b": 4}),
    ],
)
def test_stratified_sample__takes_floor_and_spreads(
    floor: int, spreads: dict[str, float] | None, expected: dict[str, int]
) -> None:
    """Eight of 70 and 10 cases: 7 to 1 by size, 1 to 1 where the few are seven times as noisy."""
    category = {f"{name}-{i}": name for name, size in (("a", 70), ("b", 10)) for i in range(size)}

    found = stratified_sample([*category.items()], 8, "gate-v1", floor=floor, spreads=spreads)

    assert expected == Counter(category[case_id] for case_id in found)
