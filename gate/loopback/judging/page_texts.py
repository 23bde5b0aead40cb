"""The texts of the cited pages as the judge reads them: sentences, alone and in pairs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.loopback.judging.facts import facts_of, first_is_name
from gate.loopback.judging.reading import keys
from gate.loopback.judging.sections import Sections
from gate.loopback.words import sentences

GAP = "[...]"
"""The line that stands where a part of a page was left out."""
SHORTEST_QUOTE = 20
"""A quote of fewer characters proves nothing."""
_NAME = re.compile(r"^page-(\d+)$")
_MARKER = re.compile(r"^(?:\d+[.)]|[-*•])\s+")
_WORD = re.compile(r"\b[a-zåøæ][\w\u2019'-]*")


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of a page, or two that stand side by side."""

    sentences: tuple[str, ...]
    """The words, without the marker of a list."""
    around: frozenset[str]
    """Keys of the passage itself, of its page's title, its heading and the sentence before it."""
    names: frozenset[str]
    """Keys of the names in the passage itself."""
    quote: str
    """Part of the page word for word that holds the passage, long enough to prove something."""
    listed: bool
    """Whether it is an item of a list."""

    @property
    def text(self) -> str:
        """The sentences in one line."""
        return " ".join(self.sentences)


@dataclass(frozen=True, slots=True)
class PageText:
    """One page that the prompt shows."""

    number: int
    """From 1, as the answer cites it."""
    singles: tuple[Passage, ...]
    """Its sentences in order."""
    pairs: tuple[Passage, ...]
    """Neighbouring sentences, two by two."""
    words: frozenset[str]
    """All words that are written there in small letters."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Single sentences first, so that the shorter of two proofs is found first."""
        return self.singles + self.pairs


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    start: int
    end: int
    block: int
    heading: str
    listed: bool


def pages_of(given: Sections) -> tuple[PageText, ...]:
    """Return the pages of a prompt in the order of their numbers."""
    found = sorted(
        (int(match[1]), text)
        for name, text in given.texts.items()
        if (match := _NAME.match(name)) and text
    )
    return tuple(_read_page(number, text) for number, text in found)


def small_words(text: str) -> frozenset[str]:
    """Return the words that begin with a small letter: none of them is only a name."""
    return frozenset(_WORD.findall(text))


@lru_cache(maxsize=200)
def _read_page(number: int, text: str) -> PageText:
    head, _, rest = text.partition("\n")
    body = rest.strip("\n")
    lines = list(_lines(body))
    title, small = frozenset(keys(head.replace("|", " "))), small_words(body)
    singles = [_passage(lines, place, place, title, body, small) for place in range(len(lines))]
    pairs = [
        _passage(lines, place, place + 1, title, body, small)
        for place in range(len(lines) - 1)
        if lines[place].block == lines[place + 1].block
    ]
    return PageText(number, tuple(singles), tuple(pairs), small)


def _passage(
    lines: Sequence[_Line],
    first: int,
    last: int,
    title: frozenset[str],
    body: str,
    small: frozenset[str],
) -> Passage:
    inside = lines[first : last + 1]
    before = lines[first - 1].text if first and lines[first - 1].block == inside[0].block else ""
    told = " ".join([before, inside[0].heading, *(line.text for line in inside)])
    return Passage(
        sentences=tuple(line.text for line in inside),
        around=title | frozenset(keys(told)),
        names=frozenset().union(*(names_in(line.text, small) for line in inside)),
        quote=_quote(lines, first, last, body),
        listed=inside[0].listed,
    )


def names_in(sentence: str, small: Collection[str]) -> frozenset[str]:
    """Return the keys of the names in a sentence."""
    facts = facts_of(sentence, first_is_name=first_is_name(sentence, small))
    return frozenset(key for name in facts.names for key in name)


def _quote(lines: Sequence[_Line], first: int, last: int, body: str) -> str:
    """Return the page from the first to the last sentence, with neighbours where that is short."""
    block = lines[first].block
    while True:
        quote = " ".join(body[lines[first].start : lines[last].end].split())
        if len(quote) >= SHORTEST_QUOTE:
            return quote
        if last + 1 < len(lines) and lines[last + 1].block == block:
            last += 1
        elif first and lines[first - 1].block == block:
            first -= 1
        else:
            return ""


def _lines(body: str) -> Iterator[_Line]:
    """Return the sentences with their places; a gap starts a new block."""
    block, heading, start = 0, "", 0
    for line in body.split("\n"):
        if line.strip() == GAP:
            block, heading = block + 1, ""
        else:
            marker = _MARKER.match(line)
            parts = sentences(line) if marker is None else [line[marker.end() :]]
            if marker is None and line and line[-1:] not in '.!?”"':
                heading = line
            yield from _placed(parts, line, start, block, heading, listed=bool(marker))
        start += len(line) + 1


def _placed(
    parts: Iterable[str], line: str, start: int, block: int, heading: str, *, listed: bool
) -> Iterator[_Line]:
    place = 0
    for part in parts:
        place = line.index(part, place)
        if part.strip():
            yield _Line(part, start + place, start + place + len(part), block, heading, listed)
        place += len(part)
