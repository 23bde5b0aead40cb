"""What the line with cases that broke is called."""

from __future__ import annotations

import pytest

from gate.reports.facts import fallen_title
from gate.types import FallenCase, Finding, Outcome, Trust, Verdict
from tests.unit.decision.decision_samples import columns, run_of, verdict_of

PASSED = verdict_of(run_of(columns([0.9])), None)


def verdict(*outcomes: Outcome, fails: bool) -> Verdict:
    """A verdict with one case that broke, and rows of all cases."""
    case = FallenCase(
        target="t", case_id="a", dimension="d", baseline=1, current=0, required=fails, fails=fails
    )
    rows = tuple(
        Finding(
            target="t", dimension=word, gating=True, trust=Trust(state="validated"), outcome=word
        )
        for word in outcomes
    )
    return PASSED.model_copy(update={"fallen": (case,), "comparisons": rows})


@pytest.mark.parametrize(
    ("found", "title"),
    [
        (verdict("pass", fails=False), "Always right before, always wrong now"),
        (verdict("pass", "regression", fails=True), "Always right before, always wrong now"),
        (
            verdict("pass", "regression", fails=False),
            "Elsewhere: always right before, always wrong now",
        ),
    ],
)
def test_fallen_title__names_what_is_left_out(found: Verdict, title: str) -> None:
    """Cases of a row that failed as a whole are not named, so the line is of the others."""
    assert title == fallen_title(found)
