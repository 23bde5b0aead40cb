"""ALCE's citation recall and precision, and the shares of gemini-search-mcp, worked out by hand.

In the docstrings s1, s2 ... are sentences and a, b ... their citations.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scorers.alce import Backing, Cited, alce_precision, alce_recall, f1, share

ALONE = Cited(alone=True, rest=False)
"""The page entails the sentence and the others do not."""
EITHER = Cited(alone=True, rest=True)
"""The page entails it, and so do the others."""
IRRELEVANT = Cited(alone=False, rest=True)
"""The page does not, the others do."""
NEEDED = Cited(alone=False, rest=False)
"""Neither does without the other."""
NONE = Backing()
"""A sentence that cites nothing."""


def backed(*citations: Cited) -> Backing:
    """A sentence that its citations entail."""
    return Backing(supported=True, citations=citations)


def unbacked(*citations: Cited) -> Backing:
    """A sentence that they do not entail."""
    return Backing(supported=False, citations=citations)


def numbers(*sentences: Backing) -> tuple[float | None, float | None]:
    """Recall and precision."""
    return alce_recall(sentences), alce_precision(sentences)


def test_one_sentence_one_good_citation() -> None:
    """s1: a entails it. Recall 1/1; a is relevant: precision 1/1."""
    assert (1.0, 1.0) == numbers(backed(ALONE))


def test_one_sentence_one_bad_citation() -> None:
    """s1: a does not entail it. Recall 0/1; precision 0/1, since its sentence has recall 0."""
    assert (0.0, 0.0) == numbers(unbacked(NEEDED))


def test_no_sentence() -> None:
    """Nothing to divide by: both undefined."""
    assert (None, None) == numbers()


def test_sentences_without_citations() -> None:
    """s1, s2 cite nothing. Recall 0/2; precision of a response without citations is 0."""
    assert (0.0, 0.0) == numbers(NONE, NONE)


def test_uncited_sentence_lowers_recall_alone() -> None:
    """s1: a entails it; s2 cites nothing. Recall 1/2; precision 1/1."""
    assert (0.5, 1.0) == numbers(backed(ALONE), NONE)


def test_irrelevant_citation_lowers_precision_alone() -> None:
    """s1: a entails it, b does not while a does without it. Recall 1/1; precision 1/2."""
    assert (1.0, 0.5) == numbers(backed(ALONE, IRRELEVANT))


def test_two_that_only_together_entail() -> None:
    """s1: a and b together, neither without the other: both relevant. Recall 1/1; precision 2/2."""
    assert (1.0, 1.0) == numbers(backed(NEEDED, NEEDED))


def test_two_that_each_entail() -> None:
    """s1: a alone does, b alone does: neither is irrelevant. Recall 1/1; precision 2/2."""
    assert (1.0, 1.0) == numbers(backed(EITHER, EITHER))


def test_two_needed_and_one_irrelevant() -> None:
    """s1: a, b needed together, c adds nothing. Recall 1/1; precision 2/3."""
    recall, precision = numbers(backed(NEEDED, NEEDED, IRRELEVANT))

    assert 1.0 == recall
    assert 2 / 3 == pytest.approx(precision)


def test_citations_of_an_unsupported_sentence_count_nothing() -> None:
    """s1: a entails it; s2: b, c do not. Recall 1/2; precision (1 + 0 + 0)/3."""
    recall, precision = numbers(backed(ALONE), unbacked(NEEDED, NEEDED))

    assert 0.5 == recall
    assert 1 / 3 == pytest.approx(precision)


def test_precision_counts_citations_and_not_sentences() -> None:
    """s1: a, b, c each entail it; s2: d does not. Recall 1/2; precision 3/4."""
    assert (0.5, 0.75) == numbers(backed(EITHER, EITHER, EITHER), unbacked(NEEDED))


def test_a_long_answer() -> None:
    """s1: a good; s2 uncited; s3: b good, c irrelevant; s4: d bad; s5: e, f needed together.

    Recall (1 + 0 + 1 + 0 + 1)/5; precision (1 + 1 + 0 + 0 + 1 + 1)/6.
    """
    recall, precision = numbers(
        backed(ALONE),
        NONE,
        backed(ALONE, IRRELEVANT),
        unbacked(NEEDED),
        backed(NEEDED, NEEDED),
    )

    assert 0.6 == pytest.approx(recall)
    assert 4 / 6 == pytest.approx(precision)


def test_supported_without_a_citation_is_no_support() -> None:
    """s1 is said to be entailed and cites nothing: recall 0/1, precision 0."""
    assert (0.0, 0.0) == numbers(Backing(supported=True))


def test_contradicting_judge_is_held_to_the_sentence() -> None:
    """s1: a alone, and yet not entailed: the sentence has recall 0, so precision 0/1."""
    assert (0.0, 0.0) == numbers(unbacked(ALONE))


@pytest.mark.parametrize(
    ("flags", "expected"),
    [([], None), ([True], 1.0), ([False], 0.0), ([True, False, False, True, True], 0.6)],
)
def test_share__undefined_without_a_denominator(flags: list[bool], expected: float | None) -> None:
    """3 of 5 is 0.6; 0 of 0 is nothing."""
    assert expected == share(flags)


@pytest.mark.parametrize(
    ("precision", "recall", "expected"),
    [
        (0.5, 0.5, 0.5),
        (1.0, 0.5, 2 / 3),  # 2 * 1 * 0.5 / 1.5
        (0.9, 0.3, 0.45),  # 2 * 0.27 / 1.2
        (0.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (None, 1.0, None),
        (1.0, None, None),
        (None, None, None),
    ],
)
def test_f1__harmonic_mean(
    precision: float | None, recall: float | None, expected: float | None
) -> None:
    """Undefined when a part is, 0 when both are 0."""
    found = f1(precision, recall)

    assert expected == (None if found is None else pytest.approx(found))


CITED = st.builds(Cited, st.booleans(), st.booleans())
BACKING = st.builds(Backing, st.booleans(), st.lists(CITED, max_size=4).map(tuple))


@given(st.lists(BACKING, min_size=1, max_size=8))
def test_both__in_the_unit_interval_and_blind_to_order(sentences: list[Backing]) -> None:
    """No order, no number outside of [0, 1], and no precision without recall."""
    recall, precision = numbers(*sentences)

    assert recall is not None
    assert precision is not None
    assert 0 <= recall <= 1
    assert 0 <= precision <= 1
    assert (recall, precision) == numbers(*reversed(sentences))
    assert precision == 0 or recall > 0
