"""The order of cells, targets and dimensions is no part of a decision."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.types import Cell, Metric, Policy, Run, Verdict
from tests.unit.decision.decision_samples import baseline_of, cell, noisy, run_of, verdict_of

METRICS = tuple(Metric(name=name) for name in ("alpha", "beta", "gamma"))
TARGETS = ("one", "two")
CASES = 36


def cells(seed: int, repeats: int) -> list[Cell]:
    """Noisy scores of two targets in three dimensions; some are missing, one target fell."""
    rng = random.Random(seed)
    made = []
    for target in TARGETS:
        columns = {
            metric.name: noisy(rng.randrange(10**6), CASES, 0.2 * (repeats == 1))[1]
            for metric in METRICS
        }
        for i in range(CASES):
            values = {
                name: [
                    None if rng.random() < 0.02 else round(max(0.0, column[i] - 0.01 * k), 4)
                    for k in range(repeats)
                ]
                for name, column in columns.items()
            }
            made.append(cell(target, f"case-{i:02d}", values, category=f"c{i % 3}"))
    return made


BASELINE = baseline_of(run_of(cells(1, 5), METRICS))
NEW = cells(2, 1)
WHOLE = tuple(f"case-{i:02d}" for i in range(CASES + 12))


def shuffled(seed: int, *, sampled: bool) -> Run:
    """The same run with everything in another order."""
    rng = random.Random(seed)
    parts = list(NEW)
    rng.shuffle(parts)
    metrics, targets = list(METRICS), list(TARGETS)
    rng.shuffle(metrics)
    rng.shuffle(targets)
    run = run_of(parts, metrics, targets=targets)
    clusters = [(f"case-{i:02d}", f"page-{i // 2}") for i in range(12)]
    rng.shuffle(clusters)
    update = {"clusters": dict(clusters), "required": ("case-03", "case-20")}
    if sampled:
        update |= {"total": len(WHOLE), "dataset": WHOLE}
    return run.model_copy(update={"plan": run.plan.model_copy(update=update)})


def said(verdict: Verdict) -> tuple[object, ...]:
    """All that a verdict says, its rows by their names."""
    findings = {
        (one.target, one.dimension, one.category): one.model_dump() for one in verdict.comparisons
    }
    operations = {one.target: one.model_dump() for one in verdict.operations}
    fallen = {(one.target, one.case_id, one.dimension): one for one in verdict.fallen}
    return verdict.status, verdict.exit_code, findings, operations, fallen, verdict.coverage


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**9), sampled=st.booleans())
def test_decide__whatever_the_order(*, seed: int, sampled: bool) -> None:
    """Every number of every row is the same to the last bit, in full runs and in samples."""
    policy = Policy(category_cases=4)
    expected = said(verdict_of(shuffled(0, sampled=sampled), BASELINE, policy))

    assert expected == said(verdict_of(shuffled(seed, sampled=sampled), BASELINE, policy))
