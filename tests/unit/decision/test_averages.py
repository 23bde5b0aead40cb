"""Against a baseline of averages alone."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

from gate.decision.comparison import compare
from gate.types import (
    Baseline,
    Metric,
    Policy,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    cell,
    columns,
    run_of,
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


def test_averages__zero_has_no_sign() -> None:
    """The same average, where lower is better: it is turned, and does not become -0.0."""
    slips = CORRECTNESS.model_copy(update={"better": "lower"})
    (row,) = compare(run_of(columns([0.9]), [slips]), AVERAGES, Policy()).rows

    assert ("0.0", "0.0") == (str(row.delta), str(row.signed))


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


def test_averages__what_ended_without_a_value_is_no_loss() -> None:
    """An answer with nothing to score says that the case has no value, whatever became of others.

    A column of failures that says of no failure is none.
    """
    cells = [
        cell("t", "a", {"correctness": [1.0]}),
        cell(
            "t",
            "b",
            {"correctness": [None, None]},
            ["ok", "error"],
            failures={"correctness": ("undefined", None)},
        ),
        cell("t", "c", {"correctness": [None]}, failures={"correctness": (None,)}),
    ]
    (row,) = compare(run_of(cells), AVERAGES, Policy()).rows

    assert (1, 1, ()) == (row.n, row.expected, row.newly_unscored)


def test_averages__of_a_sample_as_many_are_expected_as_there_are() -> None:
    """At least one, so that the row counts as one that has a baseline."""
    none = cell("t", "a", {"correctness": [None]}, failures={"correctness": ("undefined",)})
    for cells, expected in ((columns([0.2] * 3), 3), ([none], 1)):
        (row,) = compare(run_of(cells, total=24), AVERAGES, Policy()).rows
        assert expected == row.expected


def test_averages__nine_decimals() -> None:
    """Both averages, and what lies between them: 1/3 - 2/3."""
    known = Baseline(averages={"t": {"correctness": 2 / 3}})
    (row,) = compare(run_of(columns([1.0, 0.0, 0.0])), known, Policy()).rows

    assert (0.666666667, 0.333333333, -0.333333334) == (row.baseline, row.current, row.delta)


def test_averages__a_watched_dimension_says_so() -> None:
    """It decides nothing, here as anywhere."""
    metrics = [CORRECTNESS.model_copy(update={"watched": watched}) for watched in (True, False)]
    rows = [compare(run_of(columns([0.9]), [one]), AVERAGES, Policy()).rows[0] for one in metrics]

    assert [True, False] == [row.watched for row in rows]


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
