"""The parts of an expectation, such as `names Teodor Lunde as the director`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.loopback.judging.reading import Word, keys, read

_NEGATIVE = re.compile(r"^(?:it )?(?:does not|doesn't|do not|never|avoids)\s+", re.IGNORECASE)
_VERB = re.compile(
    r"^(?:it )?(acknowledge|describe|explain|give|identify|identifie|include|list|mention|name"
    r"|recommend|say|show|state|tell|tie|treat|warn)s?\b\s*(?:(?:how )?to\b|that\b|of\b)?\s*",
    re.IGNORECASE,
)
_TO_DO = re.compile(r"^(?:says|tells|shows)\b (?:(?:how )?to\b|\w+ing\b)", re.IGNORECASE)
_PREPOSITION = re.compile(r"\b(?:of|that|which|who|for|in|on|with|from|by|to|at|into)\b")
_OF_ROLES = frozenset({"give", "identifie", "identify", "name"})
_INSTEAD = re.compile(r"\s+(?:rather than|instead of|and not)\b.*$", re.IGNORECASE)
_FRAME = frozenset(keys("amount answer both date duration figure name subject topic value year"))
"""Stems that frame a fact, such as `year`, and need not stand in the answer."""


@dataclass(frozen=True, slots=True)
class Part:
    """The words of one side of an expectation."""

    numbers: tuple[Word, ...]
    """Numbers, with the unit that follows them."""
    names: tuple[tuple[str, ...], ...]
    """Keys of names, those that stand side by side together."""
    words: tuple[frozenset[str], ...]
    """Keys of the other words; those joined by `or` are one set, of which one suffices."""

    @property
    def firm(self) -> bool:
        """Whether there is a number or a name, which cannot be said in other words."""
        return bool(self.numbers or self.names)


@dataclass(frozen=True, slots=True)
class Expectation:
    """What has to be said, or what must not be."""

    verb: str
    """How it starts, such as `name`."""
    fact: Part
    """What is said of the role: a number, a name, or all of it where there is no `as`."""
    role: Part
    """What the fact is the value of; often empty."""
    heads: tuple[frozenset[str], ...]
    """Keys of the words that matter most: the action to take, or the things to mention."""
    command: tuple[str, ...]
    """Words that are to be shown as they stand, side by side; empty where there are none."""


def forbids(assertion: str) -> bool:
    """Return whether the expectation is that something is not said."""
    return bool(_NEGATIVE.match(assertion))


def read_expectation(assertion: str) -> Expectation:
    """Return the parts of an expectation, or of what must not be said."""
    negative = _NEGATIVE.match(assertion)
    text = _INSTEAD.sub("", assertion[negative.end() :] if negative else assertion)
    found = _VERB.match(text)
    verb = found[1].lower() if found else ""
    rest = text[found.end() :] if found else text
    left, _, right = rest.partition(" as ") if verb in _OF_ROLES else (rest, "", "")
    if re.search(r"\d", right) and not re.search(r"\d", left):
        left, right = right, left
    fact, role = _part(left), _part(right)
    tail = rest.partition(" with ")[2] if verb == "show" else ""
    return Expectation(
        verb=verb,
        fact=fact,
        role=role,
        heads=_heads(verb, rest, fact, to_do=bool(_TO_DO.match(text))),
        command=tuple(word.text.lower() for word in read(tail)),
    )


def _heads(verb: str, rest: str, fact: Part, *, to_do: bool) -> tuple[frozenset[str], ...]:
    """Return the words without which nothing is met."""
    if verb == "mention":
        phrases = [_PREPOSITION.split(phrase)[0] for phrase in rest.split(",")]
        ends = [list(keys(phrase)) for phrase in phrases]
        return (frozenset(end[-1] for end in ends if end),)
    return fact.words[:1] if to_do else ()


def _part(text: str) -> Part:
    """Return the words of one side; `of` joins names, a unit or a word of the frame is none."""
    numbers: list[Word] = []
    names: list[list[str]] = []
    words: list[set[str]] = []
    either, near = False, False
    for word in read(text):
        if word.text.lower() == "or":
            either = True
            continue
        if not word.key:
            near = near and word.text.lower() == "of"
            continue
        if word.number:
            numbers.append(word)
        elif word.capital:
            if near:
                names[-1].append(word.key)
            else:
                names.append([word.key])
        elif " " in word.key or word.key in _FRAME:
            pass
        elif either and words:
            words[-1].add(word.key)
        else:
            words.append({word.key})
        near, either = word.capital and not word.number, False
    return Part(
        tuple(numbers),
        tuple(tuple(name) for name in names),
        tuple(frozenset(word) for word in words),
    )
