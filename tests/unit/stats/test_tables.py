"""Buckets, contingency tables and plain agreement."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from gate.stats.tables import (
    agreement_weights,
    bucket,
    contingency,
    off_modal,
    percent_agreement,
    square,
)

LEVELS = ["low", "med", "high"]
PAIRS = st.lists(st.tuples(st.sampled_from(LEVELS), st.sampled_from(LEVELS)), min_size=1)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "low"),
        (math.nextafter(1 / 3, 0), "low"),
        (1 / 3, "med"),
        (0.5, "med"),
        (0.6666666, "med"),
        (math.nextafter(2 / 3, 0), "med"),
        (2 / 3, "high"),
        (1.0, "high"),
    ],
)
def test_bucket__edges(value: float, expected: str) -> None:
    """Exactly a third is med, exactly two thirds is high."""
    assert expected == bucket(value)


@pytest.mark.parametrize(
    ("value", "shift", "expected"),
    [(0.35, 0.05, "low"), (0.30, -0.05, "med"), (0.70, 0.05, "med"), (0.65, -0.05, "high")],
)
def test_bucket__both_edges_are_moved(value: float, shift: float, expected: str) -> None:
    """Up by a twentieth a score falls into the third below, down by one into the third above."""
    assert expected == bucket(value, shift)


@pytest.mark.parametrize("value", [-0.1, 1.1, 5, math.nan])
def test_bucket__refuses_what_is_no_score(value: float) -> None:
    """A score of 5 is on another scale."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        bucket(value)


@given(PAIRS)
def test_contingency__agrees_with_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    """Rows are the people, columns the judge."""
    human, judge = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    expected = confusion_matrix(human, judge, labels=LEVELS).tolist()
    assert expected == contingency(human, judge, LEVELS).tolist()


@pytest.mark.parametrize(
    ("human", "judge", "categories", "message"),
    [
        ([], [], LEVELS, "0 human, 0 judge"),
        (["low"], ["low", "med"], LEVELS, "1 human, 2 judge"),
        (["low"], ["great"], LEVELS, "outside the categories .*: great"),
        (["great"], ["low"], LEVELS, "outside the categories .*: great"),
        (list("fbd"), list("aec"), LEVELS, "outside the categories .*: a, b, c, d, e, f$"),
        (["low"], ["low"], ["low"], "two different categories"),
        (["low"], ["low"], ["low", "low", "med"], "two different categories"),
    ],
)
def test_contingency__refuses_what_cannot_be_counted(
    human: list[str],
    judge: list[str],
    categories: list[str],
    message: str,
) -> None:
    """Each item has one label of each rater, and every label is a category."""
    with pytest.raises(ValueError, match=message):
        contingency(human, judge, categories)


@pytest.mark.parametrize(
    "table",
    [[[1, 2]], [[3]], [1, 2], 4, [[[1, 0], [0, 1]]], np.zeros((0, 0))],
)
def test_square__refuses_other_shapes(table: object) -> None:
    """A table is square, with two categories or more."""
    with pytest.raises(ValueError, match="square table"):
        square(table)  # type: ignore[arg-type]


@pytest.mark.parametrize("table", [[[0, 0], [0, 0]], [[1, -1], [0, 1]], [[1, math.nan], [0, 1]]])
def test_square__refuses_what_are_no_counts(table: list[list[float]]) -> None:
    """Counts are finite and not negative, and there are some."""
    with pytest.raises(ValueError, match="cells are counts"):
        square(table)


def test_agreement_weights__by_hand() -> None:
    """Three categories: a miss by one place counts 0, a half or three quarters."""
    assert [1.0, 0.0, 0.0] == agreement_weights(3, "none")[0].tolist()
    assert [1.0, 0.5, 0.0] == agreement_weights(3, "linear")[0].tolist()
    assert [1.0, 0.75, 0.0] == agreement_weights(3, "quadratic")[0].tolist()


@pytest.mark.parametrize(
    ("table", "agreement", "informative"),
    [
        ([[2, 0, 0], [0, 0, 0], [1, 1, 20]], 0.916667, 4),
        ([[7, 0, 0], [0, 4, 2], [0, 0, 11]], 0.916667, 13),
        ([[0, 0, 0], [0, 2, 0], [0, 0, 22]], 1.0, 2),
        ([[0, 0, 1], [0, 0, 1], [1, 0, 21]], 0.875, 3),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 24]], 1.0, 0),
    ],
)
def test_plain_agreement__published_vectors(
    table: list[list[int]],
    agreement: float,
    informative: int,
) -> None:
    """The share of equal labels, and the labels off the fullest cell."""
    assert pytest.approx(agreement, abs=1e-6) == percent_agreement(table)
    assert informative == off_modal(table)
