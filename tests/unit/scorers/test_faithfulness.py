"""Faithfulness: what the judge says of claims, and what code makes of it."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from gate.scorers.claim_list import Claim
from gate.scorers.faithfulness import (
    METRICS,
    FaithfulnessScorer,
    Settled,
    faithfulness,
    settle,
)
from gate.scorers.pages import PageOptions
from gate.types import Failure, FailureKind, Score, Trial
from tests.unit.scorers.page_samples import FERRY, HUT, TEXT, PageJudge, claim, reading, trial

BEDS = "The Tarn Hut has 24 beds."
"""A quote of page 1."""
CROWNS = "A ticket costs 12 crowns."
"""A quote of page 2."""
GOOD = [claim(1, "supported", 1, BEDS), claim(2, "supported", 2, CROWNS), claim(3, "unsupported")]


async def scores(judge: PageJudge, one: Trial | None = None, **options: object) -> list[Score]:
    """Score a trial."""
    scorer = FaithfulnessScorer(PageOptions.model_validate(options), {"default": judge})
    return list(await scorer.score(one or trial()))


def judge(*claims: dict[str, object]) -> PageJudge:
    """A judge that lists these claims."""
    return PageJudge({"claims": list(claims)})


def settled(label: str, page: int, quote: str, sentence: int = 1, **pages: object) -> Settled:
    """The label of one claim after the checks."""
    made = claim(sentence, label, page, quote)
    return settle(Claim.model_validate(made), reading(**pages))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["supported"] * 3 + ["unsupported"], 0.75),  # 3/4
        (["supported", "partial"], 0.75),  # (1 + 0.5)/2
        (["partial"], 0.5),
        (["supported", "unverifiable", "unverifiable"], 1.0),  # 1/1
        (["unsupported", "partial", "unverifiable"], 0.25),  # 0.5/2
        (["unverifiable"], None),
        ([], None),
    ],
)
def test_faithfulness__formula(labels: list[str], expected: float | None) -> None:
    """Half credit for a part; unverifiable claims are in neither count; no claim, no number."""
    assert expected == faithfulness(labels)


def test_settle__quote_that_stands_in_its_page_counts() -> None:
    """Word for word; runs of blanks and composed letters are no difference."""
    assert Settled("supported") == settled("supported", 1, BEDS)
    assert Settled("partial") == settled("partial", 1, "The  Tarn Hut\nhas 24 beds.")
    pages = {"pages": ("Cafe\u0301 Solvag opens at nine.", FERRY)}
    assert Settled("supported") == settled("supported", 1, "Caf\u00e9 Solvag opens at", **pages)


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        (1, ""),  # absent
        (1, "24 beds"),  # too short
        (1, "24 beds" + " " * 30),  # too short without its blanks
        (1, "The hut has 24 beds. The ferry"),  # taken from the answer
        (1, CROWNS),  # of another page
        (1, "The Tarn Hut has 25 beds."),  # a figure off
        (1, "the tarn hut has 24 beds."),  # other letters
        (1, "The Tarn Hut has ... beds. It was"),  # with a hole
        (1, "Title 0 | d0.example | http://d0.example/page"),  # of the line above the text
        (0, BEDS),  # no page
        (3, BEDS),  # a page that is not there
        (-1, BEDS),
    ],
)
def test_settle__quote_that_does_not_counts_as_none(page: int, quote: str) -> None:
    """Support that cannot be shown is none."""
    assert Settled("unsupported", "quote_not_found") == settled("supported", page, quote)
    assert Settled("unsupported", "quote_not_found") == settled("partial", page, quote)


def test_settle__only_unread_pages_cited_is_unverifiable() -> None:
    """Whatever the judge found elsewhere; nobody is to blame for a page that did not come."""
    pages = {"pages": (None, FERRY + HUT)}

    assert Settled("unverifiable", "page_not_read") == settled("supported", 2, BEDS, **pages)
    assert Settled("unverifiable", "page_not_read") == settled("unsupported", 0, "", **pages)
    assert Settled("unverifiable") == settled("unverifiable", 0, "", **pages)


def test_settle__one_of_two_cited_pages_unread() -> None:
    """What the other one bears out stays; what it does not may stand in the unread one."""
    both = {"pages": (HUT, None), "citations": (("The hut has 24 beds.", (0, 1)),)}

    assert Settled("supported") == settled("supported", 1, BEDS, **both)
    assert Settled("unverifiable", "page_not_read") == settled("unsupported", 0, "", **both)
    assert Settled("unverifiable", "page_not_read") == settled("supported", 1, "no", **both)


@pytest.mark.parametrize("sentence", [3, 0, 9])
def test_settle__uncited_sentence_is_held_against_all_pages(sentence: int) -> None:
    """A page that did not come excuses only who cites it; so for a number of no sentence."""
    pages = {"pages": (HUT, None)}

    assert Settled("unsupported") == settled("unsupported", 0, "", sentence, **pages)
    assert Settled("supported") == settled("supported", 1, BEDS, sentence, **pages)


async def test_score__value_and_number_of_claims() -> None:
    """Two of three are borne out."""
    first, second = await scores(judge(*GOOD))

    assert ("faithfulness", 2 / 3) == (first.metric, first.value)
    assert ("claims", 3.0) == (second.metric, second.value)
    assert (
        "3 claims judged: 2 supported, 0 partial, 1 unsupported; 0 left out. Not borne out: "
        "\u201cclaim of sentence 3\u201d (sentence 3, cites nothing)" == first.reason
    )
    assert ("page-judge", "text", 0.02, 1) == (first.judge, first.form, first.cost_usd, first.calls)
    assert (None, 0) == (second.cost_usd, second.calls)


async def test_score__page_taken_away_takes_its_claims_out_of_both_counts() -> None:
    """2/3 becomes 1/2; the labels of all other claims stay, and both counts are told."""
    whole, _ = await scores(judge(*GOOD))
    without = [claim(1, "supported", 1, BEDS), claim(2, "unsupported"), claim(3, "unsupported")]

    less, count = await scores(judge(*without), trial((HUT, None)))

    assert (2 / 3, 0.5) == (whole.value, less.value)
    assert (2, 1) == (less.details["judged"], less.details["left_out"])
    assert less.reason.startswith(
        "2 claims judged: 1 supported, 0 partial, 1 unsupported; 1 left out. Not borne out: "
    )
    assert 3.0 == count.value
    assert ["supported", "unverifiable", "unsupported"] == labels(less)
    assert ["supported", "supported", "unsupported"] == labels(whole)


def rows(score: Score, name: str) -> list[Any]:
    """A list in the details."""
    listed = score.details[name]
    assert isinstance(listed, list)
    return listed


def labels(score: Score) -> list[str]:
    """The labels in the details."""
    return [row["label"] for row in rows(score, "claims")]


async def test_score__details_tell_each_source_and_each_claim() -> None:
    """Domain, final address, status, digest of the text that was judged; the judge's own label."""
    lie = claim(1, "supported", 1, "no such words there")

    first, _ = await scores(judge(lie), trial((HUT, None)))

    one, other = rows(first, "sources")
    assert ("ok", "http 403") == (one["status"], other["status"])
    assert ("d0.example", "http://d0.example/page") == (one["domain"], one["uri"])
    assert (hashlib.sha256(HUT.encode()).hexdigest(), None) == (one["text"], other["text"])
    row = rows(first, "claims")[0]
    assert ("supported", "unsupported") == (row["judged"], row["label"])
    assert "quote_not_found" == row["because"]


