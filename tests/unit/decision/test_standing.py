"""Whether a row can fail the run, and why not."""

from __future__ import annotations

from gate.decision.standing import standing_of
from gate.types import Policy, Row, Rule
from tests.unit.decision.decision_samples import licence


def row(expected: int) -> Row:
    """A row of a dimension that the run has no metric of."""
    return Row(
        target="t",
        dimension="correctness",
        judged=True,
        direction_known=True,
        baseline=None,
        current=None,
        delta=None,
        signed=None,
        expected=expected,
    )


def test_standing_of__a_dimension_that_the_run_does_not_name() -> None:
    """It is one of whole answers by that name: licences and rules hold for it."""
    granted = {"correctness": licence()}
    off = Policy(rules={"correctness": Rule(gating=False)})

    assert standing_of(row(24), {}, granted, Policy()).gating
    assert "rule" == standing_of(row(24), {}, granted, off).cause


def test_standing_of__nothing_to_compare_with() -> None:
    """A baseline is taken to be there unless it is said that there is none."""
    granted = {"correctness": licence()}
    usual = standing_of(row(0), {}, granted, Policy())
    none = standing_of(row(0), {}, granted, Policy(), has_baseline=False)

    assert ("new", "new") == (usual.cause, none.cause)
    assert "the baseline has nothing to compare it with: refresh the baseline" == usual.because
    assert "there is no baseline yet: make one" == none.because
