"""Before any paid call: can this plan say anything at all?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.cli.reading import read_baseline_file
from gate.decision.calibration import agreements
from gate.decision.planning import PlanPower, comparable_cases, refuse_plan
from gate.decision.standing import gating_dimensions
from gate.types import Calibration, Plan, Policy


def check_power(
    plan: Plan,
    targets: Sequence[str],
    calibration: Calibration | None,
    baseline: Path,
    policy: Policy,
) -> PlanPower | None:
    """Refuse a plan that can neither fail nor pass; None where nothing is to be decided.

    Only planned cases count of which the baseline holds scores of the target. `targets` are the
    names of the targets to ask. The judge is not known before it replies, so the dimensions that
    gate are those that the calibration licenses while nothing has changed. Raises PlanError, and
    FileError for a baseline or a calibration that cannot be read.
    """
    stored = read_baseline_file(baseline)
    if stored is None or stored.averages_only:
        return None
    unchanged = {one.dimension: one.identity for one in calibration.sets} if calibration else {}
    licences = agreements(calibration, stored.metrics, unchanged, policy)
    gating = gating_dimensions(stored.metrics, licences, policy)
    counts = comparable_cases(plan, stored, targets, gating)
    return refuse_plan(
        list(counts.values()), len(counts), policy, gating, planned=len(plan.case_ids)
    )
