"""Calls, clocks and vendors that the tests of the wire share."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from gate.errors import CallError
from gate.types import Call
from gate.wire.door import PaidDoor
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from gate.wire.lane import Lane
from gate.wire.limits import Limits, RetryPolicy
from gate.wire.purse import Purse

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
# What a text in a reply may hold: half a pair, a zero and quotes.
TEXT = "æ \ud83d\x00 'quoted'"


def call(question: str = "q", **more: object) -> Call:
    """A judge's call that asks `question`."""
    return Call.model_validate(
        {
            "kind": "judge",
            "vendor": "anthropic",
            "model": "claude",
            "request": {"messages": [question]},
            "case_id": "c1",
            "target": "t1",
            "reserve_usd": 0.5,
            **more,
        }
    )


def journal(path: Path, secrets: tuple[str, ...] = ()) -> Journal:
    """A journal whose clock stands still."""
    return Journal(path, now=lambda: NOW, secrets=secrets)


def begun(path: Path, run_id: str = "r1") -> Journal:
    """A journal in which a run has begun, or goes on."""
    book = journal(path)
    book.begin_run(run_id, identity={"plan": "i"})
    return book


async def record(book: Journal, made: Call, outcome: Outcome) -> None:
    """Write down a call and what it ended in."""
    await book.settle(await book.intend(made), outcome)


def whole_run(
    path: Path,
    made: Mapping[str, Outcome] | None = None,
    *,
    run_id: str = "r1",
    finish: bool = True,
) -> None:
    """One whole run that makes calls, named by what they ask."""

    async def work(book: Journal) -> None:
        for question, outcome in (made or {}).items():
            await record(book, call(question), outcome)

    with journal(path) as book:
        assert run_id == book.begin_run(run_id, identity={"plan": "i"})
        asyncio.run(work(book))
        if finish:
            book.finish_run(run_id)


def ask(book: Journal, wanted: Call) -> object:
    """The body that the journal holds for a call; None where it holds no reply."""
    entry = asyncio.run(book.find(wanted))
    return None if entry is None else entry.body


class FakeClock:
    """Time that passes only while somebody sleeps, or when it is told to."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """Seconds."""
        return self.time

    async def sleep(self, seconds: float) -> None:
        """Pass."""
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


class _Jump(selectors.SelectSelector):
    """Waits for nothing: time jumps to what is due next."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop in which hours pass at once, for tests of many calls side by side."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        """Seconds since the start."""
        return self._jump.now


def lane(most: int, clock: FakeClock | None = None, **more: float) -> Lane:
    """A lane whose time passes only while somebody sleeps."""
    clock = clock or FakeClock()
    return Lane(most, name="claude", clock=clock, sleep=clock.sleep, **more)


def limits(
    clock: FakeClock | None = None, policy: RetryPolicy | None = None, width: int = 4
) -> Limits:
    """Limits whose jitter is always half of what is possible."""
    clock = clock or FakeClock()
    return Limits(
        policy or RetryPolicy(),
        {"anthropic": width, "google": width},
        draw=lambda: 0.5,
        clock=clock,
        sleep=clock.sleep,
    )


class Vendor:
    """Gives what it was told to give, one thing a try; errors are raised."""

    def __init__(
        self,
        *replies: JsonValue | BaseException,
        clock: FakeClock | None = None,
        takes_s: float = 0,
    ) -> None:
        self.replies = list(replies)
        self.sent = 0
        self._clock = clock
        self._takes_s = takes_s

    async def __call__(self) -> JsonValue:
        """One try."""
        self.sent += 1
        if self._clock is not None:
            self._clock.time += self._takes_s
        await asyncio.sleep(0)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, BaseException):
            raise reply
        return reply


def price_of(usd: float | None) -> Callable[[JsonValue], float | None]:
    """A price list with one price."""
    return lambda _: usd


FREE = price_of(0.0)
DIME = price_of(0.1)


def overloaded(status: int | None = 429, **more: object) -> CallError:
    """What an adapter raises when a later try may succeed."""
    return CallError(f"status {status}", status=status, retryable=True, **more)  # type: ignore[arg-type]


def never() -> Vendor:
    """A vendor that must not be asked."""
    return Vendor(AssertionError("sent although it was in the journal"))


def paid_door(
    book: Journal | None = None, held: Limits | None = None, purse: Purse | None = None
) -> PaidDoor:
    """A door to vendors; without a journal and a ceiling unless they are handed in."""
    return PaidDoor(book, held or limits(), purse or Purse())
