"""Can a plan decide anything? Asked before the first paid call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.decision.rows import FRACTION, guard_of, margin_of
from gate.decision.sides import scored
from gate.decision.words import counted, setting
from gate.errors import PlanError
from gate.stats.power import can_fail, can_pass, settling_cases
from gate.types import Baseline, Plan, Policy

_MOST_CASES = 100_000
"""No plan is larger."""


@dataclass(frozen=True)
class PlanPower:
    """What a plan is able to say."""

    can_fail: bool
    """Whether a drop in every case would be a regression."""
    can_pass: bool
    """Whether no change in any case would be a pass."""


def check_plan(
    cases: int | Sequence[int], n_tests: int, policy: Policy, dimensions: Sequence[str] = ()
) -> PlanPower:
    """Say what a plan of so many cases and gating (target x dimension) tests is able to say.

    `cases` is one number for all tests, or one for each, and cases that belong together count as
    one (`units_among`): a plan can fail when one test can, with
    n_tests x 2^-n <= q, and can pass when all can: n zero differences pass the guarded bound at
    the narrowest margin of `dimensions` (of the policy, when none is named), 13 cases at a margin
    of 0.10. The plain threshold can always do both. Example: 6 cases and 18 tests can do neither,
    8 can fail and not pass.
    """
    counts = [cases] if isinstance(cases, int) else cases
    most, least = max(counts, default=0), min(counts, default=0)
    if most < 1 or n_tests < 1:
        return PlanPower(can_fail=False, can_pass=False)
    if policy.rule == "threshold":
        return PlanPower(can_fail=True, can_pass=True)
    return PlanPower(
        can_fail=can_fail(most, n_tests, policy.q),
        can_pass=can_pass(least, _margin(policy, dimensions), confidence=1.0 - policy.pass_level),
    )


def comparable_cases(
    plan: Plan, baseline: Baseline, targets: Sequence[str], dimensions: Sequence[str]
) -> dict[tuple[str, str], int]:
    """Count the planned cases that the baseline holds scored, for each (target, dimension).

    Left out are those of which it holds none: such rows are new and cannot fail a run.
    """
    found = _comparable(plan, baseline, targets, dimensions)
    return {test: len(cases) for test, cases in found.items()}


def comparable_units(
    plan: Plan, baseline: Baseline, targets: Sequence[str], dimensions: Sequence[str]
) -> dict[tuple[str, str], int]:
    """Count as `comparable_cases` does, the cases of one cluster as one: see `units_among`."""
    found = _comparable(plan, baseline, targets, dimensions)
    return {test: units_among(cases, plan.clusters) for test, cases in found.items()}


def units_among(case_ids: Iterable[str], clusters: Mapping[str, str]) -> int:
    """Count what a verdict counts: each cluster once, and each case that is of none."""
    return len({(case in clusters, clusters.get(case, case)) for case in case_ids})


def refuse_plan(
    cases: int | Sequence[int],
    n_tests: int,
    policy: Policy,
    dimensions: Sequence[str] = (),
    planned: int | None = None,
    units: Sequence[int] | None = None,
) -> PlanPower:
    """Give what the plan is able to say, and raise PlanError where it is nothing at all.

    `cases` are those that can be compared, as for `check_plan`, of `planned` ones, and `units` what
    they count as, test by test, where some belong together. A report-only policy, and a plan in
    which nothing gates, are let through: they decide nothing and do not claim to. Ask only where
    there is a baseline of cases.
    """
    counts = [cases] if isinstance(cases, int) else cases
    owned = counts if units is None else units
    power = check_plan(owned, n_tests, policy, dimensions)
    if policy.report_only or n_tests < 1 or power.can_fail or power.can_pass:
        return power
    margin = _margin(policy, dimensions)
    passing = cases_to_pass(margin, policy.pass_level)
    most_units, most = max(zip(owned, counts, strict=True))
    short = planned is not None and most < planned
    known = f"The baseline holds scores of {most} of the {planned} planned cases: " if short else ""
    failing = _cases_to_fail(n_tests, policy.q)
    to_pass = f"{passing or 'more than ' + str(_MOST_CASES)} at a margin of {setting(margin)}"
    if list(owned) != list(counts):
        raise PlanError(
            f"{known}{counted(most, 'case')} in {counted(most_units, 'cluster')} and "
            f"{counted(n_tests, 'test')} (targets x gating dimensions) can neither fail nor pass: "
            f"to fail it takes {counted(failing, 'cluster')} of cases, to pass {to_pass}. "
            + ("Make a baseline of more cases, run" if short else "Run")
            + " cases of more clusters (`--sample`), or `--report-only` for numbers without a "
            "verdict"
        )
    raise PlanError(
        known + f"{counted(most, 'case')} and {counted(n_tests, 'test')} (targets x gating "
        f"dimensions) can neither fail nor pass: to fail it takes {failing} cases, to pass "
        f"{to_pass}. "
        + ("Make a baseline of more cases, run" if short else "Run")
        + " more cases (`--sample`), or `--report-only` for numbers without a verdict"
    )


def cases_to_pass(margin: float, pass_level: float, unit: str = FRACTION) -> int | None:
    """Give the smallest number of cases that pass when none of them changed.

    13 at a margin of 0.10 and 5% of false passes (`pass_level`); None above 100,000.
    """
    guard = guard_of(unit, margin)
    return settling_cases(0.0, 0.0, margin, _MOST_CASES, pseudo=guard, confidence=1.0 - pass_level)


def _comparable(
    plan: Plan, baseline: Baseline, targets: Sequence[str], dimensions: Sequence[str]
) -> dict[tuple[str, str], list[str]]:
    planned = set(plan.case_ids)
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for cell in baseline.cells:
        if cell.case_id in planned and cell.target in targets:
            for name in dimensions:
                if scored(cell, name):
                    found[cell.target, name].append(cell.case_id)
    return found


def _margin(policy: Policy, dimensions: Sequence[str]) -> float:
    return min((margin_of(name, policy) for name in dimensions), default=policy.margin)


def _cases_to_fail(n_tests: int, q: float) -> int:
    n = 1
    while not can_fail(n, n_tests, q):
        n += 1
    return n
