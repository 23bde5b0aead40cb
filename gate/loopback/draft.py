"""What the stand-in is about to say, before it is put into the vendor's shape."""

from __future__ import annotations

from dataclasses import dataclass

from gate.loopback.pages import Page


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of an answer and the pages that it was taken from."""

    text: str
    """The words, without the space that follows."""
    pages: tuple[Page, ...] = ()
    """Empty for connecting words of the stand-in's own."""
    lead: str = ""
    """What stands before the words and belongs to no source, such as a step's number."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer in the making."""

    kind: str
    """facts, steps, senses or refusal."""
    parts: tuple[tuple[Statement, ...], ...]
    """Statements by part of the reply."""
    queries: tuple[str, ...]
    """What was typed into the search."""
    extra: tuple[Page, ...] = ()
    """Pages that are listed as sources though no statement is taken from them."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All statements in order."""
        return tuple(statement for part in self.parts for statement in part)

    @property
    def pages(self) -> tuple[Page, ...]:
        """The cited pages in order of first use, then the extra ones."""
        cited = [page for statement in self.statements for page in statement.pages]
        return tuple(dict.fromkeys([*cited, *self.extra]))
