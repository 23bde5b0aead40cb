"""The second track: cases that were right in every baseline answer and are now wrong in every one.

It runs where both sides have three repeats or more, and takes three tenths of the rate of false
alarms from the test of the mean. docs/verdict.md shows by which figures it was chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gate.decision.rounding import result
from gate.decision.rows import FRACTION
from gate.decision.words import counted
from gate.stats.correction import benjamini_hochberg
from gate.stats.hard_failures import MIDDLE, Turned, turned_in_columns
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
    tested = {
        place: found
        for place, row in rows.items()
        if row.p is not None
        and units.get(row.dimension, FRACTION) == FRACTION
        and (found := _turned(row, policy)) is not None
    }
    adjusted = benjamini_hochberg([found.p for found in tested.values()])
    return {
        place: HardFailures(
            p, tuple(rows[place].differences.case_ids[case] for case in found.broken)
        )
        for (place, found), p in zip(tested.items(), adjusted, strict=True)
    }


def mean_rate(policy: Policy, *, second_track: bool) -> float:
    """Give the rate of false alarms that the tests of the mean share."""
    return result((1.0 - SHARE) * policy.q) if second_track else policy.q


def _turned(row: Row, policy: Policy) -> Turned | None:
    """Test one row; None where too few cases have the repeats: one lost answer ends no track."""
    cases = row.differences
    # Where lower is better the scores are signed, and so is the middle.
    signed = min(*cases.new, *cases.base, 0.0) < 0.0
    ready, found = turned_in_columns(
        (cases.new, cases.new_ends),
        (cases.base, cases.base_ends),
        fewest=FEWEST_REPEATS,
        middle=-MIDDLE if signed else MIDDLE,
    )
    return found if ready and result(ready / row.n) >= policy.coverage else None
