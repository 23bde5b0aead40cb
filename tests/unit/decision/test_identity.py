"""What must be the same on both sides before two values may be compared."""

from __future__ import annotations

import pytest

from gate.decision.identity import differing, joined, unknown
from gate.errors import FileError
from gate.types import Identity

WHOLE = Identity(judge="a", prompt="p", scorer="s")


def test_differing__needs_both_sides() -> None:
    """An unknown identity, or an unknown part of one, differs from nothing."""
    assert () == differing(None, WHOLE)
    assert () == differing(WHOLE, None)
    assert () == differing(WHOLE, Identity(judge="a"))
    assert ("judge", "scorer") == differing(WHOLE, Identity(judge="b", prompt="p", scorer="t"))


@pytest.mark.parametrize(
    ("one", "other", "judged", "expected"),
    [
        (None, WHOLE, True, True),
        (WHOLE, None, True, True),
        (WHOLE, WHOLE, True, False),
        (WHOLE, Identity(scorer="s"), True, True),
        (WHOLE, Identity(scorer="s"), False, False),
        (WHOLE, Identity(judge="a", prompt="p"), False, True),
    ],
)
def test_unknown__looks_at_the_parts_that_matter(
    one: Identity | None, other: Identity | None, *, judged: bool, expected: bool
) -> None:
    """Judge and prompt only where there is a judge; the scorer always."""
    assert expected is unknown(one, other, judged=judged)


def test_joined__names_all_that_differ_in_order() -> None:
    """Also where one run does not know its own."""
    runs = [Identity(judge=name) for name in (None, "d", "b", "e", "a", "c", "f")]

    with pytest.raises(FileError, match=r"their judge differs \(a, b, c, d, e, f\)"):
        joined(runs, "correctness")


def test_joined__a_part_that_a_run_does_not_know_is_not_known() -> None:
    """The others are kept."""
    assert Identity(judge="a", scorer="s") == joined(
        [WHOLE, Identity(judge="a", scorer="s")], "correctness"
    )
