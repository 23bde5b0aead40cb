"""Files: read whole and strict, written whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import BufferedReader
from pathlib import Path, PurePosixPath, PureWindowsPath
from types import TracebackType
from typing import Any, BinaryIO, Never, Self

from pydantic import JsonValue

from gate.errors import FileError, NoVerdict
from gate.types import Word
from gate.types.halves import may_hold_halves, whole_json

MOST_BYTES = 64 * 1024 * 1024
"""Size cap of a file that is read, unless the reader says otherwise: 64 MiB."""


def read_text(path: Path, *, max_bytes: int = MOST_BYTES) -> str:
    r"""Return a text file with its line ends as `\n`.

    A UTF-8 byte order mark is left out, since some editors put one and it says nothing. Raises
    FileError for what is no regular file, is larger than `max_bytes`, or is not UTF-8.
    """
    data = _read_bytes(path, max_bytes)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError("is UTF-16: save it as UTF-8", path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError("is not UTF-8: save it as UTF-8", path, line) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def relative_reader(root: Path, *, max_bytes: int = MOST_BYTES) -> Callable[[str], str]:
    """Return a function that reads text files under `root` by their relative path.

    It raises FileError for absolute paths, for `..`, and for symbolic links that leave `root`:
    the tree may come from a stranger.
    """

    def read(name: str) -> str:
        # Both spellings of a path are looked at, so that a tree behaves alike everywhere.
        shapes = (PurePosixPath(name), PureWindowsPath(name))
        if not name or "\0" in name or any(shape.anchor or ".." in shape.parts for shape in shapes):
            raise FileError(f"{name!r} must be a relative path without `..`, under {root}")
        try:
            place = (root / name).resolve(strict=True)
        except (OSError, RuntimeError) as error:
            raise FileError(f"no such file under {root}: check the path", name) from error
        if not place.is_relative_to(root.resolve()):
            raise FileError(f"is a link that leaves {root}: put the file itself there", name)
        return read_text(place, max_bytes=max_bytes)

    return read


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all: beside it, to the disk, then into its place.

    A reader sees the old text or the new one, whatever ends the process. Raises FileError.
    """
    write_parts(path, (text,))


def write_parts(path: Path, parts: Iterable[str]) -> None:
    """Write a file part by part, and like `write_text` whole or not at all.

    For texts that are too large to be held; the parts are made while they are written. Raises
    FileError.
    """
    _replace(path, (_encode(piece, path) for part in parts for piece in _pieces(part)))


def write_lines(path: Path, lines: Iterable[bytes]) -> None:
    """Write a file of these lines as they stand, and like `write_text` whole or not at all.

    The lines are taken as they come, so that a large file never stands in memory. Raises FileError,
    and what the lines raise.
    """
    _replace(path, lines)


def remove_files(folder: Path, names: Iterable[str]) -> None:
    """Remove files of a folder in this order, those that are there. Raises FileError."""
    for name in names:
        path = folder / name
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise _cannot("removed", path, error) from error
        _sync_folder(folder)


def remove_drafts(folder: Path, of: str = "") -> None:
    """Remove what `write_text` leaves in a folder when it is killed half-way.

    `of` names the file whose drafts are meant, where not all are. Raises FileError.
    """
    names = [path.name for path in folder.glob(".*.tmp") if _DRAFT.match(path.name)]
    begin = f".{of}." if of else "."
    remove_files(folder, [name for name in names if name.startswith(begin)])


