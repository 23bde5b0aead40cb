"""Everything that a run's status follows from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gate.decision.judged import Judged
from gate.types import Comparison, FallenCase, OperationFinding, Policy, Run


@dataclass(frozen=True)
class Facts:
    """Everything that the status follows from."""

    run: Run
    """The run."""
    comparison: Comparison
    """The numbers."""
    rows: Sequence[Judged]
    """The table."""
    operations: Sequence[OperationFinding]
    """How the targets worked."""
    behaved_worse: bool
    """Whether empty or ungrounded answers rose: what the system itself did, no broken machine."""
    policy: Policy
    """The rules."""
    narrowed: bool
    """Narrowed by hand."""
    missing_required: Sequence[str]
    """Required cases that the run does not have."""
    accepted_by: str | None
    """Who accepted a regression of this head."""
    unanswered: Sequence[str] = ()
    """Required cases that were asked and got no answer."""
    lost_required: Sequence[str] = ()
    """Required cases whose answer or score the machine lost."""
    fallen: Sequence[FallenCase] = ()
    """Cases that fell from always right to always wrong."""
    categories: Sequence[Judged] = ()
    """Single categories of rows that can fail the run."""
    lacking: Mapping[str, str] = field(default_factory=dict)
    """Required dimensions that cannot fail the run -> why."""
    standing: Sequence[str] = ()
    """Regressions of earlier attempts on this head whose scores are not in the run."""
    attempts: int = 1
    """Attempts on this head that are pooled in the run."""
    on_head: bool = False
    """Whether the run says which head it measured."""
    stored: str | None = None
    """File of the baseline's answers, where they are stored."""

    @property
    def gating(self) -> list[Judged]:
        """The rows that can fail the run, missing targets left out."""
        return [row for row in self.rows if row.standing.gating and not row.standing.row.missing]

    @property
    def fallen_categories(self) -> list[Judged]:
        """The categories that regressed in dimensions that did not as a whole."""
        fell = {(row.finding.target, row.finding.dimension) for row in self.that("regression")}
        return [
            row
            for row in self.categories
            if row.said.outcome == "regression"
            and (row.finding.target, row.finding.dimension) not in fell
        ]

    @property
    def other_instrument(self) -> list[Judged]:
        """The rows whose licence went stale with the judge that the baseline was scored by.

        They do not gate only since the instrument changed: that must not look like a run that
        never had a licence, or a change of the judge would switch them off without a word.
        """
        return [
            row
            for row in self.rows
            if row.standing.cause == "licence"
            and row.standing.agreement.state == "stale"
            and row.standing.row.incomparable
        ]

    def that(self, *outcomes: str) -> list[Judged]:
        """Give the rows that can fail the run and have one of these outcomes."""
        return [row for row in self.gating if row.said.outcome in outcomes]
