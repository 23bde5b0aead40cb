"""Byte offsets of parts become characters of the joined text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.models.spans import Part, Span, locate


def parts(*texts: str) -> list[Part]:
    """Parts that are all shown."""
    made: list[Part] = []
    for text in texts:
        made.append(Part(text, sum(len(one.text) for one in made), shown=True))
    return made


def test_locate__counts_bytes_not_characters() -> None:
    """`Café ☕` is 9 bytes and 6 characters."""
    span = locate(parts("Café ☕ yes"), part_index=0, start=6, end=9, text="☕")

    assert Span(5, 6, "☕", as_stated=True) == span


def test_locate__offsets_are_of_their_part() -> None:
    """The second part's offsets begin anew."""
    span = locate(parts("Zürich. ", "Öl."), part_index=1, start=0, end=3, text="Öl")

    assert Span(8, 10, "Öl", as_stated=True) == span


@pytest.mark.parametrize(
    ("start", "end"),
    [(1, 3), (0, 99), (3, 3), (5, 2)],
    ids=["another stretch", "outside", "empty", "backwards"],
)
def test_locate__wrong_offsets_search_the_text(start: int, end: int) -> None:
    """The segment's own copy is found, and the mismatch is remembered."""
    span = locate(parts("abcdef"), part_index=0, start=start, end=end, text="de")

    assert Span(3, 5, "de", as_stated=False) == span


def test_locate__cut_character_is_a_mismatch() -> None:
    """An offset inside `é` cannot be decoded."""
    span = locate(parts("é rest"), part_index=0, start=1, end=7, text="rest")

    assert Span(2, 6, "rest", as_stated=False) == span


def test_locate__takes_the_nearest_of_several() -> None:
    """`ab` stands at 0, 5 and 10; it was said to be at 6."""
    span = locate(parts("ab...ab...ab"), part_index=0, start=6, end=8, text="ab")

    assert Span(5, 7, "ab", as_stated=False) == span


def test_locate__thought_part_is_searched_elsewhere() -> None:
    """Offsets into a thought cannot be shown, its copy in the answer can."""
    thought = Part("thinking", 0, shown=False)
    answer = Part("the end", 0, shown=True)

    span = locate([thought, answer], part_index=0, start=0, end=3, text="end")

    assert Span(4, 7, "end", as_stated=False) == span


def test_locate__part_that_does_not_exist() -> None:
    """The copy is searched for all the same."""
    span = locate(parts("abc"), part_index=7, start=0, end=1, text="c")

    assert Span(2, 3, "c", as_stated=False) == span


def test_locate__without_a_copy_offsets_are_trusted() -> None:
    """The wire may leave out the segment's text."""
    span = locate(parts("abcdef"), part_index=0, start=2, end=4, text="")

    assert Span(2, 4, "cd", as_stated=True) == span


@pytest.mark.parametrize(("end", "text"), [(99, ""), (None, ""), (2, "zz"), (None, "zz")])
def test_locate__nothing_to_go_by(end: int | None, text: str) -> None:
    """What cannot be found is dropped."""
    assert locate(parts("abc"), part_index=0, start=0, end=end, text=text) is None


@given(st.lists(st.text(max_size=20), min_size=1, max_size=4), st.data())
def test_locate__every_stretch_is_found_where_it_is(texts: list[str], data: st.DataObject) -> None:
    """For any texts and any stretch of any part, bytes lead back to the same characters."""
    made = parts(*texts)
    index = data.draw(st.integers(0, len(texts) - 1))
    text = texts[index]
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    stretch = text[first:last]
    if not stretch:
        return

    span = locate(
        made,
        part_index=index,
        start=len(text[:first].encode()),
        end=len(text[:last].encode()),
        text=stretch,
    )

    assert (
        Span(made[index].start + first, made[index].start + last, stretch, as_stated=True) == span
    )
    assert "".join(texts)[span.start : span.end] == stretch
