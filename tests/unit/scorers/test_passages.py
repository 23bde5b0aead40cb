"""Passages: what is sent of a long page."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scorers.passages import BUDGET, GAP, nearest

WORDS = ["ferry", "hut", "ridge", "storm", "harbour", "summit", "club", "ticket", "beds"]


def filler(seed: int, paragraphs: int = 120) -> list[str]:
    """Paragraphs of other words than the facts below."""
    draw = random.Random(seed)
    words = ["lorem", "ipsum", "dolor", "amet", "elit", "sed", "tempor", "magna"]
    return [
        " ".join(draw.choices(words, k=draw.randint(20, 60))).capitalize() + "."
        for _ in range(paragraphs)
    ]


def test_nearest__short_page_is_sent_whole() -> None:
    """Nothing is saved by cutting what fits."""
    text = "One.\n\nTwo. " * 10

    assert text == nearest(text, ["nothing of it"])


@pytest.mark.parametrize("place", [0, 60, 119])
def test_nearest__finds_the_fact_wherever_it_stands(place: int) -> None:
    """Beginning, middle or end."""
    fact = "The Tarn Hut has 24 beds and was built in 1931."
    page = filler(1)
    page.insert(place, fact)

    found = nearest("\n".join(page), ["The hut was built in 1931."])

    assert fact in found
    assert len(found) <= BUDGET


def test_nearest__every_sentence_gets_its_turn() -> None:
    """A sentence with many near passages does not crowd out the others."""
    page = filler(2)
    crowd = [
        f"The ferry sails at {n} o'clock, the ferry, the ferry, always." * 9 for n in range(30)
    ]
    fact = "The walkers' club bought it."
    page[50:50] = [*crowd, fact]

    found = nearest("\n".join(page), ["The ferry sails at noon.", "The club bought it."])

    assert fact in found


def test_nearest__keeps_the_pages_order_and_marks_gaps() -> None:
    """The later fact is named first and stands last."""
    page = filler(3)
    page[10:10] = ["A ticket costs 12 crowns."]
    page[90:90] = ["The hut has 24 beds."]

    found = nearest("\n".join(page), ["The hut has 24 beds.", "A ticket costs 12 crowns."])

    assert found.index("12 crowns") < found.index("24 beds")
    assert GAP in found


def test_nearest__neighbours_come_along() -> None:
    """A pronoun's paragraph brings the one that it speaks of."""
    page = filler(4)
    page[40:40] = ["Kveldsnut is a mountain of the west.", "It is 1,204 m high."]

    found = nearest("\n".join(page), ["1,204 m high"])

    assert "Kveldsnut is a mountain of the west.\nIt is 1,204 m high." in found


def test_nearest__nothing_near_is_the_beginning() -> None:
    """Then the judge sees what a reader would see first."""
    text = "\n".join(filler(5))

    assert text[:BUDGET] == nearest(text, ["ferry"])


def test_nearest__one_paragraph_without_an_end_is_cut() -> None:
    """A page of a single line gives passages too."""
    text = "word " * 2000 + "The hut has 24 beds " + "word " * 2000

    found = nearest(text, ["24 beds"])

    assert "24 beds" in found
    assert len(found) <= BUDGET


@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=60), max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=5),
    st.integers(50, 900),
)
def test_nearest__never_more_than_the_budget_and_nothing_of_its_own(
    paragraphs: list[list[str]], sentences: list[str], budget: int
) -> None:
    """Every passage is a part of the page, in its order; the same input gives the same passages."""
    text = "\n".join(" ".join(words) for words in paragraphs)

    found = nearest(text, sentences, budget)

    assert len(found) <= max(budget, 0)
    at = 0
    for passage in found.split(GAP):
        at = text.index(passage, at) + len(passage)
    assert found == nearest(text, sentences, budget)
