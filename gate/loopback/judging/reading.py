"""How the judge reads: words with their meaning, figures with their unit, sentences in context."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gate.loopback.judging.figures import in_figures
from gate.loopback.judging.thesaurus import meaning, plain
from gate.loopback.words import STOP, fold, is_number, sentences, stem

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['\u2019][^\W\d_]+)?|[%€$£]")
_QUOTE = re.compile(r"[“\"]([^”\"]+)[”\"]")
_MARKER = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+")
_VOICE = re.compile(r"(?<=[.!?]) (?=[a-z]\w*: )")
_BACK = re.compile(
    r"^(?:it|its|he|his|she|her|they|their|that|this|these|those|there|here|both)\b", re.IGNORECASE
)
_NO = re.compile(
    r"\b(?:not|never|no|none|cannot|nor|neither|without|immutable|forbidden)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "length m": ("m", "metre", "metres", "meter", "meters"),
    "length km": ("km", "kilometre", "kilometres", "kilometer", "kilometers"),
    "length cm": ("cm", "centimetre", "centimetres", "mm", "millimetres"),
    "length foot": ("foot", "feet", "ft", "mile", "miles"),
    "time minute": ("minute", "minutes", "min", "mins"),
    "time hour": ("hour", "hours", "h"),
    "time day": ("day", "days", "week", "weeks", "month", "months"),
    "time second": ("second", "seconds"),
    "money crown": ("crown", "crowns", "kr", "krone", "kroner"),
    "money shilling": ("shilling", "shillings"),
    "money euro": ("euro", "euros", "€"),
    "money dollar": ("dollar", "dollars", "$"),
    "money pound": ("pound", "pounds", "£"),
    "share": ("%", "percent"),
}
_UNIT_OF: Final = {word: unit for unit, words in _UNITS.items() for word in words}
_SILENT = STOP | {"cannot", "neither", "none", "without"}
_ECHOED = 0.8
_OPENER = 3


@dataclass(frozen=True, slots=True)
class Word:
    """One word or number of a text."""

    key: str
    """The stem, the same for synonyms; a number without its separators; empty for a stop word."""
    text: str
    """As written."""
    unit: str
    """Kind and name of the unit that follows a number, such as `length m`; empty without."""

    @property
    def number(self) -> bool:
        """Whether it is written in figures."""
        return is_number(self.text)

    @property
    def capital(self) -> bool:
        """Whether it starts with a capital letter."""
        return self.text[:1].isupper()


@lru_cache(maxsize=20_000)
def read(text: str) -> tuple[Word, ...]:
    """Return the words and numbers of a text in order, stop words included."""
    raw = _TOKEN.findall(in_figures(plain(text)))
    after = [*raw, ""][1:]
    return tuple(
        Word(
            _key(word),
            word,
            _UNIT_OF.get(following.lower(), "") if is_number(word) else "",
        )
        for word, following in zip(raw, after, strict=True)
    )


def keys(text: str) -> dict[str, None]:
    """Return the distinct keys of a text in order of first use."""
    return dict.fromkeys(word.key for word in read(text) if word.key)


def _key(word: str) -> str:
    if is_number(word):
        return stem(word)
    small = fold(word)
    if small in _SILENT or small in _UNIT_OF or len(small) == 1:
        return _UNIT_OF.get(small, "")
    return meaning(small)


def denies(text: str) -> bool:
    """Return whether a text holds a word of denial."""
    return bool(_NO.search(text))


@dataclass(frozen=True, slots=True)
class Body:
    """What an answer says by itself, without the question that it repeats."""

    sentences: tuple[str, ...]
    """Sentences and list items, without their markers."""
    direct: bool
    """Whether the question is quoted and answered in the same sentence."""

    @property
    def text(self) -> str:
        """All sentences, one a line."""
        return "\n".join(self.sentences)

    @property
    def units(self) -> list[str]:
        """The sentences, each with the one before it when its first word points back."""
        return [
            f"{self.sentences[n - 1]} {one}" if n and _BACK.match(one) else one
            for n, one in enumerate(self.sentences)
        ]


@lru_cache(maxsize=2_000)
def body(answer: str, question: str) -> Body:
    """Return the statements of an answer; an opening that only repeats the question is none."""
    asked, direct, kept = keys(question), False, []

    def unquoted(match: re.Match[str]) -> str:
        inside = keys(match[1])
        same = asked and sum(key in inside for key in asked) >= _ECHOED * len(asked)
        return " " if same else match[0]

    for line in _VOICE.sub("\n", answer).splitlines():
        whole = _QUOTE.sub(unquoted, line)
        echoed = whole != line
        for number, one in enumerate(sentences(_MARKER.sub("", whole))):
            said = [word for word in read(one) if word.key]
            if echoed and not number:
                direct = any(word.number for word in said) or len(said) > _OPENER
                if not direct:
                    continue
            if said:
                kept.append(one)
    return Body(tuple(kept), direct)


def points_back(sentence: str) -> bool:
    """Return whether a sentence starts with a word such as `It`, which needs the one before."""
    return bool(_BACK.match(sentence))
