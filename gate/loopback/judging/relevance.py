"""Does the answer speak of what was asked?"""

from __future__ import annotations

import re

from gate.loopback.judging.rating import Rating, bounded
from gate.loopback.judging.refusing import refuses
from gate.loopback.judging.sections import Sections
from gate.loopback.words import content, is_number, sentences, tokens

_WANTS_NUMBER = re.compile(
    r"\bwhen\b|\bhow (?:long|high|tall|many|much|old|far)\b|\bcosts?\b|\byear\b"
)
_WANTS_STEPS = re.compile(r"\bhow (?:do|can|could|should|to)\b")
_STEP = re.compile(r"^\s*(?:\d+[.)]|[-*]) ", re.MULTILINE)
_GENERAL = frozenset(
    {"tell", "take", "current", "mean", "plac", "question", "summaris", "many", "long"}
)
_LEVELS = ((0.6, 4.0), (0.42, 3.0), (0.25, 2.0), (0.1, 1.0))
_FEW = 2
_THIN = 0.2
_PADDED = 0.45
_MOSTLY_PADDED = 0.75
_ON_TOPIC = 0.2


def relevance(given: Sections) -> Rating:
    """Return how far the answer takes up the question's words; padding and a missing form cost."""
    answer = given["answer"]
    asked = [word for word in content(given["question"]) if word not in _GENERAL]
    said = content(answer)
    if not said:
        return Rating(0.0, "The answer says nothing.")
    share = sum(word in said for word in asked) / max(1, len(asked))
    if refuses(answer):
        return _of_refusal(given, share)
    level = next((level for least, level in _LEVELS if share >= least), 0.0)
    small = " ".join(tokens(given["question"]))
    steps = len(_STEP.findall(answer))
    if (_WANTS_STEPS.search(small) and steps < _FEW) or (
        _WANTS_NUMBER.search(small) and not any(is_number(token) for token in tokens(answer))
    ):
        level -= 1.0
    idle = 0.0 if steps >= _FEW else _idle(answer, asked)
    if idle > _MOSTLY_PADDED:
        level -= 2.0
    elif idle > _PADDED:
        level -= 1.0
    return bounded(
        level,
        f"It takes up {share:.0%} of the question; {idle:.0%} of it is beside the point.",
    )


def _of_refusal(given: Sections, share: float) -> Rating:
    if given.unanswerable:
        return bounded(
            4.0 if share > _ON_TOPIC else 3.0,
            "It says that there is no answer.",
        )
    return bounded(
        1.0 if share > _ON_TOPIC else 0.0, "It declines a question that can be answered."
    )


def _idle(answer: str, asked: list[str]) -> float:
    """Return the share of sentences after the first that have no word of the question."""
    spoken = [one for line in answer.splitlines() for one in sentences(line)]
    rest = spoken[1:]
    if len(rest) < _FEW:
        return 0.0
    return sum(_beside(one, asked) for one in rest) / len(rest)


def _beside(sentence: str, asked: list[str]) -> float:
    """Return how far a sentence is off the question: 1 without a word of it, 0.5 with very few."""
    share = sum(word in content(sentence) for word in asked) / max(1, len(asked))
    return 1.0 if not share else 0.5 if share <= _THIN else 0.0
