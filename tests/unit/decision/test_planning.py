"""Can a plan decide anything?"""

from __future__ import annotations

import pytest

from gate.decision.planning import (
    cases_to_pass,
    comparable_cases,
    comparable_units,
    units_among,
)
from gate.decision.verdict import PlanPower, check_plan, refuse_plan
from gate.errors import PlanError
from gate.types import Plan, Policy, Rule
from tests.unit.decision.decision_samples import CORRECTNESS, RELEVANCE, baseline_of, cell, run_of


@pytest.mark.parametrize(
    ("cases", "tests", "can_fail", "can_pass"),
    [
        (7, 18, False, False),  # 18 / 128 = 0.14
        (8, 18, True, False),  # 18 / 256 = 0.07
        (12, 3, True, False),
        (13, 3, True, True),
        (13, 1000, False, True),  # 1000 / 8192 = 0.12
        (0, 3, False, False),
        (24, 0, False, False),
    ],
)
def test_check_plan__by_cases_and_tests(
    cases: int, tests: int, *, can_fail: bool, can_pass: bool
) -> None:
    """It fails from M x 2^-n <= 0.10, and passes from 13 cases at a margin of 0.10."""
    assert check_plan(cases, tests, Policy()) == PlanPower(can_fail, can_pass)


def test_check_plan__narrowest_margin_of_the_dimensions() -> None:
    """A dimension with a margin of its own needs more cases to pass."""
    policy = Policy(rules={"faithfulness": Rule(margin=0.05)})
    assert check_plan(20, 2, policy, ["correctness"]).can_pass
    assert not check_plan(20, 2, policy, ["correctness", "faithfulness"]).can_pass


def test_check_plan__plain_threshold() -> None:
    """The plain threshold needs no number of cases."""
    assert check_plan(1, 1, Policy(rule="threshold")) == PlanPower(can_fail=True, can_pass=True)


@pytest.mark.parametrize("cases", [0, [], [0, 0]])
def test_check_plan__of_no_case_says_nothing_by_any_rule(cases: int | list[int]) -> None:
    """There is nothing to compare."""
    neither = PlanPower(can_fail=False, can_pass=False)

    assert neither == check_plan(cases, 1, Policy(rule="threshold"))
    assert neither == check_plan(cases, 1, Policy(q=0.5))


def test_cases_to_pass__of_another_unit_go_by_its_own_margin() -> None:
    """The guard is five margins there, as 0.5 is five of 0.10: the same 13 cases."""
    assert 13 == cases_to_pass(0.10, 0.05)
    assert 13 == cases_to_pass(20.0, 0.05, "words")


def test_refuse_plan__neither() -> None:
    """A plan that can say nothing is refused with the numbers and what to do."""
    with pytest.raises(
        PlanError,
        match=r"^4 cases and 3 tests \(targets x gating dimensions\) can neither fail nor pass: "
        r"to fail it takes 5 cases, to pass 13 at a margin of 0\.10\. Run more cases",
    ):
        refuse_plan(4, 3, Policy())


def test_refuse_plan__no_number_of_cases_passes() -> None:
    """A margin of nothing cannot be passed."""
    with pytest.raises(PlanError, match=r"to pass more than 100000 at a margin of 0\.00"):
        refuse_plan(4, 3, Policy(margin=0.0))


@pytest.mark.parametrize(
    ("cases", "tests", "policy"),
    [
        (8, 3, Policy()),
        (13, 1000, Policy()),
        (4, 3, Policy(report_only=True)),
        (4, 0, Policy()),
    ],
)
def test_refuse_plan__let_through(cases: int, tests: int, policy: Policy) -> None:
    """One of both is enough; report-only runs and runs that gate nothing claim nothing."""
    assert refuse_plan(cases, tests, policy) == check_plan(cases, tests, policy)


def test_check_plan__tests_of_unlike_many_cases() -> None:
    """One test that can fail is enough to fail; all must be able to pass to pass."""
    assert check_plan([24, 3], 2, Policy()) == PlanPower(can_fail=True, can_pass=False)
    assert check_plan([3, 1], 2, Policy()) == PlanPower(can_fail=False, can_pass=False)
    assert check_plan([], 0, Policy()) == PlanPower(can_fail=False, can_pass=False)


def test_comparable_cases__only_what_the_baseline_holds() -> None:
    """Planned, of a target that is asked, and scored; rows without any are left out."""
    base = baseline_of(
        run_of(
            [
                cell("t", "a", {"correctness": [1.0], "relevance": [None]}),
                cell("t", "b", {"correctness": [None, 1.0], "relevance": [1.0, None]}),
                cell("t", "gone", {"correctness": [1.0], "relevance": [1.0]}),
                cell("u", "a", {"correctness": [None], "relevance": [1.0]}),
                cell("other", "a", {"correctness": [1.0]}),
            ],
            [CORRECTNESS, RELEVANCE],
        )
    )
    plan = Plan(case_ids=("a", "b", "new"))

    assert comparable_cases(plan, base, ["t", "u"], ["correctness", "relevance"]) == {
        ("t", "correctness"): 2,
        ("t", "relevance"): 1,
        ("u", "relevance"): 1,
    }


