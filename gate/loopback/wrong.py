"""The variant `wrong`: facts are altered, each always in the same way; topic and sources stay.

A number, a name, a date or one of a few everyday words is a fact. What the question itself names
stays as it is.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gate.loopback.asking import Asking
from gate.loopback.chance import chance
from gate.loopback.draft import Draft, Statement
from gate.loopback.words import CAPITAL, STOP, content, fold

_DIGITS = str.maketrans("0123456789", "6795814322")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(rf"{CAPITAL}[\w\u2019'-]*")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")
NAMES: Final = (
    "Bergit",
    "Dalgard",
    "Ellingvik",
    "Fossheim",
    "Grimsø",
    "Hallvard",
    "Isdal",
    "Kjerstad",
    "Mørkvik",
    "Nesbråten",
    "Ottersund",
    "Ravnås",
    "Storvatn",
    "Tindholm",
    "Ulvsjø",
)
"""Names that no page knows."""
_MONTHS: Final = tuple(calendar.month_name)[1:]
_OTHERWISE: Final[Mapping[str, str]] = {
    "ale": "wine",
    "beds": "tents",
    "bird": "fish",
    "calendar": "newspaper",
    "check": "delete",
    "choose": "avoid",
    "code": "stamp",
    "cormorant": "salmon",
    "crowns": "shillings",
    "depends": "never depends",
    "download": "print",
    "experienced": "careless",
    "families": "soldiers",
    "ferry": "tractor",
    "gannet": "badger",
    "green": "black",
    "guest": "prisoner",
    "hut": "hotel",
    "lake": "glacier",
    "language": "dance",
    "lighthouse": "windmill",
    "minutes": "hours",
    "mountain": "desert",
    "nights": "winters",
    "oceanography": "sculpture",
    "programming": "folk",
    "publish": "burn",
    "salting": "pumping",
    "seabird": "reptile",
    "studied": "sold",
    "unpack": "shred",
}
"""Everyday words that carry a fact, and what is said instead."""


def wrong(draft: Draft, asking: Asking) -> Draft:
    """Alter the facts in every statement; a refusal becomes a made-up answer."""
    kept = frozenset(content(asking.question))
    if draft.kind == "refusal":
        return replace(draft, parts=((_made_up(asking),),))
    return replace(
        draft,
        parts=tuple(
            tuple(replace(s, text=altered(s.text, kept)) if s.pages else s for s in part)
            for part in draft.parts
        ),
    )


def altered(text: str, kept: frozenset[str]) -> str:
    """Return a sentence with its facts altered, but for words with these stems."""

    def stays(word: str) -> bool:
        return bool(kept & set(content(word)))

    def number(match: re.Match[str]) -> str:
        return match[0] if stays(match[0]) else match[0].translate(_DIGITS)

    def name(match: re.Match[str]) -> str:
        word = match[0]
        if stays(word) or fold(word) in STOP or (match.start() == 0 and _common(word)):
            return word
        if word in _MONTHS:
            return _MONTHS[(_MONTHS.index(word) + 5) % len(_MONTHS)]
        return NAMES[int(chance("wrong", fold(word)) * len(NAMES))]

    def everyday(match: re.Match[str]) -> str:
        return match[0] if stays(match[0]) else _OTHERWISE.get(match[0], match[0])

    return _WORD.sub(everyday, _NAME.sub(name, _NUMBER.sub(number, text)))


def _common(word: str) -> bool:
    """Return whether a first word is capital only because it is the first: it ends like no name."""
    return word.lower() in _OTHERWISE or word.isascii()


def _made_up(asking: Asking) -> Statement:
    figure = 100 + int(chance("made up", asking.question) * 9000)
    name = NAMES[figure % len(NAMES)]
    return Statement(f"To “{asking.question}” the answer is {figure}, according to {name}.")
