"""Lines of a screen: stretches of text with a style, broken and cut by the columns they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.cells import cell_len, chop_cells, set_cell_size

from gate.reports.untrusted import shown_lines

Style = Literal["", "bold", "dim", "head", "mark"]
"""How a stretch looks; what it means is said in words too."""

_CODES: dict[Style, str] = {"": "", "bold": "1", "dim": "2", "head": "36", "mark": "1;36"}


class Stretch(NamedTuple):
    """A piece of a line."""

    text: str
    """Text without control characters."""
    style: Style = ""
    """How it looks."""


Line = tuple[Stretch, ...]
"""A line of the screen."""


def words(line: Line) -> str:
    """Return the text of a line."""
    return "".join(part.text for part in line)


def columns(line: Line) -> int:
    """Return the columns that a line takes."""
    return cell_len(words(line))


def painted(line: Line, *, styled: bool) -> str:
    """Return a line for the terminal, with its styles where they are welcome."""
    return "".join(
        f"\x1b[{_CODES[part.style]}m{part.text}\x1b[0m" if styled and part.style else part.text
        for part in line
    )


def cut(text: str, width: int, end: str = "…") -> str:
    """Return a text that takes at most `width` columns, with `end` where it was cut."""
    if cell_len(text) <= width:
        return text
    return set_cell_size(text, max(width - cell_len(end), 0)).rstrip() + end


def wrapped(text: str, width: int) -> list[str]:
    """Break a foreign text of several lines between its words; signs that cannot be seen go."""
    return [part for line in shown_lines(text) for part in _broken(line, max(width, 1))]


def _broken(line: str, width: int) -> list[str]:
    if cell_len(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip(" "))][: width // 2]
    lines: list[str] = []
    here = indent
    for word in line.split():
        joined = f"{here} {word}" if here.strip() else here + word
        if cell_len(joined) <= width:
            here = joined
            continue
        if here.strip():
            lines.append(here)
        *full, here = chop_cells(indent + word, width)
        lines += full
    return [*lines, here]


def beside(left: Sequence[Line], right: Sequence[Line], width: int, gap: int) -> list[Line]:
    """Put two columns side by side; the left one takes `width` columns."""
    rows = []
    for number in range(max(len(left), len(right))):
        first: Line = left[number] if number < len(left) else ()
        second: Line = right[number] if number < len(right) else ()
        space = Stretch(" " * (width + gap - columns(first)))
        rows.append((*first, space, *second) if second else first)
    return rows


def apart(left: Line, right: str, width: int) -> Line:
    """Put a remark at the right end of a line, where there is room for it."""
    space = width - columns(left) - cell_len(right)
    return (*left, Stretch(" " * space), Stretch(right, "dim")) if right and space > 0 else left
