"""Calls in flight to one vendor: fewer when it is overloaded, one at a time when it is down.

Additive increase, multiplicative decrease (Chiu and Jain 1989), with a memory of the width that
went well, so that a lane comes back to it fast and goes beyond it with care (Ha, Rhee and Xu,
"CUBIC", 2008). `bench/overload.py` simulates it.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from gate.errors import CallError

_OVERLOAD = frozenset({429, 503, 529})
"""HTTP statuses by which a vendor says: too much. 529 is Anthropic's `overloaded_error`."""
_CUT = 0.7
"""What a cut leaves of the width."""
_FEW = 3
"""Refusals that may be chance."""
_PAUSE_AFTER = 3
"""Failures in a row from which a Retry-After holds for the whole lane."""
_DOWN_AFTER = 8
"""Failures in a row, without one sign of life, after which a vendor counts as down."""
_NEVER_ALIVE_S = 20.0
"""Patience with a vendor that has not replied once: its outage, or a quota of none, is older than
the run, and there is nothing yet to lose."""
_LONGEST_PROBE_S = 30.0
"""Longest wait between two probes of a vendor that is down, in seconds."""


class Lane:
    """Places for the calls to one vendor, first come first served."""

    def __init__(
        self,
        most: int,
        *,
        name: str,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        longest_pause_s: float = 60.0,
        patience_s: float = 300.0,
    ) -> None:
        """Start with `most` calls in flight, at least one.

        `name` is the vendor's, for errors; `clock` gives monotonic seconds. `longest_pause_s` is
        the most seconds of a Retry-After that all calls keep to. A vendor that gives no sign of
        life for `patience_s` seconds is given up, after 20 where it never gave one: then calls
        fail without being sent, but for a probe now and then.
        """
        self._most = max(1, most)
        self._name = name
        self._clock = clock
        self._sleep = sleep
        self._longest_pause_s = longest_pause_s
        self._patience_s = patience_s
        self._width = self._most
        self._goal = self._most
        self._step = 1
        self._grew = True
        self._active = 0
        self._successes = 0
        self._refusals = 0
        self._cuts = 0
        self._failed = 0
        self._last = ""
        self._alive = False
        self._down_since: float | None = None
        self._closed_until = 0.0
        self._probe_s = 1.0
        self._queue: OrderedDict[asyncio.Future[None], bool] = OrderedDict()
        # Those who wait, in the order of their arrival -> whether their call was tried before.
        self._timer: asyncio.Task[None] | None = None

    @property
    def width(self) -> int:
        """How many calls may be in flight now."""
        return self._width

    @property
    def down(self) -> bool:
        """Whether the vendor counts as down, and is only probed."""
        return self._down_since is not None

    @asynccontextmanager
    async def slot(self, *, again: bool = False) -> AsyncIterator[None]:
        """Wait for a place, first come first served, and learn from how the block ends.

        A vendor that is down is probed by calls that were tried before (`again`), where there are
        any: nothing new is begun then, and one that refuses each call once is found to be up.
        A retryable CallError is a failure, of overload by its status; all other ends are signs
        of life. Raises a CallError of its own, unsent, when the vendor was given up.
        """
        await self._enter(again=again)
        cuts = self._cuts
        try:
            yield
        except CallError as error:
            if error.retryable:
                self._failed_one(error, cuts)
            elif error.status is not None:
                self._revive()
            raise
        else:
            self._revive()
            self._widen()
        finally:
            self._leave()

    async def _enter(self, *, again: bool) -> None:
        self._refuse_if_given_up()
        if self._open and not self._queue:
            self._active += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue[turn] = again
        self._wait_until_open()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._leave()
            else:
                self._queue.pop(turn, None)
            raise

    def _next(self) -> asyncio.Future[None]:
        first = next(iter(self._queue))
        if self._down_since is None:
            return first
        return next((turn for turn, again in self._queue.items() if again), first)

    @property
    def _open(self) -> bool:
        return self._active < self._width and self._clock() >= self._closed_until

    def _leave(self) -> None:
        self._active -= 1
        self._admit()

    def _admit(self) -> None:
        while self._queue and self._open:
            turn = self._next()
            del self._queue[turn]
            if not turn.done():
                self._active += 1
                turn.set_result(None)
        self._wait_until_open()

    def _wait_until_open(self) -> None:
        """See to it that those who wait are called in once the lane opens again."""
        if self._queue and self._timer is None and self._clock() < self._closed_until:
            self._timer = asyncio.create_task(self._open_later())

    async def _open_later(self) -> None:
        try:
            while (left_s := self._closed_until - self._clock()) > 0:
                await self._sleep(left_s)
        finally:
            self._timer = None
        self._admit()

    def _failed_one(self, error: CallError, cuts: int) -> None:
        self._failed += 1
        self._last = str(error)
        if error.status in _OVERLOAD:
            self._refused(cuts)
            # One refusal may be chance; several in a row, with a time to come back, are not. Then
            # all wait, rather than that each finds out for itself.
            if self._failed >= _PAUSE_AFTER and error.retry_after_s:
                self._close_for(min(error.retry_after_s, self._longest_pause_s))
        if self._down_since is None and self._failed >= _DOWN_AFTER:
            self._down_since = self._clock()
            self._probe_s = 1.0
            self._width = 1
            self._cuts += 1
            self._close_for(self._probe_s)
        elif self._down_since is not None and self._clock() >= self._closed_until:
            self._probe_s = min(2 * self._probe_s, _LONGEST_PROBE_S)
            self._close_for(self._probe_s)
            if self._given_up:
                waiting, self._queue = self._queue, OrderedDict()
                for turn in waiting:
                    if not turn.done():
                        turn.set_exception(self._gone())

    def _close_for(self, seconds: float) -> None:
        self._closed_until = max(self._closed_until, self._clock() + seconds)

    @property
    def _given_up(self) -> bool:
        since = self._down_since
        return since is not None and self._clock() - since >= self._patience

    @property
    def _patience(self) -> float:
        return self._patience_s if self._alive else min(self._patience_s, _NEVER_ALIVE_S)

    def _refuse_if_given_up(self) -> None:
        if self._given_up and not self._open:
            raise self._gone()

    def _gone(self) -> CallError:
        return CallError(
            f"not sent: {self._name} gave no good reply for {self._patience:g} s "
            f"(the last: {self._last}): run again when it is back",
            sent=False,
        )

    def _revive(self) -> None:
        self._alive = True
        self._failed = 0
        if self._down_since is not None:
            self._down_since = None
            self._closed_until = 0.0

    def _refused(self, cuts: int) -> None:
        """One place less for a refusal; a cut once they are an eighth of a window."""
        if self._grew:
            self._goal = self._width
        self._grew = False
        self._step = 1
        self._refusals += 1
        # Calls that were in flight together report one overload: one cut answers it.
        if cuts == self._cuts and self._refusals >= max(_FEW, self._width // 8):
            self._width = max(1, int(self._width * _CUT))
            self._cuts += 1
            self._refusals = 0
            self._successes = 0
        elif cuts == self._cuts:
            self._width = max(1, self._width - 1)

    def _widen(self) -> None:
        """After a whole window of successes: quickly back to the goal, then beyond it with care."""
        self._successes += 1
        if self._successes < self._width:
            return
        self._successes = 0
        self._refusals = 0
        self._grew = True
        if self._width < self._goal:
            closer = max(self._width // 8, (self._goal - self._width + 1) // 2)
            step = max(1, min(self._width, closer, self._goal - self._width))
        else:
            step = self._step
            self._step *= 2
        self._width = min(self._most, self._width + step)
