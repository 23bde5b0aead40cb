"""Cited pages that could not be read are told when they are many."""

from __future__ import annotations

from collections import Counter

from pydantic import JsonValue

from gate.engine.unread import page_statuses, unread_pages
from gate.types import Answer, Result, Score


def result(*statuses: str) -> Result:
    """An answer whose pages ended so; the second scorer lists them again."""
    sources: list[JsonValue] = [{"page": 1, "status": status} for status in statuses]
    scores = tuple(
        Score(metric=name, value=1.0, details={"sources": sources})
        for name in ("faithfulness", "citation_precision")
    )
    return Result(
        case_id="a",
        category="c",
        case_digest="d",
        target="t",
        attempt=0,
        question="q",
        answer=Answer(text="It is."),
        scores=(Score(metric="relevance", value=1.0), *scores),
    )


def pages(*results: Result) -> Counter[str]:
    """Count what a run counts."""
    return Counter(status for one in results for status in page_statuses(one))


def test_unread_pages__a_quarter_is_many() -> None:
    """Each source counts once, and the commonest reasons are named first."""
    found = unread_pages(pages(result("ok", "timeout", "timeout"), result("ok", "http 403")))

    (said,) = found
    assert said.startswith("3 of 5 cited pages could not be read (timeout 2, http 403 1): ")


def test_unread_pages__a_few_always_refuse() -> None:
    """One of five is nothing to warn of, and neither is a run that read no page."""
    assert () == unread_pages(pages(result("ok", "ok", "ok"), result("ok", "http 403")))
    assert () == unread_pages(pages(result()))
    assert () == unread_pages({})
