"""Numbers in other spellings: in words, with other separators, or with hours for minutes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_SMALL: Final[Mapping[str, int]] = {
    word: value
    for value, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen""".split()  # noqa: SIM905 - as in words.py
    )
}
_TENS: Final[Mapping[str, int]] = {
    word: 10 * value
    for value, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2
    )
}
_SCALES: Final[Mapping[str, int]] = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_ONE = "|".join((*_SMALL, *_TENS, *_SCALES))
_RUN = re.compile(rf"\b(?:{_ONE})(?:(?:[ -]| and )(?:{_ONE}))*\b", re.IGNORECASE)
_POINT = re.compile(r"\b(\d+) point (\d)\b")
_SPACED = re.compile(r"(?<![\d.,:])\d{1,3}(?:[ \u00a0\u2009\u202f'\u2019]\d{3})+\b")
_HALF = re.compile(r"\b(?:an|1|one) hour and a half\b", re.IGNORECASE)
_HOURS = re.compile(
    r"\b(?:(an|one)|(\d+)) ?h(?:ours?)?(?: and|,)? (\d+) ?min(?:ute)?s?\b", re.IGNORECASE
)
_CENTURY = range(10, 21)
_TEN = 10
_HUNDRED = 100


def in_figures(text: str) -> str:
    """Return the text with number words and spaced figures as plain figures.

    A single `one` stays a word: it is seldom a number.
    """
    text = _RUN.sub(lambda match: _figure(match[0]), text)
    text = _POINT.sub(r"\1.\2", text)
    text = _SPACED.sub(lambda match: re.sub(r"\D", "", match[0]), text)
    text = _HALF.sub("90 minutes", text)
    return _HOURS.sub(_minutes, text)


def _minutes(match: re.Match[str]) -> str:
    return f"{60 * int(match[2] or 1) + int(match[3])} minutes"


def _figure(run: str) -> str:
    """Return a run of number words as one figure, or each by itself where they make no number."""
    words = re.split(r"[ -]+", run.lower())
    if words == ["one"]:
        return run
    singly = re.sub(r"[a-z]+", lambda match: _single(match[0]), run, flags=re.IGNORECASE)
    total, part, last = 0, 0, 0
    for word in words:
        if word == "and":
            if last < _HUNDRED:
                return singly
            continue
        value = _SMALL.get(word, _TENS.get(word, _SCALES.get(word, 0)))
        if word in _SCALES:
            part = max(part, 1) * value
            if value > _HUNDRED:
                total, part = total + part, 0
        elif part in _CENTURY and value >= _TEN:
            part = part * _HUNDRED + value
        elif part % _HUNDRED and not (part % _TEN == 0 and value < _TEN):
            return singly
        else:
            part += value
        last = value
    return str(total + part)


def _single(word: str) -> str:
    value = _SMALL.get(word.lower(), _TENS.get(word.lower()))
    return word if value is None or value == 1 else str(value)
