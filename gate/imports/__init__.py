"""Other tools' files in, our words out: one file a format.

`FORMATS` is what `gate import --list` shows. A reader gets all files of one import as pairs of
path and text, so that it opens nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gate.imports import gemini_search_mcp
from gate.types import Baseline, Run

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True)
class Format:
    """A foreign format."""

    says: str
    """One sentence for `gate import --list`."""
    read: Callable[[Sequence[tuple[str, str]]], Run | Baseline]
    """Reads files (path, text), results to a run and baselines to a baseline; raises FileError."""


FORMATS: Mapping[str, Format] = {
    "gemini-search-mcp": Format(
        "RESULTS.json (several files are several repeats) or baseline.json of gemini-search-mcp.",
        gemini_search_mcp.read,
    ),
}
"""Name of a format -> what it is and how to read it."""
