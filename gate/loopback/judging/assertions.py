"""Whether an answer meets one expectation, such as `gives the height as 1,204 m`."""

from __future__ import annotations

import re

from gate.loopback.words import content, fold, is_number, stems

_NEGATIVE = re.compile(r"^(?:it )?(?:does not|doesn't|do not|never|avoids)\s+", re.IGNORECASE)
_MANY = re.compile(
    r"\bambiguous\b|\bseveral\b|\bmore than one\b|\bmeanings\b|\bdepends\b|\bcontext-dependent\b",
    re.IGNORECASE,
)
_NAMES_MANY = re.compile(
    r"\bseveral\b|\bcan mean\b|\bmay (?:mean|refer)\b|\bambiguous\b|\bdepends?\b"
    r"|\bwhich of (?:them|these)\b|\bdifferent things\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_VERBS = frozenset(
    """acknowledg describ explain giv identify list mention nam name not recommend say show stat
    tell tie treat warn""".split()  # noqa: SIM905 - a list of quoted words cannot be read
)
"""Stems with which an expectation begins and which are no part of what is expected."""
_FRAME = frozenset({"amount", "answer", "both", "dat", "duration", "figur", "nam", "subject"})
_FRAME |= {"topic", "valu", "year"}
"""Stems that frame a fact, such as `year`, and need not stand in the answer."""
_MOST = 0.5
_SOME = 0.3
_ECHOED = 0.6


def met(assertion: str, answer: str) -> float:
    """Return how far the answer meets the expectation: 1 met, 0.5 partly, 0 not."""
    negative = _NEGATIVE.match(assertion)
    if negative:
        return 0.0 if _echoed(assertion[negative.end() :], answer) else 1.0
    if _MANY.search(assertion):
        return 1.0 if _NAMES_MANY.search(answer) else 0.0
    numbers, names, words = _parts(assertion)
    said = frozenset(stems(answer))
    quoted = [fold(text) for text in _QUOTED.findall(assertion)]
    if any(number not in said for number in numbers) or any(
        text not in fold(answer) for text in quoted
    ):
        return 0.0
    if not _named(names, said):
        return 0.0
    share = _share(words, said)
    if share >= _MOST:
        return 1.0
    return 0.5 if numbers or names or share >= _SOME else 0.0


def forbids(assertion: str) -> bool:
    """Return whether the expectation is that something is not said."""
    return bool(_NEGATIVE.match(assertion))


def _echoed(forbidden: str, answer: str) -> bool:
    """Return whether a sentence of the answer says what it should not, facts and most words."""
    numbers, names, words = _parts(forbidden)
    for line in re.split(r"(?<=[.!?])\s+|\n", answer):
        said = frozenset(stems(line))
        facts = all(number in said for number in numbers) and _named(names, said)
        if facts and _share(words, said) >= _ECHOED:
            return True
    return False


def _parts(assertion: str) -> tuple[list[str], list[str], list[str]]:
    """Return the numbers, the stems of names and the stems of the other words."""
    found = list(content(assertion))
    if found and found[0] in _VERBS:
        found = found[1:]
    numbers = [stem for stem in found if is_number(stem)]
    capital = {
        stem
        for word in assertion.split()[1:]
        if word.strip("“”\"'(),.;:")[:1].isupper()
        for stem in stems(word)
        if not is_number(stem)
    }
    names = [stem for stem in found if stem in capital]
    words = [
        stem for stem in found if not is_number(stem) and stem not in capital and stem not in _FRAME
    ]
    return numbers, names, words


def _named(names: list[str], said: frozenset[str]) -> bool:
    return not names or _share(names, said) > _MOST


def _share(wanted: list[str], said: frozenset[str]) -> float:
    return sum(word in said for word in wanted) / len(wanted) if wanted else 1.0
