"""What kind of thing a question asks for, and whether a text holds one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final

from gate.loopback.judging.reading import keys, read
from gate.loopback.words import STOP, fold

_KINDS: Final[tuple[tuple[str, str], ...]] = (
    ("count", r"how (?:many|much|old|often)|(?:telephone |phone )?number|which version|version of"),
    ("time", r"how long"),
    ("length", r"how (?:high|tall|deep|far|wide|big|large)|diameter|height|depth"),
    ("money", r"costs?|prices?|fares?|fees?"),
    ("date", r"when|(?:which|what) (?:year|date|day)"),
    ("steps", r"how (?:do|can|could|should|to|would)"),
    ("place", r"where|(?:which|what) (?:\w+ )?(?:town|village|city|place|country)"),
    ("name", r"who|(?:which|what) (?:other )?(?:\w+ )?(?:university|building|person|company)"),
)
_CLAUSE = re.compile(
    r",? and (?=(?:in |at |to )?(?:which|what|how|when|who|where)\b)", re.IGNORECASE
)
_FOCUS = re.compile(
    r"\b(?:which|what)\b (?:(?:is|are|was|were|does|do|did|the|an?) )*(?P<noun>[\w -]+?)"
    r"(?= (?:of|on|in|at|is|was|are|did|does|do|that|who|cost|has|have)\b|[?,]|$)",
    re.IGNORECASE,
)
_OF_WHOM = re.compile(
    r"\b(?:who (?:is|was|are)(?: the)?|how (?:many|much)) (?P<noun>[\w -]+?)"
    r"(?= (?:of|live|lives|is|are|do|does)\b|[?,]|$)",
    re.IGNORECASE,
)
_HOW: Final[Mapping[str, str]] = {"time": "duration", "length": "height", "money": "price"}
_LIST = re.compile(r"^\s*(?:\d+[.)]|[-*•]) ", re.MULTILINE)
_ORDER = re.compile(
    r"\b(?:first|then|next|after that|finally|afterwards|lastly|once you|when you have)\b",
    re.IGNORECASE,
)
_DO: Final = """open choose pick select enter pay go sign log click download fetch unpack extract
    run add set write keep check use put type call send fill create visit install book confirm
    reserve start test publish"""
_DOING = re.compile(
    rf"(?:^|[,;:.] (?:and |then )?|\band |\bthen )(?:{'|'.join(_DO.split())})\b",
    re.IGNORECASE | re.MULTILINE,
)
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_FIGURES: Final[Mapping[str, re.Pattern[str]]] = {
    "count": re.compile(r"\d"),
    "date": re.compile(r"\d{4} "),
    "length": re.compile(r"\S+ length"),
    "money": re.compile(r"\S+ money"),
    "time": re.compile(r"\S+ time"),
}
"""Kind -> how a figure of that kind starts, with its unit behind a space."""
_PLACE = re.compile(
    r"\b(?:in|from|near|of|to) ([A-ZÅØÆ][\w-]+)|^([A-ZÅØÆ][\w-]+)(?=[,.;:!]| \W)", re.MULTILINE
)
_STEPS = 2
_NEW_WORDS = 3


def kinds(question: str) -> tuple[str, ...]:
    """Return what each part of a question asks for; `open` where it is nothing countable."""
    found = []
    for clause in clauses(question):
        small = clause.lower()
        found.append(
            next((kind for kind, words in _KINDS if re.search(rf"\b(?:{words})\b", small)), "open")
        )
    return tuple(found)


def clauses(question: str) -> list[str]:
    """Return the parts of a question that each ask for a thing of their own."""
    return _CLAUSE.split(question)


def focus(clause: str) -> frozenset[str]:
    """Return the keys of the very thing that is asked for, such as `village`; empty if unclear."""
    found = _FOCUS.search(clause) or _OF_WHOM.search(clause)
    return frozenset(keys(found["noun"] if found else _HOW.get(kinds(clause)[0], "")))


def holds(kind: str, answer: str, said: str, asked: Collection[str]) -> bool:
    """Return whether an answer holds a thing of that kind that the question did not name.

    `answer` is the whole text, `said` its sentences without the question.
    """
    if kind in _FIGURES:
        numbers = [word for word in read(said) if word.number and word.key not in asked]
        return bool(kind == "date" and _MONTH.search(said)) or any(
            _FIGURES[kind].match(f"{word.key} {word.unit}") for word in numbers
        )
    if kind == "steps":
        return (
            len(_LIST.findall(answer)) >= _STEPS
            or len(_ORDER.findall(said)) >= _STEPS
            or len(_DOING.findall(said)) > _STEPS
        )
    if kind == "place":
        return any(not keys(name[0]).keys() <= set(asked) for name in _PLACE.finditer(said))
    if kind == "name":
        return bool(new_names(said, asked))
    new = {word.key for word in read(said) if not (word.number or word.capital) and word.key}
    return len(new - set(asked)) >= _NEW_WORDS


def new_names(said: str, asked: Collection[str]) -> int:
    """Return how many names a text holds that the question does not; words side by side are one."""
    flags = [
        word.capital and word.key not in asked and fold(word.text) not in STOP
        for word in read(said)
    ]
    return sum(flag and not before for before, flag in zip([False, *flags], flags, strict=False))
