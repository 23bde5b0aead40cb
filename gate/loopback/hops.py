"""Following a name that was found on one page to another page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.loopback.question import Asked
from gate.loopback.search import Hit, Index
from gate.loopback.words import CAPITAL, STOP, content, stems

_NAME = re.compile(rf"{CAPITAL}[\w\u2019'-]*(?:\s+{CAPITAL}[\w\u2019'-]*)*")
_PRONOUN = re.compile(r"^(?:It|She|He|They|Her|His|Its|There|The hut|The ferry)\b")
_OPEN = 0.12


@dataclass(frozen=True, slots=True)
class Hop:
    """A second look."""

    query: str
    """What was typed."""
    hit: Hit
    """The sentence that was found."""


def with_antecedent(hit: Hit) -> list[Hit]:
    """Return the sentence, with the one before it where a pronoun would hang in the air."""
    if _PRONOUN.match(hit.sentence.text) and hit.sentence.follows:
        return [Hit(hit.page, hit.number - 1, hit.score), hit]
    return [hit]


def next_hop(asked: Asked, seen: list[Hit], index: Index) -> Hop | None:
    """Return the best sentence about a name found so far that speaks of what is still open."""
    said = frozenset(
        stem for hit in seen for stem in stems(f"{hit.sentence.text} {hit.page.title}")
    )
    open_words = _still_open(asked, said, index)
    if not open_words:
        return None
    best: Hop | None = None
    for name in _names(asked, seen):
        words = content(name)
        for hit in index.search([*words, *open_words], limit=12):
            near = _near(hit)
            gain = sum(
                index.weight(word) for word in open_words if word in set(stems(hit.sentence.text))
            )
            if (
                not gain
                or not all(word in near for word in words)
                or any(_same(hit, other) for other in seen)
            ):
                continue
            score = gain + hit.score / 10
            if best is None or score > best.hit.score:
                best = Hop(f"{name} {' '.join(open_words)}", Hit(hit.page, hit.number, score))
    return best


def _near(hit: Hit) -> frozenset[str]:
    """Return the stems around a sentence: its heading, the title, the sentence it follows."""
    before = hit.page.sentences[hit.number - 1].text if hit.sentence.follows else ""
    return hit.context | frozenset(stems(before))


def _still_open(asked: Asked, said: frozenset[str], index: Index) -> list[str]:
    words = [word for clause in asked.clauses for word in clause if word not in said]
    open_words = list(dict.fromkeys(words))
    return open_words if 1 - index.share(asked.terms, said) > _OPEN else []


def _names(asked: Asked, seen: list[Hit]) -> list[str]:
    """Return the names in what was found, without those of the question, the latest first."""
    found: list[str] = []
    for hit in reversed(seen):
        for name in _NAME.findall(hit.sentence.text):
            words = content(name)
            fresh = [word for word in words if word not in asked.terms]
            if fresh and name.lower() not in STOP and name not in found:
                found.append(name)
    return found


def _same(hit: Hit, other: Hit) -> bool:
    return hit.page == other.page and hit.number == other.number
