"""Pages are read by processes that can be killed, and the event loop never waits for them."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from gate.types import Page
from gate.wire.pagetext.process import ReaderLimits, ReadingProcess
from gate.wire.pagetext.reader import PageReader
from gate.wire.web import Fetched
from tests.unit.wire.web_fakes import STORY, largest_lag, page

TEXT = "The hut\nThe hut on Kveldsnut has twelve beds and opens in June."
GOOD = page(STORY.encode())
SLOW = page(b"<html><body>" + b"<p>word " * 500_000)
"""3.5 MB of paragraphs that never end: eight seconds and more, and 800 MB."""
QUICK = ReaderLimits(workers=1, wall_s=0.5, html_bytes=4_000_000, memory_bytes=4 * 1024**3)


@pytest.fixture
async def reader() -> AsyncIterator[PageReader]:
    """A reader with one process and little patience."""
    made = PageReader(QUICK)
    yield made
    await made.aclose()


async def test_read__page(reader: PageReader) -> None:
    """Text, its digest, and the address after redirects."""
    fetched = replace(GOOD, requested="http://shim.example/1")

    assert Page(
        uri="http://site.example/",
        status="ok",
        text=TEXT,
        digest=hashlib.sha256(TEXT.encode()).hexdigest(),
    ) == await reader.read(fetched)


@pytest.mark.parametrize(
    ("fetched", "status"),
    [
        (Fetched("a", "b", "http 403"), "http 403"),
        (Fetched("a", "b", "timeout"), "timeout"),
        (page(b"{}", "application/json"), "unsupported type"),
        (page(b"\x89PNG"), "unsupported type"),
        (replace(page(b"%PDF-1.7"), truncated=True), "too large to read"),
    ],
)
async def test_read__nothing_to_read(fetched: Fetched, status: str) -> None:
    """No process is started for it."""
    reader = PageReader(replace(QUICK, workers=0))

    assert Page(uri=fetched.uri, status=status) == await reader.read(fetched)


@pytest.mark.parametrize(
    ("fetched", "status"),
    [
        (page(b""), "no_text"),
        (page(b"<html><body><script>let a = 'words'</script></body></html>"), "no_text"),
        (page(b"<html><body>" + b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000), "no_text"),
        (page(b"<html><body>" + b"<!--" * 300_000), "no_text"),
        (page(b"%PDF-1.7 and no more"), "unreadable"),
    ],
    ids=["empty", "script", "deep", "comments", "pdf"],
)
async def test_read__no_text(reader: PageReader, fetched: Fetched, status: str) -> None:
    """A page without text is no reader's fault, and no wrong answer's either."""
    assert Page(uri="http://site.example/", status=status) == await reader.read(fetched)


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body><div " + b" ".join(b"a%d=1" % n for n in range(200_000)) + b">",
        b"<html><body><table>" + b"<tr><td>one</td><td>two</td></tr>" * 155_000,
    ],
    ids=["attributes", "table"],
)
async def test_read__large(body: bytes) -> None:
    """A page of 2 and of 5 MB: the first megabyte is read, and the text is capped.

    How long it may take is for the bench to say: here the limits are out of the way.
    """
    reader = PageReader(ReaderLimits(cpu_s=60, wall_s=90.0))

    found = await reader.read(page(body))
    await reader.aclose()

    assert found.status in ("ok", "no_text")
    assert len(found.text.encode()) <= 60_000


async def test_read__html_is_cut() -> None:
    """What stands behind the cap is left out; half a character at the end too."""
    reader = PageReader(replace(QUICK, html_bytes=11))

    found = await reader.read(page("Kveldsnut æø".encode(), "text/plain"))
    await reader.aclose()

    assert "Kveldsnut" == found.text


@pytest.mark.parametrize(
    "limits",
    [QUICK, replace(QUICK, cpu_s=1, wall_s=30.0)],
    ids=["by the clock", "by the processor"],
)
async def test_read__too_slow(limits: ReaderLimits) -> None:
    """The process is killed, the loop goes on meanwhile, and the next page has a new process."""
    reader = PageReader(limits)
    found: list[Page] = []

    async def read(fetched: Fetched) -> None:
        found.append(await reader.read(fetched))

    lag = await largest_lag(read(SLOW))
    await read(GOOD)
    await reader.aclose()

    assert ["too slow to read", "ok"] == [one.status for one in found]
    assert lag < 0.2


async def test_read__processor_time_is_each_pages_own() -> None:
    """A process that has read for a while is not killed for the sum of it."""
    reader = PageReader(replace(QUICK, cpu_s=1, wall_s=30.0, html_bytes=1_000_000))
    table = page(b"<html><body>" + b"<div>some text</div>" * 3_000)
    found: list[str] = []

    started = time.monotonic()
    while time.monotonic() - started < 3.0:
        found.append((await reader.read(table)).status)
    await reader.aclose()

    assert {"ok"} == set(found)


async def test_read__same_text_each_time() -> None:
    """Two processes, many pages, one text."""
    reader = PageReader(ReaderLimits(wall_s=30.0))

    found = await asyncio.gather(*(reader.read(GOOD) for _ in range(40)))
    await reader.aclose()

    assert {TEXT} == {one.text for one in found}


async def test_read__processes_are_few_and_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """None before the first page, two for many, and none after the end."""
    started: list[ReadingProcess] = []
    start = ReadingProcess.start

    async def count(limits: ReaderLimits, env: dict[str, str]) -> ReadingProcess:
        started.append(await start(limits, env))
        return started[-1]

    monkeypatch.setattr(ReadingProcess, "start", count)
    reader = PageReader(ReaderLimits(wall_s=30.0))
    before = len(started)
    await asyncio.gather(*(reader.read(GOOD) for _ in range(12)))
    alive = [process.alive for process in started]
    await reader.aclose()

    assert (0, [True, True]) == (before, alive)
    assert [False, False] == [process.alive for process in started]


async def test_read__cancelled(reader: PageReader) -> None:
    """A reading that is given up ends its process, or the next page would get its text."""
    task = asyncio.create_task(reader.read(SLOW))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert TEXT == (await reader.read(GOOD)).text


async def test_read__process_that_died_meanwhile(reader: PageReader) -> None:
    """Somebody ended it between two pages: the next one has a new process."""
    await reader.read(GOOD)
    (process,) = reader._idle
    await process.kill()

    assert "ok" == (await reader.read(GOOD)).status


async def test_read__no_secret_in_the_process(
    monkeypatch: pytest.MonkeyPatch, reader: PageReader
) -> None:
    """It sees nothing of our environment."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "canary")
    await reader.read(GOOD)
    (process,) = reader._idle
    with open(f"/proc/{process._process.pid}/environ", "rb") as file:  # noqa: ASYNC230, PTH123
        assert b"" == file.read()
