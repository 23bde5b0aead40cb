"""How hard each vendor is asked: calls in flight, waiting and retries."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from gate.errors import CallError
from gate.wire.lane import Lane
from gate.wire.retry import RetryPolicy

__all__ = ["Limits", "RetryPolicy"]


class Limits:
    """The lanes of all vendors and the retries of the run, with a clock that is handed in."""

    def __init__(
        self,
        policy: RetryPolicy,
        concurrency: Mapping[str, int],
        *,
        draw: Callable[[], float],
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        default_concurrency: int = 4,
    ) -> None:
        """Take the most calls in flight per vendor.

        `draw` gives uniform numbers in [0, 1), `clock` monotonic seconds.
        """
        self._policy = policy
        self._concurrency = concurrency
        self._default = default_concurrency
        self._draw = draw
        self._sleep = sleep
        self._lanes: dict[str, Lane] = {}
        self._calls = 0
        self._retries = 0
        self.clock = clock

    def lane(self, vendor: str) -> Lane:
        """Return the vendor's lane."""
        if vendor not in self._lanes:
            self._lanes[vendor] = Lane(
                self._concurrency.get(vendor, self._default),
                name=vendor,
                clock=self.clock,
                sleep=self._sleep,
                longest_pause_s=self._policy.asked_cap_s,
                patience_s=self._policy.deadline_s,
            )
        return self._lanes[vendor]

    def count_call(self) -> None:
        """A call begins: it earns its share of the run's retries."""
        self._calls += 1

    async def wait_to_retry(self, error: CallError, *, tries: int, started: float) -> bool:
        """Wait before the next try and return True, or return False for no other try.

        `tries` were made so far, the first one at `started` on the clock.
        """
        elapsed_s = self.clock() - started
        wait_s = self._policy.wait_s(error, tries=tries, elapsed_s=elapsed_s, draw=self._draw)
        if wait_s is None or not self._policy.allows(retries=self._retries, calls=self._calls):
            return False
        self._retries += 1
        await self._sleep(wait_s)
        return True
