"""How much of an answer is beside the point."""

from __future__ import annotations

import re
from collections.abc import Collection

from gate.loopback.judging.assertions import met
from gate.loopback.judging.reading import Body, keys, points_back, read

_VOICE = re.compile(r"^(?:(?:Asked|Posted|Written) by )?[a-z]\w*: ")
_YEAR = re.compile(r"\b\d{4}\b")
_ENOUGH = 0.4
_ALIKE = 0.75
_ADDITIONS = 2
_SLIGHT = 0.34


def idle_share(
    said: Body, asked: Collection[str], expected: Collection[str], question: str
) -> float:
    """Return the share of sentences that do not serve the answer, 0 to 1.

    A sentence serves it when it takes up enough of the question, says what is expected, or goes
    with a neighbour that does. One or two additions after a complete first sentence count as
    little. A voice from a thread, and a sentence that says again with other figures what was said
    already, never serve.
    """
    flags = [
        _serves(one, asked) or any(met(wanted, one, question) == 1 for wanted in expected)
        for one in said.sentences
    ]
    stray = [
        bool(_VOICE.match(one) or _rivals(one, said.sentences[:number]))
        for number, one in enumerate(said.sentences)
    ]
    for number, one in enumerate(said.sentences):
        if number and points_back(one):
            together = flags[number - 1] or flags[number]
            flags[number - 1 : number + 1] = [together, together]
    serving = [flag and not odd for flag, odd in zip(flags, stray, strict=True)]
    if not serving or said.direct:
        return 0.0
    idle = serving.count(False) / len(serving)
    if serving[0] and not any(stray) and serving.count(False) <= _ADDITIONS:
        return min(idle, _SLIGHT)
    return idle


def _serves(sentence: str, asked: Collection[str]) -> bool:
    found = keys(sentence)
    return sum(key in found for key in asked) >= _ENOUGH * len(asked)


def _rivals(sentence: str, before: tuple[str, ...]) -> bool:
    """Return whether nearly all words of an earlier sentence come again with other numbers.

    Two years of one thing are no rivals.
    """
    if _YEAR.search(sentence):
        return False
    words = {word.key: word.number for word in read(sentence) if word.key}
    for one in before:
        earlier = {word.key: word.number for word in read(one) if word.key}
        plain = [key for key, number in earlier.items() if not number]
        numbers = {key for key, number in earlier.items() if number}
        ours = {key for key, number in words.items() if number}
        same = sum(key in words for key in plain) / max(1, len(plain))
        if numbers and ours and not numbers & ours and same >= _ALIKE:
            return True
    return False
