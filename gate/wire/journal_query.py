"""Questions to a journal, and what is written to it, as plain SQL on a connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from gate.types import Call, Page
from gate.wire.journal_entry import COLUMNS, Entry, decode, read_entry
from gate.wire.journal_keep import REUSABLE, Mode, read_page


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
    """What must be the same for the run to be resumed, as `journal_identity` writes it."""
    meta: dict[str, JsonValue]
    """Facts that a resumed run or a replay takes over, such as the run's date."""
    started_at: str
    """UTC time, ISO 8601."""
    finished_at: str | None
    """UTC time of its last end; None until it is finished."""
    mode: Mode
    """What is kept of its texts."""

    @property
    def stopped(self) -> bool:
        """Whether it ended at its ceiling or its deadline, before it was gone on with at last."""
        return isinstance(self.meta.get("stopped"), str)


@dataclass(frozen=True)
class Paid:
    """What a call cost whose reply is here."""

    id: int
    """Its number."""
    usd: float | None
    """Cost of the reply in US dollars; None when unknown."""
    lost: int
    """Tries whose outcome is unknown; each counts as spent at the reserve."""
    reserve_usd: float | None
    """Worst cost in US dollars; None when unknown."""


@dataclass(frozen=True)
class KeptPage:
    """A page that a run read, as the journal keeps it."""

    uri: str
    """The address that the answer gave."""
    fetched_at: str
    """UTC time, ISO 8601."""
    status: str
    """`ok`, or why there is no text."""
    final: str
    """Address after redirects."""
    digest: str | None
    """SHA-256 of the text."""
    text: str | None
    """The text; None where it was not kept."""


_WORLD = "(SELECT json_extract(meta, '$.world') IS NULL FROM runs WHERE id = {})"
_SAME_WORLD = f"{_WORLD.format('calls.run_id')} = {_WORLD.format(':run')}"
"""What a stand-in said is worth nothing among real calls, nor the other way round."""
FOUND = "result_at IS NOT NULL AND problem IS NULL AND body IS NOT NULL"
"""A reply that is here."""
_BEST = "result_at IS NULL, problem IS NOT NULL OR body IS NULL, id DESC"
"""Order of a run's calls of one key, the one that a replay gives first."""


def run_by_id(connection: sqlite3.Connection, run_id: str) -> RunRecord | None:
    """Return the run of that id."""
    return _run(connection.execute(f"{_RUNS} WHERE id = ?", (run_id,)))


def unfinished_run(connection: sqlite3.Connection) -> RunRecord | None:
    """Return the last run that was started and not finished."""
    return _run(connection.execute(f"{_RUNS} WHERE state = 'unfinished' ORDER BY n DESC LIMIT 1"))


def stopped_run(connection: sqlite3.Connection, identity: str) -> RunRecord | None:
    """Return the last run of that identity, where it ended at its ceiling or its deadline.

    None where a reply of it was not kept: going on would pay for that again.
    """
    run = _run(
        connection.execute(
            f"{_RUNS} WHERE state = 'finished' AND identity = ? ORDER BY n DESC LIMIT 1",
            (identity,),
        )
    )
    if run is None or not run.stopped:
        return None
    lacking = connection.execute(
        "SELECT 1 FROM calls WHERE run_id = ? AND result_at IS NOT NULL AND problem IS NULL"
        " AND body IS NULL LIMIT 1",
        (run.id,),
    )
    return None if lacking.fetchone() else run


def reopen(connection: sqlite3.Connection, run_id: str) -> None:
    """Make an ended run an unfinished one."""
    connection.execute("UPDATE runs SET state = 'unfinished' WHERE id = ?", (run_id,))


def run_to_replay(connection: sqlite3.Connection) -> RunRecord | None:
    """Return the run that was finished last, or the last one where none was finished."""
    return _run(
        connection.execute(
            f"{_RUNS} ORDER BY state = 'finished' DESC, coalesce(finished_at, '') DESC, n DESC"
            " LIMIT 1"
        )
    )


def start_run(
    connection: sqlite3.Connection, run_id: str, identity: str, meta: str, now: str, mode: Mode
) -> None:
    """Begin a run; one that was not finished is abandoned."""
    connection.execute("UPDATE runs SET state = 'abandoned' WHERE state = 'unfinished'")
    connection.execute(
        "INSERT INTO runs (id, state, identity, meta, started_at, mode)"
        " VALUES (?, 'unfinished', ?, ?, ?, ?)",
        (run_id, identity, meta, now, mode),
    )


def give_up(connection: sqlite3.Connection, run_id: str) -> None:
    """Abandon a run, or forget it where nothing was recorded of it.

    One that had ended before, at its ceiling or its deadline, is again what it was.
    """
    run = run_by_id(connection, run_id)
    if run is not None and run.stopped:
        connection.execute("UPDATE runs SET state = 'finished' WHERE id = ?", (run_id,))
        return
    connection.execute(
        "DELETE FROM runs WHERE id = :id AND NOT EXISTS"
        " (SELECT 1 FROM calls WHERE run_id = :id UNION SELECT 1 FROM reused WHERE run_id = :id"
        " UNION SELECT 1 FROM pages WHERE run_id = :id)",
        {"id": run_id},
    )
    connection.execute("UPDATE runs SET state = 'abandoned' WHERE id = ?", (run_id,))


