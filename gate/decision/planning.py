"""Can a plan decide anything? Asked before the first paid call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.rows import margin_of
from gate.decision.words import counted, setting
from gate.errors import PlanError
from gate.stats.power import can_fail, can_pass, settling_cases
from gate.types import Policy

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
    n_cases: int, n_tests: int, policy: Policy, dimensions: Sequence[str] = ()
) -> PlanPower:
    """Say what a plan of so many cases and gating (target x dimension) tests is able to say.

    It can fail when n_tests x 2^-n_cases <= q, and can pass when n_cases zero differences pass the
    guarded bound at the narrowest margin of `dimensions` (of the policy, when none is named): 13
    cases at a margin of 0.10. The plain threshold can always do both. Example: 6 cases and 18
    tests can do neither, 8 can fail and not pass.
    """
    if n_cases < 1 or n_tests < 1:
        return PlanPower(can_fail=False, can_pass=False)
    if policy.rule == "threshold":
        return PlanPower(can_fail=True, can_pass=True)
    return PlanPower(
        can_fail=can_fail(n_cases, n_tests, policy.q),
        can_pass=can_pass(n_cases, _margin(policy, dimensions)),
    )


def refuse_plan(
    n_cases: int, n_tests: int, policy: Policy, dimensions: Sequence[str] = ()
) -> PlanPower:
    """Give what the plan is able to say, and raise PlanError where it is nothing at all.

    A report-only policy, and a plan in which nothing gates, are let through: they decide nothing
    and do not claim to. Ask only where there is a baseline of cases.
    """
    power = check_plan(n_cases, n_tests, policy, dimensions)
    if policy.report_only or n_tests < 1 or power.can_fail or power.can_pass:
        return power
    margin = _margin(policy, dimensions)
    passing = settling_cases([0.0, 0.0], margin, _MOST_CASES)
    raise PlanError(
        f"{counted(n_cases, 'case')} and {counted(n_tests, 'test')} (targets x gating dimensions) "
        f"can neither fail nor pass: to fail it takes {_cases_to_fail(n_tests, policy.q)} cases, "
        f"to pass {passing or 'more than ' + str(_MOST_CASES)} at a margin of {setting(margin)}. "
        "Run more cases (`--sample`), or `--report-only` for numbers without a verdict"
    )


def _margin(policy: Policy, dimensions: Sequence[str]) -> float:
    return min((margin_of(name, policy) for name in dimensions), default=policy.margin)


def _cases_to_fail(n_tests: int, q: float) -> int:
    n = 1
    while not can_fail(n, n_tests, q):
        n += 1
    return n
