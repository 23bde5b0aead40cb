"""Calls and runs, copied from one journal to another."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from gate.wire.journal_keep import REUSABLE
from gate.wire.journal_seal import seal_intents

CALL = (
    "key, kind, vendor, model, attempt, case_id, target, request, reserve_usd, intent_at,"
    " result_at, body, problem, usd, lost, latency_s, tries, quotes_pages, request_digest, digest"
)
"""Columns of a call that are the same in every journal."""
_NAMES = [name.strip() for name in CALL.split(",")]
_MARKS = ", ".join("?" for _ in _NAMES)


@dataclass(frozen=True)
class Judged:
    """A run, and what it had judged that another run may reuse."""

    run_id: str
    """Its id."""
    facts: tuple[object, ...]
    """Its identity, meta, times and mode."""
    calls: list[tuple[int, list[object]]]
    """Number of each call, and `CALL`; at least one."""


def judged_in(source: sqlite3.Connection, *, before: int | None = None) -> list[Judged]:
    """Return the runs that hold judgements, in their order; `before` keeps to smaller numbers."""
    runs = source.execute(
        "SELECT id, identity, meta, started_at, finished_at, mode FROM runs"
        " WHERE :before IS NULL OR n < :before ORDER BY n",
        {"before": before},
    ).fetchall()
    found = []
    for run_id, *facts in runs:
        rows = source.execute(
            f"SELECT id, {CALL} FROM calls WHERE run_id = ? AND {REUSABLE} ORDER BY id", (run_id,)
        )
        calls = [(number, columns) for number, *columns in rows]
        if calls:
            found.append(Judged(run_id, tuple(facts), calls))
    return found


def copy_judged(target: sqlite3.Connection, run: Judged) -> dict[int, int]:
    """Copy them under their run, which is never gone on with; return new numbers by old ones."""
    target.execute(
        "INSERT OR IGNORE INTO runs (id, state, identity, meta, started_at, finished_at, mode)"
        " VALUES (?, 'abandoned', ?, ?, ?, ?, ?)",
        (run.run_id, *run.facts),
    )
    return {number: _copy_once(target, run.run_id, columns) for number, columns in run.calls}


def _copy_once(target: sqlite3.Connection, run_id: str, columns: list[object]) -> int:
    """Copy a call of an earlier run, unless it is there; return its number in the target."""
    found = dict(zip(_NAMES, columns, strict=True))
    there = target.execute(
        "SELECT id FROM calls WHERE run_id = ? AND key = ? AND intent_at = ? AND result_at = ?",
        (run_id, found["key"], found["intent_at"], found["result_at"]),
    ).fetchone()
    return int(there[0]) if there is not None else insert_copy(target, run_id, None, columns)


def insert_copy(
    target: sqlite3.Connection, run_id: str, scope: str | None, columns: list[object]
) -> int:
    """Copy a call under a run and a scope; return its number in the target."""
    cursor = target.execute(
        f"INSERT INTO calls (run_id, scope, {CALL}) VALUES (?, ?, {_MARKS})",
        (run_id, scope, *columns),
    )
    number = int(cursor.lastrowid or 0)
    seal_intents(target, f"id = {number}")
    return number
