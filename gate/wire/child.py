"""A child process that was started: lines in and out, limits on both, and its end."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from asyncio import subprocess
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

End = Literal[
    "ended",
    "closed",
    "deadline",
    "processor time",
    "line too long",
    "too much output",
    "not started",
]
"""How a child came to its end: by itself, closed by us, or for a limit that it broke."""
_TAIL_BYTES = 64 * 1024
"""Of standard error, what is kept."""
_REST_S = 1.0
"""Seconds to read what is still in the pipes of a child that has ended."""
_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class ChildLimits:
    """How much a child may take."""

    wall_s: float = 600.0
    """Seconds by the clock, from start to end."""
    patience_s: float = 3.0
    """Seconds between TERM and KILL."""
    line_bytes: int = 1024 * 1024
    """Bytes of one line of its standard output."""
    output_bytes: int = 16 * 1024 * 1024
    """Bytes of its standard output and standard error, in all."""
    cpu_s: int = 600
    """Seconds of processor time of each of its processes."""
    memory_bytes: int | None = 4 * 1024 * 1024 * 1024
    """Address space of each of its processes; None for programs that reserve much more than they
    use, such as Node."""
    processes: int = 512
    """Processes and threads of its user, where that user is another one than we are."""
    file_bytes: int = 256 * 1024 * 1024
    """Bytes of a file that it writes."""
    open_files: int = 1024
    """Files that each of its processes has open."""

    def of_the_system(self) -> dict[str, int]:
        """Return the limits that the system holds: name in `resource` -> most."""
        limits = {
            "RLIMIT_CORE": 0,
            "RLIMIT_CPU": self.cpu_s,
            "RLIMIT_FSIZE": self.file_bytes,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_NPROC": self.processes,
        }
        return limits if self.memory_bytes is None else limits | {"RLIMIT_AS": self.memory_bytes}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a child."""

    end: End
    """How it ended."""
    exit_code: int | None
    """Its exit code, minus the signal's number when one ended it; None when it never began."""
    stdout: bytes
    """What it wrote to standard output; empty where it was read line by line."""
    stderr_tail: str
    """The last 64 KiB of its standard error, or why it could not be started. Untrusted."""
    duration_s: float
    """Seconds by the clock."""

    @property
    def ok(self) -> bool:
        """Whether it ended by itself and without a complaint."""
        return self.end == "ended" and self.exit_code == 0

    @classmethod
    def not_started(cls, why: str, duration_s: float) -> Outcome:
        """Return the outcome of a program that never began."""
        return cls("not started", None, b"", why, duration_s)


class Exits(subprocess.SubprocessStreamProtocol):
    """Tells of the exit when it happens; asyncio's own may wait for whoever holds the pipes."""

    def __init__(self, limit: int, loop: asyncio.AbstractEventLoop) -> None:
        """Take the most bytes of a line."""
        super().__init__(limit, loop)
        self.exited = asyncio.Event()

    def process_exited(self) -> None:
        """Asyncio's call."""
        super().process_exited()
        self.exited.set()


class Child:
    """A running child; `Processes` opens and closes it."""

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        protocol: Exits,
        limits: ChildLimits,
        began: float,
    ) -> None:
        """Take a child that leads a process group of its own, `began` on the monotonic clock."""
        self.pid: int = transport.get_pid()
        """Process id, and that of its group."""
        self._transport = transport
        self._exited = protocol.exited
        self._process = subprocess.Process(transport, protocol, asyncio.get_running_loop())
        self._limits = limits
        self._began = began
        self._why: End | None = None
        self._read_bytes = 0
        self._tail = bytearray()
        self._outcome: Outcome | None = None
        self._ending: asyncio.Task[None] | None = None
        self._helpers = [asyncio.create_task(self._drain()), asyncio.create_task(self._watch())]

    async def read_line(self) -> bytes:
        """Return the next line of its standard output with its end, or nothing when there is none.

        A line above the limits ends the child: then nothing is returned either, and the outcome
        says so.
        """
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readuntil(b"\n")
        except asyncio.IncompleteReadError as error:
            line = error.partial
        except asyncio.LimitOverrunError:
            self._stop("line too long")
            return b""
        return line if self._count(line) else b""

    async def write(self, data: bytes) -> None:
        """Write to its standard input; a child that reads no more makes it void."""
        assert self._process.stdin is not None
        with suppress(ConnectionError):
            self._process.stdin.write(data)
            await self._process.stdin.drain()

    async def to_end(self, stdin: bytes) -> Outcome:
        """Give it all of its input, read all of its output, and return what came of it."""
        stdout = bytearray()
        feeding = asyncio.create_task(self._feed(stdin))
        reading = asyncio.create_task(self._collect(stdout))
        try:
            await self._exited.wait()
            self._signal(signal.SIGKILL)  # whoever of its group still holds the pipe
            await asyncio.wait({reading}, timeout=_REST_S)
        finally:
            await _cancelled(feeding, reading)
        return replace(await self.end(), stdout=bytes(stdout))

    async def end(self) -> Outcome:
        """End it and its group, if they have not ended, and return what came of it."""
        if self._outcome is None:
            self._stop("ended" if self._exited.is_set() else "closed")
            assert self._ending is not None
            await asyncio.shield(self._ending)
            await asyncio.wait(self._helpers[:1], timeout=_REST_S)
            await _cancelled(*self._helpers)
            self._transport.close()
            await self._process.wait()
            code = self._transport.get_returncode()
            slow = self._why == "ended" and code == -signal.SIGXCPU
            self._outcome = Outcome(
                end="processor time" if slow else self._why or "ended",
                exit_code=code,
                stdout=b"",
                stderr_tail=self._tail.decode(errors="replace"),
                duration_s=time.monotonic() - self._began,
            )
        return self._outcome

    def _stop(self, why: End) -> None:
        """Begin its end; the first reason is the one that counts."""
        if self._ending is None:
            self._why = why
            self._ending = asyncio.create_task(self._end_group())

    async def _end_group(self) -> None:
        self._close_stdin()
        if not self._exited.is_set():
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._limits.patience_s):
                    await self._exited.wait()
        self._signal(signal.SIGKILL)
        await self._exited.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # macOS says so of a group of zombies
            os.killpg(self.pid, number)

    async def _watch(self) -> None:
        await asyncio.sleep(self._began + self._limits.wall_s - time.monotonic())
        self._stop("deadline")

    async def _drain(self) -> None:
        """Read standard error all the time, or a child that complains would stand still."""
        assert self._process.stderr is not None
        while (chunk := await self._process.stderr.read(_CHUNK)) and self._count(chunk):
            self._tail += chunk
            del self._tail[:-_TAIL_BYTES]

    async def _collect(self, stdout: bytearray) -> None:
        while line := await self.read_line():
            stdout += line

    async def _feed(self, stdin: bytes) -> None:
        await self.write(stdin)
        self._close_stdin()

    def _close_stdin(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _count(self, data: bytes) -> bool:
        self._read_bytes += len(data)
        if self._read_bytes > self._limits.output_bytes:
            self._stop("too much output")
            return False
        return True


async def _cancelled(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
