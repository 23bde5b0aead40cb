"""What can be said of a dimension or of an item, with which key, and what it means."""

from __future__ import annotations

from gate.decision.categories import BUCKETS
from gate.labelling.sheet import Slot
from gate.scorers.rubric import rubric_of
from gate.types import ItemKind, Word


class Choice(Word):
    """One thing that can be said."""

    keys: str
    """The keys that say it, the one that is shown first."""
    word: str
    """The word in the file."""
    means: tuple[str, ...] = ()
    """When to say it."""


class Scale(Word):
    """What can be said of a slot."""

    asks: str
    """The question."""
    choices: tuple[Choice, ...]
    """The answers to it, in the order of their keys."""
    notes: tuple[str, ...] = ()
    """What else a rater must know."""

    def word(self, key: str) -> str | None:
        """Return the word that a key says; None for other keys."""
        return next((one.word for one in self.choices if key in one.keys), None)


def scale_of(slot: Slot) -> Scale:
    """Return what can be said of a dimension or an item."""
    return _OF_ITEMS[slot.kind] if slot.kind is not None else _of_dimension(slot.name)


def _of_dimension(name: str) -> Scale:
    rubric = rubric_of(name)
    keys = {word: f"{word[0]}{number}" for number, word in enumerate(BUCKETS, start=1)}
    if rubric is None:
        thirds = ("the lower third of the scale", "the middle third", "the upper third")
        return Scale(
            asks="how good is the answer in this respect?",
            choices=tuple(
                Choice(keys=keys[word], word=word, means=(means,))
                for word, means in zip(BUCKETS, thirds, strict=True)
            ),
            notes=(
                "The gate has no rubric of this dimension: use the one that its judge is given.",
            ),
        )
    return Scale(
        asks=rubric.asks,
        choices=tuple(
            Choice(keys=keys[word], word=word, means=rubric.levels[word]) for word in BUCKETS
        ),
        notes=rubric.notes,
    )


def _choices(**means: str) -> tuple[Choice, ...]:
    keys = {"supported": "y1", "partial": "p2", "unsupported": "n3", "unverifiable": "x4"}
    return tuple(Choice(keys=keys[word], word=word, means=(text,)) for word, text in means.items())


_PAGES_ALONE = "Rate on the page texts alone, not on what you know."

_OF_ITEMS: dict[ItemKind, Scale] = {
    "claims": Scale(
        asks="do the pages say it?",
        choices=_choices(
            supported="a page bears out the whole claim, in whatever words",
            partial="a page bears out a part, and none contradicts the rest",
            unsupported="no page bears it out, or one says otherwise",
            unverifiable="it rests on a page that could not be read",
        ),
        notes=(_PAGES_ALONE,),
    ),
    "sentences": Scale(
        asks="do the pages that the sentence cites, taken together, say all of it?",
        choices=_choices(
            supported="they bear out all that it says",
            unsupported="they leave something of it open, or say otherwise",
            unverifiable="it rests on a page that could not be read",
        ),
        notes=(_PAGES_ALONE, "A part is not enough here."),
    ),
    "citations": Scale(
        asks="does this page add anything to the sentence that cites it?",
        choices=_choices(
            supported="it bears the sentence out alone, or is needed for it",
            unsupported="it adds nothing",
            unverifiable="it could not be read",
        ),
        notes=(_PAGES_ALONE,),
    ),
    "statements": Scale(
        asks="does the answer say this fact of the pages too?",
        choices=_choices(
            supported="it does, in whatever words",
            unsupported="it does not",
            unverifiable="the pages do not state it at all",
        ),
        notes=(_PAGES_ALONE,),
    ),
}
