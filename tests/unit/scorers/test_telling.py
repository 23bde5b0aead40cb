"""How reasons name what the pages do not bear out."""

from __future__ import annotations

from gate.scorers.telling import MOST, cited_pages, named_first, shortened
from tests.unit.scorers.page_samples import reading


def test_shortened__one_line_of_at_most_160_characters() -> None:
    """Line breaks go, and a cut is marked."""
    assert "\u201cThe hut has 24 beds.\u201d" == shortened("The hut\nhas  24 beds.")
    assert 162 == len(shortened("x" * 500))
    assert shortened("x" * 500).endswith("x\u2026\u201d")


def test_cited_pages__numbers_and_domains() -> None:
    """Read or not, and nothing for a sentence without a citation."""
    one = reading(("text", None), citations=(("The hut has 24 beds.", (0, 1)),))

    assert "cites page 1 of d0.example, page 2 of d1.example" == cited_pages(one, 1)
    assert "cites nothing" == cited_pages(one, 3)


def test_named_first__counts_the_rest() -> None:
    """Three are named."""
    assert "" == named_first(": ", [])
    assert ": a; b" == named_first(": ", ["a", "b"])
    assert ": a; b; c; and 2 more" == named_first(": ", list("abcde"))
    assert 3 == MOST
