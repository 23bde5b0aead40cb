"""What metrics of citations count, one by one, under digests that people's labels name."""

from __future__ import annotations

from gate.scorers.citation_list import CitationList
from gate.scorers.pages import Reading
from gate.scorers.weighing import counted_items, weigh
from gate.types import Item, ItemKind
from tests.unit.scorers.page_samples import FERRY, HUT, reading

TWO = (("The hut has 24 beds.", (0, 1)), ("The ferry costs 12 crowns.", (1,)))
"""The first sentence cites both pages, the second the second one."""


def items(one: Reading, *, rest: bool = False) -> dict[ItemKind, tuple[Item, ...]]:
    """What is counted when the first sentence is borne out by page 1 and the second is not."""
    pages = [{"page": 1, "alone": True, "rest": rest}, {"page": 2, "alone": False, "rest": True}]
    verdict = {
        "sentences": [
            {"sentence": 1, "supported": True, "citations": pages},
            {"sentence": 2, "supported": False, "citations": pages[1:]},
        ],
        "statements": [
            {"statement": "The hut is of 1931.", "page": 1, "stated": False},
            {"statement": "The ferry costs 12 crowns.", "page": 2, "stated": True},
        ],
    }
    return dict(counted_items(one, weigh(one, CitationList.model_validate(verdict))))


def labels(found: tuple[Item, ...]) -> list[tuple[str, str]]:
    """Texts and labels."""
    return [(one.text, one.label) for one in found]


def test_counted_items__sentences_and_statements() -> None:
    """Sentences that cite, and facts of the pages, each with the judge's label."""
    found = items(reading(citations=TWO))

    assert [
        ("The hut has 24 beds.", "supported"),
        ("The ferry costs 12 crowns.", "unsupported"),
    ] == labels(found["sentences"])
    assert [
        ("The hut is of 1931.", "unsupported"),
        ("The ferry costs 12 crowns.", "supported"),
    ] == labels(found["statements"])


def test_counted_items__citations() -> None:
    """Of two pages the one that adds nothing is not worth citing; a single one is its sentence."""
    found = items(reading(citations=TWO))

    assert [
        ("page 1 for: The hut has 24 beds.", "supported"),
        ("page 2 for: The hut has 24 beds.", "unsupported"),
        ("The ferry costs 12 crowns.", "unsupported"),
    ] == labels(found["citations"])
    assert found["sentences"][1] == found["citations"][2]


def test_counted_items__a_sentence_on_an_unread_page() -> None:
    """It was left out of every count: unverifiable, and without a citation to judge."""
    found = items(reading((HUT, None), citations=TWO))

    assert [
        ("The ferry costs 12 crowns.", "unverifiable"),
        ("The hut has 24 beds.", "supported"),
    ] == labels(found["sentences"])
    assert [("The hut has 24 beds.", "supported")] == labels(found["citations"])


def test_counted_items__digests_hold_answer_pages_and_place() -> None:
    """No two items share a digest, and another page text makes others of them all."""
    one, other = (
        items(reading(citations=TWO)),
        items(reading((HUT, FERRY + " Now."), citations=TWO)),
    )
    digests = [item.digest for found in one.values() for item in found]

    assert len(digests) - 1 == len(set(digests))  # the sentence with a single citation serves twice
    assert not {*digests} & {item.digest for found in other.values() for item in found}
    assert digests == [i.digest for f in items(reading(citations=TWO)).values() for i in f]


def test_counted_items__the_same_sentence_twice() -> None:
    """A sentence that stands twice is two items: they may cite other pages."""
    text = "The hut has 24 beds. Dogs are welcome. The hut has 24 beds."
    one = reading(text=text, citations=(("The hut has 24 beds.", (0,)),))

    assert one.item("sentences", 1, "The hut has 24 beds.") != one.item(
        "sentences", 3, "The hut has 24 beds."
    )
