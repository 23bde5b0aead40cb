"""A web server of a few lines that can misbehave, and what the tests of pages share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from gate.wire.guard import Guard, GuardedTransport
from gate.wire.web import Fetched, FetchLimits, PageFetcher

Route = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""Writes a whole reply, head included."""

HTML = "text/html; charset=utf-8"
STORY = (
    "<html><head><title>Hut</title></head><body><h1>The hut</h1>"
    "<p>The hut on Kveldsnut has twelve beds and opens in June.</p></body></html>"
)


def reply(
    body: bytes | str = b"", content_type: str = HTML, status: str = "200 OK", **headers: str
) -> Route:
    """A route that answers as it should; an underscore in a header's name stands for a dash."""
    data = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(data)}"]
    lines += [f"Content-Type: {content_type}"] if content_type else []
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return raw("\r\n".join([*lines, "", ""]).encode() + data)


def raw(data: bytes) -> Route:
    """A route that writes these bytes and nothing else."""

    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()

    return write


def endless(part: bytes, pause_s: float, head: bytes = b"HTTP/1.1 200 OK\r\n") -> Route:
    """A route that writes the same part for ever."""

    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return write


def page(body: bytes, content_type: str = "text/html", charset: str | None = None) -> Fetched:
    """A page as it comes from the fetcher."""
    uri = "http://site.example/"
    return Fetched(uri, uri, "ok", content_type, charset, body)


@dataclass
class Site:
    """A server on this machine, by path."""

    routes: dict[str, Route] = field(default_factory=dict)
    """Path -> what is answered; others are 404."""
    requests: list[str] = field(default_factory=list)
    """Heads of the requests, as they came."""
    port: int = 0
    """Where it listens."""
    most_at_once: int = 0
    """Most requests that were in flight together."""
    _now: int = 0

    @property
    def paths(self) -> list[str]:
        """Paths that were asked for, in order."""
        return [head.split(" ")[1] for head in self.requests]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until it ends."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                self.requests.append(head)
                self._now += 1
                self.most_at_once = max(self.most_at_once, self._now)
                try:
                    await self.routes.get(self.paths[-1], reply(status="404 Not Found"))(writer)
                finally:
                    self._now -= 1
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def open_site(**routes: Route) -> AsyncIterator[Site]:
    """Serve routes on a free port; the name of a route is its path without the slash."""
    site = Site({f"/{path}": route for path, route in routes.items()})
    connections: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.add(asyncio.ensure_future(site.serve(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)


@asynccontextmanager
async def fetching(site: Site, limits: FetchLimits | None = None) -> AsyncIterator[PageFetcher]:
    """A fetcher for which `site.example` and `other.example` are that server."""
    place = ("127.0.0.1", site.port)
    guard = Guard(allowed={"site.example": place, "other.example": place})
    fetcher = PageFetcher(GuardedTransport(guard), limits)
    try:
        yield fetcher
    finally:
        await fetcher.aclose()


async def fetch(site: Site, path: str, limits: FetchLimits | None = None) -> Fetched:
    """Fetch one page of the server."""
    async with fetching(site, limits) as fetcher:
        return await fetcher.fetch(f"http://site.example/{path}")


async def largest_lag(work: Awaitable[object]) -> float:
    """The longest that the event loop did not come round while work was done, in seconds."""
    now = asyncio.get_running_loop().time
    worst = 0.0

    async def watch() -> None:
        nonlocal worst
        while True:
            before = now()
            await asyncio.sleep(0.005)
            worst = max(worst, now() - before - 0.005)

    watcher = asyncio.create_task(watch())
    try:
        await work
    finally:
        watcher.cancel()
    return worst
