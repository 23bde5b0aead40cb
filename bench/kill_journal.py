"""What a journal holds at one moment of the kill sweep, read without touching it."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from gate.wire.journal_seal import seal_intents, teach

JOURNAL = "journal.sqlite"


@dataclass(frozen=True)
class Snapshot:
    """What a journal held at one moment."""

    state: str | None
    """Of the last run: `unfinished` and so on; None where there is none."""
    run_id: str | None
    """Of the last run."""
    runs: int
    """Number of runs."""
    settled: tuple[tuple[str, float | None, int], ...]
    """Key, price and tries of the last run's calls with a result."""
    unsettled: tuple[float | None, ...]
    """Reserves of the last run's calls without one."""
    pages: int
    """Pages of the last run."""
    integrity: str
    """What SQLite's integrity check says."""


def snapshot(folder: Path) -> Snapshot:
    """Read a journal from a copy, so that nothing about it changes."""
    with TemporaryDirectory() as name:
        for path in folder.glob(f"{JOURNAL}*"):
            shutil.copy(path, name)
        if not (Path(name) / JOURNAL).exists():
            return Snapshot(None, None, 0, (), (), 0, "ok")
        with closing(sqlite3.connect(Path(name) / JOURNAL)) as connection:
            integrity = "; ".join(row[0] for row in connection.execute("PRAGMA integrity_check"))
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name='runs'").fetchone():
                return Snapshot(None, None, 0, (), (), 0, integrity)
            runs = connection.execute("SELECT id, state FROM runs ORDER BY n").fetchall()
            run_id, state = runs[-1] if runs else (None, None)
            calls = connection.execute(
                # A ruling on a control answer has a key of its run's own: what is asked tells it.
                "SELECT iif(target = 'control answer', request, key), usd, tries, result_at, "
                "reserve_usd FROM calls WHERE run_id = ?",
                (run_id,),
            ).fetchall()
            (has_pages,) = connection.execute(
                "SELECT count(*) FROM sqlite_master WHERE name = 'pages'"
            ).fetchone()
            (pages,) = (
                connection.execute(
                    "SELECT count(*) FROM pages WHERE run_id = ?", (run_id,)
                ).fetchone()
                if has_pages
                else (0,)
            )
    return Snapshot(
        state,
        run_id,
        len(runs),
        tuple((key, usd, tries) for key, usd, tries, at, _ in calls if at is not None),
        tuple(reserve for *_, at, reserve in calls if at is None),
        pages,
        integrity,
    )


def back_date(folder: Path, days: int) -> None:
    """Make every run and call of a journal that many days older."""
    with closing(sqlite3.connect(folder / JOURNAL)) as connection, connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        for table in {"runs", "calls", "pages"} & set(tables):
            for column in [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]:
                if column.endswith("_at"):
                    connection.execute(
                        f"UPDATE {table} SET {column} ="
                        f" strftime('%Y-%m-%dT%H:%M:%f+00:00', {column}, ?)",
                        (f"-{days} days",),
                    )
        teach(connection)
        seal_intents(connection, "true")
