"""What lies before a person: an answer, what is known of it, and what is to be rated of it."""

from __future__ import annotations

from gate.types import ItemKind, Page, Source, Word

Rated = tuple[ItemKind | None, str]
"""What one rating is of: a dimension of the answer (None and its name), or an item by digest."""


class Slot(Word):
    """One thing to rate of an answer."""

    name: str
    """The dimension, or the digest of the item."""
    kind: ItemKind | None = None
    """What the item is; None for a dimension of the whole answer."""
    text: str = ""
    """What a person reads of the item; empty for dimensions."""

    @property
    def rated(self) -> Rated:
        """What a rating of it is of."""
        return self.kind, self.name


class Sheet(Word):
    """An answer to rate. It holds no word of the judge, so that none can be shown."""

    case_id: str
    """The case."""
    category: str
    """Its category."""
    target: str
    """System under test; it goes into the file and is not shown."""
    answer: str
    """Digest of the answer, to which the label is bound."""
    question: str
    """What was asked."""
    text: str
    """What was answered."""
    sources: tuple[Source, ...] = ()
    """Pages that the answer names."""
    expected: tuple[tuple[str, str], ...] = ()
    """What a good answer must say: headings with their text."""
    remark: str | None = None
    """Why the expectations may not be those of the run; None where they are."""
    slots: tuple[Slot, ...]
    """What is to be rated, in order; at least one."""
    pages: tuple[Page | None, ...] = ()
    """Texts of the sources, in their order, where items are rated; None where one was not kept."""

    @property
    def key(self) -> tuple[str, str]:
        """Case and digest of the answer."""
        return self.case_id, self.answer
