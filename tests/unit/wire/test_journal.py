"""The journal keeps what was paid for."""

from __future__ import annotations

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from gate.errors import CannotRun, FileError, JournalError, ReplayError
from gate.types import SCHEMA, Call
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome, Problem
from gate.wire.journal_file import explain
from tests.unit.wire.wire_fakes import NOW, call, journal

TEXT = "æ \ud83d\x00 'quoted'"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the journal lies."""
    return tmp_path / "journal.sqlite"


def _run(
    path: Path,
    made: Mapping[str, Outcome] | None = None,
    *,
    run_id: str = "r1",
    finish: bool = True,
) -> None:
    """One whole run that makes calls, named by what they ask."""

    async def work(book: Journal) -> None:
        for question, outcome in (made or {}).items():
            await book.settle(await book.intend(call(question)), outcome)

    with journal(path) as book:
        assert run_id == book.begin_run(run_id, identity="i")
        asyncio.run(work(book))
        if finish:
            book.finish_run(run_id)


def _ask(book: Journal, wanted: Call) -> object:
    entry = asyncio.run(book.find(wanted))
    return None if entry is None else entry.body


# Runs


def test_begin_run__resumes_the_unfinished(path: Path) -> None:
    """An unfinished run goes on under its id and with its first facts; then a new one starts."""
    with journal(path) as book:
        assert "r1" == book.begin_run("r1", identity="i", meta={"date": "1 May"})
    with journal(path) as book:
        assert "r1" == book.begin_run("r2", identity="i", meta={"date": "2 May"})
        assert {"date": "1 May"} == book.run_meta("r1")
        assert "r1" == book.run_id
        book.finish_run("r1", {"stopped": True})
        assert {"date": "1 May", "stopped": True} == book.run_meta("r1")
    with journal(path) as book:
        assert "r3" == book.begin_run("r3", identity="other")


def test_begin_run__another_identity(path: Path) -> None:
    """A run that was started otherwise is not resumed, and nothing changes."""
    _run(path, finish=False)
    with journal(path) as book:
        with pytest.raises(JournalError, match=r"unfinished run r1 of another .*use another --out"):
            book.begin_run("r2", identity="other")
        with pytest.raises(JournalError, match="no run was begun"):
            _ = book.run_id
    with journal(path) as book:
        assert "r1" == book.begin_run("r2", identity="i")


def test_begin_run__without_resume(path: Path) -> None:
    """The unfinished run is given up for good, whatever its identity."""
    _run(path, finish=False)
    with journal(path) as book:
        assert "r2" == book.begin_run("r2", identity="other", resume=False)
        book.finish_run("r2")
        assert "r3" == book.begin_run("r3", identity="i")


def test_begin_run__id_used_before(path: Path) -> None:
    """A run id names one run."""
    _run(path)
    with journal(path) as book, pytest.raises(JournalError, match="r1 is already in this journal"):
        book.begin_run("r1", identity="i")


def test_run_meta__unknown_run(path: Path) -> None:
    """There is nothing to tell of a run that never was."""
    with journal(path) as book:
        with pytest.raises(JournalError, match="there is no run r9"):
            book.run_meta("r9")
        with pytest.raises(JournalError, match="there is no run r9"):
            book.finish_run("r9")


async def test_calls__before_a_run(path: Path) -> None:
    """A call belongs to a run."""
    with journal(path) as book:
        with pytest.raises(JournalError, match="no run was begun"):
            await book.intend(call())
        with pytest.raises(JournalError, match="no run was begun"):
            await book.find(call())


# Looking up


def test_find__judgement_of_another_run(path: Path) -> None:
    """A judgement without scope is reused by every run; its first reply counts."""
    _run(path, {"q": Outcome(body={"b": 1, "a": TEXT})})
    with journal(path) as book:
        book.begin_run("r2", identity="i")
        entry = asyncio.run(book.find(call("q", case_id="other", target="other")))

        assert entry is not None
        assert {"b": 1, "a": TEXT} == entry.body
        assert '{"b": 1, "a": ' == json.dumps(entry.body)[:14]
        assert "r1" == entry.run_id
        assert entry.settled


@pytest.mark.parametrize(
    "change",
    [
        {"question": "p"},
        {"attempt": 1},
        {"vendor": "other"},
        {"model": "other"},
        {"kind": "answer"},
        {"scope": "r1"},
    ],
)
def test_find__another_call(path: Path, change: dict[str, object]) -> None:
    """Everything in the key, and the scope, must be the same."""
    _run(path, {"q": Outcome(body=1)})
    with journal(path) as book:
        book.begin_run("r2", identity="i")

        assert 1 == _ask(book, call("q"))
        assert _ask(book, call(**{"question": "q", **change})) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["answer", "judge"])
def test_find__scope(path: Path, kind: str) -> None:
    """What is scoped to a run is reused in that run and in no other."""
    wanted = call(kind=kind, scope="r1")
    with journal(path) as book:
        book.begin_run("r1", identity="i")
        asyncio.run(_record(book, wanted, Outcome(body=1)))

        assert 1 == _ask(book, wanted)
        book.finish_run("r1")
    with journal(path) as book:
        book.begin_run("r2", identity="i")

        assert _ask(book, wanted) is None
        assert _ask(book, call(kind=kind, scope="r2")) is None


def test_find__answer_without_scope(path: Path) -> None:
    """An answer is never reused by another run, even when its scope was forgotten."""
    wanted = call(kind="answer")
    with journal(path) as book:
        book.begin_run("r1", identity="i")
        asyncio.run(_record(book, wanted, Outcome(body=1)))

        assert 1 == _ask(book, wanted)
        book.finish_run("r1")
        book.begin_run("r2", identity="i")

        assert _ask(book, wanted) is None


def test_find__own_reply_first(path: Path) -> None:
    """This run's own reply comes before an earlier one, so that a replay finds the same."""
    _run(path, {"q": Outcome(body="old")})
    with journal(path) as book:
        book.begin_run("r2", identity="i")

        assert "old" == _ask(book, call())
        asyncio.run(_record(book, call(), Outcome(body="own")))

        assert "own" == _ask(book, call())
        book.finish_run("r2")
        book.begin_run("r3", identity="i")

        assert "old" == _ask(book, call())


