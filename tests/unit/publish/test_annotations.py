"""Annotations: how loud, on which line, and how many."""

from __future__ import annotations

import pytest

from gate.publish.annotations import annotations_of
from gate.types import OperationFinding, Report
from gate.wire.actions import LONGEST_MESSAGE, Annotation, annotation_text
from tests.runner_grammar import commands_in
from tests.unit.reports.hostile import hostile
from tests.unit.reports.report_samples import (
    CORRECTNESS_FELL,
    FAITHFULNESS_ADVISORY,
    QUALITY_UNCLEAR,
    REGRESSION,
    REPORTS,
    changed,
)

FILE = "evals/cases.yaml"
LINES = {"lighthouse-height": 12, "ferry-fare": 30}


def noted(report: Report) -> tuple[Annotation, ...]:
    """The annotations of a report."""
    return annotations_of(report, file=FILE, lines=LINES)


def of_cases(report: Report) -> list[Annotation]:
    """Those of cases."""
    return [one for one in noted(report) if one.title.split(":")[0] not in ("Kappagate", "")]


def test_annotations__fallen_cases_on_their_lines() -> None:
    """The case, what fell and from where to where, and the row that failed."""
    first = of_cases(REGRESSION)[0]

    assert (
        Annotation(
            "error",
            "correctness of search 1.00 → 0.00 (regression, 0.88 → 0.75 over all)",
            "lighthouse-height: correctness fell",
            FILE,
            12,
        )
        == first
    )


def test_annotations__the_headline_of_what_failed_comes_first() -> None:
    """With the next step."""
    regression, broken = noted(REGRESSION)[0], noted(REPORTS["broken"])[0]

    assert ("error", "Kappagate: regression", None) == (
        regression.level,
        regression.title,
        regression.file,
    )
    assert regression.message.startswith(
        f"{REGRESSION.verdict.headline}\nNext step: mend it; if the drop is wanted"
    )
    assert "\nNext step: run it again" in broken.message


@pytest.mark.parametrize("status", ["pass", "report"])
def test_annotations__nothing_fell(status: str) -> None:
    """A run that is well says nothing beside the code."""
    assert () == noted(REPORTS[status])


@pytest.mark.parametrize(
    ("delta", "level"), [(-0.03, "notice"), (-0.05, "warning"), (-0.2, "warning"), (0.2, "notice")]
)
def test_annotations__an_unclear_row(delta: float, level: str) -> None:
    """It is a warning from the smallest effect that can be a regression on."""
    row = QUALITY_UNCLEAR.model_copy(update={"delta": delta, "worst_cases": ("ferry-fare",)})
    (found,) = of_cases(changed(REPORTS["inconclusive"], comparisons=(row,)))

    assert (level, 30) == (found.level, found.line)


def test_annotations__direction_is_the_metrics_own() -> None:
    """Where lower is better, a rise is a drop."""
    row = QUALITY_UNCLEAR.model_copy(update={"delta": 0.2, "worst_cases": ("ferry-fare",)})
    report = changed(REGRESSION, comparisons=(row,), exit_code=0)
    assert report.comparison is not None
    paired = report.comparison.rows[0].model_copy(
        update={"dimension": "source_quality", "signed": -0.2, "delta": 0.2}
    )
    comparison = report.comparison.model_copy(update={"rows": (paired,)})

    (found,) = of_cases(report.model_copy(update={"comparison": comparison}))

    assert "warning" == found.level


def test_annotations__an_advisory_row_is_a_notice() -> None:
    """It fails nothing, and is not unclear either."""
    row = FAITHFULNESS_ADVISORY.model_copy(update={"worst_cases": ("ferry-fare",)})
    (found,) = of_cases(changed(REGRESSION, comparisons=(row,)))

    assert "notice" == found.level


def test_annotations__an_accepted_regression_is_a_warning() -> None:
    """It is true, and it fails nothing."""
    report = changed(REGRESSION, exit_code=0, accepted_by="ada")

    assert {"warning"} == {one.level for one in of_cases(report)}
    assert [] == [one for one in noted(report) if one.level == "error"]


def test_annotations__report_only_has_no_error() -> None:
    """Numbers without a verdict fail nothing."""
    report = changed(REGRESSION, status="report", exit_code=0)

    assert {"notice"} == {one.level for one in noted(report)}


def test_annotations__one_for_a_case_that_fell_twice() -> None:
    """As loud as its loudest, both rows in it."""
    more = FAITHFULNESS_ADVISORY.model_copy(update={"worst_cases": ("ferry-fare",)})
    found = [
        one
        for one in of_cases(changed(REGRESSION, comparisons=(CORRECTNESS_FELL, more)))
        if one.line == 30
    ]

    assert ["ferry-fare: correctness, faithfulness fell"] == [one.title for one in found]
    assert "error" == found[0].level
    assert 2 == len(found[0].message.splitlines())


def test_annotations__a_case_without_a_line() -> None:
    """Nobody is sent to the wrong place."""
    found = [one for one in annotations_of(REGRESSION, file=FILE, lines={}) if one.file]

    assert [] == found


def test_annotations__a_target_that_works_worse() -> None:
    """The operation says what."""
    worse = OperationFinding(target="search", outcome="regression", because="more empty answers")
    found = noted(changed(REGRESSION, operations=(worse,)))

    assert ("error", "search: more empty answers") in [(one.level, one.message) for one in found]


def test_annotations__eight_of_a_level_and_a_count() -> None:
    """Ten are kept of a step, and two are left for what publishing has to say."""
    rows = tuple(
        CORRECTNESS_FELL.model_copy(update={"worst_cases": (f"case-{number}",)})
        for number in range(20)
    )
    found = noted(changed(REGRESSION, comparisons=rows))

    assert 8 == len(found)
    assert "14 further annotations of this level: see the report." == found[-1].message


def test_annotations__the_stand_in_world_is_named() -> None:
    """Its numbers say nothing of a real model."""
    found = noted(REGRESSION.model_copy(update={"stand_in": True}))

    assert found
    assert all("(stand-in world)" in one.title for one in found)


@pytest.mark.parametrize("status", REPORTS)
def test_annotations__hostile_texts_make_no_command(status: str) -> None:
    """As many commands as annotations, each as long as the runner keeps, no sign unseen."""
    report = hostile(REPORTS[status])
    lines = {case: 3 for one in report.verdict.comparisons for case in one.worst_cases}
    found = annotations_of(report, file=FILE, lines=lines)
    text = "".join(annotation_text(one) for one in found)

    assert len(found) == len(commands_in(text)) == text.count("\n")
    assert all(len(one.message) <= LONGEST_MESSAGE for one in found)
    assert all(one.message.replace("\n", "").isprintable() for one in found)
