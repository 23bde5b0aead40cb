"""The search engine of the mini-web: BM25 over sentences, with title, heading and page.

BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), section 3; the fields
are joined before saturation as in their BM25F (section 3.6).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gate.loopback.pages import Page, Sentence
from gate.loopback.words import stems

_K1 = 1.2
_B = 0.3
_TITLE = 0.8
_HEADING = 0.5
_PAGE = 0.15


@dataclass(frozen=True, slots=True)
class Hit:
    """A sentence that was found."""

    page: Page
    """Where it stands."""
    number: int
    """Its number on the page, from 0."""
    score: float
    """BM25 score, without unit; higher is better."""

    @property
    def sentence(self) -> Sentence:
        """The sentence itself."""
        return self.page.sentences[self.number]

    @property
    def context(self) -> frozenset[str]:
        """The stems of the sentence, its heading and its page's title."""
        return frozenset(stems(f"{self.sentence.text} {self.sentence.heading} {self.page.title}"))


class Index:
    """An inverted index over the sentences of some pages."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self.pages = tuple(pages)
        self._lengths: list[int] = []
        self._units: list[tuple[Page, int]] = []
        self._postings: dict[str, dict[int, float]] = defaultdict(dict)
        self._page_stems: dict[str, frozenset[str]] = {}
        spread: Counter[str] = Counter()
        for page in self.pages:
            whole = frozenset(
                stems(" ".join([page.title, *(f"{s.heading} {s.text}" for s in page.sentences)]))
            )
            self._page_stems[page.uri] = whole
            spread.update(whole)
            for number in range(len(page.sentences)):
                self._add(page, number, whole)
        self._mean = sum(self._lengths) / max(1, len(self._lengths))
        count = len(self.pages)
        self._idf = {
            word: math.log(1 + (count - n + 0.5) / (n + 0.5)) for word, n in spread.items()
        }
        self._unknown = math.log(1 + (count + 0.5) / 0.5)

    def _add(self, page: Page, number: int, whole: frozenset[str]) -> None:
        sentence = page.sentences[number]
        unit = len(self._units)
        own = Counter(stems(sentence.text))
        self._units.append((page, number))
        self._lengths.append(sum(own.values()))
        weights: dict[str, float] = defaultdict(float, {word: float(n) for word, n in own.items()})
        for words, weight in (
            (set(stems(page.title)), _TITLE),
            (set(stems(sentence.heading)), _HEADING),
            (whole, _PAGE),
        ):
            for word in words:
                weights[word] += weight
        for word, weight in weights.items():
            self._postings[word][unit] = weight

    def knows(self, word: str) -> bool:
        """Return whether any page has a stem."""
        return word in self._idf

    def weight(self, word: str) -> float:
        """Return the inverse document frequency of a stem; one that no page has weighs most."""
        return self._idf.get(word, self._unknown)

    def share(self, wanted: Iterable[str], present: Iterable[str]) -> float:
        """Return the share by weight of wanted stems that are present; 1 when nothing is wanted."""
        there = frozenset(present)
        weights = {word: self.weight(word) for word in wanted}
        total = sum(weights.values())
        return (
            sum(weight for word, weight in weights.items() if word in there) / total
            if total
            else 1.0
        )

    def words_of(self, page: Page) -> frozenset[str]:
        """Return all stems of a page, its title included."""
        return self._page_stems[page.uri]

    def search(self, words: Iterable[str], limit: int = 40) -> list[Hit]:
        """Return the best sentences for some stems, best first; ties in the order of the pages."""
        scores: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(words):
            rare = self.weight(word)
            for unit, weight in self._postings.get(word, {}).items():
                length = 1 - _B + _B * self._lengths[unit] / self._mean
                scores[unit] += rare * weight * (_K1 + 1) / (weight + _K1 * length)
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [Hit(*self._units[unit], score) for unit, score in best]
