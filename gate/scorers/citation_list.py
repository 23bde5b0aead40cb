"""The form that the judge of citations fills in: sentences that cite, and facts of the pages."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["CitationList", "CitationRow", "SentenceRow", "StatementRow"]


class CitationRow(BaseModel):
    """One page that a sentence cites."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    page: int = Field(description="k of page-k.")
    """Number of the page, from 1."""
    alone: bool = Field(description="This page by itself bears the sentence out.")
    """Whether this page by itself entails the sentence."""
    rest: bool = Field(description="The other cited pages bear it out without this one.")
    """Whether the others do without it."""


class SentenceRow(BaseModel):
    """One sentence that cites pages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: int = Field(description="Number of the sentence.")
    """Number of the sentence, from 1."""
    supported: bool = Field(description="Its cited pages together bear it out.")
    """Whether its cited pages together entail it."""
    citations: tuple[CitationRow, ...]
    """One for each of its pages."""


class StatementRow(BaseModel):
    """One fact that the pages state on the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: str = Field(description="The fact in one short sentence.")
    """The fact."""
    page: int = Field(description="k of a page-k that states it.")
    """Number of a page that states it."""
    stated: bool = Field(description="The answer says it as well.")
    """Whether the answer says it as well."""


class CitationList(BaseModel):
    """The form that the judge fills in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: tuple[SentenceRow, ...]
    """The sentences that cite pages."""
    statements: tuple[StatementRow, ...]
    """What the pages state, the most important first."""
