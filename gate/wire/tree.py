"""A checkout that may come from a stranger: looked at strictly, and no link is followed.

A link in it may lead anywhere on this machine. What stands below `.git` is never read: a checkout
may keep the token there that made it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Literal

from gate.errors import FileError
from gate.wire.files import MOST_BYTES, file_digest, read_text, relative_reader

MOST_NAMES = 10_000
"""Files of one pattern that are looked at."""

LONGEST_OWNED = 1_000_000
"""Bytes of a file that a candidate's own option names: it goes to a model with every question."""


@dataclass(frozen=True)
class Found:
    """What stands under a name."""

    kind: Literal["file", "link", "other"]
    """A regular file, a link on the way to it, or something else."""
    size: int
    """Bytes, of a file."""


class Tree:
    """The files of one checkout."""

    def __init__(self, root: Path) -> None:
        """Look at nothing yet."""
        self.root = root

    def look(self, name: str) -> Found | None:
        """Say what stands under a relative path; None where there is nothing."""
        parts = PurePosixPath(name).parts
        place = self.root
        for number, part in enumerate(parts, start=1):
            place = place / part
            try:
                found = os.lstat(place)
            except (OSError, ValueError):
                return None
            if stat.S_ISLNK(found.st_mode):
                return Found("link", 0)
            if number == len(parts) and stat.S_ISREG(found.st_mode):
                return Found("file", found.st_size)
        return Found("other", 0)

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a file's bytes. Raises FileError."""
        return file_digest(self.root / name)

    def text(self, name: str, *, max_bytes: int = MOST_BYTES) -> str:
        """Return the text of a regular file. Raises FileError, also for a link."""
        found = self.look(name)
        if found is not None and found.kind == "link":
            raise FileError(
                "is a link, or lies behind one, and links of a candidate's tree are not followed: "
                "put the file itself there",
                self.root / name,
            )
        return read_text(self.root / name, max_bytes=max_bytes)

    def names(self, pattern: str) -> tuple[str, ...]:
        """Name what fits a pattern such as `evals/labels/*.yaml`, sorted; folders are left out."""
        found = (path.relative_to(self.root).as_posix() for path in self.root.glob(pattern))
        files = (name for name in found if (one := self.look(name)) and one.kind != "other")
        return tuple(sorted(islice(files, MOST_NAMES)))


def owned_reader(root: Path) -> Callable[[str], str]:
    """Return a function that reads text files that a candidate's own options name.

    It raises FileError for what leaves `root`, by `..`, by an absolute path or by a link, and for
    what lies below `.git`.
    """
    inside = relative_reader(root, max_bytes=LONGEST_OWNED)

    def read(name: str) -> str:
        text = inside(name)
        parts = (root / name).resolve().relative_to(root.resolve()).parts
        if any(part.casefold() == ".git" for part in parts):
            raise FileError("lies below `.git`, where credentials may be: name another file", name)
        return text

    return read
