"""Cases that fell from always right to always wrong."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.fallen import fallen_cases
from gate.decision.judged import Judged
from gate.decision.outcomes import Said
from gate.decision.standing import Standing
from gate.types import (
    Difference,
    Differences,
    FallenCase,
    Finding,
    Metric,
    Plan,
    Policy,
    Row,
    Rule,
    Trust,
)
from tests.unit.decision.decision_samples import CORRECTNESS, licence

LOSS = Metric(name="loss", judged=False, better="lower", unit="nats")
LOSS_RULE = Policy(rules={"loss": Rule(floor=0.5, margin=0.2, min_effect=0.1)})


def fallen(
    ends: Sequence[tuple[float, float]],
    metric: Metric = CORRECTNESS,
    policy: Policy | None = None,
    plan: Plan | None = None,
) -> tuple[FallenCase, ...]:
    """The fallen cases of one gating row; `ends` are each case's scores before and now."""
    sign = -1.0 if metric.better == "lower" else 1.0
    differences = Differences.of(
        Difference(
            case_id=f"case-{place}",
            category="c",
            baseline=sign * before,
            current=sign * now,
            new=(sign * now,),
            base=(sign * before,) * 3,
        )
        for place, (before, now) in enumerate(ends)
    )
    row = Row(
        target="t",
        dimension=metric.name,
        judged=metric.judged,
        direction_known=True,
        baseline=None,
        current=None,
        delta=None,
        signed=None,
        differences=differences,
    )
    finding = Finding(
        target="t",
        dimension=metric.name,
        gating=True,
        trust=Trust(state="validated"),
        outcome="inconclusive",
    )
    judged = Judged(Standing(row, licence(metric.name), None, None), Said("inconclusive"), finding)
    rules = policy or Policy()
    return fallen_cases([judged], {metric.name: metric}, plan or Plan(), rules)


def named(found: Sequence[FallenCase]) -> list[str]:
    """The cases, in the order in which they are named."""
    return [one.case_id for one in found]


def test_fallen_cases__a_score_beside_the_floor_hides_no_case_behind_it() -> None:
    """0.5 to 0.45 is less than the margin of 0.10; the next case fell by all."""
    assert ["case-1"] == named(fallen([(0.5, 0.45), (1.0, 0.0)]))


def test_fallen_cases__a_fall_of_just_the_margin_counts() -> None:
    """0.9 - 0.8 is 0.10, which it is not in binary floats."""
    policy = Policy(floor=0.85)

    assert ["case-0"] == named(fallen([(0.9, 0.8)], policy=policy))
    assert [] == named(fallen([(0.9, 0.81)], policy=policy))


def test_fallen_cases__required_ones_first_then_the_largest_fall() -> None:
    """Of those that fail nothing."""
    policy = Policy(fallen_cases="name")
    plan = Plan(required=("case-3",))
    ends = [(1.0, 0.25), (1.0, 0.0), (1.0, 0.125), (1.0, 0.375)]

    assert ["case-3", "case-1", "case-2", "case-0"] == named(fallen(ends, policy=policy, plan=plan))


def test_fallen_cases__where_lower_is_better_the_largest_rise_is_first() -> None:
    """Right is a loss of 0.5 or less; the figures have the metric's own direction."""
    found = fallen([(0.25, 1.0), (0.25, 3.0), (0.25, 2.0)], LOSS, LOSS_RULE)

    assert ["case-1", "case-2", "case-0"] == named(found)
    assert [(0.25, 3.0), (0.25, 2.0), (0.25, 1.0)] == [(one.baseline, one.current) for one in found]


def test_fallen_cases__a_mean_of_nothing_has_no_sign() -> None:
    """Turned round for the comparison and back again, zero is no minus zero."""
    below = LOSS_RULE.model_copy(update={"rules": {"loss": Rule(floor=-0.5, margin=0.2)}})

    (was,) = fallen([(0.0, 1.0)], LOSS, LOSS_RULE)
    (is_now,) = fallen([(-1.0, 0.0)], LOSS, below)

    assert ("0.0", "1.0") == (str(was.baseline), str(was.current))
    assert ("-1.0", "0.0") == (str(is_now.baseline), str(is_now.current))
