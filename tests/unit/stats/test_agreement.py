"""Cohen's kappa: published vectors, scikit-learn, statsmodels, simulation."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from gate.stats.agreement import (
    Kappa,
    Weights,
    bootstrap_kappa,
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    off_modal,
    pabak,
    percent_agreement,
    smoothed_kappa,
)
from gate.stats.seeded import stream

T1 = [[2, 0, 0], [0, 0, 0], [1, 1, 20]]
T2 = [[7, 0, 0], [0, 4, 2], [0, 0, 11]]
T3 = [[0, 0, 0], [0, 2, 0], [0, 0, 22]]
T5 = [[0, 0, 1], [0, 0, 1], [1, 0, 21]]
T6 = [[0, 0, 0], [0, 0, 0], [1, 2, 21]]
T7 = [[0, 0, 0], [0, 0, 0], [0, 0, 24]]

NAMES = ["T1_seed_correctness", "T2_seed_source", "T3_seed_perfect"]
NAMES += ["T5_prevalence", "T6_constant_rater", "T7_both_constant"]
ALL_WEIGHTS: list[Weights] = ["none", "linear", "quadratic"]
KEYS = {"none": "kappa", "linear": "kappa_linear", "quadratic": "kappa_quadratic"}


def square_tables(size: int) -> st.SearchStrategy[list[list[int]]]:
    """Square tables of small counts."""
    row = st.lists(st.integers(0, 12), min_size=size, max_size=size)
    return st.lists(row, min_size=size, max_size=size)


TABLES = st.sampled_from([2, 3, 4]).flatmap(square_tables)


@pytest.mark.parametrize(
    ("table", "weights", "figures"),
    [
        (T1, "none", [0.630769, 0.230809, 0.178392, 1.0, 0.251122]),
        (T1, "linear", [0.694915, 0.216810, 0.269975, 1.0, 0.338294]),
        (T1, "quadratic", [0.732143, 0.212737, 0.315186, 1.0, 0.382221]),
        (T2, "none", [0.866667, 0.089214, 0.691811, 1.0, 0.719923]),
        (T2, "linear", [0.909091, 0.063014, 0.785586, 1.0, 0.805443]),
        (T2, "quadratic", [0.944444, 0.040001, 0.866043, 1.0, 0.878648]),
        (T3, "none", [1.0, 0.0, 1.0, 1.0, 0.600596]),
        (T5, "none", [-0.043478, 0.032523, -0.107222, 0.020266, -0.096974]),
        (T5, "linear", [-0.052632, 0.035354, -0.121924, 0.016661, -0.110784]),
        (T6, "none", [0.0, 0.0, 0.0, 0.0, -0.199916]),
    ],
)
def test_cohen_kappa__published_vectors(
    table: list[list[int]],
    weights: Weights,
    figures: list[float],
) -> None:
    """Value, se, interval, one-sided bound; perfect agreement takes the smoothed table's bound."""
    kappa = cohen_kappa(table, weights)
    assert 24 == kappa.n
    actual = [kappa.value, kappa.se, kappa.low, kappa.high, kappa.lower_one_sided]
    assert pytest.approx(figures, abs=1e-6) == actual


def test_cohen_kappa__both_raters_constant_is_undefined() -> None:
    """One label throughout: no kappa, no interval, but the agreement is told."""
    kappa = cohen_kappa(T7)
    undefined = (kappa.value, kappa.se, kappa.low, kappa.high, kappa.lower_one_sided)
    assert (None,) * 5 == undefined
    assert (24, 1.0, 1.0) == (kappa.n, kappa.observed, kappa.expected)


@pytest.mark.parametrize(
    ("table", "value", "se", "lower"),
    [
        (T1, 0.590164, 0.212837, 0.240079),
        (T2, 0.830221, 0.097030, 0.670621),
        (T3, 0.861878, 0.158848, 0.600596),
        (T5, 0.098361, 0.215546, -0.256181),
        (T6, 0.124204, 0.197051, -0.199916),
        (T7, 0.489796, 0.438983, -0.232267),
    ],
)
def test_smoothed_kappa__published_vectors(
    table: list[list[int]],
    value: float,
    se: float,
    lower: float,
) -> None:
    """A ninth of a label in each cell; `n` counts real labels only."""
    kappa = smoothed_kappa(table)
    assert 24 == kappa.n
    assert pytest.approx([value, se, lower], abs=1e-6) == [
        kappa.value,
        kappa.se,
        kappa.lower_one_sided,
    ]


