"""The guard: only public addresses are connected to, whatever the name says."""

from __future__ import annotations

from collections.abc import Iterable

import httpcore2
import httpx2
import pytest

from gate.wire.guard import Guard, GuardedTransport, RefusedError, UnknownHostError
from tests.unit.wire.web_fakes import STORY, open_site, reply

PUBLIC = "93.184.216.34"
OTHER = "2606:2800:220:1::1"


class Names:
    """A resolver that gives its answers one after the other, the last one for ever."""

    def __init__(self, *answers: tuple[str, ...]) -> None:
        """Take the answers."""
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str) -> tuple[str, ...]:
        """Answer."""
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Network(httpcore2.AsyncNetworkBackend):
    """Remembers where it was asked to connect; some places do not answer."""

    def __init__(self, *dead: str) -> None:
        """Take the addresses that do not answer."""
        self.dead = dead
        self.asked: list[tuple[str, int]] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore2's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Remember, and connect or not."""
        self.asked.append((host, port))
        if host in self.dead:
            raise httpcore2.ConnectError("dead")
        return httpcore2.AsyncMockStream([])


async def test_connect__to_the_address_that_was_looked_at() -> None:
    """Not to the name, which could have another answer a moment later."""
    network, names = Network(), Names((PUBLIC, OTHER))

    await Guard(resolve=names, network=network).connect_tcp("site.example", 443)

    assert [(PUBLIC, 443)] == network.asked
    assert ["site.example"] == names.asked


@pytest.mark.parametrize(
    "answer",
    [
        ("127.0.0.1",),
        (PUBLIC, "10.0.0.1"),
        ("169.254.169.254", PUBLIC),
        (OTHER, "::1"),
        ("::ffff:127.0.0.1",),
        ("fe80::1%eth0",),
        ("168.63.129.16",),
    ],
)
async def test_connect__any_answer_is_not_public(answer: tuple[str, ...]) -> None:
    """One bad answer spoils them all: the site plays with us."""
    network = Network()

    with pytest.raises(RefusedError, match="which is not public"):
        await Guard(resolve=Names(answer), network=network).connect_tcp("site.example", 80)
    assert [] == network.asked


async def test_connect__name_that_changes_its_answer() -> None:
    """Rebinding: each connection is looked at, and goes where was looked."""
    network, names = Network(), Names((PUBLIC,), ("127.0.0.1",))
    guard = Guard(resolve=names, network=network)

    await guard.connect_tcp("site.example", 80)
    with pytest.raises(RefusedError):
        await guard.connect_tcp("site.example", 80)
    assert [(PUBLIC, 80)] == network.asked


async def test_connect__first_address_is_dead() -> None:
    """The next one is tried; when none answers, the last error stands."""
    network = Network(OTHER)
    names = Names((OTHER, PUBLIC))

    await Guard(resolve=names, network=network).connect_tcp("site.example", 80)
    with pytest.raises(httpcore2.ConnectError, match="dead"):
        await Guard(resolve=names, network=Network(OTHER, PUBLIC)).connect_tcp("s.example", 80)
    assert [(OTHER, 80), (PUBLIC, 80)] == network.asked


@pytest.mark.parametrize(
    "host",
    [
        "2852039166",
        "0xa9fea9fe",
        "169.254.43518",
        "169.16689662",
        "0xA9.0xFE.0xA9.0xFE",
        "0251.0376.0251.0376",
        "127.1",
        "0x7f.1",
        "2130706433",
        "0",
        "127.0.0.1",
        "::1",
        "::ffff:a9fe:a9fe",
        "fd00:ec2::254",
        "localhost",
        "LOCALHOST.",
    ],
)
async def test_connect__spellings_that_the_system_knows(host: str) -> None:
    """The system's own resolver turns each into an address inside; none is connected to."""
    network = Network()

    with pytest.raises(RefusedError, match="which is not public"):
        await Guard(network=network).connect_tcp(host, 80)
    assert [] == network.asked


@pytest.mark.parametrize(
    "host", ["metadata.google.internal", "Metadata.Google.Internal.", "METADATA"]
)
async def test_connect__metadata_by_name(host: str) -> None:
    """It is not even looked up."""
    names = Names((PUBLIC,))

    with pytest.raises(RefusedError, match="metadata"):
        await Guard(resolve=names, network=Network()).connect_tcp(host, 80)
    assert [] == names.asked


