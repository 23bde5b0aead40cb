"""What a journal keeps, of which run, and for how long.

`full` keeps everything. `no-pages` never writes the text of a page nor a request to a judge, which
quotes pages; replies of judges who saw pages quote them too and are taken out when the run ends.
`no-text` writes keys, costs, times and problems only. A mode holds for the whole file: when a run
ends, what earlier ones kept and the mode does not is taken out as well. A run that was killed
keeps what it wrote until it is resumed and ends.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime, timedelta
from typing import Literal, get_args

from gate.types import CONTROL, Call, Page
from gate.wire.journal_entry import decode, encode
from gate.wire.journal_seal import seal_again

Mode = Literal["full", "no-pages", "no-text"]
"""What is kept of texts."""

MODES: tuple[Mode, ...] = get_args(Mode)
"""The modes, the one that keeps the most first."""

NOT_KEPT = "null"
"""Stands in the place of a request that is not kept."""

REUSABLE = (
    "(kind <> 'answer' AND scope IS NULL AND result_at IS NOT NULL AND problem IS NULL"
    f" AND body IS NOT NULL AND target IS NOT '{CONTROL}')"
)
"""What another run may reuse: never what was said of control answers, which are judged afresh."""
_REQUESTS = {"no-pages": "kind <> 'answer'", "no-text": "TRUE"}
_REPLIES = {"no-pages": "kind <> 'answer' AND quotes_pages IS NOT 0", "no-text": "TRUE"}
_SHORT_PAGE = "page = without_text(page), digest = seal(CAST(without_text(page) AS BLOB))"
_ENDED = "run_id IN (SELECT id FROM runs WHERE state <> 'unfinished')"


def keeps_request(mode: Mode, call: Call) -> bool:
    """Whether the request of a call is written down."""
    return mode == "full" or (mode == "no-pages" and call.kind == "answer")


def keeps_reply(mode: Mode) -> bool:
    """Whether replies are written down, for as long as the run is not finished."""
    return mode != "no-text"


def write_page(page: Page, mode: Mode) -> str:
    """Return a page as it is written: under every mode but `full` without its text."""
    whole = encode(page.model_dump())
    return whole if mode == "full" else without_text(whole)


def without_text(page: str) -> str:
    """Return a written page with `null` for its text; one that has no text stays as it is."""
    data = json.loads(page)
    return encode({**data, "text": None}) if data["text"] else page


def read_page(text: str) -> Page | None:
    """Return a written page; None when its text was not kept."""
    data = decode(text)
    return None if data["text"] is None else Page.model_validate(data)


def take_out(connection: sqlite3.Connection, mode: Mode) -> bool:
    """Take out of all runs that have ended what `mode` does not keep; whether there was any."""
    if mode == "full":
        return False
    before = connection.total_changes
    requests = f"{_ENDED} AND request <> '{NOT_KEPT}' AND {_REQUESTS[mode]}"
    replies = f"{_ENDED} AND body IS NOT NULL AND {_REPLIES[mode]}"
    touched = [
        number
        for where in (requests, replies)
        for (number,) in connection.execute(f"SELECT id FROM calls WHERE {where}")
    ]
    connection.execute(f"UPDATE calls SET request = '{NOT_KEPT}' WHERE {requests}")
    connection.execute(f"UPDATE calls SET body = NULL WHERE {replies}")
    if touched:
        connection.execute("CREATE TEMP TABLE touched (id INTEGER PRIMARY KEY)")
        connection.executemany(
            "INSERT OR IGNORE INTO touched VALUES (?)", ((number,) for number in touched)
        )
        seal_again(connection, "id IN (SELECT id FROM touched)")
        connection.execute("DROP TABLE touched")
    connection.create_function("without_text", 1, without_text)
    connection.execute(
        f"UPDATE pages SET {_SHORT_PAGE} WHERE {_ENDED} AND page <> without_text(page)"
    )
    taken = connection.total_changes > before
    connection.execute(
        "UPDATE runs SET mode = ? WHERE state <> 'unfinished' AND coalesce(mode, '') <> 'no-text'",
        (mode,),
    )
    return taken


def tidy(connection: sqlite3.Connection, now: datetime, keep_days: int) -> None:
    """Drop runs that ended more than `keep_days` ago, and what no later run can need.

    A reply that a younger run reused is a part of that run, and stays with it. Of a run that was
    given up only the judgements stay that another run may reuse; of a finished run before the last
    one, calls that failed at no cost and were answered by a later one go.
    """
    cutoff = (now - timedelta(days=keep_days)).isoformat(timespec="milliseconds")
    _prune(connection, cutoff)
    _compact(connection)


def _prune(connection: sqlite3.Connection, cutoff: str) -> None:
    old = (
        "SELECT id FROM runs WHERE state <> 'unfinished' AND coalesce(finished_at, started_at) < ?"
    )
    connection.execute(f"DELETE FROM pages WHERE run_id IN ({old})", (cutoff,))
    connection.execute(f"DELETE FROM reused WHERE run_id IN ({old})", (cutoff,))
    connection.execute(
        f"DELETE FROM calls WHERE run_id IN ({old}) AND id NOT IN (SELECT call_id FROM reused)",
        (cutoff,),
    )
    connection.execute(
        f"DELETE FROM runs WHERE id IN ({old}) AND id NOT IN (SELECT run_id FROM calls)",
        (cutoff,),
    )
    # What is left of an old run are replies that a younger one reused: it is not replayed itself.
    connection.execute(
        f"UPDATE runs SET state = 'abandoned' WHERE id IN ({old}) AND state <> 'abandoned'",
        (cutoff,),
    )


def _compact(connection: sqlite3.Connection) -> None:
    given_up = "run_id IN (SELECT id FROM runs WHERE state = 'abandoned')"
    connection.execute(f"DELETE FROM pages WHERE {given_up}")
    connection.execute(f"DELETE FROM reused WHERE {given_up}")
    connection.execute(
        f"DELETE FROM calls WHERE {given_up} AND NOT {REUSABLE}"
        " AND id NOT IN (SELECT call_id FROM reused)"
    )
    connection.execute(
        "DELETE FROM calls WHERE id IN (SELECT this.id FROM calls AS this"
        " JOIN calls AS later ON later.key = this.key AND later.run_id = this.run_id"
        " AND later.scope IS this.scope"
        " AND later.id > this.id AND later.result_at IS NOT NULL AND later.problem IS NULL"
        " WHERE this.problem IS NOT NULL AND this.lost = 0 AND this.run_id IN"
        " (SELECT id FROM runs WHERE state = 'finished'"
        " AND n < (SELECT max(n) FROM runs WHERE state = 'finished')))"
    )


def worth_shrinking(connection: sqlite3.Connection) -> bool:
    """Whether a quarter of the file or more is free."""
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    return bool(free) and 4 * int(free) >= int(pages)


def shrink(connection: sqlite3.Connection) -> None:
    """Write the file anew without its free pages; a kill leaves the file as it was."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
