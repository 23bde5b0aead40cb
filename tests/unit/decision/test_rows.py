"""The paired numbers of one target in one dimension."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from gate.decision.comparison import compare
from gate.types import (
    Comparison,
    Coverage,
    Metric,
    Plan,
    Policy,
    Row,
    Rule,
    Run,
)
from tests.unit.decision.decision_samples import (
    EXACT,
    baseline_of,
    cell,
    columns,
    run_of,
)

LATENCY = Metric(name="seconds", better="lower", unit="s")


ERRORS = Metric(name="mistakes", better="lower")


UNKNOWN = Metric(name="level", better="unknown")


def against(new: Run, base: Run, policy: Policy | None = None) -> Comparison:
    """Compare a run with the baseline that another run makes."""
    return compare(new, baseline_of(base), policy or Policy())


def one_row(new: Run, base: Run, policy: Policy | None = None) -> Row:
    """The only row."""
    (row,) = against(new, base, policy).rows
    return row


def test_row__numbers_of_a_known_vector() -> None:
    """Vector G4: twelve differences with mean -0.108333 and exact p 0.005859."""
    d = [-0.1, -0.2, 0.0, -0.3, -0.05, -0.15, 0.0, 0.05, -0.25, -0.1, 0.0, -0.2]
    row = one_row(run_of(columns([0.9 + x for x in d])), run_of(columns([0.9] * 12)))

    assert (12, 12, 9, 8, 1) == (row.n, row.expected, row.nonzero, row.worse, row.better)
    assert row.baseline == 0.9
    assert row.current == pytest.approx(0.791667, abs=1e-6)
    assert row.delta == row.signed == pytest.approx(-0.108333, abs=1e-6)
    assert row.p == pytest.approx(0.005859, abs=1e-6)
    assert row.p_method == "exact"
    assert row.sd == pytest.approx(0.112479, abs=1e-6)
    assert row.low == pytest.approx(-0.166645, abs=1e-6)
    assert row.high == pytest.approx(-0.050021, abs=1e-6)
    assert row.guarded == pytest.approx(-0.214073, abs=1e-6)
    assert row.smallest_visible_drop == pytest.approx(2.486 * 0.112479 / 12**0.5, abs=1e-4)
    assert (row.judged, row.direction_known, row.missing, row.averages_only) == (
        True,
        True,
        False,
        False,
    )


def test_row__repeats_are_averaged_first() -> None:
    """Three repeats against one are one difference: (0.4 + 0.6 + 0.8) / 3 - 0.5 = 0.1."""
    row = one_row(run_of(columns([[0.4, 0.6, None, 0.8]])), run_of(columns([0.5])))

    (pair,) = row.differences
    assert (pair.current, pair.baseline, pair.new, pair.base) == (0.6, 0.5, (0.4, 0.6, 0.8), (0.5,))
    assert (row.n, row.delta) == (1, 0.1)
    assert (row.low, row.high, row.sd, row.smallest_visible_drop) == (None, None, None, None)


def test_row__rounding_in_the_file_is_no_difference() -> None:
    """2/3 in the run and 0.6667 in the baseline are the same score."""
    row = one_row(run_of(columns([2 / 3] * 3)), run_of(columns([0.6667] * 3)))
    assert (row.worse, row.better, row.nonzero, row.delta) == (0, 0, 0, 0.0)


def test_row__lower_is_better() -> None:
    """A rise is worse: `delta` keeps the metric's direction and `signed` turns it round."""
    base = run_of(columns([0.2] * 8, metric="mistakes"), [ERRORS])
    row = one_row(run_of(columns([0.3] * 7 + [0.1], metric="mistakes"), [ERRORS]), base)

    assert (row.baseline, row.current) == (0.2, 0.275)
    assert (row.delta, row.signed) == (0.075, -0.075)
    assert (row.worse, row.better) == (7, 1)
    assert row.low is not None
    assert row.high is not None
    assert row.low < 0.075 < row.high
    assert row.p is not None
    assert row.p < 0.1


def test_row__direction_from_the_rule() -> None:
    """A rule's `better` decides where the metric does not know, and turns none round that does."""
    base = run_of(columns([0.2] * 4, metric="level"), [UNKNOWN])
    new = run_of(columns([0.3] * 4, metric="level"), [UNKNOWN])
    lower = Policy(rules={"level": Rule(better="lower")})

    assert one_row(new, base, lower).signed == -0.1
    known = [UNKNOWN.model_copy(update={"better": "higher"})]
    assert one_row(
        new.model_copy(update={"metrics": tuple(known)}),
        base.model_copy(update={"metrics": tuple(known)}),
        lower,
    ).signed == pytest.approx(0.1)


def test_row__unknown_direction() -> None:
    """The difference stands, better and worse do not."""
    base = run_of(columns([0.2] * 4, metric="level"), [UNKNOWN])
    row = one_row(run_of(columns([0.3] * 4, metric="level"), [UNKNOWN]), base)

    assert (row.direction_known, row.delta, row.signed, row.p) == (False, 0.1, None, None)
    assert (row.worse, row.better, row.guarded) == (0, 0, None)


