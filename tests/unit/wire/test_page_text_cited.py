"""The cited pages of a run: each is fetched and read once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gate.wire.guard import Guard, GuardedTransport
from gate.wire.pagetext.cited import CitedPages
from gate.wire.pagetext.reader import PageReader
from gate.wire.web import PageFetcher
from tests.unit.wire.web_fakes import STORY, Site, endless, open_site, reply

A = "http://site.example/a"


@asynccontextmanager
async def cited(site: Site) -> AsyncIterator[CitedPages]:
    """The pages of a server."""
    guard = Guard(allowed={"site.example": ("127.0.0.1", site.port)})
    pages = CitedPages(PageFetcher(GuardedTransport(guard)), PageReader())
    try:
        yield pages
    finally:
        await pages.aclose()


async def test_page__once_for_all() -> None:
    """Together or later: who asks again gets the same page."""
    async with (
        open_site(a=reply(STORY), b=reply(status="302 Found", Location="/a")) as site,
        cited(site) as pages,
    ):
        together = await asyncio.gather(*(pages.page(A) for _ in range(9)))
        later = await pages.page(A)
        other = await pages.page("http://site.example/b")

    assert {later.digest} == {one.digest for one in together}
    assert ("ok", A, later.text) == (other.status, other.uri, other.text)
    assert ["/a", "/b", "/a"] == site.paths


async def test_page__failed_once() -> None:
    """A page that did not come is not asked for again either."""
    async with open_site() as site, cited(site) as pages:
        found = [(await pages.page(A)).status for _ in range(3)]

    assert ["http 404"] * 3 == found
    assert ["/a"] == site.paths


async def test_page__one_of_two_gives_up() -> None:
    """The other one still gets it."""
    gate = asyncio.Event()

    async def held(writer: asyncio.StreamWriter) -> None:
        await gate.wait()
        await reply(STORY)(writer)

    async with open_site(a=held) as site, cited(site) as pages:
        first, second = (asyncio.create_task(pages.page(A)) for _ in range(2))
        await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        gate.set()
        found = await second

    assert "ok" == found.status


async def test_page__end_of_the_run() -> None:
    """What is on its way is given up."""
    async with open_site(a=endless(b"x", 0.05)) as site, cited(site) as pages:
        task = asyncio.create_task(pages.page(A))
        await asyncio.sleep(0.05)
        await pages.aclose()

        with pytest.raises(asyncio.CancelledError):
            await task