@pytest.mark.parametrize("name", NAMES)
def test_kappa_vectors__from_the_file(data_dir: Path, name: str) -> None:
    """Every figure of the stored vectors; intervals there are not clipped."""
    stored = json.loads((data_dir / "stat-vectors" / "kappa_vectors.json").read_text())[name]
    table = stored["table_human_rows_judge_cols"]
    for weights in ALL_WEIGHTS:
        expected, kappa = stored[KEYS[weights]], cohen_kappa(table, weights)
        if expected is None:
            assert kappa.value is None
            continue
        low, high = expected["ci95"]
        figures = [expected["value"], expected["se"], max(low, -1.0), min(high, 1.0)]
        figures += [expected["po"], expected["pe"]]
        actual = [kappa.value, kappa.se, kappa.low, kappa.high, kappa.observed, kappa.expected]
        assert pytest.approx(figures, abs=1e-6) == actual
        if expected["se"] > 0:
            assert pytest.approx(expected["lower_one_sided95"], abs=1e-6) == kappa.lower_one_sided
    smooth, smoothed = stored["kappa_smoothed_add_1_over_q2"], smoothed_kappa(table)
    assert pytest.approx(list(smooth.values()), abs=1e-6) == [
        smoothed.value,
        smoothed.se,
        smoothed.lower_one_sided,
    ]
    beside = [stored["percent_agreement"], stored["pabak"], stored["gwet_ac1"]]
    beside += [stored["gwet_ac2_linear"], stored["gwet_ac2_quadratic"]]
    actual_beside = [percent_agreement(table), pabak(table)]
    actual_beside += [gwet_ac1(table, weights) for weights in ALL_WEIGHTS]
    assert pytest.approx(beside, abs=1e-6) == actual_beside
    for metric in ("nominal", "ordinal", "interval"):
        alpha, expected = krippendorff_alpha(table, metric), stored[f"krippendorff_{metric}"]
        assert alpha is None if expected is None else pytest.approx(expected, abs=1e-6) == alpha
    assert stored["n_informative"] == off_modal(table)


@given(TABLES, st.sampled_from(ALL_WEIGHTS))
@settings(deadline=None)
def test_cohen_kappa__agrees_with_statsmodels(table: list[list[int]], weights: Weights) -> None:
    """Value and standard error of any table on which kappa is defined."""
    cells = np.array(table, dtype=float)
    assume(cells.sum() > 0)
    kappa = cohen_kappa(table, weights)
    assume(kappa.value is not None)
    with np.errstate(all="ignore"):  # its z value divides by zero where one rater is constant
        oracle = cohens_kappa(cells, wt=None if weights == "none" else weights)
    assert pytest.approx(float(oracle.kappa), abs=1e-9) == kappa.value
    assert pytest.approx(max(0.0, float(oracle.var_kappa)), abs=1e-9) == (kappa.se or 0.0) ** 2


@given(TABLES, st.sampled_from(ALL_WEIGHTS))
@settings(deadline=None)
def test_cohen_kappa__agrees_with_scikit_learn(table: list[list[int]], weights: Weights) -> None:
    """The value from the labels themselves."""
    size = len(table)
    human = [i for i in range(size) for j in range(size) for _ in range(table[i][j])]
    judge = [j for i in range(size) for j in range(size) for _ in range(table[i][j])]
    assume(len(human) > 0)
    kappa = cohen_kappa(table, weights)
    assume(kappa.value is not None)
    named = None if weights == "none" else weights
    expected = cohen_kappa_score(human, judge, labels=list(range(size)), weights=named)
    assert pytest.approx(float(expected), abs=1e-9) == kappa.value


@given(TABLES, st.sampled_from(ALL_WEIGHTS))
@settings(deadline=None)
def test_cohen_kappa__properties(table: list[list[int]], weights: Weights) -> None:
    """Bounds hold and lie in order, and swapping the raters changes nothing."""
    cells = np.array(table)
    assume(cells.sum() > 0)
    kappa, swapped = cohen_kappa(table, weights), cohen_kappa(cells.T, weights)
    assume(kappa.value is not None)
    assert kappa.value is not None
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.lower_one_sided is not None
    assert -1.0 <= kappa.low <= kappa.value <= kappa.high <= 1.0 + 1e-12
    assert -1.0 <= kappa.lower_one_sided <= kappa.value + 1e-12
    assert pytest.approx([kappa.value, kappa.se]) == [swapped.value, swapped.se]


@given(TABLES)
@settings(deadline=None)
def test_cohen_kappa__names_of_the_categories_do_not_matter(table: list[list[int]]) -> None:
    """Unweighted kappa does not know their order."""
    cells = np.array(table)
    assume(cells.sum() > 0)
    turned = cells[::-1, ::-1]
    first, second = cohen_kappa(cells), cohen_kappa(turned)
    assert (first.value is None) == (second.value is None)
    assert pytest.approx(first.value or 0.0) == (second.value or 0.0)


def test_cohen_kappa__two_constant_raters_who_disagree() -> None:
    """People always low, judge always high: agreement and chance are both nil."""
    kappa = cohen_kappa([[0, 9], [0, 0]])
    assert (0.0, 0.0, 0.0) == (kappa.value, kappa.observed, kappa.expected)


def test_cohen_kappa__never_below_minus_one() -> None:
    """Nearly complete disagreement: both lower bounds are clipped."""
    kappa = cohen_kappa([[1, 8], [8, 1]])
    assert pytest.approx(-7 / 9) == kappa.value
    assert (-1.0, -1.0) == (kappa.low, kappa.lower_one_sided)


