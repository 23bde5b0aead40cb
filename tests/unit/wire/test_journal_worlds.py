"""What a stand-in judge said is never taken for a real one's, nor the other way round."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gate.errors import JournalError
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from tests.unit.wire.wire_fakes import call, journal, record


def judged(path: Path, world: str | None, run_id: str) -> Path:
    """A journal of a run that judged one answer in a world; None is the real one."""
    with journal(path) as book:
        book.begin_run(run_id, identity={}, meta={"world": world})
        asyncio.run(record(book, call("judged"), Outcome(body=f"by {run_id}", usd=0.25)))
        book.finish_run(run_id)
    return path


def found(book: Journal) -> str | None:
    """The reply that the run reuses."""
    entry = asyncio.run(book.find(call("judged")))
    return None if entry is None else entry.body


@pytest.mark.parametrize(
    ("then", "now", "reused"),
    [
        (None, None, "by then"),
        ("steady", "wrong", "by then"),
        ("steady", None, None),
        (None, "steady", None),
    ],
)
@pytest.mark.parametrize("apart", [True, False], ids=["another journal", "the same one"])
def test_reuse__never_across_worlds(
    tmp_path: Path, then: str | None, now: str | None, reused: str | None, *, apart: bool
) -> None:
    """Neither in one folder nor by `--reuse`; two stand-in worlds have one judge."""
    source = judged(tmp_path / "then.sqlite", then, "then")
    with journal(tmp_path / "now.sqlite" if apart else source) as book:
        if apart:
            book.take_judgements(source)
        book.begin_run("now", identity={}, meta={"world": now})
        assert reused == found(book)


def test_reuse__a_view_is_no_journal(tmp_path: Path) -> None:
    """It may hold anything, and never end."""
    path = judged(tmp_path / "then.sqlite", None, "then")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIEW extra AS SELECT 1")
        connection.commit()
    with journal(tmp_path / "now.sqlite") as book, pytest.raises(JournalError, match="no journal"):
        book.take_judgements(path)
