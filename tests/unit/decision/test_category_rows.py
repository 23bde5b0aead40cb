"""Categories: a family of their own, which can fail a run that passes as a whole."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.category_rows import category_rows
from gate.decision.comparison import compare
from gate.decision.outcomes import of_all_cases
from gate.stats.paired import guarded_lower_bound, t_interval
from gate.stats.power import smallest_visible_drop
from gate.types import Baseline, Cell, Finding, Metric, Policy, Rule, Run, Verdict
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    run_of,
    verdict_of,
)

NAMES = ("dates", "numbers", "people", "places", "rules", "texts")


def cells(
    scores: Sequence[Sequence[float]], metric: str = "correctness", target: str = "t"
) -> list[Cell]:
    """Forty-eight cases, eight of each category: `scores` has a list for each category."""
    return [
        cell(target, f"{name}-{i}", {metric: [score] * (5 if target == "-" else 1)}, category=name)
        for name, own in zip(NAMES, scores, strict=True)
        for i, score in enumerate(own)
    ]


def baseline(level: float = 0.9, metrics: Sequence[Metric] = (CORRECTNESS,)) -> Baseline:
    """Five equal answers a case."""
    return baseline_of(
        run_of(
            [
                cell("t", f"{name}-{i}", {m.name: [level] * 5 for m in metrics}, category=name)
                for name in NAMES
                for i in range(8)
            ],
            metrics,
        )
    )


def broke(cases: int, by: float = 0.6) -> Run:
    """A run in which the first cases of `dates` broke."""
    return run_of(cells([[0.9 - by] * cases + [0.9] * (8 - cases), *[[0.9] * 8] * 5]))


def of(verdict: Verdict, category: str | None) -> Finding:
    """The finding of a category, or of all cases."""
    (found,) = [one for one in verdict.comparisons if one.category == category]
    return found


def test_category__that_fell_fails_the_run() -> None:
    """Half of one category broke: the mean over all fell by less than counts, it by far more."""
    policy = Policy(fallen_cases="off")
    verdict = verdict_of(broke(4, 0.58), baseline(), policy)
    found = of(verdict, "dates")

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    assert "regression" != of(verdict, None).outcome
    assert ("regression", True, 8, 4, 0) == (
        found.outcome,
        found.gating,
        found.n,
        found.worse,
        found.better,
    )
    assert (0.9, 0.61, -0.29) == (found.baseline, found.current, found.delta)
    assert tuple(f"dates-{i}" for i in range(4)) == found.worst_cases
    assert (
        "Regression: correctness in category dates fell by 0.29 (0.90 → 0.61; 4 of 8 answers got "
        "worse)." == verdict.headline
    )
    assert set(NAMES) == {one.category for one in verdict.comparisons} - {None}


def test_category__without_tests_is_not_seen() -> None:
    """The same run passes over it where no category is tested."""
    verdict = verdict_of(broke(4, 0.58), baseline(), Policy(category_share=0.0, fallen_cases="off"))

    assert "regression" != verdict.status
    assert [None] == [one.category for one in verdict.comparisons]


def test_category__needs_a_larger_drop_than_all_cases() -> None:
    """0.05 over all is 0.05 sqrt(48 / 8) = 0.122 in a category of eight."""
    small = verdict_of(broke(8, 0.12), baseline())
    large = verdict_of(broke(8, 0.13), baseline())

    assert ("pass", "regression") == (small.status, large.status)
    assert (of(small, "dates").p_adjusted or 1.0) < 0.01


def test_category__families_share_the_rate() -> None:
    """Beside tested categories the rows of all cases have 0.07 of the 0.10, alone all of it."""
    d = [0.1] * 3 + [-0.3] * 7 + [0.0] * 38
    new = run_of(cells([[0.6 + d[6 * i + j] for i in range(8)] for j in range(6)]))
    before = baseline(0.6)
    alone = verdict_of(new, before, Policy(category_share=0.0, min_effect=0.01))
    p = of(alone, None).p_adjusted or 0.0

    beside = verdict_of(new, before, Policy(q=p / 0.9, min_effect=0.01, category_share=0.3))
    assert (
        "regression"
        == verdict_of(new, before, Policy(q=p / 0.9, min_effect=0.01, category_share=0.0))
        .comparisons[0]
        .outcome
    )
    assert "regression" != beside.comparisons[0].outcome


def test_category__of_an_advisory_row_is_not_shown() -> None:
    """What cannot fail the run as a whole cannot by a part of it."""
    verdict = verdict_of(broke(4), baseline(), state="unvalidated")

    assert [None] == [one.category for one in verdict.comparisons]


def test_category__of_an_unmeasured_row_is_not_tested() -> None:
    """Where too many scores are lost, nothing is decided."""
    new = broke(4)
    kept = tuple(one for one in new.cells if one.category not in ("people", "places"))
    verdict = verdict_of(new.model_copy(update={"cells": kept}), baseline())

    assert "broken" == verdict.status
    assert [None] == [one.category for one in verdict.comparisons]


def test_category__provisional_licence_needs_its_own_drop() -> None:
    """A weak licence fails a run from 0.10 only, in a category as well; here 0.122 is more."""
    weak = verdict_of(broke(8, 0.13), baseline(), state="provisional")
    strict = Policy(provisional_drop=0.2)

    assert "regression" == of(weak, "dates").outcome
    assert (
        "inconclusive"
        == of(verdict_of(broke(8, 0.13), baseline(), strict, "provisional"), "dates").outcome
    )


def test_category__own_rule_of_a_dimension() -> None:
    """`min_effect` of a rule is scaled like the policy's."""
    policy = Policy(rules={"correctness": Rule(min_effect=0.1)}, fallen_cases="off")

    assert "regression" != verdict_of(broke(8, 0.2), baseline(), policy).comparisons[1].outcome
    assert "regression" == verdict_of(broke(8, 0.25), baseline(), policy).comparisons[1].outcome


