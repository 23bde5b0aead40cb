"""Before any paid call: how many cases, and can this plan say anything at all?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from gate.cli.reading import read_baseline_file
from gate.config import Config
from gate.decision.calibration import agreements
from gate.decision.planning import PlanPower, comparable_cases, comparable_units, refuse_plan
from gate.decision.spreads import spreads_of
from gate.decision.standing import gating_dimensions
from gate.engine.plan import Sampling
from gate.errors import ConfigError
from gate.types import Calibration, Case, Plan, Policy, Sensitivity


def wanted_sample(text: str | None, config: Config) -> int | None:
    """Read `--sample N|full`; without it what the configuration says. None is the full set.

    Raises ConfigError for other words.
    """
    if text is None:
        return None if config.run.sample == "full" else config.run.sample
    if text == "full":
        return None
    if not text.isdecimal():
        raise ConfigError(f"--sample {text}: give a number of cases, or `full`")
    return int(text)


def sampling_of(config: Config, cases: Sequence[Case], baseline: Path) -> Sampling:
    """Return how the places of a sample are shared, as the configuration says.

    By the noise of the baseline's repeats only where they are enough. Raises FileError for a
    baseline that cannot be read.
    """
    spreads = None
    if config.run.allocation == "neyman":
        stored = read_baseline_file(baseline)
        names = () if stored is None else [one.name for one in stored.metrics if not one.watched]
        spreads = spreads_of(stored, cases, names)
    return Sampling(floor=config.run.floor, spreads=spreads)


def check_power(
    plan: Plan,
    targets: Sequence[str],
    calibration: Calibration | None,
    baseline: Path,
    policy: Policy,
    measured: Collection[str],
    *,
    sensitivity: Sensitivity | None = None,
) -> PlanPower | None:
    """Refuse a plan that can neither fail nor pass; None where nothing is to be decided.

    Only planned cases count of which the baseline holds scores of the target, and those of one
    cluster count as one. `targets` are the
    names of the targets to ask, `measured` the dimensions that are measured: the baseline's others
    are no part of the decision. The judge is not known before it replies, so the dimensions that
    gate are those that calibration and sensitivity license while nothing has changed. Raises
    PlanError, and FileError for a baseline or a calibration that cannot be read.
    """
    stored = read_baseline_file(baseline)
    if stored is None or stored.averages_only:
        return None
    unchanged = {one.dimension: one.identity for one in calibration.sets} if calibration else {}
    licences = agreements(calibration, stored.metrics, unchanged, policy, sensitivity=sensitivity)
    able = gating_dimensions(stored.metrics, licences, policy)
    gating = [name for name in able if name in measured]
    counts = comparable_cases(plan, stored, targets, gating)
    return refuse_plan(
        list(counts.values()),
        len(counts),
        policy,
        gating,
        planned=len(plan.case_ids),
        units=list(comparable_units(plan, stored, targets, gating).values()),
    )