def set_mode(connection: sqlite3.Connection, run_id: str, mode: Mode) -> None:
    """Note what is kept of a run's texts from now on."""
    connection.execute("UPDATE runs SET mode = ? WHERE id = ?", (mode, run_id))


def insert_call(connection: sqlite3.Connection, columns: Mapping[str, Any]) -> int:
    """Write a call down, and return its number."""
    return int(connection.execute(_insert("calls", columns), columns).lastrowid or 0)


def update_call(connection: sqlite3.Connection, number: int, columns: Mapping[str, Any]) -> None:
    """Write down what came of a call."""
    values = ", ".join(f"{name} = :{name}" for name in columns)
    connection.execute(
        f"UPDATE calls SET {values} WHERE id = :id",
        {**columns, "id": number},
    )


def insert_page(connection: sqlite3.Connection, columns: tuple[str, ...]) -> None:
    """Write a page down unless its run has it: run, address, page, time, seal."""
    connection.execute(
        "INSERT OR IGNORE INTO pages (run_id, uri, page, fetched_at, digest)"
        " VALUES (?, ?, ?, ?, ?)",
        columns,
    )


def note_reuse(connection: sqlite3.Connection, entry: Entry, call: Call, run_id: str) -> None:
    """Write down that a recorded reply answered a call of another run, case or target."""
    if (entry.run_id, entry.case_id, entry.target) != (run_id, call.case_id, call.target):
        connection.execute(
            "INSERT INTO reused (run_id, call_id, case_id, target) SELECT :run, :id, :case, :target"
            " WHERE NOT EXISTS (SELECT 1 FROM reused WHERE run_id = :run AND call_id = :id"
            " AND case_id IS :case AND target IS :target)",
            {"run": run_id, "id": entry.id, "case": call.case_id, "target": call.target},
        )


def known_replies(connection: sqlite3.Connection, run_id: str) -> set[str]:
    """Return the keys of which `reusable` may find a reply in the run `run_id`."""
    return _texts(
        connection.execute(
            "SELECT DISTINCT key FROM calls WHERE (run_id = :run OR (scope IS NULL"
            f" AND kind <> 'answer' AND {_SAME_WORLD})) AND {FOUND}",
            {"run": run_id},
        )
    )


def count_judgements(connection: sqlite3.Connection) -> int:
    """Return how many replies a new run may reuse."""
    rows = connection.execute(f"SELECT count(DISTINCT key) FROM calls WHERE {REUSABLE}")
    return int(rows.fetchone()[0])


def known_pages(connection: sqlite3.Connection, run_id: str) -> set[str]:
    """Return the addresses of the pages that a run fetched."""
    return _texts(connection.execute("SELECT uri FROM pages WHERE run_id = ?", (run_id,)))


def reusable(connection: sqlite3.Connection, call: Call, run_id: str) -> Entry | None:
    """Return the reply that `call` need not be sent again for, in the run `run_id`.

    A reply of the same key and scope, where the scope is none or this run. An answer of another
    run is never reused, whatever its scope. This run's own replies come first.
    """
    rows = connection.execute(
        f"{_CALLS} WHERE key = :key AND scope IS :scope"
        " AND (scope IS NULL OR scope = :run) AND (kind <> 'answer' OR run_id = :run)"
        f" AND {_SAME_WORLD} AND {FOUND} ORDER BY run_id = :run DESC, id LIMIT 1",
        {"key": call.key, "scope": call.scope, "run": run_id},
    )
    return _first(rows)


def recorded(connection: sqlite3.Connection, call: Call, run: RunRecord) -> Entry | None:
    """Return what came of `call` in `run`: a reply, or the last problem, or one not kept.

    Where the run made no such call: the reply of an earlier run that it reused.
    """
    own = connection.execute(
        f"{_CALLS} WHERE key = ? AND run_id = ? AND scope IS ? AND result_at IS NOT NULL"
        f" ORDER BY {_BEST} LIMIT 1",
        (call.key, run.id, call.scope),
    )
    earlier = connection.execute(
        f"{_CALLS} WHERE key = :key AND scope IS NULL AND kind <> 'answer'"
        " AND (run_id IN (SELECT id FROM runs WHERE n < :n)"
        " OR id IN (SELECT call_id FROM reused WHERE run_id = :run))"
        f" AND {_SAME_WORLD} AND result_at IS NOT NULL AND problem IS NULL"
        " ORDER BY body IS NULL, id NOT IN (SELECT call_id FROM reused WHERE run_id = :run), id"
        " LIMIT 1",
        {"key": call.key, "n": run.n, "run": run.id},
    )
    return _first(own) or _first(earlier)


