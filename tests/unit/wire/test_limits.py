"""How hard a vendor is asked."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from gate.errors import CallError
from gate.wire.limits import Lane, RetryPolicy
from tests.unit.wire.wire_fakes import FakeClock, limits, overloaded


async def _succeed(lane: Lane, times: int) -> None:
    for _ in range(times):
        async with lane.slot():
            pass


async def _fail(lane: Lane, error: Exception, until: asyncio.Event | None = None) -> None:
    with suppress(type(error)):
        async with lane.slot():
            if until is not None:
                await until.wait()
            raise error


async def test_lane__never_wider_than_allowed() -> None:
    """Of many calls, as many run together as allowed, and all of them run."""
    lane = Lane(3)
    running = 0
    most = 0

    async def work() -> None:
        nonlocal running, most
        async with lane.slot():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*(work() for _ in range(20)))

    assert 3 == most
    assert 0 == running


async def test_lane__first_come_first_served() -> None:
    """Whoever waited longest goes first."""
    lane = Lane(1)
    order: list[int] = []

    async def work(number: int) -> None:
        async with lane.slot():
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(10)))

    assert list(range(10)) == order


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_lane__overload(status: int) -> None:
    """Overload halves the lane, down to one call."""
    lane = Lane(8)
    widths = []
    for _ in range(5):
        await _fail(lane, overloaded(status))
        widths.append(lane.width)

    assert [4, 2, 1, 1, 1] == widths


@pytest.mark.parametrize("error", [overloaded(500), overloaded(None), ValueError("bug")])
async def test_lane__other_errors(error: Exception) -> None:
    """Other errors say nothing of overload."""
    lane = Lane(8)
    await _fail(lane, error)

    assert 8 == lane.width


async def test_lane__one_overload_is_answered_once() -> None:
    """Calls in flight together report one overload; a later call reports another."""
    lane = Lane(8)
    gone = asyncio.Event()
    together = [asyncio.create_task(_fail(lane, overloaded(), gone)) for _ in range(8)]
    await asyncio.sleep(0)
    gone.set()
    await asyncio.gather(*together)

    assert 4 == lane.width

    await _fail(lane, overloaded())

    assert 2 == lane.width


async def test_lane__widens_again() -> None:
    """One more after a whole window of successes, never above the start."""
    lane = Lane(4)
    await _fail(lane, overloaded())
    widths = []
    for times in (1, 1, 2, 1, 100):
        await _succeed(lane, times)
        widths.append(lane.width)

    assert [2, 3, 3, 4, 4] == widths


async def test_lane__overload_forgets_successes() -> None:
    """A window of successes starts anew after an overload."""
    lane = Lane(4)
    await _fail(lane, overloaded())
    await _succeed(lane, 1)
    await _fail(lane, overloaded())

    assert 1 == lane.width

    await _succeed(lane, 1)

    assert 2 == lane.width


async def test_lane__narrowed_while_full() -> None:
    """After a cut nobody enters until enough have left."""
    lane = Lane(4)
    gone = asyncio.Event()
    inside = [asyncio.create_task(_fail(lane, ValueError("x"), gone)) for _ in range(3)]
    await asyncio.sleep(0)
    await _fail(lane, overloaded())
    late = asyncio.create_task(_succeed(lane, 1))
    await asyncio.sleep(0)

    assert not late.done()

    gone.set()
    await asyncio.gather(*inside, late)


async def test_lane__cancelled_while_waiting() -> None:
    """One who gives up leaves the queue; one whose turn had come passes it on."""
    lane = Lane(1)
    gone = asyncio.Event()
    inside = asyncio.create_task(_fail(lane, ValueError("x"), gone))
    await asyncio.sleep(0)
    quitter = asyncio.create_task(_succeed(lane, 1))
    unlucky = asyncio.create_task(_succeed(lane, 1))
    last = asyncio.create_task(_succeed(lane, 1))
    await asyncio.sleep(0)
    quitter.cancel()
    await asyncio.sleep(0)
    gone.set()
    await asyncio.sleep(0)  # the one inside leaves, and the turn is `unlucky`'s
    unlucky.cancel()
    await asyncio.wait_for(last, 1)
    await inside

    assert quitter.cancelled()
    assert unlucky.cancelled()


async def test_lane__all_give_up_at_once() -> None:
    """Cancelled together while the one inside leaves, nobody keeps a place."""
    lane = Lane(1)
    async with lane.slot():
        waiting = [asyncio.create_task(_succeed(lane, 1)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)

    await asyncio.wait_for(_succeed(lane, 2), 1)


async def test_limits__a_lane_for_each_vendor() -> None:
    """Vendors do not slow each other; an unknown one has the default; nobody has none."""
    found = limits(width=2)
    await _fail(found.lane("google"), overloaded())

    assert 1 == found.lane("google").width
    assert 2 == found.lane("anthropic").width
    assert 4 == found.lane("other").width
    assert 1 == Lane(0).width


async def test_limits__waits_on_the_clock() -> None:
    """The wait is slept on the clock that was handed in."""
    clock = FakeClock()
    found = limits(clock)
    again = await found.wait_to_retry(overloaded(retry_after_s=9.0), tries=1, started=0.0)

    assert again
    assert [9.0] == clock.slept


async def test_limits__deadline_counts_from_the_first_try() -> None:
    """What has passed since the first try is taken from the deadline."""
    clock = FakeClock()
    clock.time = 1000.0
    found = limits(clock)
    again = await found.wait_to_retry(overloaded(retry_after_s=600.0), tries=1, started=950.0)

    assert again
    assert [250.0] == clock.slept
    assert not await found.wait_to_retry(overloaded(), tries=2, started=950.0)


async def test_limits__budget_of_the_run() -> None:
    """A dead vendor costs a run few retries: a floor, and a share of its calls."""
    found = limits(policy=RetryPolicy(budget_floor=5, budget_share=0.2))
    for _ in range(10):
        found.count_call()
    retried = [await found.wait_to_retry(overloaded(), tries=1, started=0.0) for _ in range(9)]

    assert [True] * 7 + [False] * 2 == retried


async def test_limits__what_cannot_be_retried_costs_no_budget() -> None:
    """Refused retries are not counted."""
    found = limits(policy=RetryPolicy(budget_floor=1, budget_share=0))
    for _ in range(3):
        assert not await found.wait_to_retry(CallError("bad request"), tries=1, started=0.0)

    assert await found.wait_to_retry(overloaded(), tries=1, started=0.0)
