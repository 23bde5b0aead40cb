"""What another journal had judged is taken over, and nothing else of it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from gate.errors import FileError, JournalError
from gate.types import Page
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from tests.unit.wire.wire_fakes import NOW, begun, call, journal, record


def earlier(path: Path, *, finish: bool = True) -> Path:
    """A journal with an answer, a page, a judgement, and one of a single run."""
    with begun(path, "earlier") as book:

        async def work() -> None:
            answer = call("answer", kind="answer", scope="earlier")
            await record(book, answer, Outcome(body="an answer", usd=0.5))
            await book.keep_page("http://p", Page(uri="u", status="ok", text="words"))
            await record(book, call("judged"), Outcome(body="a reply", usd=0.25))
            await record(book, call("own", scope="earlier"), Outcome(body="a repeat", usd=0.25))

        asyncio.run(work())
        if finish:
            book.finish_run("earlier")
    return path


def found(book: Journal, name: str, **more: str) -> str | None:
    """The reply that is reused for a call."""
    entry = asyncio.run(book.find(call(name, **more)))  # type: ignore[arg-type]  # keywords of call
    return None if entry is None else entry.body


@pytest.mark.parametrize("finish", [True, False], ids=["finished", "interrupted"])
def test_reuse__judgements_alone(tmp_path: Path, *, finish: bool) -> None:
    """Neither answers nor pages, and an unfinished run there is not gone on with."""
    source = earlier(tmp_path / "earlier.sqlite", finish=finish)
    with journal(tmp_path / "new.sqlite") as book:
        assert 1 == book.take_judgements(source)
        assert 1 == book.take_judgements(source)
        assert "new" == book.begin_run("new", identity={})

        assert "a reply" == found(book, "judged")
        assert found(book, "own", scope="new") is None
        assert found(book, "answer", kind="answer", scope="new") is None
        assert asyncio.run(book.find_page("http://p")) is None
        assert () == book.paid()


def test_reuse__a_replay_finds_them(tmp_path: Path) -> None:
    """The run's own file holds all that it was judged by."""
    source = earlier(tmp_path / "earlier.sqlite")
    path = tmp_path / "new.sqlite"
    with journal(path) as book:
        book.take_judgements(source)
        book.begin_run("new", identity={})
        assert "a reply" == found(book, "judged")
        book.finish_run("new")
    source.unlink()
    with Journal.open_replay(path) as tape:
        assert "new" == tape.run.id
        assert "a reply" == tape.find(call("judged")).body


def test_reuse__what_is_too_old_stays_behind(tmp_path: Path) -> None:
    """As it would in a journal of its own."""
    source = earlier(tmp_path / "earlier.sqlite")
    later = NOW + timedelta(days=31)
    with Journal(tmp_path / "new.sqlite", now=lambda: later, keep_days=30) as book:
        assert 0 == book.take_judgements(source)


def test_reuse__nothing_of_a_file_that_is_none(tmp_path: Path) -> None:
    """Damaged, or not there: said, and the journal is as it was."""
    source = earlier(tmp_path / "earlier.sqlite")
    source.write_bytes(source.read_bytes().replace(b"a reply", b"A REPLY"))
    with journal(tmp_path / "new.sqlite") as book:
        with pytest.raises(JournalError, match="is not as it was written"):
            book.take_judgements(source)
        with pytest.raises(FileError, match="no such journal"):
            book.take_judgements(tmp_path / "none.sqlite")
        book.begin_run("new", identity={})
        assert found(book, "judged") is None
