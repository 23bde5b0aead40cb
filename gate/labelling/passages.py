"""The passages of pages that speak most of a claim, so that a person need not read whole pages.

Found by shared words alone, the rarer ones counting more: it is no judgement, and a page may say
the same in other words further down. The whole texts stand below.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from gate.types import Page

MOST = 3
"""Passages that are shown."""

_WORD = re.compile(r"\w+")
_SHORTEST = 3
_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_LONG = 400


def passages(text: str, pages: Sequence[Page | None]) -> tuple[tuple[int, str], ...]:
    """Return the passages nearest to `text`, each with the number of its page from 1."""
    found = [
        (number, passage, _words(passage))
        for number, page in enumerate(pages, start=1)
        if page is not None
        for passage in _split(page.text)
    ]
    spread = Counter(word for _, _, words in found for word in words)
    wanted = _words(text)
    scored = [
        (sum(math.log(1 + len(found) / spread[word]) for word in wanted & words), place)
        for place, (_, _, words) in enumerate(found)
    ]
    best = sorted(scored, key=lambda one: (-one[0], one[1]))[:MOST]
    return tuple(found[place][:2] for score, place in best if score > 0)


def _split(text: str) -> list[str]:
    """Split a page into its lines, and long lines into sentences."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return [
        part
        for line in lines
        for part in ([line] if len(line) <= _LONG else _SENTENCES.split(line))
    ]


def _words(text: str) -> set[str]:
    return {
        word
        for word in _WORD.findall(text.casefold())
        if len(word) > _SHORTEST or any(sign.isdigit() for sign in word)
    }
