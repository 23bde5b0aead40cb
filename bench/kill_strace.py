"""Kills at the K-th system call, by strace: a second sweep, which no hook of ours can mislead.

It reaches what the hooks cannot: the single writes of SQLite inside of a commit and a checkpoint.
strace counts for each thread, so K is the first thread's that gets there. The call itself is not
made any more: the kill is before it.
"""

from __future__ import annotations

import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_PATIENCE_S = 30.0
JOURNAL = "pwrite64,fsync,fdatasync,ftruncate,unlink"
FILES = "write,rename,unlink,mkdir"
FAMILIES = (JOURNAL, FILES)
"""System calls that are counted together: those on the journal, and those of the other files."""


class SystemCall(NamedTuple):
    """A moment by number."""

    family: str
    """The system calls that are counted."""
    number: int
    """From 1."""

    @property
    def kind(self) -> str:
        """In words."""
        what = "the journal" if self.family == JOURNAL else "any file"
        return f"before a system call on {what} ({self.family})"


@contextmanager
def traced(pid: int, out: Path, family: str, stop: int | None, log: Path) -> Iterator[None]:
    """Trace a process that waits, and let the block wake it; its calls stand in `log`."""
    options = ["-f", "-q", "-o", str(log), "-e", f"trace={family}"]
    if family == JOURNAL:
        for name in ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-journal"):
            options += ["-P", str(out / name)]
    if stop is not None:
        options += ["-e", f"inject={family}:signal=SIGKILL:when={stop}"]
    with subprocess.Popen(["strace", *options, "-p", str(pid)]) as tracer:
        until = time.monotonic() + _PATIENCE_S
        while "TracerPid:\t0\n" in Path(f"/proc/{pid}/status").read_text("ascii"):
            if time.monotonic() > until or tracer.poll() is not None:
                raise SystemExit("strace cannot trace: install it, and allow ptrace")
            time.sleep(0.005)
        yield
        tracer.wait()


def most_calls(log: Path) -> int:
    """Return how many of the traced calls the busiest thread made."""
    threads = Counter(line.split()[0] for line in log.read_text("utf-8", "replace").splitlines())
    return max(threads.values(), default=0)
