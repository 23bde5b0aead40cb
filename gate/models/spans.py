"""From Gemini's byte offsets to places in the answer's text.

A grounding segment names a part of the reply and UTF-8 byte offsets from the start of that part
(google-genai, `types.Segment`); an offset or part number of 0 is left out on the wire.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Part(NamedTuple):
    """One part of the reply."""

    text: str
    """Its text; empty for parts without text."""
    start: int
    """Its first character in the joined text."""
    shown: bool
    """Whether it belongs to the answer; thoughts do not."""


class Span(NamedTuple):
    """A stretch of the joined text."""

    start: int
    """First character."""
    end: int
    """One past the last character."""
    text: str
    """The stretch itself."""
    as_stated: bool
    """Whether it was where the reply said; else it was found by its text."""


def locate(
    parts: Sequence[Part], *, part_index: int, start: int, end: int | None, text: str
) -> Span | None:
    """Return a segment's stretch in the joined text, or None when it cannot be found.

    `start` and `end` are byte offsets within the part, `text` is the segment's own copy. When
    they disagree, the copy is searched for in the answer and the occurrence nearest to the
    stated place is taken; without a copy the offsets are trusted if they can be decoded.
    """
    part = parts[part_index] if part_index < len(parts) else None
    if part is not None and part.shown and end is not None:
        stretch = _slice(part.text, start, end)
        if stretch is not None and (stretch == text or not text):
            first = part.start + _characters(part.text, start)
            return Span(first, first + len(stretch), stretch, as_stated=True)
    if not text:
        return None
    stated = 0 if part is None else part.start + _characters(part.text, start)
    return _nearest("".join(one.text for one in parts if one.shown), text, stated)


def _slice(text: str, start: int, end: int) -> str | None:
    """The characters between two byte offsets; None when they cut a character or are outside."""
    raw = text.encode("utf-8", "surrogatepass")
    if not 0 <= start < end <= len(raw):
        return None
    try:
        raw[:start].decode("utf-8", "surrogatepass")
        return raw[start:end].decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None


def _characters(text: str, offset: int) -> int:
    """Characters before a byte offset; a cut character does not count."""
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))


def _nearest(whole: str, text: str, stated: int) -> Span | None:
    first = whole.find(text)
    if first < 0:
        return None
    best = first
    while (first := whole.find(text, first + 1)) >= 0:
        best = min(best, first, key=lambda place: abs(place - stated))
    return Span(best, best + len(text), text, as_stated=False)
