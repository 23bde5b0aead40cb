"""A run of a scorer set: decided on the dimensions of the set, and on these alone."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.types import Baseline, Cell, Commits, Metric, Plan, Policy, Run, Verdict
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    licence,
    run_of,
)

CASES = [f"case-{i:02d}" for i in range(24)]
BOTH = [RELEVANCE, CORRECTNESS]
LICENCES = (licence("correctness"), licence("relevance"))


def cells(*metrics: Metric, value: float = 1.0) -> list[Cell]:
    """A cell a case with the same value in every dimension."""
    return [cell("t", case, {metric.name: [value] for metric in metrics}) for case in CASES]


def run(*metrics: Metric, value: float = 1.0, sets: Sequence[str] = ("quick",)) -> Run:
    """A run that measured these dimensions."""
    made = run_of(cells(*metrics, value=value), metrics, cases=CASES)
    plan = Plan(case_ids=tuple(CASES), total=len(CASES), scorer_sets=tuple(sets))
    return made.model_copy(update={"plan": plan})


def judged(new: Run, base: Baseline) -> Verdict:
    """The verdict of a run."""
    return decide(
        new,
        compare(new, base, Policy()),
        LICENCES,
        Policy(),
        narrowed=False,
        seed="s",
        commits=Commits(),
        reproduce=(),
    )


def test_set__passes_without_the_dimensions_that_it_leaves_out() -> None:
    """They are neither missing nor unmeasured, and they are named."""
    found = judged(run(RELEVANCE), baseline_of(run(*BOTH)))

    assert ("pass", 0) == (found.status, found.exit_code)
    assert ["relevance"] == [one.dimension for one in found.comparisons]
    assert ("correctness",) == found.coverage.not_measured
    assert not [text for text in found.warnings if "did not measure" in text]
    assert "Not measured" not in found.headline


def test_set__regresses_on_its_own_dimension() -> None:
    """A cheap set still fails a run."""
    found = judged(run(RELEVANCE, value=0.5), baseline_of(run(*BOTH)))

    assert ("regression", 1) == (found.status, found.exit_code)


def test_set__corrects_for_its_own_tests_only() -> None:
    """One gating row: its adjusted p is its p."""
    (row,) = judged(run(RELEVANCE, value=0.5), baseline_of(run(*BOTH))).comparisons

    assert row.p is not None
    assert (row.p, row.p) == (row.p_adjusted, row.p_holm)


def test_without_a_set__what_is_not_measured_is_warned_of() -> None:
    """A scorer that went from the configuration is no choice of a set."""
    found = judged(run(RELEVANCE, sets=()), baseline_of(run(*BOTH)))

    assert ("correctness",) == found.coverage.not_measured
    assert "The baseline has correctness, which this run did not measure." in found.warnings
    assert found.headline.endswith(" Not measured, though the baseline has it: correctness.")


def test_all__what_is_measured_everywhere_is_not_named() -> None:
    """Nothing is missing."""
    assert () == judged(run(*BOTH), baseline_of(run(*BOTH))).coverage.not_measured


def test_baseline_of_a_set__other_dimensions_are_new() -> None:
    """A later full run shows them without a baseline, and decides on the others."""
    found = judged(run(*BOTH, sets=()), baseline_of(run(RELEVANCE)))
    row = next(one for one in found.comparisons if one.dimension == "correctness")

    assert "pass" == found.status
    assert (False, None, 1.0) == (row.gating, row.baseline, row.current)
    assert "the baseline has nothing to compare it with" in (row.advisory_because or "")
