"""How much a rendered report holds: levels from all to the least, the least useful left first.

The verdict and the table are on every level; only the last ones shorten a table that would not
fit otherwise, its failing rows kept longest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Detail:
    """Upper limits of what is shown."""

    stories: int
    """Changed cases with question, answer and reason."""
    listed: int
    """Changed cases in numbers only, listed below those."""
    answer: int
    """Characters of a question, an answer or a reason."""
    names: int
    """Names in a list of cases."""
    lines: int
    """Warnings, edits, lines to reproduce."""
    tables: bool
    """Whether the tables of categories, of p values and of models are shown."""
    judge: bool
    """Whether the table of the judge's agreement with people is shown."""
    remarks: bool
    """Whether the notes on rows are shown."""
    rows: int
    """Rows of the table and lines of operations."""


_FULL = Detail(
    stories=20,
    listed=0,
    answer=1_200,
    names=40,
    lines=30,
    tables=True,
    judge=False,
    remarks=True,
    rows=400,
)
_BARE = replace(_FULL, stories=0, names=10, lines=10, tables=False)

COMMENT = (
    _FULL,
    replace(_FULL, answer=400),
    replace(_FULL, answer=400, stories=8),
    replace(_FULL, answer=400, stories=3),
    replace(_FULL, stories=0),
    replace(_FULL, stories=0, tables=False),
    _BARE,
    replace(_BARE, remarks=False, names=3, lines=5),
    replace(_BARE, remarks=False, names=3, lines=5, rows=100),
    replace(_BARE, remarks=False, names=3, lines=3, rows=30),
    replace(_BARE, remarks=False, names=3, lines=3, rows=10),
    replace(_BARE, remarks=False, names=2, lines=1, rows=3),
)
"""Levels of the comment."""

_ALL = replace(
    _FULL,
    stories=1_000_000,
    listed=1_000_000,
    answer=20_000,
    names=1_000_000,
    lines=1_000,
    judge=True,
    rows=10_000,
)

SUMMARY = (
    _ALL,
    replace(_ALL, answer=2_000),
    replace(_ALL, answer=2_000, stories=200, listed=2_000, names=1_000),
    replace(_ALL, answer=1_200, stories=60, listed=500, names=200, lines=100, rows=1_000),
    *(replace(one, listed=100) for one in COMMENT),
)
"""Levels of the job summary."""
