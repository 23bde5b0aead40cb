"""AC1, PABAK and alpha: published figures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gate.stats.coefficients import (
    Metric,
    gwet_ac1,
    krippendorff_alpha,
    krippendorff_alpha_of_ratings,
    pabak,
)

T1 = [[2, 0, 0], [0, 0, 0], [1, 1, 20]]
T2 = [[7, 0, 0], [0, 4, 2], [0, 0, 11]]
T3 = [[0, 0, 0], [0, 2, 0], [0, 0, 22]]
T5 = [[0, 0, 1], [0, 0, 1], [1, 0, 21]]
T6 = [[0, 0, 0], [0, 0, 0], [1, 2, 21]]
T7 = [[0, 0, 0], [0, 0, 0], [0, 0, 24]]

LEVELS = ["low", "med", "high"]
ITEMS = st.lists(
    st.tuples(st.sampled_from(LEVELS), st.sampled_from(LEVELS)),
    min_size=1,
    max_size=30,
)
METRICS: list[Metric] = ["nominal", "ordinal", "interval"]


def worked_example() -> list[list[str | None]]:
    """Twelve units of four observers, one row each: the example of Krippendorff (2011)."""
    rows = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    columns = zip(*rows, strict=True)
    return [[None if mark == "." else mark for mark in unit] for unit in columns]


@pytest.mark.parametrize(
    ("table", "ac1", "expected_pabak"),
    [
        (T1, 0.906204, 0.875),
        (T2, 0.879093, 0.875),
        (T3, 1.0, 1.0),
        (T5, 0.867097, 0.8125),
        (T6, 0.867097, 0.8125),
        (T7, 1.0, 1.0),
    ],
)
def test_ac1_and_pabak__published_vectors(
    table: list[list[int]],
    ac1: float,
    expected_pabak: float,
) -> None:
    """Both are defined for constant raters, and high for a judge that always says high."""
    assert pytest.approx(ac1, abs=1e-6) == gwet_ac1(table)
    assert pytest.approx(expected_pabak, abs=1e-6) == pabak(table)


@pytest.mark.parametrize(
    ("table", "linear", "quadratic"),
    [(T1, 0.923227, 0.932961), (T2, 0.913565, 0.944954), (T5, 0.884374, 0.893596)],
)
def test_gwet_ac2__published_vectors(
    table: list[list[int]],
    linear: float,
    quadratic: float,
) -> None:
    """Near misses count in part."""
    assert pytest.approx(linear, abs=1e-6) == gwet_ac1(table, "linear")
    assert pytest.approx(quadratic, abs=1e-6) == gwet_ac1(table, "quadratic")


@pytest.mark.parametrize(
    ("table", "nominal", "ordinal", "interval"),
    [
        (T1, 0.634241, 0.656815, 0.735062),
        (T2, 0.868715, 0.926992, 0.945476),
        (T3, 1.0, 1.0, 1.0),
        (T5, -0.029197, -0.044384, -0.039312),
        (T6, -0.029197, -0.044384, -0.036765),
    ],
)
def test_krippendorff_alpha__published_vectors(
    table: list[list[int]],
    nominal: float,
    ordinal: float,
    interval: float,
) -> None:
    """Two raters, three metrics."""
    actual = [krippendorff_alpha(table, metric) for metric in METRICS]
    assert pytest.approx([nominal, ordinal, interval], abs=1e-6) == actual
    assert krippendorff_alpha(table) == actual[0]


@pytest.mark.parametrize("metric", METRICS)
def test_krippendorff_alpha__nothing_varies(metric: Metric) -> None:
    """One label throughout leaves alpha undefined."""
    assert krippendorff_alpha(T7, metric) is None


@pytest.mark.parametrize(
    ("metric", "expected"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)],
)
def test_alpha_of_ratings__worked_example(metric: Metric, expected: float) -> None:
    """Four observers, twelve units, seven labels missing."""
    alpha = krippendorff_alpha_of_ratings(worked_example(), list("12345"), metric)
    assert pytest.approx(expected, abs=5e-4) == alpha


@given(ITEMS, st.sampled_from(METRICS))
def test_alpha_of_ratings__of_two_raters_is_that_of_their_table(
    items: list[tuple[str, str]],
    metric: Metric,
) -> None:
    """A list of pairs and its table say the same."""
    table = np.zeros((3, 3))
    for human, judge in items:
        table[LEVELS.index(human), LEVELS.index(judge)] += 1
    expected = krippendorff_alpha(table, metric)
    actual = krippendorff_alpha_of_ratings(items, LEVELS, metric)
    assert (expected is None) == (actual is None)
    assert pytest.approx(expected or 0.0) == (actual or 0.0)


@given(ITEMS)
def test_alpha__nominal_from_pairs_of_labels(items: list[tuple[str, str]]) -> None:
    """1 - Do/De, counted pair by pair: within items, and over all labels."""
    labels = [label for item in items for label in item]
    everywhere = [a != b for a, b in itertools.permutations(labels, 2)]
    assume(any(everywhere))
    within = [a != b for a, b in items]
    expected = 1 - (sum(within) / len(within)) / (sum(everywhere) / len(everywhere))
    assert pytest.approx(expected, abs=1e-9) == krippendorff_alpha_of_ratings(items, LEVELS)


@pytest.mark.parametrize("ratings", [[], [["low", None]], [["low", "low"], [None, "med"]]])
def test_alpha_of_ratings__nothing_to_compare(ratings: list[list[str | None]]) -> None:
    """No item with two labels, or only one kind of label on those that have."""
    assert krippendorff_alpha_of_ratings(ratings, LEVELS) is None


def test_alpha_of_ratings__refuses_unknown_labels() -> None:
    """The message names the labels of the item."""
    with pytest.raises(ValueError, match=r"outside the categories .*great"):
        krippendorff_alpha_of_ratings([["low", "great"]], LEVELS)


def test_alpha_of_ratings__refuses_categories_that_come_twice() -> None:
    """Each category has one place in the order."""
    with pytest.raises(ValueError, match="two different categories"):
        krippendorff_alpha_of_ratings([["low", "low"]], ["low", "low"])


def test_alpha_of_ratings__an_item_of_every_category() -> None:
    """An item that shows all of them has labels of the categories, and is counted."""
    found = krippendorff_alpha_of_ratings([["a", "b"], ["a", "a"], ["b", "b"]], ["a", "b"])

    assert 1 - 5 * 2 / (2 * 3 * 3) == pytest.approx(found)
