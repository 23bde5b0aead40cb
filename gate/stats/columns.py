"""Scores of very many cases as columns: the repeats of all cases end to end, and how many each has.

Everything here gives the very numbers that a loop over the cases gives, to the last bit: means are
exactly rounded sums, and decimals are rounded as Python's `round` does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

__all__ = ["Paired", "Repeats", "paired", "rounded", "significant"]

_LARGEST_STEP = 1e12
"""Above so many steps of the last decimal a double is too coarse to see halves."""

_NEAR_A_HALF = 1e-3
"""In steps of the last decimal: so near to a half, Python decides."""


@dataclass(frozen=True, eq=False)
class Repeats:
    """The scores of many cases, each with as many as it has."""

    values: NDArray[np.float64]
    """All scores, case after case."""
    counts: NDArray[np.int64]
    """How many each case has."""

    @classmethod
    def of(cls, columns: Sequence[Sequence[float | None]]) -> Repeats:
        """Take the scores of each case; None is a score that is missing, and left out."""
        return cls.end_to_end(list(chain.from_iterable(columns)), list(map(len, columns)))

    @classmethod
    def end_to_end(cls, scores: Sequence[float | None], lengths: Sequence[int]) -> Repeats:
        """Take the scores of all cases, and how many of them each has; None is left out."""
        values = np.array(scores, dtype=np.float64)
        counts = np.array(lengths, dtype=np.int64)
        there = ~np.isnan(values)
        if there.all():
            return cls(values, counts)
        places = np.repeat(np.arange(len(counts)), counts)
        return cls(values[there], np.bincount(places[there], minlength=len(counts)))

    @classmethod
    def until(cls, values: Sequence[float], ends: Sequence[int]) -> Repeats:
        """Take the scores of all cases, none missing, and where those of each end."""
        last: NDArray[np.int64] = np.asarray(ends, dtype=np.int64)
        first = np.roll(last, 1)
        first[:1] = 0
        return cls(np.asarray(values, dtype=np.float64), last - first)

    def __len__(self) -> int:
        """Count the cases."""
        return len(self.counts)

    @property
    def single(self) -> bool:
        """Whether every case has exactly one score."""
        return len(self.values) == len(self.counts) and bool((self.counts == 1).all())

    @property
    def ends(self) -> Sequence[int]:
        """Where the scores of each case end."""
        if self.single:
            return range(1, len(self.counts) + 1)
        ends: list[int] = np.cumsum(self.counts).tolist()
        return ends

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where the scores of each case begin."""
        return np.cumsum(self.counts) - self.counts

    def lists(self) -> list[list[float]]:
        """Give the scores of each case as a list."""
        values, counts = self.values.tolist(), self.counts.tolist()
        return [values[end - n : end] for end, n in zip(self.ends, counts, strict=True)]

    def averages(self) -> NDArray[np.float64]:
        """Average the scores of each case, of which every one has some; sums are exact."""
        if self.single:
            return self.values
        return np.array([math.fsum(own) / len(own) for own in self.lists()], dtype=np.float64)

    def means(self) -> list[float]:
        """Give the same as a list."""
        means: list[float] = self.averages().tolist()
        return means

    def take(self, which: NDArray[np.bool_] | Sequence[bool]) -> Repeats:
        """Keep some of the cases."""
        kept = np.asarray(which, dtype=np.bool_)
        if kept.all():
            return self
        return Repeats(self.values[np.repeat(kept, self.counts)], self.counts[kept])

    def extended(self, more: Sequence[Sequence[float]]) -> Repeats:
        """Add cases at the end."""
        other = Repeats.of(more)
        return Repeats(
            np.concatenate([self.values, other.values]),
            np.concatenate([self.counts, other.counts]),
        )

    def turned(self, sign: float, places: int | None, digits: int) -> Repeats:
        """Multiply by `sign`, then round to so many decimals, or else to so many digits."""
        signed = sign * self.values
        if places is None:
            return Repeats(significant(signed, digits), self.counts)
        return Repeats(rounded(signed, places), self.counts)


@dataclass(frozen=True, eq=False)
class Paired:
    """The cases of one target in one dimension, on both sides."""

    new: Repeats
    """New scores of the compared cases."""
    base: Repeats
    """Baseline scores of the same."""
    compared: list[int]
    """Their places among all cases."""
    lost: list[tuple[int, list[float]]]
    """Place and baseline scores of the cases without a new score."""
    known: int
    """Cases that the baseline scored and that are still there."""
    gone: int
    """Cases that the baseline scored and that are gone."""
    least: float
    """The smallest score on either side; 0 where there is none."""


def paired(new: Repeats, base: Repeats, *, gone: Sequence[bool], changed: Sequence[bool]) -> Paired:
    """Pair all cases of two sides, place by place.

    Cases that are gone or changed are not compared.
    """
    scored = base.counts > 0
    away = np.fromiter(gone, dtype=np.bool_, count=len(scored))
    open_ = scored & ~away & ~np.fromiter(changed, dtype=np.bool_, count=len(scored))
    both = open_ & (new.counts > 0)
    missing = open_ & ~both
    smallest = [float(side.values.min()) for side in (new, base) if len(side.values)]
    return Paired(
        new=new.take(both),
        base=base.take(both),
        compared=np.flatnonzero(both).tolist(),
        lost=list(zip(np.flatnonzero(missing).tolist(), base.take(missing).lists(), strict=True)),
        known=int(np.count_nonzero(scored & ~away)),
        gone=int(np.count_nonzero(scored & away)),
        least=min(smallest, default=0.0),
    )


def rounded(values: Iterable[float] | NDArray[np.float64], places: int) -> NDArray[np.float64]:
    """Round to so many decimals, each number as Python's `round` does; minus zero becomes zero."""
    array = np.asarray(values, dtype=np.float64)
    scale = 10.0**places
    steps = array * scale
    whole = np.rint(steps)
    # A quotient of two exact numbers is the double nearest to the decimal.
    found: NDArray[np.float64] = whole / scale
    unsure = (np.abs(np.abs(steps - whole) - 0.5) < _NEAR_A_HALF) | (np.abs(steps) > _LARGEST_STEP)
    for place in np.flatnonzero(unsure).tolist():
        found[place] = round(float(array[place]), places)
    return found + 0.0


def significant(values: NDArray[np.float64], digits: int) -> NDArray[np.float64]:
    """Round to so many significant digits; minus zero becomes zero."""
    different, places = np.unique(values, return_inverse=True)
    known = [float(f"{value:.{digits}g}") for value in different.tolist()]
    return np.array(known, dtype=np.float64)[places] + 0.0