def test_find__failed_or_without_result(path: Path) -> None:
    """Failures and bare intents are kept and not reused."""
    _run(path, {"q": Outcome(problem=Problem("busy", 429))}, finish=False)
    with journal(path) as book:
        book.begin_run("r2", identity="i")
        asyncio.run(book.intend(call("p")))

        assert _ask(book, call("q")) is None
        assert _ask(book, call("p")) is None


def test_find__null_body(path: Path) -> None:
    """A body may be null, and is a reply all the same."""
    _run(path, {"q": Outcome(body=None)})
    with journal(path) as book:
        book.begin_run("r2", identity="i")
        entry = asyncio.run(book.find(call("q")))

        assert entry is not None
        assert entry.body is None


async def _record(book: Journal, made: Call, outcome: Outcome) -> None:
    await book.settle(await book.intend(made), outcome)


# What it tells


def test_audit__every_column(path: Path) -> None:
    """All that is known of a call can be read again."""
    done = Outcome(body=[1.5], usd=0.25, lost=1, latency_s=2.5, tries=3)
    with journal(path) as book:
        book.begin_run("r1", identity="i")
        made = call(kind="answer", scope="r1", attempt=2)
        asyncio.run(_record(book, made, done))
        (entry,) = book.audit("c1")

        assert () == book.audit("c2")
    with Journal.open_replay(path) as replay:
        assert (entry,) == replay.audit("c1")
        assert () == replay.audit("c2")
    assert (1, "r1", made.key, "r1", "answer") == (
        entry.id,
        entry.run_id,
        entry.key,
        entry.scope,
        entry.kind,
    )
    assert ("anthropic", "claude", 2, "c1", "t1") == (
        entry.vendor,
        entry.model,
        entry.attempt,
        entry.case_id,
        entry.target,
    )
    assert ({"messages": ["q"]}, 0.5, [1.5]) == (entry.request, entry.reserve_usd, entry.body)
    assert (0.25, 1, 2.5, 3, None) == (
        entry.usd,
        entry.lost,
        entry.latency_s,
        entry.tries,
        entry.problem,
    )
    assert NOW.isoformat(timespec="milliseconds") == entry.intent_at == entry.result_at


