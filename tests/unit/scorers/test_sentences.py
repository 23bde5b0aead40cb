"""Sentences of an answer, and what each of them cites."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.scorers.sentences import cited_sources, split_sentences
from gate.types import Citation


def lines(text: str) -> list[str]:
    """The sentences, each on one line."""
    return [one.line for one in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Falk met Mr. Berg. They spoke.", ["Dr. Falk met Mr. Berg.", "They spoke."]),
        ("It is 3.14 m, v1.2.3, or 1,204.5 m high.", ["It is 3.14 m, v1.2.3, or 1,204.5 m high."]),
        ("Take food, e.g. Bread. Go.", ["Take food, e.g. Bread.", "Go."]),
        (
            "See No. 5 and fig. 2. No. That is all.",
            ["See No. 5 and fig. 2.", "No.", "That is all."],
        ),
        (
            "The U.S. Navy left at 5 p.m. The rest stayed.",
            ["The U.S. Navy left at 5 p.m.", "The rest stayed."],
        ),
        ("J. R. Tolkien wrote it. Read it.", ["J. R. Tolkien wrote it.", "Read it."]),
        ("It began in 1931. The end came later.", ["It began in 1931.", "The end came later."]),
        ("Well... it works. Wait... Stop.", ["Well... it works.", "Wait...", "Stop."]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("**Bold end.** Next one.", ["**Bold end.**", "Next one."]),
        ("See tarn-lang.org. Now.", ["See tarn-lang.org.", "Now."]),
        ("これは文です。次の文です。", ["これは文です。", "次の文です。"]),
        ("", []),
        (" \n\t", []),
        ("...", []),
    ],
)
def test_split__prose(text: str, expected: list[str]) -> None:
    """Abbreviations, initials, decimals and versions do not end a sentence."""
    assert expected == lines(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Open it\n2. Close it", ["Open it", "Close it"]),
        ("10) Open it. Look.\n11) Close it", ["Open it.", "Look.", "Close it"]),
        ("- one thing\n* another\n• third", ["one thing", "another", "third"]),
        ("a. first\nb. second", ["first", "second"]),
        ("- a long item\n  that goes on", ["a long item that goes on"]),
        ("soft\nwrapped line.\nNew one", ["soft wrapped line.", "New one"]),
        ("# Heading\n**Steps:**\nDo it.", ["Do it."]),
        ("**Note:** take care.", ["**Note:** take care."]),
        ("> quoted words", ["quoted words"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |", "| 1 | 2 |"]),
        (
            "Run:\n```sh\ntarn init. Now.\ntarn run\n```\nDone.",
            ["Run:", "tarn init. Now. tarn run", "Done."],
        ),
        ("Run:\n```\nnever closed", ["Run:", "never closed"]),
        ("**1,204 metres**", ["**1,204 metres**"]),
        ("# Only a heading", ["Only a heading"]),
    ],
)
def test_split__markdown(text: str, expected: list[str]) -> None:
    """Items, rows and blocks of code are sentences; headings count only when alone."""
    assert expected == lines(text)


@given(st.text(alphabet='ab AB.!?1\n-*#|`"。é', max_size=120))
@example("# a\n1. b.\n```\nc")
def test_split__spans_are_ordered_and_true(text: str) -> None:
    """They do not overlap, none is blank, and each is a slice of the text."""
    found = split_sentences(text)

    assert all(text[one.start : one.end] == one.text for one in found)
    assert all(one.text.strip() == one.text != "" for one in found)
    ends = [0, *(one.end for one in found)]
    assert all(end <= one.start for end, one in zip(ends, found, strict=False))


@given(st.text(alphabet='ab AB.!?"é\n', max_size=120))
def test_split__loses_no_letter(text: str) -> None:
    """In prose every letter stands in exactly one sentence."""
    covered = [n for one in split_sentences(text) for n in range(one.start, one.end)]

    letters = {n for n, character in enumerate(text) if character.isalnum()}
    marks = {n for n in letters if text[n + 1 : n + 2] == "."}  # may be the mark of an item
    assert letters - marks <= set(covered)
    assert len(covered) == len(set(covered))


def cite(start: int, end: int, *sources: int) -> Citation:
    """A citation of a span."""
    return Citation(start=start, end=end, text="", sources=sources)


def test_cited__by_overlap_each_source_once() -> None:
    """A citation over two sentences belongs to both; sources come sorted."""
    text = "One is. Two is. Three is."
    sentences = split_sentences(text)

    found = cited_sources(sentences, [cite(0, 7, 2, 0), cite(4, 12, 1), cite(0, 3, 0)])

    assert ((0, 1, 2), (1,), ()) == found


def test_cited__a_shared_blank_is_nothing() -> None:
    """Between sentences, before the first and after the last nothing is cited."""
    sentences = split_sentences("One is.  Two is.")

    assert ((), ()) == cited_sources(sentences, [cite(7, 9, 0), cite(16, 40, 0), cite(3, 4, 0)])
