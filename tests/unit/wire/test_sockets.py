"""The network below the vendors' clients, against servers that behave and servers that do not."""

from __future__ import annotations

import asyncio
import gc
import ssl
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from gate.wire.guard import GuardedTransport
from gate.wire.sockets import KEEP_ALIVE, MOST_WAITING, Sockets
from tests.unit.wire.test_guard_tls import certificate
from tests.unit.wire.web_fakes import Route, Site, endless, open_site, raw, reply

LARGE = "0123456789" * (MOST_WAITING // 2)
"""Five times what may wait unread."""


def carrier(tls: ssl.SSLContext | None = None) -> GuardedTransport:
    """What carries the vendors' calls."""
    return GuardedTransport(Sockets(), tls=tls, kept=None, options=KEEP_ALIVE)


async def get(transport: httpx2.AsyncBaseTransport, url: str) -> httpx2.Response:
    """One request, its body read."""
    timeout = {"connect": 1.0, "read": 0.3, "write": 1.0, "pool": 1.0}
    request = httpx2.Request("GET", url, extensions={"timeout": timeout})
    response = await transport.handle_async_request(request)
    await response.aread()
    return response


def last_one(data: bytes) -> Route:
    """A route that answers and closes the connection, without a word of it in the head."""

    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        writer.close()

    return write


async def test_sockets__a_connection_is_used_again() -> None:
    """One after the other takes one connection; all at once takes as many, and they are kept."""
    async with open_site(a=reply("x")) as site, carrier() as transport:
        url = f"http://127.0.0.1:{site.port}/a"
        for _ in range(3):
            assert (await get(transport, url)).text == "x"
        assert len(transport._pool.connections) == 1

        await asyncio.gather(*(get(transport, url) for _ in range(40)))
        assert len(transport._pool.connections) == 40


async def test_sockets__cancelled_while_connecting(recwarn: pytest.WarningsRecorder) -> None:
    """Whenever it is cancelled, no socket stays open."""
    async with open_site() as site:
        for pause in range(300):
            connecting = asyncio.create_task(Sockets().connect_tcp("127.0.0.1", site.port))
            for _ in range(pause % 6):
                await asyncio.sleep(0)
            connecting.cancel()
            with suppress(asyncio.CancelledError):
                await (await connecting).aclose()
        await asyncio.sleep(0)
    gc.collect()

    assert [] == [str(one.message) for one in recwarn]


async def test_sockets__a_closed_connection_is_not_used_again() -> None:
    """A server may hang up between two calls: the next one is sent on a new connection."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
    async with open_site(a=last_one(answer)) as site, carrier() as transport:
        url = f"http://127.0.0.1:{site.port}/a"
        for _ in range(5):
            assert (await get(transport, url)).text == "x"
            await asyncio.sleep(0.02)

    assert len(site.requests) == 5


async def test_sockets__a_large_body_arrives_whole() -> None:
    """More than may wait unread is held up on its way, and nothing of it is lost."""
    async with open_site(a=reply(LARGE)) as site, carrier() as transport:
        assert (await get(transport, f"http://127.0.0.1:{site.port}/a")).text == LARGE


async def test_sockets__a_large_request_arrives_whole() -> None:
    """Writing waits for a reader that is slower."""
    heard: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        await asyncio.sleep(0.05)
        heard.append(len(await reader.readexactly(len(LARGE))))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with carrier() as transport, httpx2.AsyncClient(transport=transport) as client:
        assert (await client.post(f"http://127.0.0.1:{port}/", content=LARGE)).status_code == 200
    server.close()
    await server.wait_closed()

    assert [len(LARGE)] == heard


@pytest.mark.parametrize(
    ("route", "error"),
    [
        (last_one(b""), httpx2.ProtocolError),
        (last_one(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), httpx2.ProtocolError),
        (raw(b""), httpx2.TimeoutException),
        (endless(b"", 9), httpx2.TimeoutException),
    ],
)
async def test_sockets__broken_replies(route: Route, error: type[Exception]) -> None:
    """A hang-up is a broken reply, silence is a timeout, and both are httpx2's errors."""
    async with open_site(a=route) as site, carrier() as transport:
        with pytest.raises(error):
            await get(transport, f"http://127.0.0.1:{site.port}/a")


async def test_sockets__nobody_there() -> None:
    """A refused connection is told from one that broke: it carried no request."""
    async with open_site() as site:
        port = site.port
    async with carrier() as transport:
        with pytest.raises(httpx2.ConnectError):
            await get(transport, f"http://127.0.0.1:{port}/a")


@pytest.mark.parametrize(
    ("host", "trusted"), [("localhost", True), ("127.0.0.1", True), ("localhost", False)]
)
async def test_sockets__tls_checks_the_name(tmp_path: Path, host: str, trusted: bool) -> None:  # noqa: FBT001 - a parameter
    """Only a trusted certificate for the very name will do."""
    file = certificate(tmp_path, "localhost")
    serving = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    serving.load_cert_chain(file)
    site = Site({"/a": reply(LARGE)})
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=serving)
    url = f"https://{host}:{server.sockets[0].getsockname()[1]}/a"
    trust = ssl.create_default_context(cafile=file if trusted else None)
    async with carrier(trust) as transport:
        if trusted and host == "localhost":
            assert (await get(transport, url)).text == LARGE
            assert (await get(transport, url)).text == LARGE
        else:
            with pytest.raises(httpx2.ConnectError, match="certificate verify failed"):
                await get(transport, url)
    server.close()
    await server.wait_closed()
