"""The words that rate: buckets for a whole answer, what the pages say for an item of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from gate.stats.agreement import bucket
from gate.types import Bucket, CalibrationItem, CalibrationSet, ItemKind, Support

BUCKETS: tuple[Bucket, ...] = ("low", "med", "high")
"""Thirds of [0, 1], in order."""

SUPPORT: tuple[Support, ...] = ("unsupported", "partial", "supported", "unverifiable")
"""What pages say of an item, the least good first; `unverifiable` stands outside of the order."""


def categories_of(counts: ItemKind | None) -> tuple[Bucket, ...] | tuple[Support, ...]:
    """Give the words that rate what is counted: rows and columns of the table of agreement."""
    return BUCKETS if counts is None else SUPPORT


def judge_said(item: CalibrationItem, shift: float = 0.0) -> Bucket | Support:
    """Give the judge's side of a label as a word; raises ValueError for a score outside [0, 1].

    `shift` moves the edges of the buckets.
    """
    if not isinstance(item.judge, float):
        return item.judge
    if not 0.0 <= item.judge <= 1.0:
        raise ValueError(f"a judge's score of {item.judge:g} for {item.case_id}")
    return bucket(item.judge, shift)


def fits(item: CalibrationItem, labels: CalibrationSet) -> bool:
    """Tell whether a label is of the kind that its set says: a whole answer, or an item."""
    whole = labels.counts is None
    return (
        (item.item is None) == whole
        and item.human in categories_of(labels.counts)
        and isinstance(item.judge, float) == whole
    )


def agreed(ratings: Collection[Bucket | Support], counts: ItemKind | None) -> Bucket | Support:
    """Give the one rating that stands for several people's, which are not none.

    Buckets: the median, of two middle ones the lower. Words of items: the most frequent, of equally
    frequent ones the least good. So where two people differ, the stricter is taken.
    """
    words = list(categories_of(counts))
    if counts is None:
        places = sorted(words.index(one) for one in ratings)
        return words[places[(len(places) - 1) // 2]]
    times = Counter(ratings)
    return min(times, key=lambda word: (-times[word], words.index(word)))
