"""Which commit a folder was checked out at, read without git: there is none in the image."""

from __future__ import annotations

import re
from pathlib import Path

from gate.errors import FileError
from gate.wire.files import relative_reader

__all__ = ["commit_of"]

_LARGEST = 16 * 1024 * 1024
"""Bytes of a file of git's that is read; lists of packed names grow with a repository."""
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"ref: (refs/[^\s\\]{1,500})")


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
