"""`results.jsonl`: every answer and what was said of it, a line each, written as they come.

Lines stand in the order in which cases ended. Reading goes line by line: the whole may be larger
than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from gate.errors import FileError
from gate.types import Result, Word
from gate.wire.files import LineFile

__all__ = ["RESULTS", "Head", "Key", "ResultsWriter", "Wanted", "read_lines", "read_results"]

RESULTS = "results.jsonl"
"""Name of the file in the folder of a run."""

Key = tuple[str, str, int]
"""Target, case id and attempt."""

_LONGEST = 64 * 1024 * 1024
"""Bytes of a line: an answer with its quotes has some thousands."""


class Head(Word):
    """Which answer a line is about, without the rest of it."""

    target: str
    """Name of the system under test."""
    case_id: str
    """The case."""
    attempt: int
    """Repeat number from 0."""
    answer_digest: str | None = None
    """SHA-256 of the answer; None when there is none."""

    @property
    def key(self) -> Key:
        """Target, case and attempt."""
        return self.target, self.case_id, self.attempt


Wanted = Callable[[Head], bool]
"""Tells which lines are asked for."""


class ResultsWriter:
    """Writes the results of one run, afresh."""

    def __init__(self, path: Path) -> None:
        """Empty the file, or make it. Raises FileError."""
        self._lines = LineFile(path, fresh=True)

    def append(self, result: Result) -> None:
        """Write a result. Raises FileError."""
        self._lines.append_line(result.model_dump_json(by_alias=True))

    def close(self) -> None:
        """Close the file."""
        self._lines.close()


def read_results(path: Path, wanted: Wanted) -> Iterator[Result]:
    """Yield the results that are wanted, in the file's order; none where there is no such file.

    Raises FileError, with the line, for what is no result.
    """
    for number, line in _lines_of(path, wanted):
        try:
            yield Result.model_validate_json(line)
        except ValidationError as error:
            raise _no_result(path, number) from error


def read_lines(path: Path, wanted: Wanted) -> Iterator[bytes]:
    """Yield the lines that are wanted, as they stand; none where there is no such file.

    Raises FileError, with the line, for what is no result.
    """
    return (line for _, line in _lines_of(path, wanted))


def _lines_of(path: Path, wanted: Wanted) -> Iterator[tuple[int, bytes]]:
    for number, line in _lines(path):
        try:
            head = Head.model_validate_json(line)
        except ValidationError as error:
            raise _no_result(path, number) from error
        if wanted(head):
            yield number, line


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield numbers and lines; only a line feed ends one, since an answer may hold U+2028."""
    if not path.exists():
        return
    try:
        with path.open("rb") as stream:
            number = 0
            while line := stream.readline(_LONGEST + 1):
                number += 1
                if len(line) > _LONGEST:
                    raise FileError("has a line that no answer is as long as", path, number)
                yield number, line
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}; check the path", path) from error


def _no_result(path: Path, number: int) -> FileError:
    return FileError("is no result of the gate: remove the file, or run again", path, number)