def test_row__guard_of_other_units_is_five_margins() -> None:
    """Seconds have no scale of their own: the pseudo-case is five margins below."""
    base = run_of(columns([10.0] * 20, metric="seconds"), [LATENCY])
    policy = Policy(rules={"seconds": Rule(margin=2.0)})
    row = one_row(base, base, policy)

    fraction = run_of(columns([0.5] * 20))
    expected = one_row(fraction, fraction).guarded
    assert expected is not None
    assert row.guarded == pytest.approx(20.0 * expected)


def test_row__cases_that_are_not_compared() -> None:
    """Added, removed, changed and unscored cases are left out and, but for added ones, expected."""
    base = run_of([cell("t", name, {"correctness": [1.0]}) for name in "abcdefg"])
    new = run_of(
        [
            cell("t", "a", {"correctness": [0.5]}),
            cell("t", "b", {"correctness": [0.5]}, case_digest="another text"),
            cell("t", "c", {"correctness": [None]}, failures={"correctness": ("judge",)}),
            cell("t", "d", {"correctness": [None]}, ["empty"]),
            cell("t", "e", {"correctness": [None]}, ["budget"]),
            cell("t", "new", {"correctness": [0.1]}),
        ],
        cases=["a", "b", "c", "d", "e", "f", "new"],
        total=7,
    )
    found = against(new, base)
    (row,) = found.rows

    assert (row.n, row.expected, row.delta) == (1, 7, -0.5)
    assert row.newly_unscored == ("c", "d")
    assert found.coverage == Coverage(
        cases=7,
        compared=1,
        added=("new",),
        removed=("g",),
        changed=("b",),
        errored=("d", "e", "f"),
        not_sampled=0,
        unscored={"correctness": 1},
    )


def test_row__sample_is_compared_on_its_own_cases() -> None:
    """Cases outside of the sample are neither expected nor removed."""
    base = run_of([cell("t", name, {"correctness": [x]}) for name, x in (("a", 1.0), ("b", 0.0))])
    found = against(run_of([cell("t", "a", {"correctness": [1.0]})], total=2), base)
    (row,) = found.rows

    assert (row.n, row.expected, row.baseline, row.delta) == (1, 1, 1.0, 0.0)
    assert (found.coverage.not_sampled, found.coverage.removed) == (1, ())


def test_row__worst_value_of_newly_unscored_cases() -> None:
    """With the lost case at 0 the mean is (-1 + 0 + 0 + 0) / 4."""
    base = run_of(columns([1.0] * 4))
    row = one_row(run_of(columns([None, 1.0, 1.0, 1.0])), base)

    assert (row.signed, row.worst_signed, row.worst_p) == (0.0, -0.25, 0.5)
    whole = one_row(base, base)
    assert (whole.worst_signed, whole.worst_p) == (None, None)


def test_row__worst_value_by_direction_and_unit() -> None:
    """Where lower is better the worst on [0, 1] is 1; in other units it is the worst seen."""
    for metric, worst in ((ERRORS, 1.0), (LATENCY, 0.9)):
        base = run_of(columns([0.5, 0.5], metric=metric.name), [metric])
        new = run_of(columns([None, 0.9], metric=metric.name), [metric])
        assert one_row(new, base).worst_signed == pytest.approx(-((worst - 0.5) + 0.4) / 2)


def test_row__nothing_left_to_compare() -> None:
    """All scores gone: no number, and all cases are named."""
    row = one_row(run_of(columns([None, None])), run_of(columns([1.0, 0.5])))

    assert (row.n, row.expected, row.newly_unscored) == (0, 2, ("case-00", "case-01"))
    assert {None} == {row.baseline, row.current, row.delta, row.signed, row.p, row.worst_p}


def test_row__dimension_that_the_baseline_lacks() -> None:
    """There is nothing to compare with, and the run's own mean stands alone."""
    base = run_of([cell("t", "a", {"correctness": [1.0]})])
    new = run_of([cell("t", "a", {"correctness": [1.0], "exact": [0.25, 0.75]})], [EXACT])
    row = one_row(new, base)

    assert (row.baseline, row.current, row.delta, row.expected) == (None, 0.5, None, 0)


def test_row__no_value_at_all_of_a_new_dimension() -> None:
    """A mean of nothing is None."""
    base = run_of([cell("t", "a", {"correctness": [1.0]})])
    new = run_of([cell("t", "a", {"correctness": [1.0], "exact": [None]})], [EXACT])
    assert one_row(new, base).current is None


scores = st.lists(st.tuples(st.integers(0, 16), st.integers(0, 16)), min_size=1, max_size=12)


THIRDS = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.9, 0.9, 0.8], [0.7, 0.7, 0.6]]


def test_row__nine_decimals_throughout() -> None:
    """Means of three, sevenths of them, and the worst case: equal numbers are equal everywhere."""
    base = [[1.0, 1.0, 0.0], [0.9, 0.9, 0.7], *THIRDS[2:], *[[0.4, 0.4, 0.5]] * 3]
    new = [*THIRDS, [0.4, 0.5, 0.5], [0.3, 0.4, 0.4], [None, None, None]]
    row = one_row(run_of(columns(new)), run_of(columns(base)))

    of_cases = [*row.differences.baselines, *row.differences.currents]
    means = [row.baseline, row.current, row.delta, row.signed, row.worst_signed]
    numbers = [one for one in (*means, row.low, row.high, *of_cases) if one is not None]
    assert 7 + 2 * 6 == len(numbers)
    assert [round(one, 9) for one in numbers] == numbers
    assert 0.333333333 in of_cases


