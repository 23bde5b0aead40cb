"""The rule of single cases: always right in the baseline, always wrong now.

A mean over all cases makes little of one that broke for good. Such cases are named, and those that
the dataset marks as `required` fail the run, in dimensions that may. What it cannot see: whether a
case with a single new answer broke or was unlucky once. So only what never fails should be
required.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gate.decision.judged import Judged
from gate.decision.rounding import result
from gate.decision.rows import FRACTION, margin_of, sign_of
from gate.decision.sides import scored
from gate.stats.always import turned_wrong
from gate.types import Cell, FallenCase, Metric, Plan, Policy, Rule, Run

FEWEST = 3
"""Baseline answers from which a case counts as always right."""

MOST_NAMED = 20
"""Cases that are named although they fail nothing."""


def fallen_cases(
    rows: Sequence[Judged], metrics: Mapping[str, Metric], plan: Plan, policy: Policy
) -> tuple[FallenCase, ...]:
    """Name the cases of gating rows that fell from always right to always wrong.

    Right is a score of the dimension's `floor` or better, in each of three baseline answers or
    more; the mean must have fallen by the margin, too, so that a score beside the floor is no fall.
    A dimension of a provisional licence names cases and fails none.
    """
    if policy.fallen_cases == "off":
        return ()
    found = [
        fallen
        for row in rows
        if row.standing.gating and row.finding.outcome in ("regression", "pass", "inconclusive")
        for fallen in _of_row(row, metrics, plan, policy)
    ]
    failing = [one for one in found if one.fails]
    # Where a whole dimension fell, its table row says it; where it did not fall again, nothing did.
    fell = {
        (row.finding.target, row.finding.dimension)
        for row in rows
        if row.finding.outcome == "regression" or row.said.doubt == "unconfirmed"
    }
    others = sorted(
        (one for one in found if not one.fails and (one.target, one.dimension) not in fell),
        key=lambda one: (not one.required, -abs(one.baseline - one.current)),
    )
    return (*failing, *others[:MOST_NAMED])


def after_second_look(
    fallen: Sequence[FallenCase], run: Run, metrics: Mapping[str, Metric], policy: Policy
) -> tuple[FallenCase, ...]:
    """Let fail only those that were asked again and broke again, where the base was right again.

    Cases without a fresh score on both sides stand as they were. Those that fail come first.
    """
    if run.confirm is None or not policy.confirm or policy.rule == "threshold":
        return tuple(fallen)
    candidate, base = (
        {(cell.target, cell.case_id): cell for cell in cells}
        for cells in (run.confirm.candidate, run.confirm.base)
    )
    looked = [_looked(one, candidate, base, metrics, policy) for one in fallen]
    return tuple(sorted(looked, key=lambda one: not one.fails))


def _looked(
    one: FallenCase,
    candidate: Mapping[tuple[str, str], Cell],
    base: Mapping[tuple[str, str], Cell],
    metrics: Mapping[str, Metric],
    policy: Policy,
) -> FallenCase:
    metric = metrics[one.dimension]
    floor, sign = floor_of(metric, policy), sign_of(metric, policy)
    place = (one.target, one.case_id)
    now, then = (scored(arm.get(place), metric.name) for arm in (candidate, base))
    if not one.fails or not now or not then or floor is None or sign is None:
        return one
    wrong = max(sign * value for value in now) < sign * floor
    right = min(sign * value for value in then) >= sign * floor
    word = "confirmed" if wrong and right else "not confirmed"
    return one.model_copy(update={"fails": wrong and right, "second_look": word})


def floor_of(metric: Metric, policy: Policy) -> float | None:
    """Give the score from which an answer is right; None where nobody said it."""
    own = policy.rules.get(metric.name, Rule()).floor
    return policy.floor if own is None and metric.unit == FRACTION else own


def _of_row(
    row: Judged, metrics: Mapping[str, Metric], plan: Plan, policy: Policy
) -> Iterable[FallenCase]:
    numbers = row.standing.row
    metric = metrics.get(numbers.dimension)
    floor = None if metric is None else floor_of(metric, policy)
    sign = None if metric is None else sign_of(metric, policy)
    if floor is None or sign is None:
        return
    cases = numbers.differences
    new, base = (cases.new, cases.new_ends), (cases.base, cases.base_ends)
    for place in turned_wrong(new, base, sign * floor, fewest=FEWEST):
        before, now = cases.baselines[place], cases.currents[place]
        if result(before - now) < margin_of(numbers.dimension, policy):
            continue
        required = cases.case_ids[place] in plan.required
        asked = policy.fallen_cases == "all" or (required and policy.fallen_cases == "required")
        yield FallenCase(
            target=numbers.target,
            case_id=cases.case_ids[place],
            dimension=numbers.dimension,
            baseline=result(sign * before),
            current=result(sign * now),
            required=required,
            fails=asked and not row.standing.weak,
        )
