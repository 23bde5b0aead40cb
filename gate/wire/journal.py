"""The journal: one store for everything that costs money.

An intent is committed before a call and its result after it, so that a rerun after `kill -9`
repeats no call whose result was committed. It is resume, cache, replay and audit at once. It
holds requests and replies, no headers and no credentials.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from gate.errors import JournalError
from gate.types import Call, Page
from gate.wire import journal_query as query
from gate.wire.journal_entry import Entry, Outcome, encode, scrubber, write_intent, write_outcome
from gate.wire.journal_file import open_to_write
from gate.wire.journal_replay import Replay
from gate.wire.journal_writer import Writer


class Journal:
    """A journal that is open for writing, held by this process alone."""

    def __init__(
        self, path: Path, *, now: Callable[[], datetime], secrets: tuple[str, ...] = ()
    ) -> None:
        """Open or make the file.

        `now` gives the UTC time. `secrets` are credentials in use: should one turn up in an error
        or a body, `[secret]` is written in its place. Raises JournalError when the file is
        damaged, foreign or held by another process.
        """
        self.path = path
        self._now = now
        self._scrub = scrubber(secrets)
        self._writer = Writer(open_to_write(path), path)
        self._run_id: str | None = None
        self._earlier = 0

    @staticmethod
    def open_replay(path: Path) -> Replay:
        """Open a journal to replay its last run; see `Replay.open`."""
        return Replay.open(path)

    @property
    def run_id(self) -> str:
        """The run that calls are recorded under; raises JournalError before `begin_run`."""
        if self._run_id is None:
            raise JournalError(f"{self.path}: no run was begun in this journal")
        return self._run_id

    def begin_run(
        self,
        new_id: str,
        *,
        identity: str,
        meta: Mapping[str, JsonValue] | None = None,
        resume: bool = True,
    ) -> str:
        """Resume the unfinished run and return its id, or start a run under `new_id`.

        `identity` is a digest of what must be the same for a run to be resumed; `meta` are facts
        to take over from the first start, such as the run's date (see `run_meta`). Without
        `resume` an unfinished run is abandoned. Raises JournalError when the unfinished run has
        another identity, or when `new_id` was used before.
        """
        now = self._stamp()
        facts = self._scrub(encode(dict(meta or {})))

        def begin(connection: sqlite3.Connection) -> tuple[str, int]:
            last = query.last_call(connection)
            open_run = query.unfinished_run(connection) if resume else None
            if open_run is not None:
                if open_run.identity != identity:
                    raise JournalError(
                        f"{self.path}: holds the unfinished run {open_run.id} of another "
                        "configuration: use another --out, or delete the file to start afresh"
                    )
                return open_run.id, last
            if query.run_by_id(connection, new_id) is not None:
                raise JournalError(
                    f"{self.path}: the run {new_id} is already in this journal: "
                    "start again for a new run id, or use another --out"
                )
            connection.execute("UPDATE runs SET state = 'abandoned' WHERE state = 'unfinished'")
            connection.execute(
                "INSERT INTO runs (id, state, identity, meta, started_at)"
                " VALUES (?, 'unfinished', ?, ?, ?)",
                (new_id, identity, facts, now),
            )
            return new_id, last

        self._run_id, self._earlier = self._writer.run(begin)
        return self._run_id

    def run_meta(self, run_id: str) -> dict[str, JsonValue]:
        """Return the facts of a run as its first start and its end gave them."""
        return self._known_run(run_id).meta

    def finish_run(self, run_id: str, meta: Mapping[str, JsonValue] | None = None) -> None:
        """Mark a run as finished, and add facts to it that only its end knows."""
        facts = self._scrub(encode({**self._known_run(run_id).meta, **(meta or {})}))
        now = self._stamp()

        def finish(connection: sqlite3.Connection) -> None:
            connection.execute(
                "UPDATE runs SET state = 'finished', finished_at = ?, meta = ? WHERE id = ?",
                (now, facts, run_id),
            )

        self._writer.run(finish)

    async def find(self, call: Call) -> Entry | None:
        """Return the recorded reply that `call` need not be sent again for.

        A failed call is kept for audit and replay, and is not found.
        """
        run_id = self.run_id
        return await self._writer.arun(lambda connection: query.reusable(connection, call, run_id))

    async def intend(self, call: Call) -> int:
        """Commit that a call is about to be sent, and return its number."""
        columns = write_intent(call, run_id=self.run_id, now=self._stamp(), scrub=self._scrub)

        def insert(connection: sqlite3.Connection) -> int:
            return int(connection.execute(_INSERT, columns).lastrowid or 0)

        return await self._writer.arun(insert)

    async def settle(self, number: int, outcome: Outcome) -> None:
        """Commit what came of a call."""
        columns = write_outcome(outcome, now=self._stamp(), scrub=self._scrub)
        await self._writer.arun(
            lambda connection: connection.execute(_UPDATE, {**columns, "id": number}) and None
        )

    async def find_page(self, uri: str) -> Page | None:
        """Return the page that this run fetched at an address, interrupted parts included."""
        run_id = self.run_id
        return await self._writer.arun(lambda connection: query.page_of(connection, run_id, uri))

    async def keep_page(self, uri: str, page: Page) -> None:
        """Commit a page that was fetched at an address; the first one of a run stays."""
        columns = (self.run_id, uri, self._scrub(encode(page.model_dump())), self._stamp())
        await self._writer.arun(
            lambda connection: connection.execute(_INSERT_PAGE, columns) and None
        )

    def unsettled(self) -> tuple[Entry, ...]:
        """Return the calls of this run, made before `begin_run`, that may have cost for nothing.

        Intents without a result, and failed calls with a try of unknown outcome: they count as
        spent at their reserve.
        """
        run_id, last = self.run_id, self._earlier
        return self._writer.run(lambda connection: query.interrupted(connection, run_id, last))

    def audit(self, case_id: str) -> tuple[Entry, ...]:
        """Return every call that was made for a case, of all runs, in their order."""
        return self._writer.run(lambda connection: query.of_case(connection, case_id))

    def close(self) -> None:
        """Write what still waits and close: one file remains. A second time does nothing."""
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _stamp(self) -> str:
        return self._now().isoformat(timespec="milliseconds")

    def _known_run(self, run_id: str) -> query.RunRecord:
        run = self._writer.run(lambda connection: query.run_by_id(connection, run_id))
        if run is None:
            raise JournalError(f"{self.path}: there is no run {run_id} in this journal")
        return run


_INSERT = (
    "INSERT INTO calls (run_id, key, scope, kind, vendor, model, attempt, case_id, target,"
    " request, reserve_usd, intent_at) VALUES (:run_id, :key, :scope, :kind, :vendor, :model,"
    " :attempt, :case_id, :target, :request, :reserve_usd, :intent_at)"
)
_INSERT_PAGE = "INSERT OR IGNORE INTO pages (run_id, uri, page, fetched_at) VALUES (?, ?, ?, ?)"
_UPDATE = (
    "UPDATE calls SET result_at = :result_at, body = :body, problem = :problem, usd = :usd,"
    " lost = :lost, latency_s = :latency_s, tries = :tries WHERE id = :id"
)
