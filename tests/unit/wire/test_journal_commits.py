"""The journal commits what waits together in one transaction, and loses none of it."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from gate.errors import JournalError
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from tests.unit.wire.wire_fakes import call, journal, record


def test_commits__are_shared(path: Path) -> None:
    """300 calls at once lose none, in far fewer commits, and hold up nobody."""

    async def work(book: Journal) -> list[object]:
        async def one(number: int) -> object:
            await record(book, call(str(number)), Outcome(body=number))
            entry = await book.find(call(str(number)))
            return entry and entry.body

        return await asyncio.gather(*(one(number) for number in range(300)))

    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        statements: list[str] = []
        book._writer._connection.set_trace_callback(statements.append)
        bodies = asyncio.run(work(book))
        book._writer._connection.set_trace_callback(None)
    commits = statements.count("COMMIT")

    assert list(range(300)) == bodies
    assert 3 <= commits <= 450  # 900 operations; how many fall together is up to the disk
    with closing(sqlite3.connect(path)) as database:
        assert (300, 300) == database.execute(
            "SELECT count(DISTINCT key), count(result_at) FROM calls"
        ).fetchone()


async def test_commits__one_bad_operation(path: Path) -> None:
    """An operation that refuses leaves those beside it alone."""

    def refuse(_: sqlite3.Connection) -> None:
        raise JournalError("no")

    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        results = await asyncio.gather(
            book.intend(call("a")),
            book._writer.arun(refuse),
            book.intend(call("b")),
            return_exceptions=True,
        )

        assert [1, 2] == [results[0], results[2]]
        assert isinstance(results[1], JournalError)
        assert 2 == len(book.audit("c1"))


async def test_commits__a_broken_operation(path: Path) -> None:
    """After an unforeseen error nothing of that commit is written, nobody hangs, others go on."""
    released: Future[None] = Future()

    def slow(_: sqlite3.Connection) -> None:
        released.result()

    def broken(_: sqlite3.Connection) -> None:
        raise ZeroDivisionError

    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        first = asyncio.ensure_future(book._writer.arun(slow))
        await asyncio.sleep(0.01)  # the next ones wait together
        rest = asyncio.gather(
            book._writer.arun(broken), book.intend(call("a")), return_exceptions=True
        )
        await asyncio.sleep(0)
        released.set_result(None)
        await first
        results = await rest

        assert isinstance(results[0], ZeroDivisionError)
        assert isinstance(results[1], JournalError)
        assert 1 == await book.intend(call("b"))
        assert ["b"] == [entry.request["messages"][0] for entry in book.audit("c1")]  # type: ignore[index,call-overload]


async def test_commits__cancelled_while_waiting(path: Path) -> None:
    """What was paid for is written even when nobody waits for it any more."""
    released: Future[None] = Future()

    def slow(_: sqlite3.Connection) -> None:
        released.result()

    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        number = await book.intend(call("q"))
        first = asyncio.ensure_future(book._writer.arun(slow))
        await asyncio.sleep(0.01)
        second = asyncio.ensure_future(book.settle(number, Outcome(body=1)))
        await asyncio.sleep(0)
        second.cancel()
        released.set_result(None)
        await first
    with Journal.open_replay(path) as replay:
        assert 1 == replay.find(call("q")).body


async def test_commits__disk_full(path: Path) -> None:
    """A full disk is told to everybody who waits, and what was written before stays."""
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        await book.intend(call("a"))
        pages = book._writer.run(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
        book._writer.run(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone())
        with pytest.raises(JournalError, match="the disk is full: free some space and run again"):
            await book.intend(call("b" * 1_000_000))

        assert ["a"] == [entry.request["messages"][0] for entry in book.audit("c1")]  # type: ignore[index,call-overload]


async def test_close__twice_and_after(path: Path) -> None:
    """Closing leaves one file; then nothing more is taken."""
    book = journal(path)
    book.begin_run("r1", identity={"plan": "i"})
    book.close()
    book.close()

    assert [path] == list(path.parent.iterdir())
    with pytest.raises(JournalError, match="is closed"):
        await book.intend(call())
