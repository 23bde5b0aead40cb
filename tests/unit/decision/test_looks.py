"""Sequential looks: shares of the error rates, and what a verdict says of them."""

from __future__ import annotations

import pytest

from gate.decision.looks import SHARES, at_look, spared
from gate.decision.on_head import NOTHING, decide_on_head
from gate.types import Plan, Policy, Verdict
from tests.unit.decision.decision_samples import baseline_of, columns, licence, run_of

N = 24
CASES = tuple(f"case-{i:02d}" for i in range(N))


def test_at_look__boundaries_of_the_reference() -> None:
    """Q = .005, .030, .065, which sum to 0.10; the same shares of the rate of false passes."""
    plans = [Plan(looks=3, look=1), Plan(looks=3, look=2), Plan(looks=3)]
    rules = [at_look(Policy(), plan) for plan in plans]

    assert pytest.approx([0.005, 0.030, 0.065]) == [one.q for one in rules]
    assert pytest.approx([0.0025, 0.015, 0.0325]) == [one.pass_level for one in rules]
    assert pytest.approx([0.001, 0.006, 0.013]) == [one.operations_q for one in rules]
    assert pytest.approx(1.0) == sum(SHARES)
    assert {0.10} == {one.confirm_q for one in rules}


def test_at_look__one_look_keeps_the_rules() -> None:
    """The very same object."""
    policy = Policy()

    assert policy is at_look(policy, Plan())


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (Plan(looks=3, planned=72), " Decided at the last of 3 looks."),
        (Plan(looks=3, look=1), " Decided at the last of 3 looks."),
    ],
)
def test_spared__nothing_where_the_plan_was_gone_through(plan: Plan, said: str) -> None:
    """A run that ended at no look, or whose plan is not known, spared nothing."""
    assert said == spared(plan)


def decided(drop: float, fallen: int, plan: Plan) -> Verdict:
    """The verdict on a run of which some cases fell."""
    run = run_of(columns([0.9 - drop] * fallen + [0.9] * (N - fallen)))
    baseline = baseline_of(run_of(columns([0.9] * N)))
    found = run.model_copy(update={"plan": plan.model_copy(update={"case_ids": CASES})})
    _, verdict = decide_on_head(found, baseline, [licence()], Policy(), NOTHING)
    return verdict


@pytest.mark.parametrize(
    ("plan", "status"),
    [
        (Plan(total=N), "regression"),
        (Plan(total=N, looks=3), "regression"),
        (Plan(total=72, looks=3, look=1, planned=72), "inconclusive"),
    ],
)
def test_decide_on_head__six_fallen_cases(plan: Plan, status: str) -> None:
    """P = 1/64: enough at one look and at the last, too little at the first."""
    assert status == decided(0.6, 6, plan).status


def test_decide_on_head__passes_early_and_says_what_it_spared() -> None:
    """24 of 72 cases without any change; and what is said at the last look."""
    first = decided(0.0, 0, Plan(total=72, looks=3, look=1, planned=72))
    last = decided(0.0, 0, Plan(total=N, looks=3))

    assert ["pass", "pass"] == [first.status, last.status]
    said = "Decided at look 1 of 3: 48 of 72 cases need not be asked (67% of the calls spared)."
    assert first.headline.endswith(said)
    assert last.headline.endswith("Decided at the last of 3 looks.")
    assert "" == spared(Plan())


def test_decide_on_head__pass_level_of_a_look() -> None:
    """What passes at one look is not yet enough at the first of three."""
    drop, fallen = 0.05, 12
    once = decided(drop, fallen, Plan(total=N))
    early = decided(drop, fallen, Plan(total=72, looks=3, look=1, planned=72))

    assert ["pass", "inconclusive"] == [once.status, early.status]
