"""The journal: one store for everything that costs money.

An intent is committed before a call and its result after it, so that a rerun after `kill -9`
repeats no call whose result was committed. It is resume, cache, replay and audit at once. It
holds requests and replies, no headers and no credentials.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import JsonValue

from gate.errors import JournalError
from gate.types import Call, Page
from gate.wire import journal_query as query
from gate.wire.journal_copy import copy_judged, judged_in
from gate.wire.journal_entry import (
    Entry,
    Outcome,
    encode,
    request_of,
    scrubber,
    write_intent,
    write_outcome,
)
from gate.wire.journal_file import explained, open_to_read, open_to_write
from gate.wire.journal_identity import differing, write_identity
from gate.wire.journal_keep import (
    NOT_KEPT,
    Mode,
    keeps_reply,
    keeps_request,
    shrink,
    take_out,
    tidy,
    worth_shrinking,
    write_page,
)
from gate.wire.journal_replay import Replay
from gate.wire.journal_seal import seal
from gate.wire.journal_writer import Writer


class Journal:
    """A journal that is open for writing, held by this process alone."""

    def __init__(
        self,
        path: Path,
        *,
        now: Callable[[], datetime],
        secrets: tuple[str, ...] = (),
        mode: Mode = "full",
        keep_days: int = 30,
    ) -> None:
        """Open or make the file, and drop what is too old or of no more use (`journal_keep`).

        `now` gives the UTC time. `secrets` are credentials in use: should one turn up in an error
        or a body, `[secret]` is written in its place. `mode` says what is kept of texts, and
        `keep_days` for how many days after a run's end. Raises JournalError when the file is
        damaged, foreign or held by another process.
        """
        self.path = path
        self._now = now
        self._scrub = scrubber(secrets)
        self._mode = mode
        self._keep_days = keep_days
        self._writer = Writer(open_to_write(path), path)
        self._run_id: str | None = None
        self._earlier = 0
        # The process holds the file alone, so it knows what is in it without asking.
        self._replies: set[str] = set()
        self._pages: set[str] = set()
        self._sent: dict[int, tuple[str, str]] = {}
        try:
            self._tidy()
            self._shrink(always=False)
        except BaseException:
            self._writer.close()
            raise

    @staticmethod
    def open_replay(path: Path, run_id: str | None = None, *, unfinished: bool = False) -> Replay:
        """Open a journal to replay its last run, or the one of that id; see `Replay.open`."""
        return Replay.open(path, run_id, unfinished=unfinished)

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
        identity: Mapping[str, str],
        meta: Mapping[str, JsonValue] | None = None,
        resume: bool = True,
    ) -> str:
        """Resume the unfinished run and return its id, or start a run under `new_id`.

        A run of the same identity that ended at its ceiling or its deadline (`stopped` among the
        facts of its end) is resumed too, if all its replies are here.

        `identity` is what must be the same for a run to be resumed: the parts, named in words that
        a message can say, and their digests. `meta` are facts to take over from the first start,
        such as the run's date (see `run_meta`). Without `resume` an unfinished run is abandoned.
        Raises JournalError that names the parts in which the unfinished run differs, or when
        `new_id` was used before.
        """
        now = self._stamp()
        facts = self._scrub(encode(dict(meta or {})))
        wanted = write_identity(identity)

        def begin(connection: sqlite3.Connection) -> str:
            open_run = query.unfinished_run(connection) if resume else None
            if open_run is not None:
                parts = differing(open_run.identity, wanted)
                if parts:
                    raise JournalError(
                        f"{self.path}: holds the unfinished run {open_run.id} of another "
                        f"configuration; what differs: {', '.join(parts)}. Go on with what that "
                        "run was begun with, use another --out, or delete the file to start afresh"
                    )
                query.set_mode(connection, open_run.id, self._mode)
                return open_run.id
            stopped = query.stopped_run(connection, wanted) if resume else None
            if stopped is not None:
                query.reopen(connection, stopped.id)
                query.set_mode(connection, stopped.id, self._mode)
                return stopped.id
            if query.run_by_id(connection, new_id) is not None:
                raise JournalError(
                    f"{self.path}: the run {new_id} is already in this journal: "
                    "start again for a new run id, or use another --out"
                )
            query.start_run(connection, new_id, wanted, facts, now, self._mode)
            return new_id

        def know(connection: sqlite3.Connection) -> None:
            assert self._run_id is not None
            self._earlier = query.last_call(connection)
            self._replies = query.known_replies(connection, self._run_id)
            self._pages = query.known_pages(connection, self._run_id)

        self._run_id = self._writer.run(begin)
        self._writer.run(know)
        return self._run_id

    def take_judgements(self, path: Path) -> int:
        """Copy the judgements of another journal that a run may reuse, before `begin_run`.

        Returns how many there are now, those older than `keep_days` left out. An unfinished run
        there is not gone on with, and its answers and pages are left behind. Raises FileError when
        there is no such file, JournalError when it is damaged, foreign or being written; nothing is
        copied then.
        """
        with open_to_read(path) as source, explained(path):
            found = judged_in(source)
        self._writer.run(lambda target: [copy_judged(target, run) for run in found])
        self._tidy()
        return self._writer.run(query.count_judgements)

    def run_meta(self, run_id: str) -> dict[str, JsonValue]:
        """Return the facts of a run as its first start and its end gave them."""
        return self._known_run(run_id).meta

    def finish_run(self, run_id: str, meta: Mapping[str, JsonValue] | None = None) -> None:
        """Mark a run as finished, and add facts to it that only its end knows.

        What the journal's mode keeps no longer than until then is taken out of the file.
        """
        facts = self._scrub(encode({**self._known_run(run_id).meta, **(meta or {})}))
        now = self._stamp()

        def finish(connection: sqlite3.Connection) -> bool:
            connection.execute(
                "UPDATE runs SET state = 'finished', finished_at = ?, meta = ? WHERE id = ?",
                (now, facts, run_id),
            )
            return take_out(connection, self._mode)

        if self._writer.run(finish):
            self._shrink(always=True)

    def give_up_run(self, run_id: str) -> None:
        """Mark a run as one that is never gone on with; one that made no call is forgotten.

        It is no finished run, so that a replay gives the one before it.
        """

        def give_up(connection: sqlite3.Connection) -> bool:
            query.give_up(connection, run_id)
            return take_out(connection, self._mode)

        if self._writer.run(give_up):
            self._shrink(always=True)

    async def find(self, call: Call) -> Entry | None:
        """Return the recorded reply that `call` need not be sent again for.

        A failed call is kept for audit and replay, and is not found. That a reply answered a call
        of another run or case is recorded.
        """
        run_id = self.run_id
        if call.key not in self._replies:
            return None

        def look_up(connection: sqlite3.Connection) -> Entry | None:
            entry = query.reusable(connection, call, run_id)
            if entry is not None:
                query.note_reuse(connection, entry, call, run_id)
            return entry

        return await self._writer.arun(look_up)

    async def intend(self, call: Call) -> int:
        """Commit that a call is about to be sent, and return its number."""
        columns = write_intent(
            call,
            run_id=self.run_id,
            now=self._stamp(),
            scrub=self._scrub,
            request=request_of(call) if keeps_request(self._mode, call) else NOT_KEPT,
        )
        number = await self._writer.arun(lambda connection: query.insert_call(connection, columns))
        self._sent[number] = call.key, columns["request_digest"]
        return number

    async def settle(self, number: int, outcome: Outcome) -> None:
        """Commit what came of a call that `intend` gave the number for."""
        key, request_digest = self._sent.pop(number)
        columns = write_outcome(
            outcome,
            now=self._stamp(),
            scrub=self._scrub,
            key=key,
            request_digest=request_digest,
            keep_reply=keeps_reply(self._mode),
        )
        await self._writer.arun(lambda connection: query.update_call(connection, number, columns))
        if columns["body"] is not None:
            self._replies.add(key)

    async def find_page(self, uri: str) -> Page | None:
        """Return the page that this run fetched at an address, interrupted parts included.

        None where it fetched none, or did not keep its text.
        """
        run_id = self.run_id
        if uri not in self._pages:
            return None
        return await self._writer.arun(lambda connection: query.page_of(connection, run_id, uri))

    async def keep_page(self, uri: str, page: Page) -> None:
        """Commit a page that was fetched at an address; the first one of a run stays."""
        text = self._scrub(write_page(page, self._mode))
        columns = (self.run_id, uri, text, self._stamp(), seal(text))
        await self._writer.arun(lambda connection: query.insert_page(connection, columns))
        self._pages.add(uri)

    def unsettled(self) -> tuple[Entry, ...]:
        """Return the calls of this run, made before `begin_run`, that may have cost for nothing.

        Intents without a result, failed calls with a try of unknown outcome, and calls whose reply
        was not kept.
        """
        run_id, last = self.run_id, self._earlier
        return self._writer.run(lambda connection: query.interrupted(connection, run_id, last))

    def paid(self) -> tuple[query.Paid, ...]:
        """Return what the calls of this run cost that were made before `begin_run` and are here."""
        run_id, last = self.run_id, self._earlier
        return self._writer.run(lambda connection: query.paid(connection, run_id, last))

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

    def _tidy(self) -> None:
        """Drop what is too old or of no more use."""
        self._writer.run(lambda connection: tidy(connection, self._now(), self._keep_days))

    def _shrink(self, *, always: bool) -> None:
        """Give free pages back where that is worth it."""

        def work(connection: sqlite3.Connection) -> None:
            if always or worth_shrinking(connection):
                shrink(connection)

        # Without room for a second copy the file stays as large as it is, and as right.
        with suppress(JournalError):
            self._writer.run_alone(work)

    def _known_run(self, run_id: str) -> query.RunRecord:
        run = self._writer.run(lambda connection: query.run_by_id(connection, run_id))
        if run is None:
            raise JournalError(f"{self.path}: there is no run {run_id} in this journal")
        return run
