"""Cases that were right every time and are wrong every time now."""

from __future__ import annotations

from gate.stats.always import turned_wrong

BASE = ([0.9, 0.8, 0.7, 0.9, 0.4, 0.9, 0.5, 0.5, 0.5, 0.9, 0.9], [3, 6, 9, 11])
"""Always right; once wrong; at the floor; always right, twice only."""


def test_turned_wrong__by_hand() -> None:
    """Every answer before at the floor or above, every one now below it, three before at least."""
    new = ([0.4, 0.1, 0.1, 0.49, 0.2], [2, 3, 4, 5])

    assert [0, 2] == turned_wrong(new, BASE, 0.5, fewest=3)
    assert [0, 2, 3] == turned_wrong(new, BASE, 0.5, fewest=2)


def test_turned_wrong__one_right_answer_now_is_enough() -> None:
    """Not always wrong."""
    assert [] == turned_wrong(([0.4, 0.5, 0.1, 0.9, 0.9], [2, 3, 4, 5]), BASE, 0.5, fewest=3)


def test_turned_wrong__no_case() -> None:
    """Nothing turned where there is nothing."""
    assert [] == turned_wrong(([], []), ([], []), 0.5, fewest=3)
