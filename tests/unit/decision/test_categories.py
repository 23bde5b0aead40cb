"""The words that rate."""

from __future__ import annotations

import pytest

from gate.decision.categories import agreed, judge_said
from gate.types import Bucket, CalibrationItem, Support


def item(judge: float) -> CalibrationItem:
    """A label of an answer that the judge gave this score."""
    return CalibrationItem(case_id="a", target="t", answer="d", human="low", judge=judge)


@pytest.mark.parametrize(("judge", "said"), [(0.0, "low"), (0.5, "med"), (1.0, "high")])
def test_judge_said__a_third_of_the_scale(judge: float, said: str) -> None:
    """Both ends belong to it."""
    assert said == judge_said(item(judge))


@pytest.mark.parametrize("judge", [-0.5, 1.5])
def test_judge_said__nothing_outside_of_the_scale(judge: float) -> None:
    """Such a score is of another kind."""
    with pytest.raises(ValueError, match=f"a judge's score of {judge:g} for a"):
        judge_said(item(judge))


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        (("high", "low", "med"), "med"),
        (("high", "med"), "med"),
        (("high", "high", "low", "low"), "low"),
    ],
)
def test_agreed__the_median_bucket(ratings: tuple[Bucket, ...], said: str) -> None:
    """Of two middle ones the lower."""
    assert said == agreed(ratings, None)


@pytest.mark.parametrize(
    ("ratings", "said"),
    [
        (("supported", "partial", "supported"), "supported"),
        (("supported", "unsupported"), "unsupported"),
        (("unverifiable", "supported"), "supported"),
    ],
)
def test_agreed__the_most_frequent_word(ratings: tuple[Support, ...], said: str) -> None:
    """Of equally frequent ones the first in the order of the words, not of the alphabet."""
    assert said == agreed(ratings, "claims")
