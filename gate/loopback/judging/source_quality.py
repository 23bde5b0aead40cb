"""Do the named sources carry such an answer?"""

from __future__ import annotations

import re

from gate.loopback.judging.rating import Rating
from gate.loopback.judging.reading import keys
from gate.loopback.judging.sections import Sections, Source
from gate.loopback.words import fold

_WEAK = ("blog", "shop", "forum", "store", "board", "reddit", "quora", "social")
_SELLS = ("shop", "store")
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_EXPECTED = 4.0
_ON_TOPIC = 4.0
_UNSEEN = 3.0
_NEAR = 2.0
_BESIDE = 1.0
_NONE = 0.0
_MIXED = 0.4
_SHORTEST = 4


def source_quality(given: Sections) -> Rating:
    """Return the level of the sound sources, less where weak ones are mixed in.

    Only titles and domains are seen; a weak page with a fine domain is not found out. A shop that
    is named for the subject does not spoil better sources, but alone it stays a shop.
    """
    sources = given.sources
    if not sources:
        return Rating(0.0, "No source is named.")
    question = frozenset(keys(given["question"]))
    levels = {source: _level(source, question, given) for source in sources}
    weak = [source for source in sources if _weak(source) and levels[source] <= _NEAR]
    sound = [source for source in sources if source not in weak]
    best = max(levels.values())
    if not weak or not sound:
        return Rating(best, f"The best of {len(levels)} sources is rated {best:.0f}.")
    best = max(levels[source] for source in sound)
    spoiling = [source for source in weak if not _maker(source, question)]
    if len(spoiling) >= _MIXED * len(sources):
        return Rating(min(best, _NEAR), "Sound and weak sources are mixed.")
    return Rating(min(best, 3.0) if spoiling else best, "Most of the sources are sound.")


def _level(source: Source, question: frozenset[str], given: Sections) -> float:
    bare = not keys(source.title) or source.title.lower() == source.domain
    expected = any(
        source.domain == host or source.domain.endswith(f".{host}") for host in given.domains
    )
    if _weak(source) and not expected:
        return _NEAR if _about(source, question) else _BESIDE if bare else _NONE
    years = set(_YEAR.findall(given["question"]))
    dated = set(_YEAR.findall(source.title))
    if years and dated and not years & dated:
        return _NEAR
    topic = question | keys(given["assertions"]).keys()
    if expected:
        return _EXPECTED if bare or topic & keys(source.title).keys() else _NEAR
    if _about(source, topic):
        return _ON_TOPIC
    return _UNSEEN if bare else _BESIDE


def _weak(source: Source) -> bool:
    return any(word in source.domain for word in _WEAK)


def _maker(source: Source, question: frozenset[str]) -> bool:
    """Return whether a shop is named for the subject, as the maker of a thing is."""
    return any(word in source.domain for word in _SELLS) and _in_domain(source, question)


def _about(source: Source, topic: frozenset[str]) -> bool:
    return bool(topic & keys(source.title).keys()) or _in_domain(source, topic)


def _in_domain(source: Source, topic: frozenset[str]) -> bool:
    """Return whether a longer word of the topic is part of the domain, also inside a word."""
    domain = fold(source.domain).replace(".example", "")
    return any(len(key) >= _SHORTEST and key in domain for key in topic)
