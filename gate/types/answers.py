"""Answers without scores: what `gate collect` hands to `gate judge`."""

from __future__ import annotations

from pydantic import Field

from gate.types.answer import Answer, Failure
from gate.types.run import Cost, Plan, Provenance, TargetInfo
from gate.types.word import SCHEMA, Word

MOST_REPEATS = 100
"""Answers to one case that a file may hold: a plan of more would be no plan but an attack."""


class GivenAnswer(Word):
    """One answer, with the case that it answers."""

    case_id: str
    """The case."""
    case_digest: str | None = None
    """SHA-256 of the case when it was asked; None in files of other tools."""
    target: str = "answers"
    """Name of the system under test."""
    attempt: int = Field(default=0, ge=0, lt=MOST_REPEATS)
    """Repeat number from 0."""
    answer: Answer
    """The answer or its failure."""


class Answers(Word):
    """Everything that judging needs of a collection: `answers.json`."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    id: str | None = None
    """Run id; None in files of other tools."""
    provenance: Provenance = Provenance()
    """Where it comes from."""
    plan: Plan | None = None
    """Which cases were asked; None in files of other tools."""
    targets: tuple[TargetInfo, ...] = ()
    """Systems under test; may be left out where their names are all that is known."""
    cost: Cost = Cost()
    """What the answers cost."""
    warnings: tuple[str, ...] = ()
    """What a reader must know."""
    stopped: str | None = None
    """Why collecting ended early, if it did."""
    interrupted: str | None = None
    """The signal that ended it, if one did."""
    broken: Failure | None = None
    """The one cause, when every answer failed for the same reason."""
    answers: tuple[GivenAnswer, ...] = ()
    """The answers, sorted by target, case and attempt."""
