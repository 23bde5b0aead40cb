"""The ceiling: reserves are worst cases, so one waits before one refuses."""

from __future__ import annotations

import asyncio

import pytest

from gate.errors import CallError
from gate.wire.purse import Purse


async def spend(purse: Purse, *, reserve: float, price: float) -> float:
    """Wait for room, hold the reserve for a moment, pay the price."""
    await purse.wait_for_room(reserve)
    with purse.hold(reserve) as hold:
        await asyncio.sleep(0)
        hold.settle(price)
    return price


async def test_wait_for_room__run_that_fits_is_not_refused() -> None:
    """Ten calls of 0.05, each reserved at 0.60, fit under 1.00, however many start at once."""
    purse = Purse(1.0)

    paid = await asyncio.gather(*(spend(purse, reserve=0.6, price=0.05) for _ in range(9)))

    assert 9 == len(paid)
    assert 0.45 == pytest.approx(purse.totals.usd)


async def test_wait_for_room__what_cannot_fit_is_refused_when_nothing_is_held() -> None:
    """Waiting ends; nothing hangs."""
    purse = Purse(1.0)
    calls = (spend(purse, reserve=0.6, price=0.3) for _ in range(6))

    done = await asyncio.wait_for(asyncio.gather(*calls, return_exceptions=True), timeout=5)

    refused = [one for one in done if isinstance(one, CallError)]
    assert 4 == len(refused)
    assert {"budget"} == {one.kind for one in refused}
    assert 0.6 == pytest.approx(purse.totals.usd)


async def test_wait_for_room__cancelled_waiter_leaves_the_others_alone() -> None:
    """One that gave up is passed over."""
    purse = Purse(1.0)
    with purse.hold(0.9) as hold:
        waiting = [asyncio.create_task(purse.wait_for_room(0.5)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        hold.settle(0.1)

    await asyncio.wait_for(waiting[1], timeout=1)
    assert waiting[0].cancelled()
