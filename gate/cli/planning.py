"""Before any paid call: can this plan say anything at all?"""

from __future__ import annotations

from pathlib import Path

from gate.cli.reading import read_baseline_file
from gate.decision.calibration import agreements
from gate.decision.licence import MAY_GATE
from gate.decision.planning import PlanPower, refuse_plan
from gate.types import Calibration, Metric, Plan, Policy


def check_power(
    plan: Plan, n_targets: int, calibration: Calibration | None, baseline: Path, policy: Policy
) -> PlanPower | None:
    """Refuse a plan that can neither fail nor pass; None where nothing is to be decided.

    The judge is not known before it replies, so the dimensions that gate are those that the
    calibration licenses while nothing has changed. Raises PlanError, and FileError for a baseline
    or a calibration that cannot be read.
    """
    stored = read_baseline_file(baseline)
    if stored is None or stored.averages_only:
        return None
    metrics: dict[str, Metric] = {metric.name: metric for metric in stored.metrics}
    licences = agreements(calibration, tuple(metrics.values()), {}, policy)
    gating = [
        one.dimension
        for one in licences
        if one.state in MAY_GATE and metrics[one.dimension].better != "unknown"
    ]
    return refuse_plan(len(plan.case_ids), len(gating) * n_targets, policy, gating)
