"""Fetching pages from servers that behave."""

from __future__ import annotations

import asyncio
import gzip

import httpx2
import pytest

from gate import __version__
from gate.wire.web import FetchLimits, PageFetcher
from tests.unit.wire.web_fakes import HTML, STORY, Route, fetch, fetching, open_site, reply


async def test_fetch__page() -> None:
    """The body, the declared type in small letters, the charset, the address."""
    async with open_site(a=reply(STORY, "Text/HTML; Charset=UTF-8")) as site:
        found = await fetch(site, "a")

    assert ("ok", STORY.encode(), "text/html", "utf-8") == (
        *(found.status, found.body),
        *(found.content_type, found.charset),
    )
    assert ("http://site.example/a",) * 2 == (found.requested, found.uri)
    assert not found.truncated


async def test_fetch__what_we_say_of_ourselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A neutral name, gzip only; neither proxies nor credentials of the environment."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    async with open_site(a=reply(STORY)) as site:
        found = await fetch(site, "a")

    names = [line.partition(":")[0].lower() for line in site.requests[0].split("\r\n")[1:] if line]
    assert "ok" == found.status
    assert ["accept", "accept-encoding", "host", "user-agent"] == sorted(names)
    assert f"kappagate/{__version__}\r\n" in site.requests[0]
    assert "Accept-Encoding: gzip\r\n" in site.requests[0]
    assert "Host: site.example\r\n" in site.requests[0]


async def test_fetch__gzip() -> None:
    """Several members are one page; what stands behind the last is passed over."""
    packed = gzip.compress(STORY.encode()[:50]) + gzip.compress(STORY.encode()[50:]) + b"junk"
    async with open_site(a=reply(packed, Content_Encoding="gzip")) as site:
        found = await fetch(site, "a")

    assert ("ok", STORY.encode()) == (found.status, found.body)


async def test_fetch__redirects() -> None:
    """They are followed by us, relative ones too, and no cookie is carried on."""
    async with open_site(
        a=reply(status="302 Found", Location="/b", Set_Cookie="id=7"),
        b=reply(status="301 Moved", Location="http://other.example/c?d=1", Set_Cookie="id=8"),
    ) as site:
        site.routes["/c?d=1"] = reply(STORY)
        found = await fetch(site, "a")

    assert ("ok", "http://other.example/c?d=1") == (found.status, found.uri)
    assert "http://site.example/a" == found.requested
    assert ["/a", "/b", "/c?d=1"] == site.paths
    assert not any("cookie" in head.lower() for head in site.requests)


@pytest.mark.parametrize(
    ("count", "status"), [(5, "ok"), (6, "too many redirects"), (99, "too many redirects")]
)
async def test_fetch__redirects_in_a_row(count: int, status: str) -> None:
    """Five are followed; a circle ends there too."""
    async with open_site() as site:
        for number in range(count):
            site.routes[f"/{number}"] = reply(status="302 Found", Location=f"/{number + 1}")
        site.routes[f"/{count}"] = reply(STORY)
        found = await fetch(site, "0")

    assert status == found.status
    assert min(count, 5) + 1 == len(site.requests)


@pytest.mark.parametrize(
    ("location", "status"),
    [
        ("http://other.example/b", "refused redirect"),
        ("file:///etc/passwd", "bad address"),
        ("http://user:word@other.example/", "bad address"),
        ("http://[::1/", "bad address"),
        ("https://other.example/b", "ok"),
    ],
)
async def test_fetch__redirect_from_https(location: str, status: str) -> None:
    """It may lead to another secure page and nowhere else."""

    def serve(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/a":
            return httpx2.Response(302, headers={"Location": location})
        return httpx2.Response(
            200, headers={"Content-Type": HTML}, stream=httpx2.ByteStream(STORY.encode())
        )

    found = await PageFetcher(httpx2.MockTransport(serve)).fetch("https://site.example/a")

    assert status == found.status


@pytest.mark.parametrize(
    ("route", "status"),
    [
        (reply(status="403 Forbidden"), "http 403"),
        (reply(status="500 Oops"), "http 500"),
        (reply(status="302 Found"), "http 302"),
        (reply(status="304 Not Modified"), "http 304"),
        (reply(status="204 No Content"), "ok"),
    ],
)
async def test_fetch__other_replies(route: Route, status: str) -> None:
    """The status says what the server said."""
    async with open_site(a=route) as site:
        found = await fetch(site, "a")

    assert (status, b"") == (found.status, found.body)


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        ("text/html", b"%PDF-1.7 and so on", "ok"),
        ("application/pdf", STORY.encode(), "ok"),
        ("application/octet-stream", STORY.encode(), "ok"),
        ("", STORY.encode(), "ok"),
        ("text/plain", b"words", "ok"),
        ("text/html", b"\x89PNG\r\n\x1a\n", "unsupported type"),
        ("text/html", b"PK\x03\x04", "unsupported type"),
        ("text/plain", b"a\0b", "unsupported type"),
        ("application/pdf", b"no such thing", "unsupported type"),
        ("application/octet-stream", b"words", "unsupported type"),
        ("image/png", b"\x89PNG\r\n\x1a\n", "unsupported type"),
        ("application/json", b"{}", "unsupported type"),
    ],
)
async def test_fetch__types(content_type: str, body: bytes, status: str) -> None:
    """The first bytes say more than the header."""
    async with open_site(a=reply(body, content_type)) as site:
        found = await fetch(site, "a")

    assert (status, body if status == "ok" else b"") == (found.status, found.body)


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "words",
        "/path",
        "ftp://site.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///path",
        "http://user@site.example/",
        "http://site.example@169.254.169.254/",
        "http://site.example\\@169.254.169.254/",
        "http://[::1/",
        "http://a..xn--80ak6aa92e/",
        "http://&xn--80ak6aa92e/",
        "http://\ud800.example/",
        "http://site.example/\0",
        "http://site.example/" + "a" * 70_000,
    ],
)
async def test_fetch__bad_address(uri: str) -> None:
    """What is none of the web, or hides its host behind a name, is not asked for."""

    def serve(request: httpx2.Request) -> httpx2.Response:
        raise AssertionError(request.url)

    found = await PageFetcher(httpx2.MockTransport(serve)).fetch(uri)

    assert ("bad address", uri) == (found.status, found.requested)


async def test_fetch__a_host_is_asked_gently() -> None:
    """Two requests at once, and waiting for a turn does not count as being slow."""

    async def slow(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await reply(STORY)(writer)

    async with open_site(a=slow) as site, fetching(site, FetchLimits(total_s=0.5)) as fetcher:
        found = await asyncio.gather(*(fetcher.fetch("http://site.example/a") for _ in range(8)))

    assert ["ok"] * 8 == [one.status for one in found]
    assert 2 == site.most_at_once


async def test_fetch__hosts_do_not_wait_for_each_other() -> None:
    """The limit is one host's; another one's page comes meanwhile."""
    gate = asyncio.Event()

    async def held(writer: asyncio.StreamWriter) -> None:
        await gate.wait()
        await reply(STORY)(writer)

    async with open_site(a=held, b=reply(STORY)) as site, fetching(site) as fetcher:
        waiting = [asyncio.create_task(fetcher.fetch("http://site.example/a")) for _ in range(3)]
        other = await fetcher.fetch("http://other.example/b")
        gate.set()
        found = await asyncio.gather(*waiting)

    assert "ok" == other.status
    assert ["ok"] * 3 == [one.status for one in found]
