"""Words of a text: tokens, stems and sentences, as the search and the judge see them."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

STOP = frozenset(
    """a about after again all also am an and any are as at be because been before being both but by
    can could did do does doing each else ever few for from get give gives go had has have he her
    here hers him his how i if in into is it its itself let like me might more most must my no nor
    not of off on once one only or other our out over own per please same say says she should so
    some such tell than that the their them then there these they this those through to too under
    until up us very was we were what when where whether which while who whom whose why will with
    would you your""".split()  # noqa: SIM905 - a list of quoted words cannot be read
)
"""English words that say nothing about a topic."""

_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "å": "a", "ð": "d", "þ": "th", "ß": "ss", "\u2212": "-", "\u2019": "'"}
)
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[a-z]+(?:'[a-z]+)?")
_THOUSANDS = re.compile(r"^\d{1,3}(?:,\d{3})+$")
CAPITAL = "[A-ZÀ-ÖØ-Þ]"
"""Pattern of a capital letter of the Latin scripts of western Europe."""
_SENTENCE_END = re.compile(rf"(?<=[.!?])[”\"']?\s+(?={CAPITAL}|[“\"0-9])")
_SHORTEST_STEM = 4
_SAME = {
    "built": "build",
    "born": "birth",
    "wrote": "write",
    "written": "write",
    "held": "hold",
    "led": "lead",
    "tall": "height",
    "high": "height",
    "cost": "pric",
    "fare": "pric",
    "newest": "new",
    "latest": "late",
    "took": "take",
    "tower": "lighthouse",
    "summarize": "summarise",
}
"""Word forms and near synonyms that stripping does not join -> their common stem."""


def fold(text: str) -> str:
    """Return the text in small letters without accents, so that ø meets o."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a folded word; numbers lose their thousands commas."""
    if word[0].isdigit():
        return word.replace(",", "") if _THOUSANDS.match(word) else word
    word = word.removesuffix("'s")
    if word in _SAME:
        return _SAME[word]
    for suffix, instead in (
        ("ies", "y"),
        ("ations", ""),
        ("ation", ""),
        ("ings", ""),
        ("ing", ""),
        ("ers", ""),
        ("ors", ""),
        ("ed", ""),
        ("er", ""),
        ("or", ""),
        ("es", ""),
        ("ly", ""),
        ("s", ""),
        ("e", ""),
    ):
        if word.endswith(suffix) and len(word) - len(suffix) + len(instead) >= _SHORTEST_STEM:
            word = word[: -len(suffix)] + instead
            break
    return _SAME.get(word, word)


def tokens(text: str) -> list[str]:
    """Return the folded words and numbers of a text, in order."""
    return _TOKEN.findall(fold(text))


@lru_cache(maxsize=20_000)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of the words that say something, in order, repeats kept."""
    return tuple(
        stem(token)
        for token in tokens(text)
        if token not in STOP and (len(token) > 1 or token.isdigit())
    )


def content(text: str) -> dict[str, None]:
    """Return the distinct stems of a text in order of first use."""
    return dict.fromkeys(stems(text))


def sentences(text: str) -> list[str]:
    """Return the sentences of one paragraph, trimmed."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def is_number(token: str) -> bool:
    """Return whether a token starts with a digit."""
    return token[:1].isdigit()
