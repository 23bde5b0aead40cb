"""Citations stay on the words that they stood on."""

from __future__ import annotations

from gate.sensitivity.editing import Edit, edited
from gate.types import Answer, Citation, Usage


def cited(text: str, *words: str) -> Answer:
    """An answer of which these words are cited."""
    return Answer(
        text=text,
        citations=tuple(
            Citation(
                start=text.index(word), end=text.index(word) + len(word), text=word, sources=(0,)
            )
            for word in words
        ),
        usage=Usage(output_tokens=3),
        cost_usd=0.1,
        latency_s=1.0,
    )


def marked(answer: Answer) -> list[str]:
    """The cited words, read from the text."""
    assert all(one.text == answer.text[one.start : one.end] for one in answer.citations)
    return [one.text for one in answer.citations]


def test_edited__text_put_in_before_and_behind() -> None:
    """What stands at a border of a citation is no part of it."""
    answer = cited("One. Two. Three.", "Two.", "Three.")
    made = edited(answer, [Edit(4, 4, " Filler."), Edit(9, 9, " More."), Edit(16, 16, " End.")])

    assert "One. Filler. Two. More. Three. End." == made.text
    assert ["Two.", "Three."] == marked(made)


def test_edited__a_word_inside_of_a_citation() -> None:
    """The citation grows and shrinks with it."""
    answer = cited("It is 1,204 m high. It is old.", "It is 1,204 m high.", "It is old.")
    made = edited(answer, [Edit(6, 11, "99")])

    assert ["It is 99 m high.", "It is old."] == marked(made)


def test_edited__a_stretch_that_is_gone() -> None:
    """Its citation is gone too, and one that reaches into it keeps the rest."""
    answer = cited("One. Two. Three.", "One.", "One. Two.", "Three.")
    made = edited(answer, [Edit(0, 5, "")])

    assert "Two. Three." == made.text
    assert ["Two.", "Three."] == marked(made)


def test_edited__a_citation_that_ends_inside() -> None:
    """It ends where the change ends."""
    answer = cited("One two three.", "One two")
    made = edited(answer, [Edit(4, 13, "more")])

    assert ["One more"] == marked(made)


def test_edited__nobody_was_asked_for_it() -> None:
    """No cost, no tokens, no time."""
    made = edited(cited("One. Two.", "One."), [])

    assert (None, None, None) == (made.usage, made.cost_usd, made.latency_s)
