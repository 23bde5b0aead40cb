"""The tables of a journal, and how one of an earlier gate is brought up to them.

A column that was added later is NULL in rows from before: nothing is known, nothing is checked.
"""

from __future__ import annotations

import sqlite3

from gate.types import SCHEMA

APPLICATION = 0x6B617070
"""SQLite's application id of our journals: `kapp` in ASCII."""

_TABLES = f"""
CREATE TABLE runs ( -- columns as in journal_query.RunRecord
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL CHECK (state IN ('unfinished', 'finished', 'abandoned')),
    identity TEXT NOT NULL,
    meta TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT
);
CREATE TABLE calls ( -- columns as in journal_entry.Entry
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL REFERENCES runs (id),
    key TEXT NOT NULL,
    scope TEXT,
    kind TEXT NOT NULL,
    vendor TEXT NOT NULL,
    model TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    case_id TEXT,
    target TEXT,
    request TEXT NOT NULL,
    reserve_usd REAL,
    intent_at TEXT NOT NULL,
    result_at TEXT,
    body TEXT,
    problem TEXT,
    usd REAL,
    lost INTEGER NOT NULL DEFAULT 0,
    latency_s REAL,
    tries INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX calls_by_key ON calls (key);
CREATE INDEX calls_by_case ON calls (case_id);
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
"""

_PAGES = """
CREATE {kind} IF NOT EXISTS pages ( -- a fetched page, once a run
    run_id TEXT NOT NULL,
    uri TEXT NOT NULL,
    page TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    PRIMARY KEY (run_id, uri)
)
"""
_REUSED = """
CREATE {kind} IF NOT EXISTS reused ( -- a reply that answered another call than the one it was for
    run_id TEXT NOT NULL,
    call_id INTEGER NOT NULL,
    case_id TEXT,
    target TEXT,
    UNIQUE (run_id, call_id, case_id, target)
)
"""
_INDEX = "CREATE INDEX IF NOT EXISTS reused_by_call ON reused (call_id)"

_LATER = {
    "runs": ("mode",),
    "calls": ("quotes_pages", "request_digest", "intent_digest", "digest"),
    "pages": ("digest",),
}
"""Table -> columns that an earlier gate did not have."""
_KINDS = {
    "mode": "TEXT",  # journal_keep.Mode; NULL is `full`
    "quotes_pages": "INTEGER",  # Call.quotes_pages
    "request_digest": "TEXT",  # journal_seal, of the request
    "intent_digest": "TEXT",  # journal_seal, of whose call it is and what it may cost
    "digest": "TEXT",  # journal_seal, of the result or the page
}


def make_tables(connection: sqlite3.Connection) -> None:
    """Make the tables of a new journal."""
    connection.executescript(f"BEGIN IMMEDIATE;{_TABLES}COMMIT;")


def bring_up(connection: sqlite3.Connection) -> None:
    """Add what a journal of an earlier gate lacks; nothing that it holds is changed."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(_PAGES.format(kind="TABLE"))
    connection.execute(_REUSED.format(kind="TABLE"))
    connection.execute(_INDEX)
    for table, names in _LATER.items():
        for name in _missing(connection, table, names):
            connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {_KINDS[name]}")
    connection.execute("COMMIT")


def look_up_to_date(connection: sqlite3.Connection) -> None:
    """Let a journal of an earlier gate be read as one of today; the file is not touched.

    Tables and views of the connection alone stand before those of the file.
    """
    for sql, table in ((_PAGES, "pages"), (_REUSED, "reused")):
        if not connection.execute(
            "SELECT 1 FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone():
            connection.execute(sql.format(kind="TEMP TABLE"))
            for name in _missing(connection, table, _LATER.get(table, ())):
                connection.execute(f"ALTER TABLE temp.{table} ADD COLUMN {name} {_KINDS[name]}")
    for table, names in _LATER.items():
        lacking = ", ".join(f"NULL AS {name}" for name in _missing(connection, table, names))
        if lacking:
            connection.execute(f"CREATE TEMP VIEW {table} AS SELECT *, {lacking} FROM main.{table}")


def _missing(connection: sqlite3.Connection, table: str, names: tuple[str, ...]) -> tuple[str, ...]:
    there = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    return tuple(name for name in names if name not in there)
