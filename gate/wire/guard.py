"""The guard of fetched pages: a network on which only public addresses can be reached.

A check of the address in a link is worth nothing, since a name can lead anywhere and a number has
many spellings. So the check stands in the call that connects: the name is resolved once, all
answers are looked at, and the connection goes to an address that was looked at. Redirects and
names that change their answer (DNS rebinding) meet the same check. TLS still checks the name.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import (
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
)
from contextlib import contextmanager

import httpcore2
import httpx2

from gate.wire.addresses import is_metadata_name, plain_name, refusal

Resolver = Callable[[str], Awaitable[tuple[str, ...]]]
"""Host name -> all its addresses; raises OSError for a name that has none."""

WEB_PORTS = frozenset({80, 443})
"""Ports that are open to everybody's links."""
CONNECT_S = 5.0
"""Seconds for one address to accept, so that a dead one leaves time for the next."""


class RefusedError(httpx2.ConnectError):
    """The guard does not connect there; the message says why."""


class UnknownHostError(httpx2.ConnectError):
    """The name has no address."""


async def system_resolver(host: str) -> tuple[str, ...]:
    """Ask the system's resolver, in a thread, so that a slow name server stops nobody else."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]) for *_, place in found))


class Guard(httpcore2.AsyncNetworkBackend):
    """Connects to public addresses only, and to what is allowed by name."""

    def __init__(
        self,
        *,
        allowed: Mapping[str, tuple[str, int]] | None = None,
        closed: bool = False,
        resolve: Resolver = system_resolver,
        network: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        """Take what stands outside the rules, the resolver, and the network below.

        `allowed` maps a host name to the one (IP address, port) that stands for it, such as the
        loopback world; it is taken as it is, and for that very name only. `closed` lets nothing
        else through, public or not.
        """
        self._closed = closed
        self._allowed = {plain_name(host): place for host, place in (allowed or {}).items()}
        self._resolve = resolve
        self._network = network or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to an address of `host` that was looked at.

        Raises RefusedError, UnknownHostError, or what the network raises.
        """
        places = await self._places(plain_name(host), port)
        wait = CONNECT_S if timeout is None else min(timeout, CONNECT_S)
        for number, (address, place_port) in enumerate(places, start=1):
            try:
                return await self._network.connect_tcp(
                    address, place_port, wait, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if number == len(places):
                    raise
        raise UnknownHostError(f"{host} has no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - httpcore2's signature
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,  # noqa: ARG002 - see above
    ) -> httpcore2.AsyncNetworkStream:
        """Refuse: no page lies on a socket of this machine."""
        raise RefusedError(f"{path} is a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    async def _places(self, host: str, port: int) -> list[tuple[str, int]]:
        """Return where to connect, in the resolver's order; every one is public or allowed."""
        allowed = self._allowed.get(host)
        if port not in WEB_PORTS and (allowed is None or allowed[1] != port):
            raise RefusedError(f"port {port} of {host} is no port of the web")
        if allowed is not None:
            return [allowed]
        if self._closed:
            raise RefusedError(f"{host} is not of the loopback world, and nothing else is asked")
        if is_metadata_name(host):
            raise RefusedError(f"{host} is the metadata service of a cloud")
        try:
            addresses = await self._resolve(host)
        except (OSError, UnicodeError) as error:  # the IDNA codec raises UnicodeError
            raise UnknownHostError(f"{host} has no address: {error}") from error
        for address in addresses:
            why = refusal(address)
            if why is not None:
                raise RefusedError(f"{host} leads to {address}, which is not public: {why}")
        return [(address, port) for address in addresses]


class GuardedTransport(httpx2.AsyncBaseTransport):
    """HTTP/1.1 over a guard or another network, made of public parts of httpcore2 and httpx2 only.

    There is no client around it: so no environment is read, no proxy is used, no cookie is kept,
    no credential is added and no redirect is followed.
    """

    def __init__(
        self,
        guard: httpcore2.AsyncNetworkBackend,
        *,
        tls: ssl.SSLContext | None = None,
        kept: int | None = 20,
        options: Iterable[httpcore2.SOCKET_OPTION] = (),
    ) -> None:
        """Take the guard and the TLS settings; without them the system's certificates hold.

        `kept` is how many idle connections stay open (None: all), `options` are set on sockets.
        """
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=tls or httpx2.create_ssl_context(trust_env=False),
            max_connections=None,  # whoever fetches counts
            max_keepalive_connections=kept,
            keepalive_expiry=5.0,
            network_backend=guard,
            socket_options=list(options),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; raises httpx2.TransportError."""
        assert isinstance(request.stream, AsyncIterable)
        with _as_httpx2():
            response = await self._pool.handle_async_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        assert isinstance(response.stream, AsyncIterable)
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        """Close all connections."""
        await self._pool.aclose()


class _Body(httpx2.AsyncByteStream):
    """The body as it comes, with errors of httpx2."""

    def __init__(self, stream: AsyncIterable[bytes]) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx2():
            async for part in self._stream:
                yield part

    async def aclose(self) -> None:
        close = getattr(self._stream, "aclose", None)
        if close is not None:
            await close()


_KINDS: tuple[tuple[type[Exception], type[httpx2.TransportError]], ...] = (
    (httpcore2.ConnectTimeout, httpx2.ConnectTimeout),
    (httpcore2.ConnectError, httpx2.ConnectError),
    (httpcore2.TimeoutException, httpx2.TimeoutException),
    (httpcore2.NetworkError, httpx2.NetworkError),
    (httpcore2.UnsupportedProtocol, httpx2.UnsupportedProtocol),
    (httpcore2.ProtocolError, httpx2.ProtocolError),
)


@contextmanager
def _as_httpx2() -> Iterator[None]:
    """Turn the errors of the layer below into those of ours; a refusal is one already."""
    try:
        yield
    except tuple(below for below, _ in _KINDS) as error:
        kind = next(ours for below, ours in _KINDS if isinstance(error, below))
        raise kind(str(error)) from error
