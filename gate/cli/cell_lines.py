"""A large run.json or baseline.json, read line by line: as the gate writes them, a cell a line.

The text is never held whole, and what repeats in it (names, columns of thirds) is held once. A file
of another form is left to the reader that takes any JSON.
"""

from __future__ import annotations

import gc
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pydantic import JsonValue, TypeAdapter, ValidationError

from gate.cli.no_collection import no_collection
from gate.errors import FileError
from gate.types import Cell
from gate.wire.files import parse_json, read_lines
from gate.wire.quick_json import quick_list

LARGEST = 2 * 1024 * 1024 * 1024
"""Size cap of a file that is read line by line: 2 GiB, some three million cells."""

_OPENS = b'"cells": ['
_CLOSES = (b"]", b"],")
_MOST_HEAD = 10_000
"""Lines above the cells; there is one for each target, dimension and the like."""

_AT_ONCE = 500
"""Lines that are parsed together: keys of one parse share their memory."""

_MANY = 10_000
"""Cells from which on the search for circles is spared the walk over them."""

_MOST_KNOWN = 50_000
"""Numbers, and columns, that are remembered to be shared."""

_NAMES = ("target", "case_id", "category", "case_digest")
"""Texts of a cell that repeat in others."""

_FIGURES = ("latency_s", "cost_usd")
"""Numbers of an attempt, written with few decimals."""

_CELLS = TypeAdapter(list[Cell])

Refusal = Callable[[str, str], FileError]
"""From a place such as `cells.3.target` and what is wrong there to an error."""


def read_cell_lines(
    path: Path, refusal: Refusal
) -> tuple[dict[str, JsonValue], tuple[Cell, ...]] | None:
    """Return the file's object without its cells, and the cells; None for a file of another form.

    Raises FileError for what `parse_json` refuses, with the line, and what `refusal` makes of a
    cell of another shape.
    """
    lines = enumerate(read_lines(path, max_bytes=LARGEST), start=1)
    head = _until_cells(lines)
    if head is None:
        return None
    reader = _CellReader(path, refusal)
    with no_collection():
        closing = reader.take(lines)
    if closing is None:
        return None
    if len(reader.cells) > _MANY:
        # They live as long as the process: later searches for circles need not walk over them.
        gc.freeze()
    token = secrets.token_hex(8)
    # So many line ends keep the numbers of the lines below right.
    below = b"".join([b"\n" * (len(reader.cells) + 1), closing, *(raw for _, raw in lines)])
    try:
        text = b"".join([*head, b'"cells": ["', token.encode(), b'"', below]).decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    rest = parse_json(text, path)
    if not isinstance(rest, dict) or rest.pop("cells", None) != [token]:
        return None
    return rest, tuple(reader.cells)


def _until_cells(lines: Iterator[tuple[int, bytes]]) -> list[bytes] | None:
    """Give the lines above the cells; None where there are none so soon."""
    head: list[bytes] = []
    for _, raw in lines:
        if raw.strip() == _OPENS:
            return head
        if len(head) == _MOST_HEAD or not raw.endswith(b"\n"):
            return None
        head.append(raw)
    return None


class _CellReader:
    """Takes lines and makes cells of them."""

    def __init__(self, path: Path, refusal: Refusal) -> None:
        self.cells: list[Cell] = []
        self._path = path
        self._refusal = refusal
        self._numbers: dict[float, float] = {}
        self._columns: dict[tuple[object, ...], tuple[float | None, ...]] = {}

    def take(self, lines: Iterator[tuple[int, bytes]]) -> bytes | None:
        """Read all cells, and return the line that closes them; None where it is no such file."""
        batch: list[bytes] = []
        first = 0
        for number, raw in lines:
            text = raw.strip()
            if text in _CLOSES:
                return raw if self._add(batch, first, last=True) else None
            if not text.startswith(b"{") or not text.endswith((b"}", b"},")):
                return None
            if len(batch) == _AT_ONCE:
                if not self._add(batch, first, last=False):
                    return None
                batch = []
            first = first if batch else number
            batch.append(text)
        return None

    def _add(self, batch: Sequence[bytes], first: int, *, last: bool) -> bool:
        """Make cells of some lines; False where something is wrong that no line says by itself."""
        if not batch:
            return last
        if batch[-1].endswith(b",") is last:
            return False
        data = self._parsed(batch, first)
        if data is None:
            return False
        for one in data:
            if isinstance(one, dict):
                _share_names(one)
                self._share_figures(one)
        try:
            made = _CELLS.validate_python(data)
        except ValidationError as error:
            wrong = error.errors(include_url=False, include_input=False)[0]
            place, *inside = wrong["loc"]
            where = ".".join(map(str, ("cells", len(self.cells) + int(place), *inside)))
            raise self._refusal(where, wrong["msg"]) from error
        for cell in made:
            self._share_columns(cell.scores)
        self.cells += made
        return True

    def _parsed(self, batch: Sequence[bytes], first: int) -> list[JsonValue] | None:
        """Parse some lines; None where they are no values, one a line."""
        text = b"[%b]" % b"".join(batch).removesuffix(b",")
        data: JsonValue = quick_list(text)
        if data is None:
            try:
                data = parse_json(text.decode())
            except UnicodeDecodeError:
                return None
            except FileError:
                for number, one in enumerate(batch, start=first):
                    parse_json(one.removesuffix(b",").decode(), self._path, number)
                return None
        return data if isinstance(data, list) and len(data) == len(batch) else None

    def _share_figures(self, data: dict[str, JsonValue]) -> None:
        attempts = data.get("attempts")
        for made in attempts if isinstance(attempts, list) else ():
            for key in _FIGURES if isinstance(made, dict) else ():
                figure = made.get(key)
                # Zero has two signs, and one must not stand for the other.
                if isinstance(figure, float) and figure:
                    made[key] = self._known(figure)

    def _known(self, number: float) -> float:
        """Give the same number, as one object for all that are alike."""
        known = self._numbers.get(number)
        if known is None:
            known = number
            if len(self._numbers) < _MOST_KNOWN:
                self._numbers[number] = number
        return known

    def _share_columns(self, scores: dict[str, tuple[float | None, ...]]) -> None:
        known = self._columns
        for name, column in scores.items():
            same = known.get(column)
            if same is not None:
                scores[name] = same
            elif len(known) < _MOST_KNOWN:
                known[column] = column
            elif len(column) > 1:
                scores[name] = tuple([self._known(value) if value else value for value in column])


def _share_names(data: dict[str, JsonValue]) -> None:
    for key in _NAMES:
        name = data.get(key)
        if isinstance(name, str):
            data[key] = sys.intern(name)
