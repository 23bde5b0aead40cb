"""Where a process can be killed: before, in and after every write to a folder.

The real operations are wrapped in the process that shall die, so the points are found by running:
whatever writes, and by whatever way (a file, `os`, SQLite), has its points here. What SQLite does
inside a commit is out of reach of these hooks; `kill_sweep.py --strace` kills there.
"""

from __future__ import annotations

import builtins
import functools
import io
import os
import re
import signal
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

_PATHS = ("unlink", "remove", "rmdir", "mkdir", "truncate", "link", "symlink", "chmod", "utime")
_MOVES = ("rename", "replace")
_HANDLES = ("fsync", "fdatasync", "ftruncate", "pwrite", "writev")
_TOKEN = re.compile(r"^\.(.+)\.[0-9a-f]{8}\.tmp$")
_STATEMENT = re.compile(
    r"(?:CREATE|DROP|ALTER)(?: UNIQUE)?(?: TEMP)? (?:TABLE|INDEX)|INSERT|UPDATE|DELETE|REPLACE"
    r"|VACUUM|ROLLBACK|COMMIT|END|BEGIN"
)
_SETTING = re.compile(
    r"PRAGMA\s+(\w+)\s*(=|\()|PRAGMA\s+(\w*(?:checkpoint|vacuum)\w*)", re.IGNORECASE
)


class Point(NamedTuple):
    """One moment at which the process may be killed."""

    label: str
    """The operation and what it works on."""
    number: int
    """How many such operations came before."""
    when: str
    """`before`, `half` (of the bytes are written) or `after`."""


@dataclass
class Hooks:
    """Names every point that is passed, and kills at one of them."""

    folder: Path
    """Operations below it count."""
    stop: Point | None
    """Where to kill; None only counts."""
    seen: Callable[[Point, str], None]
    """Told each point and its kind in words, before the kill."""

    def __post_init__(self) -> None:
        """Resolve the folder once, since what is asked of the system is resolved too."""
        self._root = str(self.folder.resolve())
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def around(self, label: str, kind: str = "") -> Iterator[Callable[[], None]]:
        """Pass the points before and after the block; it gets the function for the one inside."""
        with self._lock:
            number = self._counts[label]
            self._counts[label] += 1
        kind = kind or label
        self._pass(Point(label, number, "before"), kind)
        yield lambda: self._pass(Point(label, number, "half"), kind)
        self._pass(Point(label, number, "after"), kind)

    def name(self, place: Any) -> str | None:
        """Return what a path or a handle is called below the folder; None for what is outside."""
        if isinstance(place, int):
            try:
                path = _readlink(f"/proc/self/fd/{place}")
            except OSError:
                return None
        else:
            path = os.path.abspath(os.fsdecode(place))  # noqa: PTH100 - pathlib is hooked itself
        if path != self._root and not path.startswith(self._root + "/"):
            return None
        *above, last = path[len(self._root) :].strip("/").split("/")
        return "/".join([*above, _TOKEN.sub(r"draft of \1", last)]) or "."

    def _pass(self, point: Point, kind: str) -> None:
        self.seen(point, f"{point.when} {kind}")
        if point == self.stop:
            os.kill(os.getpid(), signal.SIGKILL)


_readlink = os.readlink


def install(hooks: Hooks) -> None:
    """Wrap everything that writes, in this process, for good."""
    for name in _PATHS:
        _wrap(hooks, name, lambda arguments: arguments[0])
    for name in _MOVES:
        _wrap(hooks, name, lambda arguments: arguments[1])
    for name in _HANDLES:
        _wrap(hooks, name, lambda arguments: arguments[0])
    _wrap_write(hooks)
    _wrap_open(hooks)
    io.open = builtins.open = _opener(hooks, io.open)  # type: ignore[assignment]  # a wrapped one
    sqlite3.connect = _connector(hooks, sqlite3.connect)  # type: ignore[assignment]  # as above


def _wrap(hooks: Hooks, name: str, place: Callable[[tuple[Any, ...]], Any]) -> None:
    real = getattr(os, name)

    @functools.wraps(real)
    def wrapped(*arguments: Any, **named: Any) -> Any:
        found = hooks.name(place(arguments)) if arguments else None
        if found is None:
            return real(*arguments, **named)
        with hooks.around(f"{name} {found}"):
            return real(*arguments, **named)

    setattr(os, name, wrapped)


