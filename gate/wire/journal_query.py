"""Questions to a journal, as plain reads on a connection."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from gate.types import Call, Page
from gate.wire.journal_entry import Entry, decode, read_entry


@dataclass(frozen=True)
class RunRecord:
    """A run, as the journal knows it."""

    n: int
    """Its number in the journal, from 1."""
    id: str
    """Run id."""
    state: str
    """`unfinished`, `finished`, or `abandoned` for one that was never to be resumed."""
    identity: str
    """Digest of what must be the same for the run to be resumed."""
    meta: dict[str, JsonValue]
    """Facts that a resumed run or a replay takes over, such as the run's date."""
    started_at: str
    """UTC time, ISO 8601."""
    finished_at: str | None
    """UTC time; None until it is finished."""


def run_by_id(connection: sqlite3.Connection, run_id: str) -> RunRecord | None:
    """Return the run of that id."""
    return _run(connection.execute("SELECT * FROM runs WHERE id = ?", (run_id,)))


def unfinished_run(connection: sqlite3.Connection) -> RunRecord | None:
    """Return the last run that was started and not finished."""
    return _run(
        connection.execute("SELECT * FROM runs WHERE state = 'unfinished' ORDER BY n DESC LIMIT 1")
    )


def run_to_replay(connection: sqlite3.Connection) -> RunRecord | None:
    """Return the last finished run, or the last one where none was finished."""
    return _run(
        connection.execute("SELECT * FROM runs ORDER BY state = 'finished' DESC, n DESC LIMIT 1")
    )


def reusable(connection: sqlite3.Connection, call: Call, run_id: str) -> Entry | None:
    """Return the reply that `call` need not be sent again for, in the run `run_id`.

    A reply of the same key and scope, where the scope is none or this run. An answer of another
    run is never reused, whatever its scope. This run's own replies come first.
    """
    rows = connection.execute(
        "SELECT * FROM calls WHERE key = :key AND scope IS :scope"
        " AND (scope IS NULL OR scope = :run) AND (kind <> 'answer' OR run_id = :run)"
        " AND result_at IS NOT NULL AND problem IS NULL"
        " ORDER BY run_id = :run DESC, id LIMIT 1",
        {"key": call.key, "scope": call.scope, "run": run_id},
    )
    return _first(rows)


def recorded(connection: sqlite3.Connection, call: Call, run: RunRecord) -> Entry | None:
    """Return what came of `call` in `run`, a problem included.

    Where the run made no such call: the reply of an earlier run that it reused.
    """
    own = connection.execute(
        "SELECT * FROM calls WHERE key = ? AND run_id = ? AND result_at IS NOT NULL"
        " ORDER BY id DESC LIMIT 1",
        (call.key, run.id),
    )
    earlier = connection.execute(
        "SELECT * FROM calls WHERE key = ? AND scope IS NULL AND kind <> 'answer'"
        " AND run_id IN (SELECT id FROM runs WHERE n < ?)"
        " AND result_at IS NOT NULL AND problem IS NULL ORDER BY id LIMIT 1",
        (call.key, run.n),
    )
    return _first(own) or _first(earlier)


def interrupted(connection: sqlite3.Connection, run_id: str, last: int) -> tuple[Entry, ...]:
    """Return the calls of a run, up to number `last`, that may have cost money for nothing.

    Those are intents without a result, and failed calls with a try of unknown outcome.
    """
    return _all(
        connection.execute(
            "SELECT * FROM calls WHERE run_id = ? AND id <= ?"
            " AND (result_at IS NULL OR (problem IS NOT NULL AND lost > 0)) ORDER BY id",
            (run_id, last),
        )
    )


def superseded(connection: sqlite3.Connection, run_id: str) -> tuple[Entry, ...]:
    """Return the same of a whole run, without the calls that `recorded` finds."""
    return _all(
        connection.execute(
            "SELECT * FROM calls AS this WHERE run_id = ?"
            " AND (result_at IS NULL OR (problem IS NOT NULL"
            " AND lost > 0 AND EXISTS (SELECT 1 FROM calls AS later WHERE later.key = this.key"
            " AND later.run_id = this.run_id AND later.id > this.id"
            " AND later.result_at IS NOT NULL))) ORDER BY id",
            (run_id,),
        )
    )


def last_call(connection: sqlite3.Connection) -> int:
    """Return the number of the last call, 0 where there is none."""
    (number,) = connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()
    return int(number)


def of_case(connection: sqlite3.Connection, case_id: str) -> tuple[Entry, ...]:
    """Return every call that was made for a case, in their order, of all runs."""
    return _all(connection.execute("SELECT * FROM calls WHERE case_id = ? ORDER BY id", (case_id,)))


def page_of(connection: sqlite3.Connection, run_id: str, uri: str) -> Page | None:
    """Return the page that a run fetched at an address; None where it fetched none.

    A journal from before pages were kept has no table of them.
    """
    tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'pages'")
    if tables.fetchone() is None:
        return None
    row = connection.execute(
        "SELECT page FROM pages WHERE run_id = ? AND uri = ?", (run_id, uri)
    ).fetchone()
    return None if row is None else Page.model_validate(decode(row[0]))


def _run(rows: sqlite3.Cursor) -> RunRecord | None:
    row: tuple[Any, ...] | None = rows.fetchone()
    if row is None:
        return None
    n, run_id, state, identity, meta, started_at, finished_at = row
    return RunRecord(n, run_id, state, identity, decode(meta), started_at, finished_at)


def _first(rows: sqlite3.Cursor) -> Entry | None:
    row = rows.fetchone()
    return None if row is None else read_entry(row)


def _all(rows: sqlite3.Cursor) -> tuple[Entry, ...]:
    return tuple(read_entry(row) for row in rows)
