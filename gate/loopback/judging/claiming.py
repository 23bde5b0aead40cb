"""The claims of an answer's sentences: clauses that each state a fact of their own."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.loopback.judging.assertions import names_several
from gate.loopback.judging.facts import facts_of
from gate.loopback.judging.reading import body, keys, points_back
from gate.loopback.judging.refusing import refuses
from gate.loopback.judging.sections import Sections

_NUMBERED = re.compile(r"^\[(\d+)\] ?", re.MULTILINE)
_MARKER = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+")
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|may|must|will|costs?|takes?|took|lies|lie|stands?|stood"
    r"|carries|carry|holds?|held|opens?|closes?|began|begins?|runs?|ran|grows?|grew|makes?|made"
    r"|gives?|gave|comes?|came|goes|went|leaves?|left|wrote|won|led|leads|needs?|means?|uses?"
    r"|[a-z]{2,}ed)"
)
_SPLIT = re.compile(
    rf";\s+|,?\s+(?:and|but)\s+(?=(?:it|he|she|they|its|his|her|their|the|this|these)\s+\w+.*\b{_VERB}\b)"
    rf"|,?\s+and\s+(?={_VERB}\b)"
)
_SUBJECT = re.compile(rf"^((?:[\w\u2019'.-]+\s+){{1,6}}?)(?={_VERB}\b)")
_PRONOUN = re.compile(r"^(?:it|he|she|they)\b", re.IGNORECASE)
_OWN = re.compile(r"^(?:its|his|her|their)\b", re.IGNORECASE)
_STARTS_WITH_VERB = re.compile(rf"^{_VERB}\b")
_VAGUE = re.compile(
    r"\bin general\b|\bgenerally speaking\b|\bas so often\b|\bworth (?:knowing|noting|a thought)\b"
    r"|\bthere is (?:much|more|a lot) to\b|\bmany (?:people|would|things)\b|\bopinions?\b"
    r"|\bto be said\b|\bin one way or another\b|\bfrom different angles\b|\bhope this helps\b"
    r"|\bmatters? of\b|\bbroader picture\b|\ball in all\b|\bkeep in mind\b",
    re.IGNORECASE,
)
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that the answer says is so."""

    sentence: int
    """Number of its sentence, from 1."""
    text: str
    """In words that can be read by themselves."""


def sentences_of(given: Sections) -> dict[int, str]:
    """Return the numbered sentences of an answer, without the markers of a list."""
    pieces = _NUMBERED.split(given["sentences"])[1:]
    pairs = zip(pieces[::2], pieces[1::2], strict=True)
    return {int(number): _MARKER.sub("", " ".join(text.split())) for number, text in pairs}


def claims_of(given: Sections) -> list[Claim]:
    """Return the claims in order; questions, refusals, framing and general remarks make none."""
    found: list[Claim] = []
    subject = ""
    for number, sentence in sentences_of(given).items():
        for said in body(sentence, given["question"]).sentences:
            if not states(said, given["question"]):
                continue
            own = "" if points_back(said) else _subject(said)
            subject = own or subject
            found += [Claim(number, text) for text in _clauses(said, subject)]
    return found


def states(sentence: str, question: str) -> bool:
    """Return whether a sentence states a fact that could be looked up."""
    if sentence.endswith("?") or refuses(sentence) or names_several(sentence):
        return False
    facts = facts_of(sentence, first_is_name=False)
    if not facts.names and not facts.words and not any(one.unit for one in facts.numbers):
        return False  # nothing, or the number of a list item
    asked = keys(question)
    firm = facts.numbers or any(key not in asked for name in facts.names for key in name)
    return bool(firm) or (len(keys(sentence)) >= _LEAST and not _VAGUE.search(sentence))


def _clauses(sentence: str, subject: str) -> list[str]:
    """Return the clauses that add a fact; one that adds none stays with the one before it."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in [*_SPLIT.finditer(sentence), None]:
        end = len(sentence) if match is None else match.start()
        if spans and not _adds(sentence[start:end], sentence[slice(*spans[-1])]):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        start = end if match is None else match.end()
    pieces = [sentence[slice(*span)].strip(" ,.") for span in spans]
    return [_whole(piece, subject) for piece in pieces if keys(piece)]


def _adds(piece: str, before: str) -> bool:
    return len(set(keys(piece)) - set(keys(before))) >= _LEAST and len(keys(before)) >= _LEAST


def _subject(sentence: str) -> str:
    found = _SUBJECT.match(sentence)
    return found[1].strip() if found else ""


def _whole(piece: str, subject: str) -> str:
    """Return a clause with its subject in words, so that it can be read by itself."""
    if subject and _PRONOUN.match(piece):
        piece = _PRONOUN.sub(lambda _: subject, piece, count=1)
    elif subject and _OWN.match(piece):
        piece = _OWN.sub(lambda _: f"{subject}'s", piece, count=1)
    elif subject and _STARTS_WITH_VERB.match(piece):
        piece = f"{subject} {piece}"
    return f"{piece[:1].upper()}{piece[1:]}."
