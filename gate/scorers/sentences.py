"""Where the sentences of an answer begin and end, and which sources each of them cites.

Pure and deterministic: the same text gives the same sentences, whatever the judge. Answers are
Markdown more often than not, so a list item, a row of a table and a block of code are sentences,
while headings, rules and the marks of a list belong to none.

What it cannot see: a sentence that ends in an abbreviation and goes on with a name (`in the U.S.
Congress met`) stays one with the next; languages that write no blank after a full stop other than
Chinese and Japanese are not split.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gate.types import Citation

__all__ = ["Sentence", "cited_sources", "split_sentences"]


class Sentence(NamedTuple):
    """A stretch of a text."""

    start: int
    """Its first character."""
    end: int
    """One past its last character."""
    text: str
    """The stretch itself, line breaks included."""

    @property
    def line(self) -> str:
        """The text on one line."""
        return " ".join(self.text.split())


_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_BOLD_LINE = re.compile(r"\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(\*\*|__)(?:(?!\1).)+\1:?\s*$")
_CODE = re.compile(r"\s*(```|~~~)")
_MARK = re.compile(r"\s*(?:>\s*)*(?:(?:[-*+•·\u2013]|#{1,6}|\d{1,3}[.)]|[a-z][.)]|[A-Z]\))\s+)?")
_LETTERED = re.compile(r"\s*[a-z][.)]\s")

_WIDE = "\u3002\uff01\uff1f"
"""Full stop, exclamation and question mark of Chinese and Japanese: no blank follows them."""
_OPEN = r"\"'\u201c\u2018\u00ab(\[*_`"
_CLOSE = r"\"'\u201d\u2019\u00bb)\]*_`"
_END = re.compile(rf"[.!?…]+[{_CLOSE}]*(?=\s)|[{_WIDE}]+[\u300d\u300f\u201d\u2019\uff09]*")
_LAST = re.compile(rf"[^\s{_OPEN}]+$")
_NEXT = re.compile(rf"[\s{_OPEN}]*(\S\w*)")

_NEVER = re.compile(
    r"mr|mrs|ms|dr|prof|rev|hon|gen|col|sgt|capt|lt|st|mt|ft|messrs|vs|cf|e\.g|i\.e|viz|al|resp"
)
"""Abbreviations that something always follows."""
_BEFORE_NUMBER = re.compile(
    r"nos?|pp?|figs?|vol|ch|sec|art|ca|approx|est|ver"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
"""Abbreviations when a number follows, and often words otherwise."""
_MAYBE = re.compile(
    r"etc|a\.m|p\.m|inc|ltd|co|corp|jr|sr|dept|u\.s|u\.k|u\.n|e\.u|d\.c|ph\.d|b\.c|a\.d"
)
"""Abbreviations that may end a sentence; so may initials."""
_STARTER = re.compile(
    r"the|an?|its?|this|that|these|those|he|she|they|we|you|i|in|on|at|for|from|to|as|if|when"
    r"|while|after|before|since|however|but|and|so|there|here|both|each|most|some|many|all|one"
    r"|according|by|with"
)
"""Words that begin a sentence rather than a name."""


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences in their order; they do not overlap, and none is blank.

    Headings count only where there is nothing else.
    """
    return tuple(_sentences(text, headings=False)) or tuple(_sentences(text, headings=True))


def cited_sources(
    sentences: Sequence[Sentence], citations: Sequence[Citation]
) -> tuple[tuple[int, ...], ...]:
    """Return for each sentence the indices of the sources that it cites, lowest first.

    A sentence cites what a citation that shares a visible character with it names.
    """
    return tuple(
        tuple(
            sorted(
                {
                    source
                    for citation in citations
                    if _shared(sentence, citation).strip()
                    for source in citation.sources
                }
            )
        )
        for sentence in sentences
    )


def _shared(sentence: Sentence, citation: Citation) -> str:
    first = max(sentence.start, citation.start) - sentence.start
    last = min(sentence.end, citation.end) - sentence.start
    return sentence.text[first:last] if first < last else ""


def _sentences(text: str, *, headings: bool) -> Iterator[Sentence]:
    for block in _blocks(text, headings=headings):
        for first, last in _split(text, block):
            found = _trimmed(text, first, last)
            if found is not None:
                yield found


def _trimmed(text: str, start: int, end: int) -> Sentence | None:
    """The stretch without blanks around it; None where no letter or digit is left."""
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    stripped = inner.strip()
    if not any(character.isalnum() for character in stripped):
        return None
    return Sentence(start, start + len(stripped), stripped)


class _Block(NamedTuple):
    """A stretch that no sentence leaves."""

    start: int
    end: int
    code: bool = False


def _blocks(text: str, *, headings: bool) -> Iterator[_Block]:
    """Lines, soft-wrapped ones together, and blocks of code."""
    prose: _Block | None = None
    code: _Block | None = None
    at = 0
    for line in text.splitlines(keepends=True):
        start, at = at, at + len(line)
        edge = _CODE.match(line) is not None
        if code is not None and not edge:
            code = code._replace(end=at)
            continue
        if prose is not None and not edge and _goes_on(line):
            prose = prose._replace(end=at)
            continue
        if prose is not None:
            yield prose
            prose = None
        if edge:
            if code is not None:
                yield code
            code = _Block(at, at, code=True) if code is None else None
        elif headings or not (_HEADING.match(line) or _BOLD_LINE.match(line)):
            mark = _MARK.match(line)
            prose = _Block(start + (mark.end() if mark else 0), at) if line.strip() else None
    for rest in (prose, code):
        if rest is not None:
            yield rest


def _goes_on(line: str) -> bool:
    """Whether a line is the soft-wrapped rest of the line before."""
    return line.strip()[:1].islower() and not _LETTERED.match(line)


def _split(text: str, block: _Block) -> Iterator[tuple[int, int]]:
    if block.code:
        yield block.start, block.end
        return
    begin = block.start
    for mark in _END.finditer(text, block.start, block.end):
        if _ends(text, begin, mark, block.end):
            yield begin, mark.end()
            begin = mark.end()
    yield begin, block.end


def _ends(text: str, begin: int, mark: re.Match[str], end: int) -> bool:
    """Whether a mark ends the sentence that began at `begin`."""
    before = text[begin : mark.start()]
    if not any(character.isalpha() for character in before):
        return False  # `2.` before a step, `**1.**`
    if mark[0][0] in _WIDE:
        return True
    following = _NEXT.match(text, mark.end(), end)
    if following is None:
        return True
    word = following[1]
    if word[0].islower():
        return False
    if mark[0][0] != "." or mark[0].startswith(".."):
        return True
    last = _LAST.search(before)
    return last is None or not _abbreviation(last[0], word)


def _abbreviation(last: str, following: str) -> bool:
    """Whether the full stop after `last` belongs to it and ends nothing before `following`."""
    name = last.casefold()
    if _NEVER.fullmatch(name):
        return True
    if _BEFORE_NUMBER.fullmatch(name) and following[0].isdigit():
        return True
    initial = len(last) == 1 and last.isupper() and last != "I"
    maybe = initial or _MAYBE.fullmatch(name) is not None
    return maybe and not _STARTER.fullmatch(following.casefold())
