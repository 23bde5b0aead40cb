"""How hard each vendor is asked: calls in flight, waiting and retries."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from gate.errors import CallError
from gate.wire.retry import RetryPolicy, parse_retry_after

__all__ = ["Lane", "Limits", "RetryPolicy", "parse_retry_after"]

_OVERLOAD = frozenset({429, 503, 529})
"""HTTP statuses by which a vendor says: too much. 529 is Anthropic's `overloaded_error`."""


class Lane:
    """Calls in flight to one vendor: fewer when it is overloaded, more again when it is not.

    Additive increase, multiplicative decrease (Chiu and Jain 1989): halved on overload, one more
    after a whole window of successes, never under one and never above the number it started with.
    """

    def __init__(self, most: int) -> None:
        """Start with `most` calls in flight, at least one."""
        self._most = max(1, most)
        self._width = self._most
        self._active = 0
        self._successes = 0
        self._cuts = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    @property
    def width(self) -> int:
        """How many calls may be in flight now."""
        return self._width

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait for a place, first come first served, and learn from how the block ends.

        A CallError with an overload status narrows the lane; an end without error may widen it.
        """
        await self._enter()
        cuts = self._cuts
        try:
            yield
        except CallError as error:
            # Calls that were in flight together report one overload: it is answered once.
            if error.status in _OVERLOAD and cuts == self._cuts:
                self._narrow()
            raise
        else:
            self._widen()
        finally:
            self._leave()

    async def _enter(self) -> None:
        if self._active < self._width:  # then nobody waits: whoever leaves calls the next in
            self._active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave()
            else:
                with suppress(ValueError):
                    self._queue.remove(turn)
            raise

    def _leave(self) -> None:
        self._active -= 1
        while self._queue and self._active < self._width:
            turn = self._queue.popleft()
            if not turn.done():
                self._active += 1
                turn.set_result(None)

    def _narrow(self) -> None:
        self._width = max(1, self._width // 2)
        self._successes = 0
        self._cuts += 1

    def _widen(self) -> None:
        self._successes += 1
        if self._successes >= self._width:
            self._width = min(self._most, self._width + 1)
            self._successes = 0


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
            self._lanes[vendor] = Lane(self._concurrency.get(vendor, self._default))
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
