"""Whether a judge sees a drop: good answers, damaged on purpose, and what it said of both."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gate.types.run import Identity
from gate.types.word import SCHEMA, Word

Damage = Literal[
    "fact_flipped",  # a figure is another one
    "sentence_removed",  # the sentence that tells most of what was asked is gone
    "claim_added",  # a fact that no page states stands there, with a citation
    "citation_stripped",  # one sentence cites nothing any more
    "sources_stripped",  # no source is named, and nothing is cited
    "padding_added",  # sentences that say nothing stand between the others
]
"""A small, known damage to a good answer."""


class DamagedPair(Word):
    """One good answer and one damage to it, rated by the judge in the same run."""

    case_id: str
    """The case."""
    target: str
    """System under test that gave the answer."""
    answer: str
    """Digest of the good answer."""
    damage: Damage
    """What was done to it."""
    before: float
    """The judge's score of the good answer, in [0, 1]."""
    after: float
    """Its score of the damaged one."""

    @property
    def seen(self) -> bool:
        """Whether the damaged answer was rated lower."""
        return self.after < self.before


class SensitivitySet(Word):
    """What one dimension's judge saw: a part of `evals/sensitivity.json`."""

    dimension: str
    """The metric."""
    identity: Identity
    """Judge, prompt and scorer that gave the scores."""
    pairs: tuple[DamagedPair, ...] = ()
    """Damages that this dimension should see, sorted by damage and case."""


class Sensitivity(Word):
    """`evals/sensitivity.json`: damages to good answers, and whether the judge saw them."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    created: str | None = None
    """UTC time, ISO 8601."""
    sets: tuple[SensitivitySet, ...] = ()
    """One for each dimension."""
