"""The table of statuses: which reason is named, and what is to be done first."""

from __future__ import annotations

import pytest

from gate.types import Baseline, Cell, Metric, Policy, Provenance, Run
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    run_of,
    verdict_of,
)

N = 24
BASE = run_of(columns([0.8] * N))
BASELINE = baseline_of(BASE)
OLD = baseline_of(BASE, provenance=Provenance(created="2026-01-01T00:00:00Z"))


@pytest.mark.parametrize(
    ("report_only", "baseline", "state", "headline", "step"),
    [
        (True, BASELINE, "validated", "Nothing is enforced", "without --case"),
        (False, BASELINE, "stale", "Nothing is licensed to fail a run", "it is stale"),
        (False, OLD, "stale", "The baseline is 181 days old", "refresh the baseline"),
        (False, OLD, "validated", "The baseline is 181 days old", "refresh the baseline"),
        (True, OLD, "validated", "Nothing is enforced", "refresh the baseline"),
        (True, None, "stale", "Nothing is enforced", "gate baseline"),
    ],
)
def test_report__what_has_to_be_mended_first(
    *, report_only: bool, baseline: Baseline | None, state: str, headline: str, step: str
) -> None:
    """Of a run that was narrowed by hand: baseline, then licences, then the options."""
    policy = Policy(report_only=report_only)
    verdict = verdict_of(BASE, baseline, policy, state, narrowed=True)  # type: ignore[arg-type]

    assert verdict.headline.startswith(headline)
    assert step in (verdict.next_step or "")


def test_report__three_falls_are_named_and_the_rest_counted() -> None:
    """A headline is one sentence."""
    metrics = [Metric(name=name, judged=False) for name in ("a", "b", "c", "d")]

    def run(score: float) -> Run:
        scores = {one.name: [score] for one in metrics}
        return run_of([cell("t", f"c{i:02d}", scores) for i in range(N)], metrics)

    said = verdict_of(run(0.5), baseline_of(run(0.8)), Policy(report_only=True)).headline
    assert 3 == said.count("fell by 0.30")
    assert said.endswith("and 1 more.")


def test_report__a_baseline_as_old_as_is_allowed() -> None:
    """Ninety days are not more than ninety."""
    old = baseline_of(BASE, provenance=Provenance(created="2026-04-02T00:00:00Z"))

    assert ["pass", "report"] == [
        verdict_of(BASE, old, Policy(max_baseline_age_days=days)).status for days in (90, 89.99)
    ]


def test_report__another_judge_of_what_was_never_licensed() -> None:
    """Poor agreement is no licence that went with the judge: there was none."""
    other = BASE.identities["correctness"].model_copy(update={"judge": "claude-y [json_schema]"})
    run = run_of(columns([0.5] * N), identities={"correctness": other})

    assert "report" == verdict_of(run, BASELINE, Policy(), "unvalidated").status


def test_broken__the_emptiest_row_is_named() -> None:
    """Of two that were not measured the one with fewer scores; cases that went are said."""
    metrics = [CORRECTNESS, RELEVANCE]

    def lost(correctness: int, relevance: int) -> list[Cell]:
        return [
            cell(
                "t",
                f"c{i:02d}",
                {
                    "correctness": [None if i < correctness else 0.8],
                    "relevance": [None if i < relevance else 0.8],
                },
            )
            for i in range(N)
        ]

    base = baseline_of(run_of(lost(0, 0), metrics))
    for numbers in ((4, 9), (9, 4)):
        said = verdict_of(run_of(lost(*numbers), metrics), base).headline
        assert "only 15 of 24 cases have scores" in said
    gone = run_of(lost(0, 0)[:8], metrics, cases=[f"c{i:02d}" for i in range(8)], total=8)
    assert "16 cases changed or went" in verdict_of(gone, base).headline
