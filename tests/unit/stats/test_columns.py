"""Scores in columns: the very numbers of a loop over the cases."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from gate.stats.columns import Repeats, paired, rounded, significant


@pytest.mark.parametrize("places", [4, 9])
def test_rounded__as_python_rounds(places: int) -> None:
    """Also halves, numbers beside halves, and numbers too large to have decimals."""
    rng = random.Random(places)
    halves = [(rng.randrange(-20_000, 20_000) + 0.5) / 10**places for _ in range(2_000)]
    beside = [math.nextafter(half, rng.choice([-1.0, 1.0])) for half in halves]
    others = [rng.uniform(-2.0, 2.0) for _ in range(2_000)]
    values = [*halves, *beside, *others, 1e15 + 0.25, -123_456_789.123_456_78, 2 / 3, -0.0, 0.0]

    expected = [round(value, places) + 0.0 for value in values]

    assert expected == rounded(values, places).tolist()
    assert [math.copysign(1.0, one) for one in expected] == [
        math.copysign(1.0, one) for one in rounded(values, places).tolist()
    ]


def test_significant__as_python_writes() -> None:
    """Six digits, whatever the size; equal numbers stay equal."""
    values = np.array([1234567.0, 0.00012345678, 7.0, 7.0, -3.3333333333])
    assert [1234570.0, 0.000123457, 7.0, 7.0, -3.33333] == significant(values, 6).tolist()
    assert "0.0" == str(significant(np.array([-0.0]), 6).item())


def test_repeats__missing_scores_are_left_out() -> None:
    """None is no score, and a case may have none at all."""
    scores = Repeats.of([[1.0, None, 0.5], [], [None], [0.25]])

    assert [[1.0, 0.5], [], [], [0.25]] == scores.lists()
    assert (4, [2, 2, 2, 3]) == (len(scores), list(scores.ends))
    assert [0.75, 0.25] == scores.take(scores.counts > 0).means()


def test_repeats__one_each() -> None:
    """One score a case is its own mean, and ends where it stands."""
    scores = Repeats.of([[0.5], [0.25]])
    assert scores.single
    assert ([0.5, 0.25], [1, 2]) == (scores.means(), list(scores.ends))


def test_repeats__means_are_exactly_rounded_sums() -> None:
    """Three tenths are 0.1 each, where a running sum gives 0.10000000000000002."""
    assert [math.fsum([0.1] * 3) / 3] == Repeats.of([[0.1] * 3]).means()


def test_paired__who_is_compared() -> None:
    """Scored on both sides and unchanged; what is gone is counted, what is lost is named."""
    new = Repeats.of([[0.5], [], [0.5], [0.5], [], [0.1]])
    base = Repeats.of([[1.0, 0.5], [0.75], [1.0], [], [0.25], [1.0]])
    found = paired(
        new,
        base,
        gone=[False, False, False, False, True, False],
        changed=[False, False, True, False, False, False],
    )

    assert [0, 5] == found.compared
    assert [(1, [0.75])] == found.lost
    assert (4, 1, 0.1) == (found.known, found.gone, found.least)
    assert [[1.0, 0.5], [1.0]] == found.base.lists()
    assert 0.0 == paired(Repeats.of([[]]), Repeats.of([[]]), gone=[False], changed=[False]).least


def test_repeats__from_where_the_scores_of_each_end() -> None:
    """As a row keeps them: all scores end to end."""
    found = Repeats.until([0.1, 0.2, 0.3], [2, 3])

    assert [[0.1, 0.2], [0.3]] == found.lists()
    assert 0 == len(Repeats.until([], []))


def test_single__one_score_in_every_case() -> None:
    """As many scores as cases are not yet one in each."""
    assert Repeats.of([[0.2], [0.4]]).single
    assert not Repeats.of([[0.2, 0.4], []]).single
    assert not Repeats.of([[0.2, 0.4], [], [0.3]]).single
