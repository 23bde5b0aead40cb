"""Writes what `gate init` planned; overwrites only what it wrote itself, and only when asked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.cli.doctor_files import missing_from
from gate.cli.init_files import IGNORED, Planned
from gate.cli.init_seal import is_unedited
from gate.cli.options import make_folder
from gate.errors import FileError
from gate.wire.files import MOST_BYTES, read_text, write_lines, write_text

__all__ = ["Pending", "look", "write"]


@dataclass(frozen=True)
class Pending:
    """What will be written, and what stays."""

    files: tuple[Planned, ...]
    """Files to write."""
    kept: tuple[Planned, ...]
    """Files that are there and stay as they are."""
    ignores: tuple[str, ...]
    """Lines that .gitignore lacks."""
    ignored: bytes
    """What .gitignore says now."""


def look(folder: Path, planned: Sequence[Planned], *, force: bool) -> Pending:
    """Look at what is there; nothing is written.

    With `force`, what an earlier call wrote and nobody edited is written anew. Raises FileError
    where a file stands in a folder's place, and for what cannot be read.
    """
    new, kept = list[Planned](), list[Planned]()
    for one in planned:
        path = folder / one.path
        _check_parents(folder, path)
        if not path.exists() and not path.is_symlink():
            new.append(one)
        elif not (force and path.is_file() and is_unedited(read_text(path))):
            kept.append(one)
        elif read_text(path) != one.text:
            new.append(one)
    path = folder / IGNORED
    said = path.read_bytes() if path.is_file() and path.stat().st_size <= MOST_BYTES else b""
    lines = read_text(path).split() if path.exists() or path.is_symlink() else []
    return Pending(tuple(new), tuple(kept), tuple(missing_from(lines)), said)


def write(folder: Path, pending: Pending) -> None:
    """Write it, each file whole or not at all. Raises FileError."""
    for one in pending.files:
        path = folder / one.path
        make_folder(path.parent)
        write_text(path, one.text)
    if not pending.ignores:
        return
    make_folder(folder)
    end = b"\r\n" if b"\r\n" in pending.ignored else b"\n"
    joint = b"" if not pending.ignored or pending.ignored.endswith(b"\n") else end
    lines = [pending.ignored, joint, *(line.encode() + end for line in pending.ignores)]
    write_lines((folder / IGNORED).resolve(), lines)


def _check_parents(folder: Path, path: Path) -> None:
    for parent in path.parents:
        if parent == folder:
            break
        if parent.exists() and not parent.is_dir():
            raise FileError("is a file where a folder is needed: move it away", parent)
