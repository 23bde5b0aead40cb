"""The form that the judge of claims fills in."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from gate.types import Support

__all__ = ["Claim", "ClaimList"]


class Claim(BaseModel):
    """One claim, as the judge labels it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: int = Field(description="Number of its sentence.")
    """Number of its sentence, from 1."""
    claim: str = Field(description="The claim, self-contained.")
    """The claim in words that need no context."""
    label: Support
    """What the pages say of it."""
    page: int = Field(description="k of the page-k that bears it out; 0 for none.")
    """Number of the page that bears it out; 0 for none."""
    quote: str = Field(description="Words of that page, copied; empty for none.")
    """Words of that page; empty for none."""


class ClaimList(BaseModel):
    """The form that the judge fills in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claims: tuple[Claim, ...]
    """The answer's claims, in their order."""
