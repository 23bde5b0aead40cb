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
from gate.wire.files import LineFile, read_lines

__all__ = ["RESULTS", "Head", "Key", "ResultsWriter", "Wanted", "read_results", "wanted_lines"]

RESULTS = "results.jsonl"
"""Name of the file in the folder of a run."""

Key = tuple[str, str, int]
"""Target, case id and attempt."""

_LARGEST = 1 << 40
"""Bytes of a file: it is read line by line, whatever its size."""


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


def wanted_lines(path: Path, wanted: Wanted) -> Iterator[bytes]:
    """Yield the lines that are wanted, as they stand; none where there is no such file.

    Raises FileError, with the line, for what is no result.
    """
    return (line for _, line in _lines_of(path, wanted))


def _lines_of(path: Path, wanted: Wanted) -> Iterator[tuple[int, bytes]]:
    lines = read_lines(path, max_bytes=_LARGEST) if path.exists() else ()
    for number, line in enumerate(lines, start=1):
        try:
            head = Head.model_validate_json(line)
        except ValidationError as error:
            raise _no_result(path, number) from error
        if wanted(head):
            yield number, line


def _no_result(path: Path, number: int) -> FileError:
    return FileError("is no result of the gate: remove the file, or run again", path, number)