def copy_file(source: Path, path: Path, *, max_bytes: int = MOST_BYTES) -> None:
    """Copy a regular file byte by byte, and like `write_text` whole or not at all.

    Raises FileError, also for what is larger than `max_bytes`.
    """
    with _opened(source) as stream:
        _replace(path, _blocks(stream, source, max_bytes))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hexadecimal digits. Raises FileError."""
    with _opened(path) as stream:
        try:
            return hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise _cannot("read", path, error) from error


def read_lines(path: Path, *, max_bytes: int = MOST_BYTES) -> Iterator[bytes]:
    """Give the lines of a file one by one, with their line ends, as they stand in it.

    A line above 16 MiB comes in parts of that size. Raises FileError, as `read_text` does.
    """
    with _opened(path) as stream:
        _check_size(os.fstat(stream.fileno()).st_size, path, max_bytes)
        read = 0
        try:
            while line := stream.readline(_LONGEST_LINE):
                read += len(line)
                _check_size(read, path, max_bytes)
                yield line
        except OSError as error:
            raise _cannot("read", path, error) from error


class LineFile:
    """A file that is written line by line, such as `results.jsonl`: each line is there at once."""

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        """Open to append; `fresh` empties it first. A torn last line is dropped.

        Raises FileError.
        """
        self.path = path
        try:
            self._stream = path.open("w+b" if fresh else "a+b")
        except OSError as error:
            raise _cannot("written", path, error) from error
        self._drop_torn_line()

    def append_line(self, line: str) -> None:
        """Write one line, which must not hold a line end, and hand it to the system.

        Raises NoVerdict when the disk does not take it.
        """
        if "\n" in line:
            raise FileError("a line with a line end in it cannot be appended", self.path)
        data = _encode(line, self.path) + b"\n"
        try:
            self._stream.write(data)
            self._stream.flush()
        except OSError as error:
            # A run is under way: what it paid for is kept, and it can be resumed.
            raise NoVerdict(
                f"{self.path}: cannot be written: {error.strerror}; "
                "free some space and run again to resume"
            ) from error

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _drop_torn_line(self) -> None:
        end = self._stream.seek(0, os.SEEK_END)
        keep = end
        while keep > 0:
            start = max(0, keep - _BLOCK)
            self._stream.seek(start)
            newline = self._stream.read(keep - start).rfind(b"\n")
            if newline >= 0:
                keep = start + newline + 1
                break
            keep = start
        if keep < end:
            self._stream.truncate(keep)
        self._stream.seek(0, os.SEEK_END)


def read_json(path: Path, *, max_bytes: int = MOST_BYTES) -> JsonValue:
    """Return the value of a JSON file; see `parse_json` for what is refused."""
    return parse_json(read_text(path, max_bytes=max_bytes), path)


def parse_json(
    text: str,
    path: str | Path | None = None,
    line: int | None = None,
    *,
    parse_float: Callable[[str], float] | None = None,
) -> JsonValue:
    """Return the value of a JSON text.

    `path` and `line` say where it stands, for messages; `line` is for files of one value a line.
    `parse_float` makes numbers of texts with a fraction or a power, where `float` is not wanted.
    Raises FileError for what is no JSON, for NaN and infinities, for half a character, which no
    file of ours could hold, and for a key that stands twice in one object, of which others
    silently take the last.
    """
    try:
        value: JsonValue = json.loads(
            text,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
            parse_float=parse_float,
        )
    except json.JSONDecodeError as error:
        place = line or error.lineno
        raise FileError(f"is not JSON: {error.msg}, column {error.colno}", path, place) from error
    except RecursionError as error:
        raise FileError("is not readable: its values are nested too deep", path, line) from error
    except ValueError as error:
        raise FileError(str(error), path, line) from error
    if may_hold_halves(text) and whole_json(value) != value:
        raise FileError(
            "holds half a character (an escape such as \\ud83d without its other half): "
            "complete or remove it",
            path,
            line,
        )
    return value


def dump_json(value: JsonValue | Word) -> str:
    """Return JSON text with two spaces of indent, keys in their order, and a last line end.

    Raises ValueError for NaN and infinities.
    """
    plain = value.model_dump(mode="json") if isinstance(value, Word) else value
    return json.dumps(plain, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_BLOCK = 64 * 1024
_DRAFT = re.compile(r"\..+\.[0-9a-f]{8}\.tmp")


_LONGEST_LINE = 16 * 1024 * 1024

_PIECE = 1024 * 1024
"""Characters that are encoded at once."""


def _pieces(text: str) -> Iterator[str]:
    """Cut a text so that it is not held a second time as bytes."""
    if len(text) <= _PIECE:
        yield text
        return
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE]


def _blocks(stream: BinaryIO, source: Path, max_bytes: int) -> Iterator[bytes]:
    read = 0
    while block := stream.read(_PIECE):
        read += len(block)
        _check_size(read, source, max_bytes)
        yield block


def _replace(path: Path, blocks: Iterable[bytes]) -> None:
    """Write the blocks beside the file, to the disk, then into its place."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with draft.open("xb") as stream:
            for block in blocks:
                stream.write(block)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
        _sync_folder(path.parent)
    except OSError as error:
        raise _cannot("written", path, error) from error
    finally:
        with suppress(OSError):
            draft.unlink()


def _opened(path: Path) -> BufferedReader:
    """Open a regular file; raises FileError for anything else."""
    try:
        # A pipe must not hold up the opening; whether it is a file is asked of what was opened.
        stream = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")
    except OSError as error:
        raise _cannot("read", path, error) from error
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        stream.close()
        raise FileError("is no regular file: name a text file", path)
    return stream


def _check_size(size: int, path: Path, max_bytes: int) -> None:
    if size > max_bytes:
        raise FileError(f"is larger than {max_bytes} bytes: split it or name another file", path)


def _read_bytes(path: Path, max_bytes: int) -> bytes:
    with _opened(path) as stream:
        try:
            data = stream.read(max_bytes + 1)
        except OSError as error:
            raise _cannot("read", path, error) from error
    _check_size(len(data), path, max_bytes)
    return data


def _encode(text: str, path: Path) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise FileError(
            f"cannot be written: character {error.start + 1} of the text is half a character",
            path,
        ) from error


def _cannot(verb: str, path: Path, error: OSError) -> FileError:
    if error.errno == errno.ENOENT:
        return FileError(f"cannot be {verb}: there is no such file or folder; check the path", path)
    if error.errno == errno.EISDIR:
        return FileError(f"cannot be {verb}: it is a folder; name a file", path)
    return FileError(
        f"cannot be {verb}: {error.strerror}; check who may use it, and the disk", path
    )


def _sync_folder(folder: Path) -> None:
    """Make the new name outlive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refuse_constant(name: str) -> Never:
    message = f"{name} is no JSON number: write null for what is unknown"
    raise ValueError(message)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        key = next(key for key, count in counts.items() if count > 1)
        message = f"the key {key!r} stands twice in one object: take one out"
        raise ValueError(message)
    return found
