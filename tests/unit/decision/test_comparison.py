"""Run against baseline, in numbers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.decision.baseline import make_baseline
from gate.decision.comparison import compare
from gate.types import (
    Baseline,
    Comparison,
    Coverage,
    Identity,
    Metric,
    Plan,
    Policy,
    Provenance,
    Row,
    Rule,
    Run,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    RELEVANCE,
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
    """A rule's `better` decides where the metric does not know, and goes before where it does."""
    base = run_of(columns([0.2] * 4, metric="level"), [UNKNOWN])
    new = run_of(columns([0.3] * 4, metric="level"), [UNKNOWN])
    lower = Policy(rules={"level": Rule(better="lower")})

    assert one_row(new, base, lower).signed == -0.1
    known = [UNKNOWN.model_copy(update={"better": "higher"})]
    assert one_row(
        new.model_copy(update={"metrics": tuple(known)}),
        base.model_copy(update={"metrics": tuple(known)}),
        lower,
    ).signed == pytest.approx(-0.1)


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


@pytest.mark.parametrize("part", ["judge", "prompt", "scorer"])
def test_compare__other_identity_is_not_compared(part: str) -> None:
    """A known and other judge, prompt or scorer gives no delta, never mind the numbers."""
    base = run_of(columns([1.0] * 4))
    other = base.identities["correctness"].model_copy(update={part: "other"})
    found = against(run_of(columns([0.0] * 4), identities={"correctness": other}), base)
    (row,) = found.rows

    assert row.incomparable == (part,)
    assert {None} == {row.baseline, row.current, row.delta, row.p}
    assert (found.comparable, found.differs) == (False, (f"correctness: {part} differs",))


def test_compare__one_dimension_of_two_is_comparable() -> None:
    """The others are still compared, and the sentence says what differs."""
    cells = [cell("t", "a", {"correctness": [1.0], "relevance": [1.0]})]
    base = run_of(cells, [CORRECTNESS, RELEVANCE])
    other = Identity(judge="x", prompt="y", scorer="s1")
    found = against(
        base.model_copy(update={"identities": {**base.identities, "relevance": other}}), base
    )

    assert found.comparable
    assert found.differs == ("relevance: judge and prompt differ",)


def test_compare__unknown_identity_and_text_are_warned_of() -> None:
    """Imported files are compared, and the reader is told."""
    metrics = [CORRECTNESS, RELEVANCE]
    cells = [cell("t", "a", {"correctness": [1.0], "relevance": [1.0]}, case_digest=None)]
    run = run_of(cells, metrics, identities={})
    found = against(run, run)

    assert found.rows[0].n == 1
    assert (
        "Whether correctness and relevance were scored alike on both sides is not known: "
        "compared all the same."
    ) in found.warnings
    assert any(one.startswith("Whether the cases have the same text") for one in found.warnings)


def test_compare__scorer_without_a_judge_needs_no_judge() -> None:
    """Its identity is known when its scorer is."""
    run = run_of(columns([1.0], metric="exact"), [EXACT])
    assert not any("scored alike" in one for one in against(run, run).warnings)


def test_compare__one_repeat_is_warned_of() -> None:
    """A single lucky baseline fails unchanged runs; with three repeats there is no warning."""
    run = run_of(columns([1.0]))
    assert any("has 1 repeat of some cases" in one for one in against(run, run).warnings)

    thrice = run_of(columns([[1.0, 1.0, 1.0]]))
    found = against(run, thrice)
    assert (found.baseline_repeats, found.warnings) == (3, ())


def test_compare__dimension_that_was_not_measured_now() -> None:
    """It is mentioned, and never read as a score of 0."""
    base = run_of(
        [cell("t", "a", {"correctness": [[1.0] * 3][0], "relevance": [1.0] * 3})],
        [CORRECTNESS, RELEVANCE],
    )
    found = against(run_of([cell("t", "a", {"correctness": [1.0]})]), base)

    assert found.warnings == ("The baseline has relevance, which this run did not measure.",)
    assert [row.dimension for row in found.rows] == ["correctness"]


def test_compare__normal_limit_is_said() -> None:
    """Above 2,000 differing cases p is the normal limit."""
    many = 2_001
    base = run_of([cell("t", f"c{i}", {"correctness": [0.5] * 3}) for i in range(many)])
    new = run_of([cell("t", f"c{i}", {"correctness": [0.4] * 3}) for i in range(many)])
    assert against(new, base).warnings == (
        "So many cases changed in correctness of t that p is the normal limit.",
    )


def test_compare__without_a_baseline() -> None:
    """The run's own means, and no other number."""
    run = run_of(columns([1.0, 0.5]))
    found = compare(run, None, Policy())

    assert (found.has_baseline, found.baseline_age_days, found.averages_only) == (
        False,
        None,
        False,
    )
    assert (found.rows[0].current, found.rows[0].expected) == (0.75, 0)
    assert (found.coverage.cases, found.coverage.compared, found.coverage.added) == (2, 0, ())
    assert (found.comparable, found.warnings) == (True, ())


