"""HTTP/1.1 on 127.0.0.1: asyncio for the sockets, h11 for the protocol.

Head and body leave in one write, connections are kept alive, and the backlog is long, since a
client that is reset at 300 concurrent calls does not try again.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

import h11

from gate.loopback.exchange import Reply, Request
from gate.loopback.ledger import Ledger
from gate.loopback.routes import World
from gate.loopback.settings import WorldSettings

HOST = "127.0.0.1"
"""The world is never reached from another machine."""
BACKLOG = 2048
"""How many connections may wait to be accepted."""
_CHUNK = 65_536
_MOST_BYTES = 32_000_000
_VENDOR_METHOD = "POST"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a world listens."""

    port: int
    """TCP port."""
    world: World
    """The world itself, for tests that look inside."""

    @property
    def url(self) -> str:
        """Base URL of both vendors and of the pages."""
        return f"http://{HOST}:{self.port}"


@asynccontextmanager
async def serve(
    settings: WorldSettings, port: int = 0, ledger: Ledger | None = None
) -> AsyncIterator[Address]:
    """Serve a world for the length of the block; port 0 takes a free one."""
    world = World(settings, time.monotonic, ledger)
    open_ones: set[asyncio.Task[None]] = set()
    server = await asyncio.start_server(
        partial(_connected, world, open_ones), HOST, port, backlog=BACKLOG
    )
    try:
        yield Address(server.sockets[0].getsockname()[1], world)
    finally:
        server.close()
        for task in open_ones:
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
        await server.wait_closed()


async def _connected(
    world: World,
    open_ones: set[asyncio.Task[None]],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    task = asyncio.current_task()
    assert task is not None
    open_ones.add(task)
    writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        await _converse(world, reader, writer)
    except (ConnectionError, h11.RemoteProtocolError):
        pass  # the client went away or spoke no HTTP: nobody is left to be told
    except asyncio.CancelledError:
        pass  # the world ends
    finally:
        open_ones.discard(task)
        writer.close()


async def _converse(
    world: World, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer request after request on one connection until either side closes it."""
    connection = h11.Connection(h11.SERVER)
    while True:
        request = await _read(connection, reader)
        if request is None:
            return
        if request.method == _VENDOR_METHOD and world.settings.delay_ms:
            await asyncio.sleep(world.settings.delay_ms / 1000)
        reply = world.respond(request)
        if reply.delay_s:
            await asyncio.sleep(reply.delay_s)
        if reply.ends == "reset":
            # Lingering for no time at all makes the system send a reset instead of a close.
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()
            return
        sent = _bytes_of(connection, request, reply)
        writer.write(sent if reply.ends == "whole" else sent[: -(len(reply.body) // 2)])
        await writer.drain()
        if reply.ends == "cut":
            return
        if connection.our_state is h11.MUST_CLOSE:
            return
        connection.start_next_cycle()


async def _read(connection: h11.Connection, reader: asyncio.StreamReader) -> Request | None:
    """Return the next request; None when the client has closed."""
    head: h11.Request | None = None
    body = bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            connection.receive_data(await reader.read(_CHUNK))
        elif isinstance(event, h11.Request):
            head = event
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > _MOST_BYTES:
                return None
        elif isinstance(event, h11.EndOfMessage) and head is not None:
            return _request(head, bytes(body))
        else:
            return None


def _request(head: h11.Request, body: bytes) -> Request:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in head.headers}
    path, _, query = head.target.decode("latin-1").partition("?")
    return Request(head.method.decode("latin-1"), path, headers, body, query)


def _reason(reply: Reply) -> str:
    """Return the words after the status code; Anthropic's 529 has none in the standard."""
    known = {status.value: status.phrase for status in HTTPStatus}
    return known.get(reply.status, "Overloaded")


def _bytes_of(connection: h11.Connection, request: Request, reply: Reply) -> bytes:
    """Return head and body as one piece."""
    headers = [
        ("Content-Type", reply.content_type),
        ("Content-Length", str(len(reply.body))),
        *reply.headers,
    ]
    if reply.status == HTTPStatus.NO_CONTENT:
        headers = list(reply.headers)  # such a reply has no body, and says no length
    pieces = [
        connection.send(
            h11.Response(status_code=reply.status, headers=headers, reason=_reason(reply))
        )
    ]
    if request.method != "HEAD":
        pieces.append(connection.send(h11.Data(data=reply.body)))
    pieces.append(connection.send(h11.EndOfMessage()))
    return b"".join(piece for piece in pieces if piece)
