"""Calls, clocks and vendors that the tests of the wire share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from gate.errors import CallError
from gate.types import Call
from gate.wire.journal import Journal
from gate.wire.limits import Limits, RetryPolicy

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


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


def overloaded(status: int | None = 429, **more: object) -> CallError:
    """What an adapter raises when a later try may succeed."""
    return CallError(f"status {status}", status=status, retryable=True, **more)  # type: ignore[arg-type]


def never() -> Vendor:
    """A vendor that must not be asked."""
    return Vendor(AssertionError("sent although it was in the journal"))
