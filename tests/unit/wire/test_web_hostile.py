"""Fetching pages from servers that do not behave: each ends as a status, in time and in bounds."""

from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc

import pytest

from gate.wire.web import FetchLimits
from tests.unit.wire.web_fakes import (
    HTML,
    STORY,
    Route,
    endless,
    fetch,
    fetching,
    largest_lag,
    open_site,
    raw,
    reply,
)

QUICK = FetchLimits(total_s=0.5, page_bytes=100_000, pdf_bytes=300_000)
HEAD = f"HTTP/1.1 200 OK\r\nContent-Type: {HTML}\r\n".encode()
BOMB = gzip.compress(b"<p>boom</p>" * 5_000_000)


async def test_fetch__longer_than_the_cap() -> None:
    """The beginning is kept, and the page says that it is cut."""
    async with open_site(a=reply(b"x" * 100_001), b=reply(b"x" * 100_000)) as site:
        longer, full = await fetch(site, "a", QUICK), await fetch(site, "b", QUICK)

    assert (100_000, True) == (len(longer.body), longer.truncated)
    assert (100_000, False) == (len(full.body), full.truncated)


@pytest.mark.parametrize("packed", [False, True])
async def test_fetch__pdf_may_be_longer(packed: bool) -> None:  # noqa: FBT001 - a parameter
    """A part of one cannot be read, so its cap is another, whatever the header says."""
    body = b"%PDF-1.7" + b"x" * 250_000
    route = reply(gzip.compress(body), Content_Encoding="gzip") if packed else reply(body)
    async with open_site(a=route) as site:
        found = await fetch(site, "a", QUICK)

    assert ("ok", body, False) == (found.status, found.body, found.truncated)


async def test_fetch__gzip_bomb() -> None:
    """53 kB that unpack to 55 MB take no more memory than the cap."""
    async with open_site(a=reply(BOMB, Content_Encoding="gzip")) as site:
        tracemalloc.start()
        try:
            found = await fetch(site, "a")
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert ("ok", 2_000_000, True) == (found.status, len(found.body), found.truncated)
    assert peak < 16_000_000


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "foo", "gzip, gzip", "gzip, br"])
async def test_fetch__coding_that_was_not_asked_for(coding: str) -> None:
    """The packed bytes must not be taken for a page."""
    async with open_site(a=reply(BOMB, Content_Encoding=coding)) as site:
        found = await fetch(site, "a")

    assert ("unsupported encoding", b"") == (found.status, found.body)


@pytest.mark.parametrize(
    "route",
    [
        reply(STORY, Content_Encoding="gzip"),
        raw(HEAD + b"Content-Length: 99\r\n\r\nshort"),
        raw(b"no HTTP at all\r\n\r\n"),
        raw(HEAD + b"X: " + b"x" * 300_000 + b"\r\n\r\n"),
        endless(b"X: y\r\n", 0.0),
    ],
    ids=["no gzip", "short", "no http", "huge header", "endless headers"],
)
async def test_fetch__broken_reply(route: Route) -> None:
    """A server that breaks the protocol is told so."""

    async def once(writer: asyncio.StreamWriter) -> None:
        await route(writer)
        writer.close()

    async with open_site(a=once) as site:
        found = await fetch(site, "a")

    assert ("broken reply", b"") == (found.status, found.body)


async def test_fetch__nobody_listens() -> None:
    """A closed port is no error of ours."""
    async with open_site() as site:
        pass

    assert "no connection" == (await fetch(site, "a")).status


@pytest.mark.parametrize(
    "route",
    [
        endless(b"x", 0.05, HEAD + b"\r\n"),
        endless(b"X: y\r\n", 0.05),
        endless(b"", 9.0, b""),
        endless(gzip.compress(b""), 0.01, HEAD + b"Content-Encoding: gzip\r\n\r\n"),
    ],
    ids=["slow body", "slow headers", "silence", "gzip of nothing"],
)
async def test_fetch__slow_drip(route: Route) -> None:
    """One deadline holds for all of it, and the loop goes on meanwhile."""
    async with open_site(a=route) as site:
        started = time.monotonic()
        found = await fetch(site, "a", QUICK)

    assert ("timeout", b"") == (found.status, found.body)
    assert 0.4 < time.monotonic() - started < 3.0


async def test_fetch__redirects_share_the_deadline() -> None:
    """Five slow redirects are one slow page."""

    async def slow(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await reply(status="302 Found", Location="/a")(writer)

    async with open_site(a=slow) as site:
        found = await fetch(site, "a", QUICK)

    assert "timeout" == found.status


async def test_fetch__tarpit_is_given_up() -> None:
    """After three timeouts the host's other pages end at once, and other hosts' come."""
    limits = FetchLimits(total_s=0.2, per_host=1)
    async with (
        open_site(a=endless(b"", 9.0), b=reply(STORY)) as site,
        fetching(site, limits) as fetcher,
    ):
        found = await asyncio.gather(*(fetcher.fetch("http://site.example/a") for _ in range(9)))
        other = await fetcher.fetch("http://other.example/b")

    assert ["timeout"] * 3 + ["slow host"] * 6 == [one.status for one in found]
    assert "ok" == other.status


async def test_fetch__one_slow_page_is_forgiven() -> None:
    """A page that comes in between starts the count anew."""
    limits = FetchLimits(total_s=0.2, timeouts=2)
    async with (
        open_site(a=endless(b"", 9.0), b=reply(STORY)) as site,
        fetching(site, limits) as fetcher,
    ):
        found = [(await fetcher.fetch(f"http://site.example/{path}")).status for path in "abab"]

    assert ["timeout", "ok", "timeout", "ok"] == found


@pytest.mark.parametrize(
    "location",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://0xa9fea9fe/",
        "http://[::ffff:169.254.169.254]/",
        "http://127.0.0.1/",
        "http://127.1/",
        "http://localhost/",
        "http://metadata.google.internal/computeMetadata/v1/",
        "http://METADATA.google.internal./",
        "http://site.example:22/",
    ],
)
async def test_fetch__redirect_to_a_place_inside(location: str) -> None:
    """The guard looks at each hop, whatever the spelling; the place is named."""
    async with open_site(a=reply(status="302 Found", Location=location)) as site:
        found = await fetch(site, "a")

    assert "refused address" == found.status
    assert location.lower() == found.uri.lower()
    assert ["/a"] == site.paths


async def test_fetch__cancelled() -> None:
    """Giving up ends the fetch; the next one of the same host goes on."""
    limits = FetchLimits(per_host=1)
    asked = asyncio.Event()

    async def silent(writer: asyncio.StreamWriter) -> None:
        asked.set()
        await asyncio.sleep(9.0)

    async with open_site(a=silent, b=reply(STORY)) as site, fetching(site, limits) as fetcher:
        task = asyncio.create_task(fetcher.fetch("http://site.example/a"))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        found = await fetcher.fetch("http://site.example/b")

    assert "ok" == found.status


async def test_fetch__the_loop_goes_on() -> None:
    """Unpacking a bomb does not hold up others."""
    async with open_site(a=reply(BOMB, Content_Encoding="gzip")) as site:
        await fetch(site, "a")  # loads what is loaded once

        assert await largest_lag(fetch(site, "a")) < 0.2
