"""What changed after it was written is found when the journal is opened, and named."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gate.errors import JournalError
from gate.types import Page
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome, Problem
from tests.unit.wire.wire_fakes import TEXT, begun, call, journal, record, whole_run

BODY = {"verdict": "supported", "text": TEXT}


def made(path: Path) -> None:
    """A reply with everything in it, a failure, a bare intent and a page."""
    with begun(path) as book:
        done = Outcome(body=BODY, usd=0.1, lost=1, latency_s=1 / 3, tries=2)
        asyncio.run(record(book, call("q", case_id="speed"), done))
        asyncio.run(record(book, call("p", case_id="height"), Outcome(problem=Problem("x"), usd=1)))
        asyncio.run(book.intend(call("bare", case_id="depth")))
        page = Page(uri="final", status="ok", text="a page: ø", digest="d")
        asyncio.run(book.keep_page("http://a", page))


def edit(path: Path, sql: str) -> None:
    """Change the file by other means."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(sql)


def test_seals__nothing_changed(path: Path) -> None:
    """Numbers and texts of all kinds are read as they were written."""
    made(path)
    with Journal.open_replay(path) as tape:
        entry = tape.find(call("q"))
    with begun(path) as book:
        assert [entry] == list(book.audit("speed"))

    assert (BODY, 0.1, 1, 1 / 3, 2) == (
        entry.body,
        entry.usd,
        entry.lost,
        entry.latency_s,
        entry.tries,
    )


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE calls SET body = replace(body, 'supported', 'unfounded')", "case speed"),
        ("UPDATE calls SET body = NULL WHERE id = 1", "case speed"),
        ("UPDATE calls SET usd = 0.2 WHERE id = 1", "case speed"),
        ("UPDATE calls SET latency_s = latency_s + 1e-9 WHERE id = 1", "case speed"),
        ("UPDATE calls SET tries = 3 WHERE id = 1", "case speed"),
        ("UPDATE calls SET lost = 0 WHERE id = 1", "case speed"),
        ("UPDATE calls SET key = 'k' WHERE id = 1", "case speed"),
        ("UPDATE calls SET problem = replace(problem, 'x', 'y')", "case height"),
        ("UPDATE calls SET usd = 2 WHERE id = 2", "case height"),
        ("UPDATE calls SET request = '{}' WHERE id = 3", "case depth"),
        ("UPDATE calls SET case_id = 'width' WHERE id = 1", "case width"),
        ("UPDATE calls SET target = 't2' WHERE id = 2", "case height"),
        ("UPDATE calls SET attempt = 1 WHERE id = 3", "case depth"),
        ("UPDATE calls SET scope = 'r0' WHERE id = 3", "case depth"),
        ("UPDATE calls SET reserve_usd = 0 WHERE id = 3", "case depth"),
        ("UPDATE calls SET intent_at = '2026' WHERE id = 3", "case depth"),
        ("UPDATE pages SET page = replace(page, 'a page', 'no page')", "page http://a"),
    ],
)
def test_seals__edited(path: Path, sql: str, words: str) -> None:
    """By an editor of databases, which leaves SQLite's own checks content."""
    made(path)
    edit(path, sql)
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match=words) as caught:
            opening(path)
        assert "is not as it was written: restore the file from a copy, use another" in str(
            caught.value
        )


def test_seals__flipped_bits_of_a_reply(path: Path) -> None:
    """Each bit of it: SQLite has no checksum of its own."""
    made(path)
    data = path.read_bytes()
    place = data.index(b"supported")
    for bit in range(8 * len(b"supported")):
        torn = bytearray(data)
        torn[place + bit // 8] ^= 1 << bit % 8
        path.write_bytes(torn)
        with pytest.raises(JournalError, match=r"case speed|damaged"):
            Journal.open_replay(path)
    path.write_bytes(data)
    Journal.open_replay(path).close()


def test_seals__journal_of_an_earlier_gate(path: Path) -> None:
    """Without the columns and tables it is read as it is, brought up and written to."""
    whole_run(path, {"q": Outcome(body=BODY)})
    with closing(sqlite3.connect(path)) as database, database:
        for table, column in (
            ("calls", "intent_digest"),
            ("calls", "digest"),
            ("calls", "request_digest"),
            ("calls", "quotes_pages"),
            ("pages", "digest"),
            ("runs", "mode"),
        ):
            database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        database.execute("DROP TABLE reused")
    before = path.read_bytes()
    with Journal.open_replay(path) as tape:
        assert (BODY, "full", ()) == (tape.find(call("q")).body, tape.run.mode, tape.reused("c1"))
    assert before == path.read_bytes()
    whole_run(path, {"p": Outcome(body=2)}, run_id="r2")
    with Journal.open_replay(path) as tape:
        assert [BODY, 2] == [tape.find(call(name)).body for name in ("q", "p")]
    edit(path, "UPDATE calls SET body = '3' WHERE run_id = 'r2'")
    with pytest.raises(JournalError, match=r"case c1 \(target t1, run r2\)"):
        Journal.open_replay(path)
