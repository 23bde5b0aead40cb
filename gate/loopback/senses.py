"""Which things one word can mean, found by the sentences that define it."""

from __future__ import annotations

import re

from gate.loopback.search import Hit, Index
from gate.loopback.words import CAPITAL, content, stems, tokens

_DEFINES = re.compile(rf"^((?:{CAPITAL}\w*\s+)?{CAPITAL}\w*(?:\s+{CAPITAL}\w*)?) is (?:a|an|the) ")
_MOST = 4
_ALIKE = 0.5


def senses_of(term: str, index: Index) -> list[Hit]:
    """Return one defining sentence a sense, best first; empty for a word with one sense.

    A defining sentence begins with a name of which the word is part, and goes on with `is a` or
    `is the`.
    """
    found: list[Hit] = []
    for hit in index.search([term], limit=200):
        match = _DEFINES.match(hit.sentence.text)
        if (
            match
            and term in content(match[1])
            and _plain(match[1])
            and not any(_same(hit, other) for other in found)
        ):
            found.append(hit)
    return found[:_MOST] if len(found) > 1 else []


def _plain(name: str) -> bool:
    return not any(token[0].isdigit() for token in tokens(name))


def _same(hit: Hit, other: Hit) -> bool:
    if hit.page == other.page and hit.sentence.section == other.sentence.section:
        return True
    subjects = [frozenset(tokens(_subject(h))) for h in (hit, other)]
    if len(subjects[0]) > 1 and subjects[0] == subjects[1]:
        return True
    one, two = (set(stems(h.sentence.text)) for h in (hit, other))
    return len(one & two) / max(1, min(len(one), len(two))) > _ALIKE


def _subject(hit: Hit) -> str:
    match = _DEFINES.match(hit.sentence.text)
    return match[1] if match else ""