def paid(connection: sqlite3.Connection, run_id: str, last: int) -> tuple[Paid, ...]:
    """Return the calls of a run, up to number `last`, whose replies are here."""
    rows = connection.execute(
        "SELECT id, usd, lost, reserve_usd FROM calls WHERE run_id = ? AND id <= ? AND tries > 0"
        f" AND {FOUND} ORDER BY id",
        (run_id, last),
    )
    return tuple(Paid(*row) for row in rows)


def interrupted(connection: sqlite3.Connection, run_id: str, last: int) -> tuple[Entry, ...]:
    """Return the calls of a run, up to number `last`, that cost money and are not found again.

    Those are intents without a result, failed calls with a try of unknown outcome, and calls whose
    reply was not kept.
    """
    return _all(
        connection.execute(
            f"{_CALLS} WHERE run_id = ? AND id <= ? AND (result_at IS NULL"
            " OR (problem IS NOT NULL AND lost > 0) OR (problem IS NULL AND body IS NULL))"
            " ORDER BY id",
            (run_id, last),
        )
    )


def superseded(connection: sqlite3.Connection, run_id: str) -> tuple[Entry, ...]:
    """Return the same of a whole run, without the calls that `recorded` finds.

    A call that two shards of a run paid for is there twice, and found once.
    """
    return _all(
        connection.execute(
            f"SELECT {COLUMNS} FROM (SELECT *, row_number() OVER"
            f" (PARTITION BY key, scope ORDER BY {_BEST}) AS place FROM calls WHERE run_id = ?)"
            " WHERE result_at IS NULL OR (place > 1 AND (problem IS NULL OR lost > 0))"
            " ORDER BY id",
            (run_id,),
        )
    )


def last_call(connection: sqlite3.Connection) -> int:
    """Return the number of the last call, 0 where there is none."""
    (number,) = connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()
    return int(number)


def of_case(connection: sqlite3.Connection, case_id: str) -> tuple[Entry, ...]:
    """Return every call that was made for a case, in their order, of all runs."""
    return _all(connection.execute(f"{_CALLS} WHERE case_id = ? ORDER BY id", (case_id,)))


def reused_by(
    connection: sqlite3.Connection, run_id: str, case_id: str
) -> tuple[tuple[str | None, Entry], ...]:
    """Return the replies that a run took from the journal for a case, each with its target."""
    rows = connection.execute(
        f"SELECT reused.target AS asked_for, {_OF_CALLS} FROM reused"
        " JOIN calls ON calls.id = reused.call_id"
        " WHERE reused.run_id = ? AND reused.case_id = ? ORDER BY calls.id, reused.target",
        (run_id, case_id),
    )
    return tuple((row[0], read_entry(row[1:])) for row in rows)


def page_of(connection: sqlite3.Connection, run_id: str, uri: str) -> Page | None:
    """Return the page that a run fetched at an address.

    None where it fetched none, or did not keep its text.
    """
    row = connection.execute(
        "SELECT page FROM pages WHERE run_id = ? AND uri = ?", (run_id, uri)
    ).fetchone()
    return None if row is None else read_page(row[0])


def pages_of(
    connection: sqlite3.Connection, run_id: str, uris: Iterable[str]
) -> tuple[KeptPage, ...]:
    """Return what a run kept of the pages at these addresses, in their order."""
    found = []
    for uri in uris:
        row = connection.execute(
            "SELECT fetched_at, page FROM pages WHERE run_id = ? AND uri = ?", (run_id, uri)
        ).fetchone()
        if row is not None:
            page = decode(row[1])
            found.append(
                KeptPage(uri, row[0], page["status"], page["uri"], page["digest"], page["text"])
            )
    return tuple(found)


_RUNS = "SELECT n, id, state, identity, meta, started_at, finished_at, mode FROM runs"
_CALLS = f"SELECT {COLUMNS} FROM calls"
_OF_CALLS = ", ".join(f"calls.{name}" for name in COLUMNS.split(", "))


def _insert(table: str, columns: Mapping[str, Any]) -> str:
    values = ", ".join(f":{name}" for name in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"


def _run(rows: sqlite3.Cursor) -> RunRecord | None:
    row: tuple[Any, ...] | None = rows.fetchone()
    if row is None:
        return None
    n, run_id, state, identity, meta, started_at, finished_at, mode = row
    return RunRecord(
        n, run_id, state, identity, decode(meta), started_at, finished_at, mode or "full"
    )


def _texts(rows: sqlite3.Cursor) -> set[str]:
    return {text for (text,) in rows}


def _first(rows: sqlite3.Cursor) -> Entry | None:
    row = rows.fetchone()
    return None if row is None else read_entry(row)


def _all(rows: sqlite3.Cursor) -> tuple[Entry, ...]:
    return tuple(read_entry(row) for row in rows)