def test_unsettled__calls_of_the_interrupted_part(path: Path) -> None:
    """Bare intents and tries of unknown outcome of earlier parts of this run, nothing else."""
    _run(path, {"lost": Outcome(problem=Problem("x"), lost=1)}, run_id="r0")
    with journal(path) as book:
        book.begin_run("r1", identity="i")
        asyncio.run(_record(book, call("paid"), Outcome(body=1)))
        asyncio.run(_record(book, call("refused"), Outcome(problem=Problem("x", 400))))
        asyncio.run(_record(book, call("timeout"), Outcome(problem=Problem("x"), lost=2)))
        asyncio.run(book.intend(call("bare")))
    with journal(path) as book:
        book.begin_run("r2", identity="i")
        asyncio.run(book.intend(call("in flight")))
        found = [(entry.request, entry.settled, entry.lost) for entry in book.unsettled()]

    assert [({"messages": ["timeout"]}, True, 2), ({"messages": ["bare"]}, False, 0)] == found


def test_secrets__written_nowhere(path: Path) -> None:
    """A credential that turns up in a request, a body, an error or a fact is not written."""
    canary = 'sk-"canary"-0123456789'
    short = "sk-"
    with journal(path, (canary, short, "canary")) as book:
        book.begin_run("r1", identity="i", meta={"note": f"with {canary}"})
        asyncio.run(_record(book, call(f"ask {canary}"), Outcome(body={"echo": canary})))
        failed = Outcome(problem=Problem(f"no host ?key={canary}", 400))
        asyncio.run(_record(book, call("q"), failed))
        for file in path.parent.iterdir():
            data = file.read_bytes()
            assert b"canary" not in data
            assert b"0123456789" not in data
        told = [(entry.request, entry.body, entry.problem) for entry in book.audit("c1")]
        assert {"note": "with [secret]"} == book.run_meta("r1")

    assert b"0123456789" not in path.read_bytes()
    assert [
        ({"messages": ["ask [secret]"]}, {"echo": "[secret]"}, None),
        ({"messages": ["q"]}, None, Problem("no host ?key=[secret]", 400)),
    ] == told


def test_problem__survives() -> None:
    """An error that cannot be mended stays one."""
    assert isinstance(Problem.of(CannotRun("no such model")).error(), CannotRun)


# One transaction for many


def test_commits__are_shared(path: Path) -> None:
    """300 calls at once lose none, in far fewer commits, and hold up nobody."""

    async def work(book: Journal) -> list[object]:
        async def one(number: int) -> object:
            await _record(book, call(str(number)), Outcome(body=number))
            entry = await book.find(call(str(number)))
            return entry and entry.body

        return await asyncio.gather(*(one(number) for number in range(300)))

    with journal(path) as book:
        book.begin_run("r1", identity="i")
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
        book.begin_run("r1", identity="i")
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
        book.begin_run("r1", identity="i")
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
        book.begin_run("r1", identity="i")
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
        book.begin_run("r1", identity="i")
        await book.intend(call("a"))
        pages = book._writer.run(lambda c: c.execute("PRAGMA page_count").fetchone()[0])
        book._writer.run(lambda c: c.execute(f"PRAGMA max_page_count = {pages}").fetchone())
        with pytest.raises(JournalError, match="the disk is full: free some space and run again"):
            await book.intend(call("b" * 1_000_000))

        assert ["a"] == [entry.request["messages"][0] for entry in book.audit("c1")]  # type: ignore[index,call-overload]


async def test_close__twice_and_after(path: Path) -> None:
    """Closing leaves one file; then nothing more is taken."""
    book = journal(path)
    book.begin_run("r1", identity="i")
    book.close()
    book.close()

    assert [path] == list(path.parent.iterdir())
    with pytest.raises(JournalError, match="is closed"):
        await book.intend(call())


# Files that are not as they should be