def test_category_rows__lower_is_better() -> None:
    """Shown in the metric's own direction, tested in the one in which down is worse."""
    cost = Metric(name="cost", better="lower")
    new = run_of(cells([[0.7] * 8, *[[0.4] * 8] * 5], "cost"), (cost,))
    comparison = compare(new, baseline(0.4, (cost,)), Policy())
    (row,) = [one for one in comparison.categories if one.category == "dates"]

    assert (0.4, 0.7, 0.3, -0.3) == (row.baseline, row.current, row.delta, row.signed)
    assert (row.low or 0.0) <= 0.3 <= (row.high or 0.0)
    spread = run_of(cells([[0.7, 0.5] * 4, *[[0.4] * 8] * 5], "cost"), (cost,))
    first = compare(spread, baseline(0.4, (cost,)), Policy()).categories[0]
    assert (first.low or 0.0) < 0.2 < (first.high or 0.0)
    assert 5 == len(row.differences)


@pytest.mark.parametrize(
    ("metric", "policy"),
    [
        (Metric(name="correctness", better="unknown"), Policy()),
        (Metric(name="correctness", watched=True), Policy()),
        (Metric(name="correctness"), Policy(rule="threshold")),
        (Metric(name="correctness"), Policy(category_share=0.0)),
        (Metric(name="correctness"), Policy(category_cases=9)),
    ],
)
def test_category_rows__none(metric: Metric, policy: Policy) -> None:
    """No direction, only watched, the plain threshold, switched off, too few cases."""
    new = run_of(cells([[0.3] * 8, *[[0.9] * 8] * 5]), (metric,))

    assert () == compare(new, baseline(0.9, (metric,)), policy).categories


