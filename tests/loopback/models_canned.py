"""A server that says one thing to everybody: raw bytes, an early hang-up, or nothing at all."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Canned:
    """What was asked of a canned server."""

    url: str = ""
    """Its address."""
    requests: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)
    """Path, headers (names in lower case) and JSON body of each request."""


def response(status: int, body: bytes | str, **headers: str) -> bytes:
    """Bytes of an HTTP/1.1 response; underscores in header names are written as hyphens."""
    raw = body.encode() if isinstance(body, str) else body
    named = {"content-length": str(len(raw)), "content-type": "application/json", **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in named.items()]
    return "\r\n".join([f"HTTP/1.1 {status} Said", *lines, "", ""]).encode() + raw


@asynccontextmanager
async def canned(say: bytes | None) -> AsyncIterator[Canned]:
    """Serve `say` to every request; b"" hangs up after reading, None never answers."""
    heard = Canned()
    waiting = asyncio.Event()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {
                name.lower(): value
                for name, _, value in (line.partition(": ") for line in head[1:])
            }
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            heard.requests.append((head[0].split(" ")[1], headers, json.loads(body or b"null")))
            if say is None:
                await waiting.wait()
            writer.write(say or b"")
            await writer.drain()
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    heard.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield heard
    finally:
        waiting.set()
        server.close()
        await server.wait_closed()
