"""The answers that a baseline was made of, so that another judge can rate the very same ones."""

from __future__ import annotations

from pydantic import Field

from gate.types.answers import GivenAnswer
from gate.types.run import Provenance, TargetInfo
from gate.types.word import SCHEMA, Word


class BaselineAnswers(Word):
    """The first line of `evals/baseline-answers.jsonl`."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    runs: tuple[str, ...] = ()
    """Ids of the runs that the baseline was made of, in its order."""
    provenance: Provenance = Provenance()
    """Where the baseline comes from: judging its answers anew makes them no younger."""
    targets: tuple[TargetInfo, ...] = ()
    """Systems under test."""
    count: int | None = None
    """Answers that follow, so that lost lines are noticed; None in files that do not say."""


class StoredAnswer(GivenAnswer):
    """Each further line: one answer, under the attempt that it has in the baseline."""

    digest: str | None = None
    """SHA-256 of the answer, as the baseline names it; None for one that failed."""
