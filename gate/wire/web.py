"""Fetching the pages that an answer cites: as much of each as is needed, from anybody's server.

Whatever a page or its server does ends as a status and never as an error: fetching is best effort.
The whole of a fetch stands under one deadline, since a server that sends a byte now and then never
trips a timeout of a single read.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass, replace

import httpx2

from gate import __version__
from gate.wire.guard import RefusedError, UnknownHostError
from gate.wire.pagetext.kinds import kind_of, may_be_read

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE | re.ASCII)
_HEADERS = {
    "User-Agent": f"kappagate/{__version__}",
    "Accept": "text/html, application/xhtml+xml, text/plain;q=0.9, application/pdf;q=0.8",
    "Accept-Encoding": "gzip",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A page as its server sent it, or why there is none."""

    requested: str
    """The address that was asked for."""
    uri: str
    """The address after redirects; where it went wrong, the address that went wrong."""
    status: str
    """`ok`; `http 403` and the like; `timeout`; `slow host` (it ran into too many timeouts and is
    no longer asked); `refused address`, `bad address`, `unknown host`; `refused redirect` (from
    https to http), `too many redirects`; `no connection`, `broken reply`; `unsupported type`,
    `unsupported encoding`."""
    content_type: str = ""
    """The declared media type in lower case, without parameters; may be a lie."""
    charset: str | None = None
    """The charset in the header; may be a lie."""
    body: bytes = b""
    """The page, decompressed; empty unless the status is `ok`."""
    truncated: bool = False
    """Whether the page is longer than `body`."""


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """How much a page may ask of us."""

    total_s: float = 20.0
    """Seconds for a page with all its redirects; waiting for a turn is not counted."""
    page_bytes: int = 2_000_000
    """Most bytes of a page, decompressed."""
    pdf_bytes: int = 10_000_000
    """Most bytes of a PDF, of which a part cannot be read."""
    redirects: int = 5
    """Most redirects that are followed."""
    per_host: int = 2
    """Requests in flight to one host."""
    in_flight: int = 16
    """Requests in flight to all hosts."""
    timeouts: int = 3
    """Timeouts in a row after which a host is no longer asked: one tarpit must not hold a run."""