def test_compare__run_without_plan_is_the_full_set() -> None:
    """An imported run is compared on all of its cases."""
    base = run_of(columns([1.0] * 3))
    found = against(run_of(columns([1.0] * 2), plan=Plan()), base)

    assert found.coverage.removed == ("case-02",)
    assert (found.rows[0].n, found.rows[0].expected) == (2, 3)


def test_compare__target_of_the_baseline_alone() -> None:
    """It has one row, which says that the target is missing."""
    base = run_of(columns([1.0]) + columns([1.0], target="gone"))
    found = against(run_of(columns([1.0])), base)

    assert found.missing_targets == ("gone",)
    last = found.rows[-1]
    assert (last.target, last.dimension, last.missing, last.n) == ("gone", "*", True, 0)


def test_compare__rows_stand_in_the_order_of_the_run() -> None:
    """Targets in the run's order, dimensions in the scorers'."""
    cells = [cell(t, "a", {"correctness": [1.0], "relevance": [1.0]}) for t in "ba"]
    run = run_of(cells, [RELEVANCE, CORRECTNESS], targets=["b", "a"])

    assert [("b", "relevance"), ("b", "correctness"), ("a", "relevance"), ("a", "correctness")] == [
        (row.target, row.dimension) for row in against(run, run).rows
    ]


@pytest.mark.parametrize(
    ("made", "now", "then", "expected"),
    [
        ("2026-07-11T00:00:00Z", None, "2026-07-01T00:00:00+00:00", 10.0),
        ("2026-07-11T12:00:00", None, "2026-07-11", 0.5),
        ("2026-07-01T00:00:00Z", None, "2026-07-11T00:00:00Z", 0.0),
        (None, datetime(2026, 7, 3, tzinfo=UTC), "2026-07-01T00:00:00Z", 2.0),
        (None, None, "2026-07-01T00:00:00Z", None),
        ("2026-07-01T00:00:00Z", None, None, None),
        ("2026-07-01T00:00:00Z", None, "yesterday", None),
    ],
)
def test_compare__age(
    made: str | None, now: datetime | None, then: str | None, expected: float | None
) -> None:
    """Days from the baseline to the run; unknown times give no age."""
    run = run_of(columns([1.0]), provenance=Provenance(created=made))
    base = baseline_of(run, provenance=Provenance(created=then))
    assert compare(run, base, Policy(), now).baseline_age_days == expected


def test_compare__old_baseline_is_mentioned() -> None:
    """From 30 days on a reader is told, and when it decides nothing any more."""
    run = run_of(columns([[1.0] * 3]), provenance=Provenance(created="2026-07-31T00:00:00Z"))
    base = baseline_of(run, provenance=Provenance(created="2026-06-01"))
    assert compare(run, base, Policy()).warnings == (
        "The baseline is 60 days old; above 90 days it decides nothing any more. Refresh it.",
    )


AVERAGES = Baseline(averages={"t": {"correctness": 0.9, "citation_recall": 0.3}})


def test_averages__plain_difference() -> None:
    """The mean over scored cases, each case's repeats averaged first; no p and no interval."""
    run = run_of(columns([1.0, [0.5, 0.7], None]))
    found = compare(run, AVERAGES, Policy())
    (row,) = found.rows

    assert (row.averages_only, found.averages_only, found.has_baseline) == (True, True, True)
    assert (row.baseline, row.current, row.delta, row.signed) == (0.9, 0.8, -0.1, -0.1)
    assert (row.p, row.low, row.guarded) == (None, None, None)
    assert (row.n, row.expected, row.newly_unscored) == (2, 2, ())
    assert found.coverage.compared == 2
    assert any("has only averages" in one for one in found.warnings)


def test_averages__cases_that_failed_are_expected() -> None:
    """Failing on hard cases does not improve a run unnoticed: no answer, no judge, no attempt."""
    cells = [
        cell("t", "a", {"correctness": [1.0]}),
        cell("t", "b", {"correctness": [None]}, ["error"]),
        cell("t", "c", {"correctness": [None]}, failures={"correctness": ("judge",)}),
        cell("t", "d", {"correctness": [None]}, failures={"correctness": ("undefined",)}),
    ]
    run = run_of(cells, cases=["a", "b", "c", "d", "e"])
    (row,) = compare(run, AVERAGES, Policy()).rows

    assert (row.n, row.expected, row.newly_unscored) == (1, 4, ("b", "c", "e"))


def test_averages__published_scores_of_empty_answers_stand() -> None:
    """An imported empty answer that was scored counts as scored, once."""
    run = run_of([cell("t", "a", {"correctness": [0.0]}, ["empty"])])
    (row,) = compare(run, AVERAGES, Policy()).rows
    assert (row.n, row.expected, row.current) == (1, 1, 0.0)


