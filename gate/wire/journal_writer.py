"""One thread that writes: operations that wait together share one commit and one wake-up.

A commit waits for the disk; those that arrive meanwhile are done together in the next one, so
that hundreds of calls in flight cost a few commits and the event loop never waits for a disk.
What one turn of the event loop asks for is handed over at its end in one piece, and one message
brings all the results back.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
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
    waiter: asyncio.Future[None] | None = None
    done: bool = False
    value: T | None = None
    error: BaseException | None = None

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
        self._due: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def run(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Do it, wait for its commit, and return its value; raise JournalError on failure."""
        task = self._add(_Task(operation))
        self._start().result()
        return task.take()

    async def arun(self, operation: Callable[[sqlite3.Connection], T]) -> T:
        """Do the same without holding up the event loop.

        Once this is awaited the operation is done, even when the one who waits is cancelled.
        """
        loop = asyncio.get_running_loop()
        task = self._add(_Task(operation, loop.create_future()))
        if self._due is not loop:
            self._due = loop
            loop.call_soon(self._turn_ends)
        assert task.waiter is not None
        await task.waiter
        return task.take()

    def run_alone(self, operation: Callable[[sqlite3.Connection], None]) -> None:
        """Do what no transaction may hold, such as VACUUM; raise JournalError on failure."""

        def alone() -> None:
            try:
                operation(self._connection)
            except sqlite3.Error as error:
                raise explain(error, self._path) from error

        self._thread.submit(alone).result()

    def close(self) -> None:
        """Write what still waits and close the file; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        last = self._start()
        self._thread.shutdown(wait=True)
        try:
            last.result()
        finally:
            self._connection.close()

    def _add(self, task: _Task[T]) -> _Task[T]:
        if self._closed:
            raise JournalError(f"{self._path}: the journal is closed")
        self._waiting.append(task)
        return task

    def _turn_ends(self) -> None:
        self._due = None
        if not self._closed:
            self._start()

    def _start(self) -> Future[None]:
        """Have the thread do all that waits; what an earlier round did already costs nothing."""
        return self._thread.submit(self._round)

    def _round(self) -> None:
        """Do everything that waits, in one transaction."""
        tasks: list[_Task[Any]] = []
        while self._waiting:
            tasks.append(self._waiting.popleft())
        if not tasks:
            return
        try:
            self._do(tasks)
        finally:
            _tell(tasks)

    def _do(self, tasks: Sequence[_Task[Any]]) -> None:
        task = tasks[0]
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
        except BaseException as error:
            # A fault of ours: nothing is written, and who asked for it is told what it was.
            task.error, task.done = error, True
            raise
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        for task in tasks:
            task.done = True


def _tell(tasks: Sequence[_Task[Any]]) -> None:
    """Wake those who wait, with one message for each event loop."""
    waiters: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for task in tasks:
        if task.waiter is not None:
            waiters.setdefault(task.waiter.get_loop(), []).append(task.waiter)
    for loop, theirs in waiters.items():
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(_wake, theirs)


def _wake(waiters: Sequence[asyncio.Future[None]]) -> None:
    for waiter in waiters:
        if not waiter.done():
            waiter.set_result(None)
