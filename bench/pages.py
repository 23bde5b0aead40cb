"""What reading cited pages costs, and what a hostile page can make of it.

Prints two Markdown tables: pages of 60 kB of text, read by two processes, and hostile pages, each
with the time until it is read or its process is killed. Beside each stand the most memory that a
process took and the longest that the event loop did not come round meanwhile.

    python bench/pages.py
"""

from __future__ import annotations

import asyncio
import os
import random
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

from gate.types import Page
from gate.wire.pagetext.process import ReaderLimits
from gate.wire.pagetext.reader import PageReader
from gate.wire.web import Fetched

PAGES = 200
WORDS = [
    *("hut", "ridge", "glacier", "ferry", "timetable", "north", "summit", "metres", "open", "June"),
    *("the", "of", "and", "is", "from", "at", "a", "highest", "island", "path"),
]
LIMITS = ReaderLimits()


def article(number: int) -> bytes:
    """A page of about 60 kB of text between a menu and a footer."""
    draw = random.Random(number)
    menu = "".join(f'<li><a href="/{n}">Page {n}</a></li>' for n in range(40))
    paragraphs: list[str] = []
    while sum(len(paragraph) for paragraph in paragraphs) < 60_000:
        words = " ".join(draw.choices(WORDS, k=draw.randint(20, 90)))
        paragraphs.append(f"<p>{words.capitalize()} {draw.randint(1, 9999)}.</p>")
    return (
        f"<!DOCTYPE html><html><head><title>Page {number}</title></head><body>"
        f"<nav><ul>{menu}</ul></nav><main><h1>Page {number}</h1>{''.join(paragraphs)}</main>"
        "<footer><p>All rights reserved.</p></footer></body></html>"
    ).encode()


def hostile() -> Iterator[tuple[str, bytes]]:
    """Pages that were made to take long, by name; the reader cuts them at its own cap."""
    start = b"<html><body>"
    yield "table, 5 MB", start + b"<table>" + b"<tr><td>one</td><td>two</td></tr>" * 155_000
    yield "100,000 nested divs", start + b"<div>" * 100_000 + b"text" + b"</div>" * 100_000
    yield (
        "200,000 attributes",
        start + b"<div " + b" ".join(b"a%d=1" % number for number in range(200_000)) + b">",
    )
    yield "300,000 opened comments", start + b"<!--" * 300_000
    yield "opened CDATA", start + b"<![CDATA[" * 120_000
    yield "2 million <", start + b"<" * 2_000_000
    yield "paragraphs that never end", start + b"<p>word " * 150_000
    yield "bold that never ends", start + b"<p><b>" * 170_000
    yield "one-item lists", start + b"<ul><li>a</li></ul>" * 52_000
    yield "one-cell tables", start + b"<table><tr><td>a b c</td></tr></table>" * 26_000
    yield "line breaks", start + b"a<br>" * 200_000
    yield "links", start + b'<a href="/a">link</a> ' * 45_000
    yield "plain text, 2 MB", start + b"word " * 400_000
    yield "PDF that unpacks to 1 GB", _pdf_bomb()
    yield "no PDF", b"%PDF-1.7\n" + b"1 0 obj << /Kids [1 0 R] >> endobj\n" * 50_000


def _pdf_bomb() -> bytes:
    """A PDF whose one page is drawn by a gigabyte of `BT ET`, packed twice."""
    packed = zlib.compress(zlib.compress(b"BT ET " * 170_000_000, 1), 9)
    return (
        b"%%PDF-1.4\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
        b"2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n"
        b"3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >> endobj\n"
        b"4 0 obj << /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%b\nendstream "
        b"endobj\ntrailer << /Root 1 0 R >>\n%%%%EOF" % (len(packed), packed)
    )


class Watch:
    """Looks at the event loop and at the child processes every five milliseconds."""

    def __init__(self) -> None:
        """Start to look."""
        self.lag_s = 0.0
        self.memory_kb = 0
        self._task = asyncio.create_task(self._look())

    def stop(self) -> None:
        """Stop."""
        self._task.cancel()

    async def _look(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.005)
            self.lag_s = max(self.lag_s, time.perf_counter() - before - 0.005)
            self.memory_kb = max([self.memory_kb, *_children_kb()])


def _children_kb() -> Iterator[int]:
    """Peak resident kilobytes of each child process (Linux)."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if line)
        except (OSError, ValueError):
            continue
        if lines.get("PPid") == str(os.getpid()) and "VmHWM" in lines:
            yield int(lines["VmHWM"].split()[0])


def _page(body: bytes) -> Fetched:
    return Fetched("http://a.example/", "http://a.example/", "ok", "text/html", "utf-8", body)


async def ordinary() -> None:
    """Print what many pages of usual kind take."""
    pages = [_page(article(number)) for number in range(PAGES)]
    reader = PageReader(LIMITS)
    started = time.perf_counter()
    await reader.read(_page(b"<html><body><p>First page.</p></body></html>"))
    first_s = time.perf_counter() - started
    watch = Watch()
    started = time.perf_counter()
    found = await asyncio.gather(*map(reader.read, pages))
    took_s = time.perf_counter() - started
    watch.stop()
    await reader.aclose()
    kept = sum(len(page.text.encode()) for page in found) / len(found)
    print("| pages | text | start | a page | pages/s | memory of a process | largest lag |")
    print("|---|---|---|---|---|---|---|")
    print(
        f"| {len(found)} | {kept / 1000:.1f} kB | {first_s * 1000:.0f} ms "
        f"| {took_s / len(found) * LIMITS.workers * 1000:.0f} ms | {len(found) / took_s:.0f} "
        f"| {watch.memory_kb / 1000:.0f} MB | {watch.lag_s * 1000:.0f} ms |\n"
    )


async def measure(body: bytes) -> tuple[Page, float, Watch]:
    """Read one page in a process of its own; return it, the seconds, and what was seen."""
    reader = PageReader(LIMITS)
    await reader.read(_page(b"<html><body><p>First page.</p></body></html>"))
    watch = Watch()
    started = time.perf_counter()
    page = await reader.read(_page(body))
    took_s = time.perf_counter() - started
    watch.stop()
    await reader.aclose()
    return page, took_s, watch


async def main() -> None:
    """Print both tables."""
    await ordinary()
    print("| hostile page | size | ends as | after | memory | largest lag |")
    print("|---|---|---|---|---|---|")
    for name, body in hostile():
        page, took_s, watch = await measure(body)
        print(
            f"| {name} | {len(body) / 1e6:.1f} MB | {page.status}, {len(page.text)} characters "
            f"| {took_s:.2f} s | {watch.memory_kb / 1000:.0f} MB | {watch.lag_s * 1000:.0f} ms |"
        )


if __name__ == "__main__":
    asyncio.run(main())