def _wrap_write(hooks: Hooks) -> None:
    real = os.write

    def write(handle: int, data: Any, /) -> int:
        found = hooks.name(handle)
        if found is None:
            return real(handle, data)
        with hooks.around(f"write {found}") as half:
            view = memoryview(data)
            done = real(handle, view[: len(view) // 2])
            half()
            return done + real(handle, view[done:])

    os.write = write


def _wrap_open(hooks: Hooks) -> None:
    real = os.open

    def opened(path: Any, flags: int, *arguments: Any, **named: Any) -> int:
        found = hooks.name(path) if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) else None
        if found is None:
            return real(path, flags, *arguments, **named)
        with hooks.around(f"open {found}"):
            return real(path, flags, *arguments, **named)

    os.open = opened


def _opener(hooks: Hooks, real: Callable[..., Any]) -> Callable[..., Any]:
    def opened(file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        found = hooks.name(file) if set(mode) & set("wax+") else None
        if found is None:
            return real(file, mode, *arguments, **named)
        with hooks.around(f"open {found}"):
            stream = real(file, mode, *arguments, **named)
        return _Stream(hooks, stream, found)

    return opened


class _Stream:
    """A file open for writing whose bytes leave when it is flushed, half and half."""

    def __init__(self, hooks: Hooks, stream: Any, name: str) -> None:
        self._hooks = hooks
        self._stream = stream
        self._name = name
        self._waiting: list[Any] = []

    def write(self, data: Any) -> int:
        self._waiting.append(data)
        return len(data)

    def flush(self) -> None:
        if not self._waiting:
            self._stream.flush()
            return
        data = self._waiting[0][:0].join(self._waiting)
        self._waiting.clear()
        with self._hooks.around(f"flush {self._name}") as half:
            middle = len(data) // 2
            self._stream.write(data[:middle])
            self._stream.flush()
            half()
            self._stream.write(data[middle:])
            self._stream.flush()

    def truncate(self, size: int | None = None) -> int:
        self.flush()
        with self._hooks.around(f"truncate {self._name}"):
            return int(self._stream.truncate(size))

    def close(self) -> None:
        if not self._stream.closed:
            self.flush()
            with self._hooks.around(f"close {self._name}"):
                self._stream.close()

    def __getattr__(self, name: str) -> Any:
        self.flush()
        return getattr(self._stream, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _connector(hooks: Hooks, real: Callable[..., Any]) -> Callable[..., Any]:
    def connect(database: Any, *arguments: Any, **named: Any) -> Any:
        text = os.fsdecode(database)
        place = text.removeprefix("file://").partition("?")[0]
        if "mode=ro" in text or text == ":memory:" or hooks.name(place) is None:
            return real(database, *arguments, **named)
        with hooks.around("connect to the journal"):
            connection = real(database, *arguments, **{**named, "factory": _Connection})
        connection.hooks = hooks
        return connection

    return connect


class _Connection(sqlite3.Connection):
    """A connection whose statements that change something have points."""

    hooks: Hooks
    _changes: tuple[str, ...] = ()

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        return self.passing(sql, lambda: super(_Connection, self).execute(sql, *arguments))

    def executemany(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        return self.passing(sql, lambda: super(_Connection, self).executemany(sql, *arguments))

    def executescript(self, sql: str) -> sqlite3.Cursor:
        return self.passing(sql, lambda: super(_Connection, self).executescript(sql))

    def cursor(self, *_: Any, **__: Any) -> sqlite3.Cursor:
        """Return a cursor whose statements go through the connection."""
        return super().cursor(_Cursor)

    def commit(self) -> None:
        self.passing("COMMIT", super().commit)

    def rollback(self) -> None:
        self.passing("ROLLBACK", super().rollback)

    def close(self) -> None:
        with self.hooks.around("close the journal"):
            super().close()

    def passing(self, sql: str, do: Callable[[], Any]) -> Any:
        verb, kind = self._kind(sql)
        if verb is None:
            return do()
        with self.hooks.around(f"journal {verb}", f"journal {kind}"):
            return do()

    def _kind(self, sql: str) -> tuple[str | None, str]:
        """Return the name that is counted, and the kind for people; None for what reads."""
        plain = " ".join(sql.split())
        setting = _SETTING.match(plain)
        if setting:
            verb = f"PRAGMA {setting[1] or setting[3]}"
            return verb, verb
        found = _STATEMENT.match(plain.upper())
        if found is None:
            return None, ""
        words = plain.split()
        if len(found[0].split()) > 1:
            verb = f"{found[0]} {words[len(found[0].split())]}"
        elif found[0] in ("INSERT", "DELETE", "REPLACE"):
            into = next((i for i, word in enumerate(words) if word.upper() in ("INTO", "FROM")), 0)
            verb = f"{found[0]} {words[into + 1]}"
        elif found[0] == "UPDATE":
            verb = f"UPDATE {words[1]}"
        else:
            verb = found[0]
        if verb == "BEGIN":
            self._changes = ()
            return ("script", "script that makes the tables") if ";" in plain else (verb, verb)
        if verb in ("COMMIT", "END"):
            what = ", ".join(sorted(set(self._changes))) or "nothing"
            return "COMMIT", f"COMMIT of {what}"
        self._changes = (*self._changes, verb)
        return verb, verb


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        owner: Any = self.connection
        return owner.passing(sql, lambda: super(_Cursor, self).execute(sql, *arguments))  # type: ignore[no-any-return]  # sqlite3's own
