"""Foreign code as child processes: another user, few rights, limits, and an end that holds.

Whoever runs the code of a pull request hands a `Command` to `Processes`. The child is of a user of
its own, so that it reads neither our memory nor our environment (`/proc/PID/environ`) nor what only
we may read; it gains no privilege, sees an environment that was put together for it, and ends with
all that it started. Without the right to change the user it runs as we do, and `warning` says so.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
import time
from asyncio import subprocess
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from gate.wire.child import Child, ChildLimits, Exits, Outcome
from gate.wire.strays import end_strays

__all__ = ["NOBODYS", "Child", "ChildLimits", "Command", "Outcome", "Processes", "User"]

_LAUNCHER = str(Path(__file__).with_name("launch.py"))
_START_S = 30.0
"""Seconds by the clock for a program to begin."""
_CHANGE_USER = 0b111 << 5
"""CAP_KILL, CAP_SETGID and CAP_SETUID in the sets of capabilities(7): to make it another user's,
and to end it then."""
_INHERITED = frozenset(
    {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SSL_CERT_FILE", "SSL_CERT_DIR"}
    | {"REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"}
)
_REFUSED = re.compile(r"(?i)(ACTIONS|GITHUB|INPUT|RUNNER|STATE)_")
"""The runner's own, which hold tokens and name files that command it."""


@dataclass(frozen=True, slots=True)
class User:
    """Who a child is."""

    uid: int
    """User id."""
    gid: int
    """Group id; the child has no other group."""


NOBODYS = User(65532, 65532)
"""A user that owns no file; images without a shell call it `nonroot`."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program that is to run."""

    words: tuple[str, ...]
    """The program, searched in the child's PATH, and its arguments; never through a shell."""
    folder: Path
    """Folder that it starts in; the child's user must be able to enter it."""
    given: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Environment variables that are given to it, credentials of its own among them."""


def environment_for(ours: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return a child's environment: the few harmless names of ours, and what is given to it.

    Nothing of ours goes along that is not on the list, so no credential does. Raises ValueError for
    a name that no child is given: the runner's.
    """
    for name in given:
        if _REFUSED.match(name):
            raise ValueError(f"{name} is not given to foreign code: choose another name for it")
    return {name: ours[name] for name in sorted(_INHERITED & set(ours))} | dict(given)


class Processes:
    """Starts foreign code; one for the whole run."""

    def __init__(
        self,
        ours: Mapping[str, str],
        *,
        limits: ChildLimits | None = None,
        user: User = NOBODYS,
    ) -> None:
        """Take our environment, of which children see `PATH` and the like, and the limits."""
        self._ours = ours
        self._limits = limits or ChildLimits()
        self._user = user if _may_change_user() else None
        self._living: set[int] = set()

    @property
    def warning(self) -> str | None:
        """What is to be said once where children cannot be another user; None where they are."""
        if self._user is not None:
            return None
        return (
            f"foreign code runs as our own user ({os.geteuid()}) and can read what we can, "
            "credentials included; another one can be had by root alone, with CAP_SETUID, "
            "CAP_SETGID and CAP_KILL"
        )

    async def run_to_end(self, command: Command, stdin: bytes = b"") -> Outcome:
        """Run a program that reads `stdin` and ends by itself; whatever happens is in the outcome.

        Raises ValueError for a name in `command.given` that no child is given.
        """
        child = await self.open_child(command)
        if isinstance(child, Outcome):
            return child
        try:
            return await child.to_end(stdin)
        finally:
            await self.close(child)

    async def open_child(self, command: Command) -> Child | Outcome:
        """Start a program to talk to line by line; the outcome when it could not be started.

        Whoever opens one closes it with `close`. Raises ValueError as `run_to_end` does.
        """
        environment = environment_for(self._ours, command.given)
        began = time.monotonic()
        here, there = socket.socketpair()
        with here, there:
            here.settimeout(0)
            try:
                child = await self._launcher(there, began)
            except OSError as error:  # no more processes, no more memory
                return Outcome.not_started(str(error), time.monotonic() - began)
            there.close()
            self._living.add(child.pid)
            try:
                async with asyncio.timeout(_START_S):
                    refused = await _tell(here, self._order(command, environment))
            except TimeoutError:
                refused = f"it did not begin within {_START_S:.0f} seconds"
            except BaseException:
                await self.close(child)
                raise
        if not refused:
            return child
        await self.close(child)
        return Outcome.not_started(f"{command.words[0]}: {refused}", time.monotonic() - began)

    async def close(self, child: Child) -> Outcome:
        """End a child and all that it started, if they have not ended, and return what came of it.

        TERM first, and KILL to the whole group after the patience of the limits.
        """
        try:
            return await child.end()
        finally:
            self._living.discard(child.pid)
            # What left the group outlives it; it is ours once its parent is gone, when we are
            # process 1. While another child lives, it could be that one's.
            if self._user is not None and not self._living:
                await end_strays(self._user.uid)

    async def _launcher(self, there: socket.socket, began: float) -> Child:
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.subprocess_exec(
            lambda: Exits(self._limits.line_bytes, loop),
            *(sys.executable, "-I", "-S", _LAUNCHER, str(there.fileno())),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(there.fileno(),),
            env={},
            cwd="/",
            start_new_session=True,
        )
        return Child(transport, protocol, self._limits, began)

    def _order(self, command: Command, environment: Mapping[str, str]) -> bytes:
        limits = self._limits.of_the_system()
        if self._user is None:
            # It counts all processes of a user: of ours, the limit would hit whoever comes next.
            del limits["RLIMIT_NPROC"]
        return json.dumps(
            {
                "words": command.words,
                "folder": str(command.folder),
                "environment": environment,
                "limits": limits,
                "user": self._user and self._user.uid,
                "group": self._user and self._user.gid,
            }
        ).encode()


def _may_change_user() -> bool:
    """Whether the system lets us; a container may have taken it from root."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text("ascii").splitlines():
            name, _, value = line.partition(":")
            if name == "CapEff":
                return int(value, 16) & _CHANGE_USER == _CHANGE_USER
    return False


async def _tell(line: socket.socket, order: bytes) -> str:
    """Give the order and return why it was refused, or nothing once the program has begun."""
    loop = asyncio.get_running_loop()
    said = b""
    with suppress(ConnectionError):  # a launcher that died: `said` is empty, its exit code tells
        await loop.sock_sendall(line, order)
        line.shutdown(socket.SHUT_WR)
        while part := await loop.sock_recv(line, 65536):
            said += part
    return said.decode(errors="replace")