def test_category_rows__clusters_within_a_category() -> None:
    """Eight cases of four sources are four units, and tested where four are enough."""
    new = broke(4)
    clusters = {f"dates-{i}": f"page-{i // 2}" for i in range(8)}
    plan = new.plan.model_copy(update={"clusters": clusters})
    clustered = new.model_copy(update={"plan": plan})
    rows = compare(clustered, baseline(), Policy()).categories
    fewer = compare(clustered, baseline(), Policy(category_cases=4)).categories

    assert "dates" not in {row.category for row in rows}
    (found,) = [row for row in fewer if row.category == "dates"]
    assert (4, 8) == (found.clusters, found.n)
    assert "page-0" not in found.differences[0].case_id


def test_category_rows__two_dimensions_are_one_family() -> None:
    """Twelve tests are adjusted together."""
    both = (CORRECTNESS, RELEVANCE)
    new = run_of(
        [
            cell(
                "t",
                f"{name}-{i}",
                {"correctness": [0.9 - 0.6 * (name == "dates" and i < 4)], "relevance": [0.9]},
                category=name,
            )
            for name in NAMES
            for i in range(8)
        ],
        both,
    )
    verdict = verdict_of(new, baseline(0.9, both))
    found = next(one for one in verdict.comparisons if one.category == "dates")

    assert 12 == sum(one.category is not None for one in verdict.comparisons)
    assert found.p_adjusted == pytest.approx(12 * (found.p or 0.0))


def test_category__of_a_row_that_fell_as_a_whole_is_not_named_again() -> None:
    """A collapse is told once a dimension; the fold has its categories."""
    new = run_of(cells([[0.3] * 8] * 6))
    verdict = verdict_of(new, baseline())

    assert "category" not in verdict.headline
    assert {"regression"} == {one.outcome for one in verdict.comparisons}


def test_category__is_told_in_report_only_mode() -> None:
    """Numbers without a verdict do not pass over it in silence."""
    policy = Policy(report_only=True, fallen_cases="off")
    verdict = verdict_of(broke(4, 0.58), baseline(), policy)

    assert ("report", 0) == (verdict.status, verdict.exit_code)
    assert "correctness in category dates fell by 0.29" in verdict.headline


def test_category_rows__of_one_case_have_no_interval() -> None:
    """Whoever asks for it gets the row, and no more than one case can tell."""
    names = ["a"] * 6 + ["b"]
    before, now = (
        run_of([cell("t", f"{i}", {"correctness": [0.9 - d]}, category=n) for i, n in named])
        for d, named in ((0.0, list(enumerate(names))), (0.1, list(enumerate(names))))
    )
    rows = compare(now, baseline_of(before), Policy(category_cases=1)).categories

    assert [("a", 6), ("b", 1)] == [(row.category, row.n) for row in rows]
    assert (None, None) == (rows[1].low, rows[1].high)


def test_category_rows__hold_nothing_of_the_row_of_all_cases() -> None:
    """Every number is the category's own, by a t test: beside it others moved and lost a score."""
    base, new = [], []
    for name in NAMES:
        for i in range(8):
            own = 0.9 if name == "dates" else 0.8
            now = 0.3 if name == "dates" and i < 4 else own + 0.1 * (name == "texts") * (-1) ** i
            lost = name == "rules" and i == 0
            base.append(cell("t", f"{name}-{i}", {"correctness": [own] * 5}, category=name))
            score = {"correctness": [None if lost else now]}
            why = {"correctness": ("undefined",)} if lost else {}
            new.append(cell("t", f"{name}-{i}", score, category=name, failures=why))
    found = compare(run_of(new), baseline_of(run_of(base)), Policy())
    (whole,), row = found.rows, found.categories[0]
    sd = 0.6 * (2 / 7) ** 0.5
    counts = (row.n, row.expected, row.nonzero, row.worse, row.better, row.undefined)

    assert (47, 12, 8, 4, 1) == (
        whole.n, whole.nonzero, whole.worse, whole.better, whole.undefined,
    )  # fmt: skip
    assert None not in (whole.worst_signed, whole.worst_p)
    assert ("dates", "t", None) == (row.category, row.p_method, row.clusters)
    assert (8, 8, 4, 4, 0, 0) == counts
    assert (None, None, ()) == (row.worst_signed, row.worst_p, row.newly_unscored)
    assert (0.9, 0.6, -0.3, -0.3) == (row.baseline, row.current, row.delta, row.signed)
    assert pytest.approx(sd) == row.sd
    assert smallest_visible_drop(sd, 8) == pytest.approx(row.smallest_visible_drop)
    assert guarded_lower_bound([-0.6] * 4 + [0.0] * 4) == pytest.approx(row.guarded)
    low, high = t_interval([-0.6] * 4 + [0.0] * 4)
    assert pytest.approx((low, high), abs=1e-9) == (row.low, row.high)
    assert [f"dates-{i}" for i in range(4)] == [one.case_id for one in row.differences]