def test_open__two_at_once(path: Path) -> None:
    """A journal is held by one process; a second one, or a replay, is told to wait."""
    script = (
        "import sys\nfrom pathlib import Path\nfrom gate.errors import JournalError\n"
        "from tests.unit.wire.wire_fakes import Journal, journal\n"
        "for opening in (journal, Journal.open_replay):\n"
        "    try:\n        opening(Path(sys.argv[1]))\n"
        "    except JournalError as error:\n        print(error)\n"
    )
    with journal(path):
        told = subprocess.run(
            [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
        )
        with pytest.raises(JournalError, match="another process is writing this journal"):
            journal(path)
        with pytest.raises(JournalError, match="another process is writing this journal"):
            Journal.open_replay(path)
    line = f"{path}: another process is writing this journal: wait until it has ended, "
    assert [f"{line}or use another --out"] * 2 == told.stdout.splitlines()
    journal(path).close()


def test_open__garbage(path: Path) -> None:
    """A file of something else is left as it is."""
    path.write_bytes(b"not a database at all, whatever its name says" * 100)
    before = path.read_bytes()
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match=r"damaged, or not a journal .* or delete the file"):
            opening(path)
    assert before == path.read_bytes()


def test_open__database_of_others(path: Path) -> None:
    """So is another program's database."""
    with closing(sqlite3.connect(path)) as database:
        database.executescript("CREATE TABLE songs (name TEXT)")
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match="a database of another program"):
            opening(path)
    with closing(sqlite3.connect(path)) as database:
        assert [("songs",)] == database.execute("SELECT name FROM sqlite_master").fetchall()


def test_open__newer(path: Path) -> None:
    """A newer gate's journal is not guessed at."""
    _run(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match="written by a newer gate"):
            opening(path)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_open__torn_file(path: Path, keep: float) -> None:
    """A file that was cut off is refused, not read in part."""
    _run(path, {f"q{n}": Outcome(body="x" * 3000) for n in range(20)})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match="damaged, or not a journal"):
            opening(path)


def test_open__flipped_page(path: Path) -> None:
    """A page of rubbish in the middle is found at the start."""
    _run(path, {f"q{n}": Outcome(body="x" * 3000) for n in range(20)})
    with closing(sqlite3.connect(path)) as database:
        (size,) = database.execute("PRAGMA page_size").fetchone()
        (root,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'calls'"
        ).fetchone()
    with path.open("r+b") as file:
        file.seek(size * (root - 1))
        file.write(b"\xff" * size)
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match="damaged, or not a journal"):
            opening(path)


def test_open__flipped_text(path: Path) -> None:
    """A text that is no JSON any more is damage too, found when it is read."""
    _run(path, {"q": Outcome(body="x")})
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE calls SET body = '{'")
    with journal(path) as book:
        book.begin_run("r2", identity="i")
        with pytest.raises(JournalError, match="damaged, or not a journal"):
            book.audit("c1")
    with (
        Journal.open_replay(path) as replay,
        pytest.raises(JournalError, match="damaged, or not a journal"),
    ):
        replay.find(call("q"))


