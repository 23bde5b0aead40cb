"""Calls in flight to one vendor."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from gate.errors import CallError
from gate.wire.lane import Lane
from tests.unit.wire.wire_fakes import FakeClock, JumpingLoop, lane, overloaded


async def _succeed(tried: Lane, times: int) -> None:
    for _ in range(times):
        async with tried.slot():
            pass


async def _fail(tried: Lane, error: Exception, until: asyncio.Event | None = None) -> None:
    with suppress(type(error)):
        async with tried.slot():
            if until is not None:
                await until.wait()
            raise error


async def test_lane__never_wider_than_allowed() -> None:
    """Of many calls, as many run together as allowed, and all of them run."""
    tried = lane(3)
    running = 0
    most = 0

    async def work() -> None:
        nonlocal running, most
        async with tried.slot():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0)
            running -= 1

    await asyncio.gather(*(work() for _ in range(20)))

    assert 3 == most
    assert 0 == running


async def test_lane__first_come_first_served() -> None:
    """Whoever waited longest goes first."""
    tried = lane(1)
    order: list[int] = []

    async def work(number: int) -> None:
        async with tried.slot():
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(10)))

    assert list(range(10)) == order


async def test_lane__down_is_probed_by_calls_tried_before() -> None:
    """While a vendor is down nothing new is begun as long as there is something to finish."""
    tried = lane(1)
    for _ in range(8):
        await _fail(tried, overloaded(500))
    order: list[str] = []

    async def work(name: str, *, again: bool) -> None:
        async with tried.slot(again=again):
            order.append(name)
            await asyncio.sleep(0)

    await asyncio.gather(
        work("new", again=False),
        work("newer", again=False),
        work("retry", again=True),
        work("later retry", again=True),
    )

    # The retry finds the vendor up again: from then on, first come is first served.
    assert ["retry", "new", "newer", "later retry"] == order


def test_lane__each_call_fails_once() -> None:
    """A vendor that refuses each call's first try is no outage: nothing is given up."""
    whole = 0

    async def calls() -> None:
        loop = asyncio.get_running_loop()
        tried = Lane(16, name="claude", clock=loop.time, patience_s=6)

        async def call() -> None:
            nonlocal whole
            await _fail(tried, overloaded())
            await asyncio.sleep(0.5)
            async with tried.slot(again=True):
                await asyncio.sleep(0.05)
                whole += 1

        await asyncio.gather(*(call() for _ in range(48)))

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        runner.run(calls())

    assert 48 == whole


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_lane__lone_refusals(status: int) -> None:
    """A refusal that may be chance costs one place, and a window of successes brings it back."""
    tried = lane(16)
    await _fail(tried, overloaded(status))
    await _fail(tried, overloaded(status))
    narrow = tried.width
    await _succeed(tried, 14)

    assert 14 == narrow
    assert 15 == tried.width


async def test_lane__many_refusals() -> None:
    """Refusals in one window cut the lane, again and again, down to one call."""
    tried = lane(64)
    widths = []
    for _ in range(7):
        await _fail(tried, overloaded())
        widths.append(tried.width)

    assert [63, 62, 61, 60, 59, 58, 40] == widths

    await _fail(tried, overloaded(retry_after_s=1.0))  # the eighth in a row: it is down

    assert 1 == tried.width


@pytest.mark.parametrize("error", [overloaded(500), overloaded(None), ValueError("bug")])
async def test_lane__other_errors(error: Exception) -> None:
    """Other errors say nothing of overload."""
    tried = lane(8)
    await _fail(tried, error)

    assert 8 == tried.width


async def test_lane__one_overload_is_cut_once() -> None:
    """Calls in flight together report one overload: one cut answers it."""
    tried = lane(6)
    gone = asyncio.Event()
    together = [asyncio.create_task(_fail(tried, overloaded(), gone)) for _ in range(6)]
    await asyncio.sleep(0)
    gone.set()
    await asyncio.gather(*together)

    assert 2 == tried.width  # 6, 5, 4, then 70% of it


@pytest.mark.parametrize("most", [1, 2, 7, 16, 64, 256])
async def test_lane__full_again_after_few_successes(most: int) -> None:
    """After an outage that left one place, a lane is at full width after four windows' worth."""
    tried = lane(most)
    for _ in range(8):
        await _fail(tried, overloaded())
    narrow = tried.width
    needed = 0
    while tried.width < most:
        await _succeed(tried, 1)
        needed += 1

    assert 1 == narrow
    assert needed <= 4 * most


async def test_lane__beyond_the_goal_with_care() -> None:
    """Above the width that went well before the last refusal it grows by one, two, four."""
    tried = lane(64)
    for _ in range(7):
        await _fail(tried, overloaded())
    await _succeed(tried, 40)  # so many go well at 40: from there on, 52 is what was refused last
    back = tried.width
    await _fail(tried, overloaded())
    widths = []
    for _ in range(4):
        await _succeed(tried, tried.width)
        widths.append(tried.width)

    assert 52 == back
    assert [52, 53, 55, 59] == widths


