"""Cases that were right every time and are wrong every time now."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.comparison import compare
from gate.decision.fallen import fallen_cases
from gate.decision.judged import Judged
from gate.decision.outcomes import Said
from gate.decision.standing import Standing
from gate.types import FallenCase, Finding, Metric, Outcome, Plan, Policy, Rule, Trust
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    baseline_of,
    columns,
    licence,
    run_of,
)

SECONDS = Metric(name="seconds", better="lower", unit="s")
RULES = Policy(floor=0.5, margin=0.05)


def fallen(
    base: Sequence[Sequence[float]],
    new: Sequence[Sequence[float]],
    policy: Policy = RULES,
    metric: Metric = CORRECTNESS,
    outcome: Outcome = "inconclusive",
) -> tuple[FallenCase, ...]:
    """The fallen cases of one row that may fail the run."""
    before, now = (run_of(columns(side, metric=metric.name), [metric]) for side in (base, new))
    (row,) = compare(now, baseline_of(before), policy).rows
    agreement = licence(metric.name)
    judged = Judged(
        standing=Standing(row, agreement, None, None),
        said=Said(outcome),
        finding=Finding(
            target="t",
            dimension=metric.name,
            gating=True,
            trust=Trust(state="validated"),
            outcome=outcome,
        ),
    )
    return fallen_cases([judged], {metric.name: metric}, Plan(required=("case-00",)), policy)


def test_fallen__a_fall_of_just_the_margin_counts() -> None:
    """0.3 - 0.25 is a little below 0.05 in doubles, and 0.05 for people; 0.3 - 0.26 is no fall."""
    policy = Policy(floor=0.3, margin=0.05)
    found = fallen([[0.3] * 3] * 3, [[0.26], [0.25], [0.1]], policy)

    assert ["case-02", "case-01"] == [one.case_id for one in found]


def test_fallen__means_have_nine_decimals() -> None:
    """2.8 / 3 fell to 0.4 / 3."""
    (one,) = fallen([[0.9, 0.9, 1.0]], [[0.1, 0.1, 0.2]])

    assert (0.933333333, 0.133333333) == (one.baseline, one.current)


def test_fallen__those_that_fell_furthest_stand_first() -> None:
    """Of seconds the fall is a rise, and the numbers are those that were measured."""
    policy = Policy(rules={"seconds": Rule(floor=2.0)}, margin=0.05, fallen_cases="name")
    found = fallen([[1.0] * 3] * 3, [[1.5], [5.0], [9.0]], policy, SECONDS)

    assert [("case-02", 1.0, 9.0), ("case-01", 1.0, 5.0)] == [
        (one.case_id, one.baseline, one.current) for one in found
    ]


@pytest.mark.parametrize(("before", "now"), [(0.0, 5.0), (-5.0, 0.0)])
def test_fallen__zero_has_no_sign(before: float, now: float) -> None:
    """Lower is better, so numbers are turned and turned back: none of them becomes -0.0."""
    policy = Policy(rules={"seconds": Rule(floor=before + 1.0)}, margin=0.05)
    (one,) = fallen([[before] * 3], [[now]], policy, SECONDS)

    assert (str(before), str(now)) == (str(one.baseline), str(one.current))


def test_fallen__those_that_fail_and_required_ones_stand_before_others() -> None:
    """`case-00` is required and fell less."""
    new = [[0.4], [0.1]]

    assert ["case-00", "case-01"] == [one.case_id for one in fallen([[0.9] * 3] * 2, new)]


def test_fallen__of_a_dimension_that_fell_only_those_that_fail() -> None:
    """Its row of the table says it already."""
    found = fallen([[0.9] * 3] * 2, [[0.1], [0.1]], outcome="regression")

    assert [("case-00", True)] == [(one.case_id, one.fails) for one in found]


def test_fallen__nothing_is_right_where_nobody_knows_which_way_is_better() -> None:
    """A floor alone does not say it."""
    unknown = CORRECTNESS.model_copy(update={"better": "unknown"})

    assert () == fallen([[0.9] * 3], [[0.1]], metric=unknown)


@pytest.mark.parametrize(("answers", "named"), [(2, 0), (3, 1)])
def test_fallen__three_answers_are_always(answers: int, named: int) -> None:
    """Two right ones may have been luck."""
    assert named == len(fallen([[0.9] * answers], [[0.1]]))
