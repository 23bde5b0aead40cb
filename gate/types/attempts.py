"""What earlier attempts on the same head commit measured: re-running until green is vain."""

from __future__ import annotations

from pydantic import Field

from gate.types.verdict import Status
from gate.types.word import Word

Scores = dict[str, dict[str, dict[str, tuple[float | None, ...]]]]
"""Target -> dimension -> case id -> one value for each repeat, None where there is none."""


class PastAttempt(Word):
    """One run of the gate on a head commit."""

    run_id: int = Field(ge=0)
    """The workflow run's id."""
    run_attempt: int = Field(ge=1)
    """Its attempt: a re-run keeps the id and counts this up."""
    status: Status
    """What it said."""
    identity: str = Field(default="", max_length=128)
    """A digest of what must be equal for its scores to be pooled (base commit, judge, cases)."""
    unconfirmed: bool = False
    """Whether it was a regression that could not be confirmed: a later one may be."""
    scores: Scores | None = None
    """What it measured; None when it did not fit."""


class AttemptState(Word):
    """The attempts on one head commit, oldest first. A comment keeps it, hidden."""

    head_sha: str = Field(max_length=64)
    """The commit."""
    attempts: tuple[PastAttempt, ...] = ()
    """What was run on it."""
    label_event: int | None = Field(default=None, ge=0)
    """Number of a label event: every later one came while the commit was the head; None where it
    is not known."""
    unread: str | None = Field(default=None, max_length=1000)
    """Why not all attempts could be read, in a sentence or two; None where they were. No comment
    keeps it: the next run asks again."""

    @property
    def without_scores(self) -> int:
        """How many attempts' scores did not fit."""
        return sum(one.scores is None for one in self.attempts)
