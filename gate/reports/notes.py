"""Remarks on rows, said once each below the table and numbered in the rows that they belong to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from gate.reports.rows import TableRow

_SHORTER = (
    (re.compile(r"\bkappa \S+ (?:\(n \d+\) )?is above \S+, but its "), "kappa's "),
    (re.compile(r"\bkappa \S+ (?:\(n \d+\) )?is above \S+, but "), ""),
    (re.compile(r"\bkappa \S+ is above \S+, and its lower bound \S+ above \S+ \(n \d+\); "), ""),
    (re.compile(r"\bkappa \S+ \(n \d+\) is not above "), "kappa is not above "),
    (re.compile(r"\blower bound \S+ is not above "), "lower bound is not above "),
)
"""Figures of a licence that stand in the row, or that differ by dimension and change nothing."""

# Only numbers that count or measure: one that stands alone may be the name of a case.
_NUMBER = re.compile(
    r"(?<![\w.,(-])\d+(?:\.\d+)?(?= (?:of|more|cases?|times|labels?)\b)|(?<=\bdrop )\d+\.\d+"
)
_HOLE = "\0"


@dataclass(frozen=True)
class NotedRow:
    """A row, and where below the table its remarks are said."""

    row: TableRow
    """The row."""
    notes: tuple[int, ...]
    """Numbers of its notes, counted from 1."""

    @property
    def mark(self) -> str:
        """`[1,2]`, or nothing."""
        return f"[{','.join(map(str, self.notes))}]" if self.notes else ""


@dataclass
class _Note:
    """Remarks that say the same but for their numbers."""

    number: int
    figures: list[list[str]] = field(default_factory=list)


def with_notes(rows: Sequence[TableRow]) -> tuple[tuple[NotedRow, ...], tuple[str, ...]]:
    """Take the remarks out of the rows, and return them once each, in the order of the rows.

    Remarks that differ in their numbers only become one: it gives the range, `6 to 30`.
    """
    found: dict[str, _Note] = {}
    noted = []
    for row in rows:
        numbers: dict[int, None] = {}
        for remark in row.remarks:
            text = shorter(remark).replace(_HOLE, "")
            note = found.setdefault(_NUMBER.sub(_HOLE, text), _Note(len(found) + 1))
            note.figures.append(_NUMBER.findall(text))
            numbers[note.number] = None
        noted.append(NotedRow(row, tuple(numbers)))
    return tuple(noted), tuple(_filled(text, note.figures) for text, note in found.items())


def shorter(remark: str) -> str:
    """Leave out the figures of a licence: kappa stands in the row."""
    for figures, words in _SHORTER:
        remark = figures.sub(words, remark)
    return remark


def _filled(text: str, figures: Sequence[Sequence[str]]) -> str:
    """Put each number back in its place, or its range where the rows differ."""
    head, *parts = text.split(_HOLE)
    for values, part in zip(zip(*figures, strict=True), parts, strict=True):
        least, most = min(values, key=float), max(values, key=float)
        head += (least if least == most else f"{least} to {most}") + part
    return head
