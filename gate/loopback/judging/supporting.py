"""Whether a page states a claim: its numbers, its names and most of its words in one place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gate.loopback.judging.facts import Facts, facts_of, first_is_name
from gate.loopback.judging.page_texts import PageText, Passage
from gate.loopback.judging.reading import Word, denies, keys, read

Label = Literal["supported", "partial", "unsupported", "unverifiable"]
"""What can be said of a claim."""
_RANK: Final = {"unsupported": 0, "partial": 1, "supported": 2}
_MOST = 0.85
_MUCH = 0.6
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Proof:
    """What the pages say to a claim."""

    label: Label
    """Never unverifiable where there is a page."""
    page: int = 0
    """The page that states it, or part of it; 0 for none."""
    quote: str = ""
    """The passage on that page, word for word."""


def wanted_of(claim: str, small: Collection[str]) -> Facts:
    """Return what a claim needs; `small` are the words that stand somewhere in small letters."""
    return facts_of(claim, first_is_name=first_is_name(claim, small))


def best_proof(wanted: Facts, pages: Iterable[PageText]) -> Proof:
    """Return the best that any page says; a page that says otherwise outweighs half a proof."""
    best, rank, otherwise = Proof("unsupported"), (0, 0.0), False
    for page in pages:
        for passage in page.passages:
            label, share, against = weigh(wanted, passage)
            otherwise = otherwise or against
            if (_RANK[label], share) > rank and label != "unsupported" and passage.quote:
                best = Proof(label, page.number, passage.quote)
                rank = (_RANK[label], share)
    return Proof("unsupported") if otherwise and best.label == "partial" else best


def weigh(wanted: Facts, passage: Passage) -> tuple[Label, float, bool]:
    """Return the label by one passage, the share of words that it has, whether it says otherwise.

    Names and half of the words may stand in the title, the heading or the sentence before;
    figures may not.
    """
    said = [word for one in passage.sentences for word in read(one)]
    here = {word.key for word in said}
    share = _share(wanted, passage.around)
    if share < _MUCH or sum(key in here for key in wanted.words) < _HALF * len(wanted.words):
        return "unsupported", share, False
    nearest = max(passage.sentences, key=lambda one: sum(key in keys(one) for key in wanted.words))
    if denies(nearest) != wanted.denial:
        return "unsupported", share, True
    missing = [number for number in wanted.numbers if not _stands(number, said)]
    absent = [name for name in wanted.names if not all(key in passage.around for key in name)]
    if missing or absent:
        against = any(_rivals(word, missing, wanted) for word in said) or (
            bool(absent) and bool(passage.names - _keys(wanted))
        )
        return ("unsupported" if against else "partial"), share, against
    return ("supported" if share >= _MOST else "partial"), share, False


def _keys(wanted: Facts) -> frozenset[str]:
    return frozenset([*wanted.words, *(key for name in wanted.names for key in name)])


def _share(wanted: Facts, around: Collection[str]) -> float:
    """Return the share of words and names that stand there; 1 for a claim of figures alone."""
    needed = _keys(wanted)
    return len(needed.intersection(around)) / len(needed) if needed else 1.0


def _stands(number: Word, said: Sequence[Word]) -> bool:
    return any(
        word.key == number.key and (not number.unit or word.unit in {"", number.unit})
        for word in said
    )


def _rivals(word: Word, missing: Sequence[Word], wanted: Facts) -> bool:
    """Return whether a figure stands where another one is claimed: other value or other unit."""
    return word.number and any(
        _kind(word) == _kind(number)
        and (word.key == number.key or all(word.key != one.key for one in wanted.numbers))
        for number in missing
    )


def _kind(number: Word) -> str:
    """Return what a figure measures, such as `time`; minutes and hours are one kind."""
    return number.unit.partition(" ")[0]
