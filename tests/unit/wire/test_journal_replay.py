"""A journal is replayed as it lies, and tells what its run was told."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from gate.errors import JournalError, ReplayError
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome, Problem
from tests.unit.wire.wire_fakes import TEXT, call, journal, record, whole_run


def _tree(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_replay__read_only_folder(path: Path) -> None:
    """A closed journal is read where it lies, and nothing is made or changed beside it."""
    whole_run(path, {"q": Outcome(body=TEXT, latency_s=1.5)})
    path.chmod(0o444)
    path.parent.chmod(0o555)
    before = _tree(path.parent)
    try:
        with Journal.open_replay(path) as replay:
            entry = replay.find(call("q"))
            assert before == _tree(path.parent)
    finally:
        path.parent.chmod(0o755)

    assert (TEXT, 1.5) == (entry.body, entry.latency_s)


def test_replay__what_a_killed_writer_left(path: Path, tmp_path: Path) -> None:
    """The log of a killed writer is read too, and stays as it is; its torn tail is dropped."""
    left = tmp_path / "left"
    left.mkdir()
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(record(book, call("q"), Outcome(body=1)))
        log = path.with_name("journal.sqlite-wal")
        data, tail = path.read_bytes(), log.read_bytes()
    (left / path.name).write_bytes(data)
    (left / log.name).write_bytes(tail + tail[-2000:])
    before = _tree(left)
    with Journal.open_replay(left / path.name) as replay:
        assert 1 == replay.find(call("q")).body
        assert "unfinished" == replay.run.state

    assert before == _tree(left)


def test_replay__log_cannot_be_copied(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without room for the copy, the sentence says so."""
    whole_run(path)
    path.with_name("journal.sqlite-wal").write_bytes(b"x")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(JournalError, match="cannot be read: No space left on device"):
        Journal.open_replay(path)


def test_replay__the_last_finished_run(path: Path) -> None:
    """The last finished run speaks, or the last one where none was finished."""
    whole_run(path, {"q": Outcome(body=1)}, finish=False)
    with Journal.open_replay(path) as replay:
        assert ("r1", "unfinished") == (replay.run.id, replay.run.state)
    whole_run(path)
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"}, meta={"date": "2 May"})
        asyncio.run(record(book, call("q"), Outcome(body=2)))
        book.finish_run("r2")
        book.begin_run("r3", identity={"plan": "i"})
        asyncio.run(record(book, call("q"), Outcome(body=3)))
        asyncio.run(record(book, call("new"), Outcome(body=3)))
    with Journal.open_replay(path) as replay:
        assert ("r2", {"date": "2 May"}) == (replay.run.id, replay.run.meta)
        assert 2 == replay.find(call("q")).body
        with pytest.raises(ReplayError):
            replay.find(call("new"))


def test_replay__what_the_run_reused(path: Path) -> None:
    """A judgement that the run took from an earlier one is found there; an answer is not."""
    whole_run(path, {"q": Outcome(body=1), "bad": Outcome(problem=Problem("x"))})
    whole_run(path, run_id="r2")
    with Journal.open_replay(path) as replay:
        assert (1, "r1") == (replay.find(call("q")).body, replay.find(call("q")).run_id)
        for missing in (call("bad"), call("q", kind="answer"), call("q", scope="r1", attempt=1)):
            with pytest.raises(ReplayError):
                replay.find(missing)


def test_replay__what_the_run_could_not_reuse(path: Path) -> None:
    """Answers and scoped judgements of an earlier run are none of a run that made no such call."""
    made = (call("a", kind="answer"), call("b", kind="answer", scope="r1"), call("c", scope="r1"))
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        for one in made:
            asyncio.run(record(book, one, Outcome(body=1)))
        book.finish_run("r1")
    whole_run(path, run_id="r2")
    with Journal.open_replay(path) as replay:
        for one in made:
            with pytest.raises(ReplayError):
                replay.find(one)


def test_replay__missing(path: Path) -> None:
    """What the run never asked is named, with what to do."""
    whole_run(path)
    with (
        Journal.open_replay(path) as replay,
        pytest.raises(ReplayError) as caught,
    ):
        replay.find(call("p", attempt=2))

    assert (
        f"{path}: run r1 made no such judge call (case c1, target t1, attempt 2): replay with the "
        "configuration, cases and prompts of that run, and with its scorers, or run again without "
        "--replay"
    ) == str(caught.value)


def test_replay__missing_for_another_scorer(path: Path) -> None:
    """What the run measured is named: a replay has to measure the same."""
    identity = {
        "plan": "i",
        "the scorer of relevance, correctness": "p",
        "the scorer of exact": "p",
    }
    with journal(path) as book:
        book.begin_run("r1", identity=identity)
        book.finish_run("r1")
    with Journal.open_replay(path) as replay, pytest.raises(ReplayError) as caught:
        replay.find_page("http://a")

    assert (
        f"{path}: run r1 fetched no page http://a: replay with the configuration of that run, and "
        "with its scorers (of exact, relevance, correctness), or run again without --replay"
    ) == str(caught.value)


def test_replay__last_outcome(path: Path) -> None:
    """Of a failure and a later success the success counts; a bare intent counts for nothing."""
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(record(book, call("q"), Outcome(problem=Problem("x"), lost=1)))
        asyncio.run(record(book, call("q"), Outcome(body=1)))
        asyncio.run(book.intend(call("q")))
        asyncio.run(record(book, call("p"), Outcome(problem=Problem("y"), lost=1)))
        asyncio.run(book.intend(call("z")))
    with Journal.open_replay(path) as replay:
        assert 1 == replay.find(call("q")).body
        assert Problem("y") == replay.find(call("p")).problem
        with pytest.raises(ReplayError):
            replay.find(call("z"))
        assert [1, 3, 5] == [entry.id for entry in replay.unsettled()]


def test_replay__no_run(path: Path) -> None:
    """A journal without a run has nothing to replay."""
    journal(path).close()
    with pytest.raises(JournalError, match="holds no run to replay"):
        Journal.open_replay(path)