def test_row__own_mean_has_nine_decimals_and_the_planned_cases() -> None:
    """Of another instrument's run: means of three, without a case that is no longer planned."""
    base = run_of(columns([[0.5] * 3] * 3))
    other = base.identities["correctness"].model_copy(update={"judge": "other"})
    new = run_of(
        columns([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0] * 3]),
        identities={"correctness": other},
        cases=["case-00", "case-01"],
    )

    assert (("judge",), 0.5) == (one_row(new, base).incomparable, one_row(new, base).current)
    alone = new.model_copy(update={"cells": new.cells[:1], "plan": Plan(case_ids=("case-00",))})
    assert 0.333333333 == one_row(alone, base).current


def test_row__says_that_it_is_watched() -> None:
    """Whoever reads the row need not know the metric."""
    hops = Metric(name="hops", unit="steps", watched=True)
    run = run_of(columns([2.0] * 3, metric="hops"), [hops])

    assert one_row(run, run).watched
    assert not one_row(run_of(columns([0.5])), run_of(columns([0.5]))).watched


def test_row__seed_of_the_plan_draws_the_flips() -> None:
    """With more than sixteen moved cases p is drawn, and another plan draws otherwise."""
    base = run_of(columns([0.5] * 21))
    new = run_of(
        columns([0.5 + (1 if i % 3 else -1) * (0.01 + i / 100) for i in range(20)] + [None])
    )
    plans = [new.plan.model_copy(update={"seed": seed}) for seed in ("x", "y")]
    x, y = (one_row(new.model_copy(update={"plan": plan}), base) for plan in plans)

    assert "sampled" == x.p_method
    assert x.p != y.p
    assert x.worst_p != y.worst_p


def test_row__worst_values_count_clusters_too() -> None:
    """A case without a score is of its source: three sources, so p is 1/8 at the least."""
    base = run_of(columns([0.9] * 6))
    new = run_of(columns([0.5] * 5 + [None]))
    clusters = {f"case-{i:02d}": f"page-{i // 2}" for i in range(6)}
    plan = new.plan.model_copy(update={"clusters": clusters})
    row = one_row(new.model_copy(update={"plan": plan}), base)

    assert (1 / 8, 1 / 8) == (row.p, row.worst_p)
    assert 1 / 64 == one_row(new, base).worst_p


def test_row__a_sample_expects_its_share_of_what_is_gone() -> None:
    """Six of eight known cases are sampled, so of two that are gone 1.5 were, rounded to two."""
    base = run_of(columns([0.5] * 10))
    new = run_of(columns([0.5] * 6), total=12)
    dataset = tuple(f"case-{i:02d}" for i in (*range(6), 8, 9))
    plan = new.plan.model_copy(update={"dataset": dataset})

    assert 8 == one_row(new.model_copy(update={"plan": plan}), base).expected


TWO_THIRDS = ([1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0])
"""Means of cases at nine decimals make 0.444444445 on average, exact ones 0.444444444."""


def test_row__own_mean_is_the_mean_that_a_comparison_would_show() -> None:
    """Another judge takes the baseline away, and changes no digit of the run's own mean."""
    base = run_of(columns([0.5] * 3))
    other = base.identities["correctness"].model_copy(update={"judge": "other"})
    new = run_of(columns(TWO_THIRDS))
    alone = one_row(new.model_copy(update={"identities": {"correctness": other}}), base)

    assert alone.incomparable
    assert 0.444444445 == alone.current == one_row(new, base).current


def test_row__worst_values_are_those_of_a_case_that_failed_wholly() -> None:
    """A lost score at its worst is a score of 0: to the last digit the same mean and p."""
    base = run_of(columns(TWO_THIRDS))
    lost = one_row(run_of(columns([0.0, 0.0, None])), base)
    zero = one_row(run_of(columns([0.0, 0.0, 0.0])), base)

    assert -0.444444445 == lost.worst_signed == zero.signed
    assert lost.worst_p == zero.p


def test_row__zero_has_no_sign_where_lower_is_better() -> None:
    """No mistakes are 0, and 0 more than before."""
    none = run_of(columns([0.0] * 3, metric=ERRORS.name), [ERRORS])
    row = one_row(none, none)

    numbers = (row.baseline, row.current, row.delta, row.signed)
    assert ["0.0"] * 4 == [str(one) for one in numbers]


def test_row__equal_moves_have_no_spread() -> None:
    """0.4 - 0.3 and 0.5 - 0.4 differ in doubles, and are 0.1 both."""
    row = one_row(run_of(columns([0.4, 0.5])), run_of(columns([0.3, 0.4])))

    assert (0.1, 0.0, 0.0) == (row.delta, row.sd, row.smallest_visible_drop)
