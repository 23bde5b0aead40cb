"""Runs that are not all of their plan: interrupted, a part of it, or stopped early."""

from __future__ import annotations

import pytest

from gate.types import Failure, Plan, Policy, Run, TargetInfo
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of

BASE = run_of(columns([0.8] * 24))
BASELINE = baseline_of(BASE)
CASES = tuple(cell.case_id for cell in BASE.cells)


def ended(cases: int, **more: object) -> Run:
    """A run that holds the first cases of the plan."""
    return run_of(columns([0.8] * cases), cases=CASES).model_copy(update=more)


def stopped(cases: int, why: str = "the ceiling of $1.00 was reached: raise --max-cost") -> Run:
    """A run whose finished part is the first cases."""
    plan = Plan(case_ids=CASES[:cases], total=24, dataset=CASES, planned=24)
    said = f"after {cases} of 24 cases, {why}"
    return run_of(columns([0.8] * cases)).model_copy(update={"plan": plan, "stopped": said})


@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_interrupted__decides_nothing(signal: str, code: int) -> None:
    """Whatever was measured, and how to go on; cases that were not reached are no failures."""
    verdict = verdict_of(ended(20, interrupted=signal), BASELINE)

    assert ("broken", code) == (verdict.status, verdict.exit_code)
    assert f"No verdict: {signal} interrupted the run after 20 of 24 cases." == verdict.headline
    assert "type the command that made the run again, `gate run` or" in (verdict.next_step or "")
    assert () == verdict.coverage.errored


def test_part__gives_numbers_only() -> None:
    """The parts are decided on together; the others' cases are no failures."""
    part = ended(12)
    part = part.model_copy(update={"plan": part.plan.model_copy(update={"shard": "1/2"})})

    verdict = verdict_of(part, BASELINE)

    assert ("report", 0) == (verdict.status, verdict.exit_code)
    assert "Part 1/2 of the plan" in verdict.headline
    assert (
        "put the 2 parts together, then decide: `gate merge part1/run.json part2/run.json "
        "-o whole/run.json` with their own folders, then `gate compare whole/run.json --out whole`"
    ) == verdict.next_step
    assert () == verdict.coverage.errored


def test_stopped__the_finished_part_is_decided_on() -> None:
    """Twenty of twenty-four cases are enough to pass."""
    verdict = verdict_of(stopped(20), BASELINE)

    assert ("pass", 0) == (verdict.status, verdict.exit_code)
    assert 20 == verdict.coverage.compared


@pytest.mark.parametrize(
    ("why", "kind", "step"),
    [
        ("the ceiling of $1.00 was reached: raise --max-cost", "budget", "raise --max-cost"),
        ("the deadline of 9 s passed: raise run.timeout_s", "timeout", "raise run.timeout_s in"),
    ],
)
def test_stopped__too_early_to_say_anything(why: str, kind: str, step: str) -> None:
    """A part that can neither fail nor pass is no verdict, and the cause is named."""
    verdict = verdict_of(stopped(3, why), BASELINE)

    assert ("broken", 3) == (verdict.status, verdict.exit_code)
    assert "ended early with 3 of 24 cases, too few to fail or to pass. After 3 of" in (
        verdict.headline
    )
    assert verdict.broken == Failure(kind=kind, message=f"after 3 of 24 cases, {why}")  # type: ignore[arg-type]  # a kind
    assert step in (verdict.next_step or "")


@pytest.mark.parametrize(
    ("cases", "policy", "status"),
    [(10, Policy(), "inconclusive"), (20, Policy(q=1e-7), "pass")],
)
def test_stopped__a_part_that_can_only_fail_or_only_pass(
    cases: int, policy: Policy, status: str
) -> None:
    """Ten cases can fail, and twenty pass though they could not fail: either is a verdict."""
    assert status == verdict_of(stopped(cases), BASELINE, policy).status


def test_stopped__too_early_for_a_row_that_decides_nothing_anyway() -> None:
    """Without a licence, or narrowed by hand, there were only numbers to be had."""
    stale = verdict_of(stopped(3), BASELINE, None, "stale")
    narrowed = verdict_of(stopped(3), BASELINE, narrowed=True)

    assert ["report", "report"] == [stale.status, narrowed.status]


@pytest.mark.parametrize("policy", [Policy(report_only=True), Policy(rule="threshold")])
def test_stopped__too_early_where_no_power_is_asked_for(policy: Policy) -> None:
    """Report-only decides nothing anyway, and a plain threshold always can."""
    assert verdict_of(stopped(3), BASELINE, policy).status in ("report", "pass")


@pytest.mark.parametrize(
    ("shard", "said"),
    [
        ("2/8", "put the 8 parts together, then decide: `gate merge part*/run.json -o whole/"),
        ("2/4", "`gate merge part1/run.json part2/run.json part3/run.json part4/run.json -o who"),
    ],
)
def test_part__of_many(shard: str, said: str) -> None:
    """From five parts on a pattern names them."""
    part = ended(12)
    part = part.model_copy(update={"plan": part.plan.model_copy(update={"shard": shard})})

    assert said in (verdict_of(part, BASELINE).next_step or "")


def test_report__narrowed_by_hand_to_some_of_the_cases() -> None:
    """Of targets that were asked, an option narrowed the plan."""
    plan = Plan(case_ids=CASES[:20], total=24, narrowed=True)
    run = run_of(columns([0.8] * 20), plan=plan)
    asked = tuple(TargetInfo(name=one.name, use="gemini") for one in run.targets)
    planned = tuple(TargetInfo(name=one.name, use="recorded", settings="s") for one in run.targets)
    mixed = (TargetInfo(name="t", use="recorded"), TargetInfo(name="u", use="gemini"))

    for targets in (asked, planned, mixed):
        verdict = verdict_of(run.model_copy(update={"targets": targets}), BASELINE)
        assert "Narrowed by hand: numbers without a verdict." == verdict.headline


def test_report__answers_from_anywhere() -> None:
    """Nobody narrowed them with an option: what they lack is a plan."""
    run = run_of(columns([0.8] * 20), plan=Plan(case_ids=CASES[:20], total=24, narrowed=True))
    targets = tuple(TargetInfo(name=one.name, use="recorded") for one in run.targets)

    verdict = verdict_of(run.model_copy(update={"targets": targets}), BASELINE)

    assert "Answers without a plan, to 20 of 24 cases: numbers without a verdict." == (
        verdict.headline
    )
    assert "answer every case of the dataset" in (verdict.next_step or "")
