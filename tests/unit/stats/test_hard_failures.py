"""Cases that turned from always right to always wrong: by hand, by counting, by simulation."""

from __future__ import annotations

import itertools
import math
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.stats.hard_failures import Turned, turned_cases, turned_in_columns

RIGHT, WRONG = 0.9, 0.2


def test_turned_cases__by_hand() -> None:
    """Two of two able cases at three against three: (1/20) squared."""
    new = [[WRONG] * 3, [WRONG] * 3, [RIGHT] * 3]
    base = [[RIGHT] * 3] * 3

    found = turned_cases(new, base)

    assert (0, 1) == found.broken
    assert 2 == found.able
    assert math.isclose(1 / 400, found.p)


def test_turned_cases__able_cases_that_did_not_turn_count_against_it() -> None:
    """One of two able cases turned: 1 - (19/20) squared."""
    found = turned_cases([[WRONG] * 3, [WRONG, RIGHT, RIGHT]], [[RIGHT] * 3, [WRONG, WRONG, RIGHT]])

    assert (0,) == found.broken
    assert math.isclose(1 - 0.95**2, found.p)


def test_turned_cases__two_of_four_able_cases() -> None:
    """Binomial at 1/20: all but none and one of four."""
    broken, able = ([WRONG] * 3, [RIGHT] * 3), ([WRONG, RIGHT, RIGHT], [WRONG, WRONG, RIGHT])
    new, base = zip(broken, broken, able, able, strict=True)

    assert math.isclose(1 - 0.95**4 - 4 * 0.05 * 0.95**3, turned_cases(new, base).p)


def test_turned_cases__unequal_repeats() -> None:
    """Five against three: one order of 56."""
    found = turned_cases([[WRONG] * 3], [[RIGHT] * 5])

    assert math.isclose(1 / 56, found.p)


@pytest.mark.parametrize(
    ("new", "base"),
    [
        ([RIGHT] * 3, [RIGHT] * 3),
        ([RIGHT] * 3, [WRONG] * 3),
        ([WRONG, WRONG, RIGHT], [RIGHT] * 3),
        ([0.45] * 3, [0.55] * 3),
        ([WRONG] * 3, [WRONG] * 3),
    ],
)
def test_turned_cases__nothing_turned(new: list[float], base: list[float]) -> None:
    """Steady, mended, half broken, wavering about the middle, always wrong: p is 1."""
    found = turned_cases([new], [base])

    assert () == found.broken
    assert 1.0 == found.p


@pytest.mark.parametrize(
    ("broken", "mended", "counts"), [(4, 1, False), (5, 1, True), (5, 0, True)]
)
def test_turned_cases__going_both_ways(broken: int, mended: int, *, counts: bool) -> None:
    """Fewer than five broken for each mended: the cases changed, and the mean has to decide."""
    right, wrong = [RIGHT] * 3, [WRONG] * 3

    found = turned_cases([wrong] * broken + [right] * mended, [right] * broken + [wrong] * mended)

    assert (broken, mended) == (len(found.broken), found.mended)
    assert counts is (found.p < 0.001)


def test_turned_cases__a_quarter_apart_is_enough() -> None:
    """0.65 - 0.40 is a quarter but for rounding."""
    assert (0,) == turned_cases([[0.40] * 3], [[0.65] * 3]).broken
    assert () == turned_cases([[0.40] * 3], [[0.64] * 3]).broken


def test_turned_cases__lower_is_better_is_signed() -> None:
    """Rates of errors, signed: from 0.1 to 0.9 turned, with the middle signed as well."""
    assert (0,) == turned_cases([[-0.9] * 3], [[-0.1] * 3], middle=-0.5).broken


SCORES = st.sampled_from([0.0, 0.2, 0.45, 0.55, 0.8, 1.0])
CASES = st.lists(
    st.tuples(
        st.lists(SCORES, min_size=1, max_size=2),
        st.lists(SCORES, min_size=1, max_size=2),
    ),
    min_size=1,
    max_size=3,
)


@settings(deadline=None, max_examples=50)
@given(CASES)
def test_turned_cases__agrees_with_counting(cases: list[tuple[list[float], list[float]]]) -> None:
    """P is the share of all label orders with at least as many turned cases."""
    observed = turned_cases([new for new, _ in cases], [base for _, base in cases])
    if observed.mended:
        assert 1.0 == observed.p
        return
    orders = [
        [
            ([pool[i] for i in picked], [pool[i] for i in range(len(pool)) if i not in picked])
            for picked in itertools.combinations(range(len(pool)), len(new))
        ]
        for new, base in cases
        for pool in [[*new, *base]]
    ]
    counts = [
        len(turned_cases([one for one, _ in order], [other for _, other in order]).broken)
        for order in itertools.product(*orders)
    ]
    share = sum(count >= len(observed.broken) for count in counts) / len(counts)

    assert math.isclose(share, observed.p)


