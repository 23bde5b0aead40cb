"""The door asks a busy vendor again, and counts every try that may have cost something."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from gate.errors import CallError, ModelError
from gate.wire.door import ReplayDoor, carry_over
from gate.wire.journal import Journal
from gate.wire.journal_entry import Problem
from gate.wire.limits import Limits, RetryPolicy
from gate.wire.purse import Purse, Totals
from tests.unit.wire.wire_fakes import (
    DIME,
    FREE,
    FakeClock,
    Vendor,
    begun,
    call,
    limits,
    never,
    overloaded,
    paid_door,
)


async def test_retry__until_it_works(path: Path) -> None:
    """A busy vendor is asked again; only the last try counts as latency and costs."""
    clock, purse = FakeClock(), Purse()
    vendor = Vendor(overloaded(retry_after_s=7.0), overloaded(503), "ok", clock=clock, takes_s=2)
    with begun(path) as book:
        reply = await paid_door(book, limits(clock), purse).call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

    assert ("ok", 2.0) == (reply.body, reply.latency_s)
    assert [7.0 + 0.5 * 3.5, 1.0] == clock.slept
    assert Totals(0.1, 0.1, 0.0, 1, 0) == purse.totals
    assert (3, 0) == (entry.tries, entry.lost)


async def test_retry__until_no_more(path: Path) -> None:
    """After the last try the error is recorded and raised; the next run asks again."""
    purse = Purse()
    vendor = Vendor(overloaded(500))
    with begun(path) as book:
        door = paid_door(book, limits(policy=RetryPolicy(max_tries=3)), purse)
        with pytest.raises(CallError, match="status 500"):
            await door.call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

        assert 3 == vendor.sent == entry.tries
        assert Problem("status 500", 500) == entry.problem
        assert Totals(0.0, 0.0, 0.0, 1, 0) == purse.totals
        assert "ok" == (await door.call(call(), Vendor("ok"), DIME)).body


async def test_retry__not_for_what_cannot_be_mended(path: Path) -> None:
    """A refusal that no later call can mend passes through, and costs nothing."""
    purse = Purse()
    vendor = Vendor(ModelError("no model claude: choose another"))
    with begun(path) as book:
        with pytest.raises(ModelError, match="choose another"):
            await paid_door(book, purse=purse).call(call(), vendor, DIME)
        assert () == book.unsettled()
        (entry,) = book.audit("c1")

    assert 1 == vendor.sent
    assert Problem("no model claude: choose another", None, "cannot_run") == entry.problem
    assert 0.0 == purse.totals.usd


async def test_retry__unknown_outcomes_are_spent(path: Path) -> None:
    """Each timeout counts at its reserve, in this run and when it is resumed or replayed."""
    timeout = CallError("no reply", retryable=True, kind="timeout")
    purse = Purse()
    with begun(path) as book:
        door = paid_door(book, limits(policy=RetryPolicy(max_tries=2)), purse)
        await door.call(call("a"), Vendor(timeout, "ok"), DIME)
        with pytest.raises(CallError, match="no reply"):
            await door.call(call("b"), Vendor(timeout), DIME)
    resumed = Purse()
    with begun(path, "r2") as book:
        carry_over(book, resumed)
        await paid_door(book, purse=resumed).call(call("a"), never(), DIME)
    replayed = Purse()
    with Journal.open_replay(path) as replay:
        carry_over(replay, replayed)
        tape = ReplayDoor(replay, replayed)
        await tape.call(call("a"), never(), DIME)
        with pytest.raises(CallError, match="no reply"):
            await tape.call(call("b"), never(), DIME)

    assert Totals(1.6, 0.1, 1.5, 2, 0) == purse.totals == resumed.totals == replayed.totals


async def test_retry__sleeps_outside_of_the_lane() -> None:
    """While one call waits to be tried again, another has its place."""
    rested = asyncio.Event()

    async def sleep(_: float) -> None:
        await rested.wait()

    held = Limits(RetryPolicy(), {"anthropic": 1}, draw=lambda: 0.5, clock=FakeClock(), sleep=sleep)
    door = paid_door(held=held)
    slow = asyncio.create_task(door.call(call("a"), Vendor(overloaded(500), "late"), FREE))
    quick = asyncio.create_task(door.call(call("b"), Vendor("early"), FREE))
    done, _ = await asyncio.wait([slow, quick], return_when=asyncio.FIRST_COMPLETED)

    assert {quick} == done

    rested.set()

    assert "late" == (await slow).body


async def test_lane__narrows() -> None:
    """The vendor's overload reaches its lane."""
    held = limits(width=4)
    await paid_door(held=held).call(call(), Vendor(overloaded(529), "ok"), FREE)

    assert 3 == held.lane("anthropic").width
    assert 4 == held.lane("google").width


async def test_retry__probes_do_not_use_up_a_calls_tries(path: Path) -> None:
    """An outage that takes more tries than one call has loses no call."""
    held = limits(policy=RetryPolicy(max_tries=2))
    for _ in range(8):  # the vendor is down
        with suppress(CallError):
            async with held.lane("anthropic").slot():
                raise overloaded(500)
    vendor = Vendor(*[overloaded(500)] * 4, "ok")
    with begun(path) as book:
        reply = await paid_door(book, held).call(call(), vendor, DIME)

    assert "ok" == reply.body
    assert 5 == vendor.sent
