"""The numbers of single categories: turned by the metric's direction, with nine decimals."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.category_rows import category_rows
from gate.decision.comparison import compare
from gate.types import Policy, Row
from tests.unit.decision.decision_samples import CORRECTNESS, baseline_of, cell, run_of

SLIPS = CORRECTNESS.model_copy(update={"better": "lower"})
FELL = [0.5] + [0.9] * 8
"""Nine cases, one of which lost 0.4."""
SAME = [0.9] * 9


def row_of_one(
    scores: Sequence[float],
    before: Sequence[Sequence[float]] = ((0.9,),) * 9,
    better: str = "higher",
) -> Row:
    """The row of the first of two categories of nine cases each; the second did not move."""
    metric = CORRECTNESS if better == "higher" else SLIPS
    run, base = (
        run_of(
            [
                cell("t", f"{name}-{i}", {"correctness": given}, category=name)
                for name, own in (("a", side), ("b", [[0.9]] * 9))
                for i, given in enumerate(own)
            ],
            [metric],
        )
        for side in ([[one] for one in scores], before)
    )
    (whole,) = compare(run, baseline_of(base), Policy()).rows
    found, _ = category_rows(whole, metric, Policy(), {}, "s")
    return found


def test_category_rows__nine_decimals() -> None:
    """Means of nine cases: (0.5 + 8 x 0.9) / 9 after 0.9 is a drop of 0.4 / 9."""
    row = row_of_one(FELL)

    assert (0.9, 0.855555556, -0.044444444, -0.044444444) == (
        row.baseline, row.current, row.delta, row.signed
    )  # fmt: skip


def test_category_rows__the_baselines_mean_has_nine_decimals() -> None:
    """Eight cases had 0.9, 0.9 and 1.0, and one had 0.9: (8 x 0.933333333 + 0.9) / 9."""
    row = row_of_one(SAME, [[0.9, 0.9, 1.0]] * 8 + [[0.9]])

    assert (0.929629629, -0.029629629) == (row.baseline, row.signed)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_category_rows__zero_has_no_sign(better: str) -> None:
    """Where nothing moved, whichever way is better."""
    row = row_of_one(SAME, better=better)

    assert ("0.0", "0.0") == (str(row.delta), str(row.signed))


def test_category_rows__equal_falls_stand_in_the_order_of_the_cases() -> None:
    """0.7 - 0.4 is a little less than 0.9 - 0.6 in doubles, and the same 0.3 for people."""
    row = row_of_one([0.4, 0.6] + [0.9] * 7, [[0.7]] + [[0.9]] * 8)

    assert ["a-0", "a-1"] == list(row.differences.case_ids)
