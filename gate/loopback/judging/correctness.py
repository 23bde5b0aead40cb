"""Does the answer meet the expectations?"""

from __future__ import annotations

import re

from gate.loopback.judging.assertions import breaks, means_several, met
from gate.loopback.judging.expectations import forbids
from gate.loopback.judging.rating import Rating, bounded
from gate.loopback.judging.reading import body, keys, read
from gate.loopback.judging.refusing import declines, refuses
from gate.loopback.judging.sections import Sections
from gate.loopback.judging.wanting import clauses, focus

_GUESS = re.compile(
    r"\b(?:about|around|roughly|probably|perhaps|likely|estimated?|approximately|maybe"
    r"|must have)\b",
    re.IGNORECASE,
)
_LEVELS = ((0.99, 4.0), (0.75, 3.0), (0.5, 2.0), (0.01, 1.0))
_HALF = 0.5
_GIST = 2.0
_SENSES = 2


def correctness(given: Sections) -> Rating:
    """Return all, nearly all, the gist, little or nothing of what is expected, as a level.

    Something said that should not be said costs the gist at most where the central fact is right.
    """
    answer, question = given["answer"], given["question"]
    if not keys(answer):
        return Rating(0.0, "There is nothing to check.")
    if given.unanswerable:
        return _where_there_is_none(answer, question)
    wanted = given.assertions
    refused = refuses(answer)
    if not wanted:
        return Rating(1.0 if refused else 3.0, "No expectation is given, and nothing looks wrong.")
    positive = {
        one: 0.0 if refused else met(one, answer, question) for one in wanted if not forbids(one)
    }
    if sum(share == 1.0 for one, share in positive.items() if not means_several(one)) >= _SENSES:
        positive |= {one: 1.0 for one in positive if means_several(one)}
    if positive and not any(positive.values()):
        return Rating(0.0, "None of what was expected is there.")
    share = sum(positive.values()) / len(positive) if positive else 1.0
    level = next((level for least, level in _LEVELS if share >= least), 0.0)
    if not all(positive.values()):
        level = min(level, _GIST)
    central = _central(positive, question)
    if central and not any(positive[one] for one in central) and share <= _HALF:
        level = min(level, 1.0)
    broken = [
        one for one in wanted if forbids(one) and breaks(one, list(positive), answer, question)
    ]
    if broken:
        level = min(level, _GIST if level >= _GIST else level - 1)
    missed = [*(one for one in positive if positive[one] < 1), *broken]
    return bounded(
        level,
        f"Not or only partly met: {'; '.join(missed)}." if missed else "All expectations are met.",
    )


def _where_there_is_none(answer: str, question: str) -> Rating:
    """Rate an answer to a question that has none: a plain refusal is right, a guess is not."""
    if not declines(answer, question):
        return Rating(0.0, "It invents an answer where there is none.")
    asked = keys(question)
    for one in body(answer, question).sentences:
        if _GUESS.search(one) and any(word.number and word.key not in asked for word in read(one)):
            return Rating(1.0, "It says that there is no answer, and guesses all the same.")
    return Rating(4.0, "It rightly says that there is no answer.")


def _central(positive: dict[str, float], question: str) -> list[str]:
    """Return the expectations that speak of the very thing that is asked for."""
    parts = clauses(question)
    asked = focus(question) if len(parts) == 1 else frozenset()
    return [one for one in positive if asked & set(keys(one))]
