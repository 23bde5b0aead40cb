"""How noisy each category is, told by the baseline's repeats."""

from __future__ import annotations

import pytest

from gate.decision.spreads import spreads_of
from gate.types import Baseline
from tests.fakes import case
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    run_of,
)

CASES = [case("calm-1", "calm"), case("calm-2", "calm"), case("wild-1", "wild"), case("x", "new")]


def stored(wild: list[float | None]) -> Baseline:
    """Two calm cases and a wild one."""
    cells = [
        cell("t", "calm-1", {"correctness": [1.0, 1.0, 1.0]}),
        cell("t", "calm-2", {"correctness": [0.5, 0.5, 0.5]}),
        cell("t", "gone", {"correctness": [0.0, 1.0, 0.5]}),
        cell("t", "wild-1", {"correctness": wild}),
    ]
    return baseline_of(run_of(cells))


def test_spreads_of__by_hand() -> None:
    """Twice the variance within a case, drawn towards that of all; what is gone does not count."""
    found = spreads_of(stored([0.0, 1.0, 0.5]), CASES, ["correctness", "unknown"])

    pooled = 2 * 0.5 / 6
    assert found is not None
    assert pytest.approx(((4 * 0.0 + 4 * pooled) / 8) ** 0.5) == found["calm"]
    assert pytest.approx(((2 * 2 * 0.25 + 4 * pooled) / 6) ** 0.5) == found["wild"]
    assert pytest.approx(pooled**0.5) == found["new"]


def test_spreads_of__nothing_to_tell_from() -> None:
    """No baseline, and one of two repeats."""
    two = baseline_of(run_of([cell("t", "calm-1", {"correctness": [0.0, 1.0]})], [CORRECTNESS]))

    assert spreads_of(None, CASES, ["correctness"]) is None
    assert spreads_of(two, CASES, ["correctness"]) is None


def test_spreads_of__must_include_stands_for_none() -> None:
    """Its category is sampled without it."""
    held = CASES[2].model_copy(update={"tags": ("must-include",)})
    found = spreads_of(stored([0.0, 1.0, None]), [*CASES[:2], held], ["correctness"])

    assert {"calm": 0.05} == found


def test_spreads_of__dimensions_of_one_answer_count_once() -> None:
    """Three values and four have 2 + 3 degrees of freedom, in two dimensions two.

    Squares are 0.5 and 1, so that the variance of a difference is 2 x 1.5 / 5 = 0.6. The calm
    category has four degrees of freedom in two dimensions, two. Pooled: (2 x 0.6 + 2 x 0) / 4.
    """
    cells = [
        cell("t", "calm-1", {"correctness": [1.0] * 3, "relevance": [1.0] * 3}),
        cell("t", "wild-1", {"correctness": [0.0, 1.0, 0.5], "relevance": [0.0, 1.0, 0.0, 1.0]}),
    ]
    baseline = baseline_of(run_of(cells, [CORRECTNESS, RELEVANCE]))

    found = spreads_of(baseline, CASES, ["correctness", "relevance"])

    assert found is not None
    assert pytest.approx(((2 * 0.6 + 4 * 0.3) / 6) ** 0.5) == found["wild"]
    assert pytest.approx((4 * 0.3 / 6) ** 0.5) == found["calm"]
