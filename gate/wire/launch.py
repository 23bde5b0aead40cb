"""The program between us and foreign code: takes limits, gives up privileges, becomes the other.

Run as a file of its own by an isolated interpreter, so it imports nothing of ours. It is told what
to do through a socket, since arguments can be read by every user of the machine, and starts with an
empty environment in `/`: nothing foreign has a say before the privileges are gone.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import socket
import sys
import warnings  # noqa: F401 - os.execvpe would import it when we may no longer read the library
from typing import Any

_SET_DEATH_SIGNAL, _SET_NO_NEW_PRIVILEGES = 1, 38
"""Of prctl(2)."""


def main() -> None:
    """Become the program that the socket asks for; on failure write why to it."""
    with socket.socket(fileno=int(sys.argv[1])) as line:
        line.set_inheritable(False)  # closed by the system when the other program begins
        order = json.loads(_all_of(line))
        try:
            become(order)
        except BaseException as error:
            line.sendall((str(error) or type(error).__name__).encode())
            raise


def become(order: dict[str, Any]) -> None:
    """Never returns. Raises OSError or ValueError when a step is refused: then nothing was run."""
    for name, most in order["limits"].items():
        _limit(getattr(resource, name), most)
    os.umask(0o022)
    if order["user"] is not None:
        _give_up_privileges(order["user"], order["group"])
    if sys.platform == "linux":
        _prctl(_SET_NO_NEW_PRIVILEGES, 1)
        _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)  # the kernel ends it with us
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and so would the other
        signal.signal(number, signal.SIG_DFL)
    os.chdir(order["folder"])  # after the change of user: what it may not enter is refused
    os.execvpe(order["words"][0], order["words"], order["environment"])  # noqa: S606 - our purpose


def _limit(what: int, most: int) -> None:
    """Set the soft and the hard limit; never above a hard limit that holds already."""
    _, hard = resource.getrlimit(what)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    # The signal for too much processor time comes first, then the end.
    last = most + 1 if what == resource.RLIMIT_CPU and hard == resource.RLIM_INFINITY else most
    resource.setrlimit(what, (most, last))


def _give_up_privileges(user: int, group: int) -> None:
    os.setgroups([])
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)
    if os.getresuid() != (user,) * 3 or os.getresgid() != (group,) * 3 or os.getgroups():
        raise OSError("the privileges could not be given up")


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), *(ctypes.c_ulong(0),) * 3) != 0:
        raise OSError(ctypes.get_errno(), f"prctl {option} is refused")


def _all_of(line: socket.socket) -> bytes:
    parts = []
    while part := line.recv(65536):
        parts.append(part)
    return b"".join(parts)


if __name__ == "__main__":
    main()