def test_cohen_kappa__narrower_at_less_confidence() -> None:
    """A 90% interval of the published table; its lower end is the one-sided 95% bound."""
    kappa = cohen_kappa(T2, confidence=0.90)
    assert pytest.approx(0.719923, abs=1e-6) == kappa.low


def test_cohen_kappa__weighted_labels_may_be_fractions() -> None:
    """Cells weighted by how the items were sampled; scaling all cells keeps the value."""
    half = np.array(T2) / 2
    kappa = cohen_kappa(half)
    assert 12 == kappa.n
    assert pytest.approx(0.866667, abs=1e-6) == kappa.value
    assert pytest.approx(0.089214 * math.sqrt(2), abs=1e-6) == kappa.se


@pytest.mark.parametrize("function", [cohen_kappa, smoothed_kappa])
def test_kappa__weighted_labels_are_counted_to_the_nearest_whole(
    function: Callable[[list[list[float]]], Kappa],
) -> None:
    """3.7 labels are about four."""
    assert 4 == function([[1.5, 0.25], [0.25, 1.7]]).n


@pytest.mark.parametrize("function", [cohen_kappa, smoothed_kappa, bootstrap_kappa])
def test_kappa__refuses_a_table_without_labels(function: object) -> None:
    """No label is no kappa of zero."""
    assert callable(function)
    with pytest.raises(ValueError, match="at least one label"):
        function([[0, 0], [0, 0]])


def test_kappa__refuses_percents() -> None:
    """95 is not 0.95."""
    with pytest.raises(ValueError, match="confidence"):
        cohen_kappa(T1, confidence=95)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_kappa(T1, confidence=95)


# ---- bootstrap


def test_bootstrap_kappa__published_interval() -> None:
    """24 labels, 4 off the modal cell: the bootstrap excludes nothing between 0 and 1."""
    assert pytest.approx((0.0, 1.0), abs=1e-9) == bootstrap_kappa(T1)


def test_bootstrap_kappa__nears_the_large_sample_interval() -> None:
    """With 480 labels both intervals tell the same."""
    many = np.array(T2) * 20
    kappa = cohen_kappa(many)
    assert pytest.approx((kappa.low, kappa.high), abs=0.01) == bootstrap_kappa(many)


@pytest.mark.parametrize("weights", ALL_WEIGHTS)
@pytest.mark.parametrize("at_once", [24 * 7, 24, 23])
def test_bootstrap_kappa__resampling_in_parts_is_one_resampling(
    at_once: int,
    weights: Weights,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The number of resamples drawn at a time is a matter of memory only; it is one at least."""
    whole = bootstrap_kappa(T2, resamples=300, weights=weights)
    monkeypatch.setattr("gate.stats.agreement._RESAMPLES_AT_ONCE", at_once)
    assert whole == bootstrap_kappa(T2, resamples=300, weights=weights)


def test_bootstrap_kappa__seed_decides() -> None:
    """The same seed gives the same interval, another one another."""
    many = np.array(T2) * 7
    assert bootstrap_kappa(many) == bootstrap_kappa(many, "gate-v1", resamples=2_000)
    assert bootstrap_kappa(many) != bootstrap_kappa(many, "gate-v2")


def test_bootstrap_kappa__is_pinned() -> None:
    """Twenty resamples of the default seed, the same on every machine; the last cells may be 0."""
    table = [[8, 2, 0], [1, 9, 2], [0, 1, 0]]
    pinned = (0.19191572360835948, 0.7541666666666664)
    assert pytest.approx(pinned, abs=1e-12) == bootstrap_kappa(table, resamples=20)
    assert pytest.approx((-2 / 3, 0.0), abs=0.05) == bootstrap_kappa([[3, 1], [2, 0]], resamples=50)


def test_bootstrap_kappa__no_variety_has_no_interval() -> None:
    """Undefined on every resample."""
    assert (None, None) == bootstrap_kappa(T7)


def test_bootstrap_kappa__refuses_fractions() -> None:
    """Half a label cannot be drawn."""
    with pytest.raises(ValueError, match="whole counts"):
        bootstrap_kappa(np.array(T2) / 2)


def test_cohen_kappa__covers_as_often_as_it_says() -> None:
    """200 labels, kappa 0.7: intervals and one-sided bounds hold it about 95% of the time."""
    share = np.array([0.2, 0.3, 0.5])
    truth = 0.7 * np.diag(share) + 0.3 * np.outer(share, share)
    assert pytest.approx(0.7) == cohen_kappa(truth * 1_000).value
    draws = np.random.Generator(stream("gate-v1", "kappa-coverage"))
    kappas = [
        cohen_kappa(draws.multinomial(200, truth.ravel()).reshape(3, 3)) for _ in range(1_500)
    ]
    inside = sum((k.low or 0) <= 0.7 <= (k.high or 0) for k in kappas) / 1_500
    above = sum((k.lower_one_sided or 0) <= 0.7 for k in kappas) / 1_500
    assert 0.93 <= inside <= 0.97
    assert 0.92 <= above <= 0.97
