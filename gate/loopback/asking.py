"""One call of the answering model, as the variants see it."""

from __future__ import annotations

from dataclasses import dataclass

from gate.loopback.search import Index


@dataclass(frozen=True, slots=True)
class Asking:
    """What a variant may depend on."""

    question: str
    """The text of the question."""
    index: Index
    """The region of the mini-web that the question goes to."""
    seed: str
    """Seed of the noise."""
    nth: int
    """How many calls with this question were answered before."""
