"""The second track: cases that were right in every baseline answer and are now wrong in every one.

It runs where both sides have three repeats or more, and takes three tenths of the rate of false
alarms from the test of the mean. docs/verdict.md shows by which figures it was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gate.decision.rounding import result
from gate.decision.rows import FRACTION
from gate.decision.words import counted
from gate.stats.columns import Repeats
from gate.stats.correction import benjamini_hochberg
from gate.stats.hard_failures import MIDDLE, turned_cases
from gate.types import Policy, Row

__all__ = ["FEWEST_REPEATS", "SHARE", "HardFailures", "hard_failures"]

FEWEST_REPEATS = 3
"""Repeats on both sides from which a case can be said to be always right, or always wrong."""

SHARE = 0.3
"""Share of `q` that goes to this track; the rest stays with the test of the mean."""


@dataclass(frozen=True)
class HardFailures:
    """What the track says of one row."""

    p: float
    """Benjamini-Hochberg-adjusted p within the row's family."""
    cases: tuple[str, ...]
    """The cases that turned."""

    def found(self, policy: Policy) -> bool:
        """Whether more cases turned than chance would turn."""
        return self.p <= SHARE * policy.q

    @property
    def words(self) -> str:
        """What a row says that regresses by them."""
        are = "was" if len(self.cases) == 1 else "were"
        now = "is" if len(self.cases) == 1 else "are"
        return (
            f"{counted(len(self.cases), 'case')} that {are} right in every baseline answer {now} "
            "now wrong in every one"
        )


def hard_failures(
    rows: Mapping[int, Row], units: Mapping[str, str], policy: Policy
) -> Mapping[int, HardFailures]:
    """Test the rows of one family, by their places; rows without the repeats have no entry."""
    places = [
        place
        for place, row in rows.items()
        if row.p is not None
        and units.get(row.dimension, FRACTION) == FRACTION
        and _repeated(row, policy)
    ]
    found = [_turned(rows[place]) for place in places]
    adjusted = benjamini_hochberg([p for p, _ in found])
    return {
        place: HardFailures(p, cases)
        for place, p, (_, cases) in zip(places, adjusted, found, strict=True)
    }


def mean_rate(policy: Policy, *, second_track: bool) -> float:
    """Give the rate of false alarms that the tests of the mean share."""
    return result((1.0 - SHARE) * policy.q) if second_track else policy.q


def _repeated(row: Row, policy: Policy) -> bool:
    """Tell whether nearly every case has the repeats: one lost answer does not end the track."""
    enough = int(np.count_nonzero(_ready(*_sides(row))))
    return enough > 0 and result(enough / row.n) >= policy.coverage


def _sides(row: Row) -> tuple[Repeats, Repeats]:
    found = row.differences
    new, base = (
        Repeats(np.array(values, dtype=np.float64), np.diff(np.array(ends), prepend=0))
        for values, ends in ((found.new, found.new_ends), (found.base, found.base_ends))
    )
    return new, base


def _ready(new: Repeats, base: Repeats) -> NDArray[np.bool_]:
    ready: NDArray[np.bool_] = np.minimum(new.counts, base.counts) >= FEWEST_REPEATS
    return ready


def _turned(row: Row) -> tuple[float, tuple[str, ...]]:
    """Test one row on its cases that have the repeats."""
    new, base = _sides(row)
    ready = _ready(new, base)
    # Where lower is better the scores are signed, and so is the middle.
    signed = min(new.values.min(), base.values.min()) < 0.0
    found = turned_cases(new.take(ready), base.take(ready), middle=-MIDDLE if signed else MIDDLE)
    places = np.flatnonzero(ready)[list(found.broken)].tolist()
    return found.p, tuple(row.differences.case_ids[place] for place in places)
