"""The one sentence on top."""

from __future__ import annotations

import pytest

from gate.decision.headline import inconclusive, passed, power, regressions
from gate.decision.judged import Judged
from gate.decision.outcomes import Doubt, Said
from gate.decision.standing import Standing
from gate.types import (
    Comparison,
    Coverage,
    Finding,
    Outcome,
    Plan,
    Policy,
    Row,
    Rule,
    Trust,
)
from tests.unit.decision.decision_samples import baseline_of, columns, licence, run_of, verdict_of

NARROW = Policy(rules={"relevance": Rule(margin=0.05)})


def judged(
    dimension: str = "correctness",
    outcome: Outcome = "inconclusive",
    *,
    n: int = 24,
    sd: float | None = 0.2,
    category: str | None = None,
    signed: float = -0.2,
    averages_only: bool = False,
) -> Judged:
    """A row of `t`."""
    row = Row(
        target="t",
        dimension=dimension,
        judged=True,
        direction_known=True,
        category=category,
        baseline=1.0,
        current=1.0 + signed,
        delta=signed,
        signed=signed,
        n=n,
        sd=sd,
        averages_only=averages_only,
    )
    finding = Finding(
        target="t",
        dimension=dimension,
        category=category,
        gating=True,
        trust=Trust(state="validated"),
        baseline=row.baseline,
        current=row.current,
        delta=row.delta,
        n=n,
        worse=4,
        outcome=outcome,
        averages_only=averages_only,
    )
    doubt: Doubt | None = "noise" if outcome == "inconclusive" else None
    return Judged(
        Standing(row, licence(dimension), None, None), Said(outcome, doubt=doubt), finding
    )


def of_cases(cases: int) -> Comparison:
    """A comparison of a plan of so many cases."""
    return Comparison(coverage=Coverage(cases=cases))


def test_passed__margins_stand_from_the_smallest_to_the_largest() -> None:
    """Whatever the order of the rows."""
    rows = [judged("correctness", "pass"), judged("relevance", "pass")]

    said = passed(rows, of_cases(24), NARROW)

    assert said.startswith(
        "Pass: no drop larger than 0.05 in relevance and no drop larger than 0.10 in correctness."
    )


def test_passed__one_row_of_averages_makes_it_a_plain_pass() -> None:
    """What cannot tell noise from a drop anywhere claims no more than what it saw."""
    rows = [judged("correctness", "pass"), judged("relevance", "pass", averages_only=True)]

    assert (
        "Pass: no mean drop larger than 0.05 in correctness and relevance; a plain threshold "
        "cannot tell noise from a drop."
    ) == passed(rows, of_cases(24), Policy())


@pytest.mark.parametrize(
    ("n", "sd", "margin", "blamed"),
    [
        (24, 0.2, 0.10, "too noisy"),
        (24, 0.0, 0.10, "too few cases"),
        (24, None, 0.10, "too few cases"),
        (12, 0.2, 0.10, "too few cases"),
        (13, 0.2, 0.10, "too noisy"),
        (12, 0.2, 0.0, "too noisy"),
    ],
)
def test_inconclusive__noise_is_blamed_where_there_is_some_and_cases_enough(
    n: int, sd: float | None, margin: float, blamed: str
) -> None:
    """13 cases without any change pass at a margin of 0.10, and no number at a margin of 0."""
    said = inconclusive([judged(n=n, sd=sd)], Policy(margin=margin))

    assert f"No regression found; {blamed} to rule out a drop of {margin:.2f} in correctness." == (
        said
    )


def test_regressions__single_categories_stand_behind_rows_of_all_cases() -> None:
    """Even one that fell further."""
    rows = [
        judged("correctness", "regression", category="maths", signed=-0.5),
        judged("correctness", "regression", signed=-0.125),
        judged("relevance", "regression", signed=-0.25),
    ]

    said = regressions(rows, (), (), (), run_of(columns([1.0])))

    assert ["relevance fell", "correctness fell", "correctness in category maths fell"] == [
        one.partition(" by ")[0] for one in said
    ]


def test_power__says_how_many_cases_the_narrowest_margin_takes() -> None:
    """27 without any change pass at a margin of 0.05, 13 at one of 0.10; no number at 0."""
    rows = [judged("correctness", n=3), judged("relevance", n=3)]

    narrow = power(rows, of_cases(3), NARROW)
    never = power(rows, of_cases(3), Policy(margin=0.0))

    plan = " A plan of 3 cases can neither fail nor pass"
    assert f"{plan}: to pass, each dimension needs 27 compared cases." == narrow
    assert f"{plan}." == never


def test_power__where_neither_can_be_it_goes_by_the_row_with_most_cases() -> None:
    """Two tests of four cases and three: 2 / 2^4 is above 0.10, so not even the larger can fail."""
    rows = [judged("correctness", n=3), judged("relevance", n=4)]

    assert power(rows, of_cases(6), Policy()).startswith(
        " A plan of 6 cases, 4 of them compared, can neither fail nor pass: "
    )


def test_power__a_plain_threshold_needs_no_number_of_cases() -> None:
    """Nor do averages, which have none."""
    assert "" == power([judged(n=3, averages_only=True)], of_cases(3), Policy())
    assert "" == power([judged(n=3)], of_cases(3), Policy(rule="threshold"))


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (None, " A plan of 3 cases can"),
        (Plan(case_ids=("a", "b", "c"), planned=40), " A plan of 3 cases can"),
        (Plan(case_ids=("a", "b", "c"), look=1), " A plan of 3 cases can"),
        (
            Plan(case_ids=("a", "b", "c"), look=1, planned=40),
            " 3 of 40 cases were asked so far: these can",
        ),
    ],
)
def test_power__of_a_look_speaks_where_the_run_stopped_at_one(plan: Plan | None, said: str) -> None:
    """A run that ended early for another reason has no look to speak of."""
    found = power([judged(n=3)], of_cases(3), Policy(), plan)

    assert found.startswith(said)
    assert ("at this look" in found) is ("so far" in said)


def test_regressions__a_mean_that_others_lifted_again() -> None:
    """With `min_effect: 0`, two broken cases fail a run in which twenty got better by as much."""
    before = columns([[1.0] * 3] * 2 + [[0.93] * 3] * 20)
    now = columns([[0.3] * 3] * 2 + [[1.0] * 3] * 20)
    policy = Policy(min_effect=0.0, fallen_cases="name")

    found = verdict_of(run_of(now), baseline_of(run_of(before)), policy)

    assert "regression" == found.status
    assert (
        "correctness kept its mean (0.94 → 0.94), but 2 of 22 answers got worse" in found.headline
    )
