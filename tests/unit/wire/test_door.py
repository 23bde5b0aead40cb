"""Every paid call goes through one door."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from gate.errors import CallError
from gate.protocols import Door
from gate.types import Reply
from gate.wire.door import ReplayDoor, carry_over
from gate.wire.journal import Journal
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
    price_of,
)


def test_doors__have_the_shape(path: Path) -> None:
    """Both doors are what rooms are handed."""
    with begun(path):
        pass
    paid: Door = paid_door()
    with Journal.open_replay(path) as replay:
        tape: Door = ReplayDoor(replay, Purse())

    assert paid is not tape


# One call


async def test_call__sent_and_recorded(path: Path) -> None:
    """A new call is sent, priced, timed, counted and written down."""
    clock, purse = FakeClock(), Purse(1.0)
    vendor = Vendor({"text": "hello"}, clock=clock, takes_s=2.5)
    with begun(path) as book:
        reply = await paid_door(book, limits(clock), purse).call(call(), vendor, DIME)
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

    with begun(path) as book:
        await paid_door(book).call(call("a rare question"), send, FREE)

    assert [True] == seen


@pytest.mark.parametrize("kept", [True, False])
async def test_call__journal_off(path: Path, kept: bool) -> None:  # noqa: FBT001
    """Without a journal calls work, and a later equal one is sent again."""
    book = begun(path) if kept else None
    purse = Purse()
    door = paid_door(book, purse=purse)
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
    with begun(path) as book:
        door = paid_door(book)
        first = [await door.call(one, Vendor(n), DIME) for n, one in enumerate(made[:2])]
    purse = Purse()
    with begun(path, "r2") as book:
        carry_over(book, purse)
        door = paid_door(book, purse=purse)
        again = [await door.call(one, never(), DIME) for one in made[:2]]
        await door.call(made[2], Vendor(2), DIME)

    assert [reply.body for reply in first] == [reply.body for reply in again]
    assert [(True, True)] * 2 == [(reply.cached, reply.replayed) for reply in again]
    assert Totals(pytest.approx(0.3), pytest.approx(0.3), 0.0, 3, 0) == purse.totals  # type: ignore[arg-type]


async def test_call__judged_by_an_earlier_run(path: Path) -> None:
    """What an earlier run paid for is cached, at no cost to this one."""
    with begun(path) as book:
        await paid_door(book).call(call(), Vendor("yes"), DIME)
        book.finish_run("r1")
    purse = Purse()
    with begun(path, "r2") as book:
        reply = await paid_door(book, purse=purse).call(call(), never(), DIME)

    assert ("yes", True, False) == (reply.body, reply.cached, reply.replayed)
    assert Totals(0.0, 0.0, 0.0, 0, 1) == purse.totals


# Replies that no file can hold


def _deep(levels: int) -> list[JsonValue]:
    value: list[JsonValue] = []
    for _ in range(levels):
        value = [value]
    return value


async def test_reply__half_a_character(path: Path) -> None:
    """It becomes U+FFFD, in the reply and when it is read from the journal."""
    with begun(path) as book:
        door = paid_door(book)
        fresh = await door.call(call(), Vendor(["cut \ud83d"]), FREE)
        again = await door.call(call(), never, FREE)

    assert [["cut \ufffd"]] * 2 == [fresh.body, again.body]


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
    with begun(path) as book:
        door = paid_door(book, purse=purse)
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
    with begun(path) as book:
        await paid_door(book, purse=purse).call(call(), Vendor(1), price_of(None))
    with begun(path, "r2") as book:
        await paid_door(book, purse=resumed).call(call(), never(), price_of(None))

    assert Totals(None, 0.0, 0.0, 1, 0) == purse.totals == resumed.totals


# The ceiling


async def test_ceiling__stops_before_sending(path: Path) -> None:
    """Above it nothing is sent; the refusal is recorded, so that a replay ends likewise."""
    purse = Purse(0.55)
    vendor = Vendor("ok")
    with begun(path) as book:
        door = paid_door(book, purse=purse)
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
        await paid_door(purse=Purse(0.1)).call(call(), never(), FREE)


async def test_ceiling__before_a_retry(path: Path) -> None:
    """Lost tries use it up: then no other try is made."""
    purse = Purse(0.9)
    vendor = Vendor(overloaded(None))
    with begun(path) as book:
        with pytest.raises(CallError, match="could pass its ceiling"):
            await paid_door(book, purse=purse).call(call(), vendor, DIME)
        (entry,) = book.audit("c1")

    assert (1, 1, 1) == (vendor.sent, entry.tries, entry.lost)
    assert Totals(0.5, 0.0, 0.5, 1, 0) == purse.totals
