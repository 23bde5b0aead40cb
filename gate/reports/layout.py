"""Tables that fit a terminal: the widest that no cell has to break in, or else plain lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from gate.reports.notes import NotedRow

GAP = 2
"""Columns between two cells."""

_DIMENSION = 1
_TRUST = 5
_WIDE = 100
_LONG = 28
_WITHOUT_COUNTS = (0, 1, 2, 3, 5)
_WITHOUT_TRUST = (0, 1, 2, 3)


@dataclass(frozen=True)
class Grid:
    """Cells, and what is said below them; a cell breaks only where it has a newline."""

    heads: tuple[str, ...]
    """Titles of the columns."""
    rows: tuple[tuple[str, ...], ...]
    """As many cells as titles."""
    below: tuple[str, ...] = ()
    """What had no room."""

    @property
    def width(self) -> int:
        """Columns that it needs."""
        widths = (
            max(cell_len(line) for cell in column for line in cell.split("\n"))
            for column in zip(self.heads, *self.rows, strict=True)
        )
        return sum(widths) + GAP * (len(self.heads) - 1)


def verdict_grid(
    rows: Sequence[tuple[str, ...]], heads: tuple[str, ...], width: int
) -> Grid | None:
    """Return the table of one target in `width` columns, or None where it needs plain lines.

    From 100 columns on a long trust takes two lines; below, `worse / better` leaves first, then
    the trust goes below the table.
    """
    whole = Grid(heads, tuple(rows))
    trust = (f"  {row[_DIMENSION]}: {row[_TRUST]}" for row in rows)
    for grid in (
        whole,
        *([_two_lines(whole)] if width >= _WIDE else []),
        _only(whole, _WITHOUT_COUNTS),
        _only(whole, _WITHOUT_TRUST, (heads[_TRUST], *trust)),
    ):
        if grid.width <= width:
            return grid
    return None


def verdict_lines(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return the rows of one target as lines, three each, for a terminal too narrow for a table."""
    lines: list[str] = []
    for word, dimension, moved, changed, _, trust in rows:
        lines.extend((f"{word}: {dimension} {moved}", f"  change (90% interval) {changed}"))
        lines.append(f"  judge trust: {trust}")
    return lines


def cells(one: NotedRow) -> tuple[str, ...]:
    """Return the cells of a row in the order of the titles."""
    row = one.row
    word = f"{row.word} {one.mark}" if one.mark else row.word
    return (word, row.finding.dimension, row.moved, row.changed, row.counts, row.trust)


def narrow(grid: Grid) -> list[str]:
    """Return a table of targets as lines: each target is a heading, with its figures below."""
    lines = []
    for number, head in enumerate(grid.heads[1:], start=1):
        lines.append(head)
        lines.extend(f"  {row[0]} {row[number]}" for row in grid.rows if row[number])
    return lines


def _two_lines(grid: Grid) -> Grid:
    """Break a long trust before its bound."""
    rows = (
        (
            *row[:_TRUST],
            row[_TRUST].replace(" (", "\n(") if len(row[_TRUST]) > _LONG else row[_TRUST],
        )
        for row in grid.rows
    )
    return Grid(grid.heads, tuple(rows))


def _only(grid: Grid, columns: Sequence[int], below: tuple[str, ...] = ()) -> Grid:
    rows = tuple(tuple(row[column] for column in columns) for row in grid.rows)
    return Grid(tuple(grid.heads[column] for column in columns), rows, below)
