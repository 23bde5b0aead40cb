"""Two people who rated the same answers apart."""

from __future__ import annotations

import pytest

from gate.labelling.people import between
from gate.types import Bucket, ItemLabel, Label, LabelSet


def rated(*words: Bucket, by: str = "Ada", dimension: str = "relevance") -> LabelSet:
    """Ratings of as many answers."""
    labels = tuple(
        Label(case_id=f"c{number}", answer=str(number) * 64, scores={dimension: word})
        for number, word in enumerate(words)
    )
    return LabelSet(path="x.yaml", drafted_by=by, labels=labels)


@pytest.mark.parametrize(
    ("mine", "yours", "line"),
    [
        ("hlhl", "hlhl", "relevance: with Bob alike in 4 of 4, kappa 1.00"),
        ("hlhl", "hlhh", "relevance: with Bob alike in 3 of 4, kappa 0.50; not on c3"),
        ("hh", "hhl", "relevance: with Bob alike in 2 of 2, kappa undefined"),
    ],
)
def test_between__whole_answers(mine: str, yours: str, line: str) -> None:
    """Kappa of what both rated, and where they differ."""
    word: dict[str, Bucket] = {"h": "high", "l": "low"}

    assert (line,) == between(
        rated(*(word[one] for one in mine)), rated(*(word[one] for one in yours), by="Bob")
    )


def test_between__items_and_what_only_one_rated() -> None:
    """Items count by kind; other answers and other dimensions do not count."""
    item = ItemLabel(kind="claims", item="0" * 64, label="partial")
    both = [
        rated("high", dimension=name).model_copy(
            update={
                "labels": (
                    Label(case_id="c0", answer="0" * 64, scores={name: "high"}, items=(item,)),
                )
            }
        )
        for name in ("relevance", "correctness")
    ]

    assert ("claims: with Ada alike in 1 of 1, kappa undefined",) == between(*both)
    assert () == between(rated("high"), rated("high", dimension="correctness"))
