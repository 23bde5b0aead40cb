"""What the journal costs: CPU seconds a call, many calls at once, replies that come at once.

python bench/journal.py [CALLS] [AT_ONCE] [REQUEST_CHARACTERS]
"""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import JsonValue

from gate.types import Call
from gate.wire.door import PaidDoor
from gate.wire.journal import Journal
from gate.wire.limits import Limits, RetryPolicy
from gate.wire.purse import Purse


async def ask(book: Journal | None, calls: int, at_once: int, characters: int) -> None:
    """Make the calls."""
    limits = Limits(RetryPolicy(), {"anthropic": at_once}, draw=lambda: 0.5, clock=time.monotonic)
    door = PaidDoor(book, limits, Purse())
    numbers = iter(range(calls))
    body: JsonValue = {"content": [{"type": "text", "text": "x" * 1000}], "usage": {"input": 1}}

    async def send() -> JsonValue:
        return body

    async def worker() -> None:
        for number in numbers:
            request: JsonValue = {
                "max_tokens": 1000,
                "messages": [{"role": "user", "content": f"{number}" + "x" * characters}],
            }
            call = Call(
                kind="judge",
                vendor="anthropic",
                model="claude",
                request=request,
                case_id=f"c{number % 48}",
                target="t",
                reserve_usd=0.01,
            )
            await door.call(call, send, lambda _: 0.001)

    await asyncio.gather(*(worker() for _ in range(at_once)))


def measure(calls: int, at_once: int, characters: int, *, journal: bool) -> tuple[float, float]:
    """Return CPU and wall microseconds a call."""
    with TemporaryDirectory() as folder:
        book = None
        if journal:
            book = Journal(Path(folder) / "journal.sqlite", now=lambda: datetime.now(UTC))
            book.begin_run("r1", identity={"plan": "i"})
        cpu, wall = time.process_time(), time.perf_counter()
        asyncio.run(ask(book, calls, at_once, characters))
        spent = time.process_time() - cpu, time.perf_counter() - wall
        if book is not None:
            book.close()
    return spent[0] / calls * 1e6, spent[1] / calls * 1e6


def main() -> None:
    """Print one line with and one without a journal."""
    calls, at_once, characters = (
        int(word) for word in (*sys.argv[1:], *("20000", "64", "6000")[len(sys.argv) - 1 :])
    )
    for journal in (False, True):
        cpu, wall = measure(calls, at_once, characters, journal=journal)
        name = "with journal" if journal else "without"
        print(f"{name:13} {cpu:8.0f} us CPU a call {wall:8.0f} us wall a call")


if __name__ == "__main__":
    main()
