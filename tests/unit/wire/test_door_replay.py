"""A replay through the door gives what the run was given, and sends nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from gate.errors import CallError, CannotRun, ModelError, ReplayError
from gate.protocols import Door
from gate.wire.door import ReplayDoor, carry_over
from gate.wire.journal import Journal
from gate.wire.limits import RetryPolicy
from gate.wire.purse import Purse, Totals
from tests.unit.wire.wire_fakes import (
    DIME,
    Vendor,
    begun,
    call,
    limits,
    never,
    overloaded,
    paid_door,
)


async def test_replay__same_bytes_each_time(path: Path) -> None:
    """A replay gives the same replies, errors and costs, byte for byte, whatever the order."""
    body: JsonValue = {
        "z": [1.1, 1e-7, 123456789012345678901234567890],
        "a": {"text": "å\u2028\x00"},
    }
    vendors = [Vendor(body), Vendor(overloaded(400)), Vendor(overloaded(None)), Vendor(None)]
    purse = Purse()
    with begun(path) as book:
        door = paid_door(book, limits(policy=RetryPolicy(max_tries=1)), purse)
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
    with begun(path) as book:
        await paid_door(book).call(call("a"), Vendor(1), DIME)
        book.finish_run("r1")
        book.begin_run("r2", identity={"plan": "i"})
        door = paid_door(book)
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
    with begun(path) as book, pytest.raises(ModelError):
        await paid_door(book).call(call(), Vendor(ModelError("no model claude")), DIME)
    with Journal.open_replay(path) as replay, pytest.raises(CannotRun, match="no model claude"):
        await ReplayDoor(replay, Purse()).call(call(), never(), DIME)
