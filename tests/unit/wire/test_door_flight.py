"""Calls in flight: many at once, equal ones shared, cancelled ones counted as spent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import JsonValue

from gate.errors import CallError
from gate.wire.door import ReplayDoor, carry_over
from gate.wire.journal import Journal
from gate.wire.limits import RetryPolicy
from gate.wire.purse import Purse, Totals
from tests.unit.wire.wire_fakes import (
    DIME,
    FREE,
    Vendor,
    begun,
    call,
    limits,
    never,
    overloaded,
    paid_door,
)


async def test_flight__shared(path: Path) -> None:
    """Equal calls in flight are one call; a replay counts the same."""
    purse = Purse()
    vendor = Vendor("ok")
    with begun(path) as book:
        door = paid_door(book, purse=purse)
        replies = await asyncio.gather(*(door.call(call(), vendor, DIME) for _ in range(5)))
        await door.call(call(scope="r1"), Vendor("scoped"), DIME)
    replayed = Purse()
    with Journal.open_replay(path) as replay:
        tape = ReplayDoor(replay, replayed)
        for _ in range(5):
            await tape.call(call(), never(), DIME)

    assert 1 == vendor.sent
    assert ["ok"] * 5 == [reply.body for reply in replies]
    assert Totals(0.2, 0.2, 0.0, 2, 4) == purse.totals
    assert (1, 4) == (replayed.totals.calls, replayed.totals.cached_calls)


async def test_flight__shared_failure() -> None:
    """All who wait get the error, and the next one tries anew."""
    door = paid_door()
    vendor = Vendor(overloaded(400), "ok")
    held = limits(policy=RetryPolicy(max_tries=1))
    door = paid_door(held=held)
    failed = await asyncio.gather(
        *(door.call(call(), vendor, FREE) for _ in range(3)), return_exceptions=True
    )

    assert [CallError] * 3 == [type(error) for error in failed]
    assert "ok" == (await door.call(call(), vendor, FREE)).body
    assert 2 == vendor.sent


class _Stuck:
    """A vendor that answers when it is let go."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.go = asyncio.Event()
        self.cancelled = 0

    async def __call__(self) -> JsonValue:
        """One try."""
        self.started.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return "ok"


async def test_cancel__one_of_two(path: Path) -> None:
    """Whoever is cancelled leaves; the call goes on for the other."""
    vendor = _Stuck()
    with begun(path) as book:
        door = paid_door(book)
        first = asyncio.create_task(door.call(call(), vendor, FREE))
        await vendor.started.wait()
        second = asyncio.create_task(door.call(call(), vendor, FREE))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        vendor.go.set()

        assert "ok" == (await second).body
    assert first.cancelled()
    assert 0 == vendor.cancelled


async def test_cancel__leaves_the_intent(path: Path) -> None:
    """A call that is cancelled in flight counts as spent, now and when the run is resumed."""
    purse, resumed = Purse(), Purse()
    vendor = _Stuck()
    with begun(path) as book:
        door = paid_door(book, purse=purse)
        task = asyncio.create_task(door.call(call(), vendor, DIME))
        await vendor.started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert "again" == (await door.call(call("b"), Vendor("again"), DIME)).body
    with begun(path, "r2") as book:
        carry_over(book, resumed)
        await paid_door(book, purse=resumed).call(call("b"), never(), DIME)
        (bare,) = book.unsettled()

    assert 1 == vendor.cancelled
    assert not bare.settled
    assert Totals(0.6, 0.1, 0.5, 2, 0) == purse.totals == resumed.totals


async def test_cancel__waits_for_the_end() -> None:
    """Whoever is cancelled leaves when the vendor's connection is put away, not before."""
    put_away: list[bool] = []
    started = asyncio.Event()

    async def send() -> JsonValue:
        try:
            started.set()
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            put_away.append(True)
        return "never"

    task = asyncio.create_task(paid_door().call(call(), send, FREE))
    await started.wait()
    task.cancel()
    await asyncio.wait([task])

    assert [True] == put_away


async def test_cancel__then_asked_again() -> None:
    """Whoever comes while a cancelled call ends starts a new one."""
    ending = asyncio.Event()

    async def reluctant() -> JsonValue:
        try:
            await asyncio.sleep(60)
        finally:
            await ending.wait()
        return "never"

    door = paid_door()
    task = asyncio.create_task(door.call(call(), reluctant, FREE))
    await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.sleep(0)
    late = asyncio.create_task(door.call(call(), Vendor("new"), FREE))

    assert "new" == (await asyncio.wait_for(late, 1)).body

    ending.set()
    await asyncio.wait([task])
    assert task.cancelled()


async def test_bug__leaves_the_intent(path: Path) -> None:
    """An unforeseen error is no result: the call counts as spent."""
    purse = Purse()
    with begun(path) as book:
        with pytest.raises(ZeroDivisionError):
            await paid_door(book, purse=purse).call(call(), Vendor(ZeroDivisionError()), DIME)
        (entry,) = book.audit("c1")

    assert not entry.settled
    assert Totals(0.5, 0.0, 0.5, 1, 0) == purse.totals


async def test_many__none_is_lost(path: Path) -> None:
    """300 calls at once, some of them failing once: each is paid for once and recorded."""
    purse = Purse()
    policy = RetryPolicy(budget_share=1.0)
    with begun(path) as book:
        door = paid_door(book, limits(policy=policy, width=50), purse)
        vendors = [Vendor(overloaded(), n) if n % 7 == 0 else Vendor(n) for n in range(300)]
        replies = await asyncio.gather(
            *(door.call(call(str(n)), vendor, DIME) for n, vendor in enumerate(vendors))
        )
        entries = book.audit("c1")

    assert list(range(300)) == [reply.body for reply in replies]
    assert set(range(300)) == {entry.body for entry in entries if entry.settled}
    assert 300 == len(entries)
    assert 300 == purse.totals.calls
    assert pytest.approx(30.0) == purse.totals.usd
