"""The journal's file: SQLite in one piece, held by one process, and what can be wrong with it.

The writer keeps SQLite's exclusive lock for as long as it has the file open, which the operating
system takes back when the process dies, whatever killed it. Do not open the file by other means
in the writer's process: closing it would drop the lock.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gate.errors import FileError, JournalError
from gate.types import SCHEMA
from gate.wire.journal_seal import check_seals, teach
from gate.wire.journal_tables import APPLICATION, bring_up, look_up_to_date, make_tables

JOURNAL = "journal.sqlite"
"""Name of the file in the folder of a run."""

_SMALLEST_PAGE = 512
_PLACE = "use another --out"
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_CLOSED = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM)


def explain(error: sqlite3.Error, path: Path) -> JournalError:
    """Return SQLite's error as a sentence that says what to do."""
    exact = getattr(error, "sqlite_errorcode", None)
    code = exact and exact & 0xFF
    if code in _BUSY:
        return JournalError(
            f"{path}: another process is writing this journal: wait until it has ended, or {_PLACE}"
        )
    if code in _CLOSED or exact == sqlite3.SQLITE_IOERR_LOCK:
        return JournalError(
            f"{path}: the journal cannot be opened for writing: "
            f"see that its folder exists and is writable, or {_PLACE}"
        )
    # A file that may not grow, by a quota or a limit, is a full disk under another name.
    if code == sqlite3.SQLITE_FULL or exact == sqlite3.SQLITE_IOERR_WRITE:
        return JournalError(f"{path}: the disk is full: free some space and run again to resume")
    if code in _DAMAGED or code is None:
        return _damaged(path, str(error))
    return JournalError(f"{path}: the journal failed ({error}): see to the disk, or {_PLACE}")


def _damaged(path: Path, reason: str) -> JournalError:
    shown = " ".join(reason.split())  # SQLite's may have several lines
    return JournalError(
        f"{path}: damaged, or not a journal ({shown}): restore it from a copy, {_PLACE}, "
        "or delete the file to start afresh"
    )


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open or make a journal and hold it; raise JournalError when that cannot be.

    WAL with `synchronous=FULL`: what was committed outlives `kill -9` and a power cut, and a torn
    tail of the log is dropped by its checksums.
    """
    with explained(path):
        # SQLite takes a file that is shorter than its smallest page for an empty one.
        if path.is_file() and 0 < path.stat().st_size < _SMALLEST_PAGE:
            raise _damaged(path, "too short")
        connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            # What is taken out is overwritten: a text must not outlive its time in a free page.
            connection.execute("PRAGMA secure_delete = ON")
            if _is_new(connection):
                make_tables(connection)
            _check(connection, path)
            bring_up(connection)
            teach(connection)
            check_seals(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def is_being_written(path: Path) -> bool:
    """Whether a process holds the journal; this one must not (see above)."""
    try:
        _refuse_while_written(path)
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
    return False


@contextmanager
def open_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal without touching it or its folder, which may be read-only.

    What a killed writer left in the log beside the file is read from a copy of both. Raises
    FileError when there is no such file, JournalError when it is damaged, foreign or being
    written.
    """
    if not path.is_file():
        raise FileError("no such journal: name the journal.sqlite of an earlier run", path)
    with explained(path), ExitStack() as stack:
        _refuse_while_written(path)
        log = path.with_name(path.name + "-wal")
        if log.exists():
            copy = Path(stack.enter_context(TemporaryDirectory(prefix="journal-"))) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, copy.with_name(log.name))
            connection = _open_uri(copy, "mode=rw")
            connection.execute("PRAGMA synchronous = OFF")  # the copy need not outlive anything
        else:
            # `immutable` takes no lock and makes no file, so a read-only folder will do.
            connection = _open_uri(path, "mode=ro&immutable=1")
        stack.enter_context(closing(connection))
        _check(connection, path)
        look_up_to_date(connection)
        teach(connection)
        check_seals(connection, path)
        yield connection


def _refuse_while_written(path: Path) -> None:
    """Raise SQLite's busy error when a process holds the journal.

    Exclusive locking keeps SQLite from making its shared memory file beside the journal; a
    read-only connection cannot have that lock, so every other error only means: nobody holds it.
    """
    with closing(_open_uri(path, "mode=ro")) as probe:
        try:
            probe.execute("PRAGMA locking_mode = EXCLUSIVE")
            probe.execute("SELECT 1 FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY:
                raise


def _open_uri(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{options}",
        uri=True,
        timeout=0,
        isolation_level=None,
        check_same_thread=False,
    )


def _is_new(connection: sqlite3.Connection) -> bool:
    """Whether it has no tables yet: made just now, or killed before they were committed."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return not tables and not _pragma(connection, "application_id")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    version = _pragma(connection, "user_version")
    if _pragma(connection, "application_id") != APPLICATION:
        raise _damaged(path, "a database of another program")
    if version > SCHEMA:
        raise JournalError(
            f"{path}: written by a newer gate (schema {version}, this one reads {SCHEMA}): "
            f"use that gate, or {_PLACE}"
        )
    # Ours has tables alone; a view may hold anything, and never end.
    foreign = connection.execute(
        "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index')"
    ).fetchone()
    if foreign is not None:
        raise _damaged(path, "it holds what no journal does")
    state = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if state != "ok":
        raise _damaged(path, str(state))


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what goes wrong with the file inside the block into JournalError."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, path) from error
    except OSError as error:
        raise JournalError(
            f"{path}: the journal cannot be read: {error.strerror}; check who may use it, "
            "and the disk"
        ) from error
