"""A journal as a tape: what one run paid for, read again without paying."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from gate.errors import JournalError, ReplayError
from gate.types import Call, Page
from gate.wire import journal_query as query
from gate.wire.journal_entry import Entry
from gate.wire.journal_file import explained, open_to_read
from gate.wire.journal_identity import scored_by


class Replay:
    """The last finished run of a journal, or the last one where none was finished."""

    def __init__(self, connection: sqlite3.Connection, path: Path, run: query.RunRecord) -> None:
        """Take an open connection; `open` is how one is made."""
        self.path = path
        self.run = run
        self._connection = connection
        self._stack = ExitStack()

    @classmethod
    def open(cls, path: Path, run_id: str | None = None, *, unfinished: bool = False) -> Replay:
        """Open a journal without writing to it or its folder, at its last run or that of `run_id`.

        With `unfinished` at the run that is not finished, where there is one.
        Raises FileError when there is none, JournalError when it is damaged, foreign, being
        written, or holds no such run.
        """
        with ExitStack() as stack:
            connection = stack.enter_context(open_to_read(path))
            with explained(path):
                run = query.unfinished_run(connection) if unfinished else None
                if run is None:
                    run = (
                        query.run_to_replay(connection)
                        if run_id is None
                        else query.run_by_id(connection, run_id)
                    )
            if run is None and run_id is None:
                raise JournalError(f"{path}: holds no run to replay: name the journal of a run")
            if run is None:
                raise JournalError(
                    f"{path}: does not hold the run {run_id}: it was pruned after `keep_days`, or "
                    "the journal is another run's; name the folder of that run"
                )
            replay = cls(connection, path, run)
            replay._stack = stack.pop_all()
        return replay

    def find(self, call: Call) -> Entry:
        """Return what came of a call, a problem included.

        Raises ReplayError when there is none, or when its reply was not kept.
        """
        with explained(self.path):
            entry = query.recorded(self._connection, call, self.run)
        if entry is None:
            raise ReplayError(
                f"{self.path}: run {self.run.id} made no such {call.kind} call "
                f"(case {call.case_id or 'unknown'}, target {call.target or 'unknown'}, "
                f"attempt {call.attempt}): replay with the configuration, cases and prompts of "
                f"that run{self._scored()}, or run again without --replay"
            )
        if entry.problem is None and not entry.kept:
            raise self._not_kept(
                f"the reply of the {call.kind} call (case {call.case_id or 'unknown'}, target "
                f"{call.target or 'unknown'}, attempt {call.attempt})"
            )
        return entry

    def find_page(self, uri: str) -> Page:
        """Return the page that the run fetched at an address.

        Raises ReplayError when it fetched none, or when its text was not kept.
        """
        with explained(self.path):
            page = query.page_of(self._connection, self.run.id, uri)
            known = page is not None or query.pages_of(self._connection, self.run.id, [uri])
        if page is None and known:
            raise self._not_kept(f"the text of the page {uri}")
        if page is None:
            raise ReplayError(
                f"{self.path}: run {self.run.id} fetched no page {uri}: replay with the "
                f"configuration of that run{self._scored()}, or run again without --replay"
            )
        return page

    def unsettled(self) -> tuple[Entry, ...]:
        """Return the calls of the run that may have cost money and that `find` never returns."""
        with explained(self.path):
            return query.superseded(self._connection, self.run.id)

    def audit(self, case_id: str) -> tuple[Entry, ...]:
        """Return every call that was made for a case, of all runs, in their order."""
        with explained(self.path):
            return query.of_case(self._connection, case_id)

    def reused(self, case_id: str) -> tuple[tuple[str | None, Entry], ...]:
        """Return the replies that the run took from the journal for a case, with their targets."""
        with explained(self.path):
            return query.reused_by(self._connection, self.run.id, case_id)

    def pages(self, uris: Iterable[str]) -> tuple[query.KeptPage, ...]:
        """Return what the run kept of the pages at these addresses, in their order."""
        with explained(self.path):
            return query.pages_of(self._connection, self.run.id, uris)

    def close(self) -> None:
        """Close the file."""
        self._stack.close()

    def _scored(self) -> str:
        """Say which scorers a replay has to have."""
        measured = scored_by(self.run.identity)
        listed = f" (of {', '.join(measured)})" if measured else ""
        return f", and with its scorers{listed}"

    def _not_kept(self, what: str) -> ReplayError:
        return ReplayError(
            f"{self.path}: run {self.run.id} was kept under `journal: {self.run.mode}`, which does "
            f"not keep {what}: only a run under `journal: full` can be replayed whole; run again "
            "without --replay"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
