"""What a question asks for, read from its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.loopback.words import content, is_number, tokens

_HOW_TO = re.compile(
    r"\bhow (?:do|can|could|should|to|would)\b|\bsteps\b|\bstep by step\b", re.IGNORECASE
)
_SECOND = re.compile(
    r",?\s+and\s+(?=(?:in |at |on |from |for )?(?:what|which|who|where|when|how|whose)\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:long|high|tall|many|much|old|far|wide|deep|big)\b"
    r"|\bcosts?\b|\bprice\b|\bpopulation\b|\bversion\b"
)
_WHEN = re.compile(r"\bwhen\b|\bwhat year\b|\bwhich year\b|\bdate\b")
_FRESH = frozenset({"latest", "current", "currently", "now", "newest", "today", "recent"})
_NO_TOPIC = frozenset(
    {"question", "inform", "tell", "know", "take", "plac", "current", "mean", "island"}
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, taken apart."""

    text: str
    """As it was sent."""
    terms: tuple[str, ...]
    """The stems that say what it is about."""
    clauses: tuple[tuple[str, ...], ...]
    """The stems of each question, where one sentence holds two."""
    how_to: bool
    """Whether it asks for steps."""
    wants_number: bool
    """Whether an answer without a digit would be none."""
    fresh: bool
    """Whether it asks for the state of today."""


def read_question(text: str) -> Asked:
    """Take a question apart."""
    small = " ".join(tokens(text))
    terms = _topic(text)
    return Asked(
        text=text,
        terms=terms,
        clauses=tuple(_topic(clause) for clause in _SECOND.split(text)),
        how_to=bool(_HOW_TO.search(small)),
        wants_number=bool(_NUMBER.search(small) or _WHEN.search(small)),
        fresh=bool(_FRESH & set(small.split())),
    )


def _topic(text: str) -> tuple[str, ...]:
    found = tuple(word for word in content(text) if word not in _NO_TOPIC)
    return found or tuple(content(text))


def has_number(text: str) -> bool:
    """Return whether a digit stands in the text."""
    return any(is_number(token) for token in tokens(text))
