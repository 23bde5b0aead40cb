"""What is asked: the question that a target may see, and the case that only we see."""

from __future__ import annotations

from pydantic import Field, JsonValue

from gate.types.word import Word, digest

REQUIRED = "required"
"""The mark of a case that must be in every run, and that may not fall to always wrong."""
MUST_INCLUDE = "must-include"
"""Tag of a case that every sample holds."""


class Question(Word):
    """All that a system under test may see of a case. The expected answer is never in it."""

    id: str
    """The case's id, for logs and journals; targets do not send it."""
    input: JsonValue
    """What is asked: a text for search, any JSON value for an endpoint or a flow."""
    context: tuple[str, ...] = ()
    """Texts handed over together with the question, such as documents."""
    plan: str | None = None
    """What a simulated user wants to reach over several turns."""


class Case(Word):
    """A question with all that is needed to judge its answer."""

    question: Question
    """The part that a target sees."""
    category: str = "uncategorised"
    """The stratum for sampling and for the category table."""
    assertions: tuple[str, ...] = ()
    """Observable properties of a good answer, judged and not string-matched."""
    domains: tuple[str, ...] = ()
    """Domains that one expects among the sources; a nudge for source quality."""
    reference: JsonValue = None
    """The expected output, for deterministic scorers."""
    rubric: tuple[str, ...] = ()
    """Yes-or-no criteria of the whole conversation."""
    trajectory: tuple[str, ...] = ()
    """Tool names that one expects, in order."""
    notes: str = ""
    """Anything that the judge should know."""
    tags: tuple[str, ...] = ()
    """Free marks; `required` is the gate's own: the case must be in the run, and may not fall from
    always right to always wrong; `must-include` puts it into every sample, as `required` does."""
    cluster: str | None = Field(default=None, exclude=True)
    """What it shares with other cases, such as a source or a template; no part of the digest: it
    says how cases count together, not what one of them scores."""
    line: int | None = Field(default=None, exclude=True)
    """Line in the dataset file (1-based), for annotations; no part of the digest."""

    @property
    def id(self) -> str:
        """The case's id: a safe file name, unique after case folding and NFC."""
        return self.question.id

    @property
    def must_include(self) -> bool:
        """Whether every sample holds it; then it stands for no other case."""
        return MUST_INCLUDE in self.tags or REQUIRED in self.tags

    @property
    def digest(self) -> str:
        """SHA-256 over everything that decides the case's score; the mark `required` is no part."""
        tags = tuple(tag for tag in self.tags if tag != REQUIRED)
        return digest(self if tags == self.tags else self.model_copy(update={"tags": tags}))


class Job(Word):
    """One answer to get and to score."""

    case: Case
    """The case that is asked."""
    target: str
    """Name of the system under test in the configuration."""
    attempt: int
    """Repeat number from 0."""
