"""One journal of the journals of several shards of one run."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path

from pydantic import JsonValue

from gate.errors import JournalError
from gate.wire import journal_query as query
from gate.wire.journal_copy import CALL, copy_judged, insert_copy, judged_in
from gate.wire.journal_entry import decode, encode
from gate.wire.journal_file import explained, open_to_read, open_to_write
from gate.wire.journal_identity import write_identity
from gate.wire.journal_keep import MODES, Mode
from gate.wire.journal_seal import seal_again


def merge_journals(
    sources: Sequence[Path],
    into: Path,
    *,
    run_id: str,
    identity: Mapping[str, str],
    meta: Mapping[str, JsonValue],
    now: Callable[[], datetime],
) -> None:
    """Write `into`, a journal of the one finished run `run_id`, made of the last runs of `sources`.

    A replay of it finds every call and page of the shards, and what earlier runs had judged for
    them. Where two shards paid for the same call, the first reply stays and both costs count; of a
    page too the first stays (see `page_read_differently`). The
    file stands whole or not at all; one that was there before is replaced. Raises FileError for a
    source that is not there, JournalError for one that is damaged or being written, and for an
    `into` that holds an unfinished run.
    """
    _check_place(into)
    draft = into.with_name(f".{into.name}.{secrets.token_hex(4)}.tmp")
    try:
        with explained(draft), closing(open_to_write(draft)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            _merge(connection, sources, run_id, identity, meta, _stamp(now))
            connection.execute("COMMIT")
        with explained(into):
            _sync(draft)
            draft.replace(into)
            _sync(into.parent)
    finally:
        for name in (draft.name, f"{draft.name}-wal"):
            with suppress(OSError):
                draft.with_name(name).unlink()


def page_read_differently(sources: Sequence[Path]) -> str | None:
    """Return an address that the last runs of two journals read differently; None without one.

    A merged journal holds one text of it, so the replay would not find judgements of the other.
    Raises FileError and JournalError as `merge_journals` does.
    """
    known: dict[str, tuple[object, ...]] = {}
    for path in sources:
        with open_to_read(path) as source, explained(path):
            run = query.run_to_replay(source)
            rows = source.execute(
                "SELECT uri, page FROM pages WHERE run_id = ? ORDER BY uri",
                ("" if run is None else run.id,),
            )
            for uri, page in rows:
                data = decode(page)
                # Without a digest there is no text, or next to none.
                read = (data["uri"], data["status"], data["digest"] or data["text"])
                if known.setdefault(uri, read) != read:
                    return str(uri)
    return None


def _stamp(now: Callable[[], datetime]) -> str:
    return now().isoformat(timespec="milliseconds")


def _check_place(into: Path) -> None:
    """Refuse to replace what somebody may want to go on with."""
    if not into.exists():
        return
    with open_to_read(into) as connection, explained(into):
        unfinished = query.unfinished_run(connection)
    if unfinished is not None or into.with_name(f"{into.name}-wal").exists():
        raise JournalError(
            f"{into}: holds an unfinished run, which a merged journal would replace: "
            "run it to its end, or name another folder"
        )


def _merge(
    connection: sqlite3.Connection,
    sources: Sequence[Path],
    run_id: str,
    identity: Mapping[str, str],
    meta: Mapping[str, JsonValue],
    now: str,
) -> None:
    started: list[str] = []
    modes: list[Mode] = ["full"]
    # Earlier runs first: a replay finds the judgements of runs with a smaller number.
    for own in (False, True):
        if own:
            query.start_run(
                connection, run_id, write_identity(identity), encode(dict(meta)), now, "full"
            )
        for path in sources:
            with open_to_read(path) as source, explained(path):
                run = query.run_to_replay(source)
                if run is None:
                    raise JournalError(f"{path}: holds no run: name the journal of a shard")
                if own:
                    _copy_run(source, connection, run.id, run_id)
                    started.append(run.started_at)
                    modes.append(run.mode)
                else:
                    _copy_judgements(source, connection, run, run_id)
    _drop_doubles(connection, run_id)
    connection.execute(
        "UPDATE runs SET state = 'finished', started_at = ?, finished_at = ?, mode = ?"
        " WHERE id = ?",
        (min(started, default=now), now, max(modes, key=MODES.index), run_id),
    )


def _copy_judgements(
    source: sqlite3.Connection, target: sqlite3.Connection, run: query.RunRecord, run_id: str
) -> None:
    """Copy what earlier runs had judged; shards that began with one journal hold the same."""
    for earlier in judged_in(source, before=run.n):
        if earlier.run_id == run_id:
            raise JournalError(f"the run {run_id} is one of the shards' own: name a new run id")
        for number, copied in copy_judged(target, earlier).items():
            target.executemany(
                "INSERT OR IGNORE INTO reused (run_id, call_id, case_id, target)"
                " VALUES (?, ?, ?, ?)",
                [
                    (run_id, copied, case_id, system)
                    for case_id, system in source.execute(
                        "SELECT case_id, target FROM reused WHERE run_id = ? AND call_id = ?",
                        (run.id, number),
                    )
                ],
            )


def _copy_run(
    source: sqlite3.Connection, target: sqlite3.Connection, old_id: str, run_id: str
) -> None:
    """Copy the calls and pages of a shard's run under the merged run's id."""
    numbers: dict[int, int] = {}
    for number, scope, *columns in source.execute(
        f"SELECT id, scope, {CALL} FROM calls WHERE run_id = ? ORDER BY id", (old_id,)
    ):
        numbers[number] = insert_copy(target, run_id, run_id if scope == old_id else scope, columns)
    target.executemany(
        "INSERT OR IGNORE INTO pages (run_id, uri, page, fetched_at, digest)"
        " VALUES (?, ?, ?, ?, ?)",
        [
            (run_id, *row)
            for row in source.execute(
                "SELECT uri, page, fetched_at, digest FROM pages WHERE run_id = ?", (old_id,)
            )
        ],
    )
    target.executemany(
        "INSERT OR IGNORE INTO reused (run_id, call_id, case_id, target) VALUES (?, ?, ?, ?)",
        [
            (run_id, numbers[call_id], case_id, system)
            for call_id, case_id, system in source.execute(
                "SELECT call_id, case_id, target FROM reused WHERE run_id = ?", (old_id,)
            )
            if call_id in numbers
        ],
    )


def _drop_doubles(connection: sqlite3.Connection, run_id: str) -> None:
    """Keep the first of several replies to one call; of the others the cost stays."""
    doubles = (
        "id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY key, scope ORDER BY id)"
        f" AS place FROM calls WHERE run_id = ? AND {query.FOUND}) WHERE place > 1)"
    )
    numbers = [n for (n,) in connection.execute(f"SELECT id FROM calls WHERE {doubles}", (run_id,))]
    for number in numbers:
        connection.execute("UPDATE calls SET body = NULL WHERE id = ?", (number,))
        seal_again(connection, f"id = {number}")


def _sync(place: Path) -> None:
    """Have the disk hold a file, or the names in a folder."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
