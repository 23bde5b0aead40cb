"""Runs and baselines of several repeats, for the tests of the refresh."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.baseline import make_baseline
from gate.decision.refresh import Past
from gate.types import (
    Baseline,
    Calibration,
    Cost,
    Measured,
    MeasuredRun,
    Metric,
    Plan,
    Provenance,
    Run,
)
from tests.unit.decision.decision_samples import CORRECTNESS, columns, labelled, run_of

CASES = 24
"""Cases, enough to fail and to pass."""
GOOD = Calibration(sets=(labelled([[20, 2, 0], [2, 20, 2], [0, 2, 48]]),))
"""Labels that license correctness."""


def whole(
    mean: float,
    *,
    identity: str = "run-1",
    repeats: int = 5,
    cases: int = CASES,
    metrics: Sequence[Metric] = (CORRECTNESS,),
    **more: object,
) -> Run:
    """A run of all cases and repeats, whose scores swing a little around a mean."""
    scores = [
        [round(mean + 0.02 * ((case + k) % 3 - 1), 4) for k in range(repeats)]
        for case in range(cases)
    ]
    made = run_of(columns(scores), metrics)
    ids = made.plan.case_ids
    return made.model_copy(
        update={
            "id": identity,
            "plan": Plan(repeats=repeats, case_ids=ids, total=cases, dataset=ids),
            "cost": Cost(usd=1.5, calls=10),
            "provenance": Provenance(created="2026-11-01T00:00:00Z"),
            **more,
        }
    )


def scores(mean: float, **more: object) -> Baseline:
    """The baseline of such a run."""
    return make_baseline([whole(mean, **more)])  # type: ignore[arg-type]  # keywords of `whole`


def measured(identity: str = "run-1", repeats: int = 5) -> Measured:
    """What is known of such a run."""
    return Measured(runs=(MeasuredRun(id=identity, repeats=repeats, usd=1.5, calls=10),))


def past(
    baseline: Baseline | None,
    anchor: Baseline | None = None,
    calibration: Calibration | None = GOOD,
) -> Past:
    """What the default branch has."""
    return Past(baseline, anchor, calibration)
