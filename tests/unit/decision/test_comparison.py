"""Run against baseline: what is compared, and what a reader is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.decision.baseline import make_baseline
from gate.decision.comparison import compare
from gate.types import (
    Baseline,
    Comparison,
    Identity,
    Plan,
    Policy,
    Provenance,
    Row,
    Run,
    TargetInfo,
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


def against(new: Run, base: Run, policy: Policy | None = None) -> Comparison:
    """Compare a run with the baseline that another run makes."""
    return compare(new, baseline_of(base), policy or Policy())


def one_row(new: Run, base: Run, policy: Policy | None = None) -> Row:
    """The only row."""
    (row,) = against(new, base, policy).rows
    return row


@pytest.mark.parametrize("part", ["judge", "prompt", "scorer"])
def test_compare__other_identity_is_not_compared(part: str) -> None:
    """A known and other judge, prompt or scorer gives no delta, never mind the numbers."""
    base = run_of(columns([1.0] * 4))
    other = base.identities["correctness"].model_copy(update={part: "other"})
    found = against(run_of(columns([0.0] * 4), identities={"correctness": other}), base)
    (row,) = found.rows

    assert row.incomparable == (part,)
    assert row.current == 0.0
    assert {None} == {row.baseline, row.delta, row.p}
    named = "scorer or setting of the judge" if part == "scorer" else part
    assert (found.comparable, found.differs) == (False, (f"correctness: {named} differs",))


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
    twice = run_of(columns([[1.0, 1.0]]))
    assert any("has 1 repeat of some cases" in one for one in against(run, run).warnings)
    assert any("has 2 repeats of some cases" in one for one in against(run, twice).warnings)

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


@pytest.mark.parametrize(
    ("dataset", "removed", "not_sampled"),
    [
        (("case-00", "case-01", "case-02", "case-05"), ("case-03", "case-04"), 2),
        ((), (), 4),
    ],
)
def test_compare__case_that_left_the_dataset_of_a_sample(
    dataset: tuple[str, ...], removed: tuple[str, ...], not_sampled: int
) -> None:
    """Deleted cases are named, cases outside of the sample counted; older plans know no dataset."""
    base = run_of(columns([1.0] * 5))
    plan = Plan(case_ids=("case-00",), total=4, dataset=dataset)
    found = against(run_of(columns([1.0]), plan=plan), base)

    assert found.coverage.removed == removed
    assert found.coverage.not_sampled == not_sampled


def test_compare__sample_expects_its_share_of_deleted_cases() -> None:
    """4 of 8 left in the sample, 4 of 12 deleted: it would have held 4 x 4 / 8 = 2 of them."""
    base = run_of(columns([1.0] * 12))
    names = tuple(f"case-{i:02d}" for i in range(8))
    plan = Plan(case_ids=names[:4], total=8, dataset=names)
    (row,) = against(run_of(columns([1.0] * 4), plan=plan), base).rows

    assert (row.n, row.expected) == (4, 6)


def test_compare__sample_that_holds_all_that_is_left() -> None:
    """With no case outside, every deleted one counts, as in a full run."""
    base = run_of(columns([1.0] * 3))
    names = ("case-00", "case-01", "new")
    plan = Plan(case_ids=names[:2], total=3, dataset=names)
    (row,) = against(run_of(columns([1.0] * 2), plan=plan), base).rows

    assert (row.n, row.expected) == (2, 3)


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
    assert (False, True) == (last.judged, last.direction_known)


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
        ("2026-07-01T00:00:00Z", None, "2026-07-02T00:00:00Z", 0.0),
        ("2026-07-01T00:00:00Z", None, "2026-07-11T00:00:00Z", None),
        ("2026-07-11T12:00:00", None, "2026-07-11", 0.5),
        ("2026-07-01T00:00:00Z", None, "2026-07-02T12:00:00Z", None),
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


@pytest.mark.parametrize(
    ("made", "then", "because"),
    [
        ("2026-07-01T00:00:00Z", None, "it does not say when it was made"),
        ("2026-07-01T00:00:00Z", "yesterday", "`created` is no time"),
        ("2026-07-01T00:00:00Z", "2099-01-01T00:00:00Z", "it is dated after the run"),
        (None, "2026-07-01T00:00:00Z", "the run does not say when it was made"),
    ],
)
def test_compare__unknown_age_is_said(made: str | None, then: str | None, because: str) -> None:
    """A baseline that cannot be refused for its age is not used in silence."""
    run = run_of(columns([[1.0] * 3]), provenance=Provenance(created=made))
    base = baseline_of(run, provenance=Provenance(created=then))
    assert compare(run, base, Policy()).warnings == (
        f"The baseline's age is not known ({because}): it decides however old it is.",
    )


def test_compare__old_baseline_is_mentioned() -> None:
    """From 30 days on a reader is told, and when it decides nothing any more."""
    run = run_of(columns([[1.0] * 3]), provenance=Provenance(created="2026-07-31T00:00:00Z"))
    base = baseline_of(run, provenance=Provenance(created="2026-06-01"))
    assert compare(run, base, Policy()).warnings == (
        "The baseline is 60 days old; above 90 days it decides nothing any more. Refresh it.",
    )


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


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"model": "new-1"}, ["m is new-1 here, and old-1 in the baseline."]),
        ({"settings": "s2"}, ["m has other settings or another prompt than in the baseline."]),
        ({"name": "other"}, []),
        ({"model": None, "settings": None}, []),
    ],
)
def test_compare__says_what_was_measured(changes: dict[str, str | None], said: list[str]) -> None:
    """Another model or other settings than the baseline's; of a target that is new, nothing."""
    told = {"name": "m", "use": "gemini", "model": "old-1", "settings": "s1"}
    cells = columns([1.0] * 4)
    base = run_of(cells).model_copy(update={"targets": (TargetInfo.model_validate(told),)})
    now = TargetInfo.model_validate({**told, **changes})
    found = against(base.model_copy(update={"targets": (now,)}), base)

    assert said == [one for one in found.warnings if "in the baseline." in one]


