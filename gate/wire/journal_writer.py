"""One thread that writes: operations that wait together share one commit.

A commit waits for the disk; those that arrive meanwhile are done together in the next one, so
that hundreds of calls in flight cost a few commits and the event loop never waits for a disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from gate.errors import GateError, JournalError
from gate.wire.journal_file import explain

T = TypeVar("T")


@dataclass
class _Task(Generic[T]):
    """An operation and, once its commit is done, what came of it."""

    operation: Callable[[sqlite3.Connection], T]
    done: bool = False
    value: T | None = None
    error: GateError | None = None

    def take(self) -> T:
        if not self.done:
            raise JournalError("the journal did not write: an operation beside this one broke")
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # set by whoever set `done`


class Writer:
    """Runs operations on one connection, in their order, each within a committed transaction.

    An operation that raises GateError must not have written before.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        """Take over `connection`; `path` is for messages."""
        self._connection = connection
        self._path = path
        self._waiting: deque[_Task[Any]] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="journal")
        self._closed = False

    def run(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Do it, wait for its commit, and return its value; raise JournalError on failure."""
        task, round_ = self._submit(operation)
        round_.result()
        return task.take()

    async def arun(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Do the same without holding up the event loop.

        Once this is awaited the operation is done, even when the one who waits is cancelled.
        """
        task, round_ = self._submit(operation)
        await asyncio.wrap_future(round_)
        return task.take()

    def close(self) -> None:
        """Write what still waits and close the file; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        last = self._thread.submit(self._round)
        self._thread.shutdown(wait=True)
        try:
            last.result()
        finally:
            self._connection.close()

    def _submit(
        self, operation: Callable[[sqlite3.Connection], T]
    ) -> tuple[_Task[T], Future[None]]:
        if self._closed:
            raise JournalError(f"{self._path}: the journal is closed")
        task = _Task(operation)
        self._waiting.append(task)
        # The round that serves the task is this one or an earlier one: it was queued before.
        return task, self._thread.submit(self._round)

    def _round(self) -> None:
        """Do everything that waits, in one transaction."""
        tasks = []
        while self._waiting:
            tasks.append(self._waiting.popleft())
        if not tasks:
            return
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for task in tasks:
                try:
                    task.value = task.operation(self._connection)
                except GateError as error:
                    task.error = error
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            for task in tasks:
                task.error = explain(error, self._path)
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        for task in tasks:
            task.done = True
