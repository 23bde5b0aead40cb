"""A command in a real pseudo-terminal, driven by keys: what a person at a terminal has."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
from pexpect.fdpexpect import fdspawn

from tests.gate_cli import clean_environment

_CONTROL = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9])")

# The child takes the terminal as its own, so that ctrl-c reaches it as a signal.
_LAUNCH = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'gate', *sys.argv[1:]])"
)


class PseudoTerminal:
    """`gate` with these words, in a window of 80 by 24 unless said otherwise."""

    def __init__(
        self,
        *words: str,
        folder: Path,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Start the command."""
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (size[1], size[0]))
        plain = {"TERM": "xterm", "NO_COLOR": "1", "PYTHONUTF8": "1"}
        self.child = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, *words],
            cwd=folder,
            env={**clean_environment(), **plain, **(env or {})},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._screen = fdspawn(self._master, encoding="utf-8", timeout=30)
        self.seen = ""
        """All that was shown, control sequences left out."""

    def wait_for(self, text: str) -> None:
        """Wait until this text is shown."""
        self._screen.expect_exact(text)
        self.seen += _CONTROL.sub("", f"{self._screen.before}{text}")

    def press(self, keys: str) -> None:
        """Press keys, at one go."""
        self._screen.send(keys)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.child.send_signal(signal.SIGKILL)
        self.child.wait(timeout=30)

    def end(self) -> int:
        """Read to its end, and return the exit code."""
        self._screen.expect_exact(pexpect.EOF)
        self.seen += _CONTROL.sub("", self._screen.before)
        return self.child.wait(timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.child.poll() is None:
            self.kill()
        os.close(self._master)
