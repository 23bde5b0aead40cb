"""Citations: the judge's rows against what the answer cites."""

from __future__ import annotations

from typing import Any

import pytest

from gate.scorers.citation_list import CitationList
from gate.scorers.citations import METRICS, CitationsScorer
from gate.scorers.pages import PageOptions, Reading
from gate.scorers.weighing import MOST_STATEMENTS, weigh
from gate.types import Failure, Score, Trial
from tests.unit.scorers.page_samples import FERRY, HUT, PageJudge, reading, trial

NAMES = ("citation_precision", "source_coverage", "citation_f1", "alce_recall", "alce_precision")
TWO = (("The hut has 24 beds.", (0, 1)), ("The ferry costs 12 crowns.", (1,)))
"""The first sentence cites both pages, the second the second one."""


def row(sentence: int, *, supported: bool, **pages: tuple[bool, bool]) -> dict[str, Any]:
    """A sentence's row; `p1=(alone, rest)`."""
    return {
        "sentence": sentence,
        "supported": supported,
        "citations": [
            {"page": int(name[1:]), "alone": alone, "rest": rest}
            for name, (alone, rest) in pages.items()
        ],
    }


def statement(page: int, *, stated: bool) -> dict[str, Any]:
    """A fact of a page."""
    return {"statement": f"fact of page {page}", "page": page, "stated": stated}