def test_category_rows__nine_decimals_and_the_worst_first() -> None:
    """Thirds of answers, and the cases that fell most of those that fell."""
    drops = [0.1, 0.4, 0.0, 0.3, 0.2, 0.0, 0.6, 0.5]
    base = [
        cell("t", f"{n}-{i}", {"correctness": [0.8]}, category=n) for n in "ab" for i in range(8)
    ]
    new = [
        cell("t", f"{n}-{i}", {"correctness": [0.8, 0.8 - drop, 0.8 - drop]}, category=n)
        for n in "ab"
        for i, drop in enumerate(drops)
    ]
    row = compare(run_of(new), baseline_of(run_of(base)), Policy()).categories[0]

    numbers = [row.baseline, row.current, row.delta, row.signed, row.low, row.high]
    assert [round(one, 9) for one in numbers if one is not None] == numbers
    assert ["a-6", "a-7", "a-1", "a-3", "a-4"] == [one.case_id for one in row.differences]


def test_category_rows__the_labels_are_drawn_by_the_plans_seed() -> None:
    """Another plan, another p, where labels are shuffled at random."""
    flaky = [0.9, 0.3, 0.9, 0.3, 0.9]
    base = [
        cell("t", f"{n}-{i}", {"correctness": flaky if n == "a" else [0.9] * 5}, category=n)
        for n in "ab"
        for i in range(8)
    ]
    new = run_of(
        [
            cell("t", f"{n}-{i}", {"correctness": [0.3 if n == "a" else 0.9]}, category=n)
            for n in "ab"
            for i in range(8)
        ]
    )
    found = {
        compare(
            new.model_copy(update={"plan": new.plan.model_copy(update={"seed": seed})}),
            baseline_of(run_of(base)),
            Policy(),
        )
        .categories[0]
        .p
        for seed in "xy"
    }

    assert 2 == len(found)


def test_category_rows__sources_of_one_case_each_are_no_clusters() -> None:
    """Every case of the category has a page of its own: eight cases, and no clusters."""
    new = broke(4)
    clusters = {f"{name}-{i}": f"page-{name}-{i}" for name in NAMES for i in range(8)}
    plan = new.plan.model_copy(update={"clusters": clusters})
    rows = compare(new.model_copy(update={"plan": plan}), baseline(), Policy()).categories

    assert {None} == {row.clusters for row in rows}


def test_of_all_cases__categories_take_their_share() -> None:
    """With categories 0.07 of the 0.10 are left for the rows of all cases."""
    policy = Policy(q=0.10, category_share=0.3)
    rates = [of_all_cases(policy, beside_categories=one).q for one in (True, False)]

    assert pytest.approx([0.07, 0.10]) == rates


def test_category_rows__count_what_rose_and_have_no_weights() -> None:
    """Of eight cases five fell and two rose; only a row of all cases of a sample is weighted."""
    new = run_of(cells([[0.4] * 5 + [0.9] + [1.0] * 2, *[[0.3] * 8] * 5]))
    (whole,) = compare(new, baseline(), Policy()).rows
    weighted = whole.model_copy(update={"weighted": True})
    dates, *_ = category_rows(weighted, CORRECTNESS, Policy(), {}, "s")

    assert (7, 5, 2, False) == (dates.nonzero, dates.worse, dates.better, dates.weighted)
