"""How hard a vendor is asked."""

from __future__ import annotations

import pytest

from gate.errors import CallError
from gate.wire.limits import RetryPolicy
from tests.unit.wire.wire_fakes import FakeClock, limits, overloaded


async def test_limits__a_lane_for_each_vendor() -> None:
    """Vendors do not slow each other; an unknown one has the default; nobody has none."""
    found = limits(width=2)
    with pytest.raises(CallError):
        async with found.lane("google").slot():
            raise overloaded()

    assert 1 == found.lane("google").width
    assert 2 == found.lane("anthropic").width
    assert 4 == found.lane("other").width
    assert 1 == limits(width=0).lane("google").width


async def test_limits__waits_on_the_clock() -> None:
    """The wait is slept on the clock that was handed in."""
    clock = FakeClock()
    found = limits(clock)
    again = await found.wait_to_retry(overloaded(retry_after_s=9.0), tries=1, started=0.0)

    assert again
    assert [9.0 + 0.5 * 4.5] == clock.slept


async def test_limits__deadline_counts_from_the_first_try() -> None:
    """What has passed since the first try is taken from the deadline."""
    clock = FakeClock()
    clock.time = 1000.0
    found = limits(clock)
    again = await found.wait_to_retry(overloaded(retry_after_s=60.0), tries=1, started=740.0)

    assert again
    assert [40.0] == clock.slept
    assert not await found.wait_to_retry(overloaded(), tries=2, started=740.0)


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
