"""Every paid call goes through one door."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import JsonValue

from gate.errors import CallError, CannotRun, ModelError, ReplayError
from gate.protocols import Door
from gate.types import Reply
from gate.wire.door import PaidDoor, ReplayDoor, carry_over
from gate.wire.journal import Journal
from gate.wire.journal_entry import Problem
from gate.wire.limits import Limits, RetryPolicy
from gate.wire.purse import Purse, Totals
from tests.unit.wire.wire_fakes import (
    FakeClock,
    Vendor,
    call,
    journal,
    limits,
    never,
    overloaded,
    price_of,
)

FREE = price_of(0.0)
DIME = price_of(0.1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal lies."""
    return tmp_path / "journal.sqlite"


def _begun(path: Path, run_id: str = "r1") -> Journal:
    book = journal(path)
    book.begin_run(run_id, identity="i")
    return book


def _door(
    book: Journal | None = None, held: Limits | None = None, purse: Purse | None = None
) -> PaidDoor:
    return PaidDoor(book, held or limits(), purse or Purse())


def test_doors__have_the_shape(path: Path) -> None:
    """Both doors are what rooms are handed."""
    with _begun(path):
        pass
    paid: Door = _door()
    with Journal.open_replay(path) as replay:
        tape: Door = ReplayDoor(replay, Purse())

    assert paid is not tape


# One call


async def test_call__sent_and_recorded(path: Path) -> None:
    """A new call is sent, priced, timed, counted and written down."""
    clock, purse = FakeClock(), Purse(1.0)
    vendor = Vendor({"text": "hello"}, clock=clock, takes_s=2.5)
    with _begun(path) as book:
        reply = await _door(book, limits(clock), purse).call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

    assert Reply(body={"text": "hello"}, latency_s=2.5) == reply
    assert Totals(0.1, 0.1, 0.0, 1, 0) == purse.totals
    assert ({"text": "hello"}, 0.1, 0, 2.5, 1) == (
        entry.body,
        entry.usd,
        entry.lost,
        entry.latency_s,
        entry.tries,
    )


async def test_call__intent_comes_first(path: Path) -> None:
    """When the vendor is asked, the intent is committed already."""
    seen: list[bool] = []

    async def send() -> JsonValue:
        seen.append(b"a rare question" in path.with_name("journal.sqlite-wal").read_bytes())
        return 1

    with _begun(path) as book:
        await _door(book).call(call("a rare question"), send, FREE)

    assert [True] == seen


@pytest.mark.parametrize("kept", [True, False])
async def test_call__journal_off(path: Path, kept: bool) -> None:  # noqa: FBT001
    """Without a journal calls work, and a later equal one is sent again."""
    book = _begun(path) if kept else None
    purse = Purse()
    door = _door(book, purse=purse)
    vendor = Vendor(1, 2)
    replies = [await door.call(call(), vendor, DIME) for _ in range(2)]

    assert [1, 1 if kept else 2] == [reply.body for reply in replies]
    assert [False, kept] == [reply.cached for reply in replies]
    assert (1 if kept else 2) == vendor.sent == purse.totals.calls
    if book is not None:
        book.close()


async def test_call__resumed(path: Path) -> None:
    """A run that goes on pays for nothing twice and costs what it would have cost."""
    made = [call(kind="answer", scope="r1"), call(), call(attempt=1)]
    with _begun(path) as book:
        door = _door(book)
        first = [await door.call(one, Vendor(n), DIME) for n, one in enumerate(made[:2])]
    purse = Purse()
    with _begun(path, "r2") as book:
        carry_over(book, purse)
        door = _door(book, purse=purse)
        again = [await door.call(one, never(), DIME) for one in made[:2]]
        await door.call(made[2], Vendor(2), DIME)

    assert [reply.body for reply in first] == [reply.body for reply in again]
    assert [(True, True)] * 2 == [(reply.cached, reply.replayed) for reply in again]
    assert Totals(pytest.approx(0.3), pytest.approx(0.3), 0.0, 3, 0) == purse.totals  # type: ignore[arg-type]


async def test_call__judged_by_an_earlier_run(path: Path) -> None:
    """What an earlier run paid for is cached, at no cost to this one."""
    with _begun(path) as book:
        await _door(book).call(call(), Vendor("yes"), DIME)
        book.finish_run("r1")
    purse = Purse()
    with _begun(path, "r2") as book:
        reply = await _door(book, purse=purse).call(call(), never(), DIME)

    assert ("yes", True, False) == (reply.body, reply.cached, reply.replayed)
    assert Totals(0.0, 0.0, 0.0, 0, 1) == purse.totals


# Retries


async def test_retry__until_it_works(path: Path) -> None:
    """A busy vendor is asked again; only the last try counts as latency and costs."""
    clock, purse = FakeClock(), Purse()
    vendor = Vendor(overloaded(retry_after_s=7.0), overloaded(503), "ok", clock=clock, takes_s=2)
    with _begun(path) as book:
        reply = await _door(book, limits(clock), purse).call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

    assert ("ok", 2.0) == (reply.body, reply.latency_s)
    assert [7.0, 1.0] == clock.slept
    assert Totals(0.1, 0.1, 0.0, 1, 0) == purse.totals
    assert (3, 0) == (entry.tries, entry.lost)


