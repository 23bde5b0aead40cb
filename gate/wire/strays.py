"""What a child left behind: processes that went out of its group and are ours now."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

_ROUNDS, _PAUSE_S = 50, 0.02
"""A process that was killed may leave orphans of its own, so one looks again."""


async def end_strays(uid: int) -> None:
    """Kill the processes of user `uid` whose parent we are, until there are none; reap them.

    An orphan's new parent is process 1, so where we are that, in a container, nothing is left;
    elsewhere there are none for us. Gives up after a second.
    """
    for _ in range(_ROUNDS):
        strays = _children_of_ours(uid)
        if not strays:
            return
        for pid in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)  # noqa: ASYNC222 - it does not wait
        await asyncio.sleep(_PAUSE_S)


def _children_of_ours(uid: int) -> list[int]:
    us, found = str(os.getpid()), []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            facts = dict(
                line.partition(":")[::2]
                for line in (folder / "status").read_text("utf-8", "replace").splitlines()
            )
            if facts["PPid"].strip() == us and facts["Uid"].split()[0] == str(uid):
                found.append(int(folder.name))
    return found