async def test_score__claim_digest_is_bound_to_the_answer() -> None:
    """A label of one answer's claim is none of another's, even in the same words."""
    one, _ = await scores(judge(claim(1, "unsupported")))
    other, _ = await scores(judge(claim(1, "unsupported")), trial(text=TEXT + " More."))

    assert rows(one, "claims")[0]["claim"] == rows(other, "claims")[0]["claim"]
    assert rows(one, "claims")[0]["digest"] != rows(other, "claims")[0]["digest"]


@pytest.mark.parametrize(
    ("pages", "kind", "says"),
    [
        ((), "undefined", "the answer names no source"),
        ((None, None), "pages", "none of its pages could be read (http 403)"),
    ],
)
async def test_score__without_a_readable_page_nothing_is_asked(
    pages: tuple[None, ...], kind: FailureKind, says: str
) -> None:
    """Nothing to measure, or a measurement that is lost; and nothing is paid."""
    asked = judge(*GOOD)

    found = await scores(asked, trial(pages, citations=()))

    assert [] == asked.prompts
    assert [(None, Failure(kind=kind, message=says))] * 2 == [
        (one.value, one.failure) for one in found
    ]


async def test_score__answer_without_a_claim_is_undefined() -> None:
    """Neither 0 nor 1; that it makes none is told."""
    first, second = await scores(judge())

    failure = Failure(kind="undefined", message="the answer makes no claim")
    assert (None, failure) == (first.value, first.failure)
    assert (0.0, None) == (second.value, second.failure)


async def test_score__failing_judge_gives_no_value() -> None:
    """A broken judge is no zero, and what it cost is told."""
    failure = Failure(kind="judge", message="prose")

    found = await scores(PageJudge(None, failure))

    assert [(None, failure)] * 2 == [(one.value, one.failure) for one in found]
    assert [0.02, None] == [one.cost_usd for one in found]


def test_metrics__number_of_claims_is_watched_and_gates_nothing() -> None:
    """More is better than less, so that shorter and vaguer answers do not look better unseen."""
    first, second = METRICS

    assert (True, "higher", "fraction") == (first.judged, first.better, first.unit)
    assert (True, False, "higher", "claims") == (
        *(second.watched, second.judged),
        *(second.better, second.unit),
    )


def test_identity__depends_on_what_is_shown_of_pages() -> None:
    """Whole pages and passages are two instruments."""
    judges = {"default": PageJudge(None)}
    made = [
        FaithfulnessScorer(PageOptions.model_validate(options), judges)
        for options in ({}, {"pages": "whole"}, {"max_page_bytes": 5000})
    ]

    assert 3 == len({one.settings_digest for one in made})
    assert 1 == len({one.prompt_digest for one in made})
