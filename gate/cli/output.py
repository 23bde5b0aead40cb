"""The two standard streams, written so that a reader who went away changes no exit code.

Exit 1 means regression here. A broken pipe, a full disk or a closed stream must not become it, nor
hide it: where files hold the verdict, the streams are a courtesy.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

from gate.errors import FileError
from gate.reports.untrusted import harmless_lines

_FIRST_FREE = 3
"""Descriptors below it are the standard streams."""


def occupy_standard_streams() -> None:
    """Open the null device in the place of a standard stream that was closed by the caller.

    Otherwise the next file that is opened, the journal perhaps, would be standard output.
    """
    for number in range(_FIRST_FREE):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or _null()
    sys.stderr = sys.stderr or _null()


def say(text: str) -> None:
    """Write to standard output what was asked for.

    A reader who went away is nobody's fault; raises FileError when it cannot be written otherwise.
    """
    try:
        _write(sys.stdout, text)
    except BrokenPipeError:
        _silence("stdout")
    except OSError as error:
        _silence("stdout")
        raise FileError(
            f"cannot be written ({error.strerror}): lead it to another file", "standard output"
        ) from error


def show(text: str) -> None:
    """Write to standard output what stands in files as well; never raises."""
    try:
        _write(sys.stdout, text)
    except OSError:
        _silence("stdout")


def tell(text: str) -> None:
    """Write lines to standard error; never raises.

    Names from files stand in them: no runner may take a line for a command of its own, and no
    terminal a control character.
    """
    try:
        _write(sys.stderr, f"{harmless_lines(text)}\n")
    except OSError:
        _silence("stderr")


def wants_colour(stream: TextIO, no_colour: str | None, term: str | None) -> bool:
    """Whether colours are welcome: a terminal that is not dumb, and no NO_COLOR (no-color.org)."""
    return stream.isatty() and not no_colour and term != "dumb"


def _write(stream: TextIO, text: str) -> None:
    stream.write(text)
    stream.flush()


def _silence(name: str) -> None:
    """Send a stream to the null device, so that closing it at the end raises nothing either."""
    setattr(sys, name, _null())


def _null() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")
