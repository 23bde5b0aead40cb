"""A terminal as a window: keys in, whole screens out, and everything put back at the end."""

from __future__ import annotations

import os
import select
import shutil
import termios
import tty
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TextIO

from gate.labelling.lines import Line, painted
from gate.reports.numbers import ascii_text

__all__ = ["RESIZED", "Window", "keys_of"]

RESIZED = "resized"
"""Stands for a key when the window has another size than before."""

_ENTER = "\x1b[?1049h\x1b[?7l\x1b[?25l"
_LEAVE = "\x1b[?25h\x1b[?7h\x1b[?1049l"
_HOME, _REST_OF_LINE, _BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_WAIT = 0.5
"""Seconds after which the window's size is looked at."""
_REST_OF_KEY = 0.05
"""Seconds in which the rest of an arrow key follows."""

_SEQUENCES = {
    b"[A": "up",
    b"[B": "down",
    b"OA": "up",
    b"OB": "down",
    b"[5~": "pageup",
    b"[6~": "pagedown",
}
_NAMED = {" ": "space", "\r": "enter", "\n": "enter", "\t": "tab", "\x04": "q"}
_ESCAPE = 0x1B


def keys_of(data: bytes) -> list[str]:
    """Return the keys behind the bytes that a terminal sent; unknown ones are left out.

    Letters come in lower case, so that caps lock changes nothing.
    """
    keys, place = [], 0
    while place < len(data):
        if data[place] == _ESCAPE:
            end = _end_of_sequence(data, place + 1)
            key = _SEQUENCES.get(data[place + 1 : end], "")
        else:
            end = place + 1
            while end < len(data) and data[end] & 0xC0 == 0x80:  # noqa: PLR2004 - bytes that go on
                end += 1
            sign = data[place:end].decode("utf-8", "replace").lower()
            key = _NAMED.get(sign, sign if sign.isprintable() else "")
        if key:
            keys.append(key)
        place = end
    return keys


def _end_of_sequence(data: bytes, start: int) -> int:
    """Find the end of what follows an escape: `O` and a letter, or `[`, figures and a last sign."""
    if data[start : start + 1] == b"O":
        return min(start + 2, len(data))
    if data[start : start + 1] != b"[":
        return start
    place = start + 1
    while place < len(data) and not 0x40 <= data[place] <= 0x7E:  # noqa: PLR2004 - the last sign
        place += 1
    return min(place + 1, len(data))


class Window:
    """A terminal while screens are shown on it; a context, after which it is as it was."""

    def __init__(self, keyboard: TextIO, paper: TextIO, *, term: str, styled: bool) -> None:
        """Read from one stream and write to the other; both must be terminals."""
        self._keys: list[str] = []
        self._fd = keyboard.fileno()
        self._paper = paper
        self._dumb = term in ("", "dumb")
        self._styled = styled
        self._unicode = (paper.encoding or "").lower().replace("-", "") == "utf8"
        self._before: list[Any] | None = None
        self._shown_at = (0, 0)

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd, termios.TCSADRAIN)
        mode = termios.tcgetattr(self._fd)
        # A shell would get back a terminal that shows nothing of what is typed.
        mode[6][termios.VSUSP] = b"\x00"
        termios.tcsetattr(self._fd, termios.TCSADRAIN, mode)
        if not self._dumb:
            self._write(_ENTER)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A terminal that went away needs nothing put back.
        with suppress(OSError, termios.error):
            if self._before is not None:
                termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)
            if not self._dumb:
                self._write(_LEAVE)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of the window."""
        columns, lines = shutil.get_terminal_size()
        with suppress(OSError):
            columns, lines = os.get_terminal_size(self._paper.fileno())
        return columns or 80, lines or 24

    def show(self, lines: Sequence[Line]) -> None:
        """Show a screen in the place of the one before. Raises OSError."""
        self._shown_at = self.size
        texts = [self._spelled(painted(line, styled=self._styled)) for line in lines]
        if self._dumb:
            self._write("\n".join([*texts, ""]))
        else:
            self._write(_HOME + f"{_REST_OF_LINE}\r\n".join(texts) + _REST_OF_LINE + _BELOW)

    def key(self) -> str:
        """Wait for a key. Raises EOFError where the terminal has gone, and what a signal raises."""
        while not self._keys:
            if not select.select([self._fd], [], [], _WAIT)[0]:
                if self.size != self._shown_at:
                    return RESIZED
                continue
            data = self._read()
            if data.startswith(b"\x1b") and select.select([self._fd], [], [], _REST_OF_KEY)[0]:
                data += self._read()
            self._keys += keys_of(data)
        return self._keys.pop(0)

    def _read(self) -> bytes:
        try:
            data = os.read(self._fd, 1024)
        except OSError:
            data = b""
        if not data:
            raise EOFError
        return data

    def _spelled(self, text: str) -> str:
        return text if self._unicode else _ascii(text)

    def _write(self, text: str) -> None:
        self._paper.write(text)
        self._paper.flush()


def _ascii(text: str) -> str:
    for sign, spelled in (("─", "-"), ("▸", ">"), ("…", "~")):
        text = text.replace(sign, spelled)
    return ascii_text(text)