@pytest.mark.parametrize("port", [0, 22, 25, 8080, 6379])
async def test_connect__port_that_is_none_of_the_web(port: int) -> None:
    """Pages lie at 80 and 443; what else listens is none of a page's business."""
    with pytest.raises(RefusedError, match="no port of the web"):
        await Guard(resolve=Names((PUBLIC,)), network=Network()).connect_tcp("site.example", port)


@pytest.mark.parametrize(
    ("host", "port", "asked"),
    [
        ("world.example", 80, ("127.0.0.1", 4711)),
        ("World.Example.", 443, ("127.0.0.1", 4711)),
        ("world.example", 4711, ("127.0.0.1", 4711)),
        ("other.example", 80, (PUBLIC, 80)),
        ("a.world.example", 80, (PUBLIC, 80)),
    ],
)
async def test_connect__allowed(host: str, port: int, asked: tuple[str, int]) -> None:
    """The allowance is for that very name, and leads to that very place."""
    network = Network()
    guard = Guard(
        allowed={"World.example": ("127.0.0.1", 4711)}, resolve=Names((PUBLIC,)), network=network
    )

    await guard.connect_tcp(host, port)

    assert [asked] == network.asked


@pytest.mark.parametrize(
    ("host", "port"),
    [("127.0.0.1", 4711), ("127.0.0.1", 80), ("other.example", 4711), ("world.example", 4712)],
)
async def test_connect__beside_the_allowance(host: str, port: int) -> None:
    """The place itself, other ports and other names stay closed."""
    guard = Guard(
        allowed={"world.example": ("127.0.0.1", 4711)},
        resolve=Names(("127.0.0.1",)),
        network=Network(),
    )

    with pytest.raises(RefusedError):
        await guard.connect_tcp(host, port)


@pytest.mark.parametrize("error", [OSError("no name"), UnicodeError("label too long")])
async def test_connect__unknown_name(error: Exception) -> None:
    """A name that cannot be looked up, or cannot even be asked for."""

    async def resolve(host: str) -> tuple[str, ...]:
        raise error

    with pytest.raises(UnknownHostError, match="has no address"):
        await Guard(resolve=resolve, network=Network()).connect_tcp("site.example", 80)


async def test_connect__name_without_addresses() -> None:
    """An empty answer is none."""
    with pytest.raises(UnknownHostError):
        await Guard(resolve=Names(()), network=Network()).connect_tcp("site.example", 80)


async def test_connect__socket_of_this_machine() -> None:
    """No page lies there."""
    with pytest.raises(RefusedError):
        await Guard(network=Network()).connect_unix_socket("/var/run/docker.sock")


async def test_sleep__waits() -> None:
    """The layer above may ask for a pause."""
    await Guard(network=Network()).sleep(0)


async def test_transport__page() -> None:
    """A request goes through the guard, and its connection is used again."""
    async with open_site(a=reply(STORY)) as site:
        transport = GuardedTransport(Guard(allowed={"site.example": ("127.0.0.1", site.port)}))
        async with transport:
            for _ in range(2):
                request = httpx2.Request("GET", "http://site.example/a")
                response = await transport.handle_async_request(request)
                assert STORY.encode() == await response.aread()
                await response.aclose()


async def test_transport__refused() -> None:
    """What the guard says is heard above, and the pool goes on."""
    async with GuardedTransport(Guard(resolve=Names(("10.0.0.1",)))) as transport:
        for _ in range(3):
            with pytest.raises(RefusedError, match=r"10\.0\.0\.1"):
                await transport.handle_async_request(httpx2.Request("GET", "https://site.example/"))


async def test_transport__nobody_listens() -> None:
    """Errors of the layer below are those of httpx2 above."""
    async with open_site() as site:
        place = ("127.0.0.1", site.port)
    async with GuardedTransport(Guard(allowed={"site.example": place})) as transport:
        with pytest.raises(httpx2.NetworkError):
            await transport.handle_async_request(httpx2.Request("GET", "http://site.example/"))
