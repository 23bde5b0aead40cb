"""Control answers: a few that are judged again in each run, to see whether the judge drifts."""

from __future__ import annotations

from pydantic import Field

from gate.types.answer import Answer
from gate.types.control_check import Share
from gate.types.run import Identity
from gate.types.trial import Page
from gate.types.word import SCHEMA, Word

CONTROL = "control answer"
"""Stands in the place of the system under test where a control answer is judged again."""


class Control(Word):
    """One answer, all that the judge read of it, and what the judge said: a line of the file."""

    case_id: str
    """The case; no other control answers it."""
    category: str = "uncategorised"
    """Its category."""
    case_digest: str
    """SHA-256 of the case: one whose text changed is not judged again."""
    target: str
    """System under test that gave the answer."""
    scores: dict[str, tuple[Share, ...]] = {}
    """Dimension -> one score for each ruling of the judge, in [0, 1]."""
    answer: Answer
    """The answer, with its sources and citations."""
    pages: tuple[Page, ...] = ()
    """The pages as the judge read them, one for each source and in their order: so an edited page
    is not taken for drift. None where no scorer reads pages."""


class Controls(Word):
    """`evals/controls.json`: answers whose scores should stay what they are."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    created: str | None = None
    """UTC time, ISO 8601."""
    date: str
    """Day that the judge was told (ISO 8601); it is told the same one each time."""
    world: str | None = None
    """Variant of the loopback world; None for real vendors."""
    identities: dict[str, Identity] = {}
    """Dimension -> judge as named in the reply, prompt and scorer that gave the scores."""
    drifted: dict[str, str] = {}
    """Dimension -> when the run was judged in which the judge was last seen to drift (UTC, ISO
    8601)."""
    answers: tuple[Control, ...] = ()
    """The control answers, sorted by case id."""
