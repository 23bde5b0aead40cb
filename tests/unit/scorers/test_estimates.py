"""How long the judge's replies are taken to be."""

from __future__ import annotations

import pytest

from gate.scorers.estimates import reply_tokens


@pytest.mark.parametrize(
    ("scorer", "characters", "expected"),
    [
        ("quality", 1_000, 100),
        ("quality", 9_000, 100),
        ("faithfulness", 1_000, 8 * 60),
        ("citations", 1_000, 8 * 25 + 10 * 25),
        ("faithfulness", 0, 0),
        ("house.py:Own", 1_000, 200),
    ],
)
def test_reply_tokens__grow_with_what_is_listed(
    scorer: str, characters: int, expected: int
) -> None:
    """Ratings do not; claims and sentences do; a stranger's reply has one figure."""
    assert expected == reply_tokens(scorer, characters)
