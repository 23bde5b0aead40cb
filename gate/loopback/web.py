"""The mini-web as the search sees it: one index a region, and each question goes to one of them.

Regions have term statistics of their own, so that pages about one place change nothing about what
is found of another. Which region a question goes to is decided as collections are selected in
distributed retrieval (Callan, Distributed Information Retrieval, 2000, section 3), by how many of
its words a region knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from gate.loopback.pages import Page
from gate.loopback.search import Index
from gate.loopback.words import content


class Web:
    """Some pages, indexed by region."""

    def __init__(self, pages: Iterable[Page]) -> None:
        regions: dict[str, list[Page]] = defaultdict(list)
        for page in pages:
            regions[page.region].append(page)
        self._indexes = tuple(Index(regions[name]) for name in sorted(regions))

    def index_for(self, question: str) -> Index:
        """Return the index of the region that knows most of a question's words; of two, the first.

        A word counts the less the more regions know it.
        """
        words = content(question)
        known = {word: sum(index.knows(word) for index in self._indexes) for word in words}

        def worth(index: Index) -> float:
            return sum(1 / known[word] for word in words if index.knows(word))

        return max(self._indexes, key=worth)