async def test_retry__until_no_more(path: Path) -> None:
    """After the last try the error is recorded and raised; the next run asks again."""
    purse = Purse()
    vendor = Vendor(overloaded(500))
    with _begun(path) as book:
        door = _door(book, limits(policy=RetryPolicy(max_tries=3)), purse)
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
    with _begun(path) as book:
        with pytest.raises(ModelError, match="choose another"):
            await _door(book, purse=purse).call(call(), vendor, DIME)
        assert () == book.unsettled()
        (entry,) = book.audit("c1")

    assert 1 == vendor.sent
    assert Problem("no model claude: choose another", None, "cannot_run") == entry.problem
    assert 0.0 == purse.totals.usd


async def test_retry__unknown_outcomes_are_spent(path: Path) -> None:
    """Each timeout counts at its reserve, in this run and when it is resumed or replayed."""
    timeout = CallError("no reply", retryable=True, kind="timeout")
    purse = Purse()
    with _begun(path) as book:
        door = _door(book, limits(policy=RetryPolicy(max_tries=2)), purse)
        await door.call(call("a"), Vendor(timeout, "ok"), DIME)
        with pytest.raises(CallError, match="no reply"):
            await door.call(call("b"), Vendor(timeout), DIME)
    resumed = Purse()
    with _begun(path, "r2") as book:
        carry_over(book, resumed)
        await _door(book, purse=resumed).call(call("a"), never(), DIME)
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
    door = _door(held=held)
    slow = asyncio.create_task(door.call(call("a"), Vendor(overloaded(500), "late"), FREE))
    quick = asyncio.create_task(door.call(call("b"), Vendor("early"), FREE))
    done, _ = await asyncio.wait([slow, quick], return_when=asyncio.FIRST_COMPLETED)

    assert {quick} == done

    rested.set()

    assert "late" == (await slow).body


async def test_lane__narrows() -> None:
    """The vendor's overload reaches its lane."""
    held = limits(width=4)
    await _door(held=held).call(call(), Vendor(overloaded(529), "ok"), FREE)

    assert 2 == held.lane("anthropic").width
    assert 4 == held.lane("google").width


# Replies that no file can hold


def _deep(levels: int) -> list[JsonValue]:
    value: list[JsonValue] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"score": float("nan")}, id="nan"),
        pytest.param([float("inf")], id="infinity"),
        pytest.param(object(), id="no JSON"),
        pytest.param(10**5000, id="a number of 5,000 digits"),
        pytest.param(_deep(100_000), id="100,000 deep"),
    ],
)
async def test_reply__no_json(path: Path, body: object) -> None:
    """It was paid for, at a price that nobody can read; it is an error and not retried."""
    purse = Purse()
    vendor = Vendor(body)  # type: ignore[arg-type]
    with _begun(path) as book:
        door = _door(book, purse=purse)
        with pytest.raises(CallError, match="claude sent a reply that no JSON file can hold"):
            await door.call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

    assert 1 == vendor.sent
    assert entry.problem is not None
    assert entry.usd is None
    assert Totals(None, 0.0, 0.0, 1, 0) == purse.totals


async def test_reply__price_unknown(path: Path) -> None:
    """An unknown price stays unknown when the run is resumed."""
    purse, resumed = Purse(), Purse()
    with _begun(path) as book:
        await _door(book, purse=purse).call(call(), Vendor(1), price_of(None))
    with _begun(path, "r2") as book:
        await _door(book, purse=resumed).call(call(), never(), price_of(None))

    assert Totals(None, 0.0, 0.0, 1, 0) == purse.totals == resumed.totals


# The ceiling


async def test_ceiling__stops_before_sending(path: Path) -> None:
    """Above it nothing is sent; the refusal is recorded, so that a replay ends likewise."""
    purse = Purse(0.55)
    vendor = Vendor("ok")
    with _begun(path) as book:
        door = _door(book, purse=purse)
        await door.call(call("a"), vendor, DIME)
        with pytest.raises(CallError, match="could pass its ceiling") as caught:
            await door.call(call("b"), vendor, DIME)
        assert () == book.unsettled()
        book.finish_run("r1")
    replayed = Purse()
    with Journal.open_replay(path) as replay:
        tape = ReplayDoor(replay, replayed)
        await tape.call(call("a"), never(), DIME)
        with pytest.raises(CallError, match="could pass its ceiling") as again:
            await tape.call(call("b"), never(), DIME)

    assert 1 == vendor.sent
    assert "budget" == caught.value.kind == again.value.kind
    assert Totals(0.1, 0.1, 0.0, 1, 0) == purse.totals == replayed.totals


async def test_ceiling__without_journal() -> None:
    """It holds without a journal."""
    with pytest.raises(CallError, match="could pass its ceiling"):
        await _door(purse=Purse(0.1)).call(call(), never(), FREE)


