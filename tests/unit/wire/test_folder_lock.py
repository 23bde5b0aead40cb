"""One writer at a time in a folder."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from gate.errors import FileError
from gate.wire.folder_lock import folder_lock


def is_locked(folder: Path) -> bool:
    """Whether somebody else could lock the folder now."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def test_folder_lock__holds_inside_and_leaves_nothing(tmp_path: Path) -> None:
    """A folder that is not there is made."""
    folder = tmp_path / "evals" / "labels"
    with folder_lock(folder):
        assert is_locked(folder)

    assert not is_locked(folder)
    assert [] == list(folder.iterdir())


def test_folder_lock__where_there_can_be_no_folder(tmp_path: Path) -> None:
    """It says what to look at."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be locked"):
        folder_lock(tmp_path / "file" / "x").__enter__()
