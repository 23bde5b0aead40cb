"""Which checkout a folder is of, and at which commit; read without git: the image has none."""

from __future__ import annotations

import re
from pathlib import Path

from gate.errors import FileError
from gate.wire.files import relative_reader

__all__ = ["checkout_of", "checkouts_of", "commit_of"]

_LARGEST = 16 * 1024 * 1024
"""Bytes of a file of git's that is read; lists of packed names grow with a repository."""
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"ref: (refs/[^\s\\]{1,500})")


def checkout_of(folder: Path) -> Path | None:
    """Return the next folder upwards that is a checkout, the folder itself first; None for none.

    Upwards is as the path is written, so that of a relative one nothing above its first folder's
    own place is looked at, and a link in it leads nowhere.
    """
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), None)


def checkouts_of(base: Path, candidate: Path) -> tuple[Path, Path]:
    """Return the checkouts of two trees, each of which may be a folder of its checkout.

    Where one checkout holds both, it is not known to be either's: then they are the trees.
    """
    found = checkout_of(base), checkout_of(candidate)
    if found[0] == found[1]:
        return base, candidate
    return found[0] or base, found[1] or candidate


def commit_of(folder: Path) -> str | None:
    """Return the commit of a checkout; None where the folder is none, or does not say."""
    read = relative_reader(folder / ".git", max_bytes=_LARGEST)
    try:
        head = read("HEAD").strip()
        branch = _BRANCH.fullmatch(head)
        if branch is None:
            return head if _SHA.fullmatch(head) else None
        try:
            commit = read(branch[1]).strip()
        except FileError:
            commit = _packed(read("packed-refs"), branch[1])
    except FileError:
        return None
    return commit if _SHA.fullmatch(commit) else None


def _packed(text: str, name: str) -> str:
    for line in text.splitlines():
        commit, _, packed = line.partition(" ")
        if packed == name:
            return commit
    return ""
