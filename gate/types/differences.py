"""The compared cases of one target in one dimension: kept as columns, given out as records."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import overload

from gate.types.word import Word


class Difference(Word):
    """One case of one target in one dimension."""

    case_id: str
    """The case."""
    category: str
    """Its category."""
    baseline: float
    """Mean of the baseline's repeats, signed so that higher is better."""
    current: float
    """Mean of the new repeats, signed so that higher is better."""
    new: tuple[float, ...]
    """New scores, signed so that higher is better."""
    base: tuple[float, ...]
    """Baseline scores, signed so that higher is better."""

    @property
    def delta(self) -> float:
        """Current minus baseline: below 0 is worse."""
        return self.current - self.baseline


@dataclass(frozen=True, slots=True, eq=False)
class Differences(Sequence[Difference]):
    """Many `Difference`s in columns; each is made when it is asked for."""

    case_ids: Sequence[str] = ()
    """The cases, as many as in the next three columns."""
    categories: Sequence[str] = ()
    """Their categories."""
    baselines: Sequence[float] = ()
    """Mean of the baseline's repeats of each, signed so that higher is better."""
    currents: Sequence[float] = ()
    """Mean of the new repeats of each, signed so that higher is better."""
    new: Sequence[float] = ()
    """New scores of all cases end to end, signed so that higher is better."""
    new_ends: Sequence[int] = ()
    """Where the scores of each case end in `new`."""
    base: Sequence[float] = ()
    """Baseline scores of all cases end to end, signed so that higher is better."""
    base_ends: Sequence[int] = ()
    """Where the scores of each case end in `base`."""

    @classmethod
    def of(cls, cases: Iterable[Difference]) -> Differences:
        """Put records into columns."""
        listed = tuple(cases)
        return cls(
            case_ids=tuple(one.case_id for one in listed),
            categories=tuple(one.category for one in listed),
            baselines=array("d", (one.baseline for one in listed)),
            currents=array("d", (one.current for one in listed)),
            new=array("d", (score for one in listed for score in one.new)),
            new_ends=array("q", accumulate(len(one.new) for one in listed)),
            base=array("d", (score for one in listed for score in one.base)),
            base_ends=array("q", accumulate(len(one.base) for one in listed)),
        )

    @property
    def fewest_repeats(self) -> int | None:
        """Smallest number of baseline scores of a case; None where there is no case."""
        return min((end - start for start, end in pairwise((0, *self.base_ends))), default=None)

    def ends(self) -> Iterator[tuple[str, float, float]]:
        """Give case, baseline mean and current mean of each, without making records."""
        return zip(self.case_ids, self.baselines, self.currents, strict=True)

    def __len__(self) -> int:
        """Count the cases."""
        return len(self.case_ids)

    @overload
    def __getitem__(self, index: int) -> Difference: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Difference, ...]: ...
    def __getitem__(self, index: int | slice) -> Difference | tuple[Difference, ...]:
        """Make one record, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(len(self))))
        place = range(len(self))[index]
        return Difference(
            case_id=self.case_ids[place],
            category=self.categories[place],
            baseline=self.baselines[place],
            current=self.currents[place],
            new=tuple(_part(self.new, self.new_ends, place)),
            base=tuple(_part(self.base, self.base_ends, place)),
        )

    def __eq__(self, other: object) -> bool:
        """Compare with another sequence of records, case by case."""
        if not isinstance(other, Differences | tuple | list):
            return NotImplemented
        return tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as for a list: its columns are no keys


def _part(values: Sequence[float], ends: Sequence[int], place: int) -> Sequence[float]:
    return values[ends[place - 1] if place else 0 : ends[place]]
