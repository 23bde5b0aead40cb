"""The formulas of citations, without a judge: pure, undefined where there is nothing to divide by.

Citation recall and precision are those of ALCE (Gao et al. 2023, arXiv 2305.14627, section 4.3),
with a judge in the place of its NLI model. `share` and `f1` are what gemini-search-mcp calls
citation precision, recall and F1, with None where it says 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["Backing", "Cited", "alce_precision", "alce_recall", "f1", "share"]


class Cited(NamedTuple):
    """One citation of a sentence: a page, and what it adds."""

    alone: bool
    """Whether this page by itself entails the sentence."""
    rest: bool
    """Whether the other pages that the sentence cites entail it without this one."""

    @property
    def irrelevant(self) -> bool:
        """Whether the page adds nothing: it does not entail the sentence, and the others do."""
        return self.rest and not self.alone


class Backing(NamedTuple):
    """One sentence of an answer and what it cites."""

    supported: bool = False
    """Whether the pages that it cites together entail it; it means nothing without one."""
    citations: tuple[Cited, ...] = ()
    """Its citations; empty for a sentence that cites nothing."""

    @property
    def recall(self) -> int:
        """1 when it cites something that entails it, else 0."""
        return int(self.supported and bool(self.citations))


def alce_recall(sentences: Sequence[Backing]) -> float | None:
    """Return the share of all sentences that their citations entail.

    In [0, 1]; a sentence without citations counts 0; None for an answer without a sentence.
    """
    return share(bool(one.recall) for one in sentences)


def alce_precision(sentences: Sequence[Backing]) -> float | None:
    """Return the share of all citations whose sentence has recall 1 and that are not irrelevant.

    In [0, 1]; 0 for sentences without any citation, as in the paper; None for an answer without a
    sentence.
    """
    if not sentences:
        return None
    kept = [
        bool(one.recall) and not citation.irrelevant
        for one in sentences
        for citation in one.citations
    ]
    return share(kept) if kept else 0.0


def share(flags: Iterable[bool]) -> float | None:
    """Return how many of them are true, in [0, 1]; None where there are none."""
    found = list(flags)
    return sum(found) / len(found) if found else None


def f1(precision: float | None, recall: float | None) -> float | None:
    """Return the harmonic mean; None when either is None, 0 when both are 0."""
    if precision is None or recall is None:
        return None
    total = precision + recall
    return 2 * precision * recall / total if total else 0.0