def test_refuse_plan__baseline_of_a_few_of_the_planned_cases() -> None:
    """24 planned cases are no help where the baseline holds three of them."""
    with pytest.raises(
        PlanError,
        match=r"^The baseline holds scores of 3 of the 24 planned cases: 3 cases and 2 tests .*"
        r"Make a baseline of more cases, run more cases \(`--sample`\), or `--report-only`",
    ):
        refuse_plan([3, 1], 2, Policy(), planned=24)


def test_refuse_plan__baseline_of_all_planned_cases() -> None:
    """Then the plan itself is too small, and the baseline is not blamed; 1 / 2^4 is below 0.10."""
    with pytest.raises(
        PlanError, match=r"^3 cases and 1 test .*to fail it takes 4 cases, .*Run more cases"
    ):
        refuse_plan([3], 1, Policy(), planned=3)


def test_refuse_plan__of_no_case_at_a_rate_that_one_case_reaches() -> None:
    """One test of one case: 1 / 2 is 0.5."""
    with pytest.raises(PlanError, match=r"^0 cases and 1 test .*to fail it takes 1 case"):
        refuse_plan(0, 1, Policy(q=0.5))


@pytest.mark.parametrize(
    ("clusters", "units"),
    [
        ({}, 4),
        ({"a": "x", "b": "x"}, 3),
        ({"a": "x", "b": "x", "c": "y", "d": "y"}, 2),
        ({"a": "b", "gone": "x"}, 4),
    ],
)
def test_units_among__each_cluster_and_each_case_of_none(
    clusters: dict[str, str], units: int
) -> None:
    """Of four cases; a cluster that is called like a case is another thing than that case."""
    assert units == units_among(["a", "b", "c", "d"], clusters)


def test_comparable_units__of_the_cases_that_can_be_compared() -> None:
    """Of two clusters of two cases the baseline has scores of one, and of a case by itself."""
    base = baseline_of(
        run_of(
            [cell("t", case, {"correctness": [1.0]}) for case in ("a", "b", "single")]
            + [cell("t", case, {"correctness": [None]}) for case in ("c", "d")]
        )
    )
    plan = Plan(
        case_ids=("a", "b", "c", "d", "single"),
        clusters={"a": "x", "b": "x", "c": "y", "d": "y"},
    )

    assert {("t", "correctness"): 3} == comparable_cases(plan, base, ["t"], ["correctness"])
    assert {("t", "correctness"): 2} == comparable_units(plan, base, ["t"], ["correctness"])


def test_refuse_plan__few_clusters_of_many_cases() -> None:
    """48 cases of three documents are three: 2 tests / 2^4 is above 0.10, so that five can fail."""
    with pytest.raises(
        PlanError,
        match=r"^48 cases in 3 clusters and 2 tests \(targets x gating dimensions\) can neither "
        r"fail nor pass: to fail it takes 5 clusters of cases, to pass 13 at a margin of 0\.10\. "
        r"Run cases of more clusters \(`--sample`\), or `--report-only`",
    ):
        refuse_plan([48, 48], 2, Policy(), planned=48, units=[3, 3])


def test_refuse_plan__few_clusters_in_a_baseline_of_a_few_of_the_planned_cases() -> None:
    """The sentence speaks of the test with most clusters, by which a plan can fail."""
    with pytest.raises(
        PlanError,
        match=r"^The baseline holds scores of 9 of the 24 planned cases: 9 cases in 3 clusters and "
        r"2 tests .*Make a baseline of more cases, run cases of more clusters \(`--sample`\)",
    ):
        refuse_plan([10, 9], 2, Policy(), planned=24, units=[1, 3])


@pytest.mark.parametrize(
    ("units", "able"),
    [
        (4, PlanPower(can_fail=True, can_pass=False)),
        (12, PlanPower(can_fail=True, can_pass=False)),
        (13, PlanPower(can_fail=True, can_pass=True)),
    ],
)
def test_refuse_plan__clusters_are_held_to_what_cases_are(units: int, able: PlanPower) -> None:
    """One test fails from 1 / 2^4, and thirteen that did not change pass."""
    assert able == refuse_plan([48], 1, Policy(), units=[units])


def test_refuse_plan__cases_that_are_each_their_own_keep_the_words() -> None:
    """Where no case belongs to another there is no word of clusters."""
    with pytest.raises(PlanError, match=r"^4 cases and 3 tests .*takes 5 cases, .*Run more cases"):
        refuse_plan([4, 4, 4], 3, Policy(), planned=4, units=[4, 4, 4])
