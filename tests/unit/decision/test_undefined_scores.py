"""Answers with nothing that a metric measures, and those of which a measurement failed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.types import Finding, Metric, Policy, Run
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of


def finding(new: Run, base: Run) -> Finding:
    """The only row of the table."""
    (found,) = verdict_of(new, baseline_of(base)).comparisons
    return found


def _without(kind: str | None, lost: int) -> Run:
    """Twenty cases, of which the first have no score for this reason."""
    kinds: dict[str, tuple[str | None, ...]] = {} if kind is None else {"correctness": (kind,)}
    cells = columns([None] * lost + [0.8] * (20 - lost))
    failing = [replace(one, failures=kinds) for one in cells[:lost]]
    return run_of([*failing, *cells[lost:]])


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [
        ("undefined", "inconclusive"),
        ("pages", "unmeasured"),
        ("judge", "unmeasured"),
        (None, "unmeasured"),
    ],
)
def test_row__cases_that_have_nothing_to_score(kind: str, outcome: str) -> None:
    """An answer that cites nothing is no lost measurement, and no pass either.

    Eight of 20 cases have no value: where a judge failed, or nobody knows why, too little was
    measured; where there is nothing to measure, the row is compared on the others, and at best
    inconclusive, since the eight could be bad ones.
    """
    found = finding(_without(kind, 8), run_of(columns([0.8] * 20)))

    assert (outcome, 12) == (found.outcome, found.n)


@pytest.mark.parametrize(("lost", "outcome"), [(1, "pass"), (2, "inconclusive")])
def test_row__nothing_to_score_under_the_plain_rule(lost: int, outcome: str) -> None:
    """Two of 20 at their worst are a drop of 0.08, which is more than 0.05: no pass."""
    base = run_of(columns([0.8] * 20))
    policy = Policy(rule="threshold", threshold=0.05)
    (found,) = verdict_of(_without("undefined", lost), baseline_of(base), policy).comparisons

    assert outcome == found.outcome


def test_row__a_few_cases_that_have_nothing_to_score() -> None:
    """Three of 20 would be too few for a regression even at their worst: a pass."""
    assert "pass" == finding(_without("undefined", 3), run_of(columns([0.8] * 20))).outcome


def test_row__nothing_is_left_to_score() -> None:
    """Without a single value nothing was measured, whatever the reason."""
    other = Metric(name="exact")
    measured = {"exact": (0.8,)}
    base = columns([0.8] * 20)
    new = _without("undefined", 20).cells
    runs = [
        run_of(
            [replace(one, scores={**one.scores, **measured}) for one in cells],
            [other, Metric(name="correctness", judged=True)],
        )
        for cells in (new, base)
    ]
    rows = verdict_of(runs[0], baseline_of(runs[1])).comparisons

    assert [("pass", 20), ("unmeasured", 0)] == [(one.outcome, one.n) for one in rows]