def test_coverage__only_lost_scores_count_as_unscored() -> None:
    """Of two answers of a case one has no score: one is unscored, not both."""
    run = run_of([cell("t", "a", {"correctness": [0.5, None, None]}, ["ok", "ok", "error"])])

    assert {"correctness": 1} == against(run, run).coverage.unscored


def test_coverage__against_averages_by_the_fullest_row() -> None:
    """Three cases have the one score, two the other: three were compared."""
    run = run_of(
        [cell("t", f"{i}", {"correctness": [0.5], "exact": [None if i else 1]}) for i in range(3)],
        (CORRECTNESS, EXACT),
    )
    averages = Baseline(averages={"t": {"correctness": 0.5, "exact": 1.0}})

    assert 3 == compare(run, averages, Policy()).coverage.compared


def test_compare__repeats_of_the_row_that_has_fewest() -> None:
    """Five answers have the one score and three the other: three; of nothing there are none."""
    both = (CORRECTNESS, EXACT)
    scores: dict[str, list[float | None]] = {
        "correctness": [0.5] * 5,
        "exact": [1.0, 1.0, 1.0, None, None],
    }
    base = run_of([cell("t", "a", scores)], both)

    assert 3 == against(base, base).baseline_repeats
    assert 0 == compare(base, None, Policy()).baseline_repeats


def test_compare__as_old_as_is_warned_of_is_not_too_old() -> None:
    """Thirty days are not above thirty, and a baseline of tomorrow's clock is of today."""
    run = run_of(columns([0.5] * 4))

    def said(created: str) -> list[str]:
        baseline = baseline_of(run, provenance=Provenance(created=created))
        return [one for one in compare(run, baseline, Policy()).warnings if "days old" in one]

    assert [[], [], [True]] == [
        [True for _ in said(created)]
        for created in ("2026-07-01T06:00:00Z", "2026-06-01T00:00:00Z", "2026-05-31T23:00:00Z")
    ]


def test_compare__asks_nothing_of_a_dimension_without_a_score() -> None:
    """Who judged it is not known, and there is nothing that it would matter for."""
    both = (CORRECTNESS, EXACT)
    run = run_of([cell("t", "a", {"correctness": [0.5], "exact": [None]})], both)
    unknown = run.model_copy(update={"identities": {"correctness": run.identities["correctness"]}})

    assert not [one for one in against(unknown, run).warnings if one.startswith("Whether exact")]


def test_compare__a_new_target_before_one_that_is_another_model() -> None:
    """The second is said all the same."""
    base = run_of(columns([0.5], target="b"))
    new = run_of([*columns([0.5], target="a"), *columns([0.5], target="b")])
    models = {"b": "m-2"}

    def of(run: Run, **named: str) -> Run:
        infos = [info.model_copy(update={"model": named.get(info.name)}) for info in run.targets]
        return run.model_copy(update={"targets": tuple(infos)})

    said = against(of(new, **models), of(base, b="m-1")).warnings
    assert "b is m-2 here, and m-1 in the baseline." in said
