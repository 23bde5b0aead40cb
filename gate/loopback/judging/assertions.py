"""Whether an answer meets one expectation, such as `gives the height as 1,204 m`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from gate.loopback.judging.expectations import Expectation, Part, read_expectation
from gate.loopback.judging.reading import Word, body, denies, keys, read
from gate.loopback.words import fold

_MEANINGS = re.compile(
    r"\bambiguous\b|\bseveral (?:things|meanings|senses)\b|\bmore than one\b|\bmeanings\b",
    re.IGNORECASE,
)
_NAMES_MANY = re.compile(
    r"\b(?:several|many|various|different|two|three|four|five|\d) (?:\w+ )?"
    r"(?:things|meanings|senses)\b"
    r"|\bmore than one\b|\bcan (?:also )?mean\b|\bmay (?:mean|refer)\b|\bambiguous\b"
    r"|\bwhich (?:one |of (?:them|these) )?(?:do|did) you mean\b|\bwhich one you mean\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(r"\b(?:depend(?:s|ing|ent)?|hinges?|no single|no one)\b", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:had been|was|were|until|former(?:ly)?|previous(?:ly)?|earlier|old(?:er)?|no longer"
    r"|outdated)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_YEAR = re.compile(r"^(?:1\d|20)\d\d$")
_MOST = 0.6
_HALF = 0.5
_SOME = 0.3


def means_several(assertion: str) -> bool:
    """Return whether the expectation is that an answer says that a name is ambiguous."""
    return bool(_MEANINGS.search(assertion))


def names_several(answer: str) -> bool:
    """Return whether an answer says that there is more than one meaning."""
    return bool(_NAMES_MANY.search(answer))


def met(assertion: str, answer: str, question: str = "") -> float:
    """Return how far the answer meets the expectation: 1 met, 0.5 partly, 0 not.

    All that is expected must stand in one sentence, or in two when the second points back. What
    the question has said already need not be said again.
    """
    said = body(answer, question)
    if means_several(assertion):
        return 1.0 if names_several(said.text) else 0.0
    wanted = read_expectation(assertion)
    quoted = [fold(text) for text in _QUOTED.findall(assertion)]
    if any(text not in fold(answer) for text in quoted):
        return 0.0
    if quoted:
        return 1.0
    given = frozenset(keys(question))
    sentences = [one for one in said.units if _polarity(assertion, one)]
    return max((_supported(wanted, one, given) for one in sentences), default=0.0)


def breaks(assertion: str, others: Collection[str], answer: str, question: str = "") -> bool:
    """Return whether an answer says what it should not.

    A sentence that says what is expected instead may name the other for contrast.
    """
    given = frozenset(keys(question))
    wanted = read_expectation(assertion)
    role = frozenset[str]().union(*wanted.role.words)
    right = [
        other
        for other in map(read_expectation, others)
        if role & frozenset[str]().union(*other.role.words)
    ]
    return any(
        _says_forbidden(wanted, one, given)
        and not any(_supported(other, one, given) == 1 for other in right)
        for one in body(answer, question).units
    )


def _polarity(assertion: str, sentence: str) -> bool:
    """Return whether a sentence denies where the expectation does, and its dependence holds."""
    if _DEPENDS.search(assertion):
        return bool(_DEPENDS.search(sentence)) and not denies(_DEPENDS.split(sentence)[0][-20:])
    return denies(sentence) or not denies(assertion)


def _supported(wanted: Expectation, sentence: str, given: Collection[str]) -> float:
    """Return how far one sentence supports the expectation."""
    words = read(sentence)
    said = frozenset(word.key for word in words if word.key)
    if wanted.command:
        return 1.0 if _side_by_side(wanted.command, words) else 0.0
    fact = wanted.fact
    if wanted.verb in {"mention", "say", "show"}:
        return _described(wanted, words, given)
    if not (_numbered(fact, words) and _named(fact, words, given)):
        return 0.0
    share = _share(fact.words, said)
    if share < (_MOST if wanted.verb != "tie" else _SOME):
        return _HALF if fact.firm and share > _SOME else 0.0
    return 1.0 if _share(wanted.role.words, said | set(given)) >= _HALF else _HALF


def _described(wanted: Expectation, words: tuple[Word, ...], given: Collection[str]) -> float:
    """Return how far a sentence speaks of a thing to mention, or of a step or fact to say.

    Without its main word a thing is not mentioned; a step without its verb is half there when the
    rest of it is.
    """
    said = frozenset(word.key for word in words if word.key)
    headed = all(head & said for head in wanted.heads)
    firm = _numbered(wanted.fact, words) and _named(wanted.fact, words, given)
    share = _share(wanted.fact.words, said)
    if not headed:
        return _HALF if wanted.verb != "mention" and firm and share >= _MOST else 0.0
    if share >= _MOST and firm:
        return 1.0
    return _HALF if wanted.heads or share >= _HALF else 0.0


def _says_forbidden(wanted: Expectation, sentence: str, given: Collection[str]) -> bool:
    """Return whether a sentence says what it should not, as a fact and of the present."""
    words = read(sentence)
    said = frozenset(word.key for word in words if word.key)
    if denies(sentence) or not (_numbered(wanted.fact, words) and _named(wanted.fact, words, ())):
        return False
    years = {word.key for word in words if _YEAR.match(word.key)}
    when = {number.key for number in wanted.role.numbers}
    if when and years and when != years:
        return False
    if _share(wanted.fact.words, said) < _MOST:
        return False
    role = wanted.role.words
    return not role or (
        _share(role, said | set(given)) >= _MOST
        and _share(role, said) > 0
        and not (_PAST.search(sentence) and _share(role, said) < 1)
    )


def _numbered(part: Part, words: Iterable[Word]) -> bool:
    """Return whether each number stands there and is not followed by another unit."""
    return all(
        any(
            word.key == number.key and (not number.unit or word.unit in {"", number.unit})
            for word in words
        )
        for number in part.numbers
    )


def _named(part: Part, words: tuple[Word, ...], given: Collection[str]) -> bool:
    """Return whether each name stands there: in full, or its last word behind no other name."""
    said = {word.key for word in words}
    behind = {
        word.key
        for before, word in zip((None, *words), words, strict=False)
        if word.capital and not (before and before.key and before.capital)
    }
    return all(
        all(key in said or key in given for key in name) or name[-1] in behind - set(given)
        for name in part.names
    )


def _side_by_side(command: tuple[str, ...], words: tuple[Word, ...]) -> bool:
    texts = tuple(word.text.lower() for word in words)
    return any(texts[n : n + len(command)] == command for n in range(len(texts) - len(command) + 1))


def _share(wanted: Iterable[frozenset[str]], said: Collection[str]) -> float:
    """Return the share of words that are said; of those joined by `or` one is enough."""
    sets = list(wanted)
    return sum(any(key in said for key in one) for one in sets) / len(sets) if sets else 1.0
