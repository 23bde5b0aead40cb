"""Each damage does what it says, to what it can be done to, the same way each time."""

from __future__ import annotations

from typing import get_args

import pytest

from gate.decision.sensitivity import SEEN_BY
from gate.scorers.sentences import cited_sources, split_sentences
from gate.sensitivity.damages import Damaged, damage
from gate.types import Answer, Case, Citation, Damage, Question, Source

TEXT = "Kveldsnut is 1,204 m high. It was first climbed in 1861 by Runa Lunde. Many walk up today."
CASE = Case(
    question=Question(id="height", input="How high is Kveldsnut on Hestrøy, as seen in 1990?"),
    assertions=(
        "gives the height as 1,204 m",
        "names Runa Lunde as the first who climbed",
        "does not give 1861 as the height",
    ),
)
CITING = ("citation_precision", "alce_recall", "alce_precision")


def answer(text: str = TEXT, cited: int = 2, sources: int = 2) -> Answer:
    """An answer whose first sentences are cited."""
    sentences = split_sentences(text)[:cited]
    return Answer(
        text=text,
        sources=tuple(Source(uri=f"https://x.example/{n}", title=f"T{n}") for n in range(sources)),
        citations=tuple(
            Citation(start=one.start, end=one.end, text=one.text, sources=(n % max(1, sources),))
            for n, one in enumerate(sentences)
        ),
    )


def done(kind: Damage, given: Answer | None = None, case: Case = CASE) -> Damaged:
    """The damaged answer, which must be possible, and be the same twice."""
    given = given or answer()
    made = damage(kind, case, given)
    assert made is not None
    assert made == damage(kind, case, given)
    assert made.answer != given
    assert set(made.dimensions) <= set(SEEN_BY[kind])
    for one in made.answer.citations:
        assert one.text == made.answer.text[one.start : one.end]
    return made


def test_damage__every_kind_is_made() -> None:
    """The table of dimensions and the damages are of one length."""
    assert set(get_args(Damage)) == set(SEEN_BY)
    for kind in get_args(Damage):
        assert done(kind).dimensions


def test_fact_flipped__an_expected_figure() -> None:
    """The expected figure, in its last digit; the cited sentence is another one by now."""
    made = done("fact_flipped")

    assert "Kveldsnut is 1,207 m high." in made.answer.text
    assert "1861" in made.answer.text
    assert ("correctness", "faithfulness", *CITING) == made.dimensions


def test_fact_flipped__wherever_it_stands_and_no_longer_figure() -> None:
    """Each place of it, and not the 41 inside of 411, 4.41 or [41]."""
    made = done(
        "fact_flipped", answer("It is 41 m, so 41. Not 411, 4.41, 41.5, [41] or x41.", cited=0)
    )

    assert "It is 44 m, so 44. Not 411, 4.41, 41.5, [41] or x41." == made.answer.text


def test_fact_flipped__a_figure_that_nobody_expects() -> None:
    """Only the pages can tell; where it is not cited, not even these."""
    text = "It has 12 huts. It is old."

    assert ("faithfulness", *CITING) == done("fact_flipped", answer(text)).dimensions
    assert () == done("fact_flipped", answer(text, cited=0)).dimensions


def test_fact_flipped__figures_of_the_question_are_left_alone() -> None:
    """They are no part of what is answered."""
    assert damage("fact_flipped", CASE, answer("In 1990 it was high.")) is None


def test_sentence_removed__the_one_that_says_it() -> None:
    """Runa Lunde stood in one sentence, and nowhere else."""
    made = done("sentence_removed")

    assert "Kveldsnut is 1,204 m high. Many walk up today." == made.answer.text
    assert ("correctness",) == made.dimensions
    assert 1 == len(made.answer.citations)


@pytest.mark.parametrize(
    "text",
    [
        "Runa Lunde climbed it first.",
        "Runa Lunde climbed it first. The first who climbed was Runa.",
        "It is high. It is old.",
    ],
)
def test_sentence_removed__not_where_nothing_is_surely_lost(text: str) -> None:
    """A single sentence, one that another says as well, and none that is expected."""
    assert damage("sentence_removed", CASE, answer(text)) is None


def test_sentence_removed__not_what_frames_the_rest() -> None:
    """Of an answer with citations only sentences that cite are facts of their own."""
    text = "It is high. Runa Lunde climbed it first."

    assert damage("sentence_removed", CASE, answer(text, cited=1)) is None
    assert "It is high. " == done("sentence_removed", answer(text, cited=2)).answer.text
    assert "It is high. " == done("sentence_removed", answer(text, cited=0)).answer.text


def test_sentence_removed__a_reference_is_expected_too() -> None:
    """Where a case has no assertions but an expected output."""
    case = Case(question=Question(id="x", input="Who?"), reference="Runa Lunde climbed first")

    assert "Runa" not in done("sentence_removed", case=case).answer.text


def test_claim_added__cites_what_the_last_sentence_cites() -> None:
    """A sentence more, with a citation more."""
    made = done("claim_added")
    sentences = split_sentences(made.answer.text)

    assert 4 == len(sentences)
    assert (1,) == cited_sources(sentences, made.answer.citations)[-1]
    assert ("faithfulness", *CITING) == made.dimensions
    assert damage("claim_added", CASE, answer(cited=0)) is None


def test_citation_stripped__the_first_sentence_alone() -> None:
    """Text and sources stay, and so do the other citations, also of one that spans two."""
    made = done("citation_stripped")
    spanning = answer(cited=0).model_copy(
        update={"citations": (Citation(start=0, end=70, text=TEXT[:70], sources=(0,)),)}
    )

    assert (TEXT, 2) == (made.answer.text, len(made.answer.sources))
    assert ((), (1,), ()) == cited_sources(split_sentences(TEXT), made.answer.citations)
    assert ((), (0,), ()) == cited_sources(
        split_sentences(TEXT), done("citation_stripped", spanning).answer.citations
    )
    assert damage("citation_stripped", CASE, answer(cited=0)) is None


def test_sources_stripped__nothing_is_named() -> None:
    """The text stays; ALCE sees it only where something was cited."""
    made = done("sources_stripped")

    assert (TEXT, (), ()) == (made.answer.text, made.answer.sources, made.answer.citations)
    assert ("source_quality", "alce_recall", "alce_precision") == made.dimensions
    assert ("source_quality",) == done("sources_stripped", answer(cited=0)).dimensions
    assert damage("sources_stripped", CASE, answer(cited=0, sources=0)) is None


def test_padding_added__after_each_sentence_and_three_at_least() -> None:
    """Citations stay on their sentences; the fillers cite nothing."""
    made = done("padding_added")
    short = done("padding_added", answer("It is 1,204 m high.", cited=1))
    cites = cited_sources(split_sentences(made.answer.text), made.answer.citations)

    assert [True, False, True, False, False, False] == [bool(one) for one in cites]
    assert 4 == len(split_sentences(short.answer.text))
    assert ("relevance", "alce_recall") == made.dimensions


@pytest.mark.parametrize("text", ["Do this:\n1. One thing.\n2. Two.", "- One.\n- Two.", "..."])
def test_padding_added__not_into_lists(text: str) -> None:
    """A filler inside of an item would be another damage."""
    assert damage("padding_added", CASE, answer(text)) is None
