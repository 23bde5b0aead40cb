"""Children of the kill sweep: forked from a process that has imported everything.

The loopback world is a child of its own, so its log of requests outlives the run that is killed.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import itertools
import json
import os
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, Self

from kill_points import Hooks, Point, install
from kill_strace import SystemCall, most_calls, traced

from gate.cli.main import run as gate_main
from gate.cli.offline import HERE, RUNNING
from gate.cli.signals import Signals
from gate.loopback import server
from gate.loopback.__main__ import main as world_main
from gate.wire.pagetext import reader
from gate.wire.pagetext.extract import UnreadableError, extract
from gate.wire.pagetext.process import UnreadError

_LONG_S = 1e6
"""Seconds between two looks at the world's clock."""


@dataclass(frozen=True)
class Sent:
    """What reached the world."""

    calls: Counter[str]
    """Vendor calls by path and body."""
    fetches: Counter[str]
    """Pages by path."""


@contextmanager
def world(variant: str) -> Iterator[tuple[str, Callable[[], Sent]]]:
    """Run a world for the length of the block; give its port and the reader of its log.

    Its prompt cache forgets at once, so that what a call costs does not hang on the calls before.
    """
    ours, theirs = os.pipe()
    out, said = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(ours, 0)
        os.dup2(said, 1)
        os.closerange(3, 256)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        ticks = itertools.count(step=_LONG_S)
        server.time = SimpleNamespace(monotonic=lambda: next(ticks))  # type: ignore[assignment]  # a clock
        _end(lambda: world_main(["--variant", variant]))
    os.close(ours)
    os.close(said)
    try:
        with os.fdopen(out) as stream:
            port = str(json.loads(stream.readline())["port"])
        yield port, lambda: _sent(port)
    finally:
        os.close(theirs)
        os.waitpid(pid, 0)


def _sent(port: str) -> Sent:
    with closing(http.client.HTTPConnection(HERE, int(port), timeout=10)) as connection:
        connection.request("GET", "/_world/bodies")
        bodies = json.load(connection.getresponse())["bodies"]
        connection.request("GET", "/_world/requests")
        rows = json.load(connection.getresponse())["requests"]
    return Sent(
        Counter(f"{one['path']} {one['body']}" for one in bodies),
        Counter({row["path"]: row["count"] for row in rows if row["method"] != "POST"}),
    )


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    """Exit code, or minus the signal."""
    out: str
    """Standard output."""
    err: str
    """Standard error."""
    points: Sequence[tuple[Point, str]]
    """Points that were passed, with their kinds; the last one is where it was killed."""

    @property
    def killed(self) -> bool:
        """Whether SIGKILL ended it."""
        return self.code == -signal.SIGKILL


def command(
    words: Sequence[str],
    folder: Path,
    *,
    port: str | None = None,
    stop: Point | SystemCall | None = None,
    hooked: Path | None = None,
) -> Ended:
    """Run `gate` with these words in `folder`; points are passed for what is below `hooked`."""
    if isinstance(stop, SystemCall):
        return _command_traced(words, folder, port, (stop.family, stop.number))[0]
    names = {name: folder / f".{name}" for name in ("out", "err", "points")}
    pid = os.fork()
    if not pid:
        _end(lambda: _gate(words, folder, names, port, Hooked(hooked, stop)))
    return _ended(pid, names)


def calls_made(words: Sequence[str], folder: Path, port: str, family: str) -> int:
    """Return how many system calls of a family such a run makes."""
    return _command_traced(words, folder, port, (family, None))[1]


def _command_traced(
    words: Sequence[str], folder: Path, port: str | None, what: tuple[str, int | None]
) -> tuple[Ended, int]:
    """Run it under strace, which may kill it; return also how many calls were traced."""
    names = {name: folder / f".{name}" for name in ("out", "err", "points")}
    log = folder / ".strace"
    waits, wakes = os.pipe()
    pid = os.fork()
    if not pid:
        os.read(waits, 1)
        _end(lambda: _gate(words, folder, names, port, Hooked(None, None)))
    with traced(pid, folder / "gate-out", *what, log):
        os.write(wakes, b"x")
        for handle in (waits, wakes):
            os.close(handle)
        # Left to be collected below: strace has to see the end first.
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    number = most_calls(log)
    log.unlink()
    return _ended(pid, names), number


def _ended(pid: int, names: Mapping[str, Path]) -> Ended:
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    for path in names.values():
        path.touch()  # it may have been killed before its first line
    texts = {name: path.read_text("utf-8") for name, path in names.items()}
    for path in names.values():
        path.unlink()
    points = [json.loads(line) for line in texts["points"].splitlines()]
    return Ended(
        status, texts["out"], texts["err"], [(Point(*point), kind) for point, kind in points]
    )


def warm(words: Sequence[str], folder: Path, port: str) -> None:
    """Run `gate` in this very process, so that what it loads is loaded in every fork.

    Raises SystemExit where a thread outlives it, which no fork would have.
    """
    reader.ReadingProcess = InProcess  # type: ignore[assignment,misc]  # in all forks
    said = io.StringIO()
    os.environ[RUNNING] = port
    kept, sys.argv = sys.argv, ["gate", *words]
    with contextlib.chdir(folder), redirect_stdout(said), redirect_stderr(said):
        try:
            gate_main(Signals())
        except SystemExit as error:
            if error.code not in (0, 1):
                raise SystemExit(said.getvalue()) from error
    sys.argv = kept
    if len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208 - names are enough
        raise SystemExit("a thread is left over: a fork would lack it")


@dataclass(frozen=True)
class Hooked:
    """What is watched in a child."""

    folder: Path | None
    """The folder of the run; None watches nothing."""
    stop: Point | None
    """Where to kill."""


def _gate(
    words: Sequence[str], folder: Path, names: Mapping[str, Path], port: str | None, what: Hooked
) -> NoReturn:
    os.setsid()
    os.chdir(folder)
    sys.argv = ["gate", *words]
    os.environ["COLUMNS"] = "120"
    os.environ.pop(RUNNING, None)
    if port is not None:
        os.environ[RUNNING] = port
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(names[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    log, write = os.open(names["points"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), os.write
    if what.folder is not None:
        hooks = Hooks(
            what.folder,
            what.stop,
            lambda point, kind: write(log, f"{json.dumps([point, kind])}\n".encode()) and None,
        )
        install(hooks)
    gate_main(Signals())


class InProcess:
    """Reads pages here: a process for each of thousands of runs would take hours."""

    alive = True

    @classmethod
    async def start(cls, *_: Any) -> Self:
        """Need nothing."""
        return cls()

    async def read(self, kind: Any, body: bytes, *, charset: str | None, cut: bool) -> str:
        """Return the text as the process would."""
        try:
            return extract(kind, body, charset=charset, cut=cut)
        except UnreadableError as error:
            raise UnreadError("unreadable") from error

    async def close(self) -> None:
        """Nothing is open."""

    kill = close


def _end(do: Callable[[], object]) -> NoReturn:
    """Do it and end this child without what its parent would do at its end."""
    code = 70
    try:
        do()
        code = 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0
    except BaseException:
        traceback.print_exc()
        raise
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