async def test_ceiling__before_a_retry(path: Path) -> None:
    """Lost tries use it up: then no other try is made."""
    purse = Purse(0.9)
    vendor = Vendor(overloaded(None))
    with _begun(path) as book:
        with pytest.raises(CallError, match="could pass its ceiling"):
            await _door(book, purse=purse).call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

    assert (1, 1, 1) == (vendor.sent, entry.tries, entry.lost)
    assert Totals(0.5, 0.0, 0.5, 1, 0) == purse.totals


# Equal calls, cancelled calls


async def test_flight__shared(path: Path) -> None:
    """Equal calls in flight are one call; a replay counts the same."""
    purse = Purse()
    vendor = Vendor("ok")
    with _begun(path) as book:
        door = _door(book, purse=purse)
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
    door = _door()
    vendor = Vendor(overloaded(400), "ok")
    held = limits(policy=RetryPolicy(max_tries=1))
    door = _door(held=held)
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
    with _begun(path) as book:
        door = _door(book)
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
    with _begun(path) as book:
        door = _door(book, purse=purse)
        task = asyncio.create_task(door.call(call(), vendor, DIME))
        await vendor.started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

        assert "again" == (await door.call(call("b"), Vendor("again"), DIME)).body
    with _begun(path, "r2") as book:
        carry_over(book, resumed)
        await _door(book, purse=resumed).call(call("b"), never(), DIME)
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

    task = asyncio.create_task(_door().call(call(), send, FREE))
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

    door = _door()
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
    with _begun(path) as book:
        with pytest.raises(ZeroDivisionError):
            await _door(book, purse=purse).call(call(), Vendor(ZeroDivisionError()), DIME)
        (entry,) = book.audit("c1")

    assert not entry.settled
    assert Totals(0.5, 0.0, 0.5, 1, 0) == purse.totals


# Many, and again


async def test_many__none_is_lost(path: Path) -> None:
    """300 calls at once, some of them failing once: each is paid for once and recorded."""
    purse = Purse()
    policy = RetryPolicy(budget_share=1.0)
    with _begun(path) as book:
        door = _door(book, limits(policy=policy, width=50), purse)
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


async def test_replay__same_bytes_each_time(path: Path) -> None:
    """A replay gives the same replies, errors and costs, byte for byte, whatever the order."""
    body: JsonValue = {
        "z": [1.1, 1e-7, 123456789012345678901234567890],
        "a": {"text": "å\u2028\x00"},
    }
    vendors = [Vendor(body), Vendor(overloaded(400)), Vendor(overloaded(None)), Vendor(None)]
    purse = Purse()
    with _begun(path) as book:
        door = _door(book, limits(policy=RetryPolicy(max_tries=1)), purse)
        lived = [await _told(door, n, vendor) for n, vendor in enumerate(vendors)]
        book.finish_run("r1")
    tapes = []
    for order in (range(4), reversed(range(4))):
        replayed = Purse()
        with Journal.open_replay(path) as replay:
            carry_over(replay, replayed)
            door2 = ReplayDoor(replay, replayed)
            tapes.append({n: await _told(door2, n, never()) for n in order})
        assert purse.totals == replayed.totals

    assert lived == [tapes[0][n] for n in range(4)]
    assert lived == [tapes[1][n] for n in range(4)]


async def _told(door: Door, number: int, vendor: Vendor) -> str:
    """What a call ends in, as text; marks of caching left out."""
    try:
        reply = await door.call(call(str(number)), vendor, DIME)
    except CallError as error:
        return f"{error} {error.status} {error.kind}"
    return reply.model_dump_json(exclude={"cached", "replayed"})


async def test_replay__marks(path: Path) -> None:
    """A call of the run is marked as its own; one that it reused only as cached."""
    with _begun(path) as book:
        await _door(book).call(call("a"), Vendor(1), DIME)
        book.finish_run("r1")
        book.begin_run("r2", identity="i")
        door = _door(book)
        await door.call(call("a"), never(), DIME)
        await door.call(call("b"), Vendor(2), DIME)
        book.finish_run("r2")
    purse = Purse()
    with Journal.open_replay(path) as replay:
        tape = ReplayDoor(replay, purse)
        replies = [await tape.call(call(q), never(), DIME) for q in ("a", "b")]
        with pytest.raises(ReplayError, match="made no such judge call"):
            await tape.call(call("c"), never(), DIME)

    assert [(True, False), (True, True)] == [(one.cached, one.replayed) for one in replies]
    assert Totals(0.1, 0.1, 0.0, 1, 1) == purse.totals


async def test_replay__what_could_not_be_mended(path: Path) -> None:
    """A run that could not go on ends likewise when it is replayed."""
    with _begun(path) as book, pytest.raises(ModelError):
        await _door(book).call(call(), Vendor(ModelError("no model claude")), DIME)
    with Journal.open_replay(path) as replay, pytest.raises(CannotRun, match="no model claude"):
        await ReplayDoor(replay, Purse()).call(call(), never(), DIME)