def test_open__empty_file(path: Path) -> None:
    """A file that was made and not yet written to, as a kill leaves it, is a new journal."""
    path.touch()
    with pytest.raises(JournalError, match="a database of another program"):
        Journal.open_replay(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode = WAL")
    _run(path)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_IOERR_FSYNC, "the journal failed (disk I/O error): see to the disk"),
        # What a read-only file gives.
        (sqlite3.SQLITE_IOERR_LOCK, "see that its folder exists and is writable"),
    ],
)
def test_explain__the_disk(path: Path, code: int, words: str) -> None:
    """What the system says of a disk is passed on with what to do."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code

    assert f"{words}, or use another --out" in str(explain(error, path))


def test_open__nowhere(tmp_path: Path) -> None:
    """A folder that is not there is named, and a missing journal cannot be replayed."""
    with pytest.raises(JournalError, match="see that its folder exists and is writable"):
        journal(tmp_path / "missing" / "journal.sqlite")
    with pytest.raises(FileError, match=r"journal\.sqlite: no such journal: name the"):
        Journal.open_replay(tmp_path / "journal.sqlite")


def test_open__main_file_deleted_after_a_kill(path: Path) -> None:
    """A log that was left alone does not come back to life."""
    book = journal(path)
    book.begin_run("r1", identity="i")
    left = path.with_name("journal.sqlite-wal").read_bytes()
    book.close()
    path.unlink()
    path.with_name("journal.sqlite-wal").write_bytes(left)

    _run(path)


# Replay


def _tree(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_replay__read_only_folder(path: Path) -> None:
    """A closed journal is read where it lies, and nothing is made or changed beside it."""
    _run(path, {"q": Outcome(body=TEXT, latency_s=1.5)})
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
        book.begin_run("r1", identity="i")
        asyncio.run(_record(book, call("q"), Outcome(body=1)))
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
    _run(path)
    path.with_name("journal.sqlite-wal").write_bytes(b"x")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(JournalError, match="cannot be read: No space left on device"):
        Journal.open_replay(path)


def test_replay__the_last_finished_run(path: Path) -> None:
    """The last finished run speaks, or the last one where none was finished."""
    _run(path, {"q": Outcome(body=1)}, finish=False)
    with Journal.open_replay(path) as replay:
        assert ("r1", "unfinished") == (replay.run.id, replay.run.state)
    _run(path)
    with journal(path) as book:
        book.begin_run("r2", identity="i", meta={"date": "2 May"})
        asyncio.run(_record(book, call("q"), Outcome(body=2)))
        book.finish_run("r2")
        book.begin_run("r3", identity="i")
        asyncio.run(_record(book, call("q"), Outcome(body=3)))
        asyncio.run(_record(book, call("new"), Outcome(body=3)))
    with Journal.open_replay(path) as replay:
        assert ("r2", {"date": "2 May"}) == (replay.run.id, replay.run.meta)
        assert 2 == replay.find(call("q")).body
        with pytest.raises(ReplayError):
            replay.find(call("new"))


def test_replay__what_the_run_reused(path: Path) -> None:
    """A judgement that the run took from an earlier one is found there; an answer is not."""
    _run(path, {"q": Outcome(body=1), "bad": Outcome(problem=Problem("x"))})
    _run(path, run_id="r2")
    with Journal.open_replay(path) as replay:
        assert (1, "r1") == (replay.find(call("q")).body, replay.find(call("q")).run_id)
        for missing in (call("bad"), call("q", kind="answer"), call("q", scope="r1", attempt=1)):
            with pytest.raises(ReplayError):
                replay.find(missing)


def test_replay__what_the_run_could_not_reuse(path: Path) -> None:
    """Answers and scoped judgements of an earlier run are none of a run that made no such call."""
    made = (call("a", kind="answer"), call("b", kind="answer", scope="r1"), call("c", scope="r1"))
    with journal(path) as book:
        book.begin_run("r1", identity="i")
        for one in made:
            asyncio.run(_record(book, one, Outcome(body=1)))
        book.finish_run("r1")
    _run(path, run_id="r2")
    with Journal.open_replay(path) as replay:
        for one in made:
            with pytest.raises(ReplayError):
                replay.find(one)


def test_replay__missing(path: Path) -> None:
    """What the run never asked is named, with what to do."""
    _run(path)
    with (
        Journal.open_replay(path) as replay,
        pytest.raises(ReplayError) as caught,
    ):
        replay.find(call("p", attempt=2))

    assert (
        f"{path}: run r1 made no such judge call (case c1, target t1, attempt 2): replay with the "
        "configuration, cases and prompts of that run, or run again without --replay"
    ) == str(caught.value)


def test_replay__last_outcome(path: Path) -> None:
    """Of a failure and a later success the success counts; a bare intent counts for nothing."""
    with journal(path) as book:
        book.begin_run("r1", identity="i")
        asyncio.run(_record(book, call("q"), Outcome(problem=Problem("x"), lost=1)))
        asyncio.run(_record(book, call("q"), Outcome(body=1)))
        asyncio.run(book.intend(call("q")))
        asyncio.run(_record(book, call("p"), Outcome(problem=Problem("y"), lost=1)))
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
