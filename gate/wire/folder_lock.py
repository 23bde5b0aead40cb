"""One writer at a time in a folder: for files that several processes read, change and write back.

The lock is the folder's own, so that no lock file is left behind; the system gives it back when its
holder dies. It holds between processes of one machine that ask for it, and on a network share only
where the share passes locks on.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.errors import FileError


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Make the folder where it is missing, wait for its lock, and hold it. Raises FileError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise _cannot(folder, error) from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError as error:
            raise _cannot(folder, error) from error
        yield
    finally:
        os.close(handle)


def _cannot(folder: Path, error: OSError) -> FileError:
    return FileError(f"cannot be locked: {error.strerror}; check who may use the folder", folder)
