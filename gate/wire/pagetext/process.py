"""One process that reads pages, as seen from outside: started, asked, killed."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from asyncio import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import gate
from gate.errors import CannotRun
from gate.wire.pagetext.kinds import Kind

_ROOT = str(Path(gate.__file__).parents[1])
_CODE = (
    "import sys; sys.path.append(sys.argv.pop()); "
    "from gate.wire.pagetext.worker import main; main()"
)
"""Found where we were found; `-P` keeps the working folder out, which may be a stranger's tree."""
_LENGTH_BYTES = 4
"""As the worker has it; we do not import it, since it loads what shall not run in here."""
TOO_SLOW = "too slow to read"
"""Status of a page that was too much for the processor or the clock."""
_PATIENCE_S = 1.0
"""Seconds that an idle process gets to end by itself."""


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """How much reading a page may take."""

    workers: int = 2
    """Processes."""
    cpu_s: int = 5
    """Seconds of processor time for a page, a fraction of a second more at most."""
    wall_s: float = 8.0
    """Seconds by the clock for a page."""
    memory_bytes: int = 512 * 1024 * 1024
    """Address space of a process; the hungriest page that we made took 300 MB."""
    html_bytes: int = 1_000_000
    """Bytes of HTML or plain text that are read; the rest of the page is left out."""
    text_bytes: int = 60_000
    """Bytes of text that a process may answer with."""
    start_s: float = 60.0
    """Seconds by the clock for a process to start."""


class UnreadError(Exception):
    """The page could not be read; the message is the page's status, the process has ended."""


class ReadingProcess:
    """A process that reads one page after the other."""

    def __init__(self, process: subprocess.Process, limits: ReaderLimits) -> None:
        """Take a process that has said that it is ready; see `start`."""
        self._process = process
        self._limits = limits

    @classmethod
    async def start(cls, limits: ReaderLimits, env: Mapping[str, str]) -> Self:
        """Start a process in a session of its own, so that Ctrl-C is ours alone.

        Raises CannotRun when it does not start.
        """
        arguments = (str(limits.cpu_s), str(limits.memory_bytes), _ROOT)
        try:
            process = await subprocess.create_subprocess_exec(
                *(sys.executable, "-P", "-c", _CODE, *arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=dict(env),
                start_new_session=True,
            )
        except OSError as error:
            raise CannotRun(
                f"no process can be started to read cited pages ({error}): allow more processes"
            ) from error
        self = cls(process, limits)
        try:
            async with asyncio.timeout(limits.start_s):
                await self._answer()
        except (TimeoutError, EOFError) as error:
            await self.kill()
            raise CannotRun(
                "the process that reads cited pages does not start: check that trafilatura and "
                "pypdfium2 are installed as requirements/run.txt has them"
            ) from error
        except BaseException:
            await self.kill()
            raise
        return self

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.returncode is None

    async def read(self, kind: Kind, body: bytes, *, charset: str | None, cut: bool) -> str:
        """Return the text of a page; see `extract`.

        Raises UnreadError. However this ends but with a text or `unreadable`, the process is dead.
        """
        about = json.dumps({"kind": kind, "charset": charset, "cut": cut}).encode()
        assert self._process.stdin is not None
        try:
            async with asyncio.timeout(self._limits.wall_s):
                for part in (about, body):
                    self._process.stdin.write(len(part).to_bytes(_LENGTH_BYTES, "big") + part)
                await self._process.stdin.drain()
                letter, data = await self._answer()
        except TimeoutError as error:
            await self.kill()
            raise UnreadError(TOO_SLOW) from error
        except (EOFError, ConnectionError) as error:
            await self.close()
            slow = self._process.returncode == -signal.SIGXCPU
            raise UnreadError(TOO_SLOW if slow else "reader died") from error
        except BaseException:
            await self.kill()
            raise
        if letter == b"u":
            raise UnreadError("unreadable")
        if letter != b"t":
            await self.kill()
            raise UnreadError("too large to read")
        return data.decode(errors="replace")

    async def kill(self) -> None:
        """End it now."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self.close()

    async def close(self) -> None:
        """Let it end, and wait until it has."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self._process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        await self._process.stdout.read()  # until the pipe is closed, or it would be left open

    async def _answer(self) -> tuple[bytes, bytes]:
        """Return the letter and the data; raises EOFError when there is none, or too much."""
        assert self._process.stdout is not None
        head = await self._process.stdout.readexactly(1 + _LENGTH_BYTES)
        size = int.from_bytes(head[1:], "big")
        if size > self._limits.text_bytes:
            raise EOFError("more text than was agreed")
        return head[:1], await self._process.stdout.readexactly(size)
