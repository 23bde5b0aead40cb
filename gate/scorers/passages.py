"""The parts of a page that are nearest to an answer, in the page's order.

A page of 60,000 characters is sent to a judge who needs three paragraphs of it. Which ones is
told by words alone (BM25, Robertson and Zaragoza 2009, k1 = 1.2, b = 0.75), so it is the same each
time and costs nothing. What words cannot tell: a passage that says the same in other words. Where
nothing is near, the beginning of the page is sent; `pages: whole` sends all.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import log

from gate.scorers.sentences import split_sentences

__all__ = ["BUDGET", "GAP", "nearest"]

BUDGET = 6_000
"""Characters of a page that are sent."""
GAP = "\n[...]\n"
"""Stands where a part of the page was left out."""

_UNIT = 600
"""Characters of a paragraph from which it is cut at its sentences."""
_K1 = 1.2
_B = 0.75
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+")

Span = tuple[int, int]
"""First character and one past the last."""


def nearest(text: str, sentences: Sequence[str], budget: int = BUDGET) -> str:
    """Return the passages of `text` nearest to the sentences: at most `budget` characters.

    Each sentence in turn names its nearest passage, then its second nearest, and so on, until the
    budget is full; what is left goes to the neighbours of what was named. A text within the
    budget is returned as it is.
    """
    if len(text) <= budget:
        return text
    units = list(_units(text))
    ranked = _ranked([_words(text[start:end]) for start, end in units], sentences)
    chosen: set[int] = set()
    length = 0
    for number in [*ranked, *_neighbours(ranked, len(units))]:
        start, end = units[number]
        # Whoever closes a gap saves its sign; all others need at least their own length.
        if number in chosen or length + end - start - len(GAP) > budget:
            continue
        longer = _length(units, chosen | {number})
        if longer <= budget:
            chosen.add(number)
            length = longer
    if not chosen:
        return text[:budget]
    return GAP.join(text[start:end] for start, end in _joined(units, chosen))


def _units(text: str) -> Iterator[Span]:
    """Paragraphs; a long one in parts that end with a sentence where one ends in time."""
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        end = start + len(line.rstrip())
        if start < end:
            yield from _parts(text, start, end)


def _parts(text: str, start: int, end: int) -> Iterator[Span]:
    if end - start <= _UNIT:
        yield start, end
        return
    ends = [start + one.end for one in split_sentences(text[start:end])]
    while end - start > _UNIT:
        cut = max((one for one in ends if start < one <= start + _UNIT), default=0)
        cut = cut or text.rfind(" ", start + 1, start + _UNIT) or 0
        cut = cut if cut > start else start + _UNIT
        yield start, cut
        start = cut
    if text[start:end].strip():
        yield start, end


def _words(text: str) -> Counter[str]:
    return Counter(_WORDS.findall(text.casefold()))


def _ranked(units: Sequence[Counter[str]], sentences: Sequence[str]) -> list[int]:
    """Units that share a word with a sentence: the nearest of each first, then the second."""
    sizes = [one.total() for one in units]
    usual = sum(sizes) / max(1, len(units))
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, unit in enumerate(units):
        for word, times in unit.items():
            places[word].append((number, times))
    orders = []
    for sentence in sentences:
        scores: defaultdict[int, float] = defaultdict(float)
        for word in _words(sentence):
            found = places.get(word, [])
            weight = log(1 + (len(units) - len(found) + 0.5) / (len(found) + 0.5))
            for number, times in found:
                length = _K1 * (1 - _B + _B * sizes[number] / usual)
                scores[number] += weight * times * (_K1 + 1) / (times + length)
        orders.append(sorted(scores, key=lambda number: (-scores[number], number)))
    deepest = max(map(len, orders), default=0)
    turns = (order[rank] for rank in range(deepest) for order in orders if rank < len(order))
    return list(dict.fromkeys(turns))


def _neighbours(ranked: Sequence[int], count: int) -> list[int]:
    around = (near for number in ranked for near in (number - 1, number + 1))
    return [near for near in around if 0 <= near < count]


def _joined(units: Sequence[Span], chosen: set[int]) -> list[Span]:
    """Spans of the chosen units; neighbours make one span with what stands between them."""
    spans: list[Span] = []
    last = -2
    for number in sorted(chosen):
        start, end = units[number]
        if number == last + 1:
            start = spans.pop()[0]
        spans.append((start, end))
        last = number
    return spans


def _length(units: Sequence[Span], chosen: set[int]) -> int:
    spans = _joined(units, chosen)
    return sum(end - start for start, end in spans) + len(GAP) * (len(spans) - 1)
