"""Single categories of a row, in numbers and before any rule.

A drop in one of six categories is a sixth of it in the mean over all: there it drowns. So each
category with enough compared cases has a row of its own, with a test that is made for few cases.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.decision.rounding import RESULT_PLACES, result
from gate.decision.rows import guard_of, margin_of, sign_of
from gate.decision.spread import spread_of
from gate.stats.categories import CategoryTest, category_tests
from gate.stats.columns import Repeats, rounded
from gate.stats.design import Design
from gate.stats.power import smallest_visible_drop
from gate.types import Differences, Metric, Policy, Row

MOST_CASES = 5
"""Cases of a category that its row holds: those that fell most."""


def category_rows(
    row: Row, metric: Metric, policy: Policy, clusters: Mapping[str, str], seed: str
) -> tuple[Row, ...]:
    """Give a row for each category of a row that has enough compared cases, by their names.

    None where the direction is not known, for watched metrics, and where there is one category
    only. Their means are plain: within a category every case counts alike.
    """
    if row.p is None or metric.watched or not policy.category_share or policy.rule == "threshold":
        return ()
    cases = row.differences
    shared = [clusters.get(case, f"\x1f{case}") for case in cases.case_ids] if clusters else None
    tests = category_tests(
        Repeats.until(cases.new, cases.new_ends),
        Repeats.until(cases.base, cases.base_ends),
        cases.categories,
        clusters=shared,
        fewest=policy.category_cases,
        seed=seed,
    )
    return tuple(_row(row, metric, policy, test, shared) for test in tests)


def _row(
    row: Row, metric: Metric, policy: Policy, test: CategoryTest, clusters: list[str] | None
) -> Row:
    places, cases = test.places, row.differences
    sign = sign_of(metric, policy) or 1.0
    before, now = (
        rounded([column[place] for place in places], RESULT_PLACES)
        for column in (cases.baselines, cases.currents)
    )
    delta = rounded(now - before, RESULT_PLACES)
    own = None if clusters is None else [clusters[place] for place in places]
    design = Design(clusters=own if own is not None and len(set(own)) < len(own) else None)
    guard = guard_of(metric.unit, margin_of(metric.name, policy))
    spread = spread_of(delta, design, guard, policy.pass_level)
    low, high = spread.low, spread.high
    if low is not None and high is not None:
        low, high = sorted((result(sign * low), result(sign * high)))
    signed = result(design.mean(delta))
    fallen = sorted((d, place) for d, place in zip(delta.tolist(), places, strict=True) if d < 0.0)
    return row.model_copy(
        update={
            "category": test.category,
            "baseline": result(sign * design.mean(before)),
            "current": result(sign * design.mean(now)),
            "delta": result(sign * signed),
            "signed": signed,
            "low": low,
            "high": high,
            "guarded": spread.guarded,
            "p": test.p,
            "p_method": "t",
            "worst_signed": None,
            "worst_p": None,
            "n": len(places),
            "expected": len(places),
            "nonzero": int((delta != 0.0).sum()),
            "worse": int((delta < 0.0).sum()),
            "better": int((delta > 0.0).sum()),
            "sd": spread.sd,
            "weighted": False,
            "clusters": design.units,
            "smallest_visible_drop": smallest_visible_drop(spread.sd, len(places)),
            "newly_unscored": (),
            "undefined": 0,
            "differences": Differences.of(cases[place] for _, place in fallen[:MOST_CASES]),
        }
    )
