"""Targets side by side on the cases that all of them have a value for."""

from __future__ import annotations

from collections.abc import Mapping

from gate.reports.common_cases import MOST_METRICS, common_table
from gate.reports.models import model_table
from gate.reports.numbers import MISSING
from gate.types import Attempt, Cell, Metric, Run, TargetInfo
from tests.unit.reports.markdown_reading import comment, summary
from tests.unit.reports.report_samples import RUN, TWO_TARGETS, report

ON = "on the cases that every target has a value for, n of them"

Column = Mapping[str, float | None]
"""Case -> value; a case that is absent was not scored."""


def run(metrics: list[Metric], scores: Mapping[str, Mapping[str, Column]]) -> Run:
    """A run of these targets: target -> metric -> case -> value."""
    cells = [
        Cell(
            target=target,
            case_id=case,
            scores={name: (column.get(case),) for name, column in columns.items()},
            attempts=(Attempt(state="ok"),),
        )
        for target, columns in scores.items()
        for case in sorted({case for column in columns.values() for case in column})
    ]
    targets = tuple(TargetInfo(name=name, use="gemini") for name in scores)
    return Run(id="r", targets=targets, metrics=tuple(metrics), cells=tuple(cells))


def metrics(*names: str) -> list[Metric]:
    """Judged dimensions of these names."""
    return [Metric(name=name, judged=True) for name in names]


def test_common_table__only_uneven_dimensions() -> None:
    """Dimensions that all targets have on the same cases need no second table."""
    found = common_table(
        run(
            metrics("relevance", "faithfulness"),
            {
                "search": {"relevance": {"a": 1.0, "b": 1.0}, "faithfulness": {"a": 0.5}},
                "rival": {
                    "relevance": {"a": 0.0, "b": 0.5},
                    "faithfulness": {"a": 0.25, "b": 1.0},
                },
            },
        )
    )

    assert found is not None
    assert ("target", "faithfulness (n 1)") == found.head
    assert (("search", "0.50"), ("rival", "0.25")) == found.rows
    assert (ON,) == found.remarks


def test_common_table__each_dimension_has_its_own_cases() -> None:
    """A case that lacks one dimension counts in the other."""
    found = common_table(
        run(
            metrics("faithfulness", "alce_recall"),
            {
                "search": {
                    "faithfulness": {"a": 1.0, "b": 0.8, "c": 0.6},
                    "alce_recall": {"a": 0.9, "c": 0.1},
                },
                "rival": {
                    "faithfulness": {"a": 0.4, "b": 0.6},
                    "alce_recall": {"a": 0.5, "b": 0.7, "c": 0.3},
                },
            },
        )
    )

    assert found is not None
    assert ("target", "faithfulness (n 2)", "alce_recall (n 2)") == found.head
    assert (("search", "0.90", "0.50"), ("rival", "0.50", "0.40")) == found.rows


def test_common_table__as_many_cases_may_be_other_cases() -> None:
    """One case each and none in common: the counts alone do not tell."""
    only = {
        "search": {"faithfulness": {"a": 1.0}, "relevance": {"a": 1.0, "b": 1.0, "c": 0.0}},
        "rival": {"faithfulness": {"b": 1.0}, "relevance": {"a": 1.0, "b": 1.0, "d": 0.0}},
    }

    found = common_table(run(metrics("faithfulness", "relevance"), only))
    assert found is not None
    assert ("target", "relevance (n 2)") == found.head
    assert (ON, "no case that every target has: faithfulness") == found.remarks
    assert common_table(run(metrics("faithfulness"), only)) is None


def test_common_table__f1_is_that_of_the_averages_beside_it() -> None:
    """It is not the mean of each case's own, which stands under its own name."""
    names = ("citation_precision", "source_coverage", "citation_f1")
    own = {
        "citation_precision": {"a": 1.0, "b": 0.5},
        "source_coverage": {"a": 0.2, "b": 0.8},
        "citation_f1": {"a": 1 / 3, "b": 8 / 13},
    }
    more = {name: {**column, "c": 1.0} for name, column in own.items()}

    found = common_table(run(metrics(*names), {"search": own, "rival": more}))

    assert found is not None
    assert (*(f"{name} (n 2)" for name in names), "F1 of averages (n 2)") == found.head[1:]
    assert ("search", "0.75", "0.50", "0.47", "0.60") == found.rows[0]


def test_common_table__f1_of_averages_over_different_cases_has_no_n() -> None:
    """Coverage is uneven and precision is not: both stand there, each with its own number."""
    own = {"citation_precision": {"a": 1.0, "b": 0.5}, "source_coverage": {"a": 0.25}}
    other = {"citation_precision": {"a": 0.0, "b": 0.0}, "source_coverage": {"a": 0.0, "b": 1.0}}

    found = common_table(
        run(metrics("citation_precision", "source_coverage"), {"search": own, "rival": other})
    )

    assert found is not None
    assert (
        *("target", "citation_precision (n 2)", "source_coverage (n 1)", "F1 of averages"),
    ) == found.head
    assert (("search", "0.75", "0.25", "0.38"), ("rival", "0.00", "0.00", "0.00")) == found.rows


def test_common_table__columns_are_capped() -> None:
    """A run with very many uneven dimensions names those that have no column."""
    names = [f"m{number}" for number in range(MOST_METRICS + 2)]
    found = common_table(
        run(
            metrics(*names),
            {
                "search": {name: {"a": 1.0} for name in names},
                "rival": {name: {"a": 1.0, "b": 0.0} for name in names},
            },
        )
    )

    assert found is not None
    assert 1 + MOST_METRICS == len(found.head)
    assert (ON, "not shown: m10, m11") == found.remarks


def test_common_table__none_for_one_target() -> None:
    """One target has nothing to share."""
    assert common_table(RUN) is None


def test_common_table__a_run_of_two_targets_shows_it_in_every_report() -> None:
    """Below the model table, in comment and summary, whose averages say over how many cases."""
    found = common_table(TWO_TARGETS)

    assert found is not None
    assert ("target", "relevance (n 1)", "correctness (n 1)") == found.head
    assert (ON, "no case that every target has: source_quality") == found.remarks
    for text in (comment(report("two-targets")), summary(report("two-targets"))):
        assert "| target | relevance (n 1) | correctness (n 1) |\n" in text
        assert "| search | 1.00 | 0.25 |\n| rival | 0.50 | 0.50 |\n" in text
        assert f"\n{ON}\n" in text


def test_model_table__f1_of_averages_has_a_column_of_its_own() -> None:
    """It comes after the dimensions, and a remark keeps it apart from the cases' own F1."""
    scores = {"citation_precision": {"a": 0.75}, "source_coverage": {"a": 0.5}}
    of = report("pass").model_copy(
        update={
            "run": run(
                metrics("citation_precision", "source_coverage"),
                {"search": scores, "rival": {"citation_precision": {}, "source_coverage": {}}},
            )
        }
    )
    found = model_table(of)

    assert ("citation_precision", "source_coverage", "F1 of averages", "p50") == found.head[1:5]
    assert ("0.75 (n 1)", "0.50 (n 1)", "0.60") == found.rows[0][1:4]
    assert (f"{MISSING} (n 0)", f"{MISSING} (n 0)", MISSING) == found.rows[1][1:4]
    assert found.remarks[0].startswith("F1 of averages: of the averaged citation_precision and ")
    assert "it is not citation_f1" in found.remarks[0]
