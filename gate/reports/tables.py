"""One Markdown table: as many cells in each row as in its head, whatever the cells hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a GitHub table; cells are inline Markdown that is safe already.

    A `|` would end its cell even inside code, so each becomes `\|`, which GitHub turns back
    before it reads the cell. Raises ValueError for a row of another length or a cell of several
    lines: both are faults of ours.
    """
    lines = [_line(head, len(head)), "|" + "---|" * len(head)]
    lines.extend(_line(row, len(head)) for row in rows)
    return "\n".join(lines)


def _line(cells: Sequence[str], count: int) -> str:
    if len(cells) != count:
        raise ValueError(f"a row of {len(cells)} cells in a table of {count} columns: {cells!r}")
    if any("\n" in cell or "\r" in cell for cell in cells):
        raise ValueError(f"a cell of several lines: {cells!r}")
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
