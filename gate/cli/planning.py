"""Before any paid call: can this plan say anything at all?"""

from __future__ import annotations

from pathlib import Path

from gate.cli.reading import read_baseline_file
from gate.decision.calibration import agreements
from gate.decision.planning import PlanPower, refuse_plan
from gate.decision.standing import gating_dimensions
from gate.types import Calibration, Plan, Policy


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
    licences = agreements(calibration, stored.metrics, {}, policy)
    gating = gating_dimensions(stored.metrics, licences, policy)
    return refuse_plan(len(plan.case_ids), len(gating) * n_targets, policy, gating)
