"""Pages of an answer: one for each source, in their order, each address once."""

from __future__ import annotations

import asyncio

import pytest

from gate.errors import CannotRun
from gate.evidence import MOST_SOURCES, NOT_FETCHED, gather
from gate.types import Answer, Page, Source


class FakePages:
    """Every address has a page; what is asked first comes last."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def page(self, uri: str) -> Page:
        """Wait the longer the earlier one is asked."""
        self.asked.append(uri)
        await asyncio.sleep(0.01 / len(self.asked))
        return Page(uri=f"final {uri}", status="ok", text=f"text of {uri}")

    async def aclose(self) -> None:
        """Nothing is open."""


def answer(*uris: str) -> Answer:
    """An answer with these sources."""
    return Answer(text="t", sources=tuple(Source(uri=uri) for uri in uris))


async def test_gather__order_of_the_sources() -> None:
    """Whoever comes first, page k is that of source k."""
    evidence = await gather(answer("c", "a", "b"), FakePages())

    assert ["final c", "final a", "final b"] == [page.uri for page in evidence.pages]


async def test_gather__same_address_is_asked_once() -> None:
    """Both places get the page."""
    pages = FakePages()

    evidence = await gather(answer("a", "b", "a"), pages)

    assert ["a", "b"] == pages.asked
    assert ["final a", "final b", "final a"] == [page.uri for page in evidence.pages]


async def test_gather__no_source_is_no_page() -> None:
    """Nothing is asked."""
    assert () == (await gather(answer(), FakePages())).pages


async def test_gather__at_most_twenty() -> None:
    """The others are there, with a status and without text."""
    pages = FakePages()

    evidence = await gather(answer(*map(str, range(23))), pages)

    assert (20, 20, 23) == (MOST_SOURCES, len(pages.asked), len(evidence.pages))
    assert [NOT_FETCHED] * 3 == [page.status for page in evidence.pages[20:]]
    assert [""] * 3 == [page.text for page in evidence.pages[20:]]


async def test_gather__what_no_page_can_escape_goes_up() -> None:
    """Without processes to read in, the run ends."""

    class Broken(FakePages):
        async def page(self, uri: str) -> Page:
            raise CannotRun("no process can be started")

    with pytest.raises(CannotRun, match="no process"):
        await gather(answer("a"), Broken())
