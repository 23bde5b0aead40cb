"""The purse: what a run has spent, what it may still spend, and what nobody knows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import fsum

from gate.decision.words import dollars
from gate.errors import CallError

_DUST_USD = 1e-9
"""Rounding that must not refuse a call which just fits."""


class ExactSum:
    """A sum of floats that is exact inside: it does not depend on their order, nor grow with them.

    The exact value is kept as a few floats that do not overlap (J. R. Shewchuk, "Adaptive
    Precision Floating-Point Arithmetic", 1997), as `math.fsum` does for one call.
    """

    def __init__(self) -> None:
        """Start at zero."""
        self._parts: list[float] = []
        self._value: float | None = 0.0

    def add(self, number: float) -> None:
        """Add a finite number; one that was added before is taken away by its negative."""
        kept: list[float] = []
        for part in self._parts:
            large, small = (number, part) if abs(number) >= abs(part) else (part, number)
            number = large + small
            rest = small - (number - large)
            if rest:
                kept.append(rest)
        if number:
            kept.append(number)
        self._parts = kept
        self._value = None

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        if self._value is None:
            self._value = fsum(self._parts)
        return self._value


@dataclass(frozen=True)
class Totals:
    """What a run cost so far, as reports show it."""

    usd: float | None
    """US dollars, calls of unknown outcome at their reserve; None when a part is unknown."""
    known_usd: float
    """The part whose price is known."""
    assumed_usd: float
    """Reserves of calls whose outcome is unknown: timeouts, lost connections, interruptions."""
    calls: int
    """Paid calls that this run made, those of its interrupted part included."""
    cached_calls: int
    """Calls that were answered without being sent."""


class Hold:
    """Money put aside for one try. Unless it is settled or released, it counts as spent."""

    def __init__(self) -> None:
        """Begin with an unknown outcome."""
        self.price: float | None = None
        self.lost = True

    def settle(self, usd: float | None) -> None:
        """The reply came and cost `usd`; None when its price is unknown."""
        self.price = usd
        self.lost = False

    def release(self) -> None:
        """The vendor answered with an error: nothing was billed."""
        self.settle(0.0)


class Purse:
    """Counts money in US dollars; sums do not depend on the order in which calls end."""

    def __init__(self, ceiling_usd: float | None = None) -> None:
        """Start empty; without a ceiling nothing is refused."""
        self.ceiling_usd = ceiling_usd
        self._known = ExactSum()
        self._assumed = ExactSum()
        self._spent = ExactSum()
        self._held = ExactSum()
        self._committed = ExactSum()
        self._ahead = ExactSum()
        self._brought: dict[int, float] = {}
        self._unknown = 0
        self._holds = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._calls = 0
        self._cached_calls = 0
        self.largest_reserve_usd = 0.0
        """The most that was put aside for one try: what the last call needs room for."""

    def would_pass(self, reserve_usd: float | None) -> bool:
        """Whether spending that much more would go above the ceiling.

        What is put aside counts as spent. An unknown cost passes only once the ceiling is reached.
        """
        if self.ceiling_usd is None:
            return False
        committed = self._committed.value
        if reserve_usd is None:
            return committed >= self.ceiling_usd
        return committed + reserve_usd > self.ceiling_usd + _DUST_USD

    async def wait_for_room(self, reserve_usd: float | None) -> None:
        """Wait while money that others have put aside is all that stands in the way.

        Reserves are worst cases and far above what calls cost: refusing at once would stop runs
        that fit. Returns when there is room, or when nothing is put aside any more.
        """
        while self.would_pass(reserve_usd) and self._holds:
            settled = asyncio.get_running_loop().create_future()
            self._waiting.append(settled)
            await settled

    @contextmanager
    def hold(self, reserve_usd: float | None) -> Iterator[Hold]:
        """Put money aside for one try, and account for it at the end of the block.

        Raises CallError of kind `budget` when that would pass the ceiling.
        """
        if self.would_pass(reserve_usd):
            raise CallError(
                f"not sent: with it the run could pass its ceiling of "
                f"{dollars(self.ceiling_usd or 0.0)}: raise --max-cost, or take a smaller sample",
                kind="budget",
            )
        hold = Hold()
        self.largest_reserve_usd = max(self.largest_reserve_usd, reserve_usd or 0.0)
        self._put_aside(reserve_usd or 0.0)
        self._holds += 1
        try:
            yield hold
        finally:
            self._put_aside(-(reserve_usd or 0.0))
            self._holds -= 1
            if hold.lost:
                self._assume(reserve_usd)
            else:
                self._spend(hold.price, reserve_usd)
            waiting, self._waiting = self._waiting, []
            for settled in waiting:
                if not settled.done():
                    settled.set_result(None)

    def count_call(self) -> None:
        """A call was sent, however many tries it takes."""
        self._calls += 1

    def count_cached(self) -> None:
        """A call was answered without being sent, at no cost to this run."""
        self._cached_calls += 1

    def bring(
        self, number: int, usd: float | None, *, lost: int, reserve_usd: float | None
    ) -> None:
        """Count a call of the earlier part of this run before it is asked for again.

        Or calls could be sent for the money that it cost. `number` is its number in the journal.
        """
        before = self._spent.value
        self.recall(usd, lost=lost, reserve_usd=reserve_usd)
        self._brought[number] = self._spent.value - before
        self._ahead.add(self._brought[number])
        self.largest_reserve_usd = max(self.largest_reserve_usd, reserve_usd or 0.0)

    def recall(
        self, usd: float | None, *, lost: int, reserve_usd: float | None, number: int | None = None
    ) -> None:
        """Count a call that this run paid for earlier and found in the journal.

        `lost` of its tries had an unknown outcome. One that was brought under its `number` is
        counted already.
        """
        if number in self._brought:
            self._ahead.add(-self._brought.pop(number))
            return
        self._calls += 1
        self._spend(usd, reserve_usd)
        for _ in range(lost):
            self._assume(reserve_usd)

    def carry(self, reserve_usd: float | None, *, lost: int = 1) -> None:
        """Count a call of the interrupted part of this run that gave nothing."""
        self._calls += 1
        for _ in range(lost):
            self._assume(reserve_usd)

    @property
    def spent_usd(self) -> float:
        """US dollars that count as spent against the ceiling.

        Known prices, and the reserves of calls of unknown outcome or price.
        """
        return self._spent.value

    @property
    def reached_usd(self) -> float:
        """The same without calls that were brought and not asked for again yet."""
        return self._spent.value - self._ahead.value

    @property
    def held_usd(self) -> float:
        """US dollars put aside for calls on their way."""
        return self._held.value

    @property
    def totals(self) -> Totals:
        """What was spent so far."""
        return Totals(
            # Where all prices are known, nothing but these two was spent.
            usd=None if self._unknown else self._spent.value,
            known_usd=self._known.value,
            assumed_usd=self._assumed.value,
            calls=self._calls,
            cached_calls=self._cached_calls,
        )

    def _put_aside(self, usd: float) -> None:
        self._held.add(usd)
        self._committed.add(usd)

    def _count(self, usd: float) -> None:
        self._spent.add(usd)
        self._committed.add(usd)

    def _spend(self, usd: float | None, reserve_usd: float | None) -> None:
        if usd is None:
            # The price is unknown, but the ceiling is held as if the worst had been paid.
            self._unknown += 1
            self._count(reserve_usd or 0.0)
        else:
            self._known.add(usd)
            self._count(usd)

    def _assume(self, reserve_usd: float | None) -> None:
        if reserve_usd is None:
            self._unknown += 1
        else:
            self._assumed.add(reserve_usd)
            self._count(reserve_usd)
