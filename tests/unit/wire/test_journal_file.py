"""A journal's file is opened by one process, and refused where it is not as it should be."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gate.errors import FileError, JournalError
from gate.types import SCHEMA
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from gate.wire.journal_file import explain
from tests.unit.wire.wire_fakes import call, journal, whole_run


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
    whole_run(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match="written by a newer gate"):
            opening(path)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_open__torn_file(path: Path, keep: float) -> None:
    """A file that was cut off is refused, not read in part."""
    whole_run(path, {f"q{n}": Outcome(body="x" * 3000) for n in range(20)})
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])
    for opening in (journal, Journal.open_replay):
        with pytest.raises(JournalError, match="damaged, or not a journal"):
            opening(path)


def test_open__flipped_page(path: Path) -> None:
    """A page of rubbish in the middle is found at the start."""
    whole_run(path, {f"q{n}": Outcome(body="x" * 3000) for n in range(20)})
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


def test_open__text_of_an_earlier_gate_that_is_no_json(path: Path) -> None:
    """Rows from before there were seals are found broken when they are read."""
    whole_run(path, {"q": Outcome(body="x")})
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE calls SET body = '{', digest = NULL")
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})
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
    whole_run(path)


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
    book.begin_run("r1", identity={"plan": "i"})
    left = path.with_name("journal.sqlite-wal").read_bytes()
    book.close()
    path.unlink()
    path.with_name("journal.sqlite-wal").write_bytes(left)

    whole_run(path)