@given(CASES, st.randoms(use_true_random=False))
def test_turned_cases__does_not_depend_on_the_order(
    cases: list[tuple[list[float], list[float]]], random: Random
) -> None:
    """Neither on that of cases nor on that of repeats."""
    before = turned_cases([new for new, _ in cases], [base for _, base in cases])
    mixed = [(random.sample(new, len(new)), random.sample(base, len(base))) for new, base in cases]
    random.shuffle(mixed)

    after = turned_cases([new for new, _ in mixed], [base for _, base in mixed])

    assert before.p == after.p
    assert len(before.broken) == len(after.broken)


def test_turned_cases__not_even_the_last_digit_depends_on_the_order() -> None:
    """Chances of 1/3 and 1/56 give another sum when they are taken the other way round."""
    new = [[WRONG], [WRONG, RIGHT, RIGHT]]
    base = [[RIGHT] * 2, [WRONG, WRONG, RIGHT, RIGHT, RIGHT]]

    found = turned_cases(new, base)

    assert math.isclose(1 - 2 / 3 * 55 / 56, found.p)
    assert found.p == turned_cases(new[::-1], base[::-1]).p


def test_turned_cases__false_alarms_are_at_most_the_level() -> None:
    """A thousand pull requests without a change, many flaky cases: p <= 0.05 in at most 5%."""
    random = Random(7)
    hits = 0
    for _ in range(1_000):
        rates = [random.betavariate(0.4, 0.6) for _ in range(24)]
        sides = [
            [[WRONG if random.uniform(0, 1) < rate else RIGHT for _ in range(3)] for rate in rates]
            for _ in range(2)
        ]
        hits += turned_cases(*sides).p <= 0.05

    assert 0 < hits <= 50 + 2 * 7


def test_turned_cases__two_thousand_cases() -> None:
    """All of them turned, and the p is a number."""
    assert 0.0 <= turned_cases([[WRONG] * 3] * 2_000, [[RIGHT] * 3] * 2_000).p < 1e-300


@pytest.mark.parametrize(
    ("new", "base", "message"),
    [
        ([[1.0]], [], "the same cases on both sides, at least one: 1 new, 0 base"),
        ([[]], [[1.0]], "every case needs a score on both sides"),
        ([[math.nan]], [[1.0]], "new scores: every number must be finite"),
        ([[1.0]], [[math.inf]], "baseline scores: every number must be finite"),
    ],
)
def test_turned_cases__refuses(
    new: list[list[float]], base: list[list[float]], message: str
) -> None:
    """What is no pair of columns is refused with a sentence."""
    with pytest.raises(ValueError, match=message):
        turned_cases(new, base)


def test_turned_cases__mended_is_far_above_and_whole() -> None:
    """Neither wavering about the middle nor one answer that is still wrong is a mended case."""
    wavering = turned_cases([[0.55] * 3], [[0.45] * 3])
    partly = turned_cases([[0.4, 1.0, 1.0]], [[0.0, 0.0, 0.0]])
    whole = turned_cases([[1.0] * 3], [[0.0] * 3])

    assert [0, 0, 1] == [one.mended for one in (wavering, partly, whole)]


def test_turned_in_columns__places_are_those_of_all_cases() -> None:
    """The first case has too few answers, and the third turned."""
    new = [1.0, *[1.0] * 3, *[0.0] * 3]
    base = [1.0, *[1.0] * 6]
    ends = [1, 4, 7]
    found = turned_in_columns((new, ends), (base, ends), fewest=3, middle=0.5)

    assert (2, (2,)) == (found[0], found[1].broken)
    nothing = turned_in_columns((new, ends), (base, ends), fewest=4, middle=0.5)
    assert (0, Turned(p=1.0, broken=(), mended=0, able=0)) == nothing


def test_turned_cases__an_answer_at_the_middle_is_right() -> None:
    """Wrong is below it."""
    assert (0,) == turned_cases([[0.2] * 3], [[0.5] * 3]).broken
    assert () == turned_cases([[0.5] * 3], [[1.0] * 3]).broken


def test_turned_cases__two_of_very_many_are_no_more_than_certain() -> None:
    """98 cases at one against two, in sums whose rounding would go above 1."""
    broken, able = ([WRONG], [RIGHT, RIGHT]), ([RIGHT], [WRONG, RIGHT])
    new, base = zip(*[broken] * 2, *[able] * 96, strict=True)

    found = turned_cases(new, base)

    assert (2, 98) == (len(found.broken), found.able)
    assert 1.0 == found.p
