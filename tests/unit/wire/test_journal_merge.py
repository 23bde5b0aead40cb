"""The journals of several shards become one, and nothing is lost or counted twice."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from gate.errors import FileError, JournalError
from gate.types import Page
from gate.wire.door import ReplayDoor, carry_over
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome, Problem
from gate.wire.journal_merge import merge_journals, page_read_differently
from gate.wire.purse import Purse, Totals
from tests.unit.wire.wire_fakes import (
    FREE,
    NOW,
    ask,
    begun,
    call,
    journal,
    never,
    record,
    whole_run,
)


def merge(sources: Sequence[Path], into: Path) -> None:
    """Merge under one id."""
    merge_journals(
        sources,
        into,
        run_id="merged",
        identity={"plan": "i"},
        meta={"started": "1 May"},
        now=lambda: NOW,
    )


def shard(path: Path, number: int, *, shared: str | None = None) -> Path:
    """A finished run of a part of the cases, in a folder of its own."""
    run_id, case = f"shard{number}", f"case{number}"
    with begun(path, run_id) as book:

        async def work() -> None:
            answer = call("same", kind="answer", case_id=case, scope=run_id, attempt=number)
            await record(book, answer, Outcome(body=f"answer {number}", usd=0.125))
            await book.keep_page(f"http://{number}", Page(uri="u", status="ok", text=f"p{number}"))
            await book.keep_page("http://shared", Page(uri="u", status="ok", text="everybody's"))
            lost = call(f"lost {number}", case_id=case)
            await record(book, lost, Outcome(problem=Problem("timeout"), lost=1))
            await record(book, lost, Outcome(body=f"judged {number}", usd=0.25))
            await book.intend(call("bare", case_id=case))
            if shared is not None:
                await record(book, call("both"), Outcome(body=shared, usd=0.0625))

        asyncio.run(work())
        book.finish_run(run_id)
    return path


def replayed(path: Path) -> tuple[list[object], Totals]:
    """All that a replay of the merged run gives, and what it counts."""
    purse = Purse()
    with Journal.open_replay(path) as tape:
        carry_over(tape, purse)
        door = ReplayDoor(tape, purse)

        async def work() -> list[object]:
            asked = [
                call("same", kind="answer", scope="merged", attempt=1),
                call("same", kind="answer", scope="merged", attempt=2),
                call("lost 1"),
                call("lost 2"),
                call("both"),
            ]
            return [(await door.call(one, never(), FREE)).body for one in asked]

        assert ("merged", "finished", {"started": "1 May"}) == (
            tape.run.id,
            tape.run.state,
            tape.run.meta,
        )
        pages = [tape.find_page(f"http://{name}").text for name in ("1", "2", "shared")]
        return [*asyncio.run(work()), *pages], purse.totals


def test_merge__everything_is_found_and_counted(tmp_path: Path) -> None:
    """Answers, judgements and pages; lost tries at their reserve; doubles once, at both costs."""
    sources = [
        shard(tmp_path / "one.sqlite", 1, shared="first"),
        shard(tmp_path / "two.sqlite", 2, shared="second"),
    ]
    before = [path.read_bytes() for path in sources]
    merge(sources, tmp_path / "into.sqlite")
    found, totals = replayed(tmp_path / "into.sqlite")

    texts = ["answer 1", "answer 2", "judged 1", "judged 2", "first", "p1", "p2", "everybody's"]
    assert texts == found
    assert 2 * (0.125 + 0.25 + 0.0625) == totals.known_usd
    assert 2 * (0.5 + 0.5) == totals.assumed_usd
    # Of each shard: the answer, the failed and the good judgement, the bare intent, the double.
    assert 10 == totals.calls
    assert before == [path.read_bytes() for path in sources]
    names = {"one.sqlite", "two.sqlite", "into.sqlite"}
    assert names == {file.name for file in tmp_path.iterdir()}


def test_merge__can_be_gone_on_with(tmp_path: Path) -> None:
    """A later run in the merged journal reuses its judgements and no answers."""
    into = tmp_path / "into.sqlite"
    merge([shard(tmp_path / "one.sqlite", 1), shard(tmp_path / "two.sqlite", 2)], into)
    with journal(into) as book:
        assert "r9" == book.begin_run("r9", identity={"plan": "i"})
        assert "judged 2" == ask(book, call("lost 2"))
        assert ask(book, call("same", kind="answer", scope="r9", attempt=1)) is None


def test_merge__what_an_earlier_run_had_judged(tmp_path: Path) -> None:
    """Shards that began with copies of one journal: its judgements are there once."""
    first, second = tmp_path / "one.sqlite", tmp_path / "two.sqlite"
    whole_run(first, {"both": Outcome(body="earlier", usd=4)}, run_id="r0")
    shutil.copy(first, second)
    for number, path in enumerate((first, second), start=1):
        with begun(path, f"shard{number}") as book:
            assert "earlier" == ask(book, call("both", case_id=f"case{number}"))
            book.finish_run(f"shard{number}")
    into = tmp_path / "into.sqlite"
    merge([first, second], into)
    with Journal.open_replay(into) as tape:
        entry = tape.find(call("both"))
        taken = [tape.reused(f"case{number}") for number in (1, 2)]

    assert ("earlier", "r0") == (entry.body, entry.run_id)
    assert [(("t1", entry),)] * 2 == taken
    with sqlite3.connect(into) as database:
        assert [(1,)] == database.execute("SELECT count(*) FROM calls").fetchall()
    database.close()


def test_merge__strictest_mode(tmp_path: Path) -> None:
    """What one shard did not keep is not there, and the reason is told."""
    one, two, into = (tmp_path / f"{name}.sqlite" for name in ("one", "two", "into"))
    shard(one, 1)
    with Journal(two, now=lambda: NOW, mode="no-text") as book:
        book.begin_run("shard2", identity={"plan": "i"})
        asyncio.run(record(book, call("x"), Outcome(body="gone")))
        book.finish_run("shard2")
    merge([one, two], into)
    with Journal.open_replay(into) as tape:
        assert "judged 1" == tape.find(call("lost 1")).body
        with pytest.raises(Exception, match="`journal: no-text`"):
            tape.find(call("x"))


def test_pages__read_differently(tmp_path: Path) -> None:
    """A merged journal would hold one of the texts; equal ones, and other modes, are no matter."""
    paths = [tmp_path / f"{number}.sqlite" for number in range(3)]
    reads = [("news of today", "full"), ("news of tomorrow", "full"), ("news of today", "no-text")]
    for path, (text, mode) in zip(paths, reads, strict=True):
        page = Page(uri="u", status="ok", text=text, digest=f"digest of {text}")
        with Journal(path, now=lambda: NOW, mode=mode) as book:
            book.begin_run(path.stem, identity={"plan": "i"})
            asyncio.run(book.keep_page("http://news", page))
            asyncio.run(book.keep_page(f"http://{path.stem}", page))
            book.finish_run(path.stem)

    assert "http://news" == page_read_differently(paths[:2])
    assert page_read_differently([paths[0], paths[2]]) is None


def test_merge__bad_sources_leave_nothing(tmp_path: Path) -> None:
    """A missing, a damaged and an empty one."""
    good, into = shard(tmp_path / "one.sqlite", 1), tmp_path / "into.sqlite"
    (tmp_path / "torn.sqlite").write_bytes(good.read_bytes()[:5000])
    journal(tmp_path / "empty.sqlite").close()
    for name, error in (("none", FileError), ("torn", JournalError), ("empty", JournalError)):
        with pytest.raises(error, match=f"{name}.sqlite"):
            merge([good, tmp_path / f"{name}.sqlite"], into)
        assert not into.exists()
        assert [] == [file for file in tmp_path.iterdir() if file.name.startswith(".")]


def test_merge__replaces_a_finished_journal_and_no_other(tmp_path: Path) -> None:
    """Merging again is no harm; an unfinished run is not thrown away."""
    into = tmp_path / "into.sqlite"
    sources = [shard(tmp_path / "one.sqlite", 1, shared="x"), shard(tmp_path / "two.sqlite", 2)]
    merge(sources, into)
    merge(sources, into)
    assert "answer 1" == replayed(into)[0][0]
    begun(into, "r9").close()
    with pytest.raises(JournalError, match="holds an unfinished run"):
        merge(sources, into)
