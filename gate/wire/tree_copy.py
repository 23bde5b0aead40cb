"""The tree that foreign code works on: a copy, without what it must not know."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection
from fnmatch import fnmatch
from pathlib import Path

from gate.errors import CannotRun, FileError
from gate.wire.process import User

_NEVER = (".git", "gha-creds-*.json")
"""Names that go along from no folder: what a checkout and a cloud login leave of credentials."""


def copy_tree_without(
    root: Path,
    copy: Path,
    left_out: Collection[str],
    *,
    user: User | None = None,
    most_bytes: int = 2 * 1024**3,
) -> None:
    """Copy `root` to the new folder `copy`, for `user` to own where one is named.

    `left_out` holds paths below `root`, such as `evals`. Links are copied as links and never
    followed, so a link reaches what its reader may read and no more; pipes, sockets and devices
    stay behind. Raises CannotRun for more than `most_bytes`, FileError for what cannot be copied.
    """
    left = most_bytes

    def ignored(folder: str, names: list[str]) -> set[str]:
        below = Path(folder).relative_to(root)
        return {
            name
            for name in names
            if (below / name).as_posix() in left_out
            or any(fnmatch(name, never) for never in _NEVER)
            or not _copied(Path(folder) / name)
        }

    def copied(source: str, target: str) -> str:
        nonlocal left
        left -= Path(source).lstat().st_size
        if left < 0:
            raise CannotRun(f"{root} has more than {most_bytes:,} bytes: leave out what is not run")
        return shutil.copy2(source, target, follow_symlinks=False)

    try:
        shutil.copytree(root, copy, symlinks=True, ignore=ignored, copy_function=copied)
        if user is not None:
            for folder, folders, files in os.walk(copy):
                for name in (".", *folders, *files):
                    os.chown(Path(folder, name), user.uid, user.gid, follow_symlinks=False)
    except (OSError, shutil.Error) as error:
        raise FileError(
            f"cannot be copied for the code that is to run ({error}): check who may read it", root
        ) from error


def _copied(path: Path) -> bool:
    mode = path.lstat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)