async def test_lane__narrowed_while_full() -> None:
    """After a cut nobody enters until enough have left."""
    tried = lane(4)
    gone = asyncio.Event()
    inside = [asyncio.create_task(_fail(tried, ValueError("x"), gone)) for _ in range(3)]
    await asyncio.sleep(0)
    await _fail(tried, overloaded())
    late = asyncio.create_task(_succeed(tried, 1))
    await asyncio.sleep(0)

    assert not late.done()

    gone.set()
    await asyncio.gather(*inside, late)


async def test_lane__cancelled_while_waiting() -> None:
    """One who gives up leaves the queue; one whose turn had come passes it on."""
    tried = lane(1)
    gone = asyncio.Event()
    inside = asyncio.create_task(_fail(tried, ValueError("x"), gone))
    await asyncio.sleep(0)
    quitter = asyncio.create_task(_succeed(tried, 1))
    unlucky = asyncio.create_task(_succeed(tried, 1))
    last = asyncio.create_task(_succeed(tried, 1))
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
    tried = lane(1)
    async with tried.slot():
        waiting = [asyncio.create_task(_succeed(tried, 1)) for _ in range(3)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)

    await asyncio.wait_for(_succeed(tried, 2), 1)


async def _enter(tried: Lane) -> None:
    async with tried.slot():
        pass


async def test_pause__all_wait_when_the_vendor_says_how_long() -> None:
    """After some refusals in a row, nobody enters until the time that the vendor gave."""
    clock = FakeClock()
    tried = lane(16, clock)
    for _ in range(3):
        await _fail(tried, overloaded(retry_after_s=20.0))
    await _enter(tried)

    assert 20.0 == clock.time


async def test_pause__not_for_one_refusal() -> None:
    """One may be chance: the others go on."""
    clock = FakeClock()
    tried = lane(16, clock)
    for _ in range(3):
        await _fail(tried, overloaded(retry_after_s=20.0))
        await _succeed(tried, 1)

    assert 0.0 == clock.time


async def test_pause__absurd() -> None:
    """No vendor stops a run for an hour."""
    clock = FakeClock()
    tried = lane(16, clock)
    for _ in range(3):
        await _fail(tried, overloaded(retry_after_s=3600.0))
    await _enter(tried)

    assert 60.0 == clock.time


async def test_down__probed_one_at_a_time() -> None:
    """After eight failures in a row one call at a time goes out, later and later."""
    clock = FakeClock()
    tried = lane(16, clock)
    await _succeed(tried, 1)
    for _ in range(8):
        await _fail(tried, overloaded(500))
    moments = []
    for _ in range(8):
        with suppress(CallError):
            async with tried.slot():
                moments.append(clock.time)
                raise overloaded(500)

    assert tried.down
    assert [1.0, 3.0, 7.0, 15.0, 31.0, 61.0, 91.0, 121.0] == moments


@pytest.mark.parametrize("sign", [None, CallError("bad request", status=400)])
async def test_down__back_at_a_sign_of_life(sign: CallError | None) -> None:
    """A reply brings it back, even one that refuses the request for good."""
    clock = FakeClock()
    tried = lane(16, clock)
    for _ in range(8):
        await _fail(tried, overloaded(500))
    with suppress(CallError):
        async with tried.slot():
            if sign is not None:
                raise sign
    await _succeed(tried, 60)

    assert not tried.down
    assert 1.0 == clock.time
    assert 16 == tried.width


async def test_down__never_alive_is_given_up_sooner() -> None:
    """A vendor that has not replied once gets 20 seconds, whatever its patience."""
    clock = FakeClock()
    tried = lane(16, clock, patience_s=300.0)
    for _ in range(8):
        await _fail(tried, overloaded(500))
    while clock.time < 31.0:
        await _fail(tried, overloaded(500))

    with pytest.raises(CallError, match=r"gave no good reply for 20 s \(the last: status 500\)"):
        await _enter(tried)


async def test_down__given_up() -> None:
    """After its patience calls fail unsent, those that wait too, but for a probe at times."""
    clock = FakeClock()
    tried = lane(16, clock, patience_s=100.0)
    await _succeed(tried, 1)
    for _ in range(8):
        await _fail(tried, overloaded(500))
    probes = 0
    while clock.time < 91.0:
        await _fail(tried, overloaded(500))
        probes += 1
    gone = asyncio.Event()
    probing = asyncio.create_task(_fail(tried, overloaded(500), gone))
    await asyncio.sleep(0.01)
    waiting = asyncio.create_task(_enter(tried))
    await asyncio.sleep(0.01)
    gone.set()
    await probing
    with pytest.raises(CallError, match=r"gave no good reply for 100 s \(the last: status 500\)"):
        await waiting
    with pytest.raises(CallError, match="run again when it is back") as caught:
        await _enter(tried)
    clock.time += 30.0
    await _enter(tried)

    assert 7 == probes
    assert (False, False) == (caught.value.retryable, caught.value.sent)
    assert not tried.down
