"""Evidence on the road of a case: gathered only where a scorer reads pages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.engine.case import CaseRunner
from gate.errors import CannotRun
from gate.types import Answer, Job, Page, Result, Score, Source
from tests.fakes import FakeScorer, FakeTarget, case

JOB = Job(case=case("one"), target="fake", attempt=0)
ANSWER = Answer(text="yes", sources=(Source(uri="b"), Source(uri="a")))


class FakePages:
    """A page for every address, or an error."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: list[str] = []

    async def page(self, uri: str) -> Page:
        """Fetch or fail."""
        self.asked.append(uri)
        if self.error is not None:
            raise self.error
        return Page(uri=uri, status="ok", text=f"text of {uri}")

    async def aclose(self) -> None:
        """Nothing is open."""


def scorer(name: str, *, reads_pages: bool) -> FakeScorer:
    """A scorer that gives 1."""
    made = FakeScorer(lambda _: [Score(metric=name, value=1.0)], [name])
    made.reads_pages = reads_pages
    return made


async def run(
    scorers: Sequence[FakeScorer], pages: FakePages | None, answer: Answer = ANSWER
) -> Result:
    """Run the case."""
    target = FakeTarget({"one": answer})
    return await CaseRunner({"fake": target}, scorers, "2026-11-30", pages).run(JOB)


async def test_evidence__only_when_a_scorer_reads_pages() -> None:
    """Nothing is fetched for scorers that do not."""
    pages, plain = FakePages(), scorer("plain", reads_pages=False)

    await run([plain], pages)

    assert [] == pages.asked
    assert plain.trials[0].evidence is None


async def test_evidence__is_in_the_trial_in_the_sources_order() -> None:
    """Page k is that of source k."""
    reader = scorer("reader", reads_pages=True)

    await run([scorer("plain", reads_pages=False), reader], FakePages())

    evidence = reader.trials[0].evidence
    assert evidence is not None
    assert ["text of b", "text of a"] == [page.text for page in evidence.pages]


async def test_evidence__a_pages_fault_sinks_what_reads_it_alone() -> None:
    """Other scorers are asked; the failure says what happened."""
    plain, reader = scorer("plain", reads_pages=False), scorer("reader", reads_pages=True)

    result = await run([plain, reader], FakePages(RuntimeError("odd page")))

    first, second = result.scores
    assert 1.0 == first.value
    assert second.value is None
    assert second.failure is not None
    assert ("error", "unforeseen RuntimeError: odd page") == (
        *(second.failure.kind, second.failure.message),
    )
    assert [] == reader.trials


async def test_evidence__what_no_case_can_escape_goes_up() -> None:
    """Without a process to read in, the run ends."""
    with pytest.raises(CannotRun):
        await run([scorer("reader", reads_pages=True)], FakePages(CannotRun("none")))


async def test_evidence__without_a_door_is_a_failure() -> None:
    """An engine that was given none says so."""
    result = await run([scorer("reader", reads_pages=True)], None)

    failure = result.scores[0].failure
    assert failure is not None
    assert "no door" in failure.message


async def test_evidence__answer_without_sources_has_no_pages() -> None:
    """And is scored all the same."""
    reader = scorer("reader", reads_pages=True)

    await run([reader], FakePages(), Answer(text="yes"))

    assert reader.trials[0].evidence is not None
    assert () == reader.trials[0].evidence.pages
