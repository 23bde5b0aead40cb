"""What so many cases will be able to tell."""

from __future__ import annotations

import math

import pytest

from gate.decision.prospects import SPREADS, prospects, together
from gate.stats.power import pass_rate, smallest_visible_drop
from gate.types import Policy


def test_prospects__are_the_formulas_that_decide() -> None:
    """At the noise of one answer against five."""
    assert ["relevance", "correctness", "source_quality"] == [*SPREADS]
    for one in prospects(24, Policy()):
        noise = SPREADS[one.dimension] * math.sqrt(0.6)
        assert pytest.approx(noise) == one.spread
        assert pytest.approx(smallest_visible_drop(noise, 24)) == one.smallest_drop
        assert pytest.approx(pass_rate(noise, 24, 0.10)) == one.pass_rate


def test_prospects__of_few_cases() -> None:
    """Twelve can hardly pass, and together less than the least of them."""
    few, many = prospects(12, Policy()), prospects(48, Policy())

    assert together(few) < min(one.pass_rate for one in few) < 0.5
    assert 0.9 < together(many) <= min(one.pass_rate for one in many)


def test_prospects__of_a_wider_margin() -> None:
    """A pass that rules out less is had more often."""
    narrow, wide = (together(prospects(24, Policy(margin=margin))) for margin in (0.10, 0.20))

    assert narrow < wide


def test_prospects__noise_is_the_middle_of_what_was_published() -> None:
    """Pairs of runs of one unchanged model ranged over these standard deviations."""
    ranges = {
        "relevance": (0.02, 0.05),
        "correctness": (0.08, 0.14),
        "source_quality": (0.18, 0.28),
    }

    shown = {one.dimension: one.spread for one in prospects(24, Policy())}
    assert shown == pytest.approx(
        {name: sum(ends) / 2 * math.sqrt(0.6) for name, ends in ranges.items()}
    )


def test_prospects__of_a_surer_pass() -> None:
    """False passes of 1% instead of 5% are had for passing less often."""
    for usual, sure in zip(
        prospects(24, Policy()), prospects(24, Policy(pass_level=0.01)), strict=True
    ):
        assert sure.pass_rate == pass_rate(sure.spread, 24, 0.10, confidence=0.99)
        assert sure.pass_rate < usual.pass_rate
