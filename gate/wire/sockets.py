"""TCP and TLS on asyncio alone, for httpcore2: the network below the vendors' clients.

httpcore2's own network asks the system about every idle connection, twice a call; with 64 of them
that is most of what a call costs. Here a connection knows by itself whether it was closed.

What it cannot do: sockets of this machine, other event loops than asyncio's.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from typing import TypeVar

import httpcore2

__all__ = ["KEEP_ALIVE", "Sockets"]

T = TypeVar("T")

MOST_WAITING = 1_000_000
"""Bytes that may wait to be read before the other side is held up."""
EYEBALLS_S = 0.25
"""Seconds until the next address of a name is tried beside the first (RFC 8305)."""

KEEP_ALIVE: tuple[httpcore2.SOCKET_OPTION, ...] = (
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    *(
        (socket.IPPROTO_TCP, getattr(socket, name), value)
        for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 60), ("TCP_KEEPCNT", 5))
        if hasattr(socket, name)
    ),
)
"""Sign of life once a minute, so that no router forgets a connection on which a model thinks."""


class Sockets(httpcore2.AsyncNetworkBackend):
    """Connects wherever it is told to."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect; raises httpcore2's ConnectError or ConnectTimeout."""
        connecting = asyncio.get_running_loop().create_connection(
            _Connection,
            host,
            port,
            local_addr=None if local_address is None else (local_address, 0),
            # An address alone needs no race, whose winner Python loses when it is cancelled in
            # that moment (3.11): the socket would stay open.
            happy_eyeballs_delay=None if _is_address(host) else EYEBALLS_S,
        )
        try:
            transport, connection = await _within(timeout, connecting)
            for option in socket_options or ():
                transport.get_extra_info("socket").setsockopt(*option)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        return _Stream(connection)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False


class _Connection(asyncio.Protocol):
    """What asyncio tells of one connection."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.waiting = bytearray()
        self.ended = False
        self.error: Exception | None = None
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None
        self._held = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.waiting += data
        if len(self.waiting) > MOST_WAITING and not self._held and self.transport is not None:
            self._held = True
            self.transport.pause_reading()
        _wake(self._reader)

    def eof_received(self) -> None:
        self.ended = True
        _wake(self._reader)

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended, self.error = True, exc
        _wake(self._reader)
        _wake(self._writer)

    def pause_writing(self) -> None:
        self._writer = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        _wake(self._writer)
        self._writer = None

    async def arrival(self) -> None:
        """Wait until there is something to read, or the end."""
        while not self.waiting and not self.ended:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader

    async def departure(self) -> None:
        """Wait until there is room to write."""
        if self._writer is not None:
            await self._writer

    def take(self, most: int) -> bytes:
        """Return up to so many bytes of what waits."""
        taken = bytes(self.waiting[:most])
        del self.waiting[:most]
        if self._held and not self.waiting and self.transport is not None:
            self._held = False
            self.transport.resume_reading()
        return taken


class _Stream(httpcore2.AsyncNetworkStream):
    """One connection, as httpcore2 wants it."""

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    async def read(
        self,
        max_bytes: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
    ) -> bytes:
        """Return what came, b"" at the end; raises ReadError or ReadTimeout."""
        connection = self._connection
        if not connection.waiting:
            try:
                await _within(timeout, connection.arrival())
            except TimeoutError as error:
                raise httpcore2.ReadTimeout(str(error)) from error
        if connection.waiting:
            return connection.take(max_bytes)
        if connection.error is not None:
            raise httpcore2.ReadError(str(connection.error)) from connection.error
        return b""

    async def write(
        self,
        buffer: bytes,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
    ) -> None:
        """Send; raises WriteError or WriteTimeout."""
        connection = self._connection
        transport = connection.transport
        if transport is None or transport.is_closing():
            raise httpcore2.WriteError(str(connection.error or "the connection was closed"))
        transport.write(buffer)
        try:
            await _within(timeout, connection.departure())
        except TimeoutError as error:
            raise httpcore2.WriteTimeout(str(error)) from error

    async def aclose(self) -> None:
        """Close at once: nothing is on its way any more."""
        if self._connection.transport is not None:
            self._connection.transport.abort()
            await asyncio.sleep(0)  # asyncio closes the socket in its next round

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
    ) -> httpcore2.AsyncNetworkStream:
        """Secure the connection; raises ConnectError or ConnectTimeout."""
        connection = self._connection
        assert connection.transport is not None
        securing = asyncio.get_running_loop().start_tls(
            connection.transport, connection, ssl_context, server_hostname=server_hostname
        )
        try:
            secured = await _within(timeout, securing)
            if secured is None:
                raise ConnectionError("the connection was closed")
        except TimeoutError as error:
            connection.transport.abort()
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:  # ssl.SSLError is one
            connection.transport.abort()
            raise httpcore2.ConnectError(str(error)) from error
        connection.transport = secured
        return self

    def get_extra_info(self, info: str) -> object:
        """Return what httpcore2 asks for: whether the other side closed, and asyncio's facts."""
        if info == "is_readable":
            return bool(self._connection.waiting) or self._connection.ended
        names = {"client_addr": "sockname", "server_addr": "peername"}
        transport = self._connection.transport
        return None if transport is None else transport.get_extra_info(names.get(info, info))


async def _within(seconds: float | None, what: Awaitable[T]) -> T:
    if seconds is None:
        return await what
    async with asyncio.timeout(seconds):
        return await what


def _wake(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)
