"""How exact a number is when it decides."""

from __future__ import annotations

import math

import pytest

from gate.decision.rounding import result, score


@pytest.mark.parametrize("unit", ["fraction", "s"])
def test_score__zero_has_no_sign(unit: str) -> None:
    """A file says `0.0`, so a run must not say `-0.0`."""
    assert 1.0 == math.copysign(1.0, score(-0.0, unit))


def test_result__zero_has_no_sign() -> None:
    """Less than nothing by float noise is nothing."""
    assert 1.0 == math.copysign(1.0, result(-1e-12))


def test_score__as_a_file_stores_it() -> None:
    """Four decimals of a share, six digits of another number."""
    assert (0.6667, 1234.57, 0.0123457) == (
        score(2 / 3),
        score(1234.5678, "s"),
        score(0.01234567, "s"),
    )