def verdict(*sentences: dict[str, Any], facts: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """A filled form."""
    return {"sentences": list(sentences), "statements": list(facts)}


GOOD = verdict(
    row(1, supported=True, p1=(True, False)),
    row(2, supported=True, p2=(True, False)),
    facts=(statement(1, stated=True), statement(2, stated=False)),
)


def values(one: Reading, **filled: Any) -> tuple[float | None, ...]:
    """The five numbers."""
    return weigh(one, CitationList.model_validate({**verdict(), **filled})).values()


async def scores(judge: PageJudge, one: Trial | None = None) -> list[Score]:
    """Score a trial."""
    scorer = CitationsScorer(PageOptions(), {"default": judge})
    return list(await scorer.score(one or trial()))


def test_weigh__all_five() -> None:
    """Two of two cited sentences, one of two facts, F1 of 1 and 1/2, two of three sentences."""
    assert (1.0, 0.5, pytest.approx(2 / 3), pytest.approx(2 / 3), 1.0) == values(reading(), **GOOD)


def test_weigh__unsupported_sentence() -> None:
    """One of two cited sentences; one of three sentences; one of two citations."""
    found = values(
        reading(),
        sentences=[row(1, supported=True, p1=(True, False)), row(2, supported=False)],
    )

    assert (0.5, None, None, pytest.approx(1 / 3), 0.5) == found


def test_weigh__irrelevant_citation() -> None:
    """Page 2 adds nothing to sentence 1: two of three citations count."""
    found = values(
        reading(citations=TWO),
        sentences=[
            row(1, supported=True, p1=(True, False), p2=(False, True)),
            row(2, supported=True, p2=(True, False)),
        ],
    )

    assert (1.0, pytest.approx(2 / 3), pytest.approx(2 / 3)) == (found[0], *found[3:])


def test_weigh__single_page_is_what_the_sentence_is() -> None:
    """With one page there is nothing to tell apart, whatever the row says or leaves out."""
    odd = [row(1, supported=True, p1=(False, True)), row(2, supported=True)]

    assert (1.0, 1.0) == (values(reading(), sentences=odd)[0], values(reading(), sentences=odd)[4])


def test_weigh__only_the_answer_says_what_is_cited() -> None:
    """Rows of sentences that cite nothing and of pages that are not cited change nothing."""
    more = [
        row(3, supported=True, p1=(True, False)),
        row(1, supported=True, p1=(True, False), p2=(True, True)),
        row(2, supported=True, p2=(True, False)),
        row(9, supported=False),
    ]

    assert values(reading(), **GOOD)[3:] == values(reading(), sentences=more)[3:]


@pytest.mark.parametrize(
    ("sentences", "says"),
    [
        ([row(1, supported=True, p1=(True, True), p2=(True, True))], "left out sentence 2"),
        ([row(1, supported=True, p1=(True, True)), row(2, supported=True)], "left out page 2"),
    ],
)
def test_weigh__what_the_judge_left_out_is_its_failure(
    sentences: list[dict[str, Any]], says: str
) -> None:
    """A row that is missing is no zero."""
    with pytest.raises(ValueError, match=says):
        values(reading(citations=TWO), sentences=sentences)


def test_weigh__unread_page_leaves_both_counts() -> None:
    """Sentence 2 cites page 2 alone, which did not come: one of one, and one of two sentences."""
    found = values(
        reading((HUT, None)),
        sentences=[row(1, supported=True, p1=(True, False))],
        statements=[statement(1, stated=True), statement(2, stated=False)],
    )

    assert (1.0, 1.0, 1.0, 0.5, 1.0) == found


def test_weigh__one_of_two_pages_unread() -> None:
    """A sentence that the other page bears out counts, with one citation; else it is left out."""
    half = reading((HUT, None), citations=TWO[:1])

    carried = weigh(half, CitationList.model_validate(verdict(row(1, supported=True))))
    open_ = weigh(half, CitationList.model_validate(verdict(row(1, supported=False))))

    assert ((), 1) == (carried.left_out, len(carried.backings[1].citations))
    assert ((1,), [2, 3]) == (open_.left_out, list(open_.backings))
    assert (None,) * 5 == open_.values()


def test_weigh__statements_are_capped_and_need_a_page() -> None:
    """Twenty count, in their order; a page that is not there states nothing."""
    facts = [statement(7, stated=True)] + [statement(1, stated=n < 5) for n in range(30)]
    sentences = [row(1, supported=True), row(2, supported=True)]

    assert 20 == MOST_STATEMENTS
    assert 5 / 20 == values(reading(), sentences=sentences, statements=facts)[1]


async def test_score__five_scores_and_one_bill() -> None:
    """In the order of the metrics; the first one carries cost and details."""
    found = await scores(PageJudge(GOOD))

    assert list(NAMES) == [one.metric for one in found] == [one.name for one in METRICS]
    assert [0.02, None, None, None, None] == [one.cost_usd for one in found]
    assert [1, 0, 0, 0, 0] == [one.calls for one in found]
    assert {"text"} == {one.form for one in found}
    assert {"sources", "sentences", "left_out", "statements"} == set(found[0].details)
    assert (
        "3 sentences judged, 2 cite pages, 2 of them borne out; 0 left out; "
        "1 of 2 facts of the pages told"
    ) == found[0].reason


async def test_score__judge_is_told_what_cites_what() -> None:
    """Pages with text only; the marks of the answer are not asked of the judge."""
    judge = PageJudge(GOOD)

    await scores(judge, trial((HUT, None, FERRY), citations=[(TWO[0][0], (0, 1, 2))]))

    assert "\n[1] 1, 3\n" in judge.prompts[0].own
    assert "[2]" not in judge.prompts[0].own


async def test_score__undefined_parts_carry_a_failure() -> None:
    """No fact, no coverage, no F1; the others stand."""
    found = await scores(PageJudge({**GOOD, "statements": []}))

    assert [False, True, True, False, False] == [one.value is None for one in found]
    assert ["undefined"] * 2 == [one.failure.kind for one in found if one.failure]


async def test_score__answer_without_a_source() -> None:
    """ALCE has 0 for what cites nothing; what nothing can be divided by is undefined. Not asked."""
    judge = PageJudge(GOOD)

    found = await scores(judge, trial((), citations=()))

    assert [] == judge.prompts
    assert [None, None, None, 0.0, 0.0] == [one.value for one in found]
    assert [None, None] == [one.failure for one in found[3:]]


async def test_score__sources_that_could_not_be_read() -> None:
    """A network that is down is no zero."""
    found = await scores(PageJudge(GOOD), trial((None, None)))

    assert [None] * 5 == [one.value for one in found]
    assert {"pages"} == {one.failure.kind for one in found if one.failure}


async def test_score__sources_without_citations() -> None:
    """Nothing is cited though pages are there: coverage is asked, ALCE has 0."""
    found = await scores(
        PageJudge(verdict(facts=(statement(1, stated=True),))), trial(citations=())
    )

    assert [None, 1.0, None, 0.0, 0.0] == [one.value for one in found]


@pytest.mark.parametrize(
    "judge",
    [
        PageJudge(None, Failure(kind="judge", message="prose")),
        PageJudge(None),
        PageJudge(verdict()),
    ],
    ids=["failed", "silent", "left out"],
)
async def test_score__broken_judge_gives_no_value(judge: PageJudge) -> None:
    """Five failures of the judge, and its price on the first."""
    found = await scores(judge)

    assert [(None, "judge")] * 5 == [(one.value, one.failure and one.failure.kind) for one in found]
    assert 0.02 == found[0].cost_usd


def test_identity__depends_on_what_is_shown_of_pages() -> None:
    """Whole pages and passages are two instruments; both read pages."""
    judges = {"default": PageJudge(None)}
    made = [
        CitationsScorer(PageOptions.model_validate(options), judges)
        for options in ({}, {"pages": "whole"}, {"max_page_bytes": 5000})
    ]

    assert 3 == len({one.settings_digest for one in made})
    assert 1 == len({one.prompt_digest for one in made})
    assert all(one.reads_pages for one in made)


def test_metrics__are_judged_and_higher_is_better() -> None:
    """So each needs a licence."""
    assert all(metric.judged and metric.better == "higher" for metric in METRICS)
