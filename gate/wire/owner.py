"""Whose files these are: what root writes into somebody's checkout is given to its owner.

A later step of a job runs as that user, and could neither read nor remove what is root's.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["give_to_owner"]

_ROOT = 0


def give_to_owner(root: Path, written: Iterable[Path]) -> None:
    """Give root's files and folders at `written` to the owner of `root`, which they lie below.

    Only root can, and only what is root's changes hands. Links stay as they are, and so does a
    file with a second name, which may be somewhere else. What cannot be given is left.
    """
    owner = root.stat()
    if os.geteuid() != _ROOT or owner.st_uid == _ROOT:
        return
    for path in written:
        for parent, name, known in _below(root, path):
            single = stat.S_ISDIR(known.st_mode) or known.st_nlink == 1
            if known.st_uid == _ROOT and single and not stat.S_ISLNK(known.st_mode):
                with suppress(OSError):
                    os.chown(name, owner.st_uid, owner.st_gid, dir_fd=parent, follow_symlinks=False)


def _below(root: Path, path: Path) -> Iterator[tuple[int, str, os.stat_result]]:
    """Yield the folders on the way from `root` to a path, itself, and all that lies in it.

    Each as an open folder, a name in it and what is known of that: no link is followed.
    """
    parts = path.parts
    if path.is_absolute() or ".." in parts or not parts:
        return
    with suppress(OSError):
        parent = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts:
                known = os.stat(part, dir_fd=parent, follow_symlinks=False)
                yield parent, part, known
                if not stat.S_ISDIR(known.st_mode):
                    return
                inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
                os.close(parent)
                parent = inner
            for _, folders, files, inside in os.fwalk(".", dir_fd=parent):
                for name in (*folders, *files):
                    with suppress(OSError):
                        yield inside, name, os.stat(name, dir_fd=inside, follow_symlinks=False)
        finally:
            os.close(parent)