def test_averages__other_name_of_a_dimension() -> None:
    """What such files publish as citation_recall is our source_coverage."""
    coverage = Metric(name="source_coverage", judged=True)
    run = run_of(columns([0.25], metric="source_coverage"), [coverage])
    (row,) = compare(run, AVERAGES, Policy()).rows
    assert (row.dimension, row.baseline, row.delta) == ("source_coverage", 0.3, -0.05)


def test_averages__absent_dimension_is_not_zero() -> None:
    """A dimension without an average is not compared."""
    run = run_of(columns([0.25], metric="exact"), [EXACT])
    (row,) = compare(run, AVERAGES, Policy()).rows
    assert (row.baseline, row.current, row.delta, row.expected) == (None, 0.25, None, 0)


def test_averages__direction() -> None:
    """Lower can be better, or unknown."""
    for better, signed in (("lower", 0.1), ("unknown", None)):
        metric = CORRECTNESS.model_copy(update={"better": better})
        (row,) = compare(run_of(columns([0.8]), [metric]), AVERAGES, Policy()).rows
        assert (row.delta, row.signed) == (-0.1, signed)


def test_averages__say_nothing_of_a_sample() -> None:
    """A sample is not compared with the average of all cases."""
    found = compare(run_of(columns([0.2]), total=24), AVERAGES, Policy())
    (row,) = found.rows

    assert (row.baseline, row.current, row.delta, row.incomparable) == (
        None,
        None,
        None,
        ("cases",),
    )
    assert (found.comparable, found.differs) == (
        False,
        ("correctness: an average over all cases says nothing of a sample",),
    )


def test_averages__nothing_scored() -> None:
    """No number, and something was expected."""
    (row,) = compare(run_of(columns([None])), AVERAGES, Policy()).rows
    assert (row.baseline, row.current, row.n, row.expected) == (None, None, 0, 1)


def test_averages__missing_target() -> None:
    """A model that only the averages know is missing."""
    run = run_of(columns([0.9], target="u"))
    assert compare(run, AVERAGES, Policy()).missing_targets == ("t",)


def test_averages__published_run_equals_its_own_averages(data_dir: Path) -> None:
    """The published averages are those of the published run, to 1e-9, for all three models."""
    folder = data_dir / "gemini-search-mcp" / "evals"
    rows = json.loads((folder / "results" / "2026-07-12T23-22-55Z.json").read_text("utf-8"))
    models = json.loads((folder / "baseline.json").read_text("utf-8"))["models"]
    run = run_of(
        [
            cell(row["model"], row["case_id"], {"correctness": [row["scores"]["correctness"]]})
            for row in rows
        ]
    )
    found = compare(run, Baseline(averages=models), Policy())

    assert [0.0, 0.0, 0.0] == [row.delta for row in found.rows]
    assert [24, 24, 24] == [row.n for row in found.rows]


scores = st.lists(st.tuples(st.integers(0, 16), st.integers(0, 16)), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(scores, st.randoms(use_true_random=False))
def test_compare__order_of_cells_does_not_matter(
    pairs: list[tuple[int, int]], source: object
) -> None:
    """Cases and targets in any order give the same numbers."""
    base_cells = columns([b / 16 for b, _ in pairs]) + columns(
        [b / 16 for b, _ in pairs], target="u"
    )
    new_cells = columns([x / 16 for _, x in pairs]) + columns(
        [b / 16 for b, _ in pairs], target="u"
    )
    first = against(run_of(new_cells, targets=["t", "u"]), run_of(base_cells, targets=["t", "u"]))
    source.shuffle(base_cells)  # type: ignore[attr-defined]
    source.shuffle(new_cells)  # type: ignore[attr-defined]
    assert first == against(
        run_of(new_cells, targets=["t", "u"]), run_of(base_cells, targets=["t", "u"])
    )


@settings(max_examples=40, deadline=None)
@given(scores, st.integers(1, 8))
def test_compare__constant_on_both_sides_does_not_matter(
    pairs: list[tuple[int, int]], constant: int
) -> None:
    """What shifts old and new alike changes no difference, no p and no bound."""

    def row(shift: int) -> Row:
        return one_row(
            run_of(columns([(new + shift) / 40 for _, new in pairs])),
            run_of(columns([(old + shift) / 40 for old, _ in pairs])),
        )

    keys = ("delta", "signed", "p", "low", "high", "guarded", "sd", "worse", "better")
    here, there = row(0), row(constant)
    for key in keys:
        assert getattr(here, key) == pytest.approx(getattr(there, key), abs=1e-8)
    assert (here.worse, here.better, here.p) == (there.worse, there.better, there.p)


def test_compare__order_of_baseline_runs_does_not_matter() -> None:
    """Repeats are exchangeable."""
    runs = [run_of(columns([x, 1.0]), id=str(x)) for x in (0.5, 0.75, 1.0)]
    new = run_of(columns([0.5, 1.0]))
    one, other = (compare(new, make_baseline(order), Policy()) for order in (runs, runs[::-1]))
    assert [row.p for row in one.rows] == [row.p for row in other.rows]
    assert [row.delta for row in one.rows] == [row.delta for row in other.rows]