class PageFetcher:
    """Fetches pages; counts the requests to each host."""

    def __init__(
        self, transport: httpx2.AsyncBaseTransport, limits: FetchLimits | None = None
    ) -> None:
        """Take a transport, a `GuardedTransport` outside of tests, and the limits."""
        self._transport = transport
        self._limits = limits or FetchLimits()
        self._all = asyncio.Semaphore(self._limits.in_flight)
        self._hosts: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(self._limits.per_host)
        )
        self._timeouts: Counter[str] = Counter()

    async def fetch(self, uri: str) -> Fetched:
        """Fetch a page and follow its redirects; the status says how it ended."""
        at, left_s, secure = uri, self._limits.total_s, False
        for _ in range(self._limits.redirects + 1):
            request = _ask(at)
            if request is None:
                return Fetched(uri, at, "bad address")
            if secure and request.url.scheme == "http":
                return Fetched(uri, at, "refused redirect")
            hop, took_s = await self._hop(Fetched(uri, at, "ok"), request, left_s)
            if isinstance(hop, Fetched):
                return hop
            at, left_s, secure = hop, left_s - took_s, request.url.scheme == "https"
        return Fetched(uri, at, "too many redirects")

    async def aclose(self) -> None:
        """Close connections."""
        await self._transport.aclose()

    async def _hop(
        self, page: Fetched, request: httpx2.Request, left_s: float
    ) -> tuple[Fetched | str, float]:
        """Return the page, or the address that it redirects to, and the seconds in flight."""
        now = asyncio.get_running_loop().time
        host = request.url.raw_host.decode("ascii")
        async with self._hosts[host], self._all:
            if self._timeouts[host] >= self._limits.timeouts:
                return replace(page, status="slow host"), 0.0
            started = now()
            try:
                async with asyncio.timeout(left_s):
                    hop = await self._request(page, request)
            except (TimeoutError, httpx2.TimeoutException):
                self._timeouts[host] += 1
                return replace(page, status="timeout"), now() - started
            except httpx2.TransportError as error:
                hop = replace(page, status=_status(error))
            self._timeouts[host] = 0
            return hop, now() - started

    async def _request(self, page: Fetched, request: httpx2.Request) -> Fetched | str:
        response = await self._transport.handle_async_request(request)
        try:
            code = response.status_code
            location = response.headers.get("location")
            if code in _REDIRECTS and location:
                return _join(request.url, location)
            if not response.is_success:
                return replace(page, status=f"http {code}")
            return await self._read(page, response)
        finally:
            await response.aclose()

    async def _read(self, page: Fetched, response: httpx2.Response) -> Fetched:
        declared = response.headers.get("content-type", "")
        media_type = declared.partition(";")[0].strip().lower()
        found = _CHARSET.search(declared)
        charset = found[1].lower() if found else None
        page = replace(page, content_type=media_type, charset=charset)
        coding = _coding(response.headers.get("content-encoding", ""))
        if coding is None:
            return replace(page, status="unsupported encoding")
        if not may_be_read(media_type):
            return replace(page, status="unsupported type")
        try:
            body, truncated = await self._body(response, zipped=coding == "gzip")
        except zlib.error:
            return replace(page, status="broken reply")
        if kind_of(media_type, charset, body) is None:
            return replace(page, status="unsupported type")
        return replace(page, body=body, truncated=truncated)

    async def _body(self, response: httpx2.Response, *, zipped: bool) -> tuple[bytes, bool]:
        """Return the page as far as it may go, and whether there is more of it."""
        unzip = _Gunzip() if zipped else None
        body, raw, most = bytearray(), 0, self._limits.page_bytes
        async for part in response.aiter_raw():
            raw += len(part)
            body += unzip.feed(part, most + 1 - len(body)) if unzip else part
            if most < self._limits.pdf_bytes and body.startswith(b"%PDF-"):
                most = self._limits.pdf_bytes
                body += unzip.feed(b"", most + 1 - len(body)) if unzip else b""
            if len(body) > most or raw > most:
                return bytes(body[:most]), True
        return bytes(body), False


class _Gunzip:
    """Decompresses gzip no further than is wanted, so that a bomb stays small."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._rest = b""

    def feed(self, data: bytes, most: int) -> bytes:
        """Return at most `most` bytes, at least 1; raises zlib.error. The rest is kept."""
        found, data = bytearray(), self._rest + data
        while data and len(found) < most:
            found += self._stream.decompress(data, most - len(found))
            data = self._stream.unconsumed_tail
            if self._stream.eof:  # another member may follow; what is none is passed over
                data = self._stream.unused_data
                if not data.startswith(_GZIP):
                    data = b""
                self._stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._rest = data
        return bytes(found)


_GZIP = b"\x1f\x8b"


def _ask(address: str) -> httpx2.Request | None:
    """Return the request; None for an address that is none of the web, or carries a user name."""
    try:
        request = httpx2.Request("GET", address, headers=_HEADERS)
    except (httpx2.InvalidURL, ValueError):  # names that IDNA refuses, halves of characters
        return None
    url = request.url
    right = url.scheme in ("http", "https") and url.raw_host and not url.userinfo
    return request if right else None


def _join(url: httpx2.URL, location: str) -> str:
    try:
        return str(url.join(location))
    except (httpx2.InvalidURL, ValueError):
        return location


def _coding(header: str) -> str | None:
    """Return `gzip`, or nothing for no coding; None for one that was not asked for.

    A client that does not know a coding hands over the packed bytes as if they were the page.
    """
    codings = [part for one in header.lower().split(",") if (part := one.strip()) != "identity"]
    if codings in ([], [""]):
        return ""
    return "gzip" if codings in (["gzip"], ["x-gzip"]) else None


def _status(error: httpx2.TransportError) -> str:
    if isinstance(error, RefusedError):
        return "refused address"
    if isinstance(error, UnknownHostError):
        return "unknown host"
    return "broken reply" if isinstance(error, httpx2.ProtocolError) else "no connection"
