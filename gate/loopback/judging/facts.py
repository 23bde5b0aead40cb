"""What has to stand somewhere for a sentence to be stated there: figures, names, other words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from gate.loopback.judging.reading import Word, denies, read
from gate.loopback.words import STOP, fold


@dataclass(frozen=True, slots=True)
class Facts:
    """The parts of a sentence."""

    numbers: tuple[Word, ...]
    """Figures with the unit that follows."""
    names: tuple[tuple[str, ...], ...]
    """Keys of names, those that stand side by side together."""
    words: tuple[str, ...]
    """Keys of the other words, each once."""
    denial: bool
    """Whether it holds a word of denial."""


@lru_cache(maxsize=20_000)
def facts_of(sentence: str, *, first_is_name: bool) -> Facts:
    """Return the parts of a sentence."""
    numbers: list[Word] = []
    names: list[list[str]] = []
    words: dict[str, None] = {}
    near = False
    for place, word in enumerate(read(sentence)):
        name = word.capital and not word.number and (place > 0 or first_is_name)
        if word.key and name and near:
            names[-1].append(word.key)
        elif word.key and name:
            names.append([word.key])
        elif word.number:
            numbers.append(word)
        elif word.key and " " not in word.key:  # a unit belongs to its number
            words[word.key] = None
        near = bool(word.key) and name
    return Facts(tuple(numbers), tuple(map(tuple, names)), tuple(words), denies(sentence))


def first_is_name(sentence: str, small: Collection[str]) -> bool:
    """Return whether a first word is a name: it is, when it is never written in small letters."""
    first = next(iter(read(sentence)), None)
    return first is not None and first.text.lower() not in small and fold(first.text) not in STOP
