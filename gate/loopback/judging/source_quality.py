"""Do the named sources carry such an answer?"""

from __future__ import annotations

from gate.loopback.judging.rating import Rating, bounded
from gate.loopback.judging.sections import Sections, Source
from gate.loopback.words import content

_WEAK = ("blog", "shop", "forum", "store", "board", "reddit", "quora", "social")
_EXPECTED = 4.0
_ON_TOPIC = 4.0
_REPUTABLE = 3.0
_WEAK_ON_TOPIC = 2.0
_WEAK_BESIDE = 1.0


def source_quality(given: Sections) -> Rating:
    """Return the mean of the best source and of all sources, by kind of domain and by topic.

    Only titles and domains are seen; a weak page with a fine domain is not found out.
    """
    sources = given.sources
    if not sources:
        return Rating(0.0, "No source is named.")
    topic = frozenset(content(given["question"]))
    levels = [_level(source, topic, given.domains) for source in sources]
    level = (max(levels) + sum(levels) / len(levels)) / 2
    return bounded(level - 0.1, f"The best of {len(levels)} sources is rated {max(levels):.0f}.")


def _level(source: Source, topic: frozenset[str], expected: list[str]) -> float:
    if any(source.domain == host or source.domain.endswith(f".{host}") for host in expected):
        return _EXPECTED
    words = content(f"{source.title} {source.domain.replace('-', ' ').replace('.', ' ')}")
    near = any(word in topic for word in words)
    if any(word in source.domain for word in _WEAK):
        return _WEAK_ON_TOPIC if near else _WEAK_BESIDE
    return _ON_TOPIC if near else _REPUTABLE
