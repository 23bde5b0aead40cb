"""Does the answer speak of what was asked?"""

from __future__ import annotations

import re
from collections.abc import Collection

from gate.loopback.judging.assertions import means_several, met, names_several
from gate.loopback.judging.expectations import forbids
from gate.loopback.judging.padding import idle_share
from gate.loopback.judging.rating import Rating, bounded
from gate.loopback.judging.reading import Body, body, keys
from gate.loopback.judging.refusing import declines, refuses
from gate.loopback.judging.sections import Sections
from gate.loopback.judging.wanting import clauses, focus, holds, kinds, new_names

_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_ANY_YEAR = re.compile(r"\b\d{4}\b")
_OF_IT = re.compile(r"(?:it|its|he|his|she|her|they|their)\b", re.IGNORECASE)
_GENERAL = frozenset(keys("tell take mean question summarise many long old number"))
_MOST = 0.6
_MUCH = 0.4
_SOME = 0.25
_THIRD = 0.33
_PADDED = 0.5
_SLIGHTLY = 0.0
_ANSWERS = 3.0
_ON_TOPIC = 0.2
_NEIGHBOUR = 2.0
_SENSES = 2
_BRIEF = 4
_HALF = 0.5
_ANSWERED = 0.75
_CENTRED = frozenset({"count", "length", "money", "name", "time"})


def relevance(given: Sections) -> Rating:
    """Return whether the answer holds the kind of thing that is asked for, about its subject.

    A neighbouring question (another year, one meaning of several, the subject without what was
    asked of it) and an answer that is half padding are in the middle.
    """
    answer, question = given["answer"], given["question"]
    if not keys(answer):
        return Rating(0.0, "The answer says nothing.")
    said = body(answer, question)
    asked = [
        key for key in keys(question) if key not in _GENERAL and not _YEAR.fullmatch(key)
    ] or list(keys(question))
    found = keys(said.text)
    share = 1.0 if said.direct else sum(key in found for key in asked) / max(1, len(asked))
    if said.sentences and _OF_IT.match(said.sentences[0]):
        share = max(share, _MUCH)  # a first `It` can only be what the question is about
    if declines(answer, question) if given.unanswerable else refuses(answer):
        return _of_refusal(given, answer)
    wanted = kinds(question)
    held = _held(given, said, asked)
    if held == 1 and len(found) <= _BRIEF and not set(wanted) & {"open", "steps"}:
        return Rating(4.0, "It answers in a word.")
    level = _level(share, held, said, _THIRD if "open" in wanted else _SOME)
    expected = [] if given.unanswerable else [one for one in given.assertions if not forbids(one)]
    rates = [met(one, answer, question) for one in expected]
    met_share = sum(rates) / len(rates) if rates else 0.0
    if met_share >= _HALF:
        level = max(level, _ANSWERS if met_share >= _ANSWERED else _NEIGHBOUR)
    if met_share < _ANSWERED and level > _NEIGHBOUR and _beside(given, said, share):
        return Rating(_NEIGHBOUR, "It answers a neighbouring question.")
    listed = "steps" in wanted and held
    idle = 0.0 if listed else idle_share(said, asked, (), question)
    if idle > _SLIGHTLY:
        level = min(level, _ANSWERS)
    if not listed and idle_share(said, asked, expected, question) >= _PADDED:
        level = min(level, _NEIGHBOUR)
    return bounded(
        level,
        f"It takes up {share:.0%} of the question; {idle:.0%} of it is beside the point.",
    )


def _held(given: Sections, said: Body, asked: list[str]) -> float:
    """Return the share of what is asked for that is held, half for a thing of something else."""
    question, known = given["question"], keys(given["question"])
    parts = clauses(question)
    brief = said.direct or len(keys(said.text)) <= _BRIEF
    names, total = 0, 0.0
    for part, kind in zip(parts, kinds(question), strict=True):
        if kind == "name":
            names += 1
        if (
            not holds(kind, given["answer"], said.text, known)
            or new_names(said.text, known) < names
        ):
            continue
        centred = kind not in _CENTRED or (kind == "name" and not focus(part))
        total += 1.0 if brief or centred or _centred(kind, part, said, asked, known) else _HALF
    return total / len(parts)


def _centred(kind: str, part: str, said: Body, asked: list[str], known: Collection[str]) -> bool:
    """Return whether the thing stands beside the word for it, or beside most of the question."""
    centre = focus(part)
    return any(
        (centre & keys(one).keys() or sum(key in keys(one) for key in asked) >= _MOST * len(asked))
        and holds(kind, one, one, known)
        for one in said.units
    )


def _level(share: float, held: float, said: Body, least: float) -> float:
    """Return the level of an answer by how much it takes up and whether it holds what is asked."""
    if held == 1:
        steps = ((_MOST, 4.0), (_MUCH, 3.0), (least, _NEIGHBOUR), (0.01, 1.0))
        return next((level for needed, level in steps if share >= needed), 0.0)
    if said.direct:
        return 1.0
    if held:
        return _NEIGHBOUR if share >= least else 1.0
    return _NEIGHBOUR if share >= _THIRD else 1.0 if share else 0.0


def _beside(given: Sections, said: Body, share: float) -> bool:
    """Return whether the answer is about another year, one meaning only, or a near subject."""
    years = set(_YEAR.findall(given["question"]))
    spoken = set(_ANY_YEAR.findall(said.text))
    if years and spoken and not years & spoken:
        return True
    several = [one for one in given.assertions if means_several(one)]
    if several and not names_several(said.text):
        senses = [one for one in given.assertions if one not in several and not forbids(one)]
        known = sum(met(one, given["answer"], given["question"]) > 0 for one in senses)
        return known < _SENSES
    return given.unanswerable and share < _HALF


def _of_refusal(given: Sections, answer: str) -> Rating:
    asked = [key for key in keys(given["question"]) if key not in _GENERAL]
    found = keys(answer)
    on_topic = sum(key in found for key in asked) > _ON_TOPIC * len(asked)
    if given.unanswerable:
        return Rating(4.0 if on_topic else 3.0, "It says that there is no answer.")
    return Rating(1.0 if on_topic else 0.0, "It declines a question that can be answered.")
